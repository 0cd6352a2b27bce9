package clickstore

import (
	"fmt"
	"slices"
	"time"

	"terse"
)

// Links reads what counting needs to know about links, in the transaction of its Rows. A callback
// must neither keep its argument nor call the Links or their Rows.
//
// The transaction that deletes a link, or gives it another code or owner, writes a tombstone
// without a number. A later transaction that counts clicks assigns the number, so that numbers are
// in the order of commits.
type Links interface {
	// Lookup calls f for the stored rows of the given IDs, which ascend. It may include rows of IDs
	// between them.
	Lookup(ids []terse.LinkID, f func(LinkRow)) error
	// Owner returns the number of an owner. It assigns one if there is none yet.
	Owner(name string) (OwnerID, error)

	// Number assigns numbers to up to most tombstones that have none, in the order in which they
	// were written. It stores the time and a random value with each.
	Number(most int, at time.Time) error
	// Newest returns the mark of the tombstone with the highest number. There is always one.
	Newest() (Mark, error)
	// Since returns up to most tombstones from a number on, in the order of numbers.
	Since(number int64, most int) ([]Tombstone, error)
	// Unapplied returns the first numbered tombstones, up to most, of deleted links whose clicks
	// still exist.
	Unapplied(most int) ([]Tombstone, error)
	// Applied records that the clicks of these tombstones' links have been deleted.
	Applied(done []Tombstone) error
	// Trim deletes the first tombstones, up to most, that are applied, have a number below the
	// given one, and got it before a time.
	Trim(below int64, before time.Time, most int) error
}

// LinkRow is one stored row about the link with an ID.
type LinkRow struct {
	Kind  RowKind
	ID    terse.LinkID
	Code  string // as stored; invalid if somebody wrote it by hand
	Owner string // with a CurrentCode
}

// RowKind is the kind of a LinkRow.
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

// Mark is a place in the order of tombstones. If the random value differs, the history before it
// does too. The zero Mark is none.
type Mark struct{ Number, Random int64 }

// Fact is one fact about an ID: a current or former code of its link, or that the link was deleted.
type Fact struct {
	ID      terse.LinkID
	Code    terse.Code // zero for a deleted link
	Former  bool       // the link had the code, and has another one
	Owner   OwnerID
	Deleted bool
}

// lookedUpAtOnce bounds the links whose rows are in memory at once.
const lookedUpAtOnce = 1 << 11

// Lookup calls f with the facts about the given IDs, which ascend. It does not call f for an ID
// that has no link yet, and may call it for other IDs. A link's current code comes before its
// former ones. A tombstone takes precedence over the row of a link: on several servers the row may
// stay visible for longer. Codes that cannot be parsed are skipped, because nothing redirects
// there.
func Lookup(l Links, ids []terse.LinkID, f func(Fact)) error {
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
			f(Fact{ID: r.ID, Deleted: true})
		}
		for _, r := range rows[CurrentCode] {
			code, err := terse.ParseKey(r.Code)
			if gone[r.ID] || err != nil {
				continue
			}
			if numbers[r.Owner] == 0 {
				if numbers[r.Owner], err = l.Owner(r.Owner); err != nil {
					return fmt.Errorf("number owner: %w", err)
				}
			}
			owners[r.ID] = numbers[r.Owner]
			f(Fact{ID: r.ID, Code: code, Owner: owners[r.ID]})
		}
		for _, r := range rows[FormerCode] {
			code, err := terse.ParseKey(r.Code)
			if owner := owners[r.ID]; owner != 0 && err == nil {
				f(Fact{ID: r.ID, Code: code, Former: true, Owner: owner})
			}
		}
	}
	return nil
}

// Bounds of one call of Changed: a few hundred milliseconds of work.
const (
	maxNumbered = 1 << 14
	maxChanges  = 1 << 16 // with more, everything may have changed
	maxTrimmed  = 1 << 12
	// MaxDeletes bounds the deleted links. The next transaction continues with others.
	MaxDeletes = 16
)

// tombstoneAge is how long a tombstone is kept after it got its number. A process that was away for
// longer has to forget all that it cached about links.
const tombstoneAge = 24 * time.Hour

// Changed calls changed for each link that was deleted, or got another code or owner, since a mark,
// and returns the newest mark. everything is true if any link may have changed: there are too many
// changes to list, or the mark belongs to another history.
//
// It calls remove for at most MaxDeletes deleted links whose clicks still exist, even if they were
// deleted before the mark. Each link is removed once, by one of all processes.
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
	return now, everything, l.Trim(now.Number, at.Add(-tombstoneAge), maxTrimmed)
}
