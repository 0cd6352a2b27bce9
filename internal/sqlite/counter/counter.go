package counter

import (
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/sqlite/query"
	"terse/internal/yield"
)

// Counter adds clicks. It must not be used concurrently.
type Counter struct {
	conn   *sqlite.Conn
	packer *clickblock.Packer
	turn   yield.Yielder
	codes  linkCodes
	bucket bucket // the one that is being written
	sets   sets
	owners map[string]terse.LinkID // by their names, the IDs of all their links
	// newOwner is true from when the transaction gave an owner an ID to its end.
	newOwner bool

	// Memory that is used again.
	order, sorted []uint64             // see byRegion
	batch         []clickblock.Click   // the clicks that count, at their places in the batch
	others        map[int]terse.LinkID // by place there: all links of their owner, not the first
	fresh         []clickblock.Click   // of the region that is being written
	taken         []clickblock.Click   // out of new_clicks
	unpacked      []clickblock.Click
	untracked     []clickblock.Click // of the bucket that is being written
	rolledUp      []clickblock.Click
	blob          []byte
}

// New returns a Counter that writes with a connection.
func New(conn *sqlite.Conn) *Counter {
	return &Counter{
		conn: conn, packer: clickblock.NewPacker(), codes: linkCodes{},
		owners: map[string]terse.LinkID{}, others: map[int]terse.LinkID{},
	}
}

// LinkChanged must be called when a link was made, given another code, or deleted.
func (c *Counter) LinkChanged(link terse.LinkID) { c.codes.forget(link) }

// Invalidate must be called when links may have changed otherwise.
func (c *Counter) Invalidate() {
	clear(c.codes)
	clear(c.owners)
	c.sets.cache.Clear()
}

// maxBatch bounds a batch, so that a transaction takes seconds at most.
const (
	maxBatchBits = 20
	maxBatch     = 1 << maxBatchBits
)

// maxAtOnce bounds the clicks of a region, and of all links, that are added together.
const maxAtOnce = 1 << 15

// Add counts at most 1,048,576 clicks. It goes region by region, so that each page of the tables is
// visited once, and counts those of all links together last. What the packer made of a click serves
// for both.
func (c *Counter) Add(batch *terse.NumberedClicks) error {
	clicks := batch.List
	order, err := c.byRegion(clicks)
	if err != nil {
		return err
	}
	if err := c.cleanBuckets(); err != nil {
		return err
	}
	if err := c.readDays(); err != nil {
		return err
	}
	clear(c.others)
	c.packer.Begin(batch, c.turn.Yield)
	c.batch = resize(c.batch, len(clicks))
	for part := range slices.Chunk(c.batch, maxAtOnce) {
		c.turn.Yield()
		clear(part)
	}
	for len(order) > 0 {
		c.turn.Yield()
		n := sameAs(order, maxBatchBits+regionBits)
		if err := c.addToRegion(clicks, order[:n]); err != nil {
			return err
		}
		order = order[n:]
		if c.packer.Full() {
			if err := c.addToAllLinks(); err != nil {
				return err
			}
		}
	}
	return c.addToAllLinks()
}

// byRegion returns the order of clicks by region, each as the bucket's ID and the click's place in
// the batch, packed into one number. A radix sort takes a seventh of the time that comparing takes,
// and yields between its steps.
func (c *Counter) byRegion(clicks []terse.NumberedClick) ([]uint64, error) {
	if len(clicks) > maxBatch {
		return nil, fmt.Errorf("more than %d clicks in a batch", maxBatch)
	}
	order := resize(c.order, len(clicks))[:0]
	largest := uint64(0)
	for i := range clicks {
		// An ID that does not fit is no link's: those are given out one by one.
		if link := uint64(clicks[i].Link); link < 1<<(64-maxBatchBits) {
			id := link >> bucketBits
			order = append(order, id<<maxBatchBits|uint64(i))
			largest = max(largest, id)
		}
	}
	sorted := resize(c.sorted, len(order))
	for shift := maxBatchBits + regionBits; largest>>(shift-maxBatchBits) > 0; shift += radixBits {
		c.turn.Yield()
		sortByDigit(sorted, order, shift)
		order, sorted = sorted, order
	}
	c.order, c.sorted = order, sorted
	return order, nil
}

