package sqlite

import (
	"context"
	"errors"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/record"
)

// Share returns a link's share. To look at one costs no write.
func (s *Store) Share(ctx context.Context, link terse.LinkRef, fresh terse.Share) (
	share terse.Share, err error,
) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		share, err = record.Share(conn, link)
		return err
	})
	if errors.Is(err, terse.ErrShareNotFound) && fresh != (terse.Share{}) {
		share, err = s.makeShare(ctx, link, fresh)
	}
	return share, translate(ctx, err, "share link %d %v", link.ID, link.Code)
}

// makeShare returns the share that another caller has made meanwhile, if one has.
func (s *Store) makeShare(ctx context.Context, link terse.LinkRef, fresh terse.Share) (
	terse.Share, error,
) {
	var made terse.Share // the writer may still write it when ctx has ended
	err := s.write(ctx, func(w *writer) (err error) {
		made, err = record.Share(w.conn, link)
		if errors.Is(err, terse.ErrShareNotFound) {
			made, err = fresh, record.PutShare(w.conn, link.ID, fresh)
		}
		return whole(err)
	})
	if err != nil {
		return terse.Share{}, err
	}
	return made, nil
}

// Unshare takes a link's share back.
func (s *Store) Unshare(ctx context.Context, link terse.LinkRef) error {
	err := s.write(ctx, func(w *writer) error { return whole(record.DropShare(w.conn, link)) })
	return translate(ctx, err, "stop sharing link %d %v", link.ID, link.Code)
}

// Shared returns the link that a share is of.
func (s *Store) Shared(ctx context.Context, share terse.Share) (link terse.Link, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		link, err = record.Shared(conn, share)
		return err
	})
	return link, translate(ctx, err, "look up a share")
}
