package clickblock

import (
	"cmp"
	"slices"

	"terse"
	"terse/internal/referrer"
)

// derivation says how the values of a dimension that is not stored follow from those of another.
type derivation struct {
	of, from terse.Dimension
	value    func(string) string
}

var derived = []derivation{{terse.ByReferrerHost, terse.ByReferrer, referrer.Host}}

// Stored are the dimensions that clicks are stored and counted by, in the order of their IDs.
var Stored = func() (all []terse.Dimension) {
	for d := range terse.NumDimensions {
		if _, derived := d.From(); !derived {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b terse.Dimension) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}()

// Derive sets the values of a click that follow from others.
func Derive(values *terse.Values) {
	for _, d := range derived {
		values[d.of] = d.value(values.Of(d.from))
	}
}

// letsOf returns which values of a stored dimension a filter lets through, by the dimension itself
// and by those that are derived from it. nil is every value.
func letsOf(d terse.Dimension, filter *terse.ClickFilter) func(packed []byte) bool {
	var lets []func(value string) bool // all have to
	if own := &filter[d]; !own.All() {
		lets = append(lets, func(value string) bool { return own.Lets(d, value) })
	}
	for _, other := range derived {
		if own := &filter[other.of]; other.from == d && !own.All() {
			lets = append(lets, func(value string) bool {
				return own.Lets(other.of, other.value(value))
			})
		}
	}
	if len(lets) == 0 {
		return nil
	}
	return remember(func(packed []byte) bool {
		value := unpackValue(d, packed)
		return !slices.ContainsFunc(lets, func(lets func(string) bool) bool { return !lets(value) })
	})
}

// maxRemembered bounds the results that remember keeps, at some 50 bytes beside each value.
const maxRemembered = 2 << 20

// remember returns a function that remembers its results: the same values come in block after
// block.
func remember[T any](f func(packed []byte) T) func(packed []byte) T {
	said, bytes := map[string]T{}, 0
	return func(packed []byte) T {
		v, known := said[string(packed)]
		if !known {
			if bytes += len(packed) + 50; bytes > maxRemembered {
				clear(said)
				bytes = 0
			}
			v = f(packed)
			said[string(packed)] = v
		}
		return v
	}
}
