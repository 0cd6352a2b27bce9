package clickstore

import (
	"fmt"
	"math"

	"terse"
	"terse/internal/click/clickblock"
)

// spread returns the bound of a region or bucket. The bounds of neighbours differ by up to half, so
// that regions that fill equally fast are not all compacted by the same batch.
func spread(a int64, bound int) int {
	return bound/2 + int(uint64(a)*0x9E3779B97F4A7C15>>32)*(bound/2)>>32
}

// runsBound returns the bound of the runs of a region or bucket, in bytes.
func (l *limits) runsBound(t Table, a int64) int {
	if t == Level0 {
		return spread(a, l.region)
	}
	return spread(a, l.bucket)
}

// addRuns adds clicks to the runs of a region or bucket, in which each click has the offset of its
// link. Runs that then exceed their bound are compacted.
func (c *Counter) addRuns(t Table, a int64, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	size, next, err := c.size(every(t, a))
	if err != nil {
		return err
	}
	bound, estimate := c.limits.runsBound(t, a), size+len(clicks)*usualClick
	if estimate > bound {
		return c.compact(t, a, estimate, clicks)
	}
	clickblock.Sort(clicks)
	_, added, err := c.putBlocks(t, a, next, clicks)
	if size += added; err != nil || size <= bound {
		return err
	}
	return c.compact(t, a, size, nil) // long values: the estimate was too low
}

// size returns the size of the blocks of a range, as bounds count it, and the number of the next
// block.
func (c *Counter) size(r Range) (size int, next int64, err error) {
	err = c.rows.Sizes(r, func(b int64, _ Span, bytes int) error {
		size, next = size+max(c.limits.minBlock, bytes), b&MaxNumber+1
		return nil
	})
	return size, next, err
}

// usualClick is the approximate size of a click in a block, in bytes. Long values take more.
const usualClick = 16

// putBlocks writes sorted clicks as blocks, starting at key b. It returns the key of the next
// block, and the size of the blocks, as bounds count it.
func (c *Counter) putBlocks(t Table, a, b int64, clicks []clickblock.Click) (
	end int64, size int, err error,
) {
	if len(clicks) > 0 {
		at := clicks[0].Time
		if at < c.dropped {
			c.dropped = math.MinInt64
		}
		if at < c.dropping {
			c.dropping = math.MinInt64
		}
	}
	pack := c.packer.PackNeighbours
	if t == Level2 {
		pack = c.packer.Pack
	}
	for len(clicks) > 0 {
		block, n := packSome(pack, clicks)
		if b&MaxNumber == MaxNumber {
			return 0, 0, fmt.Errorf("more than %d blocks", MaxNumber)
		}
		if err := c.rows.Put(t, Key{a, b}, spanOf(clicks[:n]), block); err != nil {
			return 0, 0, err
		}
		b, size, clicks = b+1, size+max(c.limits.minBlock, len(block)), clicks[n:]
	}
	return b, size, nil
}

// takeBlocks deletes the blocks of a range and appends their clicks to others, in no order.
func (c *Counter) takeBlocks(r Range, others []clickblock.Click) ([]clickblock.Click, error) {
	clicks := others
	err := c.rows.Scan(r, Always, func(_ int64, _ Span, v []byte) (err error) {
		clicks, err = c.packer.Unpack(clicks, v)
		return err
	})
	if err == nil && len(clicks) > len(others) {
		err = c.rows.Delete(r)
	}
	return clicks, err
}

// split splits clicks by the offsets of their links, ignoring the lowest bits: clicks of a region
// by bucket, clicks of a bucket by link.
func split(clicks []clickblock.Click, bits int) (parts [bucketLinks][]clickblock.Click) {
	var counts [bucketLinks]int
	for i := range clicks {
		counts[clicks[i].Offset>>bits%bucketLinks]++
	}
	var room []clickblock.Click
	for i, n := range counts {
		switch n {
		case 0:
			continue
		case len(clicks): // all of one link, such as the link of an owner
			parts[i] = clicks
			return parts
		}
		if room == nil {
			room = make([]clickblock.Click, len(clicks))
		}
		parts[i], room = room[:0:n], room[n:]
	}
	for i := range clicks {
		part := &parts[clicks[i].Offset>>bits%bucketLinks]
		*part = append(*part, clicks[i])
	}
	return parts
}

// spanOf returns the span of sorted clicks.
func spanOf(clicks []clickblock.Click) Span {
	return Span{clicks[0].Time, clicks[len(clicks)-1].Time}
}

// blocksOf returns the blocks of a link's counted days.
func blocksOf(link terse.LinkID, days dayRange) Range {
	return Range{Level2, int64(link), blockKey(days.from, 0), blockKey(days.to+1, 0) - 1}
}

// looseOf returns the loose blocks of a link.
func looseOf(link terse.LinkID) Range {
	return Range{Level2, int64(link), blockKey(looseDay, 0), blockKey(looseDay+1, 0) - 1}
}

func eachWithoutCounts(r Reader, link terse.LinkID, within Span,
	f func(v []byte, at Span, offset int) error,
) error {
	for _, level := range blocksWithoutCounts(link) {
		err := r.Scan(level.Range, within, func(_ int64, at Span, v []byte) error {
			return f(v, at, level.offset)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// level is the blocks of one level that may have clicks of a link.
type level struct {
	Range
	offset int // of the link; -1: all clicks belong to the link
}

// blocksWithoutCounts returns the blocks that may have clicks of a link that are in no counts.
func blocksWithoutCounts(link terse.LinkID) []level {
	return append(runsOf(link), level{looseOf(link), -1})
}

// runsOf returns the runs of a link's region and bucket. The link of an owner has no level 0.
func runsOf(link terse.LinkID) []level {
	runs := []level{{every(Level1, BucketOf(link)), offsetOf(link)}}
	if !isOwner(link) {
		runs = append(runs, level{every(Level0, regionOf(link)), int(offsetInRegion(link))})
	}
	return runs
}
