package stats

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
)

// Series counts the clicks of a link that exists, or of all links of an owner. A day that lies as a
// whole in the range and in one of its intervals is taken from its counts, if nothing is filtered.
// Other days are read from their blocks. Clicks that are in no day's counts are read one by one.
func Series(conn *sqlite.Conn, link terse.LinkID, q terse.SeriesQuery) (terse.Series, error) {
	counted, err := countedRange(conn, link, q)
	if err != nil {
		return terse.Series{}, err
	}
	q.Range = counted
	s := series{
		conn: conn, link: link, tally: clickread.NewTally(q), filtered: q.Filtered(),
	}
	shelf, err := newShelf(conn, link, q.Owner, q.Tags)
	if err != nil {
		return terse.Series{}, err
	}
	if len(q.Tags) > 0 {
		eras, err := readEras(conn)
		if err != nil {
			return terse.Series{}, err
		}
		s.tally.OfLinks(func(of clickblock.Link) bool {
			return eras[of.ID] == of.Era && shelf.tagged(of.ID)
		})
	}
	if q.Top > 0 && s.filtered {
		s.tally.Links = clickblock.NewLinkSums()
	}
	s.first, s.last = q.Range.Micros()
	if s.first <= s.last {
		if err := s.run(); err != nil {
			return terse.Series{}, err
		}
	}
	series := s.tally.Series()
	series.First, series.Last = s.first, s.last
	if q.Top == 0 {
		return series, nil
	}
	if !s.filtered {
		s.tally = clickread.NewLinkTally(q.Range)
		if err := s.readAll(); err != nil {
			return terse.Series{}, err
		}
	}
	series.Top, err = s.tally.Top(q.Top, shelf.Exist)
	return series, err
}

// readAll reads all single clicks of all links, and at the beginnings of their days those that are
// gone.
func (s *series) readAll() error {
	if err := s.addBlocks(days{0, counter.MaxDay}); err != nil {
		return err
	}
	if err := s.addLoose(); err != nil {
		return err
	}
	return query.Each(s.conn, `SELECT links FROM dropped_days
		WHERE link_day BETWEEN ?1 AND ?2 AND links IS NOT NULL
			AND (link_day & 65535) * 86400000000 BETWEEN ?3 AND ?4`,
		func(row *sqlite.Stmt) error {
			s.blob = query.Bytes(row, 0, s.blob)
			return s.tally.Links.Add(s.blob)
		}, s.linkDay(s.first), s.linkDay(s.last), s.first, s.last)
}

// countedRange returns the range that can be counted.
func countedRange(conn *sqlite.Conn, link terse.LinkID, q terse.SeriesQuery) (
	counted terse.TimeRange, err error,
) {
	counted = q.Range
	err = query.Each(conn, `SELECT last FROM dropped_days WHERE link_day BETWEEN ? AND ?
		ORDER BY link_day DESC LIMIT 1`,
		func(row *sqlite.Stmt) (err error) {
			counted, err = q.CountedRange(row.ColumnInt64(0), func(day terse.Day) (bool, error) {
				n, err := query.Int(conn, "SELECT count(*) FROM dropped_days WHERE link_day = ?",
					counter.LinkDay(link, day))
				return n > 0, err
			})
			return err
		}, counter.LinkDay(link, 0), counter.LinkDay(link, counter.MaxDay))
	return counted, err
}

// series is one answer in the making.
type series struct {
	conn        *sqlite.Conn
	link        terse.LinkID
	first, last int64
	tally       *clickread.Tally
	filtered    bool
	blob        []byte
}

// run reads the days first, because they tell how many more referrers they take.
func (s *series) run() error {
	parts, err := s.addDays()
	if err != nil {
		return err
	}
	for _, days := range parts {
		if err := s.addBlocks(days); err != nil {
			return err
		}
	}
	if err := s.addLoose(); err != nil || s.filtered {
		return err
	}
	return s.addDropped()
}

// addDropped adds the counts of clicks that are gone.
func (s *series) addDropped() error {
	return query.Each(s.conn,
		"SELECT link_day & 65535, counts FROM dropped_days WHERE link_day BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			return s.tally.AddCounts(terse.Day(row.ColumnInt64(0)), query.View(row, 1))
		}, s.linkDay(s.first), s.linkDay(s.last))
}

// linkDay returns the key of the day at a time, or of the nearest that has one.
func (s *series) linkDay(micros int64) int64 { return counter.LinkDay(s.link, nearest(micros)) }

// nearest returns the day at a time, or the nearest that has a key.
func nearest(micros int64) terse.Day { return min(max(terse.DayOf(micros), 0), counter.MaxDay) }

// days are those from one to another.
type days struct{ from, to terse.Day }

// addDays adds the days whose counts will do, and returns the others, of which it takes the limits
// only.
func (s *series) addDays() (parts []days, err error) {
	between, err := s.addMonths(nearest(s.first), nearest(s.last))
	whole := true // the day before
	for _, some := range between {
		if err != nil || some.from > some.to {
			continue
		}
		err = query.Each(s.conn,
			"SELECT link_day & 65535, counts FROM click_days WHERE link_day BETWEEN ? AND ?",
			func(row *sqlite.Stmt) error {
				day, counts := terse.Day(row.ColumnInt64(0)), query.View(row, 1)
				wasWhole := whole
				if whole = s.tally.Whole(day); whole {
					if err := s.tally.AddCounts(day, counts); err != nil {
						return err
					}
				} else if wasWhole {
					parts = append(parts, days{day, day})
				} else {
					parts[len(parts)-1].to = day
				}
				return s.tally.Limit(day, counts)
			},
			counter.LinkDay(s.link, some.from), counter.LinkDay(s.link, some.to))
		whole = true // what follows is a month
	}
	return parts, err
}

// addMonths adds the months whose counts will do, and returns the days between them.
func (s *series) addMonths(from, to terse.Day) (rest []days, err error) {
	err = query.Each(s.conn, `SELECT link_month & 4095, counts FROM click_months
		WHERE link_month BETWEEN ? AND ? AND counts <> x'' ORDER BY link_month`,
		func(row *sqlite.Stmt) error {
			m := terse.Month(row.ColumnInt64(0))
			if !s.tally.WholeMonth(m) {
				return nil
			}
			rest = append(rest, days{from, m.First() - 1})
			from = (m + 1).First()
			return s.tally.AddMonth(query.View(row, 1))
		},
		counter.LinkMonth(s.link, terse.MonthOf(from)),
		counter.LinkMonth(s.link, terse.MonthOf(to)))
	return append(rest, days{from, to}), err
}

// addBlocks adds the clicks of some days from their blocks.
func (s *series) addBlocks(of days) error {
	return query.Each(s.conn, `SELECT clicks FROM click_blocks
		WHERE link_id = ? AND day BETWEEN ? AND ? AND last >= ? AND first <= ?`,
		func(row *sqlite.Stmt) error {
			s.blob = query.Bytes(row, 0, s.blob)
			return s.tally.AddBlock(s.blob)
		}, s.link, of.from, of.to, s.first, s.last)
}

// addLoose adds the clicks of the link that are in no day's counts.
func (s *series) addLoose() error {
	return counter.Loose(s.conn, s.link, s.first, s.last,
		func(_ int64, offset int, block []byte) error { return s.tally.AddLooseOf(block, offset) })
}