// resize returns a slice of n elements, in the memory of s if that is large enough. It copies
// nothing, which would take milliseconds at a stretch.
func resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, max(n, min(2*cap(s), maxBatch)))
}

// radixBits is the size of a digit: the counts of all digits fit into the processor's first cache.
const radixBits = 11

// sortByDigit writes numbers to sorted in the order of the digit that begins at a bit; equal ones
// stay in their order.
func sortByDigit(sorted, numbers []uint64, shift int) {
	var next [1 << radixBits]int
	for _, n := range numbers {
		next[n>>shift%(1<<radixBits)]++
	}
	sum := 0
	for digit, n := range next {
		next[digit] = sum
		sum += n
	}
	for _, n := range numbers {
		i := &next[n>>shift%(1<<radixBits)]
		sorted[*i] = n
		*i++
	}
}

// sameAs returns how many clicks at the beginning of an order can be added together, because they
// differ in the bits below one only.
func sameAs(order []uint64, bit int) int {
	n := 1
	for n < min(len(order), maxAtOnce) && order[n]>>bit == order[0]>>bit {
		n++
	}
	return n
}

// addToRegion counts clicks of a region's links.
func (c *Counter) addToRegion(clicks []terse.NumberedClick, order []uint64) error {
	grouped := c.sorted[:len(order)]
	sortByDigit(grouped, order, maxBatchBits)
	for len(grouped) > 0 {
		c.turn.Yield()
		id, n := int64(grouped[0]>>maxBatchBits), sameAs(grouped, maxBatchBits)
		if err := c.addToBucket(id, clicks, grouped[:n]); err != nil {
			return fmt.Errorf("links from %d on: %w", id<<bucketBits, err)
		}
		grouped = grouped[n:]
	}
	c.fresh = c.fresh[:0]
	for _, number := range order {
		i := number % maxBatch
		if counted := &c.batch[i]; counted.Link == isCounted {
			c.fresh = append(c.fresh, counted.Alone(offsetInRegion(clicks[i].Link)))
		}
	}
	return c.addNew(regionOf(clicks[order[0]%maxBatch].Link), c.fresh)
}

// addToBucket adds clicks to the totals of a bucket's links, and keeps those that count in c.batch.
func (c *Counter) addToBucket(id int64, clicks []terse.NumberedClick, order []uint64) error {
	if err := c.readTotals(id); err != nil {
		return err
	}
	b := &c.bucket
	codes, err := c.codesOf(id, len(order))
	if err != nil {
		return err
	}
	var open openSets
	var earlier [BucketLinks]*clickblock.Click // of the same link in the batch
	for n, number := range order {
		if n%64 == 0 {
			c.turn.Yield()
		}
		i := number % maxBatch
		click := &clicks[i]
		exists, err := c.linkExists(codes, click)
		if err != nil {
			return err
		}
		if !exists {
			continue
		}
		offset := offsetOf(click.Link)
		b.clicks[offset]++
		c.batch[i] = c.packer.New(click, isCounted)
		if click.Untracked {
			c.untracked = append(c.untracked, c.batch[i].Alone(uint16(offset)))
			c.batch[i].Link = isUntracked
		} else if c.batch[i].First, err = c.first(&open, id, click); err != nil {
			return err
		}
		if all, other := codes.others[offset]; other {
			c.others[int(i)] = all
		}
		if same := earlier[offset]; same != nil {
			c.batch[i].OfSame(same)
			continue
		}
		earlier[offset] = &c.batch[i]
		c.packer.Of(&c.batch[i], clickblock.Link{
			LinkRef: terse.LinkRef{ID: click.Link}, Era: codes.eras[offset],
		})
	}
	if err := c.saveSets(&open, id); err != nil {
		return err
	}
	if err := c.addUntracked(); err != nil {
		return err
	}
	return c.storeTotals()
}

