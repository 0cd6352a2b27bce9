package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// Note notes something for the audit.
func (s *Store) Note(ctx context.Context, by terse.Caller, what terse.Noted) error {
	if s.noAudit {
		return nil
	}
	err := s.write(ctx, func(w *writer) error {
		return w.change(func(c *record.Changes) error { return c.Note(by, what) })
	})
	return translate(ctx, err, "note %s", what.Action)
}

// Audit returns a page of the audit.
func (s *Store) Audit(ctx context.Context, q terse.AuditQuery) (
	entries []terse.AuditEntry, err error,
) {
	if s.noAudit {
		return nil, nil
	}
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		entries, err = record.Audit(conn, q)
		return err
	})
	return entries, translate(ctx, err, "read the audit")
}

// DropAudit deletes old entries of the audit.
func (s *Store) DropAudit(ctx context.Context, before time.Time) error {
	for dropped := terse.DroppedAtOnce; dropped == terse.DroppedAtOnce; {
		err := s.writeAlone(ctx, func(w *writer) (err error) {
			dropped, err = record.DropAudit(w.conn, before)
			return err
		})
		if err != nil {
			return translate(ctx, err, "delete old entries of the audit")
		}
	}
	return nil
}
