package terse

// Event is all clicks of a link at one instant that have the same value for each dimension: nearly
// always one.
type Event struct {
	Link   LinkRef
	Time   int64 // microseconds since 1970
	Values Values
	Count  int64
}

// EventQuery asks for a page of single clicks, newest first. Clicks of one instant are ordered by
// link, oldest link first, then by content.
type EventQuery struct {
	Range  TimeRange
	Filter ClickFilter
	// For AllLinks only: clicks of the owner's links, or of some of them.
	Owner string
	Some  SomeLinks
	After *EventMark // end of the previous page; nil: the first page
	Limit int
}

// EventMark is a position among clicks, newest first. It stays valid while clicks are added and
// moved.
type EventMark struct {
	Time int64 // clicks with a later time are before the mark
	// Link and Hash belong to the last event before the mark: events of one time are ordered by
	// link, then by a hash of their values. Rank is how many events of that time, link and hash are
	// before the mark, whether or not they match the query: 1, unless values have the same hash.
	Link LinkID
	Hash uint64
	Rank int64
}

// EventPage is the answer to an EventQuery. It is the last page if Next is nil. Otherwise it may
// have fewer events than Limit, or none, because a page examines a bounded number of clicks.
type EventPage struct {
	Events []Event
	Next   *EventMark
}
