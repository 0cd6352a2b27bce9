package terse

import "slices"

// SeriesQuery says which clicks of a link are counted, and how time is divided.
type SeriesQuery struct {
	Range     TimeRange
	Intervals Intervals
	Filter    ClickFilter
	// Without are dimensions that are not asked for: what the answer has by them means nothing.
	Without [NumDimensions]bool
}

// ClickFilter says which clicks are counted: those that the filters of all dimensions let through.
// The zero ClickFilter lets all through.
type ClickFilter [NumDimensions]ValueFilter

// ValueFilter lets clicks through by their value of a dimension.
type ValueFilter struct {
	Only []string // one of these, unless there are none
	Not  []string // none of these
}

// All reports whether the filter lets all clicks through.
func (f *ValueFilter) All() bool { return len(f.Only)+len(f.Not) == 0 }

// Lets reports whether the filter lets clicks with a value of a dimension through.
func (f *ValueFilter) Lets(d Dimension, value string) bool {
	same := func(named string) bool { return d.same(named, value) }
	return (len(f.Only) == 0 || slices.ContainsFunc(f.Only, same)) &&
		!slices.ContainsFunc(f.Not, same)
}

// Series are exact counts of clicks over time. Every map adds up to Total.
type Series struct {
	Total      int64
	By         [NumDimensions]map[string]int64 // by a dimension's value
	ByInterval map[int64]int64                 // by an interval's first microsecond since 1970

	// Visitors is how many of the clicks were the first of their visitor on the link and UTC day.
	Visitors           int64
	VisitorsByInterval map[int64]int64 // without intervals that have none
}

// NewSeries returns counts of nothing.
func NewSeries() Series {
	s := Series{ByInterval: map[int64]int64{}, VisitorsByInterval: map[int64]int64{}}
	for d := range s.By {
		s.By[d] = map[string]int64{}
	}
	return s
}
