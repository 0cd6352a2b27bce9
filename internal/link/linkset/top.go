package linkset

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Ranked is a link and its sort key in a list.
type Ranked struct{ ID, Key int64 }

// Before reports whether a link comes before another: the larger key first, and of equal keys the
// larger ID.
func (r Ranked) Before(s Ranked) bool { return r.Key > s.Key || r.Key == s.Key && r.ID > s.ID }

// Top keeps the first Most links of a list, out of any number that are added.
type Top struct {
	Most  int
	links []Ranked // up to twice Most
	last  Ranked   // if full: no link after it is among the first
	full  bool
}

// wants reports whether a link may be among the first Most.
func (t *Top) wants(r Ranked) bool { return !t.full || r.Before(t.last) }

// Add adds a link. A link must not be added twice.
func (t *Top) Add(r Ranked) {
	if !t.wants(r) {
		return
	}
	if t.links = append(t.links, r); len(t.links) == 2*t.Most {
		t.last, t.full = t.Sorted()[t.Most-1], true
	}
}

// FullBefore reports whether Most links have a larger key, so that no link with this key is among
// them.
func (t *Top) FullBefore(key int64) bool {
	return len(t.links) >= t.Most && t.Sorted()[t.Most-1].Key > key
}

// Sorted returns the first Most links in the order of the list.
func (t *Top) Sorted() []Ranked {
	slices.SortFunc(t.links, func(r, s Ranked) int {
		if r.Before(s) {
			return -1
		}
		return 1
	})
	t.links = t.links[:min(t.Most, len(t.links))]
	return t.links
}

// Totals calls f with the clicks of consecutive links, beginning with the ID first. Calls descend
// by ID, and all IDs of a word are in one call. Links without clicks may be left out.
type Totals func(f func(first int64, clicks []int64)) error

// MostClicked is some of the links with the most clicks: of those with equal clicks all or none.
type MostClicked struct {
	Links  []Ranked // by clicks
	Equal  Set      // more links, all with Clicks, which is less than those of Links
	Clicks int64
	Bound  Set // links with as many clicks as the bound
}

// MostClicked returns links of the set with fewer clicks than a bound: those with the most clicks,
// fewer than most, and all that have as many clicks as the next one. If Equal is empty there are no
// others.
func (s Set) MostClicked(bound int64, most int, totals Totals) (MostClicked, error) {
	c := clicked{most: most, below: -1}
	add := func(from int64, clicks []int64) {
		i := s.find(from)
		for _, w := range slices.Backward(s[i:]) {
			switch {
			case clicks != nil:
				c.addWord(w, bound, clicks[w.At<<wordBits-from:])
			case bound == 0:
				c.atBound = append(c.atBound, w)
			case c.below == 0:
				c.equal = append(c.equal, w)
			case c.below < 0:
				c.addWord(w, bound, none[:])
			}
		}
		s = s[:i]
	}
	err := totals(func(first int64, clicks []int64) {
		add(first+int64(len(clicks)), nil) // links in between have no clicks
		add(first, clicks)
	})
	add(math.MinInt64, nil)
	if len(c.links) >= most {
		c.cut()
	}
	slices.SortFunc(c.links, byClicks)
	slices.Reverse(c.equal)
	slices.Reverse(c.atBound)
	return MostClicked{c.links, c.equal, max(c.below, 0), c.atBound}, err
}

// none is the clicks of a word's links that have none.
var none [wordSize]int64

// clicked finds the links with the most clicks among links that come in descending order.
type clicked struct {
	most           int
	below          int64    // links has all links with more clicks; -1: all links
	links          []Ranked // up to twice most, and a word's
	equal, atBound Set      // descending
}

// addWord adds the links of a word, with their clicks. Most links have too few. Comparing all of
// them without branches takes a third of the time.
func (c *clicked) addWord(w Word, bound int64, clicks []int64) {
	below := c.below
	var more, equal, atBound uint64
	for i, n := range clicks[:wordSize] {
		more |= (one(n > below) & one(n < bound)) << i
		equal |= (one(n == below) & one(n < bound)) << i
		atBound |= one(n == bound) << i
	}
	more, equal, atBound = more&w.Bits, equal&w.Bits, atBound&w.Bits
	for more != 0 {
		i := bits.Len64(more) - 1
		more &^= 1 << i
		c.links = append(c.links, Ranked{w.At<<wordBits + int64(i), clicks[i]})
	}
	if equal != 0 {
		c.equal = append(c.equal, Word{w.At, equal})
	}
	if atBound != 0 {
		c.atBound = append(c.atBound, Word{w.At, atBound})
	}
	if len(c.links) >= 2*c.most {
		c.cut()
	}
}

func one(is bool) (n uint64) {
	if is {
		n = 1
	}
	return n
}

// cut keeps fewer than most links, and those with as many clicks as the next one.
func (c *clicked) cut() {
	slices.SortFunc(c.links, byClicks)
	c.below, c.equal = c.links[c.most-1].Key, nil
	kept := c.links[:0]
	for _, r := range c.links {
		at, bit := r.ID>>wordBits, uint64(1)<<(r.ID&(wordSize-1))
		switch n := len(c.equal); {
		case r.Key > c.below:
			kept = append(kept, r)
		case r.Key < c.below:
		case n > 0 && c.equal[n-1].At == at:
			c.equal[n-1].Bits |= bit
		default:
			c.equal = append(c.equal, Word{at, bit})
		}
	}
	c.links = kept
}

// byClicks sorts by clicks, then by ID, both descending.
func byClicks(r, s Ranked) int { return cmp.Or(cmp.Compare(s.Key, r.Key), cmp.Compare(s.ID, r.ID)) }
