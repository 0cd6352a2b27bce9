package clickstore

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"terse"
	"terse/internal/click/clickblock"
)

// PastReader reads all that links have, one link after another: it reuses its memory. It must not
// be used concurrently.
type PastReader struct {
	rows Reader
	link terse.LinkID

	// Of the clicks, which are read in pages. A page has the first clicks behind the last one that
	// was passed on.
	clicks *clickblock.Selector
	blocks []block // of counted days, in the order of their first clicks
	loose  []block
	begun  bool
	last   terse.PastClick   // that was passed on
	found  []terse.PastClick // up to twice as many as a page has
	bytes  int               // of the values of found
	cut    bool              // some clicks are left to later pages
	limit  terse.PastClick   // the first of them
	order  []int32           // of found
	kept   []terse.PastClick // memory that is reused
}

// Bounds of a page: its clicks with different times or values, and the bytes of their values. Twice
// as much is in memory.
const (
	maxPastPage  = 1 << 15
	maxPastBytes = 8 << 20
)

// maxPastDays bounds the counts of days that are read together, in bytes.
const maxPastDays = 4 << 20

// NewPastReader returns a PastReader.
func NewPastReader() *PastReader {
	return &PastReader{clicks: clickblock.NewSelector(&terse.ClickFilter{}, nil)}
}

// Read calls day with each day on which a link has dropped clicks, or visitors beyond the firsts of
// its single clicks, and then click with its single clicks, in the order of terse.Exported.
func (p *PastReader) Read(r Reader, link terse.LinkID, day func(terse.PastDay) error,
	click func(terse.PastClick) error,
) error {
	p.rows, p.link = r, link
	total, err := TotalOf(r, link)
	if err != nil || total.Clicks == 0 {
		return err
	}
	if err := p.eachDay(day); err != nil {
		return fmt.Errorf("days of link %d: %w", link, err)
	}
	if err := p.eachClick(click); err != nil {
		return fmt.Errorf("clicks of link %d: %w", link, err)
	}
	return nil
}

// eachDay reads the dropped days, as many together as fit.
func (p *PastReader) eachDay(day func(terse.PastDay) error) error {
	sizes := map[terse.Day]int{}
	err := p.rows.Sizes(droppedOf(p.link), func(b int64, _ Span, bytes int) error {
		of, _ := ofKey(b)
		sizes[terse.Day(of)] += bytes
		return nil
	})
	if err != nil {
		return err
	}
	for days := slices.Sorted(maps.Keys(sizes)); len(days) > 0; {
		n, bytes := 1, sizes[days[0]]
		for n < len(days) && bytes+sizes[days[n]] <= maxPastDays {
			bytes += sizes[days[n]]
			n++
		}
		ranges := []Range{droppedOf(p.link)}
		if n < len(sizes) {
			ranges = countsBetweenDays(p.link, days[0], days[n-1])
		}
		if err := p.days(ranges, day); err != nil {
			return err
		}
		days = days[n:]
	}
	return nil
}

// droppedOf returns the counts of all dropped days of a link, other than those by link.
func droppedOf(link terse.LinkID) Range {
	return Range{
		Dropped, int64(link), countsKey(headColumn, terse.Day(0), 0),
		countsKey(linksColumn, terse.Day(0), 0) - 1,
	}
}

// countsBetweenDays returns the counts of dropped days from one to another, both included.
func countsBetweenDays(link terse.LinkID, from, to terse.Day) []Range {
	all := []Range{countsBetween(Dropped, link, headColumn, from, to)}
	for _, d := range clickblock.Stored {
		all = append(all, countsBetween(Dropped, link, columnOf(d), from, to))
	}
	return all
}

