package clickstore

import (
	"slices"

	"terse"
)

// linkCache has the codes and owners of links that had clicks. To look them up for each batch takes
// twice the CPU. Links whose IDs are neighbours share a chunk, which takes half the memory and time
// of an entry for each link.
type linkCache struct {
	chunks map[terse.LinkID]*cachedChunk
	former map[terse.LinkID][]terse.Code // codes that links had
}

// cachedChunk has 16 links. One that is not cached has the zero Code.
type cachedChunk [cachedTogether]cachedLink

type cachedLink struct {
	code  terse.Code
	owner OwnerID
}

const cachedTogether = 16

func newLinkCache() linkCache {
	return linkCache{map[terse.LinkID]*cachedChunk{}, map[terse.LinkID][]terse.Code{}}
}

// of returns what is cached of a link, nil if it is not.
func (l *linkCache) of(id terse.LinkID) *cachedLink {
	chunk := l.chunks[id/cachedTogether]
	if chunk == nil || chunk[id%cachedTogether].code == (terse.Code{}) {
		return nil
	}
	return &chunk[id%cachedTogether]
}

// add adds a code of a link. The code that the link has must come before those that it had.
func (l *linkCache) add(k Known) {
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

// learn looks up links of an order that are not cached. lost is how many clicks have an ID that is
// neither a link nor named by a tombstone.
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
	err = Lookup(c.links, ids, func(k Known) {
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

// isLink reports whether an ID can be that of a link. IDs are given out one by one, from 1 on.
func isLink(id terse.LinkID) bool { return id > 0 && id < 1<<(64-maxBatchBits) }
