package clickstore

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// maxBlocksPerPage bounds the blocks that are read for one page: 8,000,000 clicks, a few hundred
// milliseconds.
const maxBlocksPerPage = 2048

// Events returns a page of the clicks of a link, or of those of an owner's links that exist and
// were not cleared. Clicks of one instant are in the order of their links, then of clickblock.Hash,
// then of their values, so that they keep their places wherever they lie.
func Events(r Reader, of Asked, q terse.EventQuery) (page terse.EventPage, err error) {
	page, err = newEvents(r, of, q).page()
	if err != nil {
		return terse.EventPage{}, fmt.Errorf("clicks of link %d: %w", of.Link, err)
	}
	return page, nil
}

// events is a page in the making.
type events struct {
	rows        Reader
	of          Asked
	query       terse.EventQuery
	clicks, all *clickblock.Selector              // the second one leaves out none
	exist       map[clickblock.Link]terse.LinkRef // as far as was asked
	first, last int64                             // both included
	block       []byte

	// From the newest on: blocks that are listed and not read, and the days of which no blocks are
	// listed. Days before unknown were not looked at.
	blocks  []block
	days    []terse.Day
	unknown terse.Day
	window  terse.Day // how many days are looked at next

	most  int     // events that are needed: one more than the page has
	found []event // up to twice as many
	full  bool    // nothing from before least is needed
	least int64
	// Of the clicks that have the time, link and hash of the mark: how many are before it, by their
	// values, and how many of these are still to be passed over.
	before, skip map[terse.Values]int64
}

// block is where a block is.
type block struct {
	table  Table
	key    Key
	span   Span
	offset int // as that of a level
}

// event is a click that was found.
type event struct {
	time   int64
	link   terse.LinkID
	hash   uint64
	ref    terse.LinkRef
	values terse.Values
}

func newEvents(r Reader, of Asked, q terse.EventQuery) *events {
	e := &events{
		rows: r, of: of, query: q, most: q.Limit + 1, window: 31,
		clicks: clickblock.NewSelector(&q.Filter, nil),
		all:    clickblock.NewSelector(&terse.ClickFilter{}, nil),
		exist:  map[clickblock.Link]terse.LinkRef{},
		before: map[terse.Values]int64{}, skip: map[terse.Values]int64{},
	}
	e.first, e.last = q.Range.Micros()
	return e
}

// compare orders events, the newest first.
func (e *event) compare(f *event) int {
	return cmp.Or(cmp.Compare(f.time, e.time), cmp.Compare(e.link, f.link),
		cmp.Compare(e.hash, f.hash), slices.Compare(e.values[:], f.values[:]))
}

// afterMark reports whether an event is behind the mark.
func (e *events) afterMark(f *event) bool {
	m := e.query.After
	if m == nil || f.time < m.Time {
		return true
	}
	if order := cmp.Or(cmp.Compare(f.link, m.Link), cmp.Compare(f.hash, m.Hash)); order != 0 {
		return order > 0
	}
	if e.skip[f.values] > 0 {
		e.skip[f.values]--
		return false
	}
	return true
}

// page reads the blocks that may have clicks of the page, the newest ones first.
func (e *events) page() (page terse.EventPage, err error) {
	if some, err := e.begin(); !some || err != nil {
		return page, err
	}
	for read := 0; ; read++ {
		next, err := e.next()
		if err != nil {
			return page, err
		}
		if next == nil || e.full && next.span.Last < e.least {
			break
		}
		// A page that had no clicks but those of one instant would end where it began.
		if last := next.span.Last; read >= maxBlocksPerPage && last < e.last {
			e.sort()
			e.found = slices.DeleteFunc(e.found, func(f event) bool { return f.time <= last })
			page.Next = &terse.EventMark{Time: last}
			break
		}
		e.blocks = e.blocks[1:]
		if err := e.read(next); err != nil {
			return page, err
		}
	}
	e.sort()
	if len(e.found) > e.query.Limit {
		e.found = e.found[:e.query.Limit]
		if page.Next, err = e.mark(); err != nil {
			return page, err
		}
	}
	for i := range e.found {
		f := &e.found[i]
		clickblock.Derive(&f.values)
		page.Events = append(page.Events, terse.Event{Link: f.ref, Time: f.time, Values: f.values})
	}
	return page, nil
}

