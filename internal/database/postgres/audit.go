package postgres

import (
	"context"
	"time"

	"terse"
	"terse/internal/database/postgres/links"
)

// Note notes something for the audit.
func (s *Store) Note(ctx context.Context, by terse.Caller, what terse.Noted) error {
	if s.noAudit {
		return nil
	}
	err := again(ctx, func() error {
		err := s.change(ctx, func(c *links.Changes) error { return c.Note(by, what) })
		what.Once = true // it may be there, if only the answer was lost
		return err
	})
	return wrap(err, "note %s", what.Action)
}

// Audit returns a page of the audit.
func (s *Store) Audit(ctx context.Context, q terse.AuditQuery) ([]terse.AuditEntry, error) {
	if s.noAudit {
		return nil, nil
	}
	entries, err := read(ctx, func() ([]terse.AuditEntry, error) {
		return links.Audit(ctx, s.pool, q)
	})
	return entries, wrap(err, "read the audit")
}

// DropAudit deletes old entries of the audit.
func (s *Store) DropAudit(ctx context.Context, before time.Time) error {
	for dropped := terse.DroppedAtOnce; dropped == terse.DroppedAtOnce; {
		var err error
		dropped, err = read(ctx, func() (int, error) {
			return links.DropAudit(ctx, s.pool, before)
		})
		if err != nil {
			return wrap(err, "delete old entries of the audit")
		}
	}
	return nil
}
