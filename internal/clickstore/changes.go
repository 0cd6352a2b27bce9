package clickstore

import (
	"fmt"
	"slices"
	"time"

	"terse"
)

// Links are what counting reads of links, in the transaction of its Rows. What f of a method gets
// is valid until it returns, and it must not call the Links or their Rows.
//
// A tombstone says that a link was deleted, or got another code or owner. The transaction that did
// it writes one, and it has no number yet: numbers are given later, in the order of commits.
type Links interface {
	// Lookup calls f for what is stored of some IDs, which ascend, and perhaps of others between
	// them.
	Lookup(ids []terse.LinkID, f func(LinkRow)) error
	// Owner returns the number of an owner, and gives one to an owner that has none.
	Owner(name string) (OwnerID, error)

	// Number numbers tombstones that have no number, at a time and in the order in which they were
	// written: at most most. Each gets a random value, too.
	Number(most int, at time.Time) error
	// Newest returns the mark of the last number. There always is one.
	Newest() (Mark, error)
	// Since returns the numbered tombstones from a number on, in their order: at most most.
	Since(number int64, most int) ([]Tombstone, error)
	// Unapplied returns the first numbered tombstones of deleted links whose rows are still there.
	Unapplied(most int) ([]Tombstone, error)
	// Applied notes that the rows are gone of the links that tombstones are of.
	Applied(done []Tombstone) error
	// Trim deletes the first tombstones that are applied, are below a number, and got theirs
	// before a time: at most most.
	Trim(below int64, before time.Time, most int) error
}

// LinkRow is something that is stored of an ID.
type LinkRow struct {
	Kind  RowKind
	ID    terse.LinkID
	Code  string // as it is stored: somebody may have written it by hand
	Owner string // of a CurrentCode
}

// RowKind says what a LinkRow is.
type RowKind int

// The kinds of rows.
const (
	Buried      RowKind = iota // the link was deleted
	CurrentCode                // the link has the code
	FormerCode                 // the link had the code
	numKinds
)

// Tombstone is a numbered tombstone of a link.
type Tombstone struct {
	Mark
	Link terse.LinkID
}

// Mark is a place in the order of changes. The zero Mark is that of who knows nothing.
type Mark struct{ Number, Random int64 }

// Known is what is known of an ID: a code that its link has or had, or that it was deleted.
type Known struct {
	ID      terse.LinkID
	Code    terse.Code // of no deleted link
	Former  bool       // the link had the code, and has another one
	Owner   OwnerID
	Deleted bool
}

// lookedUpAtOnce bounds the rows of links that are in memory, with those of others between them.
const lookedUpAtOnce = 1 << 11

// Lookup calls f for what is known of some IDs, which ascend: nothing where there is no link yet.
// It may call f for others, too. The code that a link has comes before those that it had. Where a
// tombstone says that a link is gone it is gone, even if its row is seen for longer, as it may be
// on several servers. Nothing redirects at what is no code.
func Lookup(l Links, ids []terse.LinkID, f func(Known)) error {
	numbers := map[string]OwnerID{}
	for some := range slices.Chunk(ids, lookedUpAtOnce) {
		var rows [numKinds][]LinkRow
		if err := l.Lookup(some, func(r LinkRow) {
			rows[r.Kind] = append(rows[r.Kind], r)
		}); err != nil {
			return err
		}
		gone, owners := map[terse.LinkID]bool{}, map[terse.LinkID]OwnerID{}
		for _, r := range rows[Buried] {
			gone[r.ID] = true
			f(Known{ID: r.ID, Deleted: true})
		}
		for _, r := range rows[CurrentCode] {
			code, err := terse.ParseCode(r.Code)
			if gone[r.ID] || err != nil {
				continue
			}
			if numbers[r.Owner] == 0 {
				if numbers[r.Owner], err = l.Owner(r.Owner); err != nil {
					return fmt.Errorf("number owner: %w", err)
				}
			}
			owners[r.ID] = numbers[r.Owner]
			f(Known{ID: r.ID, Code: code, Owner: owners[r.ID]})
		}
		for _, r := range rows[FormerCode] {
			code, err := terse.ParseCode(r.Code)
			if owner := owners[r.ID]; owner != 0 && err == nil {
				f(Known{ID: r.ID, Code: code, Former: true, Owner: owner})
			}
		}
	}
	return nil
}

// Change says that a link is not what it was.
type Change struct {
	ID terse.LinkID
	// Drop is set when the link was deleted and its rows are still there.
	Drop bool
}

// Bounds of what Changed does in one transaction: some hundred milliseconds of work.
const (
	maxNumbered = 1 << 14
	maxTold     = 1 << 16 // with more, nobody knows what has changed
	maxTrimmed  = 1 << 12
	// MaxDrops is how many links Changed has f drop at most. After so many there may be more, for
	// the next transaction.
	MaxDrops = 16
)

// remembered is how long a tombstone stays after it got its number. A process that was away for
// longer forgets what it knows of links.
const remembered = 24 * time.Hour

// Changed calls f for the links that were deleted, or got another code or owner, since a mark, and
// returns the mark of now. everything is true when it does not know which these are: they are too
// many, or the mark is of another history.
//
// Besides, it calls f with Drop for up to MaxDrops of the deleted links whose rows are still there,
// once for each, in whatever process that is. They may be from before the mark.
func Changed(l Links, since Mark, at time.Time, f func(Change) error) (
	now Mark, everything bool, err error,
) {
	if err := l.Number(maxNumbered, at); err != nil {
		return now, false, fmt.Errorf("number tombstones: %w", err)
	}
	if now, err = l.Newest(); err != nil {
		return now, false, err
	}
	told, err := l.Since(since.Number, maxTold+2) // the mark's own is the first
	if err != nil {
		return now, false, err
	}
	if everything = len(told) == 0 || len(told) > maxTold+1 || told[0].Mark != since; !everything {
		for _, t := range told[1:] {
			if err := f(Change{ID: t.Link}); err != nil {
				return now, everything, err
			}
		}
	}
	gone, err := l.Unapplied(MaxDrops)
	if err != nil {
		return now, everything, err
	}
	for _, t := range gone {
		if err := f(Change{ID: t.Link, Drop: true}); err != nil {
			return now, everything, err
		}
	}
	if len(gone) > 0 {
		if err := l.Applied(gone); err != nil {
			return now, everything, err
		}
	}
	return now, everything, l.Trim(now.Number, at.Add(-remembered), maxTrimmed)
}
