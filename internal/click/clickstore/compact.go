package clickstore

import (
	"fmt"
	"iter"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// compact moves the clicks in the runs of a region or bucket one level down, together with others.
// size is the size of all of them, as bounds count it.
func (c *Counter) compact(t Table, a int64, size int, others []clickblock.Click) error {
	clicks, err := c.takeBlocks(every(t, a), others)
	switch {
	case err != nil:
	case t == Level0:
		err = c.compactRegion(a, clicks)
	default:
		err = c.compactBucket(a, size, clicks)
	}
	if err != nil {
		return fmt.Errorf("compact %d of level %d: %w", a, t-Level0, err)
	}
	return nil
}

// compactRegion moves clicks of a region to level 1.
func (c *Counter) compactRegion(region int64, clicks []clickblock.Click) error {
	parts := split(clicks, bucketBits)
	var runs []Range
	for i, some := range parts {
		if len(some) > 0 {
			runs = append(runs, every(Level1, bucketIn(region, i)))
		}
	}
	if err := c.rows.Prefetch(nil, runs); err != nil {
		return err
	}
	for i, some := range parts {
		for k := range some {
			some[k].Offset %= bucketLinks
		}
		if err := c.addRuns(Level1, bucketIn(region, i), some); err != nil {
			return err
		}
	}
	return nil
}

// compactBucket moves the clicks of a bucket's busiest links to level 2, and puts the others back:
// about a quarter of the bound.
func (c *Counter) compactBucket(bucket int64, size int, clicks []clickblock.Click) error {
	links := split(clicks, 0)
	keep := len(clicks) * c.limits.runsBound(Level1, bucket) / 4 / size
	for going := busiest(links[:], keep); len(going) > 0; {
		n, err := c.prefetchDays(bucket, going, &links)
		if err != nil {
			return err
		}
		for _, offset := range going[:n] {
			link := linkAt(bucket, offset)
			if err := c.moveDown(link, links[offset]); err != nil {
				return fmt.Errorf("link %d: %w", link, err)
			}
			links[offset] = nil
		}
		going = going[n:]
	}
	return c.addRuns(Level1, bucket, slices.Concat(links[:]...))
}

// prefetchDays sorts the clicks of the first links that move down, announces the rows to be read
// for them, and returns the number of those links.
func (c *Counter) prefetchDays(bucket int64, going []int,
	links *[bucketLinks][]clickblock.Click,
) (n int, err error) {
	var counts, sizes []Range
	for n < len(going) && len(counts) < maxPrefetch {
		offset := going[n]
		n++
		link := linkAt(bucket, offset)
		clickblock.Sort(links[offset])
		sizes = append(sizes, looseOf(link), openOf(link))
		for day, some := range byDay(links[offset]) {
			if len(some) >= c.limits.minCounted {
				counts = append(counts, countsOf(Days, link, day)...)
				counts = append(counts, countsBetween(Dropped, link, headColumn, day, day))
			}
		}
	}
	return n, c.rows.Prefetch(counts, sizes)
}

// moveDown adds sorted clicks of a link to level 2: to counted days, to days that now become
// counted days, and to loose blocks. Then it sums months.
func (c *Counter) moveDown(link terse.LinkID, clicks []clickblock.Click) error {
	loose := clicks[:0]
	for day, some := range byDay(clicks) {
		added := false
		if len(some) >= c.limits.minCounted {
			var err error
			if added, err = c.addToDay(link, day, some, false); err != nil {
				return fmt.Errorf("%v: %w", day, err)
			}
		}
		if !added {
			loose = append(loose, some...)
		}
	}
	if err := c.addLoose(link, loose); err != nil {
		return err
	}
	return c.sumMonths(link)
}

// byDay yields sorted clicks day by day, in order.
func byDay(clicks []clickblock.Click) iter.Seq2[terse.Day, []clickblock.Click] {
	return func(yield func(terse.Day, []clickblock.Click) bool) {
		for len(clicks) > 0 {
			day, n := dayOf(clicks[0].Time), 1
			for n < len(clicks) && dayOf(clicks[n].Time) == day {
				n++
			}
			// Cut off the rest first: the caller may overwrite some.
			some := clicks[:n:n]
			clicks = clicks[n:]
			if !yield(day, some) {
				return
			}
		}
	}
}

// addLoose adds sorted clicks of a link to its loose blocks. If these exceed their bound, the
// busiest days become counted days, so that loose blocks of about half the bound remain.
func (c *Counter) addLoose(link terse.LinkID, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	loose := looseOf(link)
	_, next, err := c.size(loose)
	if err == nil {
		_, err = c.addBlocks(link, looseDay, next, clicks)
	}
	if err != nil {
		return err
	}
	size, _, err := c.size(loose)
	if err != nil || size <= c.limits.loose {
		return err
	}
	all, err := c.takeBlocks(loose, nil)
	if err != nil {
		return err
	}
	clickblock.Sort(all)
	var days [][]clickblock.Click
	for _, some := range byDay(all) {
		days = append(days, some)
	}
	for _, i := range busiest(days, len(all)*c.limits.loose/2/size) {
		day := dayOf(days[i][0].Time)
		if _, err := c.addToDay(link, day, days[i], true); err != nil {
			return fmt.Errorf("%v: %w", day, err)
		}
		days[i] = nil
	}
	return c.addLoose(link, slices.Concat(days...))
}

// addBlocks adds sorted clicks to the blocks of a counted day, or to the loose blocks. next is the
// number of the next block; addBlocks returns the new one. If the last block is small, addBlocks
// rewrites it.
func (c *Counter) addBlocks(link terse.LinkID, day terse.Day, next int64,
	clicks []clickblock.Click,
) (int64, error) {
	if next > 0 {
		last := blockKey(day, next-1)
		only, small := Range{Level2, int64(link), last, last}, false
		err := c.rows.Sizes(only, func(_ int64, _ Span, bytes int) error {
			small = bytes < c.limits.smallBlock
			return nil
		})
		if err != nil {
			return 0, err
		}
		if small {
			before, err := c.takeBlocks(only, nil)
			if err != nil {
				return 0, err
			}
			clicks = append(before, clicks...)
			clickblock.Sort(clicks)
			next--
		}
	}
	end, _, err := c.putBlocks(Level2, int64(link), blockKey(day, next), clicks)
	return end - blockKey(day, 0), err
}
