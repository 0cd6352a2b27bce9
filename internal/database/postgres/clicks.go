package postgres

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/rows"
	"terse/internal/link/follow"
	"terse/internal/link/list"
)

// count runs f with the counter, in a transaction that holds the writers' lock, until it succeeds.
// Between tries others get the counter, so that each caller learns what its own try failed with.
func (s *Store) count(ctx context.Context,
	f func(context.Context, pgx.Tx, *clickstore.Counter) error,
) error {
	return again(ctx, func() error { return s.countOnce(ctx, f) })
}

func (s *Store) countOnce(ctx context.Context,
	f func(context.Context, pgx.Tx, *clickstore.Counter) error,
) error {
	var c *clickstore.Counter
	select {
	case c = <-s.counter:
		defer func() { s.counter <- c }()
	case <-ctx.Done():
		return fmt.Errorf("wait while other clicks are counted: %w", ctx.Err())
	case <-s.closing:
		return errClosed
	}
	err := s.writer.Do(ctx, func(ctx context.Context, tx pgx.Tx, r *rows.Rows) error {
		days, err := keptDays(ctx, tx)
		if err != nil {
			return err
		}
		if err := c.Begin(r, rows.NewLinks(ctx, tx), days, time.Now()); err != nil {
			return err
		}
		return f(ctx, tx, c)
	})
	c.End(err == nil)
	return err
}

// AddClicks counts a batch of at most 1,048,576 clicks. It takes no connection and no lock while
// this node must not count.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	if refused := s.uncounted.Load(); refused != nil {
		return wrap(*refused, "add clicks of journal %s", batch.Journal)
	}
	return s.Store.AddClicks(ctx, batch)
}

// clicks is a clickstore.Database. The errors of its methods are translated.
type clicks struct{ *Store }

// Count implements clickstore.Database.
func (s clicks) Count(ctx context.Context,
	f func(*clickstore.Counter, clickstore.Transaction) error,
) error {
	err := s.count(ctx, func(ctx context.Context, tx pgx.Tx, c *clickstore.Counter) error {
		t := counting{ctx, tx, s.Store, &told{}}
		if err := f(c, t); err != nil {
			return err
		}
		return t.told.write(ctx, tx)
	})
	return wrap(err, "count")
}

// Read implements clickstore.Database.
func (s clicks) Read(ctx context.Context, f func(clickstore.Snapshot) error) error {
	err := s.snapshot(ctx, func(tx pgx.Tx) error { return f(newClickRows(ctx, tx)) })
	return wrap(err, "read")
}

// Ask implements clickstore.Database.
func (s clicks) Ask(ctx context.Context, f func(clickstore.Snapshot) error) error {
	err := s.ask(ctx, func(tx pgx.Tx) error { return f(newClickRows(ctx, tx)) })
	return wrap(err, "read")
}

// clickRows are a clickstore.Snapshot.
type clickRows struct {
	*rows.Reader
	ctx context.Context
	tx  pgx.Tx
}

func newClickRows(ctx context.Context, tx pgx.Tx) clickRows {
	return clickRows{rows.NewReader(ctx, tx), ctx, tx}
}

// CheckLink implements clickstore.Snapshot.
func (r clickRows) CheckLink(link terse.LinkRef) error {
	return checkLink(r.ctx, r.tx, link)
}

func checkLink(ctx context.Context, tx pgx.Tx, link terse.LinkRef) error {
	var exists bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM links WHERE code = $1 AND id = $2)",
		link.Code.String(), int64(link.ID)).Scan(&exists)
	if err == nil && !exists {
		return terse.ErrNotFound
	}
	return err
}

// Position implements clickstore.Snapshot.
func (r clickRows) Position(journal string) (int64, error) {
	return journalPosition(r.ctx, r.tx, journal)
}

func journalPosition(ctx context.Context, tx pgx.Tx, journal string) (position int64, err error) {
	err = tx.QueryRow(ctx,
		"SELECT coalesce(max(position), 0) FROM journals WHERE journal = $1", journal,
	).Scan(&position)
	return position, err
}

