package redirect

import (
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"terse"
)

// unknownLifetime is how long an unknown code is remembered as such, should nobody tell of
// its creation: a safety net, because Changed does tell.
const unknownLifetime = 5 * time.Second

// maxUnknown bounds how many unknown codes are remembered, about 10 MiB: those that are
// asked for again and again fit, and a scanner's, each new, must not push out links.
const maxUnknown = 1 << 16

// entryBytes is about what an entry takes beside its Location: key, value, the cache's
// node, hash table slot and policy queues, measured over 1,000,000 links (BenchmarkCacheMemory).
const entryBytes = 160

// target is where a code leads. One without an ID says that the code is unknown, until a
// time.
type target struct {
	id       terse.LinkID
	location []byte
	until    time.Time
}

func unknown() target { return target{until: time.Now().Add(unknownLifetime)} }

func (t target) err() error {
	if t.id == 0 {
		return terse.ErrNotFound
	}
	return nil
}

// cache holds targets by code within a memory budget, and unknown codes apart from them.
type cache struct {
	links   *otter.Cache[terse.Code, target]
	unknown *otter.Cache[terse.Code, target]
	changes atomic.Uint64 // how many times drop was called
}

func newCache(budget uint64) *cache {
	return &cache{
		links: otter.Must(&otter.Options[terse.Code, target]{
			MaximumWeight: budget,
			Weigher:       func(_ terse.Code, t target) uint32 { return uint32(entryBytes + len(t.location)) },
		}),
		unknown: otter.Must(&otter.Options[terse.Code, target]{MaximumSize: maxUnknown}),
	}
}

func (c *cache) get(code terse.Code) (target, bool) {
	if t, ok := c.links.GetIfPresent(code); ok {
		return t, true
	}
	t, ok := c.unknown.GetIfPresent(code)
	return t, ok && time.Now().Before(t.until)
}

// version is taken before the store is asked and given to put with the answer.
func (c *cache) version() uint64 { return c.changes.Load() }

// put keeps an answer of the store, unless something changed since its version: it may be
// older than the change. The version is looked at under the entry's lock, so either put
// sees the change or the change's drop comes after put.
func (c *cache) put(code terse.Code, t target, version uint64) {
	in := c.links
	if t.id == 0 {
		in = c.unknown
	}
	in.Compute(code, func(target, bool) (target, otter.ComputeOp) {
		if c.changes.Load() != version {
			return target{}, otter.CancelOp
		}
		return t, otter.WriteOp
	})
}

func (c *cache) drop(code terse.Code) {
	c.changes.Add(1)
	c.links.Invalidate(code)
	c.unknown.Invalidate(code)
}
