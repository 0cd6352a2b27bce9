package terse

import (
	"slices"
	"time"
)

// SeriesQuery says which clicks of a link to count, and how to divide time.
type SeriesQuery struct {
	Range     TimeRange
	Intervals Intervals
	Filter    ClickFilter
	// Without marks dimensions that the caller does not need: the answer's counts for them are
	// undefined.
	Without [NumDimensions]bool
	// Limit is how many values of each dimension the answer has, not counting OtherValue; 0: all.
	// It keeps the values with the most clicks, or with VisitorsBy the most visitors, then clicks;
	// among equals, those whose bytes come first. The others are summed under OtherValue.
	Limit int
	// VisitorsBy also asks for the visitors by value.
	VisitorsBy bool
	// People also asks for people's clicks, and ranks Top by them.
	People bool

	// For AllLinks only. Where Some selects all, clicks count that belonged to a link of Owner when
	// they were counted. Otherwise only clicks of existing links that it selects count, without
	// cleared ones. Top is how many of the Owner's links the answer may rank.
	Owner string
	Some  SomeLinks
	Top   int
}

// SomeLinks selects links by what they have. The zero SomeLinks selects all.
type SomeLinks struct {
	Tags   []string // the link has all of these, compared by FoldTag
	Domain *Domain  // nil: any
}

// All reports whether all links are selected.
func (s *SomeLinks) All() bool { return len(s.Tags) == 0 && s.Domain == nil }

// Filtered reports whether the answer needs single clicks.
func (q *SeriesQuery) Filtered() bool { return !q.Some.All() || !q.Filter.All() }

// ParsePeople parses the parameter that asks for people's clicks. The first value that is not empty
// counts; without one the result is false.
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
	People int64 // of Clicks; for a SeriesQuery, only if it asks for them
	// Last is the time of the last click, UTC, in microseconds; with TRACKING=off, the start of its
	// day. Zero without clicks, and for a SeriesQuery.
	Last time.Time
}

// ClickFilter selects clicks that pass the filters of all dimensions. The zero ClickFilter passes
// all.
type ClickFilter [NumDimensions]ValueFilter

// ValueFilter selects clicks by their value of a dimension.
type ValueFilter struct {
	Only []string // if not empty, one of these
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

// Lets reports whether clicks with this value of a dimension pass.
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

	// Visitors is how many clicks were their visitor's first on a link and UTC day.
	Visitors           int64
	VisitorsByInterval map[int64]int64 // without intervals that have none
	// VisitorsBy are the visitors by a dimension's value, if the query asks for them, with the same
	// values as By. Every map adds up to Visitors.
	VisitorsBy [NumDimensions]map[string]int64

	// People is how many clicks were not a bot's, if the query asks for them.
	People           int64
	PeopleByInterval map[int64]int64 // without intervals that have none

	// Top are the existing links with the most clicks, or people's clicks, counted here and not
	// cleared; among equals, newest first. It is empty for all time without filters: a list of
	// links answers that.
	Top []LinkClicks

	// First and Last bound the range that was counted. It differs from the query's where single
	// clicks were dropped.
	First, Last int64
}

// NewSeries returns a Series without clicks.
func NewSeries() Series {
	s := Series{ByInterval: map[int64]int64{}, VisitorsByInterval: map[int64]int64{}}
	for d := range s.By {
		s.By[d] = map[string]int64{}
	}
	return s
}
