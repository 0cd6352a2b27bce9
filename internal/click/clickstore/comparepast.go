package clickstore

import (
	"cmp"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// dayAt returns one of the days of the link under way, or nil.
func (a *pastAdder) dayAt(day terse.Day) *pastDay {
	k, found := slices.BinarySearchFunc(a.days, day, func(d pastDay, day terse.Day) int {
		return cmp.Compare(d.Day, day)
	})
	if !found {
		return nil
	}
	return &a.days[k]
}

// compare finds out what the link has of the days and clicks of the Past.
func (a *pastAdder) compare() error {
	if len(a.days) == 0 {
		return nil
	}
	for i := range a.clicks {
		a.clicks[i].hash = clickblock.Hash(&a.clicks[i].Values)
	}
	slices.SortFunc(a.clicks, func(x, y pastClick) int { return x.compare(y.Time, y.hash) })
	days := dayRange{a.days[0].Day, a.days[len(a.days)-1].Day}
	within := Span{days.from.Start(), (days.to + 1).Start() - 1}
	for _, t := range []Table{Days, Dropped} {
		heads := countsBetween(t, a.Link.ID, headColumn, days.from, days.to)
		if err := a.rows.Scan(heads, Always, func(b int64, _ Span, v []byte) error {
			of, _ := ofKey(b)
			day := a.dayAt(terse.Day(of))
			if day == nil {
				return nil
			}
			h, err := clickblock.ParseHead(v)
			if t == Days {
				day.single = h.Sum
			} else {
				day.head = h
			}
			return err
		}); err != nil {
			return err
		}
	}
	err := eachWithoutCounts(a.rows, a.Link.ID, within, func(v []byte, _ Span, offset int) error {
		return a.compareBlock(v, offset, within, true)
	})
	if err != nil {
		return err
	}
	return a.compareDays(days)
}

// prefetchLinks announces the rows that adding to some links of a bucket reads, other than the
// blocks of their counted days.
func (a *pastAdder) prefetchLinks(order []uint64) error {
	var values, sizes []Range
	owners := map[OwnerID]bool{}
	for _, number := range order {
		p := &a.past[number%maxBatch]
		link := p.Link.ID
		if len(p.Days) == 0 {
			continue
		}
		values = append(values, openOf(link))
		if known := a.cache.of(link); known != nil && a.owners[known.owner] == nil &&
			!owners[known.owner] {
			owners[known.owner] = true
			values = append(values, Range{Totals, BucketOf(known.owner.Link()), 0, 0})
		}
		if a.totals.clicks[offsetOf(link)] == 0 {
			continue
		}
		from, to := p.Days[0].Day, p.Days[len(p.Days)-1].Day
		values = append(values, looseOf(link), countsBetween(Days, link, headColumn, from, to),
			countsBetween(Dropped, link, headColumn, from, to))
		if len(sizes) == 0 { // of all links of the bucket
			for _, runs := range runsOf(link) {
				values = append(values, runs.Range)
			}
		}
		sizes = append(sizes, blocksOf(link, dayRange{from, to}))
	}
	return a.rows.Prefetch(values, sizes)
}

// compareDays reads the blocks of counted days in which clicks of the Past may be.
func (a *pastAdder) compareDays(days dayRange) error {
	var keys []Key
	err := a.rows.Sizes(blocksOf(a.Link.ID, days), func(b int64, at Span, _ int) error {
		if i := a.search(at.First, 0); i < len(a.clicks) && a.clicks[i].Time <= at.Last {
			keys = append(keys, Key{int64(a.Link.ID), b})
		}
		return nil
	})
	for some := range slices.Chunk(keys, fetchedAtOnce) {
		var blocks []Range
		for _, key := range some {
			blocks = append(blocks, Range{Level2, key.A, key.B, key.B})
		}
		if err == nil {
			err = a.rows.Prefetch(blocks, nil)
		}
		for _, key := range some {
			if err == nil {
				err = a.rows.Get(Level2, key, func(v []byte) error {
					return a.compareBlock(v, -1, Always, false)
				})
			}
		}
	}
	return err
}

// fetchedAtOnce bounds the blocks of a link, the links, and the days of an owner that are
// prefetched together, to a few MiB.
const fetchedAtOnce = 32

// compareBlock compares the clicks of a block with those of the Past. It adds them to their days if
// they are in no counts.
func (a *pastAdder) compareBlock(v []byte, offset int, within Span, withoutCounts bool) error {
	n, err := a.selector.Open(v, offset, within.First, within.Last)
	if n == 0 || err != nil {
		return err
	}
	times, err := a.selector.Times()
	if err != nil {
		return err
	}
	people, err := a.selector.People(true, false)
	if err != nil {
		return err
	}
	var chosen []uint16
	var day *pastDay
	for _, i := range a.selector.Chosen() {
		at := times[i]
		if withoutCounts {
			if day == nil || day.Day != dayOf(at) {
				day = a.dayAt(dayOf(at))
			}
			if day != nil {
				day.single.Add(people.Of(i))
			}
		}
		if k := a.search(at, 0); k < len(a.clicks) && a.clicks[k].Time == at {
			chosen = append(chosen, i)
		}
	}
	a.selector.Choose(chosen)
	if len(chosen) == 0 {
		return nil
	}
	if a.found, err = appendPast(a.found[:0], a.selector); err != nil {
		return err
	}
	for i := range a.found {
		f := &a.found[i]
		a.clicks[a.search(f.Time, 0)].atInstant += f.Count
		hash := clickblock.Hash(&f.Values)
		k := a.search(f.Time, hash)
		if k < len(a.clicks) && a.clicks[k].compare(f.Time, hash) == 0 {
			a.clicks[k].known += f.Count
			a.clicks[k].firsts += f.Firsts
		}
	}
	return nil
}

func (c *pastClick) compare(at int64, hash uint64) int {
	return cmp.Or(cmp.Compare(c.Time, at), cmp.Compare(c.hash, hash))
}

// search returns the first click of the Past that is not before a time and hash.
func (a *pastAdder) search(at int64, hash uint64) int {
	k, _ := slices.BinarySearchFunc(a.clicks, at, func(c pastClick, at int64) int {
		if c.compare(at, hash) < 0 {
			return -1
		}
		return 1
	})
	return k
}
