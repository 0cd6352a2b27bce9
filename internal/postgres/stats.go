package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/postgres/counter"
)

// Series counts a link's clicks: days that lie as a whole in the range and in one of its intervals
// from their counts, if nothing is filtered, other days from their blocks, and then the pending
// ones.
func (s *Store) Series(
	ctx context.Context, link terse.LinkRef, q terse.SeriesQuery,
) (series terse.Series, err error) {
	err = s.snapshot(ctx, func(tx pgx.Tx) error {
		count := statsQuery{
			ctx: ctx, tx: tx, codes: []string{link.Code.String()}, id: int64(link.ID),
			filtered: q.Filtered(),
		}
		if link == terse.AllLinks {
			if count.codes, err = allJournals(ctx, tx); err != nil {
				return err
			}
		}
		asked := q
		if asked.Range, err = count.countedRange(&q); err != nil {
			return err
		}
		count.first, count.last = asked.Range.Micros()
		count.tally = clickblock.NewTally(asked)
		if err := count.byLink(&q); err != nil {
			return err
		}
		if err := count.run(link != terse.AllLinks); err != nil {
			return err
		}
		series = count.tally.Series()
		series.First, series.Last = count.first, count.last
		if q.Top > 0 {
			series.Top, err = count.top(&asked)
		}
		return err
	})
	if err != nil {
		return terse.Series{}, wrap(err, "count clicks of link %d %v", link.ID, link.Code)
	}
	return series, nil
}

// snapshot runs f in a transaction that sees one state of the database, again if the connection is
// lost.
func (s *Store) snapshot(ctx context.Context, f func(pgx.Tx) error) error {
	return again(ctx, func() error {
		return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{
			IsoLevel:   pgx.RepeatableRead,
			AccessMode: pgx.ReadOnly,
		}, f)
	})
}

// allJournals returns the codes that AllLinks has.
func allJournals(ctx context.Context, tx pgx.Tx) ([]string, error) {
	rows, err := tx.Query(ctx, "SELECT journal FROM journals")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var journal string
		err := row.Scan(&journal)
		return counter.JournalCode(journal), err
	})
}

// statsQuery is one answer in the making.
type statsQuery struct {
	ctx         context.Context
	tx          pgx.Tx
	codes       []string // of a link, or the journals
	id          int64
	first, last int64
	tally       *clickblock.Tally
	filtered    bool
	blob        pgtype.DriverBytes
}

// run reads the days first, because they tell how many more referrers they take.
func (q *statsQuery) run(must bool) error {
	recent, found, err := q.recent()
	if err != nil {
		return err
	}
	if must && !found {
		return terse.ErrNotFound
	}
	if !found || q.first > q.last {
		return nil
	}
	from, to, err := q.addDays()
	if err != nil {
		return err
	}
	if err := q.addBlocks(from, to); err != nil {
		return err
	}
	for _, blocks := range recent {
		if err := counter.EachBlock(blocks, q.tally.AddLoose); err != nil {
			return err
		}
	}
	if q.filtered {
		return nil
	}
	return q.addDropped()
}

// recent returns the clicks in the links' rows.
func (q *statsQuery) recent() (recent [][]byte, found bool, err error) {
	rows, err := q.tx.Query(q.ctx,
		"SELECT recent FROM link_clicks WHERE code = ANY($1) AND link_id = $2", q.codes, q.id)
	if err != nil {
		return nil, false, err
	}
	recent, err = pgx.CollectRows(rows, pgx.RowTo[[]byte])
	return recent, len(recent) > 0, err
}

// addDays adds the days whose counts will do, and returns the others, which tell their limits only,
// as spans from one day to another.
func (q *statsQuery) addDays() (from, to []int32, err error) {
	rows, err := q.tx.Query(q.ctx,
		"SELECT day, counts FROM click_days WHERE code = ANY($1) AND link_id = $2 AND day "+
			"BETWEEN $3 AND $4 ORDER BY day",
		q.codes, q.id, int32(terse.DayOf(q.first)), int32(terse.DayOf(q.last)))
	if err != nil {
		return nil, nil, err
	}
	var day int32
	whole := true // the day before
	_, err = pgx.ForEachRow(rows, []any{&day, &q.blob}, func() error {
		on, wasWhole := terse.Day(day), whole
		if whole = q.tally.Whole(on); whole {
			if err := q.tally.AddCounts(on, q.blob); err != nil {
				return err
			}
		} else if wasWhole {
			from, to = append(from, day), append(to, day)
		} else {
			to[len(to)-1] = day
		}
		return q.tally.Limit(on, q.blob)
	})
	return from, to, err
}

// addBlocks adds the clicks of spans of days, and the pending ones.
func (q *statsQuery) addBlocks(from, to []int32) error {
	rows, err := q.tx.Query(q.ctx, `SELECT b.day, b.clicks
		FROM unnest($3::integer[], $4::integer[]) AS span(first, last)
		JOIN click_blocks AS b ON b.code = ANY($1) AND b.link_id = $2
			AND b.day BETWEEN span.first AND span.last
		WHERE b.last >= $5 AND b.first <= $6`,
		q.codes, q.id, append(from, int32(counter.PendingDay)),
		append(to, int32(counter.PendingDay)), q.first, q.last)
	if err != nil {
		return err
	}
	var day int32
	_, err = pgx.ForEachRow(rows, []any{&day, &q.blob}, func() error {
		if terse.Day(day) == counter.PendingDay {
			return q.tally.AddLoose(q.blob)
		}
		return q.tally.AddBlock(q.blob)
	})
	return err
}

// Clicks returns how many clicks of a link were counted.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (clicks int64, err error) {
	err = again(ctx, func() error {
		return s.pool.QueryRow(ctx,
			"SELECT clicks FROM link_clicks WHERE code = $1 AND link_id = $2", link.Code.String(),
			int64(link.ID)).Scan(&clicks)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, terse.ErrNotFound
	}
	return clicks, wrap(err, "count clicks of link %d %v", link.ID, link.Code)
}
