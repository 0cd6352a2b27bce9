package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
	"terse/internal/database/sqlite/rows"
	"terse/internal/link/list"
)

// clicks is a clickstore.Database. The errors of its methods are translated.
type clicks struct{ *Store }

// Count implements clickstore.Database: the writer has the only counter.
func (s clicks) Count(ctx context.Context,
	f func(*clickstore.Counter, clickstore.Transaction) error,
) error {
	err := s.writeAlone(ctx, func(w *writer) error {
		days, err := w.keptDays()
		if err != nil {
			return err
		}
		r := newClickRows(w.conn)
		if err := w.counter.Begin(r, rows.NewLinks(w.conn), days, time.Now()); err != nil {
			return err
		}
		return f(w.counter, counting{r, w})
	})
	return translate(ctx, err, "count")
}

// Read implements clickstore.Database.
func (s clicks) Read(ctx context.Context, f func(clickstore.Snapshot) error) error {
	err := s.snapshot(ctx, func(conn *sqlite.Conn) error { return f(newClickRows(conn)) })
	return translate(ctx, err, "read")
}

// Ask implements clickstore.Database.
func (s clicks) Ask(ctx context.Context, f func(clickstore.Snapshot) error) error {
	err := s.ask(ctx, func(conn *sqlite.Conn) error { return f(newClickRows(conn)) })
	return translate(ctx, err, "read")
}

// clickRows are a clickstore.Snapshot, or the Rows of a transaction.
type clickRows struct {
	*rows.Rows
	conn *sqlite.Conn
}

func newClickRows(conn *sqlite.Conn) clickRows { return clickRows{rows.New(conn), conn} }

// CheckLink implements clickstore.Snapshot.
func (r clickRows) CheckLink(link terse.LinkRef) error {
	_, err := record.Of(r.conn, link)
	return err
}

// Position implements clickstore.Snapshot.
func (r clickRows) Position(journal string) (int64, error) {
	return query.Int(r.conn, "SELECT position FROM journals WHERE journal = ?", journal)
}

// counting is a clickstore.Transaction.
type counting struct {
	clickRows
	writer *writer
}

// Note implements clickstore.Transaction.
func (c counting) Note(by terse.Caller, what terse.Noted) error {
	return c.writer.change(func(changes *record.Changes) error { return changes.Note(by, what) })
}

// Tell implements clickstore.Transaction.
func (c counting) Tell() (func(clickstore.Told) error, error) {
	if err := c.writer.learnHeard(); err != nil || !c.writer.heard.Has(terse.EventClicks) {
		return nil, err
	}
	return func(t clickstore.Told) error {
		return query.Run(c.conn, "INSERT INTO counted_clicks (owner, untracked, clicks, value) "+
			"VALUES (?, ?, ?, ?)", int64(t.Owner), t.Untracked, t.Clicks, t.Block)
	}, nil
}

// SetPosition implements clickstore.Transaction.
func (c counting) SetPosition(journal string, to int64) error {
	return query.Run(c.conn, `INSERT INTO journals (journal, position) VALUES (?1, ?2)
		ON CONFLICT (journal) DO UPDATE SET position = ?2`, journal, to)
}

// Owner implements clickstore.Snapshot.
func (r clickRows) Owner(owner string, some *terse.SomeLinks) (of clickstore.Asked, err error) {
	all, err := rows.AllOf(r.conn, owner)
	if err != nil {
		return of, err
	}
	of.Tagged, err = list.Some(&listed{conn: r.conn, owner: owner}, some)
	return clickstore.Asked{
		Links: all, Tagged: of.Tagged,
		Exist: func(ids []terse.LinkID) ([]terse.LinkRef, error) {
			return exist(r.conn, owner, ids)
		},
		Newest: list.Newest(&listed{conn: r.conn, owner: owner}),
	}, err
}

// exist returns the links of an owner, or of all, with the given IDs, in the same order: the zero
// LinkRef for an ID without a link.
func exist(conn *sqlite.Conn, owner string, ids []terse.LinkID) ([]terse.LinkRef, error) {
	refs := make([]terse.LinkRef, len(ids))
	for i, id := range ids {
		err := query.Each(conn, "SELECT code FROM links WHERE id = ?1 AND ?2 IN (created_by, '*')",
			func(row *sqlite.Stmt) error {
				// A code written by another program may be invalid; then it has no clicks.
				if code, err := terse.ParseKey(row.ColumnText(0)); err == nil {
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
