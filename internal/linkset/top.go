package linkset

import (
	"math"
	"math/bits"
	"slices"
)

// Ranked is a link and what a list is sorted by.
type Ranked struct{ ID, Key int64 }

// Before reports whether a link comes before another one: the larger key first, and of equals the
// larger ID.
func (r Ranked) Before(s Ranked) bool { return r.Key > s.Key || r.Key == s.Key && r.ID > s.ID }

// Top keeps those of many links that come first in a list, so many at most.
type Top struct {
	Most  int
	links []Ranked // up to twice as many
	last  Ranked   // nothing behind it is among the first, once there are as many
	full  bool
}

// wants reports whether a link may be among the first.
func (t *Top) wants(r Ranked) bool { return !t.full || r.Before(t.last) }

// Add adds a link that was not added before.
func (t *Top) Add(r Ranked) {
	if !t.wants(r) {
		return
	}
	if t.links = append(t.links, r); len(t.links) == 2*t.Most {
		t.last, t.full = t.Sorted()[t.Most-1], true
	}
}

// FullBefore reports whether nothing with a key, or behind that, is among the first.
func (t *Top) FullBefore(key int64) bool {
	return len(t.links) >= t.Most && t.Sorted()[t.Most-1].Key > key
}

// Sorted returns them in the order of the list.
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

// Totals calls f for links with clicks: with how many some have whose IDs follow each other, from a
// first one on. Those with the largest IDs come first. The IDs of a word are in one call.
type Totals func(f func(first int64, clicks []int64)) error

// MostClicked returns those links of a set that come next after one in a list by clicks, so many at
// most.
func (s Set) MostClicked(after Ranked, most int, totals Totals) ([]Ranked, error) {
	top := Top{Most: most}
	add := func(from int64, clicks []int64) { // downwards, so that of equals the first are added
		i := s.find(from)
		for _, w := range slices.Backward(s[i:]) {
			r := Ranked{ID: w.At<<wordBits + wordSize - 1}
			for rest := w.Bits; rest != 0; rest, r.ID = rest<<1, r.ID-1 {
				skip := bits.LeadingZeros64(rest)
				if rest, r.ID = rest<<skip, r.ID-int64(skip); clicks != nil {
					r.Key = clicks[r.ID-from]
				}
				if top.wants(r) && after.Before(r) {
					top.Add(r)
				}
			}
		}
		s = s[:i]
	}
	err := totals(func(first int64, clicks []int64) {
		add(first+int64(len(clicks)), nil) // those between have none
		add(first, clicks)
	})
	add(math.MinInt64, nil)
	return top.Sorted(), err
}
