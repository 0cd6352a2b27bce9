package counter

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickread"
	"terse/internal/sqlite/query"
)

// LinkMonth is the key of click_months.
func LinkMonth(link terse.LinkID, m terse.Month) int64 { return int64(link)<<12 | int64(m) }

// dayChanged must be called when the row of a day is written or deleted: its month is added up
// anew.
func (c *Counter) dayChanged(link terse.LinkID, day terse.Day) error {
	return query.Run(c.conn, `INSERT INTO click_months (link_month, counts) VALUES (?, NULL)
		ON CONFLICT (link_month) DO UPDATE SET counts = NULL WHERE counts IS NOT NULL`,
		LinkMonth(link, terse.MonthOf(day)))
}

// summedAtOnce bounds the months that are added up when a day begins, each in about a millisecond.
const summedAtOnce = 2

// sumMonths adds up months before that of a day of which the first clicks are aggregated.
func (c *Counter) sumMonths(link terse.LinkID, day terse.Day) error {
	var months []terse.Month
	err := query.Each(c.conn, `SELECT link_month & 4095 FROM click_months
		WHERE link_month BETWEEN ? AND ? AND counts IS NULL ORDER BY link_month DESC LIMIT ?`,
		func(row *sqlite.Stmt) error {
			months = append(months, terse.Month(row.ColumnInt64(0)))
			return nil
		}, LinkMonth(link, 0), LinkMonth(link, terse.MonthOf(day))-1, summedAtOnce)
	for _, m := range months {
		if err == nil {
			err = c.sumMonth(link, m)
		}
	}
	return err
}

func (c *Counter) sumMonth(link terse.LinkID, m terse.Month) error {
	sum := clickread.NewMonth()
	err := query.Each(c.conn,
		"SELECT link_day & 65535, counts FROM click_days WHERE link_day BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			c.turn.Yield()
			c.blob = query.Bytes(row, 1, c.blob)
			return sum.Add(terse.Day(row.ColumnInt64(0)), c.blob)
		}, LinkDay(link, m.First()), LinkDay(link, (m+1).First())-1)
	if err != nil {
		return err
	}
	counts := sum.Pack()
	if counts == nil {
		return query.Run(c.conn, "DELETE FROM click_months WHERE link_month = ?",
			LinkMonth(link, m))
	}
	return query.Run(c.conn, "UPDATE click_months SET counts = ?2 WHERE link_month = ?1",
		LinkMonth(link, m), counts)
}
