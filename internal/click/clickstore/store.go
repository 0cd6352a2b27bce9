package clickstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"terse"
)

// Store implements terse.Clicks except terse.Visitors, and the part of terse.Archive that adds
// clicks, in a Database. Stores embed it.
type Store struct{ db Database }

// NewStore returns a Store.
func NewStore(db Database) *Store { return &Store{db} }

// Database is a database as a Store needs it. It may be used concurrently. Its methods may call f
// several times, so only the last call counts, and only if the method returns nil. They return the
// error of f, and translate those of the database.
type Database interface {
	// Count calls f in a transaction that writes rows, with a Counter for which Begin was called.
	// There is one such transaction at a time. If f returns nil, its changes are committed.
	Count(ctx context.Context, f func(*Counter, Transaction) error) error
	// Read calls f with a snapshot.
	Read(ctx context.Context, f func(Snapshot) error) error
	// Ask is Read for a question that may take seconds. It waits while too many others are read, so
	// that quick reads never do.
	Ask(ctx context.Context, f func(Snapshot) error) error
}

// Transaction reads and writes what is not in the rows of clicks.
type Transaction interface {
	// CheckLink returns terse.ErrNotFound if a link does not exist.
	CheckLink(link terse.LinkRef) error
	// Position returns the position of a journal, 0 if it has none yet. It fails if this process
	// must not count the journal.
	Position(journal string) (int64, error)
	// SetPosition changes it.
	SetPosition(journal string, to int64) error
	// Note notes what is no change of a link.
	Note(by terse.Caller, what terse.Noted) error
	// Tell returns what gets the clicks that the transaction counts, nil while nobody waits for
	// them.
	Tell() (func(Told) error, error)
}

// Snapshot reads rows, and what answers need beside them.
type Snapshot interface {
	Reader
	// CheckLink returns terse.ErrNotFound if a link does not exist.
	CheckLink(link terse.LinkRef) error
	// Position returns the position of a journal, 0 if it has none yet.
	Position(journal string) (int64, error)
	// Owner returns what a question about all links of an owner or of terse.AllOwners needs, or
	// about those that have all of some tags.
	Owner(owner string, some *terse.SomeLinks) (Asked, error)
}

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	lost := 0
	err := s.db.Count(ctx, func(c *Counter, tx Transaction) error {
		if err := movePosition(tx, &batch); err != nil {
			return err
		}
		tell, err := tx.Tell()
		if err != nil {
			return err
		}
		c.Tell(tell)
		lost, err = c.Add(&batch.Clicks, batch.GiveUp != nil)
		return err
	})
	if err == nil && lost > 0 {
		batch.GiveUp(lost)
	}
	return wrap(err, "add %d clicks of journal %s", len(batch.Clicks.List), batch.Journal)
}

// JournalPosition returns the position that AddClicks last wrote for a journal.
func (s *Store) JournalPosition(ctx context.Context, journal string) (position int64, err error) {
	err = s.db.Read(ctx, func(r Snapshot) (err error) {
		position, err = r.Position(journal)
		return err
	})
	return position, wrap(err, "read position of journal %s", journal)
}

// Clicks returns the number of clicks of a link.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (terse.LinkClicks, error) {
	var total Total
	err := s.db.Read(ctx, func(r Snapshot) (err error) {
		if err = r.CheckLink(link); err == nil {
			total, err = TotalOf(r, link.ID)
		}
		return err
	})
	if err != nil {
		return terse.LinkClicks{}, wrap(err, "count clicks of link %d %v", link.ID, link.Code)
	}
	return total.Of(link), nil
}

// ClearClicks deletes a link's clicks.
func (s *Store) ClearClicks(ctx context.Context, by terse.Caller, link terse.LinkRef) error {
	err := s.db.Count(ctx, func(c *Counter, tx Transaction) error {
		if err := tx.CheckLink(link); err != nil {
			return err
		}
		if had, err := c.Clear(link.ID); err != nil || !had {
			return err
		}
		return tx.Note(by, terse.Noted{
			Action: terse.ActionReset, Target: link.Code.Text(),
			Domain: link.Code.Domain(),
		})
	})
	return wrap(err, "clear clicks of link %d %v", link.ID, link.Code)
}

