package useragent

import (
	"hash/maphash"
	"sync/atomic"
)

const (
	// ways is how many places a user agent may have. ways*numSets are cached, more than a busy site
	// sees in a day. At maxBytes each they take 10 MB, usually 4.
	ways    = 4
	numSets = 4096
	tagBits = 64 / ways
)

// cache holds recognized user agents. It takes no lock, because every redirect reads it. A new
// entry replaces one that was not read since the last look at its set, if there is one, so entries
// in use survive a flood of new ones.
type cache struct {
	// tags has 16 bits of the hash of each entry of a set. They rule out nearly all misses without
	// touching the entries, which are scattered in memory; the tags stay in the processor's caches.
	tags    [numSets]atomic.Uint64
	entries [numSets][ways]atomic.Pointer[entry]
	seed    maphash.Seed // so that nobody can target a set
}

type entry struct {
	line  string
	is    Families
	asked atomic.Bool
}

func newCache() *cache { return &cache{seed: maphash.MakeSeed()} }

func (c *cache) get(line []byte) (f Families, ok bool) {
	hash := maphash.Bytes(c.seed, line)
	set := hash % numSets
	tags := c.tags[set].Load()
	for i := range ways {
		if tagOf(tags, i) != tagOf(hash, ways-1) {
			continue
		}
		if e := c.entries[set][i].Load(); e != nil && e.line == string(line) {
			if !e.asked.Load() { // shared by all cores, so written seldom
				e.asked.Store(true)
			}
			return e.is, true
		}
	}
	return Families{}, false
}

// put may lose an entry that another goroutine puts into the same set at the same time.
func (c *cache) put(line string, f Families) {
	hash := maphash.String(c.seed, line)
	set := hash % numSets
	entries := &c.entries[set]
	place := 0
	for i := range entries {
		e := entries[i].Load()
		if e == nil || e.line == line {
			place = i
			break
		}
		if !e.asked.Swap(false) {
			place = i
		}
	}
	entries[place].Store(&entry{line: line, is: f})
	tags := c.tags[set].Load()
	c.tags[set].Store(tags ^ uint64(tagOf(tags, place)^tagOf(hash, ways-1))<<(tagBits*place))
}

// tagOf returns the tag at a place. A hash's own tag is at the last one, whose bits do not select
// the set.
func tagOf(tags uint64, place int) uint16 { return uint16(tags >> (tagBits * place)) }
