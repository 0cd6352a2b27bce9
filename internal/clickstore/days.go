package clickstore

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"terse"
	clickblock "terse/internal/newblock"
)

// stored are the dimensions that clicks are stored and counted by.
var stored = func() (stored []terse.Dimension) {
	for d := range terse.NumDimensions {
		if _, derived := d.From(); !derived {
			stored = append(stored, d)
		}
	}
	return stored
}()

// head reads the head of a day's or month's counts. Without counts it has no clicks.
func head[T terse.Day | terse.Month](r Reader, t Table, link terse.LinkID, of T) (
	h clickblock.Head, err error,
) {
	err = r.Get(t, Key{int64(link), countsKey(headColumn, of, 0)}, func(v []byte) (err error) {
		h, err = clickblock.ParseHead(v)
		return err
	})
	return h, err
}

func (c *Counter) putHead(t Table, link terse.LinkID, of terse.Day, h clickblock.Head) error {
	c.row = h.Append(c.row[:0])
	return c.rows.Put(t, Key{int64(link), countsKey(headColumn, of, 0)}, Span{}, c.row)
}

// pieces reads the counts of a column on a day.
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

// putPieces writes the counts of a column on a day in the place of so many pieces.
func putPieces[T terse.Day | terse.Month](c *Counter, t Table, link terse.LinkID, col column, of T,
	before int, pieces [][]byte,
) error {
	for i, piece := range pieces {
		key := Key{int64(link), countsKey(col, of, i)}
		if err := c.rows.Put(t, key, Span{}, piece); err != nil {
			return err
		}
	}
	if before <= len(pieces) {
		return nil
	}
	return c.rows.Delete(Range{
		t, int64(link), countsKey(col, of, len(pieces)), countsKey(col, of, before),
	})
}

// counted are clicks of a day together with the counts of some dimensions that it had before.
type counted struct {
	pieces [terse.NumDimensions][][]byte
	before [terse.NumDimensions]int // pieces
}

// count adds clicks to what a table has of a day, and leaves to the caller to write it. Values that
// no longer fit the day's bounds are folded in the clicks.
func (c *Counter) count(t Table, link terse.LinkID, day terse.Day, clicks []clickblock.Click,
	exists bool,
) (n counted, err error) {
	for _, d := range stored {
		if clickblock.AllDefault(clicks, d) {
			continue
		}
		var before [][]byte
		if exists {
			if before, err = c.pieces(t, link, columnOf(d), day); err != nil {
				return n, err
			}
		}
		n.before[d] = len(before)
		if n.pieces[d], err = c.packer.Count(d, before, clicks); err != nil {
			return n, fmt.Errorf("counts by %v: %w", d, err)
		}
	}
	return n, nil
}

// put writes what was counted.
func (n *counted) put(c *Counter, t Table, link terse.LinkID, day terse.Day) error {
	for _, d := range stored {
		if err := putPieces(c, t, link, columnOf(d), day, n.before[d], n.pieces[d]); err != nil {
			return err
		}
	}
	return nil
}

// bytes returns what the counts take, each row with an overhead.
func (n *counted) bytes(row int) (bytes int) {
	bytes = row // the head
	for _, pieces := range n.pieces {
		for _, piece := range pieces {
			bytes += len(piece) + row
		}
	}
	return bytes
}

// addToDay adds sorted clicks of one day to its counts and blocks. Unless the day has counts, or
// always is set, it adds them only if counts are worth it.
func (c *Counter) addToDay(link terse.LinkID, day terse.Day, clicks []clickblock.Click,
	always bool,
) (added bool, err error) {
	h, err := head(c.rows, Days, link, day)
	if err != nil {
		return false, err
	}
	exists := h.Clicks > 0
	n, err := c.count(Days, link, day, clicks, exists)
	if err != nil {
		return false, err
	}
	if !exists && !always &&
		!c.limits.worthCounting(c.packedBytes(clicks), n.bytes(c.limits.countsRow)) {
		return false, nil
	}
	if err := n.put(c, Days, link, day); err != nil {
		return false, err
	}
	h.Add(clickblock.SumOf(clicks))
	if h.Blocks, err = c.addBlocks(link, day, h.Blocks, clicks); err != nil {
		return false, err
	}
	if err := c.putHead(Days, link, day, h); err != nil {
		return false, err
	}
	return true, c.openMonth(link, terse.MonthOf(day), !exists)
}

// packedBytes returns how many bytes the blocks of clicks have.
func (c *Counter) packedBytes(clicks []clickblock.Click) (bytes int) {
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		bytes += len(c.packer.Pack(part))
	}
	return bytes
}

