package clickread

import (
	"cmp"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// place is where a click is among those of its instant. The order of places is that in which the
// clicks were counted: those of a day are before the loose ones, see Shelf.
type place struct {
	source int // which journal counted it, where there are several orders
	loose  int // 1 for a click that is in no block of a day
	block  int64
	index  int
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.source, q.source), cmp.Compare(p.loose, q.loose),
		cmp.Compare(p.block, q.block), cmp.Compare(p.index, q.index))
}

// Piece is a block on its way from a Shelf.
type Piece struct {
	Source int   // the index of its journal
	Block  int64 // grows in the order of counting, for pieces of a source and a day
	Offset int   // which link of several is meant; -1: all clicks of the block
	Bytes  []byte
}

// latest finds those clicks before a place that come last.
type latest struct {
	clicks      *clickblock.Selector
	shelf       Shelf
	first, last int64 // both inclusive
	before      place // at the instant last
	most        int
	found       []event // up to twice as many
	least       event   // none before it is among the last ones, if full
	full        bool
	all         bool                              // clicks of all links
	exist       map[clickblock.Link]terse.LinkRef // as the shelf said
	candidates  []uint16                          // indexes in the block that is being read
}

// event is a click that was found.
type event struct {
	terse.Event
	place
}

// compare orders events from the latest on.
func (e *event) compare(f *event) int {
	return cmp.Or(cmp.Compare(f.Time, e.Time), f.place.compare(e.place))
}

// maxKnownLinks bounds what is kept of links from one block to the next.
const maxKnownLinks = 100_000

// needs reports whether clicks up to a time can be among the last ones.
func (l *latest) needs(last int64) bool { return !l.full || last >= l.least.Time }

// add takes from a block what is among the last clicks so far.
func (l *latest) add(p Piece, loose int) error {
	some, err := l.clicks.Open(p.Bytes, p.Offset)
	if some && err == nil {
		some, err = l.clicks.Filter()
	}
	if some && err == nil {
		some, err = l.clicks.Between(l.first, l.last)
	}
	if !some || err != nil {
		return err
	}
	at := place{p.Source, loose, p.Block, 0}
	l.choosePlaces(at)
	var links []terse.LinkRef
	if l.all && len(l.candidates) > 0 {
		if links, err = l.chooseLinks(); err != nil {
			return err
		}
	}
	if len(l.candidates) == 0 {
		return nil
	}
	return l.take(links, at)
}

// choosePlaces has those of the chosen clicks be candidates that are before the place, and can be
// among the last ones.
func (l *latest) choosePlaces(at place) {
	l.candidates = l.candidates[:0]
	for k := l.clicks.Len() - 1; k >= 0; k-- {
		at.index = l.clicks.At(k)
		e := event{Event: terse.Event{Time: l.clicks.Time(at.index)}, place: at}
		if e.Time == l.last && at.compare(l.before) >= 0 {
			continue
		}
		if l.full && e.compare(&l.least) >= 0 || !l.all && len(l.candidates) == l.most {
			break
		}
		l.candidates = append(l.candidates, uint16(at.index))
	}
	l.clicks.Choose(l.candidates)
}

// chooseLinks leaves out candidates whose links are not asked for, and returns the links of the
// others.
func (l *latest) chooseLinks() ([]terse.LinkRef, error) {
	links, err := l.clicks.Links()
	if err != nil {
		return nil, err
	}
	if len(l.exist) > maxKnownLinks {
		clear(l.exist)
	}
	if err := l.ask(links); err != nil {
		return nil, err
	}
	var of []terse.LinkRef
	candidates := l.candidates[:0]
	for k, link := range links {
		if exists := l.exist[link]; exists != (terse.LinkRef{}) {
			candidates, of = append(candidates, l.candidates[k]), append(of, exists)
		}
	}
	l.candidates = candidates
	l.clicks.Choose(candidates)
	return of, nil
}

// ask asks the shelf about links that it was not asked about.
func (l *latest) ask(links []clickblock.Link) error {
	var unknown []clickblock.Link
	for _, link := range links {
		if _, known := l.exist[link]; !known {
			l.exist[link] = terse.LinkRef{} // until the answer is there
			unknown = append(unknown, link)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	exist, err := l.shelf.Exist(unknown)
	if err != nil {
		return err
	}
	for i, link := range unknown {
		l.exist[link] = exist[i]
	}
	return nil
}

// take takes the candidates, of which each is of a link where those of all links are asked for.
func (l *latest) take(links []terse.LinkRef, at place) error {
	from := len(l.found)
	for k, i := range l.candidates {
		at.index = int(i)
		e := event{Event: terse.Event{Time: l.clicks.Time(at.index)}, place: at}
		if links != nil {
			e.Link = links[k]
		}
		l.found = append(l.found, e)
	}
	taken := l.found[from:]
	err := l.clicks.Values(func(k int, d terse.Dimension, value string) {
		taken[k].Values[d] = value
	})
	if len(l.found) >= 2*l.most || !l.full && len(l.found) >= l.most {
		l.sort()
	}
	return err
}

// sort keeps the latest events only, in their order.
func (l *latest) sort() {
	slices.SortFunc(l.found, func(a, b event) int { return a.compare(&b) })
	if len(l.found) >= l.most {
		clear(l.found[l.most:])
		l.found = l.found[:l.most]
		l.least, l.full = l.found[l.most-1], true
	}
}

// atInstant returns the indexes of the clicks of a piece that are of an instant.
func (l *latest) atInstant(p Piece, instant int64) (indexes []int, err error) {
	some, err := l.clicks.Open(p.Bytes, p.Offset)
	if some && err == nil {
		_, err = l.clicks.Between(instant, instant)
	}
	if !some || err != nil {
		return nil, err
	}
	for k := range l.clicks.Len() {
		indexes = append(indexes, l.clicks.At(k))
	}
	return indexes, nil
}
