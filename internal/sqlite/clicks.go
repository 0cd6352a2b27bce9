package sqlite

import (
	"context"
	"errors"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/list"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
	"terse/internal/sqlite/rows"
)

// count runs f with the counter, in a transaction of its own.
func (s *Store) count(ctx context.Context, f func(*writer) error) error {
	return s.writeAlone(ctx, func(w *writer) error {
		days, err := w.keptDays()
		if err != nil {
			return err
		}
		if err := w.counter.Begin(rows.New(w.conn), rows.NewLinks(w.conn), days,
			time.Now()); err != nil {
			return err
		}
		return f(w)
	})
}

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	lost := 0
	err := s.count(ctx, func(w *writer) (err error) {
		if err := w.movePosition(batch); err != nil {
			return err
		}
		lost, err = w.counter.Add(&batch.Clicks, batch.GiveUp != nil)
		return err
	})
	if err == nil && lost > 0 {
		batch.GiveUp(lost)
	}
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
	return query.Int(conn, "SELECT position FROM journals WHERE journal = ?", journal)
}

func (w *writer) movePosition(batch terse.ClickBatch) error {
	before, err := journalPosition(w.conn, batch.Journal)
	if err == nil {
		err = clickstore.CheckPosition(&batch, before)
	}
	if err != nil || batch.To == before {
		return err
	}
	return query.Run(w.conn, `INSERT INTO journals (journal, position) VALUES (?1, ?2)
		ON CONFLICT (journal) DO UPDATE SET position = ?2`, batch.Journal, batch.To)
}

// Clicks returns the number of clicks of a link.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (
	clicks terse.LinkClicks, err error,
) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		if _, err := record.Of(conn, link); err != nil {
			return err
		}
		total, err := clickstore.TotalOf(rows.New(conn), link.ID)
		clicks = total.Of(link)
		return err
	})
	return clicks, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
}

// ClearClicks deletes a link's clicks.
func (s *Store) ClearClicks(ctx context.Context, link terse.LinkRef) error {
	err := s.count(ctx, func(w *writer) error {
		if _, err := record.Of(w.conn, link); err != nil {
			return err
		}
		return w.counter.Clear(link.ID)
	})
	return translate(ctx, err, "clear clicks of link %d %v", link.ID, link.Code)
}

// AddPast tops up clicks of the past.
func (s *Store) AddPast(ctx context.Context, past []terse.Past) (
	added []terse.PastAdded, err error,
) {
	err = s.count(ctx, func(w *writer) (err error) {
		added, err = w.counter.AddPast(past)
		return err
	})
	return added, translate(ctx, err, "add the past of %d links", len(past))
}

// errTried undoes a transaction that only tries something.
var errTried = errors.New("sqlite: nothing is to be changed")

// TryPast finds out what AddPast would do.
func (s *Store) TryPast(ctx context.Context, past []terse.Past) (
	added []terse.PastAdded, err error,
) {
	err = s.count(ctx, func(w *writer) (err error) {
		if added, err = w.counter.TryPast(past); err == nil {
			err = errTried
		}
		return err
	})
	if errors.Is(err, errTried) {
		return added, nil
	}
	return nil, translate(ctx, err, "try the past of %d links", len(past))
}

// DropClicks drops single clicks before a time, in many small transactions.
func (s *Store) DropClicks(ctx context.Context, before time.Time) error {
	var place clickstore.DropPlace
	for done := false; !done; {
		err := s.count(ctx, func(w *writer) (err error) {
			place, done, err = w.counter.Drop(place, before.UnixMicro())
			return err
		})
		if err != nil {
			return translate(ctx, err, "drop clicks before %v", before)
		}
	}
	return nil
}

// Series counts the clicks of a link, or of terse.AllLinks.
func (s *Store) Series(ctx context.Context, link terse.LinkRef, q terse.SeriesQuery) (
	series terse.Series, err error,
) {
	err = s.askClicks(ctx, link, q.Owner, q.Tags,
		func(r clickstore.Reader, of clickstore.Asked) (err error) {
			series, err = clickstore.Series(r, of, q)
			return err
		})
	return series, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
}

// Events returns a page of the clicks of a link, or of all links.
func (s *Store) Events(ctx context.Context, link terse.LinkRef, q terse.EventQuery) (
	page terse.EventPage, err error,
) {
	err = s.askClicks(ctx, link, q.Owner, q.Tags,
		func(r clickstore.Reader, of clickstore.Asked) (err error) {
			page, err = clickstore.Events(r, of, q)
			return err
		})
	return page, translate(ctx, err, "list clicks of link %d %v", link.ID, link.Code)
}

// askClicks calls f with a snapshot, and with whose clicks are asked for: those of a link, or of
// all links of an owner with the given tags.
func (s *Store) askClicks(ctx context.Context, link terse.LinkRef, owner string, tags []string,
	f func(clickstore.Reader, clickstore.Asked) error,
) error {
	return s.ask(ctx, func(conn *sqlite.Conn) error {
		if link != terse.AllLinks {
			if _, err := record.Of(conn, link); err != nil {
				return err
			}
			return f(rows.New(conn), clickstore.Asked{Link: link.ID})
		}
		id, err := rows.Owner(conn, owner)
		if err != nil {
			return err
		}
		tagged, err := record.Tagged(conn, owner, tags)
		if err != nil {
			return err
		}
		return f(rows.New(conn), clickstore.Asked{
			Link: id.Link(), Tagged: tagged,
			Exist: func(ids []terse.LinkID) ([]terse.LinkRef, error) {
				return exist(conn, owner, ids)
			},
			Newest: list.Newest(&listed{conn: conn, owner: owner}),
		})
	})
}

// exist returns the owner's links with the given IDs, in the same order: the zero LinkRef for an ID
// without a link.
func exist(conn *sqlite.Conn, owner string, ids []terse.LinkID) ([]terse.LinkRef, error) {
	refs := make([]terse.LinkRef, len(ids))
	for i, id := range ids {
		err := query.Each(conn, "SELECT code FROM links WHERE id = ? AND created_by = ?",
			func(row *sqlite.Stmt) error {
				// A code written by another program may be invalid; then it has no clicks.
				if code, err := terse.ParseCode(row.ColumnText(0)); err == nil {
					refs[i] = terse.LinkRef{ID: id, Code: code}
				}
				return nil
			}, id, owner)
		if err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// keptDays returns the days whose visitors are stored.
func (w *writer) keptDays() (days []terse.Day, err error) {
	err = query.Each(w.conn, "SELECT day FROM visitor_days WHERE kept",
		func(row *sqlite.Stmt) error {
			days = append(days, terse.Day(row.ColumnInt64(0)))
			return nil
		})
	return days, err
}

// wipeVisitors empties the tables whose days are over, as far as one transaction should, and
// reports whether there is more to do.
func (w *writer) wipeVisitors() (more bool, err error) {
	days, err := w.keptDays()
	if err != nil {
		return false, err
	}
	for _, parity := range []terse.Day{0, 1} {
		if slices.ContainsFunc(days, func(d terse.Day) bool { return d&1 == parity }) {
			continue
		}
		if more, err = rows.Wipe(w.conn, clickstore.VisitorTable(parity)); more || err != nil {
			return more, err
		}
	}
	w.counter.WipeVisitors(days)
	return false, nil
}
