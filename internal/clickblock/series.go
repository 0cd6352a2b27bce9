package clickblock

import "terse"

// Series returns the sums.
func (t *Tally) Series() terse.Series {
	t.endInterval()
	s := terse.NewSeries()
	s.Total, s.ByInterval = t.total, t.times
	s.Visitors, s.VisitorsByInterval = t.visitors, t.visits
	for d := range terse.NumDimensions {
		from, derived := d.From()
		if !derived {
			s.By[d] = make(map[string]int64, len(t.counts[d]))
			t.sumUp(s.By[d], d, func(value string) string { return value })
		} else {
			t.sumUp(s.By[d], from, derive[d])
		}
	}
	return s
}

// sumUp adds up the counts of a dimension by what f makes of its values.
func (t *Tally) sumUp(by map[string]int64, d terse.Dimension, f func(value string) string) {
	for id, n := range t.counts[d] {
		if n > 0 {
			by[f(unpackValue(d, t.tables[d].values[id].packed))] += n
		}
	}
}
