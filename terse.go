// Package terse is the domain of a URL shortener: short codes, links, clicks,
// time ranges, statistics, their rules, and what a store of them promises.
//
// It imports the standard library only, knows nothing of HTTP, SQL or files, and
// reads no environment. Rules come from the interface contract; where one does,
// the comment names its section.
package terse

import (
	"cmp"
	"math"
	"time"
)

// Identity is the one identity that every valid token maps to
// (contract: Authentication).
const Identity = "authenticated-user"

// LinkID identifies a link for ever: IDs are positive, grow, and are never used
// again, so that a code that is deleted and chosen again never inherits clicks.
type LinkID int64

// Link is a short code and where it leads.
type Link struct {
	ID        LinkID
	Code      Code
	URL       URL       // where the redirect leads, verbatim as submitted
	CreatedAt time.Time // UTC, microseconds
	CreatedBy string    // for example Identity
	// UpdatedAt is when the link was last changed, UTC, microseconds; zero: never. It grows with
	// each change, so that it tells one version of the link from another.
	UpdatedAt time.Time
	Options   EncodedOptions
	Clicks    int64 // all clicks counted so far; filled in by Links.Links only
	People    int64 // of Clicks, those that are not a bot's, if the LinkQuery asks for them
	Used      int64 // how many of its MaxClicks are taken
}

// Ref returns what identifies the link.
func (l Link) Ref() LinkRef { return LinkRef{l.ID, l.Code} }

// LinkRef identifies a link. Both must match: a code that was deleted and chosen again has
// another ID, and after a restored backup an ID may have another code.
type LinkRef struct {
	ID   LinkID
	Code Code
}

// Compare is an order of links: that in which those who change several lock them.
func (r LinkRef) Compare(s LinkRef) int {
	if r.Code == s.Code {
		return cmp.Compare(r.ID, s.ID)
	}
	hi, lo := r.Code.Pack()
	otherHi, otherLo := s.Code.Pack()
	return cmp.Or(cmp.Compare(hi, otherHi), cmp.Compare(lo, otherLo))
}

// AllLinks stands for all links of an owner where clicks are counted. No link has its ID.
var AllLinks = LinkRef{}

// LinkOrder is what a list of links is sorted by.
type LinkOrder uint8

// The orders. Links that are equal in them are in the order of their IDs, in the same direction.
const (
	NewestFirst LinkOrder = iota
	OldestFirst
	MostClickedFirst
)

// LinkQuery asks for a page of an owner's links.
type LinkQuery struct {
	Owner  string
	Order  LinkOrder
	Search Search // which links are listed; nil: all
	Filter LinkFilter
	// Within is the range whose clicks count for MostClickedFirst; the zero range: all time. Those
	// that were cleared do not.
	Within TimeRange
	People bool      // asks for the clicks of people, and has MostClickedFirst go by them
	After  *LinkMark // where the page before ended; nil: the first page
	Limit  int       // of links on the page
	Offset int       // of links to skip, when Order is by time and there is no Search
}

// Costly reports whether the page takes long to find: a search reads many links, and an order by
// clicks may read the clicks of all. Stores keep connections that such pages, and questions about
// clicks, do not get.
func (q *LinkQuery) Costly() bool { return q.Search != nil || q.Order == MostClickedFirst }

// LinkFilter says which links are listed. The zero LinkFilter lets all through.
type LinkFilter struct {
	Tags   []string // the link has all of them, as FoldTag compares
	Status Status   // at Now; "": any
	Now    time.Time
	// CreatedAfter and CreatedBefore bound CreatedAt to the microsecond, both inclusive; zero:
	// unbounded.
	CreatedAfter, CreatedBefore time.Time
}

// IsZero reports whether the filter lets all links through.
func (f LinkFilter) IsZero() bool {
	return len(f.Tags) == 0 && f.Status == "" && f.CreatedAfter.IsZero() && f.CreatedBefore.IsZero()
}

// Made returns the first and the last microsecond since 1970 that links may have been made in.
func (f LinkFilter) Made() (first, last int64) {
	first, last = math.MinInt64, math.MaxInt64
	if !f.CreatedAfter.IsZero() {
		first = f.CreatedAfter.UnixMicro()
	}
	if !f.CreatedBefore.IsZero() {
		last = f.CreatedBefore.UnixMicro()
	}
	return first, last
}

// LinkMark is a place in a sorted list.
type LinkMark struct {
	Key   int64 // what the link before it is sorted by: microseconds since 1970, or clicks
	ID    LinkID
	Found int64 // links on the pages before, when there is a Search
}

// LinkPage is the answer to a LinkQuery.
type LinkPage struct {
	Links []Link
	Total int64 // of the owner's links; with a Search, of those that it finds
	// AtLeast is true when a Search stopped at its bound: there may be more than Total.
	AtLeast bool
	Next    *LinkMark // nil: there are no more
}