// begin finds out how far the mark is within clicks of one instant, and lists the blocks that are
// of no day. It reports whether there may be clicks.
func (e *events) begin() (some bool, err error) {
	total, err := TotalOf(e.rows, e.of.Link)
	if e.last = min(e.last, total.Last); err != nil || total.Clicks == 0 {
		return false, err
	}
	if m := e.query.After; m != nil {
		if e.last = min(e.last, m.Time); e.last == m.Time && m.Rank > 0 {
			group, err := e.group(m.Time, m.Link, m.Hash)
			if err != nil {
				return false, err
			}
			left := m.Rank
			for _, g := range group {
				e.before[g.values] = min(g.n, left)
				left -= min(g.n, left)
			}
			maps.Copy(e.skip, e.before)
		}
	}
	for _, level := range uncounted(e.of.Link) {
		if e.blocks, err = e.list(e.blocks, level, Span{e.first, e.last}); err != nil {
			return false, err
		}
	}
	e.unknown = dayOf(e.last) + 1
	return e.first <= e.last, nil
}

// list appends the blocks of a level to others, and sorts them: the newest first.
func (e *events) list(blocks []block, l level, within Span) ([]block, error) {
	err := e.rows.Sizes(l.Range, func(b int64, at Span, _ int) error {
		if at.First <= within.Last && at.Last >= within.First {
			blocks = append(blocks, block{l.Table, Key{l.A, b}, at, l.offset})
		}
		return nil
	})
	slices.SortStableFunc(blocks, func(a, b block) int {
		return cmp.Compare(b.span.Last, a.span.Last)
	})
	return blocks, err
}

// next returns the next block, and lists those of days that may have newer ones. It is nil at the
// end.
func (e *events) next() (*block, error) {
	for {
		day := e.unknown - 1
		if len(e.days) > 0 {
			day = e.days[len(e.days)-1]
		}
		end := (day + 1).Start() - 1
		if day == LastDay {
			end = math.MaxInt64
		}
		if day < dayOf(e.first) || e.full && end < e.least ||
			len(e.blocks) > 0 && e.blocks[0].span.Last > end {
			break
		}
		if len(e.days) == 0 {
			if err := e.listDays(); err != nil {
				return nil, err
			}
			continue
		}
		e.days = e.days[:len(e.days)-1]
		ofDay := level{blocksOf(e.of.Link, dayRange{day, day}), -1}
		var err error
		if e.blocks, err = e.list(e.blocks, ofDay, Span{e.first, e.last}); err != nil {
			return nil, err
		}
	}
	if len(e.blocks) == 0 {
		return nil, nil
	}
	return &e.blocks[0], nil
}

// listDays lists days that have blocks, some more each time.
func (e *events) listDays() error {
	from := max(e.unknown-e.window, dayOf(e.first))
	err := e.rows.Sizes(countsBetween(Days, e.of.Link, headColumn, from, e.unknown-1),
		func(b int64, _ Span, _ int) error {
			day, _ := ofKey(b)
			e.days = append(e.days, terse.Day(day))
			return nil
		})
	e.unknown, e.window = from, 4*e.window
	return err
}

// get reads a block, so that rows can be read while it is looked at.
func (e *events) get(b *block) error {
	e.block = e.block[:0]
	return e.rows.Get(b.table, b.key, func(v []byte) error {
		e.block = append(e.block, v...)
		return nil
	})
}

// read takes from a block what may be on the page.
func (e *events) read(b *block) error {
	if err := e.get(b); err != nil {
		return err
	}
	n, err := e.clicks.Open(e.block, b.offset, e.first, e.last)
	if n == 0 || err != nil {
		return err
	}
	times, err := e.clicks.Times()
	if err != nil {
		return err
	}
	chosen := make([]uint16, n)
	for k := range chosen {
		chosen[k] = uint16(e.clicks.At(k))
	}
	for len(chosen) > 0 && !(e.full && times[chosen[len(chosen)-1]] < e.least) {
		some := chosen[max(0, len(chosen)-e.most):]
		chosen = chosen[:len(chosen)-len(some)]
		e.clicks.Choose(some)
		if err := e.take(e.clicks, func(f event) {
			if e.afterMark(&f) {
				e.found = append(e.found, f)
			}
		}); err != nil {
			return err
		}
		if len(e.found) >= e.most {
			e.sort()
		}
	}
	return nil
}

