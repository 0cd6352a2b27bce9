package terse

import (
	"context"
	"time"
)

// Store keeps links and counts clicks. Its methods may be called from many goroutines;
// each returns when it is done or soon after its context ends, and an acknowledged write
// stands whatever happens to the process or the machine.
//
// What every store must do is written as tests in internal/storetest.
type Store interface {
	// Create stores a new link and returns it with its ID and time. ErrCodeTaken when
	// the code is in use.
	Create(ctx context.Context, link NewLink) (Link, error)

	// Link returns the link of a code, or ErrNotFound. Its Clicks are not filled in: this
	// is the redirect's look-up.
	Link(ctx context.Context, code Code) (Link, error)

	// Absent tells without waiting that no link has the code; false means that only Link
	// knows. A link that Create returned is never denied; one that another program wrote into the
	// store's database may be for a second.
	Absent(code Code) bool

	// Links returns one page of an owner's links. Page and total are of one snapshot, and the pages
	// that follow each other by LinkPage.Next have each link once, except those whose order
	// changed meanwhile. A search looks at a bounded number of links. When that ends it, its page
	// may have fewer links than Limit, or none, and not be the last.
	Links(ctx context.Context, q LinkQuery) (LinkPage, error)

	// Clicks returns how many clicks of a link were counted so far, and how many of people.
	// ErrNotFound when the link is gone.
	Clicks(ctx context.Context, link LinkRef) (LinkClicks, error)

	// Update gives the link with ID and code of a change its URL and Options, and returns it with
	// its new UpdatedAt. That of the change says which version it was made from: when the link
	// has another one, ErrChanged. ErrNotFound when it is gone.
	Update(ctx context.Context, change LinkChange) (Link, error)

	// Delete removes a link with its clicks and counts, by ID and code together, so that a
	// code that was deleted and chosen again meanwhile is left alone. Its UpdatedAt says which
	// version is meant: when the link has another one, ErrChanged. ErrNotFound when it is gone
	// already.
	Delete(ctx context.Context, link Link) error

	// Take takes one of a link's MaxClicks. ErrUsedUp when none is left, ErrNotFound when there is
	// no such link, nil when it has no MaxClicks. After any other error one may have been taken:
	// it is not tried again.
	Take(ctx context.Context, link LinkRef) error

	// Transact runs do in a transaction, which is committed when it returns nil. Before that do may
	// be called again, because other transactions were in the way.
	Transact(ctx context.Context, do func(Tx) error) error

	// History returns the last MaxHistory changes of a link, newest first. ErrNotFound when the
	// link is gone.
	History(ctx context.Context, link LinkRef) ([]HistoryEntry, error)

	// Tags returns the tags that an owner's links have, in the order of FoldTag.
	Tags(ctx context.Context, owner string) ([]Tag, error)

	// ClearClicks forgets the clicks of a link that were counted so far; those of AllLinks and what
	// is taken of MaxClicks stay. ErrNotFound when the link is gone.
	ClearClicks(ctx context.Context, link LinkRef) error

	// DropClicks forgets the single clicks before a time, as far as they were counted. Their counts
	// by UTC day stay.
	DropClicks(ctx context.Context, before time.Time) error

	// Series counts a link's clicks, or those of AllLinks, over time, from one snapshot. Clicks of
	// deleted links stay among those of AllLinks. ErrNotFound when the link is gone.
	Series(ctx context.Context, link LinkRef, q SeriesQuery) (Series, error)

	Shares
	Visitors

	// Events returns a page of a link's clicks, or of those of AllLinks, of which only clicks of
	// links that exist and were not cleared since are there. It looks at a bounded number of
	// clicks. What was there when the first page was asked for is on one of the pages that follow
	// each other by EventPage.Next, once. ErrNotFound when the link is gone.
	Events(ctx context.Context, link LinkRef, q EventQuery) (EventPage, error)

	// AddClicks counts a batch and moves its journal's position in one transaction, so
	// that each click counts exactly once. Clicks of links that are gone are dropped. It
	// may reorder batch.Clicks. It fails, and counts nothing, when the journal's position is not
	// batch.From, and with ErrUnknownLink when there are clicks of links that may be about to
	// appear, unless the batch gives these up.
	AddClicks(ctx context.Context, batch ClickBatch) error

	// JournalPosition returns the position that AddClicks last wrote for a journal, 0 for
	// one that it never saw.
	JournalPosition(ctx context.Context, journal string) (int64, error)

	// KeepUnknown keeps the codes without a link that a node counted on a day, in place of what it
	// kept of that day before. It forgets the days that are more than UnknownDays older.
	KeepUnknown(ctx context.Context, node string, day Day, codes UnknownCodes) error

	// Unknown returns what each node kept of a day.
	Unknown(ctx context.Context, day Day) (map[string]UnknownCodes, error)

	// Check reports whether the store can read and write now.
	Check(ctx context.Context) error

	// Watch calls changed for the code of each link that others than this Store changed, and all
	// when it does not know which links those are: within a second, while the database can be
	// reached. What the store answers after a call is as new as the change. It returns nil when ctx
	// ends.
	Watch(ctx context.Context, changed func(Code), all func()) error

	// Close waits for what is under way and releases the store.
	Close() error
}

