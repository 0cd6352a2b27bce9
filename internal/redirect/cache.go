package redirect

import (
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"terse"
)

// MinCacheBytes is the smallest useful cache of links: some thousand of them.
const MinCacheBytes = 1 << 20

// unknownLifetime is how long an unknown code is remembered as such, should nobody tell of
// its creation: a safety net, because Changed does tell.
const unknownLifetime = 5 * time.Second

// maxUnknown bounds how many unknown codes are remembered, about 10 MiB: those that are
// asked for again and again fit, and a scanner's, each new, must not push out links.
const maxUnknown = 1 << 16

// target is where a link leads.
type target struct {
	id       terse.LinkID
	location []byte
}

// cache holds targets by code within a memory budget, and unknown codes apart from them.
type cache struct {
	links   *table
	unknown *otter.Cache[terse.Code, time.Time]

	mu      sync.RWMutex // guards changes, and orders puts and drops
	changes uint64       // how many times drop was called
}

func newCache(budget int) *cache {
	return &cache{
		links:   newTable(budget),
		unknown: otter.Must(&otter.Options[terse.Code, time.Time]{MaximumSize: maxUnknown}),
	}
}

// get returns a code's target, with the location in scratch if there is room, whether the code
// is known to have none, and whether either is known.
func (c *cache) get(code terse.Code, scratch []byte) (t target, unknown, ok bool) {
	if t, ok := c.links.get(code, scratch); ok {
		return t, false, true
	}
	until, ok := c.unknown.GetIfPresent(code)
	return target{}, true, ok && time.Now().Before(until)
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
	c.unlessChanged(version, func() { c.unknown.Set(code, time.Now().Add(unknownLifetime)) })
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
	c.unknown.Invalidate(code)
}
