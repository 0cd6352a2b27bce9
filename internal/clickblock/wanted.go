package clickblock

import (
	"terse"
	"terse/internal/referrer"
)

// derivation says how the values of a dimension that is not stored come from those of another.
type derivation struct {
	of, from terse.Dimension
	value    func(string) string
}

var derived = []derivation{{terse.ByReferrerHost, terse.ByReferrer, referrer.Host}}

// Derive sets the values of a click that are not stored.
func Derive(values *terse.Values) {
	for _, d := range derived {
		values[d.of] = d.value(values.Of(d.from))
	}
}

// wanted says which values of a dimension are counted.
type wanted struct {
	of    terse.Dimension
	lets  []func(value string) bool // all have to
	known map[string]bool           // what they said, by packed value
	bytes int                       // of the values in known
}

// maxWanted bounds what is known of values, by their bytes.
const maxWanted = 2 << 20

// newWanted returns what a filter lets through of a dimension that is stored, by its own values and
// by those that are derived from it.
func newWanted(d terse.Dimension, filter *terse.ClickFilter) wanted {
	w := wanted{of: d, known: map[string]bool{}}
	if _, derived := d.From(); derived {
		return w
	}
	if own := &filter[d]; !own.All() {
		w.lets = append(w.lets, func(value string) bool { return own.Lets(d, value) })
	}
	for _, other := range derived {
		if own := &filter[other.of]; other.from == d && !own.All() {
			w.lets = append(w.lets, func(value string) bool {
				return own.Lets(other.of, other.value(value))
			})
		}
	}
	return w
}

// all reports whether every value is counted.
func (w *wanted) all() bool { return len(w.lets) == 0 }

// next reads a packed value, and reports whether clicks that have it are counted.
func (w *wanted) next(r *reader) bool {
	packed := r.value()
	if has, known := w.known[string(packed)]; known || r.bad {
		return has
	}
	has, value := true, unpackValue(w.of, packed)
	for _, lets := range w.lets {
		has = has && lets(value)
	}
	if w.bytes += len(packed); w.bytes > maxWanted {
		clear(w.known)
		w.bytes = 0
	}
	w.known[string(packed)] = has
	return has
}
