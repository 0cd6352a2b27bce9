package useragent

import (
	"hash/maphash"
	"sync/atomic"
)

const (
	// ways is how many places a user agent may have, ways*sets how many are remembered: more than
	// a busy site sees in a day. At maxBytes each they take 10 MB, usually 4.
	ways = 4
	sets = 4096
)

// cache remembers what user agents are. Every redirect asks it, so it takes no lock. A new one
// replaces one that nobody asked for since the last look at its set, if there is one: those in use
// outlast a flood of new ones.
type cache struct {
	seed maphash.Seed // nobody can aim at a set
	sets [sets][ways]atomic.Pointer[entry]
}

type entry struct {
	line  string
	is    Families
	asked atomic.Bool
}

func newCache() *cache { return &cache{seed: maphash.MakeSeed()} }

func (c *cache) get(line []byte) (f Families, ok bool) {
	set := &c.sets[maphash.Bytes(c.seed, line)%sets]
	for i := range set {
		if e := set[i].Load(); e != nil && e.line == string(line) {
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
	set := &c.sets[maphash.String(c.seed, line)%sets]
	place := 0
	for i := range set {
		e := set[i].Load()
		if e == nil || e.line == line {
			place = i
			break
		}
		if !e.asked.Swap(false) {
			place = i
		}
	}
	set[place].Store(&entry{line: line, is: f})
}
