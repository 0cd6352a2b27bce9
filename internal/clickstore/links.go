package clickstore

import (
	"slices"

	"terse"
)

// linkCache remembers the codes and owners of links that had clicks: to look them up for each batch
// instead takes twice the CPU. Links whose IDs are neighbours lie together, which takes half the
// memory and time of a place for each.
type linkCache struct {
	chunks map[terse.LinkID]*cachedChunk
	former map[terse.LinkID][]terse.Code
}

// cachedChunk is what is known of some links. The zero Code is that of one of which nothing is.
type cachedChunk struct {
	codes  [cachedTogether]terse.Code // which the links have, not those that they had
	owners [cachedTogether]OwnerID
}

const cachedTogether = 16

func newLinkCache() linkCache {
	return linkCache{map[terse.LinkID]*cachedChunk{}, map[terse.LinkID][]terse.Code{}}
}

// chunk returns the chunk of a link, nil if nothing is known of it, and the link's place there.
func (l *linkCache) chunk(id terse.LinkID) (*cachedChunk, terse.LinkID) {
	return l.chunks[id/cachedTogether], id % cachedTogether
}

func (l *linkCache) has(id terse.LinkID) bool {
	chunk, at := l.chunk(id)
	return chunk != nil && chunk.codes[at] != (terse.Code{})
}

// add notes a code of a link. The one that it has comes before those that it had.
func (l *linkCache) add(k Known) {
	chunk, at := l.chunk(k.ID)
	if chunk == nil {
		chunk = new(cachedChunk)
		l.chunks[k.ID/cachedTogether] = chunk
	}
	switch {
	case !k.Former:
		chunk.codes[at], chunk.owners[at] = k.Code, k.Owner
	case !slices.Contains(l.former[k.ID], k.Code):
		l.former[k.ID] = append(l.former[k.ID], k.Code)
	}
}

func (l *linkCache) forget(id terse.LinkID) {
	if chunk, at := l.chunk(id); chunk != nil {
		chunk.codes[at] = terse.Code{}
	}
	delete(l.former, id)
}

func (l *linkCache) clear() {
	clear(l.chunks)
	clear(l.former)
}

// ownerOf returns whose link an ID is. It is not ok when the link never had the code, or when
// nothing is known of it.
func (l *linkCache) ownerOf(id terse.LinkID, code terse.Code) (owner OwnerID, ok bool) {
	if !l.has(id) {
		return 0, false
	}
	chunk, at := l.chunk(id)
	return chunk.owners[at], code == chunk.codes[at] || slices.Contains(l.former[id], code)
}

// learn looks up what is not known of the links of clicks. Those that are no link, as far as is
// known, are in c.unknown then.
func (c *Counter) learn(clicks []terse.NumberedClick) error {
	clear(c.unknown)
	if len(c.cache.chunks) > c.limits.cachedChunks { // what this batch needs must stay
		c.cache.clear()
	}
	ids := c.ids[:0]
	for i := range clicks {
		id := clicks[i].Link
		if isLink(id) && !c.cache.has(id) {
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
		asked, room := c.unknown[k.ID], len(c.cache.chunks) <= c.limits.cachedChunks
		delete(c.unknown, k.ID)
		if !k.Deleted && (asked || room || c.cache.has(k.ID)) {
			c.cache.add(k)
		}
	})
}

// isLink reports whether an ID can be that of a link: they are given out one by one, from 1 on.
func isLink(id terse.LinkID) bool { return id > 0 && id < 1<<(64-maxBatchBits) }
