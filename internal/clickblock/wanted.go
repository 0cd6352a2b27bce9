package clickblock

import (
	"terse"
	"terse/internal/referrer"
)

// derive has how the values of dimensions that are not stored come from those of another.
var derive = map[terse.Dimension]func(value string) string{
	terse.ByReferrerHost: referrer.Host,
}

// Derive sets the values of a click that are not stored.
func Derive(values *terse.Values) {
	for d, value := range derive {
		from, _ := d.From()
		values[d] = value(values.Of(from))
	}
}

// skipped returns the dimensions that need not be counted for an answer without some.
func skipped(without *[terse.NumDimensions]bool) [terse.NumDimensions]bool {
	skipped := *without
	for d := range derive {
		from, _ := d.From()
		skipped[from] = skipped[from] && without[d]
		skipped[d] = true // its counts come from those of the other
	}
	return skipped
}

// wanted says which values of a dimension are counted.
type wanted struct {
	of    terse.Dimension
	lets  []func(value string) bool // all have to
	known map[string]bool           // what they said, by packed value
}

// newWanted returns what a filter lets through of a dimension that is stored, by its own values and
// by those that are derived from it.
func newWanted(d terse.Dimension, filter *terse.ClickFilter) wanted {
	w := wanted{of: d}
	if _, derived := d.From(); derived {
		return w
	}
	if own := &filter[d]; !own.All() {
		w.lets = append(w.lets, func(value string) bool { return own.Lets(d, value) })
	}
	for other, value := range derive {
		if from, _ := other.From(); from == d && !filter[other].All() {
			w.lets = append(w.lets, func(of string) bool {
				return filter[other].Lets(other, value(of))
			})
		}
	}
	if len(w.lets) > 0 {
		w.known = map[string]bool{}
	}
	return w
}

// all reports whether every value is counted.
func (w *wanted) all() bool { return len(w.lets) == 0 }

// has reports whether clicks with a packed value are counted.
func (w *wanted) has(packed []byte) bool {
	has, known := w.known[string(packed)]
	if known {
		return has
	}
	has = true
	value := unpackValue(w.of, packed)
	for _, lets := range w.lets {
		has = has && lets(value)
	}
	if len(w.known) < MaxAnswerValues {
		w.known[string(packed)] = has
	}
	return has
}
