package useragent

import (
	"hash/maphash"
	"sync/atomic"
)

const (
	// ways is how many places a user agent may have, ways*numSets how many are remembered: more
	// than a busy site sees in a day. At maxBytes each they take 10 MB, usually 4.
	ways    = 4
	numSets = 4096
)

// cache remembers what user agents are. Every redirect asks it, so it takes no lock. A new one
// replaces one that nobody asked for since the last look at its set, if there is one: those in use
// outlast a flood of new ones.
type cache struct {
	sets [numSets]set // first: each is a cache line
	seed maphash.Seed // nobody can aim at a set
}

// set has the hashes beside the entries. Most that are not there are told by them, without a look
// at the entries, which lie anywhere.
type set struct {
	hashes  [ways]atomic.Uint64
	entries [ways]atomic.Pointer[entry]
}

type entry struct {
	line  string
	is    Families
	asked atomic.Bool
}

func newCache() *cache { return &cache{seed: maphash.MakeSeed()} }

func (c *cache) get(line []byte) (f Families, ok bool) {
	hash := maphash.Bytes(c.seed, line)
	set := &c.sets[hash%numSets]
	for i := range set.hashes {
		if set.hashes[i].Load() != hash {
			continue
		}
		if e := set.entries[i].Load(); e != nil && e.line == string(line) {
			if !e.asked.Load() { // all cores read it: it is written seldom
				e.asked.Store(true)
			}
			return e.is, true
		}
	}
	return Families{}, false
}

// put may lose what another puts into the same set at the same time.
func (c *cache) put(line string, f Families) {
	hash := maphash.String(c.seed, line)
	set := &c.sets[hash%numSets]
	place := 0
	for i := range set.entries {
		e := set.entries[i].Load()
		if e == nil || e.line == line {
			place = i
			break
		}
		if !e.asked.Swap(false) {
			place = i
		}
	}
	set.entries[place].Store(&entry{line: line, is: f})
	set.hashes[place].Store(hash)
}
