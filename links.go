package terse

import (
	"context"
	"time"
)

// Links stores links. It is a part of a store, like Clicks and Node. Their methods may be called
// concurrently and return when done or soon after their context ends. An acknowledged write
// survives whatever happens to the process or the machine. by is who changes something, and why.
//
// The tests in internal/database/storetest specify what every store must do.
type Links interface {
	// Create stores a new link and returns it with its ID and time. ErrCodeTaken if the code is an
	// address of another link, AddressTaken if an alias is.
	Create(ctx context.Context, by Caller, link NewLink) (Link, error)

	// Link returns the link with a code, or ErrNotFound. It does not fill in Clicks.
	Link(ctx context.Context, code Code) (Link, error)

	// Find returns the links at up to MaxFind addresses, codes or aliases, by the keys of these
	// addresses as they are asked for. Addresses without a link are missing. Redirects use it.
	Find(ctx context.Context, keys []string) (map[string]Link, error)

	// Links returns one page of the links of an owner, or of AllOwners. Page and total come from
	// one snapshot. Following LinkPage.Next lists each link once, except links whose order changes
	// meanwhile. A search examines a bounded number of links, so a page may be short, or even
	// empty, without being the last.
	Links(ctx context.Context, q LinkQuery) (LinkPage, error)

	// Update gives the link Before the code, URL, CreatedBy and Options of After, and returns it
	// with its new UpdatedAt. ErrChanged if the link has another UpdatedAt than Before, ErrNotFound
	// if it does not exist. Errors about addresses are those of Create. A link keeps its clicks
	// with a new code, and clicks that were answered at the old one count. With another owner it
	// takes on that owner's spelling of its tags; sums of all links keep past clicks with the owner
	// before.
	Update(ctx context.Context, by Caller, change LinkChange) (Link, error)

	// Delete removes the link with this ID and code. A code that was deleted and reused meanwhile
	// is left alone. The link's statistics are gone at once, and their rows when clicks are counted
	// next; AllLinks keeps its clicks. UpdatedAt names the version to delete: ErrChanged if the
	// link has another. ErrNotFound if it does not exist.
	Delete(ctx context.Context, by Caller, link Link) error

	// Take uses up one of a link's MaxClicks. ErrUsedUp if none is left, ErrNotFound if the link
	// does not exist, nil if it has no MaxClicks. After any other error one may have been used: do
	// not retry.
	Take(ctx context.Context, link LinkRef) error

	// Transact runs do in a transaction and commits it if do returns nil. do may run several times
	// if other transactions conflict.
	Transact(ctx context.Context, do func(Tx) error) error

	// History returns the last MaxHistory changes of a link, newest first. ErrNotFound if the link
	// does not exist.
	History(ctx context.Context, link LinkRef) ([]HistoryEntry, error)

	// Tags returns the tags of an owner's links, ordered by FoldTag. Those of AllOwners are summed,
	// and spelled as most of their links have them.
	Tags(ctx context.Context, owner string) ([]Tag, error)

	Shares
}

// Tx changes links within one transaction, see Links.Transact. Its methods work like those of Links
// with the same names, see earlier changes of the transaction, and must not run concurrently. After
// an *Error the transaction is still usable; after any other error it has to end.
type Tx interface {
	Create(ctx context.Context, by Caller, link NewLink) (Link, error)
	Link(ctx context.Context, code Code) (Link, error)
	Update(ctx context.Context, by Caller, change LinkChange) (Link, error)
	Delete(ctx context.Context, by Caller, link Link) error

	// LinkAll and DeleteAll do for several links what Link and Delete do for one after another, in
	// fewer steps. refused has the error of each link: nil if it was found, or deleted.
	LinkAll(ctx context.Context, codes []Code) (links []Link, refused []error, err error)
	DeleteAll(ctx context.Context, by Caller, links []Link) (refused []error, err error)

	// NewestTo returns an owner's newest link on a domain to exactly this URL that has not ended at
	// now (it may not have started yet) and is not archived, or ErrNotFound. If now is zero, a link
	// may be archived, and no end by time has passed. Until the transaction ends, no other one that
	// calls NewestTo first can create such a link.
	NewestTo(ctx context.Context, owner string, on Domain, url URL, now time.Time) (Link, error)

	// SpellTag changes how an owner's tag is spelled. Links take on the new spelling when they are
	// updated.
	SpellTag(ctx context.Context, owner, tag string) error

	// Share returns the share of a target as the change makes it. If there is none, it is made with
	// fresh; the zero Share makes none: ErrShareNotFound. ErrTooManyShares.
	Share(ctx context.Context, by Caller, target ShareTarget, fresh Share, change ShareChange) (
		shared Shared, made bool, err error)

	// Unshare works like that of Shares.
	Unshare(ctx context.Context, by Caller, target ShareTarget) error

	// MoveShare makes the share of a tag, or of all links, that of another such target. If that has
	// one, it stays, and the other is revoked. It does nothing if there is none.
	MoveShare(ctx context.Context, by Caller, from, to ShareTarget) error

	// RestoreShare makes a share as it was before, of a tag also if no link has it, and reports
	// whether it was not there yet. ErrShareTaken if it is that of another target, ErrShared if the
	// target has another, ErrTooManyShares.
	RestoreShare(ctx context.Context, by Caller, share Shared) (made bool, err error)

	// CreateAll creates links, in fewer steps than one by one. For each link that it did not
	// create, refused has the error of Create.
	CreateAll(ctx context.Context, by Caller, links []RestoredLink) (created []Link,
		refused []error, err error)

	// Restore sets what only an import sets of a link. ErrShareTaken, with nothing set, if another
	// link has the share; ErrNotFound if the link does not exist.
	Restore(ctx context.Context, by Caller, link LinkRef, r Restored) error

	// Note notes what is no change of a link. Changes of links, shares and resets note themselves.
	Note(ctx context.Context, by Caller, what Noted) error

	// Answer returns the answer that KeepAnswer stored less than AnswerLifetime ago, or
	// ErrNotFound. After ErrNotFound, any other transaction that asks for the key gets ErrUnderWay
	// until this one ends.
	Answer(ctx context.Context, key AnswerKey) (Answer, error)

	// KeepAnswer stores an answer, and deletes some that are too old or beyond MaxAnswerBytes.
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

// Version returns the UpdatedAt for a change of a link that was last changed at before: now, in
// microseconds, but always later than before, even if clocks go back.
func Version(now, before time.Time) time.Time {
	micros := now.UnixMicro()
	if !before.IsZero() {
		micros = max(micros, before.UnixMicro()+1)
	}
	return time.UnixMicro(micros).UTC()
}
