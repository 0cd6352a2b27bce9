// Package terse is the domain of a URL shortener: short codes, links, clicks, time ranges and
// statistics, their rules, and the interface of a store.
//
// It imports only the standard library and knows nothing of HTTP, SQL, files or the environment.
// Where a rule comes from the interface contract, the comment names its section.
package terse

import (
	"cmp"
	"math"
	"time"
)

// Identity is the one identity that every valid token maps to (contract: Authentication).
const Identity = "authenticated-user"

// LinkID identifies a link forever. IDs are positive, grow, and are never reused, so a code that is
// deleted and reused never inherits clicks.
type LinkID int64

// Link is a short code and where it leads.
type Link struct {
	ID        LinkID
	Code      Code
	URL       URL       // where the redirect leads, verbatim as submitted
	CreatedAt time.Time // UTC, microseconds
	CreatedBy string    // for example Identity
	// UpdatedAt is when the link was last changed, UTC, microseconds; zero: never. It grows with
	// each change, so it identifies a version of the link.
	UpdatedAt time.Time
	Options   EncodedOptions
	Clicks    int64 // clicks counted so far; only Links.Links fills it in
	People    int64 // how many of Clicks are not a bot's, if the LinkQuery asks
	// PeriodClicks and PeriodPeople are Clicks and People in LinkQuery.Within, if that has clicks.
	PeriodClicks, PeriodPeople int64
	// LastClick is LinkClicks.Last. Only Clicks.Clicks knows it, and no store fills it in here.
	LastClick time.Time
	Used      int64 // how many of its MaxClicks are used
}

// Ref returns the link's identity.
func (l Link) Ref() LinkRef { return LinkRef{l.ID, l.Code} }

// LinkRef identifies a link. Both fields must match: a code that was deleted and reused has another
// ID, and after restoring a backup an ID may have another code.
type LinkRef struct {
	ID   LinkID
	Code Code
}

// Compare is the order in which callers that change several links must lock them.
func (r LinkRef) Compare(s LinkRef) int {
	if r.Code == s.Code {
		return cmp.Compare(r.ID, s.ID)
	}
	hi, lo := r.Code.Pack()
	otherHi, otherLo := s.Code.Pack()
	return cmp.Or(cmp.Compare(hi, otherHi), cmp.Compare(lo, otherLo))
}

// AllLinks stands for all of an owner's links in questions about clicks. No link has its ID.
var AllLinks = LinkRef{}

// LinkOrder is the sort order of a list of links.
type LinkOrder uint8

// The orders. Links created at the same time are sorted by ID, in the same direction.
const (
	NewestFirst LinkOrder = iota
	OldestFirst
	MostClickedFirst // links with equal clicks: NewestFirst
)

// LinkQuery asks for a page of an owner's links.
type LinkQuery struct {
	Owner  string // may be AllOwners
	Order  LinkOrder
	Search Search // links to find; nil: all
	Filter LinkFilter
	// Within is the range whose clicks count for MostClickedFirst; the zero range: all time.
	// Cleared clicks do not count.
	Within TimeRange
	People bool      // asks for people's clicks, and ranks MostClickedFirst by them
	After  *LinkMark // end of the previous page; nil: the first page
	Limit  int       // of links on the page
	Offset int       // of links to skip, when Order is by time and there is no Search
}

// Costly reports whether the page takes long to find: a search reads many links, and sorting by
// clicks, or finding unused links, may read the clicks of all. Stores reserve connections that such
// pages, and questions about clicks, must not use.
func (q *LinkQuery) Costly() bool {
	return q.Search != nil || q.Order == MostClickedFirst || q.Filter.UnusedSince != nil
}

// LinkFilter selects links. The zero LinkFilter selects all.
type LinkFilter struct {
	Tags   []string // the link has all of these, compared by FoldTag
	Status Status   // at Now; "": any
	Now    time.Time
	// CreatedAfter and CreatedBefore bound CreatedAt to the microsecond, both inclusive; zero:
	// unbounded.
	CreatedAfter, CreatedBefore time.Time
	Addresses                   []string // keys; the link is at all of these, as redirects find it
	Archived                    *bool    // whether the link is archived; nil: any
	Domain                      *Domain  // of the link; nil: any
	// UnusedSince: the link was created before this day, and has no click on or after it; nil: any.
	UnusedSince *Day
}

// IsZero reports whether the filter selects all links.
func (f LinkFilter) IsZero() bool {
	return len(f.Tags) == 0 && len(f.Addresses) == 0 && f.Status == "" && f.CreatedAfter.IsZero() &&
		f.CreatedBefore.IsZero() && f.UnusedSince == nil && f.Archived == nil && f.Domain == nil
}

// Made returns the first and last microsecond since 1970 at which selected links can have been
// created.
func (f LinkFilter) Made() (first, last int64) {
	first, last = math.MinInt64, math.MaxInt64
	if !f.CreatedAfter.IsZero() {
		first = f.CreatedAfter.UnixMicro()
	}
	if !f.CreatedBefore.IsZero() {
		last = f.CreatedBefore.UnixMicro()
	}
	if f.UnusedSince != nil {
		last = min(last, f.UnusedSince.Start()-1)
	}
	return first, last
}

// LinkMark is a position in a sorted list.
type LinkMark struct {
	Key       int64 // sort key of the link before it: microseconds since 1970, or clicks
	CreatedAt int64 // of that link, in microseconds since 1970, for MostClickedFirst
	ID        LinkID
	Found     int64 // for a Search: links on the pages so far
}

// LinkPage is the answer to a LinkQuery.
type LinkPage struct {
	Links []Link
	Total int64 // of the owner's links; for a Search, of those it found
	// AtLeast means that a Search stopped at its bound: there may be more than Total.
	AtLeast bool
	Next    *LinkMark // nil: this is the last page
}
