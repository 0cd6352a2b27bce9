package terse

import (
	"context"
	"time"
)

// Clicks counts clicks, and answers from what it counted. It is a part of a store, see Links.
type Clicks interface {
	// AddClicks counts a batch and moves its journal's position in one transaction, so
	// that each click counts exactly once. Clicks of links that are gone are dropped. It
	// may reorder batch.Clicks. It fails, and counts nothing, when the journal's position is not
	// batch.From, and with ErrUnknownLink when there are clicks of links that may be about to
	// appear, unless the batch gives these up.
	AddClicks(ctx context.Context, batch ClickBatch) error

	// JournalPosition returns the position that AddClicks last wrote for a journal, 0 for
	// one that it never saw.
	JournalPosition(ctx context.Context, journal string) (int64, error)

	// Clicks returns how many clicks of a link were counted so far, and how many of people.
	// ErrNotFound when the link is gone.
	Clicks(ctx context.Context, link LinkRef) (LinkClicks, error)

	// Series counts a link's clicks, or those of AllLinks, over time, from one snapshot. Clicks of
	// deleted links stay among those of AllLinks. ErrNotFound when the link is gone.
	Series(ctx context.Context, link LinkRef, q SeriesQuery) (Series, error)

	// Events returns a page of a link's clicks, or of those of AllLinks, of which only clicks of
	// links that exist and were not cleared since are there. It looks at a bounded number of
	// clicks. What was there when the first page was asked for is on one of the pages that follow
	// each other by EventPage.Next, once. ErrNotFound when the link is gone.
	Events(ctx context.Context, link LinkRef, q EventQuery) (EventPage, error)

	// ClearClicks forgets the clicks of a link that were counted so far; those of AllLinks and what
	// is taken of MaxClicks stay. ErrNotFound when the link is gone.
	ClearClicks(ctx context.Context, link LinkRef) error

	// DropClicks drops the single clicks before a time, as far as they were counted. Their counts
	// by UTC day stay.
	DropClicks(ctx context.Context, before time.Time) error

	Visitors
}

// ClickBatch is a contiguous piece of a journal: what lies between two positions.
type ClickBatch struct {
	Journal string // the journal's ID
	From    int64  // where the journal's previous batch ended
	To      int64  // where this one ends
	Clicks  NumberedClicks
	// GiveUp is called when the batch is counted without the clicks that it has of links which are
	// neither there nor known to be deleted, with their number. nil: the batch waits for the links.
	GiveUp func(lost int)
}
