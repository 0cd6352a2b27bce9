package clickstore

import (
	"slices"

	"terse"
)

// linkCache remembers the codes and owners of links that had clicks, by bucket: to look them up for
// each batch instead takes twice the CPU.
type linkCache map[int64]*cachedBucket

// cachedBucket is what is known of a bucket's links, each at its offset.
type cachedBucket struct {
	owner OwnerID // of all but others
	// The garbage collector looks at what stands before the last pointer.
	others map[int]OwnerID
	former map[int][]terse.Code // which links had before the one that they have
	// The upper words of packed codes, which those of more than ten characters have; nil: none.
	high *[BucketLinks]uint64
	low  [BucketLinks]uint64 // their lower words; 0: not known
}

// bucket returns what is known of a bucket's links.
func (l linkCache) bucket(id int64) *cachedBucket {
	if b := l[id]; b != nil {
		return b
	}
	if len(l) >= maxCachedBuckets {
		clear(l)
	}
	b := new(cachedBucket)
	l[id] = b
	return b
}

func (l linkCache) forget(link terse.LinkID) {
	if b := l[BucketOf(link)]; b != nil {
		offset := offsetOf(link)
		b.low[offset] = 0
		delete(b.others, offset)
		delete(b.former, offset)
	}
}

// set notes a code of a link, or one more. The lower word of no code is 0.
func (b *cachedBucket) set(offset int, code terse.Code, owner OwnerID) {
	if b.low[offset] != 0 {
		if b.former == nil {
			b.former = map[int][]terse.Code{}
		}
		b.former[offset] = append(b.former[offset], code)
		return
	}
	high, low := code.Pack()
	b.low[offset] = low
	if high != 0 && b.high == nil {
		b.high = new([BucketLinks]uint64)
	}
	if b.high != nil {
		b.high[offset] = high
	}
	switch b.owner {
	case 0:
		b.owner = owner
	case owner:
	default:
		if b.others == nil {
			b.others = map[int]OwnerID{}
		}
		b.others[offset] = owner
	}
}

// ownerOf returns whose link is at an offset. It is not ok when the link never had the code, or
// when nothing is known of it.
func (b *cachedBucket) ownerOf(offset int, code terse.Code) (owner OwnerID, ok bool) {
	high, low := code.Pack()
	knownHigh := uint64(0)
	if b.high != nil {
		knownHigh = b.high[offset]
	}
	if (high != knownHigh || low != b.low[offset]) && !slices.Contains(b.former[offset], code) {
		return 0, false
	}
	if owner, other := b.others[offset]; other {
		return owner, true
	}
	return b.owner, true
}

// learn looks up what is not known of the links of clicks. Those that are no link, as far as is
// known, are in c.unknown then.
func (c *Counter) learn(clicks []terse.NumberedClick) error {
	clear(c.unknown)
	ids := c.ids[:0]
	for i := range clicks {
		id := clicks[i].Link
		if !isLink(id) {
			continue
		}
		if b := c.cache[BucketOf(id)]; b == nil || b.low[offsetOf(id)] == 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	c.ids = ids
	if len(ids) == 0 {
		return nil
	}
	for _, id := range ids {
		c.unknown[id] = true
	}
	return Lookup(c.links, ids, func(k Known) {
		delete(c.unknown, k.ID)
		if !k.Deleted {
			c.cache.bucket(BucketOf(k.ID)).set(offsetOf(k.ID), k.Code, k.Owner)
		}
	})
}

// isLink reports whether an ID can be that of a link: they are given out one by one, from 1 on.
func isLink(id terse.LinkID) bool { return id > 0 && id < 1<<(64-maxBatchBits) }
