package clickstore

import (
	"fmt"
	"maps"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// addVisitors adds the visitors of a day beyond the firsts of its clicks. Each visitor has clicked,
// so there are no more visitors than clicks.
func (day *pastDay) addVisitors() {
	want := day.ClickFirsts
	if !day.skipped {
		want += day.Visitors
	}
	want = min(want, day.single.Clicks+day.head.Clicks)
	day.head.Firsts += max(want-day.single.Firsts-day.head.Firsts, 0)
}

// addCounts adds the dropped clicks of a day. If the link has single clicks of that day, the same
// clicks may be among both, so none are added.
func (a *pastAdder) addCounts(day *pastDay) error {
	out := a.out
	if day.single.Clicks > 0 {
		known := min(day.Clicks, day.head.Clicks+day.single.Clicks-day.claimed)
		out.Known += known
		if known < day.Clicks {
			out.Skipped += day.Clicks - known
			out.SkippedDays = append(out.SkippedDays, day.Day)
			day.skipped = true
		}
		return nil
	}
	known := min(day.Clicks, day.head.Clicks)
	if !a.fits(day.Clicks - known) {
		out.RefusedDays = append(out.RefusedDays, day.Day)
		day.skipped = true
		return nil
	}
	out.Known += known
	if known == day.Clicks {
		return nil
	}
	out.Added += day.Clicks - known
	if a.tries {
		tried(&out.Tried.Dropped, day.Day, day.Clicks-known)
	}
	last := (day.Day + 1).Start() - 1
	if at := a.LastClick.UnixMicro(); !a.LastClick.IsZero() && at > day.Day.Start() {
		last = min(last, at)
	}
	if day.from < day.to { // the retention drops what is before the single clicks
		last = min(last, a.clicks[day.from].Time-1)
	}
	if day.head.Clicks == 0 || last > day.head.Last {
		day.head.Last = last
	}
	return a.replaceCounts(day)
}

// replaceCounts replaces the counts of a dropped day of the link, and adds the difference to those
// of its owner.
func (a *pastAdder) replaceCounts(day *pastDay) error {
	var by [terse.NumDimensions]map[string]clickblock.Sum
	for d := range by {
		by[d] = map[string]clickblock.Sum{}
	}
	for _, counts := range day.Counts {
		for _, v := range counts.Values {
			sum := clickblock.Sum{Clicks: v.Clicks, People: v.People, Firsts: v.Firsts}
			if counts.Dimension == terse.ByVisitor {
				if sum.People = v.Clicks; v.Value == terse.Bot {
					sum.People = 0
				}
			}
			addSum(by[counts.Dimension], v.Value, sum)
		}
	}
	had := day.head.Clicks > 0
	day.head.Sum = clickblock.Sum{
		Clicks: day.Clicks,
		People: day.Clicks - min(by[terse.ByVisitor][terse.Bot].Clicks, day.Clicks),
		Firsts: max(day.head.Firsts, min(day.Visitors, day.Clicks)),
	}
	for _, d := range clickblock.Stored {
		column := countsBetween(Dropped, a.Link.ID, columnOf(d), day.Day, day.Day)
		if had {
			before, err := a.pieces(Dropped, a.Link.ID, columnOf(d), day.Day)
			if err != nil {
				return err
			}
			if err := a.grow(day.Day, d, before, -1); err != nil {
				return err
			}
			if err := a.rows.Delete(column); err != nil {
				return err
			}
		}
		pieces, err := clickblock.Adjust(d, day.head.Sum, nil, nil, by[d])
		if err == nil {
			err = putPieces(a.Counter, Dropped, a.Link.ID, columnOf(d), day.Day, pieces)
		}
		if err == nil {
			err = a.grow(day.Day, d, pieces, 1)
		}
		if err != nil {
			return fmt.Errorf("counts by %v: %w", d, err)
		}
	}
	return nil
}

// grow adds counts of the link to what its owner and the others get, or subtracts them if sign is
// -1.
func (a *pastAdder) grow(day terse.Day, d terse.Dimension, pieces [][]byte, sign int64) error {
	if len(pieces) == 0 {
		return nil
	}
	for _, o := range a.of {
		of := o.day(day)
		if of.values[d] == nil {
			of.values[d] = map[string]clickblock.Sum{}
		}
		before := len(of.values[d])
		err := clickblock.EachValue(d, pieces, func(text string, sum clickblock.Sum) {
			addSum(of.values[d], text, clickblock.Sum{
				Clicks: sign * sum.Clicks, People: sign * sum.People, Firsts: sign * sum.Firsts,
			})
		})
		if a.values += len(of.values[d]) - before; err != nil {
			return err
		}
	}
	return nil
}

// ownerPast is what all links of an owner get.
type ownerPast struct {
	grown
	had  int64 // clicks before
	days map[terse.Day]*ownerDay
}

// ownerDay is what a dropped day of all links of an owner gets.
type ownerDay struct {
	sum    clickblock.Sum
	values [terse.NumDimensions]map[string]clickblock.Sum
	links  map[clickblock.Link]clickblock.Sum
}

// maxGrownValues bounds the values and links of dropped days of owners that are in memory.
const maxGrownValues = 1 << 17

// findOwners reads what the owner of the link has, and what the others have if it is joined.
func (a *pastAdder) findOwners(owner OwnerID) error {
	ids := []OwnerID{owner}
	if a.isJoined(owner) {
		ids = append(ids, a.others)
	}
	a.of = a.of[:0]
	for _, id := range ids {
		if a.owners[id] == nil {
			total, err := TotalOf(a.rows, id.Link())
			if err != nil {
				return err
			}
			a.owners[id] = &ownerPast{had: total.Clicks, days: map[terse.Day]*ownerDay{}}
		}
		a.of = append(a.of, a.owners[id])
	}
	return nil
}

func (o *ownerPast) day(day terse.Day) *ownerDay {
	of := o.days[day]
	if of == nil {
		of = &ownerDay{links: map[clickblock.Link]clickblock.Sum{}}
		o.days[day] = of
	}
	return of
}

// growOwners adds to the dropped days of the links of owners.
func (a *pastAdder) growOwners() error {
	for _, id := range slices.Sorted(maps.Keys(a.owners)) {
		days := a.owners[id].days
		for some := range slices.Chunk(slices.Sorted(maps.Keys(days)), fetchedAtOnce) {
			values := []Range{openOf(id.Link())}
			for _, day := range some {
				values = append(values, countsOf(Dropped, id.Link(), day)...)
				values = append(values, countsOf(Days, id.Link(), day)...)
				values = append(values, countsBetween(Dropped, id.Link(), linksColumn, day, day))
			}
			if err := a.rows.Prefetch(values, nil); err != nil {
				return err
			}
			for _, day := range some {
				if err := a.growDay(id.Link(), day, days[day]); err != nil {
					return fmt.Errorf("%v of all links of owner %d: %w", day, id, err)
				}
			}
		}
		clear(days)
	}
	a.values = 0
	return nil
}

// growDay adds to a dropped day of the link of an owner.
func (a *pastAdder) growDay(all terse.LinkID, day terse.Day, of *ownerDay) error {
	h, err := head(a.rows, Dropped, all, day)
	if err != nil {
		return err
	}
	if h.Sum.Add(of.sum); of.sum.Clicks > 0 {
		h.Last = max(h.Last, day.Start()) // other links may have single clicks of the day
	}
	h.Sum = clickblock.Valid(h.Sum)
	// Where clicks of people become clicks of bots, no value may keep more than there are.
	shrinks := min(of.sum.People, of.sum.Clicks-of.sum.People, of.sum.Firsts) < 0
	for _, d := range clickblock.Stored {
		if len(of.values[d]) == 0 && !shrinks {
			continue
		}
		before, err := a.pieces(Dropped, all, columnOf(d), day)
		if err != nil {
			return err
		}
		beside, err := a.pieces(Days, all, columnOf(d), day)
		if err != nil {
			return err
		}
		pieces, err := clickblock.Adjust(d, h.Sum, before, beside, of.values[d])
		if err != nil {
			return fmt.Errorf("counts by %v: %w", d, err)
		}
		if err := a.rows.Delete(countsBetween(Dropped, all, columnOf(d), day, day)); err != nil {
			return err
		}
		if err := putPieces(a.Counter, Dropped, all, columnOf(d), day, pieces); err != nil {
			return err
		}
	}
	before, err := a.pieces(Dropped, all, linksColumn, day)
	if err != nil {
		return err
	}
	pieces, err := clickblock.AdjustLinks(before, of.links)
	if err != nil {
		return err
	}
	if err := a.rows.Delete(countsBetween(Dropped, all, linksColumn, day, day)); err != nil {
		return err
	}
	if err := putPieces(a.Counter, Dropped, all, linksColumn, day, pieces); err != nil {
		return err
	}
	if err := putHead(a.Counter, Dropped, all, day, h); err != nil {
		return err
	}
	return a.openMonth(all, terse.MonthOf(day))
}
