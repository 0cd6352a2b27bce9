package clickstore

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/link/linkset"
)

// totals is a row of Totals: the totals of a bucket's links, each at its offset.
type totals struct {
	clicks [bucketLinks]int64
	people [bucketLinks]int64  // clicks by people
	last   [bucketLinks]int64  // the time of the latest click, in microseconds since 1970
	eras   [bucketLinks]uint32 // how often the link was cleared
}

// totalsVersion is the first byte of a row of Totals.
const totalsVersion = 1

// append packs totals (docs/format/counts.md).
func (t *totals) append(b []byte) []byte {
	base, some := int64(math.MaxInt64), false
	for i := range t.clicks {
		if t.clicks[i] > 0 {
			base, some = min(base, t.last[i]), true
		}
	}
	if !some {
		base = 0
	}
	b = binary.AppendVarint(append(b, totalsVersion), base)
	next := 0
	for i := range t.clicks {
		if t.clicks[i] == 0 && t.eras[i] == 0 {
			continue
		}
		b = binary.AppendUvarint(b, uint64(i-next))
		b = binary.AppendUvarint(b, uint64(t.clicks[i]))
		b = binary.AppendUvarint(b, uint64(t.clicks[i]-t.people[i]))
		if t.clicks[i] > 0 {
			b = binary.AppendUvarint(b, uint64(t.last[i]-base))
		}
		b = binary.AppendUvarint(b, uint64(t.eras[i]))
		next = i + 1
	}
	return b
}

// parse is the reverse of append.
func (t *totals) parse(b []byte) error {
	*t = totals{}
	if len(b) == 0 || b[0] != totalsVersion {
		return clickblock.ErrDamaged
	}
	base, n := binary.Varint(b[1:])
	if n <= 0 {
		return clickblock.ErrDamaged
	}
	b = b[1+n:]
	ok := true
	number := func(bound uint64) uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > bound {
			ok, b = false, nil
			return 0
		}
		b = b[n:]
		return v
	}
	for i := 0; len(b) > 0; i++ {
		i += int(number(bucketLinks))
		if !ok || i >= bucketLinks {
			return clickblock.ErrDamaged
		}
		t.clicks[i] = int64(number(math.MaxInt64))
		t.people[i] = t.clicks[i] - int64(number(uint64(t.clicks[i])))
		if t.clicks[i] > 0 {
			t.last[i] = base + int64(number(math.MaxInt64))
		}
		t.eras[i] = uint32(number(math.MaxUint32))
	}
	if !ok {
		return clickblock.ErrDamaged
	}
	return nil
}

// read reads the totals of a bucket.
func (t *totals) read(r Reader, bucket int64) error {
	*t = totals{}
	if err := r.Get(Totals, Key{A: bucket}, t.parse); err != nil {
		return fmt.Errorf("totals of links from %d on: %w", linkAt(bucket, 0), err)
	}
	return nil
}

// Total holds the totals of one link.
type Total struct {
	Clicks, People int64
	Last           int64  // the time of the latest click, where there are clicks
	Era            uint32 // how often it was cleared
}

// Of returns the totals as those of a link.
func (t Total) Of(link terse.LinkRef) terse.LinkClicks {
	clicks := terse.LinkClicks{LinkRef: link, Clicks: t.Clicks, People: t.People}
	if t.Clicks > 0 {
		clicks.Last = time.UnixMicro(t.Last).UTC()
	}
	return clicks
}

// TotalOf returns a link's totals. They are zero for a link without clicks.
func TotalOf(r Reader, link terse.LinkID) (Total, error) {
	var t totals
	err := t.read(r, BucketOf(link))
	return t.of(link), err
}

// of returns the totals of one of the links.
func (t *totals) of(link terse.LinkID) Total {
	i := offsetOf(link)
	return Total{t.clicks[i], t.people[i], t.last[i], t.eras[i]}
}

// ClicksOf returns how many clicks links have together.
func ClicksOf(r Reader, links linkset.Set) (clicks int64, err error) {
	var buckets []int64
	for _, w := range slices.Backward(links) {
		if b := BucketOf(terse.LinkID(w.First())); len(buckets) == 0 ||
			b != buckets[len(buckets)-1] {
			buckets = append(buckets, b)
		}
	}
	err = eachTotals(r, buckets, func(bucket int64, t *totals) {
		of := links.Between(int64(linkAt(bucket, 0)), int64(linkAt(bucket+1, 0)))
		for _, id := range of.IDs() {
			clicks += t.clicks[offsetOf(terse.LinkID(id))]
		}
	})
	return clicks, err
}

// eachTotals calls f with the totals of each of the given buckets that has any. The buckets
// descend, and f is called in that order.
func eachTotals(r Reader, buckets []int64, f func(bucket int64, t *totals)) error {
	var t totals
	return r.Buckets(buckets, func(bucket int64, v []byte) error {
		if err := t.parse(v); err != nil {
			return fmt.Errorf("totals of links from %d on: %w", linkAt(bucket, 0), err)
		}
		f(bucket, &t)
		return nil
	})
}

// BucketTotals holds the clicks, the clicks by people, and the times of the last clicks of a
// bucket's links, each at its offset. A link without clicks has no time.
type BucketTotals struct{ Clicks, People, Last []int64 }

// BucketsOf returns the buckets of the given ranges of a linkset.Set. The ranges descend, and so do
// the buckets.
func BucketsOf(ranges []int64) (buckets []int64) {
	const inRange = 1 << (linkset.RangeBits - bucketBits)
	for _, number := range ranges {
		for i := range int64(inRange) {
			buckets = append(buckets, (number+1)*inRange-1-i)
		}
	}
	return buckets
}

// EachBucket calls f with the totals of each of the given buckets that has any, and the ID of the
// bucket's first link. The buckets descend, and f is called in that order. It must not keep the
// totals.
func EachBucket(r Reader, buckets []int64, f func(first terse.LinkID, of BucketTotals)) error {
	return eachTotals(r, buckets, func(bucket int64, t *totals) {
		f(linkAt(bucket, 0), BucketTotals{t.clicks[:], t.people[:], t.last[:]})
	})
}

// erasOf returns the eras of links, and of their neighbours in the same buckets. A link that was
// never cleared is missing.
func erasOf[T ~int64](r Reader, links []T) (eras map[terse.LinkID]uint32, err error) {
	buckets := make([]int64, len(links))
	for i, link := range links {
		buckets[i] = -BucketOf(terse.LinkID(link))
	}
	slices.Sort(buckets)
	buckets = slices.Compact(buckets)
	for i := range buckets {
		buckets[i] = -buckets[i]
	}
	eras = map[terse.LinkID]uint32{}
	return eras, eachTotals(r, buckets, func(bucket int64, t *totals) {
		for offset, era := range t.eras {
			if era > 0 {
				eras[linkAt(bucket, offset)] = era
			}
		}
	})
}
