package clickstore

import (
	"slices"

	"terse"
)

// linkCache remembers the codes and owners of links that had clicks: to look them up for each batch
// instead takes twice the CPU.
type linkCache struct {
	links  map[terse.LinkID]cachedLink // the garbage collector need not look into it
	former map[terse.LinkID][]terse.Code
}

// cachedLink is a link that is there, and the code that it has, not one of those that it had.
type cachedLink struct {
	code  terse.Code
	owner OwnerID
}

func newLinkCache() linkCache {
	return linkCache{map[terse.LinkID]cachedLink{}, map[terse.LinkID][]terse.Code{}}
}

// add notes a code of a link, or one more.
func (l *linkCache) add(k Known) {
	if _, known := l.links[k.ID]; known {
		l.former[k.ID] = append(l.former[k.ID], k.Code)
		return
	}
	l.links[k.ID] = cachedLink{k.Code, k.Owner}
}

func (l *linkCache) forget(id terse.LinkID) {
	delete(l.links, id)
	delete(l.former, id)
}

func (l *linkCache) clear() {
	clear(l.links)
	clear(l.former)
}

// ownerOf returns whose link an ID is. It is not ok when the link never had the code, or when
// nothing is known of it.
func (l *linkCache) ownerOf(id terse.LinkID, code terse.Code) (owner OwnerID, ok bool) {
	link, known := l.links[id]
	return link.owner, known && (code == link.code || slices.Contains(l.former[id], code))
}

// learn looks up what is not known of the links of clicks. Those that are no link, as far as is
// known, are in c.unknown then.
func (c *Counter) learn(clicks []terse.NumberedClick) error {
	clear(c.unknown)
	if len(c.cache.links) > c.limits.cachedLinks { // what this batch needs must stay
		c.cache.clear()
	}
	ids := c.ids[:0]
	for i := range clicks {
		id := clicks[i].Link
		if _, known := c.cache.links[id]; !known && isLink(id) {
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
			c.cache.add(k)
		}
	})
}

// isLink reports whether an ID can be that of a link: they are given out one by one, from 1 on.
func isLink(id terse.LinkID) bool { return id > 0 && id < 1<<(64-maxBatchBits) }
