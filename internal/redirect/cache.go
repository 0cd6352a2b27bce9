package redirect

import (
	"encoding/binary"
	"time"

	"terse"
	"terse/internal/redirect/ring"
)

// MinCacheBytes is the smallest useful cache, with room for a few thousand links.
const MinCacheBytes = 1 << 20

// unknownLifetime is how long an unknown code is cached. Its creation may not be announced, because
// another program may write to the store's database. One look-up per lifetime costs next to
// nothing.
const unknownLifetime = 500 * time.Millisecond

// unknownBytes bounds the cache of unknown codes, about 24,000. It is for codes that are requested
// again and again, such as one that was just deleted.
const unknownBytes = 1 << 20

// cache holds targets by code within a memory budget. Unknown codes are separate, so that a scanner
// does not evict links.
type cache struct {
	links   *ring.Cache
	unknown *ring.Cache // the value is the end of validity, in microseconds since 1970
}

func newCache(budget int) *cache {
	return &cache{links: ring.New(budget), unknown: ring.New(unknownBytes)}
}

// get returns a code's target. It uses scratch if that has room.
func (c *cache) get(code terse.Code, scratch []byte) (target, bool) {
	value, stale, ok := c.links.Get(scratch[:0], code)
	if !ok {
		return target{}, false
	}
	t := parseTarget(value)
	t.stale = stale
	return t, true
}

// isUnknown reports whether a code is known to have no target.
func (c *cache) isUnknown(code terse.Code) bool {
	var room [8]byte
	until, stale, ok := c.unknown.Get(room[:0], code)
	return ok && !stale && uint64(time.Now().UnixMicro()) < binary.LittleEndian.Uint64(until)
}

// versions are read before the store is asked, and passed to put or putUnknown with the answer.
type versions struct{ link, unknown ring.Version }

func (c *cache) versions(code terse.Code) versions {
	return versions{c.links.Version(code), c.unknown.Version(code)}
}

// put caches a target that the store returned.
func (c *cache) put(code terse.Code, t target, v versions) {
	c.links.Put(code, t.append(nil), v.link)
}

// putUnknown caches that the store has no such link.
func (c *cache) putUnknown(code terse.Code, v versions) {
	until := uint64(time.Now().Add(unknownLifetime).UnixMicro())
	c.unknown.Put(code, binary.LittleEndian.AppendUint64(nil, until), v.unknown)
}

// drop forgets a code.
func (c *cache) drop(code terse.Code) {
	c.links.Drop(code)
	c.unknown.Drop(code)
}

// invalidateAll makes all targets stale, and forgets which codes are unknown.
func (c *cache) invalidateAll() {
	c.links.Invalidate()
	c.unknown.Invalidate()
}
