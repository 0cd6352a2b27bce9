package clickstore

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// head reads the head of a day's or month's counts. It is zero if there are none.
func head[T terse.Day | terse.Month](r Reader, t Table, link terse.LinkID, of T) (
	h clickblock.Head, err error,
) {
	err = r.Get(t, Key{int64(link), countsKey(headColumn, of, 0)}, func(v []byte) (err error) {
		h, err = clickblock.ParseHead(v)
		return err
	})
	return h, err
}

func putHead[T terse.Day | terse.Month](c *Counter, t Table, link terse.LinkID, of T,
	h clickblock.Head,
) error {
	c.row = h.Append(c.row[:0])
	return c.rows.Put(t, Key{int64(link), countsKey(headColumn, of, 0)}, Span{}, c.row)
}

// pieces reads a column of a day's counts.
func (c *Counter) pieces(t Table, link terse.LinkID, col column, day terse.Day) (
	pieces [][]byte, err error,
) {
	err = c.rows.Scan(countsBetween(t, link, col, day, day), Always,
		func(_ int64, _ Span, v []byte) error {
			pieces = append(pieces, slices.Clone(v))
			return nil
		})
	return pieces, err
}

// putPieces writes a column of a day's or month's counts. It deletes no pieces: adding clicks never
// reduces their number.
func putPieces[T terse.Day | terse.Month](c *Counter, t Table, link terse.LinkID, col column, of T,
	pieces [][]byte,
) error {
	for i, piece := range pieces {
		key := Key{int64(link), countsKey(col, of, i)}
		if err := c.rows.Put(t, key, Span{}, piece); err != nil {
			return err
		}
	}
	return nil
}

// dayCounts are the counts of a day after clicks were added.
type dayCounts struct {
	isNew  bool // the day had none
	head   clickblock.Head
	pieces [terse.NumDimensions][][]byte // of changed dimensions
}

// count reads the counts of a day from a table, Days or Dropped, and adds sorted clicks. The caller
// writes them. Values that exceed the bounds of the day, which both tables share, become
// OtherValue, in the clicks of a link as well. The clicks of an owner keep their values.
func (c *Counter) count(t Table, link terse.LinkID, day terse.Day, clicks []clickblock.Click) (
	n dayCounts, err error,
) {
	if n.head, err = head(c.rows, t, link, day); err != nil {
		return n, err
	}
	n.isNew = n.head.Clicks == 0
	other := Days + Dropped - t
	beside, err := head(c.rows, other, link, day)
	if err != nil {
		return n, err
	}
	if isOwner(link) {
		clicks = slices.Clone(clicks)
	}
	for _, d := range clickblock.Stored {
		if clickblock.AllDefault(clicks, d) {
			continue
		}
		var before, shared [][]byte
		if !n.isNew {
			if before, err = c.pieces(t, link, columnOf(d), day); err != nil {
				return n, err
			}
		}
		if beside.Clicks > 0 {
			if shared, err = c.pieces(other, link, columnOf(d), day); err != nil {
				return n, err
			}
		}
		if n.pieces[d], err = c.packer.Count(d, before, shared, clicks); err != nil {
			return n, fmt.Errorf("counts by %v: %w", d, err)
		}
	}
	n.head.Add(c.packer.SumOf(clicks))
	return n, nil
}

// bytes returns the size of the counts. row is the size of a row without its value.
func (n *dayCounts) bytes(row int) (bytes int) {
	bytes = row // the head
	for _, pieces := range n.pieces {
		for _, piece := range pieces {
			bytes += len(piece) + row
		}
	}
	return bytes
}

// putDayCounts writes the counts of a day.
func (c *Counter) putDayCounts(t Table, link terse.LinkID, day terse.Day, n *dayCounts) error {
	for _, d := range clickblock.Stored {
		if err := putPieces(c, t, link, columnOf(d), day, n.pieces[d]); err != nil {
			return err
		}
	}
	return putHead(c, t, link, day, n.head)
}

// addToDay adds sorted clicks of one day to its counts and blocks. A day that is no counted day
// becomes one if that is worth it, or if always is set; otherwise addToDay adds nothing.
func (c *Counter) addToDay(link terse.LinkID, day terse.Day, clicks []clickblock.Click,
	always bool,
) (added bool, err error) {
	if isOwner(link) {
		if err := c.foldAsLinks(day, clicks); err != nil {
			return false, err
		}
	}
	n, err := c.count(Days, link, day, clicks)
	if err != nil {
		return false, err
	}
	if n.isNew && !always &&
		!c.limits.worthCounting(c.packedBytes(clicks), n.bytes(c.limits.countsRow)) {
		return false, nil
	}
	if n.head.Blocks, err = c.addBlocks(link, day, n.head.Blocks, clicks); err != nil {
		return false, err
	}
	if err := c.putDayCounts(Days, link, day, &n); err != nil {
		return false, err
	}
	return true, c.openMonth(link, terse.MonthOf(day))
}

// packedBytes returns how many bytes clicks take in blocks.
func (c *Counter) packedBytes(clicks []clickblock.Click) (bytes int) {
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		bytes += len(c.packer.Pack(part))
	}
	return bytes
}

