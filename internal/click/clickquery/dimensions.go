package clickquery

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"terse"
	"terse/api"
)

// Bounds of a question about clicks.
const (
	maxFilterValues = 100
	maxValues       = 1000 // highest limit of each map, and the limit for strangers
	// defaultValues bounds each map for owners who set no limit: the names alone may be megabytes.
	defaultValues = 100_000
)

// byName maps names in the API to dimensions.
var byName = dimensionsByName(api.Dimensions())

// dimensionsByName panics unless the API names all dimensions, in the same order.
func dimensionsByName(names []string) map[string]terse.Dimension {
	all := map[string]terse.Dimension{}
	for d := range terse.NumDimensions {
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

// Breakdown says which maps an answer includes.
type Breakdown struct {
	by    [terse.NumDimensions]bool
	limit int // values of a map; the rest count as other
	// visitors asks for the number of visitors, visitorsBy also for visitors by value.
	visitors, visitorsBy bool
	people               bool // also count clicks by people
}

// Usual is the Breakdown of a question that names no dimensions.
var Usual = func() (b Breakdown) {
	for d := range terse.NumDimensions {
		b.by[d] = !d.Unasked()
	}
	b.limit = defaultValues
	return b
}()

// Readers is a group of people who may read the clicks of a link.
type Readers struct {
	names []string // of the dimensions that they may ask for
	usual Breakdown
}

// Owners may read everything.
var Owners = Readers{api.Dimensions(), Usual}

// Strangers read a shared page. They see the hosts of referrers instead of whole URLs, and no
// aliases: both may reveal more than was meant to be shared.
var Strangers = func() Readers {
	r := Readers{slices.Clone(Owners.names), Usual}
	r.names = slices.DeleteFunc(r.names, func(name string) bool {
		return name == terse.ByReferrer.String() || name == terse.ByAlias.String()
	})
	r.usual.by[terse.ByReferrer], r.usual.by[terse.ByReferrerHost] = false, true
	r.usual.limit = maxValues
	return r
}()

// parseBreakdown parses which maps a query asks for.
func (who Readers) parseBreakdown(values url.Values) (Breakdown, error) {
	b := who.usual
	if names := strings.Join(nonEmpty(values["by"]), ","); names != "" {
		b.by = [terse.NumDimensions]bool{}
		for name := range strings.SplitSeq(names, ",") {
			if !slices.Contains(who.names, name) {
				return b, terse.Invalidf("by",
					"by must be names of dimensions separated by commas: %s",
					strings.Join(who.names, ", "))
			}
			b.by[byName[name]] = true
		}
	}
	if text := values.Get("limit"); text != "" {
		var err error
		if b.limit, err = strconv.Atoi(text); err != nil || b.limit < 1 || b.limit > maxValues {
			return b, terse.Invalidf("limit", "limit must be 1 to %d", maxValues)
		}
	}
	if asked := nonEmpty(values["visitors"]); len(asked) > 0 {
		if asked[0] != "true" && asked[0] != "false" && asked[0] != "by" {
			return b, terse.Invalidf("visitors", "visitors must be true, false or by")
		}
		b.visitors, b.visitorsBy = asked[0] != "false", asked[0] == "by"
	}
	var err error
	b.people, err = terse.ParsePeople(values["people"])
	return b, err
}

func nonEmpty(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" })
}

// parseFilter parses which clicks a query asks for.
func (who Readers) parseFilter(values url.Values) (filter terse.ClickFilter, err error) {
	n := 0
	for d := range terse.NumDimensions {
		f := &filter[d]
		if f.Only, err = who.parseValues(values, d, d.String()); err != nil {
			return filter, err
		}
		if f.Not, err = who.parseValues(values, d, "not_"+d.String()); err != nil {
			return filter, err
		}
		n += len(f.Only) + len(f.Not)
	}
	if n > maxFilterValues {
		return filter, terse.Invalidf("", "at most %d filter values", maxFilterValues)
	}
	return filter, nil
}

// parseValues returns the values of the parameter name, which filters by dimension d.
func (who Readers) parseValues(values url.Values, d terse.Dimension, name string) (
	named []string, err error,
) {
	for _, value := range nonEmpty(values[name]) {
		if !slices.Contains(who.names, d.String()) {
			return nil, terse.Invalidf(name, "%s is not known here", name)
		}
		if value, err = d.ParseFilter(name, value); err != nil {
			return nil, err
		}
		named = append(named, value)
	}
	return named, nil
}

// Limit returns the highest number of values in each map of the answer.
func (b Breakdown) Limit() int { return b.limit }

// Excluded returns the dimensions for which the answer has no map.
func (b Breakdown) Excluded() (without [terse.NumDimensions]bool) {
	for d, asked := range b.by {
		without[d] = !asked
	}
	return without
}

// Counts returns the maps of an answer.
func (b Breakdown) Counts(series terse.Series) api.Counts {
	by, visitors := series.By, series.VisitorsBy
	for d := range by {
		if !b.by[d] {
			by[d] = nil
		}
		if !b.by[d] || !b.visitorsBy {
			visitors[d] = nil
		}
	}
	boundNames(&by, &visitors)
	return api.NewCounts(func(name string) (map[string]int64, map[string]int64) {
		return by[byName[name]], visitors[byName[name]]
	})
}

// maxNames bounds the names in an answer, in bytes: visitors can invent them, up to 10,000 a day in
// each dimension.
const maxNames = 8 << 20

// boundNames moves the values with the fewest clicks, across all maps, to other until the remaining
// names are within maxNames. Visitors move with them: their maps have the same names, which count
// once.
func boundNames(by, visitors *[terse.NumDimensions]map[string]int64) {
	type named struct {
		of     terse.Dimension
		value  string
		clicks int64
	}
	bytes, values := 0, 0
	for _, counts := range by {
		values += len(counts)
		for value := range counts {
			bytes += len(value)
		}
	}
	if bytes <= maxNames {
		return
	}
	all := make([]named, 0, values)
	for d, counts := range by {
		for value, n := range counts {
			if value != terse.OtherValue {
				all = append(all, named{terse.Dimension(d), value, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b named) int { // the first to go
		return cmp.Or(cmp.Compare(a.clicks, b.clicks), cmp.Compare(b.value, a.value),
			cmp.Compare(b.of, a.of))
	})
	for _, n := range all {
		if bytes <= maxNames {
			return
		}
		if _, has := by[n.of][terse.OtherValue]; !has {
			bytes += len(terse.OtherValue)
		}
		bytes -= len(n.value)
		delete(by[n.of], n.value)
		by[n.of][terse.OtherValue] += n.clicks
		if of := visitors[n.of]; of != nil {
			of[terse.OtherValue] += of[n.value]
			delete(of, n.value)
		}
	}
}
