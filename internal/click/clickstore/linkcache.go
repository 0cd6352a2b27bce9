package clickstore

import (
	"slices"

	"terse"
)

// linkCache caches the codes and owners of links that had clicks. Looking them up for each batch
// doubles the CPU time. Links with neighbouring IDs share a chunk, which takes half the memory and
// time of one entry a link.
type linkCache struct {
	chunks map[terse.LinkID]*cachedChunk
	former map[terse.LinkID][]terse.Code // former codes
}

// cachedChunk holds 16 links. A link that is not cached has the zero Code.
type cachedChunk [cachedTogether]cachedLink

type cachedLink struct {
	code  terse.Code
	owner OwnerID
}

const cachedTogether = 16

func newLinkCache() linkCache {
	return linkCache{map[terse.LinkID]*cachedChunk{}, map[terse.LinkID][]terse.Code{}}
}

// of returns the cached link, nil if there is none.
func (l *linkCache) of(id terse.LinkID) *cachedLink {
	chunk := l.chunks[id/cachedTogether]
	if chunk == nil || chunk[id%cachedTogether].code == (terse.Code{}) {
		return nil
	}
	return &chunk[id%cachedTogether]
}

// add adds a code of a link. The current code must come before the former ones.
func (l *linkCache) add(k Fact) {
	chunk := l.chunks[k.ID/cachedTogether]
	if chunk == nil {
		chunk = new(cachedChunk)
		l.chunks[k.ID/cachedTogether] = chunk
	}
	switch {
	case !k.Former:
		chunk[k.ID%cachedTogether] = cachedLink{k.Code, k.Owner}
	case !slices.Contains(l.former[k.ID], k.Code):
		l.former[k.ID] = append(l.former[k.ID], k.Code)
	}
}

func (l *linkCache) forget(id terse.LinkID) {
	if link := l.of(id); link != nil {
		*link = cachedLink{}
	}
	delete(l.former, id)
}

func (l *linkCache) clear() {
	clear(l.chunks)
	clear(l.former)
}

// learn looks up the links of an order that are not cached. lost is the number of clicks with an ID
// that belongs to no link and no tombstone.
func (c *Counter) learn(order []uint64) (lost int, err error) {
	if len(c.cache.chunks) > c.limits.cachedChunks { // what this batch needs must stay
		c.cache.clear()
	}
	var ids []terse.LinkID
	unknown := map[terse.LinkID]int{} // how many clicks they have
	for len(order) > 0 {
		id, n := terse.LinkID(order[0]>>inLink), sameAs(order, inLink)
		if c.cache.of(id) == nil {
			ids, unknown[id] = append(ids, id), n
		}
		order = order[n:]
	}
	err = Lookup(c.links, ids, func(k Fact) {
		asked, room := unknown[k.ID] > 0, len(c.cache.chunks) <= c.limits.cachedChunks
		delete(unknown, k.ID)
		if !k.Deleted && (asked || room || c.cache.of(k.ID) != nil) {
			c.cache.add(k)
		}
	})
	for _, n := range unknown {
		lost += n
	}
	return lost, err
}

// isLink reports whether an ID can belong to a link. IDs are assigned one by one, from 1 on.
func isLink(id terse.LinkID) bool { return id > 0 && id < 1<<(64-maxBatchBits) }
