package stats

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
	"terse/internal/postgres/counter"
)

// byLink has the clicks of links with tags counted, and all of them by link, where a query asks for
// that. The links with the tags are read before: their clicks come as the rows of one query.
func (q *statsQuery) byLink(asked *terse.SeriesQuery) error {
	if asked.Top > 0 && q.filtered {
		q.tally.Links = clickblock.NewLinkSums()
	}
	if len(asked.Tags) == 0 {
		return nil
	}
	var sql strings.Builder
	sql.WriteString("SELECT c.code, c.link_id, c.era FROM link_clicks AS c")
	args := []any{asked.Owner}
	for i, tag := range asked.Tags {
		args = append(args, terse.FoldTag(tag))
		fmt.Fprintf(&sql, ` JOIN link_tags AS t%[1]d ON t%[1]d.code = c.code
			AND t%[1]d.link_id = c.link_id AND t%[1]d.owner = $1 AND t%[1]d.tag = $%[2]d`,
			i, len(args))
	}
	rows, _ := q.tx.Query(q.ctx, sql.String(), args...)
	tagged := map[clickblock.Link]bool{}
	var code string
	var id int64
	var era int32
	_, err := pgx.ForEachRow(rows, []any{&code, &id, &era}, func() error {
		parsed, err := terse.ParseCode(code)
		tagged[clickblock.Link{
			LinkRef: terse.LinkRef{ID: terse.LinkID(id), Code: parsed}, Era: uint32(era),
		}] = true
		return err
	})
	q.tally.OfLinks(func(link clickblock.Link) bool { return tagged[link] })
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

// Within is how many clicks links have in a range, as columns.
type Within struct {
	Codes       []string
	IDs, Clicks []int64
	Eras        []int32
}

// ReadWithin returns the clicks of each link of an owner in a range.
func ReadWithin(ctx context.Context, tx pgx.Tx, owner string, r terse.TimeRange) (
	within Within, err error,
) {
	s := &shelf{ctx: ctx, tx: tx, owner: owner}
	if err := s.of(terse.AllLinks); err != nil {
		return within, err
	}
	q := statsQuery{shelf: s, tally: clickread.NewLinkTally(r)}
	q.first, q.last = r.Micros()
	if err := q.readAll(); err != nil {
		return within, err
	}
	for i := range q.tally.Links.Len() {
		link, n := q.tally.Links.At(i)
		within.Codes = append(within.Codes, link.Code.String())
		within.IDs = append(within.IDs, int64(link.ID))
		within.Eras = append(within.Eras, int32(link.Era))
		within.Clicks = append(within.Clicks, n)
	}
	return within, nil
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