// days passes on the dropped days in some ranges.
func (p *PastReader) days(ranges []Range, pass func(terse.PastDay) error) error {
	found := map[terse.Day]*droppedDay{}
	for _, of := range ranges {
		err := p.rows.Scan(of, Always, func(b int64, _ Span, v []byte) (err error) {
			of, _ := ofKey(b)
			day := found[terse.Day(of)]
			if day == nil {
				day = &droppedDay{}
				found[terse.Day(of)] = day
			}
			col := column(b >> (dayBits + pieceBits))
			if d, known := terse.DimensionOf(uint64(col)); known {
				day.pieces[d] = append(day.pieces[d], slices.Clone(v))
			} else if col == headColumn {
				day.head, err = clickblock.ParseHead(v)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, of := range slices.Sorted(maps.Keys(found)) {
		day, err := found[of].past(of)
		if err == nil {
			err = pass(day)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", of, err)
		}
	}
	return nil
}

// droppedDay is a dropped day as it is stored.
type droppedDay struct {
	head   clickblock.Head
	pieces [terse.NumDimensions][][]byte
}

func (day *droppedDay) past(of terse.Day) (terse.PastDay, error) {
	past := terse.PastDay{Day: of, Clicks: day.head.Clicks, Visitors: day.head.Firsts}
	var sums [terse.NumDimensions]map[string]clickblock.Sum
	for d := range terse.NumDimensions {
		sums[d] = map[string]clickblock.Sum{}
	}
	for _, d := range clickblock.Stored {
		err := clickblock.EachValue(d, day.pieces[d], func(text string, sum clickblock.Sum) {
			var values terse.Values
			values[d] = text
			clickblock.Derive(&values)
			for of := range terse.NumDimensions {
				if from, derived := of.From(); of == d || derived && from == d {
					addSum(sums[of], values.Of(of), sum)
				}
			}
		})
		if err != nil {
			return past, fmt.Errorf("counts by %v: %w", d, err)
		}
	}
	for d := range terse.NumDimensions {
		delete(sums[d], d.Unknown())
		if len(sums[d]) == 0 {
			continue
		}
		counts := terse.PastCounts{Dimension: d}
		for _, text := range slices.Sorted(maps.Keys(sums[d])) {
			sum := sums[d][text]
			counts.Values = append(counts.Values, terse.PastValue{
				Value: text, Clicks: sum.Clicks, People: sum.People, Firsts: sum.Firsts,
			})
		}
		past.Counts = append(past.Counts, counts)
	}
	return past, nil
}

func addSum[K comparable](sums map[K]clickblock.Sum, key K, more clickblock.Sum) {
	sum := sums[key]
	sum.Add(more)
	sums[key] = sum
}

// eachClick reads the single clicks, page by page.
func (p *PastReader) eachClick(pass func(terse.PastClick) error) error {
	if err := p.list(); err != nil {
		return err
	}
	p.begun = false
	for {
		if err := p.page(); err != nil {
			return err
		}
		for i := range p.found {
			if err := pass(p.found[i]); err != nil {
				return err
			}
		}
		if !p.cut {
			return nil
		}
		p.last, p.begun = p.found[len(p.found)-1], true
	}
}

// list lists the link's own blocks.
func (p *PastReader) list() error {
	p.blocks, p.loose = p.blocks[:0], p.loose[:0]
	err := p.rows.Sizes(every(Level2, int64(p.link)), func(b int64, at Span, _ int) error {
		one := block{table: Level2, key: Key{int64(p.link), b}, span: at}
		if b < blockKey(looseDay+1, 0) {
			p.loose = append(p.loose, one)
		} else {
			p.blocks = append(p.blocks, one)
		}
		return nil
	})
	slices.SortFunc(p.blocks, func(a, b block) int {
		return cmp.Compare(a.span.First, b.span.First)
	})
	return err
}

// page finds the clicks of the next page.
func (p *PastReader) page() error {
	p.found, p.bytes, p.cut = p.found[:0], 0, false
	first := int64(math.MinInt64)
	if p.begun {
		first = p.last.Time
	}
	for _, runs := range runsOf(p.link) {
		err := p.rows.Scan(runs.Range, Span{first, math.MaxInt64},
			func(_ int64, _ Span, v []byte) error { return p.add(v, runs.offset, first) })
		if err != nil {
			return err
		}
	}
	for len(p.blocks) > 0 && p.blocks[0].span.Last < first {
		p.blocks = p.blocks[1:]
	}
	for _, blocks := range [][]block{p.loose, p.blocks} {
		for i := range blocks {
			b := &blocks[i]
			if b.span.Last < first || p.cut && b.span.First > p.limit.Time {
				continue
			}
			err := p.rows.Get(b.table, b.key, func(v []byte) error { return p.add(v, -1, first) })
			if err != nil {
				return err
			}
		}
	}
	p.trim()
	return nil
}

// add adds the clicks of a block that may be on the page.
func (p *PastReader) add(v []byte, offset int, first int64) error {
	last := int64(math.MaxInt64)
	if p.cut {
		last = p.limit.Time
	}
	n, err := p.clicks.Open(v, offset, first, last)
	if n == 0 || err != nil {
		return err
	}
	from := len(p.found)
	if p.found, err = appendPast(p.found, p.clicks); err != nil {
		return err
	}
	kept := p.found[:from]
	for i := from; i < len(p.found); i++ {
		f := &p.found[i]
		if p.begun && comparePast(f, &p.last) <= 0 || p.cut && comparePast(f, &p.limit) >= 0 {
			continue
		}
		if k := len(kept) - 1; k >= 0 && comparePast(&kept[k], f) == 0 {
			kept[k].Count += f.Count
			kept[k].Firsts += f.Firsts
			continue
		}
		p.bytes += bytesOf(&f.Values)
		kept = append(kept, *f)
	}
	clear(p.found[len(kept):])
	if p.found = kept; len(kept) >= 2*maxPastPage || p.bytes >= 2*maxPastBytes {
		p.trim()
	}
	return nil
}

func bytesOf(values *terse.Values) (n int) {
	for d := range values {
		n += len(values[d])
	}
	return n
}

// appendPast appends the chosen clicks of a block, each by itself.
func appendPast(past []terse.PastClick, clicks *clickblock.Selector) ([]terse.PastClick, error) {
	times, err := clicks.Times()
	if err != nil {
		return past, err
	}
	people, err := clicks.People(true, false)
	if err != nil {
		return past, err
	}
	from := len(past)
	for _, i := range clicks.Chosen() {
		sum := people.Of(i)
		past = append(past, terse.PastClick{
			Time: times[i], Count: sum.Clicks, Firsts: sum.Firsts,
		})
	}
	return past, clicks.Values(func(k int, d terse.Dimension, value string) {
		past[from+k].Values[d] = value
	})
}

// trim sorts the clicks, and keeps those that fit on the page.
func (p *PastReader) trim() {
	p.order = p.order[:0] // sorting the clicks themselves takes several times as long
	for i := range p.found {
		p.order = append(p.order, int32(i))
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		return comparePast(&p.found[a], &p.found[b])
	})
	kept := p.kept[:0]
	p.bytes = 0
	for _, i := range p.order {
		f := &p.found[i]
		if k := len(kept) - 1; k >= 0 && comparePast(&kept[k], f) == 0 {
			kept[k].Count += f.Count
			kept[k].Firsts += f.Firsts
			continue
		}
		bytes := bytesOf(&f.Values)
		if len(kept) == maxPastPage || len(kept) > 0 && p.bytes+bytes > maxPastBytes {
			p.cut, p.limit = true, *f
			break
		}
		p.bytes += bytes
		kept = append(kept, *f)
	}
	clear(p.found)
	p.found = append(p.found[:0], kept...)
	clear(kept)
	p.kept = kept
}

// comparePast orders single clicks of the past: by time, then by their values.
func comparePast(a, b *terse.PastClick) int {
	if a.Time != b.Time {
		return cmp.Compare(a.Time, b.Time)
	}
	for d := range terse.NumDimensions {
		if a.Values[d] == b.Values[d] { // as in most dimensions
			continue
		}
		if order := strings.Compare(a.Values.Of(d), b.Values.Of(d)); order != 0 {
			return order
		}
	}
	return 0
}