// AddPast tops up clicks of the past.
func (s *Store) AddPast(ctx context.Context, past []terse.Past) (
	added []terse.PastAdded, err error,
) {
	err = s.db.Count(ctx, func(c *Counter, _ Transaction) (err error) {
		added, err = c.AddPast(past)
		return err
	})
	if err != nil {
		return nil, wrap(err, "add the past of %d links", len(past))
	}
	return added, nil
}

// errTried undoes a transaction that only tries something.
var errTried = errors.New("nothing is to be changed")

// TryPast finds out what AddPast would do.
func (s *Store) TryPast(ctx context.Context, past []terse.Past) (
	added []terse.PastAdded, err error,
) {
	err = s.db.Count(ctx, func(c *Counter, _ Transaction) (err error) {
		if added, err = c.TryPast(past); err == nil {
			err = errTried
		}
		return err
	})
	if !errors.Is(err, errTried) {
		return nil, wrap(err, "try the past of %d links", len(past))
	}
	return added, nil
}

// DropClicks drops single clicks before a time, in many small transactions.
func (s *Store) DropClicks(ctx context.Context, before time.Time) error {
	var place DropPlace
	for done := false; !done; {
		var err error
		if place, done, err = s.dropSome(ctx, place, before); err != nil {
			return wrap(err, "drop clicks before %v", before)
		}
	}
	return nil
}

// dropSome is a transaction of DropClicks.
func (s *Store) dropSome(ctx context.Context, from DropPlace, before time.Time) (
	next DropPlace, done bool, err error,
) {
	ctx, cancel := context.WithTimeout(ctx, dropPatience)
	defer cancel()
	err = s.db.Count(ctx, func(c *Counter, _ Transaction) (err error) {
		next, done, err = c.Drop(from, before.UnixMicro())
		return err
	})
	return next, done, err
}

// Series counts the clicks of a link, or of terse.AllLinks.
func (s *Store) Series(ctx context.Context, link terse.LinkRef, q terse.SeriesQuery) (
	terse.Series, error,
) {
	var series terse.Series
	err := s.ask(ctx, link, q.Owner, &q.Some, func(r Reader, of Asked) (err error) {
		series, err = Series(r, of, q)
		return err
	})
	if err != nil {
		return terse.Series{}, wrap(err, "count clicks of link %d %v", link.ID, link.Code)
	}
	return series, nil
}

// Events returns a page of the clicks of a link, or of terse.AllLinks.
func (s *Store) Events(ctx context.Context, link terse.LinkRef, q terse.EventQuery) (
	terse.EventPage, error,
) {
	var page terse.EventPage
	err := s.ask(ctx, link, q.Owner, &q.Some, func(r Reader, of Asked) (err error) {
		page, err = Events(r, of, q)
		return err
	})
	if err != nil {
		return terse.EventPage{}, wrap(err, "list clicks of link %d %v", link.ID, link.Code)
	}
	return page, nil
}

// ask calls f with a snapshot, and with whose clicks are asked for: those of a link, or for
// terse.AllLinks of some links of an owner or of all owners.
func (s *Store) ask(ctx context.Context, link terse.LinkRef, owner string, some *terse.SomeLinks,
	f func(Reader, Asked) error,
) error {
	return s.db.Ask(ctx, func(r Snapshot) error {
		if link != terse.AllLinks {
			if err := r.CheckLink(link); err != nil {
				return err
			}
			return f(r, Asked{Links: []terse.LinkID{link.ID}})
		}
		of, err := r.Owner(owner, some)
		if err != nil {
			return err
		}
		return f(r, of)
	})
}

// wrap adds what failed to an error, unless the error is the domain's.
func wrap(err error, format string, args ...any) error {
	if _, known := errors.AsType[*terse.Error](err); known || err == nil {
		return err
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}
