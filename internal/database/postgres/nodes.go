package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A node says every beat that it runs. After lifetime without a beat, others take it for stopped.
const (
	beat     = 10 * time.Second
	lifetime = 30 * time.Second
)

// databaseTime is the database's clock, in microseconds since 1970.
const databaseTime = "(extract(epoch FROM clock_timestamp()) * 1e6)::bigint"

// enlist adds this node to those that run, until Close. It fails if one runs that compares
// addresses in another way: one of them would take for two addresses what is one for the other.
func (s *Store) enlist(ctx context.Context, journal string) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock); err != nil {
			return err
		}
		var others int
		err := tx.QueryRow(ctx, "SELECT count(*) FROM nodes WHERE journal <> $1 "+
			"AND ignore_case <> $2 AND seen_at > "+databaseTime+" - $3", journal,
			s.naming.IgnoreCase, lifetime.Microseconds()).Scan(&others)
		if err != nil {
			return err
		}
		if others > 0 {
			return fmt.Errorf("IGNORE_CASE is %t here, and %t on %d other node(s): all nodes need "+
				"the same; stop those, or wait %s if they have stopped",
				s.naming.IgnoreCase, !s.naming.IgnoreCase, others, lifetime)
		}
		return s.beat(ctx, tx, journal)
	})
	if err != nil {
		return err
	}
	s.enlisted.Do(func() { s.workers.Go(func() { s.keepBeating(journal) }) })
	return nil
}

func (s *Store) beat(ctx context.Context, tx pgx.Tx, journal string) error {
	_, err := tx.Exec(ctx, "INSERT INTO nodes (journal, ignore_case, seen_at) "+
		"VALUES ($1, $2, "+databaseTime+") ON CONFLICT (journal) DO UPDATE "+
		"SET ignore_case = excluded.ignore_case, seen_at = excluded.seen_at",
		journal, s.naming.IgnoreCase)
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM nodes WHERE seen_at < "+databaseTime+" - $1",
			(24 * time.Hour).Microseconds())
	}
	return err
}

// keepBeating beats until Close, and then takes this node off. Errors need no handling: the next
// beat is soon, and without any the node counts as stopped.
func (s *Store) keepBeating(journal string) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	within := func(f func(context.Context) error) {
		ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
		defer cancel()
		_ = f(ctx)
	}
	for {
		select {
		case <-tick.C:
			within(func(ctx context.Context) error {
				return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
					return s.beat(ctx, tx, journal)
				})
			})
		case <-s.closing:
			within(func(ctx context.Context) error {
				_, err := s.pool.Exec(ctx, "DELETE FROM nodes WHERE journal = $1", journal)
				return err
			})
			return
		}
	}
}
