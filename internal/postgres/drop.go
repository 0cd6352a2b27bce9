package postgres

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"terse/internal/postgres/counter"
)

// DropClicks forgets single clicks before a time, in many small transactions. Several nodes may do
// so at once.
func (s *Store) DropClicks(ctx context.Context, before time.Time) error {
	err := s.dropBlocks(ctx, before.UnixMicro())
	if err == nil {
		err = s.dropRecent(ctx, before.UnixMicro())
	}
	return wrap(err, "drop clicks before %v", before)
}

func (s *Store) dropBlocks(ctx context.Context, before int64) error {
	place := counter.DropPlace{Day: math.MinInt32}
	for found := true; found; {
		next := place
		err := s.dropOnce(ctx, func(tx pgx.Tx, c *counter.Counter) (err error) {
			next, found, err = counter.NextDropped(ctx, tx, place, before)
			if err == nil && found {
				err = c.DropBlocks(ctx, tx, next, before)
			}
			return err
		})
		if err != nil {
			return err
		}
		place = next // only now: a transaction that is tried again begins where it did
	}
	return nil
}

// dropOnce runs f in a transaction, with the memory of the counter.
func (s *Store) dropOnce(ctx context.Context, f func(pgx.Tx, *counter.Counter) error) error {
	return s.withCounter(ctx, func(c *counter.Counter) error {
		return again(ctx, func() error {
			return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted},
				func(tx pgx.Tx) error { return f(tx, c) })
		})
	})
}

// rowsOfDrop bounds the rows of links that are looked into at once, of 1 KiB each.
const rowsOfDrop = 1000

// dropRecent looks into the rows of all links.
func (s *Store) dropRecent(ctx context.Context, before int64) error {
	for code, id, n := "", int64(0), rowsOfDrop; n == rowsOfDrop; {
		var old []counter.DropPlace
		n = 0
		rows, _ := s.pool.Query(ctx, `SELECT code, link_id, recent FROM link_clicks
			WHERE (code, link_id) > ($1, $2) AND recent <> '' ORDER BY code, link_id LIMIT $3`,
			code, id, rowsOfDrop)
		var recent []byte
		if _, err := pgx.ForEachRow(rows, []any{&code, &id, &recent}, func() error {
			n++
			if counter.BeginsBefore(recent, before) {
				old = append(old, counter.DropPlace{Code: code, ID: id, Day: counter.PendingDay})
			}
			return nil
		}); err != nil {
			return err
		}
		for _, place := range old {
			if err := s.dropOnce(ctx, func(tx pgx.Tx, c *counter.Counter) error {
				return c.DropRecent(ctx, tx, place.Code, place.ID, before)
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
