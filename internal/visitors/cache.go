package visitors

import (
	"slices"

	"terse"
)

// ID says which links and day the sets of a Bucket are of.
type ID struct {
	Day    terse.Day
	Bucket int64
}

// maxCache bounds a Cache, in bytes: enough for some 3,000,000 visitors, or 1,000 links with
// sketches. Other buckets are read with each batch, which takes 0.2 s on a day with 8,000,000
// visitors (BenchmarkAddClicksCrowded of package sqlite).
const maxCache = 64 << 20

// Cache keeps Buckets that are saved. It must not be used concurrently.
type Cache struct {
	buckets map[ID]cached
	bytes   int
}

type cached struct {
	*Bucket
	bytes int
}

// Get returns a Bucket that was kept, or nil.
func (c *Cache) Get(id ID) *Bucket { return c.buckets[id].Bucket }

// Keep keeps a Bucket that is saved.
func (c *Cache) Keep(id ID, b *Bucket) {
	if c.buckets == nil {
		c.buckets = map[ID]cached{}
	}
	n := b.Bytes()
	c.bytes += n - c.buckets[id].bytes
	c.buckets[id] = cached{b, n}
}

// Trim forgets Buckets while there are too many, and overwrites them: none may be in use. It
// chooses any of them, so that not all miss when they are used in turn.
func (c *Cache) Trim() {
	for id := range c.buckets {
		if c.bytes <= maxCache {
			return
		}
		c.forget(id)
	}
}

func (c *Cache) forget(id ID) {
	c.buckets[id].Wipe()
	c.bytes -= c.buckets[id].bytes
	delete(c.buckets, id)
}

// Clear forgets all Buckets.
func (c *Cache) Clear() {
	clear(c.buckets)
	c.bytes = 0
}

// WipeBut forgets all Buckets but those of some days, and overwrites them: none may be in use.
func (c *Cache) WipeBut(days []terse.Day) {
	for id := range c.buckets {
		if !slices.Contains(days, id.Day) {
			c.forget(id)
		}
	}
}
