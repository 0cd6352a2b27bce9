package clickblock

import (
	"cmp"
	"math"
	"slices"

	"terse"
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
	Offset int   // which link of a bucket is meant; -1: all clicks of the block
	Bytes  []byte
}

// latest finds those clicks before a place that come last.
type latest struct {
	selector
	shelf       Shelf
	first, last int64 // both inclusive
	before      place // at the instant last
	most        int
	found       []event // up to twice as many
	least       event   // none before it is among the last ones, if full
	full        bool
	texts       [terse.NumDimensions][]string // by ID; "" is not known yet
	all         bool                          // clicks of all links
	exist       map[Link]terse.LinkRef        // as the shelf said

	// Memory for the block that is being read.
	candidates []uint16
	used       []bool
	names      []string
	links      []Link
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

// Bounds of what is kept from one block to the next.
const (
	maxKnownLinks = 100_000
	maxTextBytes  = 4 << 20
)

func (l *latest) reset() {
	for d := range terse.NumDimensions {
		l.tables[d].reset(d, math.MaxInt32)
		l.texts[d] = l.texts[d][:0]
	}
}

// needs reports whether clicks up to a time can be among the last ones.
func (l *latest) needs(last int64) bool { return !l.full || last >= l.least.Time }

// add takes from a block what is among the last clicks so far.
func (l *latest) add(p Piece, loose int) error {
	b, ok := open(p.Bytes)
	if !ok {
		return ErrDamaged
	}
	if l.all && b.links.b == nil {
		return nil
	}
	c := &l.chosen
	c.every, c.some = true, c.some[:0]
	if p.Offset >= 0 {
		if c.keepOffset(b.offsets, byte(p.Offset)); !c.every && len(c.some) == 0 {
			return nil
		}
	}
	if some, ok := l.filter(&b); !some || !ok {
		return damagedUnless(ok)
	}
	micros, ok := l.readTimes(&b.times, b.n)
	if !ok {
		return ErrDamaged
	}
	c.keepTimes(micros, l.first, l.last)
	at := place{p.Source, loose, p.Block, 0}
	l.choosePlaces(micros, at)
	var links []terse.LinkRef
	if l.all && len(l.candidates) > 0 {
		var err error
		if links, err = l.chooseLinks(&b); err != nil {
			return err
		}
	}
	if len(l.candidates) == 0 {
		return nil
	}
	return l.take(&b, micros, links, at)
}

// choosePlaces has those of the chosen clicks be candidates that are before the place, and can be
// among the last ones.
func (l *latest) choosePlaces(micros []int64, at place) {
	c := &l.chosen
	l.candidates = l.candidates[:0]
	n := c.count()
	for k := n - 1; k >= 0; k-- {
		i := c.from + k
		if !c.every {
			i = int(c.some[k])
		}
		at.index = i
		if micros[i] == l.last && at.compare(l.before) >= 0 {
			continue
		}
		e := event{Event: terse.Event{Time: micros[i]}, place: at}
		if l.full && e.compare(&l.least) >= 0 || !l.all && len(l.candidates) == l.most {
			return
		}
		l.candidates = append(l.candidates, uint16(i))
	}
}

// chooseLinks leaves out candidates whose links are not asked for, and returns the links of the
// others.
func (l *latest) chooseLinks(b *opened) ([]terse.LinkRef, error) {
	part := b.links
	k, places, ok := l.decoder.places(&part, b.n)
	if !ok {
		return nil, ErrDamaged
	}
	l.markUsed(k, places)
	links, unknown := slices.Grow(l.links[:0], k)[:k], []Link(nil)
	l.links = links
	for i := range links {
		links[i] = part.link()
		if _, known := l.exist[links[i]]; l.used[i] && !known {
			unknown = append(unknown, links[i])
		}
	}
	if part.end(); part.bad {
		return nil, ErrDamaged
	}
	if len(l.exist) > maxKnownLinks {
		clear(l.exist)
		return l.chooseLinks(b)
	}
	if len(unknown) > 0 {
		exist, err := l.shelf.Exist(unknown)
		if err != nil {
			return nil, err
		}
		for i, link := range unknown {
			l.exist[link] = exist[i]
		}
	}
	l.candidates = slices.DeleteFunc(l.candidates, func(i uint16) bool {
		return l.exist[links[places[i]]] == terse.LinkRef{}
	})
	of := make([]terse.LinkRef, len(l.candidates))
	for i, candidate := range l.candidates {
		of[i] = l.exist[links[places[candidate]]]
	}
	return of, nil
}

// markUsed says which values of a column the candidates have.
func (l *latest) markUsed(values int, places []uint16) {
	used := slices.Grow(l.used[:0], values)[:values]
	l.used = used
	clear(used)
	for _, i := range l.candidates {
		used[places[i]] = true
	}
}

// take takes the candidates, of which each is of a link where those of all links are asked for.
func (l *latest) take(b *opened, micros []int64, links []terse.LinkRef, at place) error {
	from := len(l.found)
	for k, i := range l.candidates {
		at.index = int(i)
		e := event{Event: terse.Event{Time: micros[i]}, place: at}
		if links != nil {
			e.Link = links[k]
		}
		l.found = append(l.found, e)
	}
	taken, bytes := l.found[from:], 0
	for d := range terse.NumDimensions {
		if b.columns[d].b != nil && !l.takeColumn(d, b, taken) {
			return ErrDamaged
		}
		bytes += l.tables[d].bytes
	}
	if bytes > maxTextBytes {
		l.reset()
	}
	if len(l.found) >= 2*l.most || !l.full && len(l.found) >= l.most {
		l.sort()
	}
	return nil
}

func (l *latest) takeColumn(d terse.Dimension, b *opened, taken []event) bool {
	part := b.columns[d]
	k, places, ok := l.decoder.places(&part, b.n)
	if !ok {
		return false
	}
	l.markUsed(k, places)
	names := l.names[:0]
	for _, used := range l.used {
		name := ""
		if used {
			name = l.text(d, l.tables[d].next(&part, 1))
		} else {
			part.value()
		}
		names = append(names, name)
	}
	l.names = names
	for i, candidate := range l.candidates {
		taken[i].Values[d] = names[places[candidate]]
	}
	part.end()
	return !part.bad
}

// text returns a value by its ID.
func (l *latest) text(d terse.Dimension, id uint32) string {
	for int(id) >= len(l.texts[d]) {
		l.texts[d] = append(l.texts[d], "")
	}
	if l.texts[d][id] == "" {
		l.texts[d][id] = unpackValue(d, l.tables[d].values[id].packed)
	}
	return l.texts[d][id]
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
	b, ok := open(p.Bytes)
	if !ok {
		return nil, ErrDamaged
	}
	micros, ok := l.readTimes(&b.times, b.n)
	if !ok {
		return nil, ErrDamaged
	}
	for i, _ := slices.BinarySearch(micros, instant); i < b.n && micros[i] == instant; i++ {
		if p.Offset < 0 || b.offset(i) == byte(p.Offset) {
			indexes = append(indexes, i)
		}
	}
	return indexes, nil
}
