package clickstore

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// DropPlace is how far a pass that drops clicks has come. The zero DropPlace is its beginning.
type DropPlace struct {
	stage int // in dropStages
	part  int
	after int64 // the last A that has no old clicks any more; holds when begun
	begun bool
}

var dropStages = []Table{Level0, Level1, Level2}

// Drop forgets single clicks before a time, of which their counts by UTC day stay. It does a part
// of the work, from a place on, and returns where to go on: after an error at the same place. done
// is set at the end.
func (c *Counter) Drop(from DropPlace, before int64) (next DropPlace, done bool, err error) {
	if from.stage == len(dropStages) {
		return from, true, nil
	}
	place, t := from, dropStages[from.stage]
	if !place.begun {
		place.after, place.begun = math.MinInt64, true
	}
	var some []int64
	if err := c.rows.Old(t, place.part, place.after, before, c.limits.droppedAtOnce, func(a int64) {
		some = append(some, a)
	}); err != nil {
		return from, false, err
	}
	for _, a := range some {
		whole := true
		if t == Level2 {
			whole, err = c.dropBlocks(terse.LinkID(a), before)
		} else {
			err = c.dropRuns(t, a, before)
		}
		c.packer.Reset()
		if err != nil {
			return from, false, err
		}
		if !whole {
			return place, false, nil
		}
		place.after = a
	}
	if len(some) == c.limits.droppedAtOnce {
		return place, false, nil
	}
	next = DropPlace{stage: place.stage, part: place.part + 1}
	if next.part == c.rows.Parts() {
		next = DropPlace{stage: place.stage + 1}
	}
	return next, next.stage == len(dropStages), nil
}

// dropRuns drops the clicks before a time from the runs of a region or bucket.
func (c *Counter) dropRuns(t Table, a, before int64) error {
	clicks, err := c.takeRuns(t, a, nil)
	if err != nil {
		return err
	}
	c.packer.Sort(clicks)
	n := clickblock.Before(clicks, before)
	old := slices.Clone(clicks[:n])
	if err := c.putRuns(t, a, 0, clicks[n:]); err != nil {
		return err
	}
	if t == Level1 {
		return c.drop(a, old)
	}
	for bucket, some := range byLink(old, bucketBits) {
		for i := range some {
			some[i].Link &= BucketLinks - 1
		}
		if err := c.drop(a<<(regionBits-bucketBits)+int64(bucket), some); err != nil {
			return err
		}
	}
	return nil
}

// byLink yields clicks by the upper bits of their offset, in order. It sorts them.
func byLink(clicks []clickblock.Click, bits int) func(func(int, []clickblock.Click) bool) {
	slices.SortStableFunc(clicks, func(x, y clickblock.Click) int {
		return cmp.Compare(x.Link>>bits, y.Link>>bits)
	})
	return func(yield func(int, []clickblock.Click) bool) {
		for len(clicks) > 0 {
			at, n := clicks[0].Link>>bits, 1
			for n < len(clicks) && clicks[n].Link>>bits == at {
				n++
			}
			some := clicks[:n]
			clicks = clicks[n:]
			if !yield(int(at), some) {
				return
			}
		}
	}
}

