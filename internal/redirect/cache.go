package redirect

import (
	"encoding/binary"
	"time"

	"terse"
	"terse/internal/redirect/ring"
)

// MinCacheBytes is the smallest useful cache of links: some thousand of them.
const MinCacheBytes = 1 << 20

// unknownLifetime is how long an unknown code is remembered. Its creation may not be
// announced: another program may write into the store's database. One look-up in that time costs
// next to nothing.
const unknownLifetime = 500 * time.Millisecond

// unknownBytes bounds how much is remembered of unknown codes, some 24,000 of them. It is for those
// that are asked for again and again, such as a link that was just deleted.
const unknownBytes = 1 << 20

// cache holds targets by code within a memory budget, and unknown codes apart from them, so that a
// scanner's do not push out links.
type cache struct {
	links   *ring.Cache
	unknown *ring.Cache // the values are until when, in microseconds since 1970
}

func newCache(budget int) *cache {
	return &cache{links: ring.New(budget), unknown: ring.New(unknownBytes)}
}

// get returns a code's target, in scratch if there is room.
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

// versions are taken before the store is asked and given to put or putUnknown with the answer.
type versions struct{ link, unknown ring.Version }

func (c *cache) versions(code terse.Code) versions {
	return versions{c.links.Version(code), c.unknown.Version(code)}
}

// put keeps a target that the store answered.
func (c *cache) put(code terse.Code, t target, v versions) {
	c.links.Put(code, t.append(nil), v.link)
}

// putUnknown keeps the store's answer that there is no such link.
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
