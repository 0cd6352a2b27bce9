package clickread

import (
	"cmp"
	"math"
	"slices"
	"time"

	"terse"
	"terse/internal/clickblock"
)

// Shelf is where the blocks of a link, or those of all links, are in one state of a database. Of
// clicks of one instant, those in blocks of a day were counted before the loose ones.
type Shelf interface {
	// Loose calls f for the blocks that are of no day and may have clicks from one time to another:
	// those of each source in the order in which their clicks were counted. The numbers of pieces
	// stay the same.
	Loose(first, last int64, f func(Piece) error) error
	// Day returns the last day up to one that has blocks, and those of them that may have clicks
	// from one time to another.
	Day(upTo terse.Day, first, last int64) (day terse.Day, blocks []Stored, found bool, err error)
	// Read calls f for some of a day's blocks, in any order. It may sort them.
	Read(day terse.Day, blocks []Stored, f func(Piece) error) error
	// Exist is an Exist. Only blocks of all links have links.
	Exist(links []clickblock.Link) ([]terse.LinkRef, error)
}

// Stored is a block of a day on a Shelf.
type Stored struct {
	Source      int
	Block       int64
	First, Last int64 // times of its clicks
}

// Bounds of the blocks that are read at once, and for one page.
const (
	maxAtOnce  = 16
	maxForPage = 2048 // 8,000,000 clicks: a few hundred milliseconds
)

// EventsOf says whose events are asked for.
type EventsOf struct {
	// Journals are the sources of all links, in order. Those of one link are one source.
	Journals []string
	All      bool // clicks of all links
}

// Events returns the page of a query.
func Events(shelf Shelf, of EventsOf, q terse.EventQuery) (terse.EventPage, error) {
	e := events{of: of, query: q}
	l := &e.latest
	l.clicks, l.shelf = clickblock.NewSelector(&q.Filter), shelf
	l.all, l.most, l.exist = of.All, q.Limit+1, map[clickblock.Link]terse.LinkRef{}
	l.first, l.last = q.Range.Micros()
	if err := e.begin(); err != nil || l.first > l.last {
		return terse.EventPage{}, err
	}
	unread, err := e.find()
	if err != nil {
		return terse.EventPage{}, err
	}
	return e.page(unread)
}

// events is a page in the making.
type events struct {
	latest
	of    EventsOf
	query terse.EventQuery
}

// begin finds the place where the page before ended.
func (e *events) begin() (err error) {
	e.before = place{source: math.MaxInt}
	mark := e.query.After
	if mark == nil || mark.Time > e.last {
		return nil
	}
	e.last = mark.Time
	source, found := slices.BinarySearch(e.of.Journals, mark.Journal)
	if !e.of.All {
		source, found = 0, true
	}
	e.before = place{source: source, block: math.MinInt64}
	if !found || mark.Rank == 0 || e.first > e.last {
		return nil
	}
	rank := mark.Rank
	e.before.loose = math.MaxInt // unless there are more
	return e.eachAt(mark.Time, source, func(at place) bool {
		if rank == 0 {
			e.before = at
		}
		rank--
		return rank >= 0
	})
}

// eachAt calls f for the places of the clicks of an instant and a source, in their order, until it
// returns false.
func (e *events) eachAt(instant int64, source int, f func(place) bool) error {
	more := true
	look := func(p Piece, loose int) error {
		if !more || p.Source != source {
			return nil
		}
		indexes, err := e.atInstant(p, instant)
		for _, i := range indexes {
			more = more && f(place{source, loose, p.Block, i})
		}
		return err
	}
	on := terse.DayOf(instant)
	day, blocks, found, err := e.shelf.Day(on, instant, instant)
	if err != nil {
		return err
	}
	if found && day == on {
		slices.SortFunc(blocks, func(a, b Stored) int { return cmp.Compare(a.Block, b.Block) })
		for i := range blocks {
			if err := e.shelf.Read(day, blocks[i:i+1], func(p Piece) error {
				return look(p, 0)
			}); err != nil {
				return err
			}
		}
	}
	if !more {
		return nil
	}
	return e.shelf.Loose(instant, instant, func(p Piece) error { return look(p, 1) })
}

// find finds the last clicks: among the loose ones, and day by day. When that takes too many
// blocks, it returns the last time that the unread ones may have clicks of.
func (e *events) find() (unread *int64, err error) {
	err = e.shelf.Loose(e.first, e.last, func(p Piece) error { return e.add(p, 1) })
	if err != nil {
		return nil, err
	}
	left := maxForPage
	for upTo := terse.DayOf(e.last); ; {
		day, blocks, found, err := e.shelf.Day(upTo, e.first, e.last)
		if err != nil || !found || !e.needs(day.Start()+(24*time.Hour).Microseconds()-1) {
			return nil, err
		}
		if unread, err = e.findOn(day, blocks, &left); unread != nil || err != nil {
			return unread, err
		}
		upTo = day - 1
	}
}

// findOn is find for a day, of which so many blocks may be read.
func (e *events) findOn(day terse.Day, blocks []Stored, left *int) (unread *int64, err error) {
	slices.SortFunc(blocks, func(a, b Stored) int { return cmp.Compare(b.Last, a.Last) })
	for n := 1; len(blocks) > 0 && e.needs(blocks[0].Last); n = min(2*n, maxAtOnce) {
		if *left <= 0 {
			return &blocks[0].Last, nil
		}
		n = min(n, len(blocks))
		err := e.shelf.Read(day, blocks[:n], func(p Piece) error { return e.add(p, 0) })
		if err != nil {
			return nil, err
		}
		blocks, *left = blocks[n:], *left-n
	}
	return nil, nil
}

// page returns the page of what was found.
func (e *events) page(unread *int64) (page terse.EventPage, err error) {
	e.sort()
	found := e.found
	if unread != nil {
		for len(found) > 0 && found[len(found)-1].Time <= *unread {
			found = found[:len(found)-1]
		}
		page.Next = &terse.EventMark{Time: *unread + 1}
	}
	if len(found) > e.query.Limit {
		found = found[:e.query.Limit]
		if page.Next, err = e.markOf(&found[len(found)-1]); err != nil {
			return page, err
		}
	}
	page.Events = make([]terse.Event, len(found))
	for i := range found {
		page.Events[i] = found[i].Event
		clickblock.Derive(&page.Events[i].Values)
	}
	return page, nil
}

// markOf returns the place of an event.
func (e *events) markOf(last *event) (*terse.EventMark, error) {
	mark := &terse.EventMark{Time: last.Time}
	if e.of.All {
		mark.Journal = e.of.Journals[last.source]
	}
	err := e.eachAt(last.Time, last.source, func(at place) bool {
		if at.compare(last.place) >= 0 {
			return false
		}
		mark.Rank++
		return true
	})
	return mark, err
}
