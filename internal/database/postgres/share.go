package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres/links"
)

// Share returns the share of a target.
func (s *Store) Share(ctx context.Context, target terse.ShareTarget) (terse.Shared, error) {
	shared, err := read(ctx, func() (terse.Shared, error) {
		return links.Share(ctx, s.pool, named(target))
	})
	return shared, wrap(err, "read a share")
}

// named returns a target whose names PostgreSQL can look for.
func named(target terse.ShareTarget) terse.ShareTarget {
	target.Owner, target.Tag = nameOf(target.Owner), nameOf(target.Tag)
	return target
}

// Unshare revokes the share of a target. If the outcome of a try that deletes the share is unknown,
// and the next try finds none, the first try has deleted it.
func (s *Store) Unshare(ctx context.Context, by terse.Caller, target terse.ShareTarget) error {
	tried := false // a try has deleted the share
	err := s.changeAgain(ctx, func(_ pgx.Tx, c *links.Changes) error {
		err := c.Unshare(ctx, by, named(target))
		if tried && (errors.Is(err, terse.ErrShareNotFound) ||
			errors.Is(err, terse.ErrTagNotFound)) {
			return nil
		}
		tried = tried || err == nil
		return err
	})
	return wrap(err, "revoke a share")
}

// Shared returns a share with the link that it shows.
func (s *Store) Shared(ctx context.Context, share terse.Share) (
	shared terse.Shared, link terse.Link, err error,
) {
	err = again(ctx, func() (err error) {
		shared, link, err = links.Shared(ctx, s.pool, share)
		return err
	})
	return shared, link, wrap(err, "look up a share")
}

// SharesOf returns the shares of an owner.
func (s *Store) SharesOf(ctx context.Context, owner string) ([]terse.Shared, error) {
	shares, err := read(ctx, func() ([]terse.Shared, error) {
		return links.SharesOf(ctx, s.pool, nameOf(owner))
	})
	return shares, wrap(err, "list shares of %q", owner)
}
