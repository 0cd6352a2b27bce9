package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/linkset"
	"terse/internal/list"
	"terse/internal/postgres/links"
	"terse/internal/postgres/rows"
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

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	if refused := s.uncounted.Load(); refused != nil {
		return wrap(*refused, "add clicks of journal %s", batch.Journal)
	}
	lost := 0
	err := s.count(ctx, func(ctx context.Context, tx pgx.Tx, c *clickstore.Counter) (err error) {
		if refused := s.uncounted.Load(); refused != nil {
			return *refused
		}
		if err := movePosition(ctx, tx, batch); err != nil {
			return err
		}
		lost, err = c.Add(&batch.Clicks, batch.GiveUp != nil)
		return err
	})
	if err == nil && lost > 0 {
		batch.GiveUp(lost)
	}
	return wrap(err, "add %d clicks of journal %s", len(batch.Clicks.List), batch.Journal)
}

func movePosition(ctx context.Context, tx pgx.Tx, batch terse.ClickBatch) error {
	before, err := journalPosition(ctx, tx, batch.Journal)
	if err == nil {
		err = clickstore.CheckPosition(&batch, before)
	}
	if err != nil || batch.To == before {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO journals (journal, position) VALUES ($1, $2)
		ON CONFLICT (journal) DO UPDATE SET position = excluded.position`, batch.Journal, batch.To)
	return err
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func journalPosition(ctx context.Context, q querier, journal string) (position int64, err error) {
	err = q.QueryRow(ctx,
		"SELECT coalesce(max(position), 0) FROM journals WHERE journal = $1", journal,
	).Scan(&position)
	return position, err
}

// JournalPosition returns the position that AddClicks last wrote for a journal.
func (s *Store) JournalPosition(ctx context.Context, journal string) (position int64, err error) {
	err = again(ctx, func() (err error) {
		position, err = journalPosition(ctx, s.pool, journal)
		return err
	})
	return position, wrap(err, "read position of journal %s", journal)
}

// Clicks returns the number of clicks of a link.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (terse.LinkClicks, error) {
	total, err := snapshot(ctx, s, func(tx pgx.Tx) (clickstore.Total, error) {
		if err := isThere(ctx, tx, link); err != nil {
			return clickstore.Total{}, err
		}
		return clickstore.TotalOf(rows.NewReader(ctx, tx), link.ID)
	})
	return total.Of(link), wrap(err, "count clicks of link %d %v", link.ID, link.Code)
}

// isThere returns terse.ErrNotFound if a link does not exist.
func isThere(ctx context.Context, tx pgx.Tx, link terse.LinkRef) error {
	var there bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM links WHERE code = $1 AND id = $2)",
		link.Code.String(), int64(link.ID)).Scan(&there)
	if err == nil && !there {
		return terse.ErrNotFound
	}
	return err
}

// ClearClicks deletes a link's clicks.
func (s *Store) ClearClicks(ctx context.Context, link terse.LinkRef) error {
	err := s.count(ctx, func(ctx context.Context, tx pgx.Tx, c *clickstore.Counter) error {
		if err := isThere(ctx, tx, link); err != nil {
			return err
		}
		return c.Clear(link.ID)
	})
	return wrap(err, "clear clicks of link %d %v", link.ID, link.Code)
}

// AddPast tops up clicks of the past.
func (s *Store) AddPast(ctx context.Context, past []terse.Past) (
	added []terse.PastAdded, err error,
) {
	err = s.count(ctx, func(_ context.Context, _ pgx.Tx, c *clickstore.Counter) (err error) {
		added, err = c.AddPast(past)
		return err
	})
	return added, wrap(err, "add the past of %d links", len(past))
}

// errTried undoes a transaction that only tries something.
var errTried = errors.New("postgres: nothing is to be changed")

// TryPast finds out what AddPast would do.
func (s *Store) TryPast(ctx context.Context, past []terse.Past) (
	added []terse.PastAdded, err error,
) {
	err = s.count(ctx, func(_ context.Context, _ pgx.Tx, c *clickstore.Counter) (err error) {
		if added, err = c.TryPast(past); err == nil {
			err = errTried
		}
		return err
	})
	if errors.Is(err, errTried) {
		return added, nil
	}
	return nil, wrap(err, "try the past of %d links", len(past))
}

// dropPatience bounds how long one of the transactions of DropClicks waits for its turn and for the
// database. Nobody waits for it, so that it may be longer than for others.
const dropPatience = 30 * time.Second

// DropClicks drops single clicks before a time, in many small transactions.
func (s *Store) DropClicks(ctx context.Context, before time.Time) error {
	var place clickstore.DropPlace
	for done := false; !done; {
		var err error
		if place, done, err = s.dropSome(ctx, place, before); err != nil {
			return wrap(err, "drop clicks before %v", before)
		}
	}
	return nil
}

// dropSome is a transaction of DropClicks.
func (s *Store) dropSome(ctx context.Context, from clickstore.DropPlace, before time.Time) (
	next clickstore.DropPlace, done bool, err error,
) {
	ctx, cancel := context.WithTimeout(ctx, dropPatience)
	defer cancel()
	err = s.count(ctx, func(_ context.Context, _ pgx.Tx, c *clickstore.Counter) (err error) {
		next, done, err = c.Drop(from, before.UnixMicro())
		return err
	})
	return next, done, err
}

// Series counts the clicks of a link, or of terse.AllLinks.
func (s *Store) Series(ctx context.Context, link terse.LinkRef, q terse.SeriesQuery) (
	terse.Series, error,
) {
	series, err := ask(ctx, s, func(tx pgx.Tx) (terse.Series, error) {
		of, err := asked(ctx, tx, link, q.Owner, q.Tags)
		if err != nil {
			return terse.Series{}, err
		}
		return clickstore.Series(rows.NewReader(ctx, tx), of, q)
	})
	if err != nil {
		return terse.Series{}, wrap(err, "count clicks of link %d %v", link.ID, link.Code)
	}
	return series, nil
}

// Events returns a page of the clicks of a link, or of all links.
func (s *Store) Events(ctx context.Context, link terse.LinkRef, q terse.EventQuery) (
	terse.EventPage, error,
) {
	page, err := ask(ctx, s, func(tx pgx.Tx) (terse.EventPage, error) {
		of, err := asked(ctx, tx, link, q.Owner, q.Tags)
		if err != nil {
			return terse.EventPage{}, err
		}
		return clickstore.Events(rows.NewReader(ctx, tx), of, q)
	})
	return page, wrap(err, "list clicks of link %d %v", link.ID, link.Code)
}

// asked returns whose clicks are asked for: those of a link, or of all links of an owner with the
// given tags.
func asked(ctx context.Context, tx pgx.Tx, link terse.LinkRef, owner string, tags []string) (
	of clickstore.Asked, err error,
) {
	if link != terse.AllLinks {
		return clickstore.Asked{Link: link.ID}, isThere(ctx, tx, link)
	}
	id, err := rows.Owner(ctx, tx, owner)
	if err != nil {
		return of, err
	}
	of.Link = id.Link()
	of.Exist = func(ids []terse.LinkID) ([]terse.LinkRef, error) {
		return exist(ctx, tx, owner, ids)
	}
	of.Newest = list.Newest(&listed{ctx: ctx, tx: tx, owner: owner})
	for i, tag := range tags {
		var have linkset.Set
		if have, err = links.Set(ctx, tx, owner, links.TagSet(terse.FoldTag(tag))); err != nil {
			return of, err
		}
		if i > 0 {
			have = of.Tagged.And(have)
		}
		of.Tagged = have
	}
	return of, nil
}

// exist returns the owner's links with the given IDs, in the same order: the zero LinkRef for an ID
// without a link. It filters by owner here: the server may think that the owner has few links, and
// read all of them.
func exist(ctx context.Context, tx pgx.Tx, owner string, ids []terse.LinkID) (
	[]terse.LinkRef, error,
) {
	found := map[terse.LinkID]terse.LinkRef{}
	var id terse.LinkID
	var text, by string
	links, _ := tx.Query(ctx, "SELECT id, code, created_by FROM links WHERE id = ANY($1)", ids)
	_, err := pgx.ForEachRow(links, []any{&id, &text, &by}, func() error {
		// A code written by another program may be invalid; then it has no clicks.
		if code, err := terse.ParseCode(text); err == nil && by == owner {
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
