// Package list makes lists of links from a snapshot of a store.
//
// Filters work on sets of IDs: stores keep one for each tag, each status and each domain but the
// default, and one of the archived links. The sets are combined and counted. For a page they are
// read range by range of IDs, beginning with the ranges that may contain the first links. Lists by
// clicks, and links that are unused since a day, are found by totals alone. A search reads the
// texts of a bounded number of links. Stores read rows; this package makes all decisions and does
// no I/O of its own.
//
// A status changes with time. The sets hold the status at the time a link was written, or was last
// moved by a Clock. A list corrects links whose change is due.
package list

import (
	"cmp"
	"math"
	"slices"

	"terse"
	"terse/internal/link/linkset"
)

// Bounds limit how many links one search examines, so that an abandoned request costs little.
type Bounds struct{ ByTime, ByClicks int }

// Usual takes 25 ms in the order of time. By clicks, the total takes as long again.
var Usual = Bounds{ByTime: 50_000, ByClicks: 10_000}

// Page returns one page of an owner's links. The Limit of the query is at least 1.
func Page(of Snapshot, q terse.LinkQuery, most Bounds) (page terse.LinkPage, err error) {
	l := &listing{LinkQuery: q, of: of, bounds: most}
	if l.ranges, err = of.Ranges(); err != nil {
		return page, err
	}
	if err = cmp.Or(l.readArchived(), l.readElsewhere()); err != nil {
		return page, err
	}
	l.total = countIn(l.ranges)
	list := l.plain
	if q.Search != nil || !l.Filter.IsZero() {
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
	total  int64       // of the owner's links
	ranges []Range     // each with the number of its links that match the filter
	links  linkset.Set // those links, and maybe IDs without a link; unset if all match
	// archived are the archived links, if the filter asks for or without them.
	archived linkset.Set
	// elsewhere are the links on other domains than the default, if the filter asks for that one.
	elsewhere linkset.Set
	page      terse.LinkPage
	text      []byte
	// within has the clicks in the time that sorts the list, by the number of a range.
	within map[int64]*[linkset.RangeSize]periodClicks
}

// beginning comes before all links.
var beginning = linkset.Ranked{ID: math.MaxInt64, Key: math.MaxInt64}

// start returns the link after which the page begins.
func (l *listing) start() linkset.Ranked {
	if l.After == nil {
		return beginning
	}
	return inOrder(linkset.Ranked{ID: int64(l.After.ID), Key: l.After.Key}, l.Order)
}

// inOrder converts a link between newest first and another order, both ways: oldest first is newest
// first with all numbers negated.
func inOrder(r linkset.Ranked, order terse.LinkOrder) linkset.Ranked {
	if order == terse.OldestFirst {
		return linkset.Ranked{ID: ^r.ID, Key: ^r.Key}
	}
	return r
}

// plain makes a page of all links in the order of time, for which stores have an index.
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

// fill makes the page from the links found, in order. If there is one more than the page takes, the
// next page begins there; otherwise next is where to continue.
func (l *listing) fill(found []terse.LinkMark, next *terse.LinkMark) error {
	l.page.Next = next
	if len(found) > l.Limit {
		found = found[:l.Limit]
		l.page.Next = &found[l.Limit-1]
	}
	ids := make([]int64, len(found))
	place := make(map[terse.LinkID]int, len(found))
	for i, mark := range found {
		ids[i], place[mark.ID] = int64(mark.ID), i
	}
	links, err := l.of.Read(ids)
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
	for i := range l.page.Links {
		link := &l.page.Links[i]
		number := int64(link.ID) >> linkset.RangeBits
		ranges = append(ranges, number)
		if of := l.within[number]; of != nil {
			period := of[link.ID&(linkset.RangeSize-1)]
			link.PeriodClicks, link.PeriodPeople = period.clicks, period.people
		}
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

// countPages sets the total of a search: the links found on this page and those before it.
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
