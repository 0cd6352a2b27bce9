package clickstore

import (
	"slices"

	"terse/internal/clickblock"
)

// spread returns the bound of a region or bucket. Those of neighbours differ by up to half of it,
// so that those that fill equally fast are not all compacted by the same batch.
func spread(a, bound int64) int64 {
	return bound/2 + int64(uint64(a)*0x9E3779B97F4A7C15>>32)*(bound/2)>>32
}

// level returns the bound of the runs of level 0 or 1 that have an A.
func (l *limits) level(t Table, a int64) int64 {
	if t == Level0 {
		return spread(a, int64(l.region))
	}
	return spread(a, int64(l.bucket))
}

// addRuns adds clicks to the runs of a region or bucket. full is true, and nothing is added, where
// there is no more room.
func (c *Counter) addRuns(t Table, a int64, clicks []clickblock.Click) (full bool, err error) {
	size, next := int64(max(c.limits.minRun, len(clicks)*clickBytes)), int64(0)
	err = c.rows.Sizes(every(t, a), func(b int64, _ Span, bytes int) error {
		size, next = size+int64(max(c.limits.minRun, bytes)), b+1
		return nil
	})
	if err != nil || size > c.limits.level(t, a) {
		return err == nil, err
	}
	return false, c.putRuns(t, a, next, clicks)
}

// putRuns writes clicks as runs, which are numbered from next on.
func (c *Counter) putRuns(t Table, a, next int64, clicks []clickblock.Click) error {
	c.packer.Sort(clicks)
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		err := eachBlock(part, c.packer.PackNeighbours, func(s Span, block []byte) error {
			next++
			return c.rows.Put(t, Key{a, next - 1}, s, block)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachBlock packs sorted clicks, at most clickblock.MaxClicks, and calls f for the block, or for
// the blocks of their halves where it is larger than an answer should read at once.
func eachBlock(clicks []clickblock.Click, pack func([]clickblock.Click) []byte,
	f func(s Span, block []byte) error,
) error {
	block := pack(clicks)
	if len(block) <= maxBlock || len(clicks) == 1 {
		return f(spanOf(clicks), block)
	}
	half := len(clicks) / 2
	if err := eachBlock(clicks[:half], pack, f); err != nil {
		return err
	}
	return eachBlock(clicks[half:], pack, f)
}

// takeRuns deletes the runs of a region or bucket, and returns their clicks behind others.
func (c *Counter) takeRuns(t Table, a int64, clicks []clickblock.Click) (
	[]clickblock.Click, error,
) {
	n := len(clicks)
	err := c.rows.Scan(every(t, a), Always, func(_ int64, _ Span, v []byte) (err error) {
		clicks, err = c.packer.Unpack(clicks, v)
		return err
	})
	if err == nil && len(clicks) > n {
		err = c.rows.Delete(every(t, a))
	}
	return clicks, err
}

// spanOf returns the times of the first and the last of sorted clicks.
func spanOf(clicks []clickblock.Click) Span {
	return Span{clicks[0].Time, clicks[len(clicks)-1].Time}
}
