package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
)

// Series counts a link's clicks: days that lie as a whole in the range and in one of its intervals
// from their counts, if nothing is filtered, other days from their blocks, and then what is not
// sealed into days.
func (s *Store) Series(
	ctx context.Context, link terse.LinkRef, q terse.SeriesQuery,
) (series terse.Series, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		count := statsQuery{conn: conn, link: link, tally: clickblock.NewTally(q)}
		count.first, count.last = q.Range.Micros()
		if err := count.run(); err != nil {
			return err
		}
		series = count.tally.Series()
		return nil
	})
	if err != nil {
		return terse.Series{}, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
	}
	return series, nil
}

// statsQuery is one answer in the making.
type statsQuery struct {
	conn        *sqlite.Conn
	link        terse.LinkRef
	first, last int64
	tally       *clickblock.Tally
	blob        []byte
}

// run reads the days first, because they tell how many more referrers they take.
func (q *statsQuery) run() error {
	if q.link == terse.AllLinks {
		q.link.ID = allLinks
	} else if _, err := linkOf(q.conn, q.link); err != nil {
		return err
	}
	if q.first > q.last {
		return nil
	}
	parts, err := q.addDays()
	if err != nil {
		return err
	}
	for _, days := range parts {
		if err := q.addBlocks(days, q.tally.AddBlock); err != nil {
			return err
		}
	}
	if err := q.addBlocks(days{quietDay, quietDay}, q.tally.AddLoose); err != nil {
		return err
	}
	return q.addGroup()
}

// addGroup adds the clicks that are not sealed.
func (q *statsQuery) addGroup() error {
	group, of := int64(q.link.ID)>>groupBits, byte(inGroup(q.link.ID))
	recent, err := q.conn.Prepare("SELECT recent FROM click_groups WHERE id = ? AND recent <> x''")
	if err != nil {
		return err
	}
	recent.BindInt64(1, group)
	blocks, err := q.conn.Prepare(
		"SELECT clicks FROM group_blocks WHERE id BETWEEN ? AND ? AND last >= ? AND first <= ?")
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

// days are those from one to another.
type days struct{ from, to terse.Day }

// addDays adds the days whose counts will do, and returns the others, which tell their limits only.
func (q *statsQuery) addDays() (parts []days, err error) {
	stmt, err := q.conn.Prepare(
		"SELECT link_day & 65535, counts FROM click_days WHERE link_day BETWEEN ? AND ?")
	if err != nil {
		return nil, err
	}
	stmt.BindInt64(1, linkDay(q.link.ID, min(max(terse.DayOf(q.first), 0), maxDay)))
	stmt.BindInt64(2, linkDay(q.link.ID, min(max(terse.DayOf(q.last), 0), maxDay)))
	whole := true // the day before
	err = eachRow(stmt, func() error {
		q.blob = column(stmt, 1, q.blob)
		day := terse.Day(stmt.ColumnInt64(0))
		wasWhole := whole
		if whole = q.tally.Whole(day); whole {
			if err := q.tally.AddCounts(day, q.blob); err != nil {
				return err
			}
		} else if wasWhole {
			parts = append(parts, days{day, day})
		} else {
			parts[len(parts)-1].to = day
		}
		return q.tally.Limit(day, q.blob)
	})
	return parts, err
}

func (q *statsQuery) addBlocks(of days, add func([]byte) error) error {
	stmt, err := q.conn.Prepare(
		"SELECT clicks FROM click_blocks WHERE link_id = ? AND day BETWEEN ? AND ? AND last >= ? " +
			"AND first <= ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(q.link.ID))
	stmt.BindInt64(2, int64(of.from))
	stmt.BindInt64(3, int64(of.to))
	stmt.BindInt64(4, q.first)
	stmt.BindInt64(5, q.last)
	return eachRow(stmt, func() error {
		q.blob = column(stmt, 0, q.blob)
		return add(q.blob)
	})
}
