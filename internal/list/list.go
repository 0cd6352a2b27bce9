// Package list answers lists of links, from what a store knows in one state of its database.
//
// Links that are filtered are found as sets of their IDs: stores keep one for each tag and each
// status. The sets are combined, counted and, for a page, looked at range by range of IDs, those
// first that may have the links that come first. A list by clicks is found by totals alone. A
// search reads the texts of links, of a bounded number of them. Stores read rows; everything else
// is decided here. No I/O of its own.
//
// A status changes with time: sets say what it was when a link was written, or moved since by
// FollowTime. A list corrects those that are due.
package list

import (
	"math"
	"slices"

	"terse"
	"terse/internal/linkset"
)

// Bounds are how many links one search looks at, so that a caller who is gone costs no more.
type Bounds struct{ ByTime, ByClicks int }

// Usual takes 25 ms in the order of time; by clicks as long again for the total.
var Usual = Bounds{ByTime: 50_000, ByClicks: 10_000}

// Page returns one page of an owner's links. The Limit of the query is at least 1.
func Page(of Snapshot, q terse.LinkQuery, most Bounds) (page terse.LinkPage, err error) {
	l := &listing{LinkQuery: q, of: of, bounds: most}
	if l.ranges, err = of.Ranges(); err != nil {
		return page, err
	}
	list := l.plain
	if q.Search != nil || !q.Filter.IsZero() {
		list = l.byTime
	}
	if q.Order == terse.MostClickedFirst {
		list = l.byClicks
	}
	for _, step := range []func() error{l.filter, list, l.fillClicks} {
		if err := step(); err != nil {
			return page, err
		}
	}
	if q.Search != nil {
		l.countPages()
	}
	return l.page, nil
}

// listing is a page in the making.
type listing struct {
	terse.LinkQuery
	of     Snapshot
	bounds Bounds
	ranges []Range     // with their links that the list may have
	links  linkset.Set // these, maybe with IDs that are no link's; none where all are meant
	page   terse.LinkPage
	text   []byte
}

// beginning is before all links.
var beginning = linkset.Ranked{ID: math.MaxInt64, Key: math.MaxInt64}

// start returns the link behind which the page begins.
func (l *listing) start() linkset.Ranked {
	if l.After == nil {
		return beginning
	}
	return inOrder(linkset.Ranked{ID: int64(l.After.ID), Key: l.After.Key}, l.Order)
}

// inOrder turns a link of the list of the newest into one of another order's, and back: the oldest
// first is the newest first with all numbers negated.
func inOrder(r linkset.Ranked, order terse.LinkOrder) linkset.Ranked {
	if order == terse.OldestFirst {
		return linkset.Ranked{ID: ^r.ID, Key: ^r.Key}
	}
	return r
}

// plain makes a page of all links in the order of time, which stores have an index of.
func (l *listing) plain() error {
	after := l.start()
	ranges, skip := l.skipRanges()
	if len(ranges) < len(l.ranges) {
		after = ranges[0].start()
	}
	links, err := l.of.InOrder(l.Order, inOrder(after, l.Order), skip, l.Limit+1)
	if err != nil {
		return err
	}
	l.page.Links = links[:min(len(links), l.Limit)]
	if len(links) > l.Limit {
		last := links[l.Limit-1]
		l.page.Next = &terse.LinkMark{Key: last.CreatedAt.UnixMicro(), ID: last.ID}
	}
	return nil
}

// fill makes the page of links that were found, in order: one more than it has room for shows that
// there are more. Else next is where they go on.
func (l *listing) fill(found []linkset.Ranked, next *terse.LinkMark) error {
	l.page.Next = next
	if len(found) > l.Limit {
		found = found[:l.Limit]
		last := found[l.Limit-1]
		l.page.Next = &terse.LinkMark{Key: last.Key, ID: terse.LinkID(last.ID)}
	}
	ids := make([]int64, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	links, err := l.of.Read(ids)
	place := make(map[terse.LinkID]int, len(ids))
	for i, id := range ids {
		place[terse.LinkID(id)] = i
	}
	slices.SortFunc(links, func(a, b terse.Link) int { return place[a.ID] - place[b.ID] })
	l.page.Links = links
	return err
}

// fillClicks fills in the clicks of the page's links.
func (l *listing) fillClicks() error {
	if len(l.page.Links) == 0 {
		return nil
	}
	var ranges []int64
	for _, link := range l.page.Links {
		ranges = append(ranges, int64(link.ID)>>linkset.RangeBits)
	}
	slices.Sort(ranges)
	ranges = slices.Compact(ranges)
	slices.Reverse(ranges)
	return l.of.Totals(ranges, func(first int64, counts Counts) {
		for i := range l.page.Links {
			link := &l.page.Links[i]
			if at := int64(link.ID) - first; 0 <= at && at < int64(len(counts.Clicks)) {
				if link.Clicks = counts.Clicks[at]; l.People {
					link.People = counts.People[at]
				}
			}
		}
	})
}

// countPages makes the total of a search from what this page and those before it have found.
func (l *listing) countPages() {
	if l.After != nil {
		l.page.Total += l.After.Found
	}
	if l.page.Next != nil {
		l.page.Next.Found = int64(len(l.page.Links))
		if l.After != nil {
			l.page.Next.Found += l.After.Found
		}
	}
	if l.page.Total > terse.MaxSearchTotal {
		l.page.Total, l.page.AtLeast = terse.MaxSearchTotal, true
	}
}
