package postgres

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/counter"
)

// lockDays has nodes make and end days one after the other. It does not keep a batch from reading
// which days there are.
const lockDays = "LOCK TABLE visitor_days IN SHARE ROW EXCLUSIVE MODE"

// VisitorKey returns the key that the visitors of a day are hashed with.
func (s *Store) VisitorKey(ctx context.Context, day terse.Day) (key terse.VisitorKey, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockDays); err != nil {
			return err
		}
		return visitorKey(ctx, tx, day, &key)
	})
	if err != nil {
		key = terse.VisitorKey{}
	}
	return key, wrap(err, "key of the visitors of %v", day)
}

// visitorKey reads a day's key, or makes it. Then hashes of the last day of its parity go, if they
// are still there.
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
	if err := forgetHashes(ctx, tx, day); err != nil {
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

// forgetHashes forgets the hashes of all days of a day's parity. A table that is truncated has
// another file, while rows that are deleted stay in theirs for a while.
func forgetHashes(ctx context.Context, tx pgx.Tx, day terse.Day) error {
	if _, err := tx.Exec(ctx, `UPDATE visitor_days SET kept = false
		WHERE kept AND (day - $1) % 2 = 0`, int32(day)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "TRUNCATE "+counter.VisitorTable(day))
	return err
}

// keepKeys forgets the keys of all days but some, in the same way.
func keepKeys(ctx context.Context, tx pgx.Tx, which string, day terse.Day) error {
	rows, _ := tx.Query(ctx, "SELECT day, key FROM visitor_keys WHERE "+which, int32(day))
	type row struct {
		Day int32
		Key []byte
	}
	kept, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "TRUNCATE visitor_keys"); err != nil {
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

// daysRemembered is how long it is remembered that a day is over.
const daysRemembered = 7

// EndDays forgets keys and hashes of days that are over.
func (s *Store) EndDays(ctx context.Context, journal string, today terse.Day, counted bool) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockDays); err != nil {
			return err
		}
		return endDays(ctx, tx, journal, today, counted)
	})
	if err == nil && counted { // this node needs the sets of earlier days no more
		err = s.withCounter(ctx, func(c *counter.Counter) error {
			c.WipeBefore(today)
			return nil
		})
	}
	return wrap(err, "end the days before %v", today)
}

func endDays(ctx context.Context, tx pgx.Tx, journal string, today terse.Day, counted bool) error {
	var old bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM visitor_keys WHERE day < $1)",
		int32(today)).Scan(&old); err != nil {
		return err
	}
	if old {
		if err := keepKeys(ctx, tx, "day >= $1", today); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, `INSERT INTO journals AS j (journal, position, day)
		VALUES ($1, 0, $2) ON CONFLICT (journal)
		DO UPDATE SET day = greatest(j.day, excluded.day) WHERE $3`,
		journal, int32(today), counted); err != nil {
		return err
	}
	rows, _ := tx.Query(ctx, `SELECT day FROM visitor_days AS d
		WHERE kept AND day < $1 AND NOT EXISTS (
			SELECT FROM journals AS j WHERE j.day BETWEEN d.day - 2 AND d.day)`, int32(today))
	over, err := pgx.CollectRows(rows, pgx.RowTo[terse.Day])
	if err != nil {
		return err
	}
	for _, day := range over {
		if err := forgetHashes(ctx, tx, day); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, "DELETE FROM visitor_days WHERE day < $1", int32(today-daysRemembered))
	return err
}
