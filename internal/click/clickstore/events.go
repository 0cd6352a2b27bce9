package clickstore

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// maxBlocksPerPage bounds the blocks read for one page. They hold up to 8,000,000 clicks; reading
// them takes a few hundred milliseconds.
const maxBlocksPerPage = 2048

// Events returns a page of the clicks of a link, or of all links of owners. Of these, it leaves out
// clicks of deleted links and cleared clicks. Clicks of one instant are ordered by link,
// clickblock.Hash and values, so that their order does not change when they move. Equal ones are
// one event, from however many clicks of blocks.
func Events(r Reader, of Asked, q terse.EventQuery) (page terse.EventPage, err error) {
	page, err = newEvents(r, of, q).page()
	if err != nil {
		return terse.EventPage{}, fmt.Errorf("clicks of link %d: %w", of.Links, err)
	}
	return page, nil
}

// events is a page in the making.
type events struct {
	rows        Reader
	of          Asked
	query       terse.EventQuery
	clicks      *clickblock.Selector
	exist       map[clickblock.Link]terse.LinkRef // links looked up so far; zero: does not count
	first, last int64                             // the remaining range, both included
	block       []byte

	blocks []block   // listed and not read yet, the newest first
	days   []linkDay // counted days whose blocks are not listed yet, the newest last

	most  int     // how many events are needed: one more than the page has
	found []event // up to twice most
}

// block locates a block.
type block struct {
	table  Table
	key    Key
	span   Span
	offset int // of the link, as in a level
}

// event is an event that may be on the page, as far as its clicks were read.
type event struct {
	time   int64
	link   terse.LinkID
	hash   uint64
	ref    terse.LinkRef
	values terse.Values
	count  int64
}

func newEvents(r Reader, of Asked, q terse.EventQuery) *events {
	e := &events{
		rows: r, of: of, query: q, most: q.Limit + 1,
		clicks: clickblock.NewSelector(&q.Filter, nil), exist: map[clickblock.Link]terse.LinkRef{},
	}
	e.first, e.last = q.Range.Micros()
	return e
}

// compare orders events, the newest first.
func (e *event) compare(f *event) int {
	return cmp.Or(e.comparePlace(f.time, f.link, f.hash), slices.Compare(e.values[:], f.values[:]))
}

// comparePlace compares an event with the place of a mark, ignoring its rank.
func (e *event) comparePlace(at int64, link terse.LinkID, hash uint64) int {
	return cmp.Or(cmp.Compare(at, e.time), cmp.Compare(e.link, link), cmp.Compare(e.hash, hash))
}

// page reads the blocks that may have clicks of the page, the newest first.
func (e *events) page() (page terse.EventPage, err error) {
	if err := e.begin(); err != nil {
		return page, err
	}
	for read := 0; ; read++ {
		next, err := e.next()
		if err != nil {
			return page, err
		}
		if next == nil {
			break
		}
		// A page whose clicks are all of one instant would end where it began.
		if last := next.span.Last; read >= maxBlocksPerPage && last < e.last {
			e.sort()
			e.found = slices.DeleteFunc(e.found, func(f event) bool { return f.time <= last })
			page.Next = &terse.EventMark{Time: last}
			break
		}
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
		page.Events = append(page.Events, terse.Event{
			Link: f.ref, Time: f.time, Values: f.values, Count: f.count,
		})
	}
	return page, nil
}

// begin finds the events at the place of the mark that come after it, and lists the blocks that may
// have clicks of later pages.
func (e *events) begin() error {
	last := int64(math.MinInt64)
	for _, link := range e.of.Links {
		total, err := TotalOf(e.rows, link)
		if err != nil {
			return err
		}
		if total.Clicks > 0 {
			last = max(last, total.Last)
		}
	}
	e.last = min(e.last, last)
	if m := e.query.After; m != nil {
		if e.first <= m.Time && m.Time <= e.last {
			group, err := e.group(m.Time, m.Link, m.Hash)
			if err != nil {
				return err
			}
			for _, f := range group[min(m.Rank, int64(len(group))):] {
				if e.lets(f.values) {
					e.found = append(e.found, f)
				}
			}
		}
		e.last = min(e.last, m.Time)
	}
	if e.first > e.last {
		return nil
	}
	for _, link := range e.of.Links {
		if err := e.listOf(link); err != nil {
			return err
		}
	}
	slices.SortStableFunc(e.days, func(a, b linkDay) int { return cmp.Compare(a.day, b.day) })
	return nil
}

// listOf lists the blocks without counts and the counted days of one of the links.
func (e *events) listOf(link terse.LinkID) (err error) {
	for _, level := range blocksWithoutCounts(link) {
		if e.blocks, err = e.list(e.blocks, level, Span{e.first, e.last}); err != nil {
			return err
		}
	}
	heads := countsBetween(Days, link, headColumn, dayOf(e.first), dayOf(e.last))
	return e.rows.Sizes(heads, func(b int64, _ Span, _ int) error {
		day, _ := ofKey(b)
		e.days = append(e.days, linkDay{link, terse.Day(day)})
		return nil
	})
}

// list appends the blocks of a level to others, and sorts them all, the newest first.
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

// blocks returns the blocks of a counted day.
func (of linkDay) blocks() level { return level{blocksOf(of.link, dayRange{of.day, of.day}), -1} }