// Tx is what can be done to links within one transaction, see Store.Transact. Its methods do what
// those of Store with their names do, see what was done before in the transaction, and are called
// by one goroutine at a time. An *Error leaves the transaction usable; after any other error it
// has to end.
type Tx interface {
	Create(ctx context.Context, link NewLink) (Link, error)
	Link(ctx context.Context, code Code) (Link, error)
	Update(ctx context.Context, change LinkChange) (Link, error)
	Delete(ctx context.Context, link Link) error

	// NewestTo returns an owner's newest link to a URL, byte for byte, that has not ended at a
	// time, now or to come, or ErrNotFound. Then no other transaction makes one until this one
	// ends, if it asks here before.
	NewestTo(ctx context.Context, owner string, url URL, now time.Time) (Link, error)

	// SpellTag spells a tag of an owner anew. Links take the new spelling when they are updated.
	SpellTag(ctx context.Context, owner, tag string) error

	// Share returns a link's share: fresh, when it had none. ErrNotFound when the link is gone.
	Share(ctx context.Context, link LinkRef, fresh Share) (Share, error)

	// Answer returns the answer that KeepAnswer kept less than AnswerLifetime ago. ErrNotFound when
	// there is none: then no other transaction gets past this until this one ends, but ErrUnderWay.
	Answer(ctx context.Context, key AnswerKey) (Answer, error)

	// KeepAnswer keeps an answer, and forgets some that are too old or beyond MaxAnswerBytes.
	KeepAnswer(ctx context.Context, key AnswerKey, answer Answer) error
}

// NewLink is a link to be stored. A zero CreatedAt means now.
type NewLink struct {
	Code      Code
	URL       URL
	CreatedBy string
	CreatedAt time.Time
	Options   EncodedOptions
}

// Version returns when a change is made to a link that was last changed at before: now, in
// microseconds, but always later than before, whatever the clocks say.
func Version(now, before time.Time) time.Time {
	micros := now.UnixMicro()
	if !before.IsZero() {
		micros = max(micros, before.UnixMicro()+1)
	}
	return time.UnixMicro(micros).UTC()
}

// ClickBatch is a contiguous piece of a journal: what lies between two positions.
type ClickBatch struct {
	Journal string // the journal's ID
	From    int64  // where the journal's previous batch ended
	To      int64  // where this one ends
	Clicks  Clicks
	// GiveUp is called when the batch is counted without the clicks that it has of links which are
	// neither there nor known to be deleted, with their number. nil: the batch waits for the links.
	GiveUp func(lost int)
}
