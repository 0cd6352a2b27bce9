package visitors

import (
	"slices"

	"terse"
)

// ID identifies a Bucket: its day and its links.
type ID struct {
	Day    terse.Day
	Bucket int64
}

// maxCache bounds a Cache, in bytes: enough for about 3,000,000 visitors, or 1,000 links with
// sketches. Other buckets are read for each batch, which takes 0.2 s on a day with 8,000,000
// visitors (BenchmarkAddClicksCrowded in package sqlite).
const maxCache = 64 << 20

// Cache keeps saved Buckets in memory. It must not be used concurrently.
type Cache struct {
	buckets map[ID]cached
	bytes   int
}

type cached struct {
	*Bucket
	bytes int
}

// Get returns a Bucket, or nil if it is not cached.
func (c *Cache) Get(id ID) *Bucket { return c.buckets[id].Bucket }

// Keep adds a saved Bucket.
func (c *Cache) Keep(id ID, b *Bucket) {
	if c.buckets == nil {
		c.buckets = map[ID]cached{}
	}
	n := b.Bytes()
	c.bytes += n - c.buckets[id].bytes
	c.buckets[id] = cached{b, n}
}

// Trim removes Buckets until the Cache is within its bound, and overwrites them: none may be in
// use. It chooses them at random: with a fixed order, Buckets used in turn would all miss.
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

// Clear removes all Buckets.
func (c *Cache) Clear() {
	clear(c.buckets)
	c.bytes = 0
}

// WipeBut removes all Buckets except those of the given days, and overwrites them: none may be in
// use.
func (c *Cache) WipeBut(days []terse.Day) {
	for id := range c.buckets {
		if !slices.Contains(days, id.Day) {
			c.forget(id)
		}
	}
}
