package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/hookstore"
	"terse/internal/database/sqlite/record"
)

// Users returns all users. It reads the numbers of all links.
func (s *Store) Users(ctx context.Context, each func(*terse.User)) (
	users []terse.User, err error,
) {
	err = s.ask(ctx, func(conn *sqlite.Conn) error {
		users, err = record.Users(conn, each)
		return err
	})
	return users, translate(ctx, err, "list users")
}

// User returns a user.
func (s *Store) User(ctx context.Context, identity string) (user terse.User, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		user, err = record.User(conn, identity)
		return err
	})
	return user, translate(ctx, err, "read user %q", identity)
}

// SignIn opens a session for a person.
func (s *Store) SignIn(
	ctx context.Context, by terse.Caller, person terse.User, session terse.Session,
) (terse.User, error) {
	user, err := change(ctx, s, func(c *record.Changes) (terse.User, error) {
		return c.SignIn(by, person, session)
	})
	return user, translate(ctx, err, "sign in %q", person.Identity)
}

// CreateService creates a service.
func (s *Store) CreateService(ctx context.Context, by terse.Caller, identity string) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.CreateService(by, identity) })
	return translate(ctx, err, "create service %q", identity)
}

// UpdateUser changes a user.
func (s *Store) UpdateUser(
	ctx context.Context, by terse.Caller, identity string, asked terse.UserChange,
) (user terse.User, err error) {
	err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
		if user, err = tx.changes.UpdateUser(by, identity, asked); err != nil {
			return err
		}
		return hookstore.UserChanged(tx, user, now)
	})
	if err != nil {
		user = terse.User{}
	}
	return user, translate(ctx, err, "update user %q", identity)
}

// DeleteUser deletes a user.
func (s *Store) DeleteUser(ctx context.Context, by terse.Caller, identity string) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.DeleteUser(by, identity) })
	return translate(ctx, err, "delete user %q", identity)
}
