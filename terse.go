// Package terse is the domain of a URL shortener: short codes, links, clicks,
// time ranges, statistics, their rules, and what a store of them promises.
//
// It imports the standard library only, knows nothing of HTTP, SQL or files, and
// reads no environment. Rules come from the interface contract; where one does,
// the comment names its section.
package terse

import "time"

// Identity is the one identity that every valid token maps to
// (contract: Authentication).
const Identity = "authenticated-user"

// LinkID identifies a link for ever: IDs are positive, grow, and are never used
// again, so that a code that is deleted and chosen anew never inherits clicks.
type LinkID int64

// Link is a short code and where it leads.
type Link struct {
	ID        LinkID
	Code      Code
	URL       URL       // where the redirect leads, verbatim as submitted
	CreatedAt time.Time // UTC, microseconds
	CreatedBy string    // for example Identity
	Clicks    int64     // all clicks counted so far; filled in by Store.Links only
}
