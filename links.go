package terse

import (
	"context"
	"time"
)

// Links keeps links. It is a part of a store, as Clicks and Node are: their methods may be called
// from many goroutines; each returns when it is done or soon after its context ends, and an
// acknowledged write stands whatever happens to the process or the machine.
//
// What every store must do is written as tests in internal/storetest.
type Links interface {
	// Create stores a new link and returns it with its ID and time. ErrCodeTaken when
	// the code is in use.
	Create(ctx context.Context, link NewLink) (Link, error)

	// Link returns the link of a code, or ErrNotFound. Its Clicks are not filled in: this
	// is the redirect's look-up.
	Link(ctx context.Context, code Code) (Link, error)

	// Links returns one page of an owner's links. Page and total are of one snapshot, and the pages
	// that follow each other by LinkPage.Next have each link once, except those whose order
	// changed meanwhile. A search looks at a bounded number of links. When that ends it, its page
	// may have fewer links than Limit, or none, and not be the last.
	Links(ctx context.Context, q LinkQuery) (LinkPage, error)

	// Update gives the link with ID and code of a change its URL and Options, and returns it with
	// its new UpdatedAt. That of the change says which version it was made from: when the link
	// has another one, ErrChanged. ErrNotFound when it is gone.
	Update(ctx context.Context, change LinkChange) (Link, error)

	// Delete removes a link by ID and code together, so that a code that was deleted and chosen
	// again meanwhile is left alone. What was counted of the link is no longer told, and its rows
	// go when clicks are counted next; in AllLinks its clicks stay. Its UpdatedAt says which
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

	Shares
}

// Tx is what can be done to links within one transaction, see Links.Transact. Its methods do what
// those of Links with their names do, see what was done before in the transaction, and are called
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
