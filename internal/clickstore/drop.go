package clickstore

import (
	"fmt"
	"math"

	"terse"
	"terse/internal/clickblock"
)

// DropPlace is a position within a pass of the retention. The zero DropPlace is its beginning.
type DropPlace struct {
	step  int   // all parts of the first of dropSteps, then of the next
	begun bool  // the step has begun
	after int64 // the last A of the step that is done
}

// dropSteps is the order of a pass. The clicks of all links come before the same clicks of owners:
// see planDroppedOf.
var dropSteps = []struct {
	level  Table
	owners bool
}{{Level0, false}, {Level1, false}, {Level2, false}, {Level1, true}, {Level2, true}}

// Drop drops the clicks before a time, in microseconds since 1970: only totals and counts by UTC
// day keep them. It does part of the work, starting at from, and returns the place to continue
// from; after an error that is the same place. done is set at the end.
func (c *Counter) Drop(from DropPlace, before int64) (next DropPlace, done bool, err error) {
	parts := c.rows.Parts()
	end := len(dropSteps) * parts
	if from.step == end {
		return from, true, nil
	}
	step := dropSteps[from.step/parts]
	if next = from; !next.begun {
		next.begun, next.after = true, -1
		if step.owners { // whose A is below 0
			next.after = math.MinInt64
		}
	}
	var some []int64
	err = c.rows.Old(step.level, from.step%parts, next.after, before, c.limits.droppedAtOnce,
		func(a int64) {
			if step.owners == (a < 0) {
				some = append(some, a)
			}
		})
	if err != nil {
		return from, false, err
	}
	for _, a := range some {
		whole := true
		if step.level == Level2 {
			whole, err = c.dropBlocks(terse.LinkID(a), before)
		} else {
			err = c.dropRuns(step.level, a, before)
		}
		c.packer.Reset()
		if err != nil {
			return from, false, err
		}
		if !whole {
			return next, false, nil
		}
		next.after = a
	}
	if len(some) < c.limits.droppedAtOnce {
		next = DropPlace{step: from.step + 1}
	}
	return next, next.step == end, nil
}

// dropRuns drops the clicks before a time from the runs of a region or bucket.
func (c *Counter) dropRuns(t Table, a, before int64) error {
	clicks, err := c.takeBlocks(every(t, a), nil)
	if err != nil {
		return err
	}
	clickblock.Sort(clicks)
	n := clickblock.Before(clicks, before)
	if err := c.addRuns(t, a, clicks[n:]); err != nil {
		return err
	}
	if t == Level1 {
		return c.dropOfBucket(a, clicks[:n])
	}
	for i, some := range split(clicks[:n], bucketBits) {
		if err := c.dropOfBucket(bucketIn(a, i), some); err != nil {
			return err
		}
	}
	return nil
}

// dropOfBucket is dropWithoutCounts for clicks of a bucket's links.
func (c *Counter) dropOfBucket(bucket int64, clicks []clickblock.Click) error {
	for offset, some := range split(clicks, 0) {
		if err := c.dropWithoutCounts(linkAt(bucket, offset), some); err != nil {
			return err
		}
	}
	return nil
}

// dropWithoutCounts adds clicks of a link to its dropped days. No counts must include them yet.
func (c *Counter) dropWithoutCounts(link terse.LinkID, clicks []clickblock.Click) error {
	clickblock.Sort(clicks)
	for day, some := range byDay(clicks) {
		if err := c.addDropped(link, day, some); err != nil {
			return fmt.Errorf("drop %v of link %d: %w", day, link, err)
		}
		if err := c.openMonth(link, terse.MonthOf(day)); err != nil {
			return err
		}
	}
	return nil
}

// addDropped adds sorted clicks to a dropped day of a link.
func (c *Counter) addDropped(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	n, err := c.count(Dropped, link, day, clicks)
	if err != nil {
		return err
	}
	last := clicks[len(clicks)-1].Time
	if clicks[len(clicks)-1].Untracked { // its time of day is not kept
		last = (day + 1).Start() - 1
	}
	if n.isNew || last > n.head.Last {
		n.head.Last = last
	}
	if err := c.putDayCounts(Dropped, link, day, &n); err != nil || !isOwner(link) {
		return err
	}
	before, err := c.pieces(Dropped, link, linksColumn, day)
	if err != nil {
		return err
	}
	pieces, err := c.packer.CountLinks(before, clicks)
	if err != nil {
		return err
	}
	return putPieces(c, Dropped, link, linksColumn, day, pieces)
}

// dropBlocks drops the clicks before a time from some blocks of a link: the blocks of one counted
// day, or loose blocks. whole is true if no other blocks have such clicks.
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
	if err != nil {
		return false, err
	}
	var old []clickblock.Click
	for _, b := range keys {
		clicks, err := c.takeBlocks(Range{Level2, int64(link), b, b}, nil)
		if err != nil {
			return false, fmt.Errorf("drop blocks of link %d: %w", link, err)
		}
		n := clickblock.Before(clicks, before)
		old = append(old, clicks[:n]...)
		// The others fit into one block, as all of them did.
		if _, _, err := c.putBlocks(Level2, int64(link), b, clicks[n:]); err != nil {
			return false, err
		}
	}
	clickblock.Sort(old)
	if day == looseDay {
		return !more, c.dropWithoutCounts(link, old)
	}
	return !more, c.dropOfCountedDay(link, day, old)
}

// dropOfCountedDay moves sorted clicks from the counts of a counted day to those of the dropped
// day. They have already left the day's blocks. The counts of the month do not change.
func (c *Counter) dropOfCountedDay(link terse.LinkID, day terse.Day,
	clicks []clickblock.Click,
) error {
	if len(clicks) == 0 {
		return nil
	}
	h, err := head(c.rows, Days, link, day)
	if err != nil {
		return err
	}
	h.Sub(c.packer.SumOf(clicks))
	switch {
	case h.Clicks < 0:
		err = clickblock.ErrDamaged
	case h.Clicks == 0:
		err = deleteCounts(c, Days, link, day)
	default:
		if err = putHead(c, Days, link, day, h); err == nil {
			err = c.subtractCounts(link, day, clicks)
		}
	}
	if err == nil {
		err = c.addDropped(link, day, clicks)
	}
	if err != nil {
		return fmt.Errorf("drop %v of link %d: %w", day, link, err)
	}
	return nil
}

// subtractCounts subtracts clicks from the counts of a day.
func (c *Counter) subtractCounts(link terse.LinkID, day terse.Day,
	clicks []clickblock.Click,
) error {
	for _, d := range clickblock.Stored {
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
		// There may be fewer pieces than before.
		if err := c.rows.Delete(countsBetween(Days, link, columnOf(d), day, day)); err != nil {
			return err
		}
		if err := putPieces(c, Days, link, columnOf(d), day, pieces); err != nil {
			return err
		}
	}
	return nil
}
