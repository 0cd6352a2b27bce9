package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// Share returns a link's share.
func (s *Store) Share(ctx context.Context, link terse.LinkRef) (share terse.Share, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		share, err = record.Share(conn, link)
		return err
	})
	return share, translate(ctx, err, "share of link %d %v", link.ID, link.Code)
}

// Unshare revokes a link's share.
func (s *Store) Unshare(ctx context.Context, by terse.Caller, link terse.LinkRef) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.DropShare(by, link) })
	return translate(ctx, err, "stop sharing link %d %v", link.ID, link.Code)
}

// Shared returns the link of a share.
func (s *Store) Shared(ctx context.Context, share terse.Share) (link terse.Link, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		link, err = record.Shared(conn, share)
		return err
	})
	return link, translate(ctx, err, "look up a share")
}
