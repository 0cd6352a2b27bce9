package counter

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/sqlite/query"
)

// Series counts the clicks of a link that exists, or of AllLinks. A day that lies as a whole
// in the range and in one of its intervals is taken from its counts, if nothing is filtered. Other
// days are read from their blocks. Mixed and pending clicks are read one by one.
func Series(conn *sqlite.Conn, link terse.LinkID, q terse.SeriesQuery) (terse.Series, error) {
	s := series{conn: conn, link: link, tally: clickblock.NewTally(q)}
	s.first, s.last = q.Range.Micros()
	if s.first <= s.last {
		if err := s.run(); err != nil {
			return terse.Series{}, err
		}
	}
	return s.tally.Series(), nil
}

// series is one answer in the making.
type series struct {
	conn        *sqlite.Conn
	link        terse.LinkID
	first, last int64
	tally       *clickblock.Tally
	blob        []byte
}

// run reads the days first, because they tell how many more referrers they take.
func (s *series) run() error {
	parts, err := s.addDays()
	if err != nil {
		return err
	}
	for _, days := range parts {
		if err := s.addBlocks(days, s.tally.AddBlock); err != nil {
			return err
		}
	}
	if err := s.addBlocks(days{mixedDay, mixedDay}, s.tally.AddLoose); err != nil {
		return err
	}
	return s.addPending()
}

// days are those from one to another.
type days struct{ from, to terse.Day }

// addDays adds the days whose counts will do, and returns the others, of which it takes the limits
// only.
func (s *series) addDays() (parts []days, err error) {
	whole := true // the day before
	err = query.Each(s.conn,
		"SELECT link_day & 65535, counts FROM click_days WHERE link_day BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			s.blob = query.Bytes(row, 1, s.blob)
			day := terse.Day(row.ColumnInt64(0))
			wasWhole := whole
			if whole = s.tally.Whole(day); whole {
				if err := s.tally.AddCounts(day, s.blob); err != nil {
					return err
				}
			} else if wasWhole {
				parts = append(parts, days{day, day})
			} else {
				parts[len(parts)-1].to = day
			}
			return s.tally.Limit(day, s.blob)
		},
		linkDay(s.link, min(max(terse.DayOf(s.first), 0), maxDay)),
		linkDay(s.link, min(max(terse.DayOf(s.last), 0), maxDay)))
	return parts, err
}

func (s *series) addBlocks(of days, add func([]byte) error) error {
	return query.Each(s.conn, `SELECT clicks FROM click_blocks
		WHERE link_id = ? AND day BETWEEN ? AND ? AND last >= ? AND first <= ?`,
		func(row *sqlite.Stmt) error {
			s.blob = query.Bytes(row, 0, s.blob)
			return add(s.blob)
		}, s.link, of.from, of.to, s.first, s.last)
}

func (s *series) addPending() error {
	bucket, offset := bucketOf(s.link), byte(offsetOf(s.link))
	add := func(row *sqlite.Stmt) error {
		s.blob = query.Bytes(row, 0, s.blob)
		return s.tally.AddBucket(s.blob, offset)
	}
	first, last := blockIDs(bucket)
	if err := query.Each(s.conn, `SELECT clicks FROM bucket_blocks
		WHERE id BETWEEN ? AND ? AND last >= ? AND first <= ?`,
		add, first, last, s.first, s.last); err != nil {
		return err
	}
	return query.Each(s.conn, "SELECT recent FROM click_buckets WHERE id = ? AND recent <> x''",
		add, bucket)
}
