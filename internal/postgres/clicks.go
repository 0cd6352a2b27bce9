package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/counter"
	"terse/internal/postgres/stats"
)

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	return wrap(s.addClicks(ctx, batch), "add %d clicks of journal %s", len(batch.Clicks.List),
		batch.Journal)
}

func (s *Store) addClicks(ctx context.Context, batch terse.ClickBatch) error {
	if len(batch.Clicks.List) > counter.MaxClicks {
		return fmt.Errorf("more than %d clicks in a batch", counter.MaxClicks)
	}
	return s.withCounter(ctx, func(c *counter.Counter) error {
		c.Sort(batch.Clicks.List)
		for {
			err := s.tryBatch(ctx, c, batch)
			if !errors.Is(err, counter.ErrStale) {
				return err
			}
		}
	})
}

// withCounter runs f with the counter, once nobody else uses it.
func (s *Store) withCounter(ctx context.Context, f func(*counter.Counter) error) error {
	select {
	case c := <-s.counter:
		defer func() { s.counter <- c }()
		return f(c)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}

func (s *Store) tryBatch(ctx context.Context, c *counter.Counter, batch terse.ClickBatch) error {
	return again(ctx, func() error {
		if refused := s.uncounted.Load(); refused != nil {
			return *refused
		}
		err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted},
			func(tx pgx.Tx) error { return c.Count(ctx, tx, batch) })
		c.Commit(err == nil)
		return err
	})
}

// JournalPosition returns the position that AddClicks last wrote for a journal.
func (s *Store) JournalPosition(ctx context.Context, journal string) (position int64, err error) {
	err = again(ctx, func() error {
		return s.pool.QueryRow(ctx,
			"SELECT coalesce(max(position), 0) FROM journals WHERE journal = $1", journal,
		).Scan(&position)
	})
	return position, wrap(err, "read position of journal %s", journal)
}

// Series counts a link's clicks.
func (s *Store) Series(ctx context.Context, link terse.LinkRef, q terse.SeriesQuery) (
	terse.Series, error,
) {
	series, err := ask(ctx, s, func(tx pgx.Tx) (terse.Series, error) {
		return stats.Series(ctx, tx, s.dialect, link, q)
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
		return stats.Events(ctx, tx, s.dialect, link, q)
	})
	return page, wrap(err, "list clicks of link %d %v", link.ID, link.Code)
}

// Clicks returns how many clicks of a link were counted.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (clicks int64, err error) {
	err = again(ctx, func() error {
		return s.pool.QueryRow(ctx,
			"SELECT clicks FROM link_clicks WHERE code = $1 AND link_id = $2", link.Code.String(),
			int64(link.ID)).Scan(&clicks)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, terse.ErrNotFound
	}
	return clicks, wrap(err, "count clicks of link %d %v", link.ID, link.Code)
}
