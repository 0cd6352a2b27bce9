package clickstore

import (
	"fmt"
	"iter"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// addToRegion adds clicks of links of a region, each at its offset there, to level 0.
func (c *Counter) addToRegion(region int64, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	full, err := c.addRuns(Level0, region, clicks)
	if full {
		err = c.compactRegion(region, clicks)
	}
	if err != nil {
		return fmt.Errorf("region %d: %w", region, err)
	}
	return nil
}

// compactRegion moves the clicks of a region, and others, to level 1.
func (c *Counter) compactRegion(region int64, others []clickblock.Click) error {
	clicks, err := c.takeRuns(Level0, region, append(c.level0[:0], others...))
	c.level0 = clicks
	if err != nil {
		return err
	}
	const buckets = 1 << (regionBits - bucketBits)
	var parts [][]clickblock.Click
	parts, c.ofRegion = distribute(c.ofRegion, clicks, buckets,
		func(click *clickblock.Click) int { return int(click.Link >> bucketBits) })
	for i, part := range parts {
		for k := range part {
			part[k].Link &= BucketLinks - 1
		}
		if err := c.addToBucket(region*buckets+int64(i), part); err != nil {
			return err
		}
	}
	return nil
}

// distribute returns clicks by what part tells of each, in the memory of others if that is enough,
// which it returns, too.
func distribute(memory, clicks []clickblock.Click, parts int, part func(*clickblock.Click) int) (
	divided [][]clickblock.Click, all []clickblock.Click,
) {
	ends := make([]int, parts)
	for i := range clicks {
		ends[part(&clicks[i])]++
	}
	all = slices.Grow(memory[:0], len(clicks))[:len(clicks)]
	divided = make([][]clickblock.Click, parts)
	begin := 0
	for i, n := range ends {
		divided[i] = all[begin : begin : begin+n]
		begin += n
	}
	for i := range clicks {
		to := part(&clicks[i])
		divided[to] = append(divided[to], clicks[i])
	}
	return divided, all
}

// addToBucket adds clicks of links of a bucket, each at its offset there, to level 1.
func (c *Counter) addToBucket(bucket int64, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	full, err := c.addRuns(Level1, bucket, clicks)
	if full {
		err = c.compactBucket(bucket, clicks)
	}
	if err != nil {
		return fmt.Errorf("links from %d on: %w", linkAt(bucket, 0), err)
	}
	return nil
}

// compactBucket moves the clicks of a bucket's busiest links, and of others that are added, down to
// level 2, so that a quarter of the bound stays. Clicks of links that are gone are dropped.
func (c *Counter) compactBucket(bucket int64, others []clickblock.Click) error {
	size := len(others) * clickBytes
	if err := c.rows.Sizes(every(Level1, bucket), func(_ int64, _ Span, bytes int) error {
		size += bytes
		return nil
	}); err != nil {
		return err
	}
	clicks, err := c.takeRuns(Level1, bucket, append(c.level1[:0], others...))
	c.level1 = clicks
	if err != nil || len(clicks) == 0 {
		return err
	}
	var t totals
	if err := t.read(c.rows, bucket); err != nil {
		return err
	}
	keep := int(int64(len(clicks)) * c.limits.level(Level1, bucket) / 4 / int64(size+1))
	var parts [][]clickblock.Click
	parts, c.ofBucket = distribute(c.ofBucket, clicks, BucketLinks,
		func(click *clickblock.Click) int { return int(click.Link) })
	counts := make([]int, BucketLinks)
	for offset := range parts {
		if t.clicks[offset] == 0 {
			parts[offset] = nil // the link is gone
		}
		counts[offset] = len(parts[offset])
	}
	for _, offset := range busiest(counts, keep) {
		link := linkAt(bucket, offset)
		if err := c.moveDown(link, parts[offset]); err != nil {
			return fmt.Errorf("link %d: %w", link, err)
		}
		parts[offset] = nil
	}
	rest := clicks[:0]
	for _, part := range parts {
		rest = append(rest, part...)
	}
	return c.putRuns(Level1, bucket, 0, rest)
}

// moveDown adds clicks of a link to level 2: to days that have counts or are worth them, and to the
// loose blocks.
func (c *Counter) moveDown(link terse.LinkID, clicks []clickblock.Click) error {
	c.packer.Sort(clicks)
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
	return c.addLoose(link, loose)
}

// byDay yields sorted clicks day by day, in order.
func byDay(clicks []clickblock.Click) iter.Seq2[terse.Day, []clickblock.Click] {
	return func(yield func(terse.Day, []clickblock.Click) bool) {
		for len(clicks) > 0 {
			day, n := dayOf(clicks[0].Time), 1
			for n < len(clicks) && dayOf(clicks[n].Time) == day {
				n++
			}
			// The rest is taken first: the caller may overwrite what it was given.
			some := clicks[:n]
			clicks = clicks[n:]
			if !yield(day, some) {
				return
			}
		}
	}
}

// looseRange are the loose blocks of a link.
func looseRange(link terse.LinkID) Range {
	return Range{Level2, int64(link), blockKey(looseDay, 0), blockKey(looseDay+1, 0) - 1}
}

// addLoose adds sorted clicks of a link to its loose blocks. When these are too many, its busiest
// days get counts, until half of them is left.
func (c *Counter) addLoose(link terse.LinkID, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	size, blocks, last := len(clicks)*clickBytes, int64(0), int64(0)
	if err := c.rows.Sizes(looseRange(link), func(b int64, _ Span, bytes int) error {
		size, blocks, last = size+bytes, blocks+1, b-blockKey(looseDay, 0)
		return nil
	}); err != nil {
		return err
	}
	if size <= c.limits.loose && blocks < int64(c.limits.looseBlocks) {
		if blocks > 0 {
			last++ // the number of the next block
		}
		_, err := c.addBlocks(link, looseDay, last, clicks)
		return err
	}
	all := append(c.level2[:0], clicks...)
	err := c.rows.Scan(looseRange(link), Always, func(_ int64, _ Span, v []byte) (err error) {
		all, err = c.packer.Unpack(all, v)
		return err
	})
	c.level2 = all
	if err == nil {
		err = c.rows.Delete(looseRange(link))
	}
	if err != nil {
		return err
	}
	c.packer.Sort(all)
	var days []terse.Day
	var counts []int
	for day, some := range byDay(all) {
		days, counts = append(days, day), append(counts, len(some))
	}
	going := busiest(counts, len(all)*c.limits.loose/2/size)
	rest := make([]clickblock.Click, 0, len(all))
	for day, some := range byDay(all) {
		i, _ := slices.BinarySearch(days, day)
		if _, goes := slices.BinarySearch(going, i); !goes {
			rest = append(rest, some...)
			continue
		}
		if _, err := c.addToDay(link, day, some, true); err != nil {
			return fmt.Errorf("%v: %w", day, err)
		}
	}
	_, err = c.addBlocks(link, looseDay, 0, rest)
	return err
}

// addBlocks adds sorted clicks to the blocks of a day, or to the loose ones, of which next is the
// number of the next one. It returns what that is then. A small last block takes them in.
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
		if err == nil && small {
			err = c.rows.Scan(only, Always, func(_ int64, _ Span, v []byte) (err error) {
				clicks, err = c.packer.Unpack(slices.Clone(clicks), v)
				return err
			})
			c.packer.Sort(clicks)
			next--
		}
		if err != nil {
			return 0, err
		}
	}
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		err := eachBlock(part, c.packer.Pack, func(s Span, block []byte) error {
			if next == maxBlocks {
				return fmt.Errorf("more than %d blocks", maxBlocks)
			}
			next++
			return c.rows.Put(Level2, Key{int64(link), blockKey(day, next-1)}, s, block)
		})
		if err != nil {
			return 0, err
		}
	}
	return next, nil
}
