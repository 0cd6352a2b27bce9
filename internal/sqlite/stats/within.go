package stats

import (
	"maps"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickread"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
)

// Within is how many clicks links have in a range, from one snapshot.
type Within struct{ clicks map[terse.LinkID]int64 }

// ReadWithin reads the clicks of an owner's links in a range, without those that were cleared.
func ReadWithin(conn *sqlite.Conn, owner string, r terse.TimeRange) (*Within, error) {
	all, err := counter.AllOf(conn, owner)
	if err != nil {
		return nil, err
	}
	eras, err := readEras(conn)
	if err != nil {
		return nil, err
	}
	s := series{conn: conn, link: all, tally: clickread.NewLinkTally(r)}
	s.first, s.last = r.Micros()
	if err := s.readAll(); err != nil {
		return nil, err
	}
	w := &Within{clicks: map[terse.LinkID]int64{}}
	for i := range s.tally.Links.Len() {
		if link, clicks := s.tally.Links.At(i); link.Era == eras[link.ID] {
			w.clicks[link.ID] += clicks
		}
	}
	return w, nil
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

// Of is as for Totals, as are the others.
func (w *Within) Of(link terse.LinkID) (int64, error) { return w.clicks[link], nil }

// AllClicked takes no bucket for one whose links all have clicks: that costs time only.
func (*Within) AllClicked(link terse.LinkID) (all bool, first terse.LinkID, err error) {
	return false, link &^ (counter.BucketLinks - 1), nil
}

// Each gives one link at a time.
func (w *Within) Each(f func(first terse.LinkID, clicks []int64)) error {
	for _, link := range slices.Backward(slices.Sorted(maps.Keys(w.clicks))) {
		f(link, []int64{w.clicks[link]})
	}
	return nil
}