// These mark the clicks in Counter.batch that count, in the place of their offset.
const (
	isCounted   = 1
	isUntracked = 2
)

// addOwned counts clicks for all links of an owner.
func (c *Counter) addOwned(all terse.LinkID, part []clickblock.Click) error {
	offset := offsetOf(all)
	for i := range part {
		if part[i].Link == isUntracked {
			c.untracked = append(c.untracked, part[i])
			c.untracked[len(c.untracked)-1].Link = uint16(offset)
		}
	}
	counted := slices.DeleteFunc(part, func(click clickblock.Click) bool {
		return click.Link != isCounted
	})
	if len(counted)+len(c.untracked) == 0 {
		return nil
	}
	if err := c.readBucket(bucketOf(all)); err != nil {
		return fmt.Errorf("all links: %w", err)
	}
	b := &c.bucket
	for i := range counted {
		counted[i].Link = uint16(offset)
	}
	b.clicks[offset] += int64(len(counted) + len(c.untracked))
	if err := c.addUntracked(); err != nil {
		return err
	}
	b.pending[offset] += int64(len(counted))
	b.recent = append(b.recent, counted...)
	if err := c.storeTotals(); err != nil {
		return err
	}
	return c.finishBucket()
}

// maxCleaned bounds the buckets that are cleaned with one batch, each of which takes up to some
// milliseconds.
const maxCleaned = 16

// cleanBuckets drops pending clicks of links that were deleted.
func (c *Counter) cleanBuckets() error {
	var ids []int64
	err := query.Each(c.conn, "SELECT id FROM buckets_to_clean LIMIT ?",
		func(row *sqlite.Stmt) error {
			ids = append(ids, row.ColumnInt64(0))
			return nil
		}, maxCleaned)
	if err != nil {
		return err
	}
	for _, id := range ids {
		c.turn.Yield()
		c.packer.Reset()
		if err := c.cleanBucket(id); err != nil {
			return fmt.Errorf("clean bucket %d: %w", id, err)
		}
	}
	return nil
}

// Clear forgets the clicks that were counted for a link. Those of all links stay.
func (c *Counter) Clear(link terse.LinkID) error {
	c.packer.Reset()
	if err := c.divide(regionOf(link), nil); err != nil {
		return err
	}
	for _, sql := range []string{
		"DELETE FROM click_days WHERE link_day BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535",
		"DELETE FROM click_months WHERE link_month BETWEEN ?1 * 4096 AND ?1 * 4096 + 4095",
		"DELETE FROM click_blocks WHERE link_id = ?1",
		"DELETE FROM dropped_days WHERE link_day BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535",
	} {
		if err := query.Run(c.conn, sql, link); err != nil {
			return err
		}
	}
	if err := query.Run(c.conn, `INSERT INTO link_eras (link_id, era) VALUES (?1, 1)
		ON CONFLICT (link_id) DO UPDATE SET era = era + 1`, link); err != nil {
		return err
	}
	if err := c.clearVisitors(link); err != nil {
		return err
	}
	c.codes.forget(link)
	if err := c.readBucket(bucketOf(link)); err != nil {
		return err
	}
	clicks := &c.bucket.clicks[offsetOf(link)]
	if *clicks == 0 {
		return nil
	}
	*clicks = 0
	if err := c.storeTotals(); err != nil {
		return err
	}
	if err := c.rollUp(); err != nil { // which drops what is pending
		return err
	}
	return c.storePending()
}

func (c *Counter) cleanBucket(id int64) error {
	if err := query.Run(c.conn, "DELETE FROM buckets_to_clean WHERE id = ?", id); err != nil {
		return err
	}
	if err := c.divide(id>>regionBits, nil); err != nil {
		return err
	}
	if err := c.readBucket(id); err != nil {
		return err
	}
	if err := c.rollUp(); err != nil {
		return err
	}
	return c.storePending()
}
