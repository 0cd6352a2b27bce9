package sqlite

import (
	"context"
	"errors"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/record"
)

// SearchStep is a search by time that may look through one range only, or through those that it
// can't do without.
func (s *Store) SearchStep(ctx context.Context,
	q terse.LinkQuery,
) (ids []terse.LinkID, next *terse.LinkMark, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		ranges, err := ownerRanges(conn, q.Owner)
		if err != nil {
			return err
		}
		step := searching{
			conn: conn, owner: q.Owner, search: q.Search, top: top{most: q.Limit},
			seen: maxSearched - 1,
		}
		next, err = step.byTime(ranges, q.After, q.Order)
		for _, r := range step.top.sorted() {
			ids = append(ids, terse.LinkID(r.inOrder(q.Order).id))
		}
		return err
	})
	return ids, next, err
}

// CheckFiles fails when something is wrong with the files for certain.
func (s *Store) CheckFiles() error {
	_, err := s.checkFiles()
	if errors.Is(err, errTruncated) {
		return nil
	}
	return err
}

// InsertLink is how Create stores a link.
const InsertLink = string(record.InsertLink)

// TakeWriter keeps all others from writing through the store until release is called.
func (s *Store) TakeWriter() (release func()) {
	w := <-s.writer
	return func() { s.writer <- w }
}