// take calls f for the chosen clicks of a block that are of links that exist.
func (e *events) take(clicks *clickblock.Selector, f func(event)) error {
	refs, err := e.refs(clicks)
	if err != nil {
		return err
	}
	times, err := clicks.Times()
	if err != nil {
		return err
	}
	some := make([]event, clicks.Len())
	if err := clicks.Values(func(k int, d terse.Dimension, value string) {
		some[k].values[d] = value
	}); err != nil {
		return err
	}
	for k := range some {
		found := &some[k]
		found.time, found.link = times[clicks.At(k)], e.of.Link
		if IsOwner(e.of.Link) {
			if found.ref = refs[k]; found.ref == (terse.LinkRef{}) {
				continue
			}
			found.link = found.ref.ID
		}
		found.hash = clickblock.Hash(&found.values)
		f(*found)
	}
	return nil
}

// maxKnownLinks bounds what is kept of links from one block to the next.
const maxKnownLinks = 100_000

// refs returns the links of the chosen clicks of an owner, the zero LinkRef where that is not asked
// for.
func (e *events) refs(clicks *clickblock.Selector) ([]terse.LinkRef, error) {
	if !IsOwner(e.of.Link) {
		return nil, nil
	}
	links, err := clicks.Links()
	if err != nil {
		return nil, err
	}
	if len(e.exist) > maxKnownLinks {
		clear(e.exist)
	}
	var fresh []clickblock.Link
	var ids []terse.LinkID
	for _, l := range links {
		if _, known := e.exist[l]; known {
			continue
		}
		e.exist[l] = terse.LinkRef{} // until the answer is there
		if l.ID > 0 && (len(e.query.Tags) == 0 || e.of.Tagged.Has(int64(l.ID))) {
			fresh, ids = append(fresh, l), append(ids, l.ID)
		}
	}
	if len(ids) > 0 {
		eras, err := erasOf(e.rows, ids)
		if err != nil {
			return nil, err
		}
		found, err := e.of.Exist(ids)
		if err != nil {
			return nil, err
		}
		for i, l := range fresh {
			if eras[l.ID] == l.Era {
				e.exist[l] = found[i]
			}
		}
	}
	refs := make([]terse.LinkRef, len(links))
	for k, l := range links {
		refs[k] = e.exist[l]
	}
	return refs, nil
}

// sort keeps the newest events only, in their order.
func (e *events) sort() {
	slices.SortFunc(e.found, func(a, b event) int { return a.compare(&b) })
	if len(e.found) >= e.most {
		clear(e.found[e.most:])
		e.found = e.found[:e.most]
		e.full, e.least = true, e.found[e.most-1].time
	}
}

// same are clicks of one instant and link with the same values.
type same struct {
	values terse.Values
	n      int64
}

// group returns the clicks of an instant and link whose values have a hash, in their order, also
// those that the filter leaves out. Only clicks that collide have different values.
func (e *events) group(at int64, link terse.LinkID, hash uint64) (group []same, err error) {
	day, instant := dayOf(at), Span{at, at}
	ofDay := level{blocksOf(e.of.Link, dayRange{day, day}), -1}
	var blocks []block
	for _, level := range append(uncounted(e.of.Link), ofDay) {
		if blocks, err = e.list(blocks, level, instant); err != nil {
			return nil, err
		}
	}
	counts := map[terse.Values]int64{}
	for i := range blocks {
		if err := e.get(&blocks[i]); err != nil {
			return nil, err
		}
		n, err := e.all.Open(e.block, blocks[i].offset, at, at)
		if n > 0 && err == nil {
			err = e.take(e.all, func(f event) {
				if f.link == link && f.hash == hash {
					counts[f.values]++
				}
			})
		}
		if err != nil {
			return nil, err
		}
	}
	for values, n := range counts {
		group = append(group, same{values, n})
	}
	slices.SortFunc(group, func(a, b same) int { return slices.Compare(a.values[:], b.values[:]) })
	return group, nil
}

// mark returns the place behind the last event of those that were found.
func (e *events) mark() (*terse.EventMark, error) {
	last := e.found[len(e.found)-1]
	m := &terse.EventMark{Time: last.time, Link: last.link, Hash: last.hash}
	group, err := e.group(m.Time, m.Link, m.Hash)
	for _, g := range group {
		if slices.Compare(g.values[:], last.values[:]) < 0 {
			m.Rank += g.n
		}
	}
	if a := e.query.After; a != nil && a.Time == m.Time && a.Link == m.Link && a.Hash == m.Hash {
		m.Rank += e.before[last.values]
	}
	for _, f := range e.found {
		if f == last {
			m.Rank++
		}
	}
	return m, err
}
