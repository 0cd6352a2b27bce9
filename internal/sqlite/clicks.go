package sqlite

import (
	"context"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
	"terse/internal/sqlite/stats"
	"terse/internal/yield"
)

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	err := s.writeAlone(ctx, func(w *writer) error {
		if err := w.movePosition(batch); err != nil {
			return err
		}
		return w.counter.Add(&batch.Clicks)
	})
	return translate(ctx, err, "add %d clicks of journal %s", len(batch.Clicks.List), batch.Journal)
}

// JournalPosition returns the position that AddClicks last wrote for a journal.
func (s *Store) JournalPosition(ctx context.Context, journal string) (position int64, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		position, err = journalPosition(conn, journal)
		return err
	})
	return position, translate(ctx, err, "read position of journal %s", journal)
}

func journalPosition(conn *sqlite.Conn, journal string) (int64, error) {
	return query.Int(conn, "SELECT position FROM journal_positions WHERE journal = ?", journal)
}

func (w *writer) movePosition(batch terse.ClickBatch) error {
	before, err := journalPosition(w.conn, batch.Journal)
	if err != nil {
		return err
	}
	if before != batch.From {
		return fmt.Errorf("%w: it is %d, the batch starts at %d", ErrPosition, before, batch.From)
	}
	return query.Run(w.conn, `INSERT INTO journal_positions (journal, position) VALUES (?1, ?2)
		ON CONFLICT (journal) DO UPDATE SET position = ?2`, batch.Journal, batch.To)
}

// Clicks returns how many clicks of a link were counted.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (clicks int64, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		if _, err := record.Of(conn, link); err != nil {
			return err
		}
		clicks, err = counter.NewTotals(conn).Of(link.ID)
		return err
	})
	return clicks, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
}

// ClearClicks forgets a link's clicks.
func (s *Store) ClearClicks(ctx context.Context, link terse.LinkRef) error {
	err := s.writeAlone(ctx, func(w *writer) error {
		if _, err := record.Of(w.conn, link); err != nil {
			return err
		}
		return w.counter.Clear(link.ID)
	})
	return translate(ctx, err, "clear clicks of link %d %v", link.ID, link.Code)
}

// DropClicks forgets single clicks before a time, in many small transactions.
func (s *Store) DropClicks(ctx context.Context, before time.Time) error {
	var place counter.DropPlace
	for done, turn := false, (yield.Yielder{}); !done; turn.Yield() {
		err := s.writeAlone(ctx, func(w *writer) (err error) {
			place, done, err = w.counter.Drop(place, before.UnixMicro())
			return err
		})
		if err != nil {
			return translate(ctx, err, "drop clicks before %v", before)
		}
	}
	return nil
}

// Series counts a link's clicks, or those of terse.AllLinks.
func (s *Store) Series(ctx context.Context, link terse.LinkRef, q terse.SeriesQuery) (
	series terse.Series, err error,
) {
	err = s.readClicks(ctx, link, q.Owner, func(conn *sqlite.Conn, id terse.LinkID) (err error) {
		series, err = stats.Series(conn, id, q)
		return err
	})
	return series, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
}

// Events returns a page of the clicks of a link, or of all links.
func (s *Store) Events(ctx context.Context, link terse.LinkRef, q terse.EventQuery) (
	page terse.EventPage, err error,
) {
	err = s.readClicks(ctx, link, q.Owner, func(conn *sqlite.Conn, id terse.LinkID) (err error) {
		page, err = stats.Events(conn, id, q)
		return err
	})
	return page, translate(ctx, err, "list clicks of link %d %v", link.ID, link.Code)
}

// readClicks calls read with a snapshot, and with the ID that the clicks of a link, or of all links
// of an owner, have there.
func (s *Store) readClicks(ctx context.Context, link terse.LinkRef, owner string,
	read func(*sqlite.Conn, terse.LinkID) error,
) error {
	return s.ask(ctx, func(conn *sqlite.Conn) (err error) {
		id := link.ID
		if link == terse.AllLinks {
			id, err = counter.AllOf(conn, owner)
		} else {
			_, err = record.Of(conn, link)
		}
		if err != nil {
			return err
		}
		return read(conn, id)
	})
}
