package clickblock

import "terse"

// selector finds the clicks of a block that are asked for.
type selector struct {
	decoder
	wanted [terse.NumDimensions]wanted
	chosen choice
}

// want has only clicks chosen that a filter lets through.
func (s *selector) want(filter *terse.ClickFilter) {
	for d := range terse.NumDimensions {
		s.wanted[d] = newWanted(d, filter)
	}
}

// filter leaves out the chosen clicks that the filters do not let through, and reports whether
// there are others.
func (s *selector) filter(b *opened) (some, ok bool) {
	for d := range terse.NumDimensions {
		if s.wanted[d].all() {
			continue
		}
		if some, ok := s.choose(d, b); !some || !ok {
			return false, ok
		}
	}
	return true, true
}

// choose is filter by one dimension.
func (s *selector) choose(d terse.Dimension, b *opened) (some, ok bool) {
	c, w, part := &s.chosen, &s.wanted[d], b.columns[d]
	if part.b == nil {
		return w.has(packedDefault), true
	}
	k, index, width, ok := part.cut(b.n)
	if !ok {
		return false, false
	}
	all, want := true, c.want[:0]
	for range k {
		has := w.has(part.value())
		all, some, want = all && has, some || has, append(want, has)
	}
	c.want = want
	if part.end(); part.bad {
		return false, false
	}
	if !some || all { // as in most blocks: the index need not be read
		return some, true
	}
	places, ok := s.placesIn(index, width, b.n, k)
	if !ok {
		return false, false
	}
	c.keep(places, want)
	return len(c.some) > 0, true
}
