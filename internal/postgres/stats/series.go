package stats

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/clickread"
	"terse/internal/postgres/counter"
	"terse/internal/postgres/dialect"
)

// Series counts the clicks of a link, or of all links of an owner: days that lie as a whole in the
// range and in one of its intervals from their counts, if nothing is filtered, other days from
// their blocks, and then the pending ones. The transaction must see one state of the database.
func Series(
	ctx context.Context, tx pgx.Tx, d *dialect.Dialect, link terse.LinkRef, asked terse.SeriesQuery,
) (series terse.Series, err error) {
	s, err := newShelf(ctx, tx, d, link, asked.Owner, asked.Tags)
	if err != nil {
		return series, err
	}
	q := statsQuery{shelf: s, filtered: asked.Filtered()}
	counted := asked
	if counted.Range, err = q.countedRange(&asked); err != nil {
		return series, err
	}
	q.first, q.last = counted.Range.Micros()
	q.tally = clickread.NewTally(counted)
	if err := q.byLink(&asked); err != nil {
		return series, err
	}
	if err := q.run(link != terse.AllLinks); err != nil {
		return series, err
	}
	series = q.tally.Series()
	series.First, series.Last = q.first, q.last
	if asked.Top > 0 {
		series.Top, err = q.top(&counted)
	}
	return series, err
}

// statsQuery is one answer in the making.
type statsQuery struct {
	*shelf
	first, last int64
	tally       *clickread.Tally
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
	rows, _ := q.tx.Query(q.ctx,
		"SELECT recent FROM link_clicks WHERE code = ANY($1) AND link_id = $2", q.codes, q.id)
	recent, err = pgx.CollectRows(rows, pgx.RowTo[[]byte])
	return recent, len(recent) > 0, err
}

// addDays adds the days whose counts will do, and returns the others, which tell their limits only,
// as spans from one day to another.
func (q *statsQuery) addDays() (from, to []int32, err error) {
	rest, err := q.addMonths()
	if err != nil {
		return nil, nil, err
	}
	rows, _ := q.tx.Query(q.ctx, `SELECT d.day, d.counts
		FROM unnest($1::text[], $3::integer[], $4::integer[]) AS span(code, first, last)
		JOIN click_days AS d ON d.code = span.code AND d.code = ANY($1) AND d.link_id = $2
			AND d.day BETWEEN span.first AND span.last
		ORDER BY d.day`, rest.codes, q.id, rest.first, rest.last)
	whole := true // the day before
	err = counter.EachBlob(rows, func(day int32, counts []byte) error {
		on, wasWhole := terse.Day(day), whole
		if whole = q.tally.Whole(on); whole {
			if err := q.tally.AddCounts(on, counts); err != nil {
				return err
			}
		} else if wasWhole || mayBeBetween(to[len(to)-1], day) {
			from, to = append(from, day), append(to, day)
		} else {
			to[len(to)-1] = day
		}
		return q.tally.Limit(on, counts)
	})
	return from, to, err
}

// spans are days of codes, from one to another.
type spans struct {
	codes       []string
	first, last []int32
}

func (s *spans) add(code string, first, last terse.Day) {
	if first <= last {
		s.codes = append(s.codes, code)
		s.first, s.last = append(s.first, int32(first)), append(s.last, int32(last))
	}
}

// addMonths adds the months whose counts will do, and returns the days between them.
func (q *statsQuery) addMonths() (rest spans, err error) {
	first, last := terse.DayOf(q.first), terse.DayOf(q.last)
	next := map[string]terse.Day{} // behind the last month of a code
	for _, code := range q.codes {
		next[code] = first
	}
	rows, _ := q.tx.Query(q.ctx, `SELECT code, month, counts FROM click_months
		WHERE code = ANY($1) AND link_id = $2 AND month BETWEEN $3 AND $4
			AND octet_length(counts) > 0 AND NOT $5
		ORDER BY month`,
		q.codes, q.id, int32(terse.MonthOf(first)), int32(terse.MonthOf(last)), q.filtered)
	var code string
	var month int32
	_, err = pgx.ForEachRow(rows, []any{&code, &month, &q.blob}, func() error {
		m := terse.Month(month)
		if !q.tally.WholeMonth(m) {
			return nil
		}
		rest.add(code, next[code], m.First()-1)
		next[code] = (m + 1).First()
		return q.tally.AddMonth(q.blob)
	})
	for _, code := range q.codes {
		rest.add(code, next[code], last)
	}
	return rest, err
}

// mayBeBetween reports whether a month that was added may be between two days that are not whole.
func mayBeBetween(before, after int32) bool {
	return terse.MonthOf(terse.Day(after)) > terse.MonthOf(terse.Day(before))+1
}

// addBlocks adds the clicks of spans of days, and the pending ones.
func (q *statsQuery) addBlocks(from, to []int32) error {
	rows, _ := q.tx.Query(q.ctx, `SELECT b.day, b.clicks
		FROM unnest($3::integer[], $4::integer[]) AS span(first, last)
		JOIN click_blocks AS b ON b.code = ANY($1) AND b.link_id = $2
			AND b.day BETWEEN span.first AND span.last
		WHERE b.last >= $5 AND b.first <= $6`,
		q.codes, q.id, append(from, int32(counter.PendingDay)),
		append(to, int32(counter.PendingDay)), q.first, q.last)
	return counter.EachBlob(rows, func(day int32, block []byte) error {
		if terse.Day(day) == counter.PendingDay {
			return q.tally.AddLoose(block)
		}
		return q.tally.AddBlock(block)
	})
}

// countedRange returns the range that can be counted.
func (q *statsQuery) countedRange(asked *terse.SeriesQuery) (terse.TimeRange, error) {
	var last *int64
	err := q.tx.QueryRow(q.ctx,
		"SELECT max(last) FROM dropped_days WHERE code = ANY($1) AND link_id = $2", q.codes, q.id,
	).Scan(&last)
	if err != nil || last == nil {
		return asked.Range, err
	}
	return asked.CountedRange(*last, func(day terse.Day) (is bool, err error) {
		err = q.tx.QueryRow(q.ctx, `SELECT EXISTS (SELECT 1 FROM dropped_days
			WHERE code = ANY($1) AND link_id = $2 AND day = $3)`, q.codes, q.id, int32(day),
		).Scan(&is)
		return is, err
	})
}

// addDropped adds the counts of clicks that are gone.
func (q *statsQuery) addDropped() error {
	rows, _ := q.tx.Query(q.ctx, `SELECT day, counts FROM dropped_days
		WHERE code = ANY($1) AND link_id = $2 AND day BETWEEN $3 AND $4`,
		q.codes, q.id, int32(terse.DayOf(q.first)), int32(terse.DayOf(q.last)))
	return counter.EachBlob(rows, func(day int32, counts []byte) error {
		return q.tally.AddCounts(terse.Day(day), counts)
	})
}
