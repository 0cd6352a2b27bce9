package clickblock

import (
	"cmp"
	"slices"

	"terse"
	"terse/internal/click/referrer"
)

// derivation computes the values of a dimension that is not stored from the values of another.
type derivation struct {
	of, from terse.Dimension
	value    func(string) string
}

var derived = []derivation{{terse.ByReferrerHost, terse.ByReferrer, referrer.Host}}

// Stored lists the dimensions that clicks are stored and counted by, in the order of their IDs.
var Stored = func() (all []terse.Dimension) {
	for d := range terse.NumDimensions {
		if _, derived := d.From(); !derived {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b terse.Dimension) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}()

// Derive sets the values of a click that are derived from others.
func Derive(values *terse.Values) {
	for _, d := range derived {
		values[d.of] = d.value(values.Of(d.from))
	}
}

// letsOf returns which values of a stored dimension a filter lets through, considering the
// dimension and those derived from it. nil lets every value through.
func letsOf(d terse.Dimension, filter *terse.ClickFilter) func(packed []byte) bool {
	var lets []func(value string) bool // all must return true
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

// NamesOther reports whether a filter by a stored dimension, or by one that is derived from it,
// names terse.OtherValue.
func NamesOther(d terse.Dimension, filter *terse.ClickFilter) bool {
	names := func(of terse.Dimension) bool {
		f := &filter[of]
		return slices.Contains(f.Only, terse.OtherValue) || slices.Contains(f.Not, terse.OtherValue)
	}
	return names(d) || slices.ContainsFunc(derived, func(other derivation) bool {
		return other.from == d && names(other.of)
	})
}

// maxRemembered bounds the results that remember keeps, in bytes: each takes about 50 beside its
// value.
const maxRemembered = 2 << 20

// remember returns a function that caches the results of f: block after block has the same values.
func remember[T any](f func(packed []byte) T) func(packed []byte) T {
	results, bytes := map[string]T{}, 0
	return func(packed []byte) T {
		v, known := results[string(packed)]
		if !known {
			if bytes += len(packed) + 50; bytes > maxRemembered {
				clear(results)
				bytes = 0
			}
			v = f(packed)
			results[string(packed)] = v
		}
		return v
	}
}