// next removes the newest block from the list and returns it. It first lists the blocks of days
// that may be newer. It returns nil if none of the remaining blocks can have clicks of the page.
func (e *events) next() (next *block, err error) {
	for n, of := range slices.Backward(e.days) {
		if of.day < dayOf(e.first) || len(e.blocks) > 0 && dayOf(e.blocks[0].span.Last) > of.day {
			break
		}
		e.days = e.days[:n]
		if e.blocks, err = e.list(e.blocks, of.blocks(), Span{e.first, e.last}); err != nil {
			return nil, err
		}
	}
	if len(e.blocks) == 0 || e.blocks[0].span.Last < e.first {
		return nil, nil
	}
	next, e.blocks = &e.blocks[0], e.blocks[1:]
	return next, nil
}

// get copies a block to e.block, so that other rows can be read while it is in use.
func (e *events) get(b *block) error {
	e.block = e.block[:0]
	return e.rows.Get(b.table, b.key, func(v []byte) error {
		e.block = append(e.block, v...)
		return nil
	})
}

// read adds the clicks of a block that may be on the page.
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
	chosen := slices.Clone(e.clicks.Chosen())
	for len(chosen) > 0 && times[chosen[len(chosen)-1]] >= e.first {
		some := chosen[max(0, len(chosen)-e.most):]
		chosen = chosen[:len(chosen)-len(some)]
		e.clicks.Choose(some)
		if err := e.each(e.clicks, func(f event) {
			if m := e.query.After; m == nil || f.comparePlace(m.Time, m.Link, m.Hash) > 0 {
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

// each calls f for the chosen clicks of a block whose links exist.
func (e *events) each(clicks *clickblock.Selector, f func(event)) error {
	refs, err := e.refs(clicks)
	if err != nil {
		return err
	}
	times, err := clicks.Times()
	if err != nil {
		return err
	}
	people, err := clicks.People(false, false)
	if err != nil {
		return err
	}
	some := make([]event, len(clicks.Chosen()))
	if err := clicks.Values(func(k int, d terse.Dimension, value string) {
		if value != d.Unknown() { // but for OtherValue beyond the bounds of a day
			some[k].values[d] = value
		}
	}); err != nil {
		return err
	}
	for k := range some {
		found := &some[k]
		found.time, found.link = times[clicks.Chosen()[k]], e.of.Links[0]
		if e.of.ofOwners() {
			if found.ref = refs[k]; found.ref == (terse.LinkRef{}) {
				continue
			}
			found.link = found.ref.ID
		}
		found.hash = clickblock.Hash(&found.values)
		found.count = people.Of(clicks.Chosen()[k]).Clicks
		f(*found)
	}
	return nil
}

// maxKnownLinks bounds the links remembered from one block to the next.
const maxKnownLinks = 100_000

// refs returns the links of the chosen clicks of owners. The LinkRef of a click that the query
// does not ask for is zero.
func (e *events) refs(clicks *clickblock.Selector) ([]terse.LinkRef, error) {
	if !e.of.ofOwners() {
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
		e.exist[l] = terse.LinkRef{} // until the answer arrives
		if l.ID > 0 && (e.query.Some.All() || e.of.Tagged.Has(int64(l.ID))) {
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

// sort sorts the events, and keeps the first most of them. The others belong to later pages,
// whatever is read next.
func (e *events) sort() {
	e.found = sorted(e.found)
	if len(e.found) >= e.most {
		clear(e.found[e.most:])
		e.found = e.found[:e.most]
		e.first = e.found[e.most-1].time
	}
}

// sorted sorts events, and joins equal ones.
func sorted(events []event) []event {
	slices.SortFunc(events, func(a, b event) int { return a.compare(&b) })
	kept := events[:0]
	for i := range events {
		if k := len(kept) - 1; k >= 0 && kept[k].compare(&events[i]) == 0 {
			kept[k].count += events[i].count
			continue
		}
		kept = append(kept, events[i])
	}
	clear(events[len(kept):])
	return kept
}

// lets reports whether the filter lets clicks with these values through.
func (e *events) lets(values terse.Values) bool {
	clickblock.Derive(&values)
	for d := range terse.NumDimensions {
		if !e.query.Filter[d].Lets(d, values.Of(d)) {
			return false
		}
	}
	return true
}

// group returns the events at the place of a mark, in order. It ignores the filter. There is one,
// unless hashes collide.
func (e *events) group(at int64, link terse.LinkID, hash uint64) (group []event, err error) {
	var blocks []block
	for _, one := range e.of.Links {
		for _, level := range append(blocksWithoutCounts(one), linkDay{one, dayOf(at)}.blocks()) {
			if blocks, err = e.list(blocks, level, Span{at, at}); err != nil {
				return nil, err
			}
		}
	}
	all := clickblock.NewSelector(&terse.ClickFilter{}, nil)
	for i := range blocks {
		if err := e.get(&blocks[i]); err != nil {
			return nil, err
		}
		n, err := all.Open(e.block, blocks[i].offset, at, at)
		if n > 0 && err == nil {
			err = e.each(all, func(f event) {
				if f.comparePlace(at, link, hash) == 0 {
					group = append(group, f)
				}
			})
		}
		if err != nil {
			return nil, err
		}
		group = sorted(group)
	}
	return group, nil
}

// mark returns the place after the last event found.
func (e *events) mark() (*terse.EventMark, error) {
	last := &e.found[len(e.found)-1]
	m := &terse.EventMark{Time: last.time, Link: last.link, Hash: last.hash}
	group, err := e.group(m.Time, m.Link, m.Hash)
	for i := range group {
		if group[i].compare(last) <= 0 {
			m.Rank++
		}
	}
	return m, err
}
