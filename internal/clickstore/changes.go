package clickstore

import (
	"fmt"
	"slices"
	"time"

	"terse"
)

// Links reads what counting has to know of links, in the transaction of its Rows. A callback must
// not keep what it gets, nor call the Links or their Rows.
//
// The transaction that deletes a link, or gives it another code or owner, writes a tombstone
// without a number. A transaction that counts numbers it later, so that numbers are in the order of
// commits.
type Links interface {
	// Lookup calls f for what is stored of some IDs, which ascend, and perhaps of others between
	// them.
	Lookup(ids []terse.LinkID, f func(LinkRow)) error
	// Owner returns the number of an owner, and gives one to an owner that has none.
	Owner(name string) (OwnerID, error)

	// Number numbers tombstones that have no number, in the order in which they were written: at
	// most most. Each gets the time and a random value, too.
	Number(most int, at time.Time) error
	// Newest returns the mark of the tombstone with the highest number. There always is one.
	Newest() (Mark, error)
	// Since returns the tombstones from a number on, in the order of numbers: at most most.
	Since(number int64, most int) ([]Tombstone, error)
	// Unapplied returns the first numbered tombstones of deleted links whose clicks are still
	// there: at most most.
	Unapplied(most int) ([]Tombstone, error)
	// Applied notes that the clicks of some tombstones' links are deleted.
	Applied(done []Tombstone) error
	// Trim deletes the first tombstones that are applied, have a number below another, and got it
	// before a time: at most most.
	Trim(below int64, before time.Time, most int) error
}

// LinkRow is what one row of a store says about the link with an ID.
type LinkRow struct {
	Kind  RowKind
	ID    terse.LinkID
	Code  string // as stored: it may have been written by hand, and be no code
	Owner string // with a CurrentCode
}

// RowKind says what a LinkRow says.
type RowKind int

// The kinds of LinkRows.
const (
	Buried      RowKind = iota // the link was deleted
	CurrentCode                // the link has the code
	FormerCode                 // the link had the code
	numKinds
)

// Tombstone is a tombstone that has a number.
type Tombstone struct {
	Mark
	Link terse.LinkID
}

// Mark is a place in the order of tombstones. The random value tells whether the history before it
// is the same. The zero Mark is none.
type Mark struct{ Number, Random int64 }

// Known is one fact about an ID: a code that its link has or had, or that it was deleted.
type Known struct {
	ID      terse.LinkID
	Code    terse.Code // zero for a deleted link
	Former  bool       // the link had the code, and has another one
	Owner   OwnerID
	Deleted bool
}

// lookedUpAtOnce bounds the links whose rows are in memory together.
const lookedUpAtOnce = 1 << 11

// Lookup calls f for what is known of some IDs, which ascend. It does not call f for an ID that has
// no link yet, and may call it for other IDs. The code that a link has comes before those that it
// had. A tombstone wins over the row of a link: on several servers the row may be visible for
// longer. Codes that cannot be parsed are skipped, because nothing redirects there.
func Lookup(l Links, ids []terse.LinkID, f func(Known)) error {
	numbers := map[string]OwnerID{}
	var rows [numKinds][]LinkRow
	gone, owners := map[terse.LinkID]bool{}, map[terse.LinkID]OwnerID{}
	for some := range slices.Chunk(ids, lookedUpAtOnce) {
		for kind := range rows {
			rows[kind] = rows[kind][:0]
		}
		clear(gone)
		clear(owners)
		if err := l.Lookup(some, func(r LinkRow) {
			rows[r.Kind] = append(rows[r.Kind], r)
		}); err != nil {
			return err
		}
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

// Bounds of what Changed does in one transaction: some hundred milliseconds of work.
const (
	maxNumbered = 1 << 14
	maxChanges  = 1 << 16 // with more, everything may have changed
	maxTrimmed  = 1 << 12
	// MaxDeletes bounds the deleted links. The next transaction goes on with others.
	MaxDeletes = 16
)

// remembered is how long a tombstone stays after it got its number. A process that was away for
// longer has to forget what it knows of links.
const remembered = 24 * time.Hour

// Changed calls changed for the links that were deleted, or got another code or owner, since a
// mark, and returns the newest mark. everything is true if it does not know which links these are:
// they are too many, or the mark is of another history.
//
// It calls remove for at most MaxDeletes deleted links whose clicks are still there, also if they
// were deleted before the mark. Of all processes it does so in one, and once for each link.
func Changed(l Links, since Mark, at time.Time,
	changed func(terse.LinkID), remove func(terse.LinkID) error,
) (now Mark, everything bool, err error) {
	if err := l.Number(maxNumbered, at); err != nil {
		return now, false, fmt.Errorf("number tombstones: %w", err)
	}
	if now, err = l.Newest(); err != nil {
		return now, false, err
	}
	news, err := l.Since(since.Number, maxChanges+2) // the first one has the mark
	if err != nil {
		return now, false, err
	}
	everything = len(news) == 0 || len(news) > maxChanges+1 || news[0].Mark != since
	if !everything {
		for _, t := range news[1:] {
			changed(t.Link)
		}
	}
	gone, err := l.Unapplied(MaxDeletes)
	if err != nil {
		return now, everything, err
	}
	for _, t := range gone {
		if err := remove(t.Link); err != nil {
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
