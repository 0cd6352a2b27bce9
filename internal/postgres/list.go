package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/counter"
	"terse/internal/postgres/list"
)

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (page terse.LinkPage, err error) {
	err = s.snapshot(ctx, func(tx pgx.Tx) (err error) {
		var within *list.Clicks
		if q.Order == terse.MostClickedFirst && q.Within != (terse.TimeRange{}) {
			clicks, err := counter.ReadWithin(ctx, tx, q.Within)
			if err != nil {
				return err
			}
			within = (*list.Clicks)(&clicks)
		}
		page, err = list.Page(ctx, tx, q, within)
		return err
	})
	if err != nil {
		return terse.LinkPage{}, wrap(err, "list links of %s", q.Owner)
	}
	return page, nil
}
