package memrows

import (
	"math/rand/v2"
	"slices"
	"time"

	"terse"
	"terse/internal/click/clickstore"
)

// Links implements clickstore.Links. Like Rows, it must not be changed while others use it.
type Links struct {
	// All has all links that there ever were.
	All map[terse.LinkID]*Link
	// Owners has the names of owners. The first one has the number 1.
	Owners []string
	// tombstones are in the order of their numbers. Those without one are last.
	tombstones []tombstone
}

// Link is a link as far as counting knows it.
type Link struct {
	Codes   []terse.Code // the current one, then the former ones
	Owner   clickstore.OwnerID
	Deleted bool
}

type tombstone struct {
	clickstore.Tombstone
	applied bool
	at      time.Time // when it got its number
}

// NewLinks returns the Links of a new database.
func NewLinks() *Links {
	l := &Links{All: map[terse.LinkID]*Link{}}
	l.Bury(0, false) // there is always one
	return l
}

// Bury writes a tombstone: a link was deleted, or got another code or owner.
func (l *Links) Bury(id terse.LinkID, deleted bool) {
	l.tombstones = append(l.tombstones, tombstone{
		Tombstone: clickstore.Tombstone{Link: id}, applied: !deleted,
	})
}

// Begin returns a function that undoes what a transaction does to tombstones.
func (l *Links) Begin() (undo func()) {
	tombstones := slices.Clone(l.tombstones)
	return func() { l.tombstones = tombstones }
}

// Lookup implements clickstore.Links.
func (l *Links) Lookup(ids []terse.LinkID, f func(clickstore.LinkRow)) error {
	for _, id := range ids {
		link := l.All[id]
		if link == nil {
			continue
		}
		if link.Deleted {
			f(clickstore.LinkRow{Kind: clickstore.Buried, ID: id})
			continue
		}
		kind := clickstore.CurrentCode
		for _, code := range link.Codes {
			f(clickstore.LinkRow{
				Kind: kind, ID: id, Code: code.String(), Owner: l.Owners[link.Owner-1],
			})
			kind = clickstore.FormerCode
		}
	}
	return nil
}

// OwnerID returns the number of an owner, 0 if it has none yet.
func (l *Links) OwnerID(name string) clickstore.OwnerID {
	return clickstore.OwnerID(slices.Index(l.Owners, name) + 1)
}

// AllOf returns the IDs that stand for all links of an owner, or of terse.AllOwners.
func (l *Links) AllOf(owner string) []terse.LinkID {
	number := l.OwnerID(owner)
	switch {
	case owner != terse.AllOwners && number == 0:
		return nil
	case owner != terse.AllOwners:
		return clickstore.LinksOf(number)
	case number == 0: // nobody is joined yet
		number = clickstore.OwnerID(len(l.Owners))
	}
	return UpTo(number)
}

// UpTo returns the IDs that stand for all links of the owners up to a number.
func UpTo(number clickstore.OwnerID) (links []terse.LinkID) {
	for n := range number {
		links = append(links, clickstore.LinksOf(n+1)...)
	}
	return links
}

// Owner implements clickstore.Links.
func (l *Links) Owner(name string) (clickstore.OwnerID, error) {
	if l.OwnerID(name) == 0 {
		l.Owners = append(l.Owners, name)
	}
	return l.OwnerID(name), nil
}

// Number implements clickstore.Links.
func (l *Links) Number(_ int, at time.Time) error {
	for i := range l.tombstones {
		if t := &l.tombstones[i]; t.Number == 0 {
			t.at, t.Mark = at, clickstore.Mark{Number: l.newest() + 1, Random: rand.Int64()}
		}
	}
	return nil
}

func (l *Links) newest() (number int64) {
	for _, t := range l.tombstones {
		number = max(number, t.Number)
	}
	return number
}

// Newest implements clickstore.Links.
func (l *Links) Newest() (clickstore.Mark, error) {
	number := l.newest()
	return l.those(1, func(t *tombstone) bool { return t.Number == number })[0].Mark, nil
}

// Since implements clickstore.Links.
func (l *Links) Since(number int64, most int) ([]clickstore.Tombstone, error) {
	return l.those(most, func(t *tombstone) bool { return t.Number >= max(number, 1) }), nil
}

// Unapplied implements clickstore.Links.
func (l *Links) Unapplied(most int) ([]clickstore.Tombstone, error) {
	return l.those(most, func(t *tombstone) bool { return t.Number > 0 && !t.applied }), nil
}

func (l *Links) those(most int, is func(*tombstone) bool) (found []clickstore.Tombstone) {
	for i := range l.tombstones {
		if is(&l.tombstones[i]) && len(found) < most {
			found = append(found, l.tombstones[i].Tombstone)
		}
	}
	return found
}

// Applied implements clickstore.Links.
func (l *Links) Applied(done []clickstore.Tombstone) error {
	for i := range l.tombstones {
		t := &l.tombstones[i]
		t.applied = t.applied || slices.Contains(done, t.Tombstone)
	}
	return nil
}

// Trim implements clickstore.Links.
func (l *Links) Trim(below int64, before time.Time, _ int) error {
	l.tombstones = slices.DeleteFunc(l.tombstones, func(t tombstone) bool {
		return t.applied && t.Number > 0 && t.Number < below && t.at.Before(before)
	})
	return nil
}