// drop adds clicks of a bucket's links, which were in no counts, to those that were dropped.
func (c *Counter) drop(bucket int64, clicks []clickblock.Click) error {
	if len(clicks) == 0 {
		return nil
	}
	var t totals
	if err := t.read(c.rows, bucket); err != nil {
		return err
	}
	for offset, some := range byLink(clicks, 0) {
		if t.clicks[offset] == 0 {
			continue // the link is gone
		}
		link := linkAt(bucket, offset)
		c.packer.Sort(some)
		for day, of := range byDay(some) {
			if err := c.dropOf(link, day, of); err != nil {
				return fmt.Errorf("drop %v of link %d: %w", day, link, err)
			}
			if err := c.openMonth(link, terse.MonthOf(day), false); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropOf adds sorted clicks of a link and day to what is kept of dropped ones.
func (c *Counter) dropOf(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	h, err := head(c.rows, Dropped, link, day)
	if err != nil {
		return err
	}
	exists := h.Clicks > 0
	n, err := c.count(Dropped, link, day, clicks, exists)
	if err == nil {
		err = n.put(c, Dropped, link, day)
	}
	if err == nil && IsOwner(link) {
		err = c.dropByLink(link, day, clicks)
	}
	if err != nil {
		return err
	}
	last := clicks[len(clicks)-1].Time
	if clicks[len(clicks)-1].Untracked { // its hour is not kept
		last = (day + 1).Start() - 1
	}
	if h.Last = max(h.Last, last); !exists {
		h.Last = last
	}
	h.Add(clickblock.SumOf(clicks))
	return c.putHead(Dropped, link, day, h)
}

// dropByLink adds clicks to those that each link of an owner has on a day.
func (c *Counter) dropByLink(all terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	before, err := c.pieces(Dropped, all, linksColumn, day)
	if err != nil {
		return err
	}
	pieces, err := c.packer.CountLinks(before, clicks)
	if err != nil {
		return err
	}
	return putPieces(c, Dropped, all, linksColumn, day, len(before), pieces)
}

// dropBlocks drops some clicks before a time from the blocks of a link, of one day or loose ones.
// whole is true when there are no more.
func (c *Counter) dropBlocks(link terse.LinkID, before int64) (whole bool, err error) {
	day, keys, more := terse.Day(0), []int64(nil), false
	err = c.rows.Sizes(every(Level2, int64(link)), func(b int64, s Span, _ int) error {
		switch of := terse.Day(b >> blockBits); {
		case s.First >= before:
		case len(keys) == 0 || of == day && len(keys) < c.limits.blocksAtOnce:
			day, keys = of, append(keys, b)
		default:
			more = true
		}
		return nil
	})
	if err != nil || len(keys) == 0 {
		return err == nil, err
	}
	old, err := c.takeOld(link, keys, before)
	if err != nil {
		return false, fmt.Errorf("drop blocks of link %d: %w", link, err)
	}
	if day == looseDay {
		c.packer.Sort(old)
		for i := range old {
			old[i].Link = uint16(offsetOf(link))
		}
		return !more, c.drop(BucketOf(link), old)
	}
	if err = c.dropCounted(link, day, old); err != nil {
		err = fmt.Errorf("drop %v of link %d: %w", day, link, err)
	}
	return !more, err
}

// takeOld takes the clicks before a time out of blocks, and returns them.
func (c *Counter) takeOld(link terse.LinkID, keys []int64, before int64) (
	old []clickblock.Click, err error,
) {
	for _, b := range keys {
		only := Range{Level2, int64(link), b, b}
		var clicks []clickblock.Click
		err := c.rows.Scan(only, Always, func(_ int64, _ Span, v []byte) (err error) {
			clicks, err = c.packer.Unpack(clicks, v)
			return err
		})
		if err != nil {
			return nil, err
		}
		n := clickblock.Before(clicks, before)
		old = append(old, clicks[:n]...)
		if rest := clicks[n:]; len(rest) > 0 {
			err = c.rows.Put(Level2, Key{int64(link), b}, spanOf(rest), c.packer.Pack(rest))
		} else {
			err = c.rows.Delete(only)
		}
		if err != nil {
			return nil, err
		}
	}
	return old, nil
}

// dropCounted moves clicks of a counted day, whose blocks they were taken out of, from its counts
// to those of dropped ones. The sum of its month stays.
func (c *Counter) dropCounted(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	h, err := head(c.rows, Days, link, day)
	if err != nil {
		return err
	}
	gone := clickblock.SumOf(clicks)
	h.Add(clickblock.Sum{Clicks: -gone.Clicks, People: -gone.People, Firsts: -gone.Firsts})
	switch {
	case h.Clicks < 0:
		return clickblock.ErrDamaged
	case h.Clicks == 0:
		err = c.deleteCounts(Days, link, int64(day))
	default:
		if err = c.putHead(Days, link, day, h); err == nil {
			err = c.takeOffCounts(link, day, clicks)
		}
	}
	if err != nil {
		return err
	}
	c.packer.Sort(clicks)
	return c.dropOf(link, day, clicks)
}

// takeOffCounts takes clicks off the counts of a day.
func (c *Counter) takeOffCounts(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	for _, d := range stored {
		if clickblock.AllDefault(clicks, d) {
			continue
		}
		before, err := c.pieces(Days, link, columnOf(d), day)
		if err != nil {
			return err
		}
		gone, err := c.packer.Count(d, nil, clicks)
		if err != nil {
			return err
		}
		pieces, err := clickblock.Subtract(before, gone)
		if err != nil {
			return fmt.Errorf("counts by %v: %w", d, err)
		}
		if err := putPieces(c, Days, link, columnOf(d), day, len(before), pieces); err != nil {
			return err
		}
	}
	return nil
}
