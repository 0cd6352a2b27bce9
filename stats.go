package terse

// SeriesQuery says which clicks of a link are counted, and how time is divided.
type SeriesQuery struct {
	Range     TimeRange
	Intervals Intervals
	Filter    ClickFilter
}

// ClickFilter says which clicks are counted: those that the filters of all dimensions let through.
// The zero ClickFilter lets all through.
type ClickFilter [NumDimensions]ValueFilter

// ValueFilter lets clicks through by their value of a dimension.
type ValueFilter struct {
	Only []string // one of these, unless there are none
	Not  []string // none of these
}

// Series are exact counts of clicks over time. Every map adds up to Total.
type Series struct {
	Total      int64
	By         [NumDimensions]map[string]int64 // by a dimension's value
	ByInterval map[int64]int64                 // by an interval's first microsecond since 1970
}

// NewSeries returns counts of nothing.
func NewSeries() Series {
	s := Series{ByInterval: map[int64]int64{}}
	for d := range s.By {
		s.By[d] = map[string]int64{}
	}
	return s
}
