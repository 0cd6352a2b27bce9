package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/rows"
)

// keptDays returns the days whose visitors are stored.
func keptDays(ctx context.Context, tx pgx.Tx) ([]terse.Day, error) {
	days, _ := tx.Query(ctx, "SELECT day FROM visitor_days WHERE kept")
	return pgx.CollectRows(days, pgx.RowTo[terse.Day])
}

// VisitorKey returns the key that hashes the visitors of a day.
func (s *Store) VisitorKey(ctx context.Context, day terse.Day) (key terse.VisitorKey, err error) {
	err = s.alone(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return visitorKey(ctx, tx, day, &key)
	})
	if err != nil {
		key = terse.VisitorKey{}
	}
	return key, wrap(err, "key of the visitors of %v", day)
}

// alone runs f in a transaction that holds the writers' lock.
func (s *Store) alone(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	return again(ctx, func() error {
		return s.writer.Do(ctx, func(ctx context.Context, tx pgx.Tx, _ *rows.Rows) error {
			return f(ctx, tx)
		})
	})
}

// visitorKey reads or creates a day's key. Before it creates one, it wipes the hashes of the last
// day of the same parity.
func visitorKey(ctx context.Context, tx pgx.Tx, day terse.Day, key *terse.VisitorKey) error {
	var found []byte
	err := tx.QueryRow(ctx, "SELECT key FROM visitor_keys WHERE day = $1", int32(day)).Scan(&found)
	if !errors.Is(err, pgx.ErrNoRows) {
		copy(key[:], found)
		return err
	}
	var over bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM visitor_days
		WHERE day = $1 OR day > $1 AND (day - $1) % 2 = 0)`, int32(day)).Scan(&over); err != nil {
		return err
	}
	if over {
		return terse.ErrNotFound
	}
	if _, err := tx.Exec(ctx, `UPDATE visitor_days SET kept = false
		WHERE kept AND (day - $1) % 2 = 0`, int32(day)); err != nil {
		return err
	}
	if err := rows.WipeIn(ctx, tx, clickstore.VisitorTable(day)); err != nil {
		return err
	}
	if err := keepKeys(ctx, tx, "(day - $1) % 2 <> 0", day); err != nil {
		return err
	}
	rand.Read(key[:])
	if _, err := tx.Exec(ctx, "INSERT INTO visitor_keys (day, key) VALUES ($1, $2)", int32(day),
		key[:]); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO visitor_days (day, kept) VALUES ($1, true)", int32(day))
	return err
}

// keepKeys deletes all keys except those that match which. It truncates the table, which replaces
// its file: deleted rows would stay in the old file for a while.
func keepKeys(ctx context.Context, tx pgx.Tx, which string, day terse.Day) error {
	type row struct {
		Day  int32
		Key  []byte
		Kept bool
	}
	keys, _ := tx.Query(ctx, "SELECT day, key, "+which+" FROM visitor_keys", int32(day))
	all, err := pgx.CollectRows(keys, pgx.RowToStructByPos[row])
	kept := slices.DeleteFunc(slices.Clone(all), func(r row) bool { return !r.Kept })
	if err != nil || len(kept) == len(all) {
		return err
	}
	if err := rows.Truncate(ctx, tx, "visitor_keys"); err != nil {
		return err
	}
	for _, k := range kept {
		if _, err := tx.Exec(ctx, "INSERT INTO visitor_keys (day, key) VALUES ($1, $2)", k.Day,
			k.Key); err != nil {
			return err
		}
	}
	return nil
}

// daysRemembered is for how many days the store remembers that a day is over.
const daysRemembered = 7

// EndDays deletes the keys and hashes of days that are over, those in memory at once. It fails
// while others read their tables, as a dump of the database does; a later call then wipes them.
func (s *Store) EndDays(ctx context.Context, journal string, today terse.Day, counted bool) error {
	err := s.count(ctx, func(ctx context.Context, tx pgx.Tx, c *clickstore.Counter) error {
		if err := endDays(ctx, tx, journal, today, counted); err != nil {
			return err
		}
		days, err := keptDays(ctx, tx)
		if err == nil {
			c.WipeVisitors(days)
		}
		return err
	})
	if err == nil {
		err = s.alone(ctx, func(ctx context.Context, tx pgx.Tx) error {
			return keepKeys(ctx, tx, "day >= $1", today)
		})
	}
	for _, parity := range []terse.Day{0, 1} {
		if err == nil {
			err = s.alone(ctx, func(ctx context.Context, tx pgx.Tx) error {
				return wipeParity(ctx, tx, parity)
			})
		}
	}
	return wrap(err, "end the days before %v", today)
}

func endDays(ctx context.Context, tx pgx.Tx, journal string, today terse.Day, counted bool) error {
	if _, err := tx.Exec(ctx, `INSERT INTO journals AS j (journal, position, day)
		VALUES ($1, 0, $2) ON CONFLICT (journal)
		DO UPDATE SET day = greatest(j.day, excluded.day) WHERE $3`,
		journal, int32(today), counted); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE visitor_days AS d SET kept = false
		WHERE kept AND day < $1 AND NOT EXISTS (
			SELECT FROM journals AS j WHERE j.day BETWEEN d.day - 2 AND d.day)`,
		int32(today)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM visitor_days WHERE day < $1", int32(today-daysRemembered))
	return err
}

// wipeParity empties the table of even or odd days, unless visitors of such a day are still needed.
func wipeParity(ctx context.Context, tx pgx.Tx, parity terse.Day) error {
	days, err := keptDays(ctx, tx)
	if err != nil || slices.ContainsFunc(days, func(d terse.Day) bool { return d&1 == parity }) {
		return err
	}
	return rows.WipeIn(ctx, tx, clickstore.VisitorTable(parity))
}
