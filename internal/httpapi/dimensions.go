package httpapi

import (
	"fmt"

	"terse"
	"terse/api"
)

// byName are the dimensions by their names in the API.
var byName = dimensionsByName(api.Dimensions())

// dimensionsByName panics unless the API names each dimension, in the same order.
func dimensionsByName(names []string) map[string]terse.Dimension {
	all := map[string]terse.Dimension{}
	for d := range terse.NumDimensions {
		if d.Unasked() {
			continue
		}
		if int(d) >= len(names) || names[d] != d.String() {
			panic(fmt.Sprintf("the API's dimensions %q have no %s at %d", names, d, d))
		}
		all[d.String()] = d
	}
	if len(names) != len(all) {
		panic(fmt.Sprintf("the API's dimensions %q are more than the domain's", names))
	}
	return all
}

func counts(series terse.Series) api.Counts {
	return api.NewCounts(func(name string) map[string]int64 { return series.By[byName[name]] })
}
