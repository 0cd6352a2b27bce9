package clickstore

import (
	"fmt"

	"terse"
	"terse/internal/clickblock"
)

// spread returns the bound of a region or bucket. Those of neighbours differ by up to half of it,
// so that those that fill equally fast are not all compacted by the same batch.
func spread(a int64, bound int) int {
	return bound/2 + int(uint64(a)*0x9E3779B97F4A7C15>>32)*(bound/2)>>32
}

// level returns the bound of the runs of level 0 or 1 that have an A.
func (l *limits) level(t Table, a int64) int {
	if t == Level0 {
		return spread(a, l.region)
	}
	return spread(a, l.bucket)
}

// add adds clicks of links of a region or bucket, each at its offset there, to level 0 or 1: as new
// runs, unless there are more than the bound then. What is above it is compacted.
func (c *Counter) add(t Table, a int64, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	size, next, err := c.size(every(t, a))
	if err != nil {
		return err
	}
	bound, estimate := c.limits.level(t, a), size+len(clicks)*clickBytes
	if estimate > bound {
		return c.compact(t, a, estimate, clicks)
	}
	clickblock.Sort(clicks)
	_, added, err := c.putBlocks(t, a, next, clicks)
	if size += added; err != nil || size <= bound {
		return err
	}
	return c.compact(t, a, size, nil) // values are long
}

// size returns what the blocks of a range count for against its bound, and the number that follows
// theirs.
func (c *Counter) size(r Range) (size int, next int64, err error) {
	err = c.rows.Sizes(r, func(b int64, _ Span, bytes int) error {
		size, next = size+max(c.limits.minBlock, bytes), b&MaxNumber+1
		return nil
	})
	return size, next, err
}

// clickBytes is about what a click takes in a block. With long values it is more.
const clickBytes = 16

// putBlocks writes sorted clicks as blocks, the first one as B. It returns the B that follows them,
// and what they count for against a bound.
func (c *Counter) putBlocks(t Table, a, b int64, clicks []clickblock.Click) (
	end int64, size int, err error,
) {
	pack := c.packer.PackNeighbours
	if t == Level2 {
		pack = c.packer.Pack
	}
	for len(clicks) > 0 {
		n := min(len(clicks), clickblock.MaxClicks)
		block := pack(clicks[:n])
		for len(block) > maxBlock && n > 1 {
			n /= 2
			block = pack(clicks[:n])
		}
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

// take deletes the blocks of a range, and returns their clicks, which are in no order.
func (c *Counter) take(r Range) (clicks []clickblock.Click, err error) {
	err = c.rows.Scan(r, Always, func(_ int64, _ Span, v []byte) (err error) {
		clicks, err = c.packer.Unpack(clicks, v)
		return err
	})
	if err == nil && len(clicks) > 0 {
		err = c.rows.Delete(r)
	}
	return clicks, err
}

// divide returns clicks by the upper bits of their offset: those of a region by bucket, or those of
// a bucket by link.
func divide(clicks []clickblock.Click, bits int) (parts [BucketLinks][]clickblock.Click) {
	var counts [BucketLinks]int
	for i := range clicks {
		counts[clicks[i].Link>>bits%BucketLinks]++
	}
	for i, n := range counts {
		parts[i] = make([]clickblock.Click, 0, n)
	}
	for i := range clicks {
		part := &parts[clicks[i].Link>>bits%BucketLinks]
		*part = append(*part, clicks[i])
	}
	return parts
}

// spanOf returns the times of the first and the last of sorted clicks.
func spanOf(clicks []clickblock.Click) Span {
	return Span{clicks[0].Time, clicks[len(clicks)-1].Time}
}

// blocksOf are the blocks of counted days of a link.
func blocksOf(link terse.LinkID, days dayRange) Range {
	return Range{Level2, int64(link), blockKey(days.from, 0), blockKey(days.to+1, 0) - 1}
}

// looseRange are the loose blocks of a link.
func looseRange(link terse.LinkID) Range {
	return Range{Level2, int64(link), blockKey(looseDay, 0), blockKey(looseDay+1, 0) - 1}
}

// eachUncounted calls f for the blocks that may have clicks of a link that are in no counts, and
// with the link's offset in them, -1 where all clicks are the link's.
func eachUncounted(r Reader, link terse.LinkID, within Span,
	f func(v []byte, at Span, offset int) error,
) error {
	for _, level := range uncounted(link) {
		err := r.Scan(level.Range, within, func(_ int64, at Span, v []byte) error {
			return f(v, at, level.offset)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// level are blocks in which a link has an offset.
type level struct {
	Range
	offset int // -1: all clicks are the link's
}

// uncounted are the blocks that may have clicks of a link that are in no counts.
func uncounted(link terse.LinkID) []level {
	return append(runsOf(link), level{looseRange(link), -1})
}

// runsOf are the runs of a link's region and bucket. The links of an owner are in no runs of
// level 0.
func runsOf(link terse.LinkID) []level {
	runs := []level{{every(Level1, BucketOf(link)), offsetOf(link)}}
	if !IsOwner(link) {
		runs = append(runs, level{every(Level0, RegionOf(link)), int(offsetInRegion(link))})
	}
	return runs
}
