package clickquery

import (
	"testing"

	"terse/api"
)

// An API that lacks a dimension, or has one that nobody counts, stops the program when it starts.
func TestDimensionsOfDomainAndAPIAgree(t *testing.T) {
	t.Parallel()
	names := api.Dimensions()
	dimensionsByName(names)
	for _, wrong := range [][]string{nil, names[:1], {names[1], names[0]}, append(names, "more")} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q are taken for the domain's dimensions", wrong)
				}
			}()
			dimensionsByName(wrong)
		}()
	}
}
