package redirect

import (
	"sync"
	"time"

	"terse"
)

// MinCacheBytes is the smallest useful cache of links: some thousand of them.
const MinCacheBytes = 1 << 20

// unknownLifetime is how long an unknown code is remembered as such, should nobody tell of
// its creation: another program may write into the store's database. One look-up in that time costs next to
// nothing.
const unknownLifetime = 500 * time.Millisecond

// unknownBytes bounds how much is remembered of unknown codes, some 24,000 of them. It is for those that are asked
// for again and again and that the store does not tell to be absent, such as a link that was just deleted.
const unknownBytes = 1 << 20

// target is where a link leads.
type target struct {
	id       terse.LinkID
	location []byte
}

// cache holds targets by code within a memory budget, and unknown codes apart from them, so that a scanner's
// do not push out links.
type cache struct {
	links   *table
	unknown *table // the IDs are until when, in microseconds since 1970

	mu      sync.RWMutex // guards changes, and orders puts and drops
	changes uint64       // how many times drop and clear were called
}

func newCache(budget int) *cache {
	return &cache{links: newTable(budget), unknown: newTable(unknownBytes)}
}

// get returns a code's target, with the location in scratch if there is room.
func (c *cache) get(code terse.Code, scratch []byte) (target, bool) {
	return c.links.get(code, scratch)
}

// isUnknown tells whether a code is known to have no target.
func (c *cache) isUnknown(code terse.Code) bool {
	until, ok := c.unknown.get(code, nil)
	return ok && time.Now().UnixMicro() < int64(until.id)
}

// version is taken before the store is asked and given to put with the answer.
func (c *cache) version() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.changes
}

// put keeps a target that the store answered.
func (c *cache) put(code terse.Code, t target, version uint64) {
	c.unlessChanged(version, func() { c.links.put(code, t) })
}

// putUnknown keeps the store's answer that there is no such link.
func (c *cache) putUnknown(code terse.Code, version uint64) {
	until := terse.LinkID(time.Now().Add(unknownLifetime).UnixMicro())
	c.unlessChanged(version, func() { c.unknown.put(code, target{id: until}) })
}

// unlessChanged keeps an answer of the store, unless something changed since its version: it
// may be older than the change.
func (c *cache) unlessChanged(version uint64, keep func()) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.changes == version {
		keep()
	}
}

// drop forgets a code. Nothing that the store said before comes back.
func (c *cache) drop(code terse.Code) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	c.links.drop(code)
	c.unknown.drop(code)
}

// clear forgets all codes. Nothing that the store said before comes back.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	c.links.clear()
	c.unknown.clear()
}
