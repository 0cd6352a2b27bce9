package clickstore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/visitors"
)

// Add counts the clicks of a batch, at most 1,048,576. It discards clicks of deleted links, and of
// codes that their links never had. It fails with terse.ErrUnknownLink if a click has an ID that is
// neither a link nor named by a tombstone, because that link may appear later. With giveUp it
// discards these clicks, too, and lost is how many there were.
func (c *Counter) Add(batch *terse.NumberedClicks, giveUp bool) (lost int, err error) {
	clicks := batch.List
	if len(clicks) > maxBatch {
		return 0, fmt.Errorf("more than %d clicks in a batch", maxBatch)
	}
	unknown, err := c.learn(clicks)
	if err != nil {
		return 0, fmt.Errorf("look up links: %w", err)
	}
	if len(unknown) > 0 && !giveUp {
		return 0, terse.ErrUnknownLink
	}
	c.packer.Begin(batch)
	for order := byBucket(clicks); len(order) > 0; {
		n, err := c.prefetch(order)
		if err != nil {
			return 0, err
		}
		if err := c.countRegions(clicks, order[:n]); err != nil {
			return 0, err
		}
		order = order[n:]
	}
	for i := range clicks {
		if unknown[clicks[i].Link] {
			lost++
		}
	}
	return lost, c.countOwners()
}

// byBucket returns the order of clicks by bucket. Each click is one number: its bucket, and below
// that its place in the batch.
func byBucket(clicks []terse.NumberedClick) []uint64 {
	order := make([]uint64, 0, len(clicks))
	for i := range clicks {
		if link := clicks[i].Link; isLink(link) {
			order = append(order, uint64(BucketOf(link))<<maxBatchBits|uint64(i))
		}
	}
	slices.Sort(order)
	return order
}

// sameAs returns how many numbers at the beginning of an order agree from a bit on.
func sameAs(order []uint64, bit int) int {
	n := 1
	for n < len(order) && order[n]>>bit == order[0]>>bit {
		n++
	}
	return n
}

// inRegion is the lowest bit of the region in the numbers of an order.
const inRegion = maxBatchBits + regionBits - bucketBits

// prefetch announces the rows that counting reads for the first regions of an order, and returns
// how many clicks these regions have.
func (c *Counter) prefetch(order []uint64) (n int, err error) {
	var values, regions []Range
	for n < len(order) && len(values) < prefetched {
		some := order[n:]
		some = some[:sameAs(some, inRegion)]
		n += len(some)
		regions = append(regions, every(Level0, int64(some[0]>>inRegion)))
		for len(some) > 0 {
			bucket := int64(some[0] >> maxBatchBits)
			values = append(values, Range{Totals, bucket, 0, 0})
			for _, day := range c.days {
				from := int64(0)
				if set := c.visitors.Get(visitors.ID{Day: day, Bucket: bucket}); set != nil {
					from = int64(set.Seq())
				}
				values = append(values, Range{VisitorTable(day), bucket, from, MaxNumber})
			}
			some = some[sameAs(some, maxBatchBits):]
		}
	}
	return n, c.rows.Prefetch(values, regions)
}

// countRegions counts clicks region by region.
func (c *Counter) countRegions(clicks []terse.NumberedClick, order []uint64) error {
	for len(order) > 0 {
		n := sameAs(order, inRegion)
		if err := c.countRegion(int64(order[0]>>inRegion), clicks, order[:n]); err != nil {
			return err
		}
		order = order[n:]
		if c.packer.Full() {
			if err := c.countOwners(); err != nil {
				return err
			}
		}
	}
	return nil
}

// countRegion counts clicks of a region's links, and collects those of each owner for countOwners.
func (c *Counter) countRegion(region int64, clicks []terse.NumberedClick, order []uint64) error {
	c.fresh = c.fresh[:0]
	for len(order) > 0 {
		n := sameAs(order, maxBatchBits)
		bucket := int64(order[0] >> maxBatchBits)
		if err := c.countBucket(bucket, clicks, order[:n]); err != nil {
			return fmt.Errorf("links from %d on: %w", linkAt(bucket, 0), err)
		}
		order = order[n:]
	}
	return c.add(Level0, region, c.fresh)
}

// countBucket adds clicks of a bucket's links to the totals, and finds the firsts among them. It
// drops those that are untracked, and appends the others to c.fresh.
func (c *Counter) countBucket(bucket int64, clicks []terse.NumberedClick, order []uint64) error {
	t := &c.totals
	if err := t.read(c.rows, bucket); err != nil {
		return err
	}
	var open openSets
	c.untracked = c.untracked[:0]
	for _, number := range order {
		click := &clicks[number%maxBatch]
		offset := offsetOf(click.Link)
		owner, ok := c.cache.ownerOf(click.Link, click.Code)
		if !ok {
			continue
		}
		packed := c.packer.New(click, uint16(offset))
		if packed.Untracked = click.Untracked; packed.Untracked {
			c.untracked = append(c.untracked, packed)
		} else {
			if !packed.Bot() {
				first, err := c.first(&open, bucket, click)
				if err != nil {
					return err
				}
				packed.First = first
			}
			c.fresh = append(c.fresh, packed.Alone(offsetInRegion(click.Link)))
		}
		t.add(offset, &packed)
		c.packer.SetLink(&packed, clickblock.Link{ID: click.Link, Era: t.eras[offset]})
		c.owned[owner] = append(c.owned[owner], packed)
	}
	if err := c.saveSets(&open, bucket); err != nil {
		return err
	}
	if err := c.putTotals(bucket); err != nil {
		return err
	}
	return c.dropOfBucket(bucket, c.untracked)
}

// add adds a click to the totals of the link at an offset. Only the day of an untracked one may be
// kept.
func (t *totals) add(offset int, click *clickblock.Click) {
	if t.clicks[offset]++; !click.Bot() {
		t.people[offset]++
	}
	at := click.Time
	if click.Untracked {
		at = dayOf(at).Start()
	}
	if t.clicks[offset] == 1 || at > t.last[offset] {
		t.last[offset] = at
	}
}

// countOwners counts the clicks that were collected for the links of owners. It is the last to use
// these clicks, so it resets the packer.
func (c *Counter) countOwners() error {
	for _, owner := range slices.SortedFunc(maps.Keys(c.owned), cmp.Compare) {
		if err := c.countOwner(owner.Link(), c.owned[owner]); err != nil {
			return fmt.Errorf("all links of owner %d: %w", owner, err)
		}
		c.owned[owner] = c.owned[owner][:0]
	}
	if len(c.owned) > maxOwnersKept {
		clear(c.owned)
	}
	c.packer.Reset()
	return nil
}

// maxOwnersKept bounds the owners whose memory is reused.
const maxOwnersKept = 16

func (c *Counter) countOwner(all terse.LinkID, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	bucket, offset := BucketOf(all), offsetOf(all)
	if err := c.totals.read(c.rows, bucket); err != nil {
		return err
	}
	c.untracked = c.untracked[:0]
	kept := clicks[:0]
	for i := range clicks {
		click := clicks[i]
		click.Offset = uint16(offset)
		c.totals.add(offset, &click)
		if click.Untracked {
			c.untracked = append(c.untracked, click)
		} else {
			kept = append(kept, click)
		}
	}
	if err := c.putTotals(bucket); err != nil {
		return err
	}
	if err := c.dropOfBucket(bucket, c.untracked); err != nil {
		return err
	}
	return c.add(Level1, bucket, kept)
}
