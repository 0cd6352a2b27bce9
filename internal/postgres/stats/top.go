package stats

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
	"terse/internal/postgres/counter"
)

// byLink has the clicks of links with tags counted, and all of them by link, where a query asks for
// that.
func (q *statsQuery) byLink(asked *terse.SeriesQuery) error {
	if asked.Top > 0 && q.filtered {
		q.tally.Links = clickblock.NewLinkSums()
	}
	if len(asked.Tags) == 0 {
		return nil
	}
	eras, err := q.eras()
	q.tally.OfLinks(func(link clickblock.Link) bool {
		return eras[link.ID] == link.Era && q.tagged.Has(int64(link.ID))
	})
	return err
}

// top returns the links with the most clicks. Where nothing is filtered, the days were taken from
// their counts, so single clicks are read now.
func (q *statsQuery) top(asked *terse.SeriesQuery) ([]terse.LinkClicks, error) {
	if !q.filtered {
		q.tally = clickread.NewLinkTally(asked.Range)
		if err := q.readAll(); err != nil {
			return nil, err
		}
	}
	return q.tally.Top(asked.Top, q.Exist)
}

// ReadWithin calls f for the clicks of an owner's links in a range, without those that were
// cleared.
func ReadWithin(ctx context.Context, tx pgx.Tx, owner string, r terse.TimeRange,
	f func(id, clicks int64),
) error {
	s, err := newShelf(ctx, tx, nil, terse.AllLinks, owner, nil)
	if err != nil {
		return err
	}
	eras, err := s.eras()
	if err != nil {
		return err
	}
	q := statsQuery{shelf: s, tally: clickread.NewLinkTally(r)}
	q.first, q.last = r.Micros()
	if err := q.readAll(); err != nil {
		return err
	}
	for i := range q.tally.Links.Len() {
		if link, clicks := q.tally.Links.At(i); link.Era == eras[link.ID] {
			f(int64(link.ID), clicks)
		}
	}
	return nil
}

// eras returns the eras of links that were cleared.
func (s *shelf) eras() (map[terse.LinkID]uint32, error) {
	rows, _ := s.tx.Query(s.ctx, "SELECT link_id, era FROM link_clicks WHERE era > 0")
	eras := map[terse.LinkID]uint32{}
	var id int64
	var era int32
	_, err := pgx.ForEachRow(rows, []any{&id, &era}, func() error {
		eras[terse.LinkID(id)] = uint32(era)
		return nil
	})
	return eras, err
}

// readAll reads all single clicks of all links, and at the beginnings of their days those that are
// gone.
func (q *statsQuery) readAll() error {
	recent, _, err := q.recent()
	if err != nil || q.first > q.last {
		return err
	}
	first, last := terse.DayOf(q.first), terse.DayOf(q.last)
	err = q.addBlocks([]int32{int32(max(first, counter.PendingDay+1))}, []int32{int32(last)})
	if err != nil {
		return err
	}
	for _, blocks := range recent {
		if err := counter.EachBlock(blocks, q.tally.AddLoose); err != nil {
			return err
		}
	}
	rows, _ := q.tx.Query(q.ctx, `SELECT links FROM dropped_days
		WHERE code = ANY($1) AND link_id = $2 AND links IS NOT NULL
			AND day BETWEEN $3 AND $4 AND day * 86400000000 BETWEEN $5 AND $6`,
		q.codes, q.id, int32(first), int32(last), q.first, q.last)
	_, err = pgx.ForEachRow(rows, []any{&q.blob}, func() error { return q.tally.Links.Add(q.blob) })
	return err
}