// The months of a link whose days have counts are open, and in a row of their own, until they are
// over and added up. When a day changes later, its month is open again.
func openKey(link terse.LinkID) Key { return Key{int64(link), -1} }

// openMonth must be called when the counts of a day change, or when clicks come to those that were
// dropped of it. With sum, months that are over are added up.
func (c *Counter) openMonth(link terse.LinkID, m terse.Month, sum bool) error {
	open, err := c.openMonths(link)
	if err != nil {
		return err
	}
	changed := !slices.Contains(open, m)
	if changed {
		open = append(open, m)
		if err := c.dropMonth(link, m); err != nil {
			return err
		}
	}
	if sum {
		for _, over := range due(open) {
			if err := c.sumMonth(link, over); err != nil {
				return fmt.Errorf("month from %v on: %w", over.First(), err)
			}
			open = slices.DeleteFunc(open, func(m terse.Month) bool { return m == over })
			changed = true
		}
	}
	if !changed {
		return nil
	}
	c.row = append(c.row[:0], monthsVersion)
	for _, m := range open {
		c.row = binary.AppendUvarint(c.row, uint64(m))
	}
	return c.rows.Put(Months, openKey(link), Span{}, c.row)
}

// monthsVersion is the first byte of the row of a link's open months; the months follow.
const monthsVersion = 1

func (c *Counter) openMonths(link terse.LinkID) (open []terse.Month, err error) {
	err = c.rows.Get(Months, openKey(link), func(v []byte) error {
		if len(v) == 0 || v[0] != monthsVersion {
			return clickblock.ErrDamaged
		}
		for v = v[1:]; len(v) > 0; {
			m, n := binary.Uvarint(v)
			if n <= 0 || m > math.MaxInt16 {
				return clickblock.ErrDamaged
			}
			open, v = append(open, terse.Month(m)), v[n:]
		}
		return nil
	})
	return open, err
}

// dropMonth deletes the sums of a month.
func (c *Counter) dropMonth(link terse.LinkID, m terse.Month) error {
	h, err := head(c.rows, Months, link, m)
	if err != nil || h.Clicks == 0 {
		return err
	}
	return c.deleteCounts(Months, link, int64(m))
}

// deleteCounts deletes the counts of a day or month.
func (c *Counter) deleteCounts(t Table, link terse.LinkID, of int64) error {
	columns := []column{headColumn, linksColumn}
	for _, d := range stored {
		columns = append(columns, columnOf(d))
	}
	for _, col := range columns {
		all := countsBetween(t, link, col, terse.Day(of), terse.Day(of))
		if err := c.rows.Delete(all); err != nil {
			return err
		}
	}
	return nil
}

// sumMonth adds up the counts of a month's days, dropped clicks included. A month with too many is
// left to be read day by day.
func (c *Counter) sumMonth(link terse.LinkID, m terse.Month) error {
	sums, size := [terse.NumDimensions][][]byte{}, 0
	for _, d := range stored {
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
		if size > c.limits.maxMonth {
			return nil
		}
	}
	h, err := c.sumHeads(link, m)
	if err != nil || h.Clicks == 0 {
		return err
	}
	for _, d := range stored {
		if err := putPieces(c, Months, link, columnOf(d), m, 0, sums[d]); err != nil {
			return err
		}
	}
	c.row = h.Append(c.row[:0])
	return c.rows.Put(Months, Key{int64(link), countsKey(headColumn, m, 0)}, Span{}, c.row)
}

// sumColumn adds the counts of a column on all days of a month to a sum.
func (c *Counter) sumColumn(t Table, link terse.LinkID, col column, m terse.Month, sum [][]byte) (
	[][]byte, error,
) {
	day, pieces := 0, [][]byte(nil)
	add := func() (err error) {
		sum, err = clickblock.Merge(sum, pieces)
		pieces = nil
		return err
	}
	err := c.rows.Scan(countsBetween(t, link, col, m.First(), (m+1).First()-1), Always,
		func(b int64, _ Span, v []byte) error {
			of, _ := ofKey(b)
			if of != day {
				if err := add(); err != nil {
					return err
				}
				day = of
			}
			pieces = append(pieces, slices.Clone(v))
			return nil
		})
	if err == nil {
		err = add()
	}
	return sum, err
}

// sumHeads adds up the heads of a month's days.
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
		if sum := days[day]; sum.Clicks > 0 {
			h.Add(sum)
			h.Days = append(h.Days, clickblock.DaySum{Day: day, Sum: sum})
		}
	}
	return h, nil
}
