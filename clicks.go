package terse

import (
	"context"
	"time"
)

// Clicks counts clicks and answers questions about them. It is a part of a store, see Links.
type Clicks interface {
	// AddClicks counts a batch and moves its journal's position in one transaction, so each click
	// counts exactly once. Clicks of deleted links are dropped. It may reorder batch.Clicks. It
	// fails, and counts nothing, if the journal's position is not batch.From. It fails with
	// ErrUnknownLink if some clicks belong to links that may be about to appear, unless the batch
	// gives those up.
	AddClicks(ctx context.Context, batch ClickBatch) error

	// JournalPosition returns the position that AddClicks last wrote for a journal, or 0 if there
	// is none.
	JournalPosition(ctx context.Context, journal string) (int64, error)

	// Clicks returns how many of a link's clicks are counted so far, how many of them are people's,
	// and the time of the last. ErrNotFound if the link does not exist.
	Clicks(ctx context.Context, link LinkRef) (LinkClicks, error)

	// Series counts the clicks of a link, or of AllLinks, over time, from one snapshot. AllLinks
	// includes clicks of deleted links. ErrNotFound if the link does not exist.
	Series(ctx context.Context, link LinkRef, q SeriesQuery) (Series, error)

	// Events returns a page of single clicks of a link, or of AllLinks. AllLinks has only clicks of
	// links that exist and have not been cleared since. It examines a bounded number of clicks.
	// Following EventPage.Next returns every click that existed when the first page was read
	// exactly once. ErrNotFound if the link does not exist.
	Events(ctx context.Context, link LinkRef, q EventQuery) (EventPage, error)

	// ClearClicks forgets the clicks of a link that are counted so far. The counts of AllLinks and
	// the number of MaxClicks taken stay. ErrNotFound if the link does not exist.
	ClearClicks(ctx context.Context, by Caller, link LinkRef) error

	// DropClicks drops single clicks before a time, as far as they are counted. Their counts by UTC
	// day stay.
	DropClicks(ctx context.Context, before time.Time) error

	Visitors
}

// ClickBatch is a contiguous piece of a journal, between two positions.
type ClickBatch struct {
	Journal string // the journal's ID
	From    int64  // where the journal's previous batch ended
	To      int64  // where this one ends
	Clicks  NumberedClicks
	// GiveUp, if set, lets the batch be counted without clicks of links that neither exist nor are
	// known to be deleted; it gets the number of such clicks. If nil, the batch waits for those
	// links.
	GiveUp func(lost int)
}
