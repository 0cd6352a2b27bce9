package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// Share returns the share of a target.
func (s *Store) Share(ctx context.Context, target terse.ShareTarget) (
	shared terse.Shared, err error,
) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		shared, err = record.Share(conn, target)
		return err
	})
	return shared, translate(ctx, err, "read a share")
}

// Unshare revokes the share of a target.
func (s *Store) Unshare(ctx context.Context, by terse.Caller, target terse.ShareTarget) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.DropShare(by, target) })
	return translate(ctx, err, "revoke a share")
}

// Shared returns a share with the link that it shows.
func (s *Store) Shared(ctx context.Context, share terse.Share) (
	shared terse.Shared, link terse.Link, err error,
) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		shared, link, err = record.Shared(conn, share)
		return err
	})
	return shared, link, translate(ctx, err, "look up a share")
}

// SharesOf returns the shares of an owner.
func (s *Store) SharesOf(ctx context.Context, owner string) (shares []terse.Shared, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		shares, err = record.SharesOf(conn, owner)
		return err
	})
	return shares, translate(ctx, err, "list shares of %q", owner)
}
