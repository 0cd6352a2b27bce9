package terse

// Event is a single click, with the value of each dimension.
type Event struct {
	Link   LinkRef
	Time   int64 // microseconds since 1970
	Values Values
}

// EventQuery asks for a page of single clicks, the newest first. Those of one instant are in the
// order of their links, the older first, then of their content.
type EventQuery struct {
	Range  TimeRange
	Filter ClickFilter
	// Of AllLinks only: clicks of links of the owner that have all of the tags.
	Owner string
	Tags  []string
	After *EventMark // where the page before ended; nil: the first page
	Limit int
}

// EventMark is a place among clicks, from the newest to the oldest. It stays where it is while
// clicks are added and moved.
type EventMark struct {
	Time int64 // later clicks are before the mark
	// Link and Hash are those of the last click before the mark: clicks of one time are ordered by
	// link, then by a hash of their values. Rank is how many of the same time, link and hash are
	// before the mark, whether or not they were asked for.
	Link LinkID
	Hash uint64
	Rank int64
}

// EventPage is the answer to an EventQuery. Without Next it is the last one; with it there may be
// fewer events than Limit, or none, because looking for them takes long.
type EventPage struct {
	Events []Event
	Next   *EventMark
}
