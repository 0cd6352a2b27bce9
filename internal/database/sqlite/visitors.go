package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/rows"
)

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

// VisitorKey returns the key that hashes the visitors of a day.
func (s *Store) VisitorKey(ctx context.Context, day terse.Day) (key terse.VisitorKey, err error) {
	err = s.writeAlone(ctx, func(w *writer) error {
		return rows.Securely(w.conn, func() error { return w.visitorKey(day, &key) })
	})
	return key, translate(ctx, err, "key of the visitors of %v", day)
}

// visitorKey reads or creates a day's key. Before it creates one, it wipes the hashes of the last
// day of the same parity.
func (w *writer) visitorKey(day terse.Day, key *terse.VisitorKey) error {
	found := 0
	if err := query.Each(w.conn, "SELECT key FROM visitor_keys WHERE day = ?",
		func(row *sqlite.Stmt) error {
			found = row.ColumnBytes(0, key[:])
			return nil
		}, day); err != nil || found > 0 {
		return err
	}
	over, err := query.Int(w.conn, `SELECT count(*) FROM visitor_days
		WHERE day = ?1 OR day > ?1 AND (day - ?1) % 2 = 0`, day)
	if err != nil {
		return err
	}
	if over > 0 {
		return terse.ErrNotFound
	}
	for _, sql := range []string{
		"DELETE FROM visitor_keys WHERE (day - ?) % 2 = 0",
		"UPDATE visitor_days SET kept = 0 WHERE (day - ?) % 2 = 0",
	} {
		if err := query.Run(w.conn, sql, day); err != nil {
			return err
		}
	}
	for more := true; more; {
		if more, err = w.wipeVisitors(); err != nil {
			return err
		}
	}
	rand.Read(key[:])
	if err := query.Run(w.conn, "INSERT INTO visitor_keys (day, key) VALUES (?, ?)", day,
		key[:]); err != nil {
		return err
	}
	return query.Run(w.conn, "INSERT INTO visitor_days (day, kept) VALUES (?, 1)", day)
}

// daysRemembered is for how many days the store remembers that a day is over.
const daysRemembered = 7

// EndDays deletes the keys and hashes of days that are over. Nothing of them remains in the files.
func (s *Store) EndDays(ctx context.Context, journal string, today terse.Day, counted bool) error {
	err := s.writeAlone(ctx, func(w *writer) error { return w.endDays(journal, today, counted) })
	for more := true; more && err == nil; {
		err = s.writeAlone(ctx, func(w *writer) (err error) {
			more, err = w.wipeVisitors()
			return err
		})
	}
	if err == nil {
		err = s.truncateLog(ctx)
	}
	return translate(ctx, err, "end the days before %v", today)
}

func (w *writer) endDays(journal string, today terse.Day, counted bool) error {
	if err := rows.Securely(w.conn, func() error {
		return query.Run(w.conn, "DELETE FROM visitor_keys WHERE day < ?", today)
	}); err != nil {
		return err
	}
	if err := query.Run(w.conn, `INSERT INTO journals (journal, position, day)
		VALUES (?1, 0, ?2) ON CONFLICT (journal) DO UPDATE SET day = max(day, ?2) WHERE ?3`,
		journal, today, counted); err != nil {
		return err
	}
	if err := query.Run(w.conn, `UPDATE visitor_days SET kept = 0 WHERE day < ? AND NOT EXISTS (
			SELECT 1 FROM journals AS j
			WHERE j.day BETWEEN visitor_days.day - 2 AND visitor_days.day)`, today); err != nil {
		return err
	}
	return query.Run(w.conn, "DELETE FROM visitor_days WHERE day < ?", today-daysRemembered)
}

// readersPatience is how long emptying the log, and so all writes, wait for readers, most of which
// take a millisecond.
const readersPatience = 20 * time.Millisecond

var errLogInUse = errors.New("the write-ahead log is in use")

// truncateLog moves the write-ahead log into the database, and empties it.
func (s *Store) truncateLog(ctx context.Context) error {
	w, err := s.takeWriter(ctx)
	if err != nil {
		return err
	}
	defer func() { s.writer <- w }()
	if err := w.ensureOpen(ctx); err != nil {
		return err
	}
	w.conn.SetInterrupt(ctx.Done())
	defer w.conn.SetInterrupt(nil)
	w.conn.SetBusyTimeout(readersPatience)
	defer w.conn.SetBusyTimeout(lockPatience)
	busy, err := query.Int(w.conn, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err == nil && busy != 0 {
		err = errLogInUse
	}
	return err
}
