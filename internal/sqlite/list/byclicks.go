package list

import (
	"maps"
	"slices"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/linkset"
	"terse/internal/sqlite/rows"
)

// maxRead bounds the links that are looked up at once, of which many may be others' or gone.
const maxRead = 1 << 15

// scanByClicks finds the links that come next by their clicks alone, and looks those up.
func (l *listing) scanByClicks() (err error) {
	totals := l.allTime
	if l.Within != (terse.TimeRange{}) {
		if totals, err = l.within(); err != nil {
			return err
		}
	}
	mark, wanted := beginning, l.Limit+1
	if l.After != nil {
		mark = linkset.Ranked{ID: int64(l.After.ID), Key: l.After.Key}
	}
	if l.Search != nil {
		wanted = l.most + 1
	}
	for {
		found, err := l.filter.links.MostClicked(mark, wanted, totals)
		if err != nil {
			return err
		}
		if more, err := l.lookUp(found); err != nil || !more {
			if l.Search != nil && err == nil {
				err = l.countFound()
			}
			return err
		}
		if len(found) < wanted {
			return nil
		}
		mark, wanted = found[wanted-1], max(wanted, min(2*wanted, maxRead))
	}
}

// allTime is a linkset.Totals.
func (l *listing) allTime(from, to int64, f func(first int64, clicks []int64)) error {
	return clickstore.EachBucket(rows.New(l.conn), terse.LinkID(from), terse.LinkID(to),
		func(first terse.LinkID, of *clickstore.BucketTotals) { f(int64(first), of.Clicks[:]) })
}

// within returns the clicks of the owner's links in the range that is asked for.
func (l *listing) within() (linkset.Totals, error) {
	owner, err := rows.OwnerOf(l.conn, l.Owner)
	if err != nil {
		return nil, err
	}
	found, err := clickstore.Within(rows.New(l.conn), owner, l.Within, false)
	if err != nil {
		return nil, err
	}
	return func(_, _ int64, f func(first int64, clicks []int64)) error {
		for _, bucket := range slices.Backward(slices.Sorted(maps.Keys(found))) {
			f(bucket*clickstore.BucketLinks, found[bucket].Clicks[:])
		}
		return nil
	}, nil
}

// countFound counts the links that a search by clicks finds in the order of time, because its page
// ends when it is full, or when it has looked at as many links as it may.
func (l *listing) countFound() error {
	count := newListing(l.conn, terse.LinkQuery{
		Owner: l.Owner, Search: l.Search, Filter: l.Filter,
	}, l.bounds, l.texts)
	count.filter = l.filter
	err := count.findByTime()
	l.found, l.page.AtLeast = max(l.found, count.found-l.last.Found), count.page.AtLeast
	return err
}
