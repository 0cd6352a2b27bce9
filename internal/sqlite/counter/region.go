package counter

import (
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/sqlite/query"
)

// Buckets whose IDs differ in their last bits only share a region.
const (
	regionBits    = 4
	regionBuckets = 1 << regionBits
	regionLinks   = regionBuckets * BucketLinks
)

// Bounds of a region's new clicks, which are all read for each answer. The fewer clicks are divided
// at once, the more often the rows of its buckets are written.
const (
	maxNewBytes   = 256 << 10
	minNewBytes   = maxNewBytes / 16 // what a row counts for at least, so that there are not many
	newClickBytes = 16               // about what a click takes in a row
	smallNewBytes = 8 << 10          // up to which the last row is written again
)

func regionOf(link terse.LinkID) int64 { return bucketOf(link) >> regionBits }

// offsetInRegion returns a link's offset in its region.
func offsetInRegion(link terse.LinkID) uint16 { return uint16(link & (regionLinks - 1)) }

// newIDs returns the first and the last ID that a region's rows of new_clicks can have.
func newIDs(region int64) (first, last int64) { return region << 8, region<<8 | 0xFF }

// addNew adds clicks in the order of their batch to the new ones of a region. If they fill a row
// themselves, or if there are too many rows then, all become pending.
func (c *Counter) addNew(region int64, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	if len(clicks) >= clickblock.MaxClicks {
		return c.divide(region, clicks)
	}
	first, last := newIDs(region)
	next, total, size := first, int64(len(clicks)*newClickBytes), int64(0)
	err := query.Each(c.conn,
		"SELECT id, length(clicks) FROM new_clicks WHERE id BETWEEN ? AND ? ORDER BY id",
		func(row *sqlite.Stmt) error {
			next, size = row.ColumnInt64(0)+1, row.ColumnInt64(1)
			total += max(size, minNewBytes)
			return nil
		}, first, last)
	if err != nil {
		return err
	}
	if total > spread(region, maxNewBytes) {
		return c.divide(region, clicks)
	}
	if next > first && size <= smallNewBytes {
		next--
		if clicks, err = c.takeNew(next, next, clicks); err != nil {
			return err
		}
	}
	clickblock.Sort(clicks)
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		c.turn.Yield()
		if err := query.Run(c.conn,
			"INSERT INTO new_clicks (id, first, last, clicks) VALUES (?, ?, ?, ?)",
			next, part[0].Time, part[len(part)-1].Time, c.packer.PackNeighbours(part)); err != nil {
			return err
		}
		next++
	}
	return nil
}

// takeNew deletes some rows of new_clicks, and returns their clicks with others behind them.
func (c *Counter) takeNew(first, last int64, others []clickblock.Click) (
	[]clickblock.Click, error,
) {
	all, err := c.takeRows(c.taken[:0], "new_clicks", first, last)
	if err != nil || len(all) == 0 {
		return others, err
	}
	c.taken = append(all, others...)
	return c.taken, nil
}

// divide makes the new clicks of a region, and others behind them, pending in its buckets.
func (c *Counter) divide(region int64, others []clickblock.Click) error {
	first, last := newIDs(region)
	clicks, err := c.takeNew(first, last, others)
	if err != nil {
		return err
	}
	var has [regionBuckets]bool
	for i := range clicks {
		has[clicks[i].Link>>bucketBits] = true
	}
	for i := range has {
		if !has[i] {
			continue
		}
		c.turn.Yield()
		if err := c.readBucket(region<<regionBits | int64(i)); err != nil {
			return err
		}
		b := &c.bucket
		for _, click := range clicks {
			if int(click.Link>>bucketBits) == i {
				click.Link &= BucketLinks - 1
				b.pending[click.Link]++
				b.recent = append(b.recent, click)
			}
		}
		if err := c.finishBucket(); err != nil {
			return err
		}
	}
	return nil
}
