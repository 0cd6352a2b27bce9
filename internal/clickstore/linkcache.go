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

// cachedChunk has 16 links. A link that is not cached has the zero Code.
type cachedChunk struct {
	codes  [cachedTogether]terse.Code
	owners [cachedTogether]OwnerID
}

const cachedTogether = 16

func newLinkCache() linkCache {
	return linkCache{map[terse.LinkID]*cachedChunk{}, map[terse.LinkID][]terse.Code{}}
}

// chunk returns the chunk of a link, nil if there is none, and the link's place there.
func (l *linkCache) chunk(id terse.LinkID) (*cachedChunk, terse.LinkID) {
	return l.chunks[id/cachedTogether], id % cachedTogether
}

func (l *linkCache) has(id terse.LinkID) bool {
	chunk, at := l.chunk(id)
	return chunk != nil && chunk.codes[at] != (terse.Code{})
}

// add adds a code of a link. The code that the link has must come before those that it had.
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

// ownerOf returns the owner of a link. ok is false if the link is not cached, or never had the
// code.
func (l *linkCache) ownerOf(id terse.LinkID, code terse.Code) (owner OwnerID, ok bool) {
	if !l.has(id) {
		return 0, false
	}
	chunk, at := l.chunk(id)
	return chunk.owners[at], code == chunk.codes[at] || slices.Contains(l.former[id], code)
}

// learn looks up links of clicks that are not cached. It returns the IDs that are neither a link
// nor named by a tombstone.
func (c *Counter) learn(clicks []terse.NumberedClick) (unknown map[terse.LinkID]bool, err error) {
	if len(c.cache.chunks) > c.limits.cachedChunks { // what this batch needs must stay
		c.cache.clear()
	}
	var ids []terse.LinkID
	for i := range clicks {
		id := clicks[i].Link
		if isLink(id) && !c.cache.has(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	unknown = map[terse.LinkID]bool{}
	for _, id := range ids {
		unknown[id] = true
	}
	return unknown, Lookup(c.links, ids, func(k Known) {
		asked, room := unknown[k.ID], len(c.cache.chunks) <= c.limits.cachedChunks
		delete(unknown, k.ID)
		if !k.Deleted && (asked || room || c.cache.has(k.ID)) {
			c.cache.add(k)
		}
	})
}

// isLink reports whether an ID can be that of a link. IDs are given out one by one, from 1 on.
func isLink(id terse.LinkID) bool { return id > 0 && id < 1<<(64-maxBatchBits) }
