package terse

import "slices"

// SeriesQuery says which clicks of a link are counted, and how time is divided.
type SeriesQuery struct {
	Range     TimeRange
	Intervals Intervals
	Filter    ClickFilter
	// Without are dimensions that are not asked for: what the answer has by them means nothing.
	Without [NumDimensions]bool
	// Limit is how many values of each dimension the answer has, without OtherValue: those with
	// the most clicks, of equal ones those whose bytes come first. The others are in OtherValue.
	// With VisitorsBy those with the most visitors, then clicks. 0: all.
	Limit int
	// VisitorsBy asks for the visitors by value, too.
	VisitorsBy bool
	// People asks for the clicks of people, and has Top go by them.
	People bool

	// Of AllLinks only. Clicks are counted of links that were the Owner's when they were counted;
	// with Tags, of those that exist and have all of them, without what was cleared. Top is how
	// many links of the Owner the answer may have.
	Owner string
	Tags  []string
	Top   int
}

// Filtered reports whether single clicks have to be looked at.
func (q *SeriesQuery) Filtered() bool { return len(q.Tags) > 0 || !q.Filter.All() }

// ParsePeople reads a parameter that asks for the clicks of people. The first value that is not
// empty counts; without one they are not asked for.
func ParsePeople(given []string) (bool, error) {
	for _, text := range given {
		switch text {
		case "":
		case "true", "false":
			return text == "true", nil
		default:
			return false, Invalidf("people", "people must be true or false")
		}
	}
	return false, nil
}

// LinkClicks is how many clicks a link has in an answer.
type LinkClicks struct {
	LinkRef
	Clicks int64
	People int64 // of the clicks; for a SeriesQuery, if that asks for them
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
func (f *ClickFilter) All() bool {
	for d := range f {
		if !f[d].All() {
			return false
		}
	}
	return true
}

// All reports whether the filter lets all clicks through.
func (f *ValueFilter) All() bool { return len(f.Only)+len(f.Not) == 0 }

// Lets reports whether the filter lets clicks with a value of a dimension through.
func (f *ValueFilter) Lets(d Dimension, value string) bool {
	same := func(named string) bool { return d.same(named, value) }
	return (len(f.Only) == 0 || slices.ContainsFunc(f.Only, same)) &&
		!slices.ContainsFunc(f.Not, same)
}

// Series are exact counts of clicks over time. Every map that was asked for adds up to Total.
type Series struct {
	Total      int64
	By         [NumDimensions]map[string]int64 // by a dimension's value
	ByInterval map[int64]int64                 // by an interval's first microsecond since 1970

	// Visitors is how many clicks were the first of their visitor on a link and UTC day.
	Visitors           int64
	VisitorsByInterval map[int64]int64 // without intervals that have none
	// VisitorsBy are the visitors by a dimension's value, if the query asks for them: of the same
	// values as By. Every map adds up to Visitors.
	VisitorsBy [NumDimensions]map[string]int64

	// People is how many clicks were not a bot's, if the query asks for them.
	People           int64
	PeopleByInterval map[int64]int64 // without intervals that have none

	// Top are the links that exist with the most clicks, or clicks of people, that are counted here
	// and were not cleared, of equal ones the newest first. Where nothing is filtered, those of all
	// time are not there: they are a list of links.
	Top []LinkClicks

	// First and Last are those of the range that was counted, which is another than that of the
	// query where single clicks were dropped.
	First, Last int64
}

// NewSeries returns counts of nothing.
func NewSeries() Series {
	s := Series{ByInterval: map[int64]int64{}, VisitorsByInterval: map[int64]int64{}}
	for d := range s.By {
		s.By[d] = map[string]int64{}
	}
	return s
}
