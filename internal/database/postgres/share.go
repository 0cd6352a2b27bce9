package postgres

import (
	"cmp"
	"context"
	"errors"

	"terse"
	"terse/internal/database/postgres/links"
)

// Share returns a link's share.
func (s *Store) Share(ctx context.Context, link terse.LinkRef) (terse.Share, error) {
	share, err := read(ctx, func() (terse.Share, error) {
		share, err := links.Share(ctx, s.pool, link)
		if errors.Is(err, terse.ErrShareNotFound) {
			err = s.unshared(ctx, link)
		}
		return share, err
	})
	return share, wrap(err, "share of link %d %v", link.ID, link.Code)
}

// unshared returns the error for a link without a share, which depends on whether the link exists.
func (s *Store) unshared(ctx context.Context, link terse.LinkRef) error {
	_, err := links.Of(ctx, s.pool, link.Code.String(), int64(link.ID))
	return cmp.Or(err, error(terse.ErrShareNotFound))
}

// Unshare revokes a link's share. If the outcome of a try that deletes the share is unknown, and
// the next try finds none, the first try has deleted it.
func (s *Store) Unshare(ctx context.Context, by terse.Caller, link terse.LinkRef) error {
	tried := false // a try has deleted the share
	err := again(ctx, func() error {
		dropped := false
		err := s.change(ctx, func(c *links.Changes) (err error) {
			dropped, err = c.Unshare(ctx, by, link)
			return err
		})
		tried = tried || dropped
		if err == nil && !tried {
			err = s.unshared(ctx, link)
		}
		return err
	})
	return wrap(err, "stop sharing link %d %v", link.ID, link.Code)
}

// Shared returns the link of a share.
func (s *Store) Shared(ctx context.Context, share terse.Share) (terse.Link, error) {
	link, err := read(ctx, func() (terse.Link, error) { return links.Shared(ctx, s.pool, share) })
	return link, wrap(err, "look up a share")
}