// openKey returns the key of an empty row that marks a month as open: counts of its days have
// changed since they were last summed.
func openKey(link terse.LinkID, m terse.Month) Key { return Key{int64(link), -1 - int64(m)} }

// openOf returns the rows of a link's open months.
func openOf(link terse.LinkID) Range { return Range{Months, int64(link), math.MinInt64, -1} }

// openMonth opens a month: it deletes the month's counts. Call it when the counts of one of its
// days change, unless clicks only move from a counted day to the dropped day.
func (c *Counter) openMonth(link terse.LinkID, m terse.Month) error {
	key, isOpen := openKey(link, m), false
	if err := c.rows.Get(Months, key, func([]byte) error {
		isOpen = true
		return nil
	}); err != nil || isOpen {
		return err
	}
	if err := deleteCounts(c, Months, link, m); err != nil {
		return err
	}
	return c.rows.Put(Months, key, Span{}, []byte{})
}

// sumMonths sums the oldest open months of a link, but never the last one, which is not over.
func (c *Counter) sumMonths(link terse.LinkID) error {
	var open []terse.Month
	if err := c.rows.Sizes(openOf(link), func(b int64, _ Span, _ int) error {
		open = append(open, terse.Month(-1-b))
		return nil
	}); err != nil {
		return err
	}
	slices.Sort(open)
	for _, m := range open[:min(max(len(open)-1, 0), summedAtOnce)] {
		if err := c.sumMonth(link, m); err != nil {
			return fmt.Errorf("month from %v on: %w", m.First(), err)
		}
		b := openKey(link, m).B
		if err := c.rows.Delete(Range{Months, int64(link), b, b}); err != nil {
			return err
		}
	}
	return nil
}

// countsOf returns the counts of a day or a month.
func countsOf[T terse.Day | terse.Month](t Table, link terse.LinkID, of T) []Range {
	all := []Range{countsBetween(t, link, headColumn, of, of)}
	for _, d := range clickblock.Stored {
		all = append(all, countsBetween(t, link, columnOf(d), of, of))
	}
	return all
}

// deleteCounts deletes the counts of a day or a month.
func deleteCounts[T terse.Day | terse.Month](c *Counter, t Table, link terse.LinkID, of T) error {
	for _, column := range countsOf(t, link, of) {
		if err := c.rows.Delete(column); err != nil {
			return err
		}
	}
	return nil
}

// sumMonth sums the counts of a month's counted and dropped days. A month whose counts would exceed
// maxMonth gets none.
func (c *Counter) sumMonth(link terse.LinkID, m terse.Month) error {
	sums, size := [terse.NumDimensions][][]byte{}, 0
	for _, d := range clickblock.Stored {
		for _, t := range []Table{Days, Dropped} {
			sum, err := c.sumColumn(t, link, columnOf(d), m, sums[d])
			if err != nil {
				return fmt.Errorf("counts by %v: %w", d, err)
			}
			sums[d] = sum
		}
		for _, piece := range sums[d] {
			size += len(piece)
		}
		if size > maxMonth {
			return nil
		}
	}
	h, err := c.sumHeads(link, m)
	if err != nil || len(h.Days) == 0 {
		return err
	}
	for _, d := range clickblock.Stored {
		if err := putPieces(c, Months, link, columnOf(d), m, sums[d]); err != nil {
			return err
		}
	}
	return putHead(c, Months, link, m, h)
}

// sumColumn adds a column of all of a month's days to a sum.
func (c *Counter) sumColumn(t Table, link terse.LinkID, col column, m terse.Month, sum [][]byte) (
	_ [][]byte, err error,
) {
	days := map[int][][]byte{}
	if err := c.rows.Scan(countsBetween(t, link, col, m.First(), (m+1).First()-1), Always,
		func(b int64, _ Span, v []byte) error {
			day, _ := ofKey(b)
			days[day] = append(days[day], slices.Clone(v))
			return nil
		}); err != nil {
		return nil, err
	}
	// Merge in pairs, and then their sums, so that a value is copied only a few times.
	all := append(slices.Collect(maps.Values(days)), sum)
	for len(all) > 1 {
		if sum, err = clickblock.Merge(all[0], all[1]); err != nil {
			return nil, err
		}
		all = append(all[2:], sum)
	}
	return all[0], nil
}

// sumHeads sums the heads of a month's days.
func (c *Counter) sumHeads(link terse.LinkID, m terse.Month) (h clickblock.Head, err error) {
	days := map[terse.Day]clickblock.Sum{}
	for _, t := range []Table{Days, Dropped} {
		err := c.rows.Scan(countsBetween(t, link, headColumn, m.First(), (m+1).First()-1), Always,
			func(b int64, _ Span, v []byte) error {
				of, err := clickblock.ParseHead(v)
				day, _ := ofKey(b)
				sum := days[terse.Day(day)]
				sum.Add(of.Sum)
				days[terse.Day(day)] = sum
				return err
			})
		if err != nil {
			return h, err
		}
	}
	for day := m.First(); day < (m + 1).First(); day++ {
		if sum := days[day]; sum != (clickblock.Sum{}) {
			h.Add(sum)
			h.Days = append(h.Days, clickblock.DaySum{Day: day, Sum: sum})
		}
	}
	return h, nil
}
