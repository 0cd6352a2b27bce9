package stats

import (
	"maps"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickread"
	"terse/internal/linkset"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
)

// ReadWithin reads the clicks of an owner's links in a range, without those that were cleared.
func ReadWithin(conn *sqlite.Conn, owner string, r terse.TimeRange) (linkset.Totals, error) {
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
	buckets := map[int64]*[counter.BucketLinks]int64{}
	for i := range s.tally.Links.Len() {
		link, clicks := s.tally.Links.At(i)
		if link.Era != eras[link.ID] {
			continue
		}
		bucket := int64(link.ID) / counter.BucketLinks
		if buckets[bucket] == nil {
			buckets[bucket] = &[counter.BucketLinks]int64{}
		}
		buckets[bucket][link.ID%counter.BucketLinks] += clicks
	}
	return func(_, _ int64, f func(first int64, clicks []int64)) error {
		for _, bucket := range slices.Backward(slices.Sorted(maps.Keys(buckets))) {
			f(bucket*counter.BucketLinks, buckets[bucket][:])
		}
		return nil
	}, nil
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
