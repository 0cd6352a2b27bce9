package clickquery

import (
	"testing"

	"terse/api"
)

// If the API lacks a dimension, or has one that is not counted, the program does not start.
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
