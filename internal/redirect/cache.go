package redirect

import (
	"encoding/binary"
	"sync"
	"time"

	"github.com/VictoriaMetrics/fastcache"
	"github.com/maypok86/otter/v2"

	"terse"
)

// MinCacheBytes is the smallest cache of links that there is: the library's buckets begin
// with a chunk each.
const MinCacheBytes = 32 << 20

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

// cache holds targets by code within a memory budget, and unknown codes apart from them. The
// links lie outside the garbage collector's heap, which would keep as much again in reserve
// for them and walk through a million of them time and again.
type cache struct {
	links   *fastcache.Cache // link ID and Location by packed code
	unknown *otter.Cache[terse.Code, time.Time]

	mu      sync.RWMutex // guards changes, and orders puts and drops
	changes uint64       // how many times drop was called
}

func newCache(budget int) *cache {
	return &cache{
		links:   fastcache.New(budget),
		unknown: otter.Must(&otter.Options[terse.Code, time.Time]{MaximumSize: maxUnknown}),
	}
}

// get returns a code's target, with the location in scratch if there is room, whether the code
// is known to have none, and whether either is known.
func (c *cache) get(code terse.Code, scratch []byte) (t target, unknown, ok bool) {
	key := keyOf(code)
	if v, ok := c.links.HasGet(scratch[:0], key[:]); ok {
		return target{id: terse.LinkID(binary.LittleEndian.Uint64(v)), location: v[8:]}, false, true
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
	key := keyOf(code)
	v := append(binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(t.location)), uint64(t.id)), t.location...)
	c.unlessChanged(version, func() { c.links.Set(key[:], v) })
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
	key := keyOf(code)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	c.links.Del(key[:])
	c.unknown.Invalidate(code)
}

// bytes returns how much memory the links take.
func (c *cache) bytes() uint64 {
	var s fastcache.Stats
	c.links.UpdateStats(&s)
	return s.BytesSize
}

func keyOf(code terse.Code) (key [16]byte) {
	hi, lo := code.Pack()
	binary.LittleEndian.PutUint64(key[:], hi)
	binary.LittleEndian.PutUint64(key[8:], lo)
	return key
}
