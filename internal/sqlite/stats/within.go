package stats

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickread"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
)

// ReadWithin calls f for the clicks of an owner's links in a range, without those that were
// cleared.
func ReadWithin(
	conn *sqlite.Conn, owner string, r terse.TimeRange, f func(id, clicks int64),
) error {
	all, err := counter.AllOf(conn, owner)
	if err != nil {
		return err
	}
	eras, err := readEras(conn)
	if err != nil {
		return err
	}
	s := series{conn: conn, link: all, tally: clickread.NewLinkTally(r)}
	s.first, s.last = r.Micros()
	if err := s.readAll(); err != nil {
		return err
	}
	for i := range s.tally.Links.Len() {
		if link, clicks := s.tally.Links.At(i); link.Era == eras[link.ID] {
			f(int64(link.ID), clicks)
		}
	}
	return nil
}

// readEras returns the eras of links that were cleared.
func readEras(conn *sqlite.Conn) (map[terse.LinkID]uint32, error) {
	eras := map[terse.LinkID]uint32{}
	err := query.Each(conn, "SELECT link_id, era FROM link_eras", func(row *sqlite.Stmt) error {
		eras[terse.LinkID(row.ColumnInt64(0))] = uint32(row.ColumnInt64(1))
		return nil
	})
	return eras, err
}
