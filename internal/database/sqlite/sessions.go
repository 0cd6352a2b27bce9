package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// CreateSession stores a session of a named token.
func (s *Store) CreateSession(ctx context.Context, by terse.Caller, session terse.Session) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.CreateSession(by, session) })
	return translate(ctx, err, "create a session")
}

// SessionGrant returns what a session proves.
func (s *Store) SessionGrant(ctx context.Context, hash terse.SecretHash) (
	grant terse.Grant, err error,
) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		grant, err = record.SessionGrant(conn, hash)
		return err
	})
	return grant, translate(ctx, err, "look up a session")
}

// DeleteSession ends a session.
func (s *Store) DeleteSession(ctx context.Context, by terse.Caller, hash terse.SecretHash) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.DeleteSession(by, hash) })
	return translate(ctx, err, "delete a session")
}

// DeleteSessions ends all sessions of a user.
func (s *Store) DeleteSessions(ctx context.Context, by terse.Caller, identity string) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.DeleteSessions(by, identity) })
	return translate(ctx, err, "delete the sessions of %q", identity)
}

// Seen notes that a user was seen.
func (s *Store) Seen(ctx context.Context, identity, token string, at time.Time) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.Seen(identity, token, at) })
	return translate(ctx, err, "note that %q was seen", identity)
}
