package clickstore

import (
	"fmt"
	"math"

	"terse"
	"terse/internal/click/clickblock"
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
// from; after an error that is the same place. done is set at the end. A pass has nothing to do if
// one was complete and no older click has been written since.
func (c *Counter) Drop(from DropPlace, before int64) (next DropPlace, done bool, err error) {
	parts := c.rows.Parts()
	end := len(dropSteps) * parts
	if from.step == end || from == (DropPlace{}) && before <= c.dropped {
		return from, true, nil
	}
	if from == (DropPlace{}) {
		c.dropping = before
	}
	step := dropSteps[from.step/parts]
	if next = from; !next.begun {
		next.begun, next.after = true, -1
		if step.owners { // whose A is below 0
			next.after = math.MinInt64
		}
	}
	var some []int64
	to, last, err := c.rows.Old(step.level, from.step%parts, next.after, before,
		c.limits.droppedAtOnce, func(a int64) {
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
	if next.after = to; last || step.owners && to >= 0 {
		next = DropPlace{step: from.step + 1}
	}
	if next.step == end && c.dropping == before {
		c.dropped = before
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

// addDropped adds sorted clicks, which are in no counts yet, to a dropped day of a link.
func (c *Counter) addDropped(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	n, err := c.count(Dropped, link, day, clicks)
	if err != nil {
		return err
	}
	return c.putDropped(link, day, &n, clicks)
}

// putDropped writes the counts of a dropped day after sorted clicks were added.
func (c *Counter) putDropped(link terse.LinkID, day terse.Day, n *dayCounts,
	clicks []clickblock.Click,
) error {
	last := clicks[len(clicks)-1].Time
	if clicks[len(clicks)-1].Untracked { // its time of day is not kept
		last = (day + 1).Start() - 1
	}
	if n.isNew || last > n.head.Last {
		n.head.Last = last
	}
	if err := c.putDayCounts(Dropped, link, day, n); err != nil || !isOwner(link) {
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
// day, under the values that they are counted with. They have already left the day's blocks. The
// counts of the month do not change.
func (c *Counter) dropOfCountedDay(link terse.LinkID, day terse.Day,
	clicks []clickblock.Click,
) error {
	if len(clicks) == 0 {
		return nil
	}
	n, err := c.moveCounts(link, day, clicks)
	if err == nil {
		err = c.putDropped(link, day, &n, clicks)
	}
	if err != nil {
		return fmt.Errorf("drop %v of link %d: %w", day, link, err)
	}
	return nil
}

// moveCounts subtracts clicks from the counts of a counted day, and returns those of the dropped
// day with the same added.
func (c *Counter) moveCounts(link terse.LinkID, day terse.Day, clicks []clickblock.Click) (
	n dayCounts, err error,
) {
	h, err := head(c.rows, Days, link, day)
	if err == nil {
		n.head, err = head(c.rows, Dropped, link, day)
	}
	if err != nil {
		return n, err
	}
	n.isNew = n.head.Clicks == 0
	sum := c.packer.SumOf(clicks)
	n.head.Add(sum)
	if h.Sub(sum); h.Clicks < 0 {
		return n, clickblock.ErrDamaged
	}
	for _, d := range clickblock.Stored {
		if clickblock.AllDefault(clicks, d) {
			continue
		}
		gone, err := c.subtract(d, link, day, clicks)
		if err != nil {
			return n, fmt.Errorf("counts by %v: %w", d, err)
		}
		dropped, err := c.pieces(Dropped, link, columnOf(d), day)
		if err != nil {
			return n, err
		}
		if n.pieces[d], err = clickblock.Merge(dropped, gone); err != nil {
			return n, fmt.Errorf("counts by %v: %w", d, err)
		}
	}
	if h.Clicks == 0 {
		return n, deleteCounts(c, Days, link, day)
	}
	return n, putHead(c, Days, link, day, h)
}

// subtract subtracts clicks from the counts of a counted day by a dimension, and returns what it
// subtracted.
func (c *Counter) subtract(d terse.Dimension, link terse.LinkID, day terse.Day,
	clicks []clickblock.Click,
) (gone [][]byte, err error) {
	before, err := c.pieces(Days, link, columnOf(d), day)
	if err != nil {
		return nil, err
	}
	if gone, err = c.packer.Share(d, before, clicks); err != nil {
		return nil, err
	}
	pieces, err := clickblock.Subtract(before, gone)
	if err != nil {
		return nil, err
	}
	// There may be fewer pieces than before.
	err = c.rows.Delete(countsBetween(Days, link, columnOf(d), day, day))
	if err == nil {
		err = putPieces(c, Days, link, columnOf(d), day, pieces)
	}
	return gone, err
}
