package clickstore

import "terse"

// PrefetchPast announces the small rows that TotalOf and PastReader.Read read first of each of some
// links, so that a database on another machine gets one query for all of them.
func PrefetchPast(rows Rows, links []terse.LinkID) error {
	var values, sizes []Range
	for _, link := range links {
		values = append(values, Range{Totals, BucketOf(link), 0, 0})
		sizes = append(sizes, droppedOf(link), every(Level2, int64(link)))
	}
	return rows.Prefetch(values, sizes)
}
