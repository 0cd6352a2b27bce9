package clickstore

import (
	"fmt"
	"maps"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/visitors"
)

// Add counts the clicks of a batch, at most 1,048,576. It discards clicks of deleted links, and of
// codes that their links never had. It fails with terse.ErrUnknownLink if a click has an ID that
// belongs to no link and no tombstone, because that link may appear later. With giveUp it discards
// such clicks, too, and returns their number as lost.
func (c *Counter) Add(batch *terse.NumberedClicks, giveUp bool) (lost int, err error) {
	clicks := batch.List
	if len(clicks) > maxBatch {
		return 0, fmt.Errorf("more than %d clicks in a batch", maxBatch)
	}
	for i := range clicks { // of a wrong clock, or a damaged journal
		clicks[i].Time = min(max(clicks[i].Time, firstTime), lastTime)
	}
	if err := c.findOthers(); err != nil {
		return 0, err
	}
	order := byLink(clicks)
	if lost, err = c.learn(order); err != nil {
		return 0, fmt.Errorf("look up links: %w", err)
	}
	if lost > 0 && !giveUp {
		return 0, terse.ErrUnknownLink
	}
	c.packer.Begin(batch)
	c.counted = slices.Grow(c.counted[:0], len(clicks))[:len(clicks)]
	clear(c.counted)
	for len(order) > 0 {
		n, err := c.prefetch(order, c.days)
		if err != nil {
			return 0, err
		}
		if err := c.countRegions(clicks, order[:n]); err != nil {
			return 0, err
		}
		order = order[n:]
	}
	return lost, c.countOwners(clicks)
}

// RFC 3339 has no years but 1 to 9999, of which these are the first and the last instant, in
// microseconds since 1970.
const (
	firstTime = -62_135_596_800_000_000
	lastTime  = 253_402_300_799_999_999
)

// byLink returns the order of clicks by link. Each click is one number: its link in the upper bits,
// its place in the batch in the lower ones.
func byLink(clicks []terse.NumberedClick) []uint64 {
	order := make([]uint64, 0, len(clicks))
	for i := range clicks {
		if link := clicks[i].Link; isLink(link) {
			order = append(order, uint64(link)<<maxBatchBits|uint64(i))
		}
	}
	slices.Sort(order)
	return order
}

// sameAs returns how many numbers at the beginning of an order are equal in all bits from bit on.
func sameAs(order []uint64, bit int) int {
	n := 1
	for n < len(order) && order[n]>>bit == order[0]>>bit {
		n++
	}
	return n
}

// These are the lowest bits of link, bucket and region in the numbers of an order.
const (
	inLink   = maxBatchBits
	inBucket = inLink + bucketBits
	inRegion = inLink + regionBits
)

// prefetch announces the rows that counting reads for the first regions of an order, with the
// visitors of some days, and returns how many numbers of the order are in those regions.
func (c *Counter) prefetch(order []uint64, days []terse.Day) (n int, err error) {
	var values, regions []Range
	for n < len(order) && len(values) < maxPrefetch {
		some := order[n:]
		some = some[:sameAs(some, inRegion)]
		n += len(some)
		regions = append(regions, every(Level0, int64(some[0]>>inRegion)))
		for len(some) > 0 {
			bucket := int64(some[0] >> inBucket)
			values = append(values, Range{Totals, bucket, 0, 0})
			for _, day := range days {
				from := int64(0)
				if set := c.visitors.Get(visitors.ID{Day: day, Bucket: bucket}); set != nil {
					from = int64(set.Seq())
				}
				values = append(values, Range{VisitorTable(day), bucket, from, MaxNumber})
			}
			some = some[sameAs(some, inBucket):]
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
			if err := c.countOwners(clicks); err != nil {
				return err
			}
		}
	}
	return nil
}

// counted is what counting a click for its link found out. The runs of the region and the owner of
// the link need it.
type counted struct {
	owner      OwnerID // 0: the click does not count
	link       uint32  // its ID in the packer
	bot, first bool
}

// countRegion counts clicks on the links of a region.
func (c *Counter) countRegion(region int64, clicks []terse.NumberedClick, order []uint64) error {
	for some := order; len(some) > 0; {
		n := sameAs(some, inBucket)
		bucket := int64(some[0] >> inBucket)
		if err := c.countBucket(bucket, clicks, some[:n]); err != nil {
			return fmt.Errorf("links from %d on: %w", linkAt(bucket, 0), err)
		}
		some = some[n:]
	}
	// The batch is nearly in the order of time, and sorting numbers is faster than sorting clicks.
	for i := range order {
		order[i] %= maxBatch
	}
	slices.Sort(order)
	c.fresh = c.fresh[:0]
	for _, place := range order {
		if click := &clicks[place]; c.counted[place].owner != 0 && !click.Untracked {
			packed := c.packer.New(click, offsetInRegion(click.Link))
			packed.First = c.counted[place].first
			c.fresh = append(c.fresh, packed)
		}
	}
	return c.addRuns(Level0, region, c.fresh)
}

