package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/list"
)

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (page terse.LinkPage, err error) {
	err = s.snapshot(ctx, func(tx pgx.Tx) (err error) {
		page, err = list.Page(ctx, tx, q)
		return err
	})
	if err != nil {
		return terse.LinkPage{}, wrap(err, "list links of %s", q.Owner)
	}
	return page, nil
}
