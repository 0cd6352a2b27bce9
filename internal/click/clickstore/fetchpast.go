package clickstore

import (
	"cmp"
	"slices"

	"terse"
)

// Bounds of what FetchPast reads ahead, in bytes of values. The first is for all links, the second
// for the blocks of one.
const (
	maxFetched     = 3 << 20
	maxFetchedLink = 1 << 20
)

// FetchPast announces what PastReader.Read reads of the first of some links with clicks, so that a
// database on another machine gets a few queries for many links, not a few for each. It returns how
// many links these are, at least one. A link with more blocks than fit is read block by block.
func FetchPast(rows Rows, links []terse.LinkID) (n int, err error) {
	var values, sizes []Range
	for _, link := range links {
		values = append(values, Range{Totals, BucketOf(link), 0, 0})
		sizes = append(sizes, droppedOf(link), every(Level2, int64(link)))
		for _, runs := range runsOf(link) {
			sizes = append(sizes, runs.Range)
		}
	}
	values, sizes = distinct(values), distinct(sizes)
	if err := rows.Prefetch(values, sizes); err != nil {
		return 0, err
	}
	known, bytes := map[Range]bool{}, 0
	for _, link := range links {
		add, more := []Range(nil), 0
		for _, runs := range runsOf(link) {
			if !known[runs.Range] {
				size, err := sizeOf(rows, runs.Range)
				if err != nil {
					return 0, err
				}
				add, more = append(add, runs.Range), more+size
			}
		}
		for _, own := range []Range{droppedOf(link), every(Level2, int64(link))} {
			size, err := sizeOf(rows, own)
			if err != nil {
				return 0, err
			}
			if size > 0 && size <= maxFetchedLink {
				add, more = append(add, own), more+size
			}
		}
		if n > 0 && bytes+more > maxFetched {
			break
		}
		for _, g := range add {
			known[g] = true
		}
		values, bytes, n = append(values, add...), bytes+more, n+1
	}
	return n, rows.Prefetch(values, sizes) // the sizes again, in case there was no room for both
}

// distinct returns different ranges of those given, in some order.
func distinct(all []Range) []Range {
	slices.SortFunc(all, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.A, b.A))
	})
	return slices.Compact(all)
}

// sizeOf returns the bytes of the values of a range.
func sizeOf(r Reader, of Range) (bytes int, err error) {
	err = r.Sizes(of, func(_ int64, _ Span, n int) error {
		bytes += n
		return nil
	})
	return bytes, err
}

// TotalsOf returns the totals of links.
func TotalsOf(r Reader, links []terse.LinkID) ([]Total, error) {
	found := make([]Total, len(links))
	byBucket := make([]int, len(links)) // indexes of links
	for i := range byBucket {
		byBucket[i] = i
	}
	slices.SortFunc(byBucket, func(i, j int) int { return cmp.Compare(links[j], links[i]) })
	var buckets []int64
	for _, i := range byBucket {
		buckets = append(buckets, BucketOf(links[i]))
	}
	err := eachTotals(r, slices.Compact(buckets), func(bucket int64, t *totals) {
		for len(byBucket) > 0 && BucketOf(links[byBucket[0]]) >= bucket {
			if i := byBucket[0]; BucketOf(links[i]) == bucket {
				found[i] = t.of(links[i])
			}
			byBucket = byBucket[1:]
		}
	})
	return found, err
}