// countBucket adds clicks on the links of a bucket to the totals, and finds the firsts among them.
// It drops the untracked ones.
func (c *Counter) countBucket(bucket int64, clicks []terse.NumberedClick, order []uint64) error {
	if err := c.totals.read(c.rows, bucket); err != nil {
		return err
	}
	var open openSets
	for len(order) > 0 {
		n := sameAs(order, inLink)
		if err := c.countLink(&open, clicks, order[:n]); err != nil {
			return err
		}
		order = order[n:]
	}
	if err := c.saveSets(&open, bucket); err != nil {
		return err
	}
	return c.putTotals(bucket)
}

// countLink is countBucket for clicks of one link.
func (c *Counter) countLink(open *openSets, clicks []terse.NumberedClick, order []uint64) error {
	link := terse.LinkID(order[0] >> inLink)
	known := c.cache.of(link)
	if known == nil {
		return nil
	}
	offset := offsetOf(link)
	id := c.packer.LinkID(clickblock.Link{ID: link, Era: c.totals.eras[offset]})
	c.untracked = c.untracked[:0]
	for _, number := range order {
		click := &clicks[number%maxBatch]
		if click.Code != known.code && !slices.Contains(c.cache.former[link], click.Code) {
			continue
		}
		of := counted{owner: known.owner, link: id, bot: c.packer.Bot(click)}
		switch {
		case click.Untracked:
			c.untracked = append(c.untracked, c.packer.New(click, 0))
		case !of.bot:
			var err error
			if of.first, err = c.isFirst(open, BucketOf(link), click); err != nil {
				return err
			}
		}
		c.totals.add(offset, click, of.bot)
		c.counted[number%maxBatch] = of
	}
	return c.dropWithoutCounts(link, c.untracked)
}

// add adds a click to the totals of the link at an offset. Of an untracked click, only the day may
// be kept.
func (t *totals) add(offset int, click *terse.NumberedClick, bot bool) {
	if t.clicks[offset]++; !bot {
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

// countOwners counts the clicks again for the links of owners, and of the others, in the order of
// the batch. No one uses the packed clicks afterwards, so it resets the packer.
func (c *Counter) countOwners(clicks []terse.NumberedClick) error {
	for place := range c.counted {
		owner := c.counted[place].owner
		if owner != 0 {
			c.owned[owner] = append(c.owned[owner], uint32(place))
		}
		if c.isJoined(owner) {
			c.owned[c.others] = append(c.owned[c.others], uint32(place))
		}
	}
	owners := slices.DeleteFunc(slices.Sorted(maps.Keys(c.owned)),
		func(owner OwnerID) bool { return len(c.owned[owner]) == 0 })
	for some := range slices.Chunk(owners, ownersAtOnce) {
		if err := c.prefetchOwners(some); err != nil {
			return err
		}
		for _, owner := range some {
			if err := c.countOwner(owner, clicks, c.owned[owner]); err != nil {
				return fmt.Errorf("all links of owner %d: %w", owner, err)
			}
			c.owned[owner] = c.owned[owner][:0]
		}
	}
	if len(c.owned) > maxOwnersKept {
		clear(c.owned)
	}
	clear(c.counted)
	c.packer.Reset()
	return nil
}

const (
	// maxOwnersKept bounds the owners whose memory is reused.
	maxOwnersKept = 16

	// ownersAtOnce bounds the owners whose rows are prefetched together.
	ownersAtOnce = maxPrefetch / 2
)

// findOthers looks up the number of the others. They get it before any owner but terse.Identity is
// numbered, to which most installations add nobody: its clicks need not be counted once more.
func (c *Counter) findOthers() (err error) {
	if c.others > 0 {
		return nil
	}
	if _, err = c.links.Owner(terse.Identity); err == nil {
		c.others, err = c.links.Owner(terse.AllOwners)
	}
	if err != nil {
		return fmt.Errorf("number the others: %w", err)
	}
	return nil
}

// isJoined reports whether an owner is joined to the others.
func (c *Counter) isJoined(owner OwnerID) bool { return owner > c.others }

// prefetchOwners announces the rows that counting reads for owners.
func (c *Counter) prefetchOwners(owners []OwnerID) error {
	if len(owners) < 2 {
		return nil
	}
	var values, sizes []Range
	for _, owner := range owners {
		bucket := BucketOf(owner.Link())
		values = append(values, Range{Totals, bucket, 0, 0})
		sizes = append(sizes, every(Level1, bucket))
	}
	return c.rows.Prefetch(values, sizes)
}

// countOwner counts the clicks at some places for the link of an owner.
func (c *Counter) countOwner(owner OwnerID, clicks []terse.NumberedClick, places []uint32) error {
	all := owner.Link()
	bucket, offset := BucketOf(all), offsetOf(all)
	if err := c.totals.read(c.rows, bucket); err != nil {
		return err
	}
	c.fresh, c.untracked = c.fresh[:0], c.untracked[:0]
	for _, place := range places {
		click, of := &clicks[place], &c.counted[place]
		c.totals.add(offset, click, of.bot)
		packed := c.packer.New(click, uint16(offset))
		packed.IDs[clickblock.ByLink], packed.First = of.link, of.first
		if click.Untracked {
			c.untracked = append(c.untracked, packed)
		} else {
			c.fresh = append(c.fresh, packed)
		}
	}
	if err := c.putTotals(bucket); err != nil {
		return err
	}
	if err := c.tellOf(owner); err != nil {
		return err
	}
	if err := c.dropWithoutCounts(all, c.untracked); err != nil {
		return err
	}
	return c.addRuns(Level1, bucket, c.fresh)
}
