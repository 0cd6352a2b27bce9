package sqlite

import (
	"context"
	"math"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
)

// Stats counts a link's clicks in a range: whole days from their counts, the days at its ends from their
// blocks, and what is not sealed into days.
func (s *Store) Stats(ctx context.Context, link terse.Link, r terse.TimeRange) (stats terse.Stats, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		q := statsQuery{conn: conn, link: link, tally: clickblock.NewTally(r)}
		q.first, q.last = r.Micros()
		if err := q.run(); err != nil {
			return err
		}
		stats = q.tally.Stats()
		return nil
	})
	if err != nil {
		return terse.Stats{}, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
	}
	return stats, nil
}

// statsQuery is one answer in the making.
type statsQuery struct {
	conn        *sqlite.Conn
	link        terse.Link
	first, last int64
	tally       *clickblock.Tally
	blob        []byte
}

// run reads the days first, because they tell how many more referrers they take.
func (q *statsQuery) run() error {
	if err := q.linkExists(); err != nil || q.first > q.last {
		return err
	}
	from, to := q.wholeDays()
	if err := q.addDays(from, to); err != nil {
		return err
	}
	for _, day := range q.edges(from, to) {
		if err := q.addBlocks(day, q.tally.AddBlock); err != nil {
			return err
		}
	}
	if err := q.addBlocks(quietDay, q.tally.AddLoose); err != nil {
		return err
	}
	return q.addGroup()
}

// edges returns the days that lie in the range in part.
func (q *statsQuery) edges(from, to terse.Day) (days []terse.Day) {
	first, last := terse.DayOf(q.first), terse.DayOf(q.last)
	if first >= 0 && (first < from || first > to) {
		days = append(days, first)
	}
	if last >= 0 && last > to && last != first {
		days = append(days, last)
	}
	return days
}

// wholeDays returns the first and the last day that lie in the range as a whole.
func (q *statsQuery) wholeDays() (from, to terse.Day) {
	if q.first > 0 {
		from = terse.DayOf(q.first-1) + 1
	}
	return from, terse.DayOf(min(q.last, math.MaxInt64-1)+1) - 1
}

func (q *statsQuery) linkExists() error {
	stmt, err := q.conn.Prepare("SELECT 1 FROM links WHERE id = ? AND code = ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(q.link.ID))
	stmt.BindText(2, q.link.Code.String())
	exists, err := stmt.Step()
	if err != nil {
		return err
	}
	if !exists {
		return terse.ErrNotFound
	}
	return stmt.Reset()
}

// addGroup adds the clicks that are not sealed.
func (q *statsQuery) addGroup() error {
	group, of := int64(q.link.ID)>>groupBits, byte(inGroup(q.link.ID))
	recent, err := q.conn.Prepare("SELECT recent FROM click_groups WHERE id = ? AND recent <> x''")
	if err != nil {
		return err
	}
	recent.BindInt64(1, group)
	blocks, err := q.conn.Prepare("SELECT clicks FROM group_blocks WHERE id BETWEEN ? AND ? AND last >= ? AND first <= ?")
	if err != nil {
		return err
	}
	first, last := blockIDs(group)
	blocks.BindInt64(1, first)
	blocks.BindInt64(2, last)
	blocks.BindInt64(3, q.first)
	blocks.BindInt64(4, q.last)
	for _, stmt := range []*sqlite.Stmt{blocks, recent} {
		if err := eachRow(stmt, func() error {
			q.blob = column(stmt, 0, q.blob)
			return q.tally.AddGroup(q.blob, of)
		}); err != nil {
			return err
		}
	}
	return nil
}

// addDays adds the days from one to another; those at the range's ends only tell their limits.
func (q *statsQuery) addDays(from, to terse.Day) error {
	stmt, err := q.conn.Prepare("SELECT link_day & 65535, counts FROM click_days WHERE link_day BETWEEN ? AND ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, linkDay(q.link.ID, min(max(terse.DayOf(q.first), 0), maxDay)))
	stmt.BindInt64(2, linkDay(q.link.ID, min(max(terse.DayOf(q.last), 0), maxDay)))
	return eachRow(stmt, func() error {
		q.blob = column(stmt, 1, q.blob)
		day := terse.Day(stmt.ColumnInt64(0))
		if from <= day && day <= to {
			if err := q.tally.AddCounts(day, q.blob); err != nil {
				return err
			}
		}
		return q.tally.Limit(day, q.blob)
	})
}

func (q *statsQuery) addBlocks(day terse.Day, add func([]byte) error) error {
	stmt, err := q.conn.Prepare("SELECT clicks FROM click_blocks WHERE link_id = ? AND day = ? AND last >= ? AND first <= ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(q.link.ID))
	stmt.BindInt64(2, int64(day))
	stmt.BindInt64(3, q.first)
	stmt.BindInt64(4, q.last)
	return eachRow(stmt, func() error {
		q.blob = column(stmt, 0, q.blob)
		return add(q.blob)
	})
}
