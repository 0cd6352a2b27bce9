package linkset

import (
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

// MostClicked returns the first links of the set, at most most, that come after a link in a list by
// clicks.
func (s Set) MostClicked(after Ranked, most int, totals Totals) ([]Ranked, error) {
	top := Top{Most: most}
	add := func(from int64, clicks []int64) { // descending: equal links in the order of the list
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
		add(first+int64(len(clicks)), nil) // links in between have no clicks
		add(first, clicks)
	})
	add(math.MinInt64, nil)
	return top.Sorted(), err
}