// Owner implements clickstore.Snapshot.
func (r clickRows) Owner(owner string, some *terse.SomeLinks) (of clickstore.Asked, err error) {
	all, err := rows.AllOf(r.ctx, r.tx, owner)
	if err != nil {
		return of, err
	}
	of.Tagged, err = list.Some(&listed{ctx: r.ctx, tx: r.tx, owner: owner}, some)
	return clickstore.Asked{
		Links: all, Tagged: of.Tagged,
		Exist: func(ids []terse.LinkID) ([]terse.LinkRef, error) {
			return exist(r.ctx, r.tx, owner, ids)
		},
		Newest: list.Newest(&listed{ctx: r.ctx, tx: r.tx, owner: owner}),
	}, err
}

// counting is a clickstore.Transaction.
type counting struct {
	ctx   context.Context
	tx    pgx.Tx
	store *Store
	told  *told
}

// told are the clicks that webhooks wait for, by column, to be written together.
type told struct {
	owners, untracked, clicks []int64
	blocks                    [][]byte
}

func (t *told) add(some clickstore.Told) error {
	untracked := int64(0)
	if some.Untracked {
		untracked = 1
	}
	t.owners, t.untracked = append(t.owners, int64(some.Owner)), append(t.untracked, untracked)
	t.clicks = append(t.clicks, int64(some.Clicks))
	t.blocks = append(t.blocks, bytes.Clone(some.Block))
	return nil
}

func (t *told) write(ctx context.Context, tx pgx.Tx) error {
	if len(t.owners) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, "INSERT INTO counted_clicks (owner, untracked, clicks, value) "+
		"SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])",
		t.owners, t.untracked, t.clicks, t.blocks)
	return err
}

// Tell implements clickstore.Transaction.
func (c counting) Tell() (func(clickstore.Told) error, error) {
	if !follow.Events(c.store.heard.Load()).Has(terse.EventClicks) {
		return nil, nil
	}
	return c.told.add, nil
}

// CheckLink implements clickstore.Transaction.
func (c counting) CheckLink(link terse.LinkRef) error { return checkLink(c.ctx, c.tx, link) }

// Position implements clickstore.Transaction.
func (c counting) Position(journal string) (int64, error) {
	if refused := c.store.uncounted.Load(); refused != nil {
		return 0, *refused
	}
	return journalPosition(c.ctx, c.tx, journal)
}

// SetPosition implements clickstore.Transaction.
func (c counting) SetPosition(journal string, to int64) error {
	_, err := c.tx.Exec(c.ctx, `INSERT INTO journals (journal, position) VALUES ($1, $2)
		ON CONFLICT (journal) DO UPDATE SET position = excluded.position`, journal, to)
	return err
}

// Note implements clickstore.Transaction.
func (c counting) Note(by terse.Caller, what terse.Noted) error {
	changes := c.store.changes(c.tx)
	if err := changes.Note(by, what); err != nil {
		return err
	}
	return changes.Finish(c.ctx)
}

// exist returns the links of an owner, or of all, with the given IDs, in the same order: the zero
// LinkRef for an ID without a link. It filters by owner here: the server may think that the owner
// has few links, and read all of them.
func exist(ctx context.Context, tx pgx.Tx, owner string, ids []terse.LinkID) (
	[]terse.LinkRef, error,
) {
	found := map[terse.LinkID]terse.LinkRef{}
	var id terse.LinkID
	var text, by string
	links, _ := tx.Query(ctx, "SELECT id, code, created_by FROM links WHERE id = ANY($1)", ids)
	_, err := pgx.ForEachRow(links, []any{&id, &text, &by}, func() error {
		// A code written by another program may be invalid; then it has no clicks.
		code, err := terse.ParseKey(text)
		if err == nil && (owner == terse.AllOwners || by == owner) {
			found[id] = terse.LinkRef{ID: id, Code: code}
		}
		return nil
	})
	refs := make([]terse.LinkRef, len(ids))
	for i, id := range ids {
		refs[i] = found[id]
	}
	return refs, err
}
