package clickstore

import (
	"fmt"
	"slices"

	"terse"
	"terse/internal/click/visitors"
)

// VisitorTable returns the table with the hashes of a day's visitors. Even and odd days have
// separate tables, so that a table can be emptied as a whole when the day is over.
func VisitorTable(day terse.Day) Table { return VisitorsEven + Table(day&1) }

// openSets holds the visitors of a bucket's links on the two days that can be open, an even and an
// odd one.
type openSets [2]struct {
	of  *visitors.Bucket // nil: not read yet
	day terse.Day
}

// isFirst reports whether a click is its visitor's first on its link and day.
func (c *Counter) isFirst(open *openSets, bucket int64, click *terse.NumberedClick) (bool, error) {
	if click.Visitor == 0 {
		return false, nil
	}
	day := terse.DayOf(click.Time)
	set := &open[day&1]
	if set.of == nil || set.day != day {
		if !slices.Contains(c.days, day) { // it has at most one even and one odd day
			return false, nil
		}
		of, err := c.visitorsOf(visitors.ID{Day: day, Bucket: bucket})
		if err != nil {
			return false, fmt.Errorf("visitors of %v: %w", day, err)
		}
		set.of, set.day = of, day
	}
	return set.of.First(uint8(offsetOf(click.Link)), click.Visitor), nil
}

// visitorsOf returns the visitors of a bucket's links.
func (c *Counter) visitorsOf(id visitors.ID) (*visitors.Bucket, error) {
	if set := c.visitors.Get(id); set != nil {
		if whole, err := c.readOn(id, set); whole || err != nil {
			return set, err
		}
	}
	set := &visitors.Bucket{}
	_, err := c.readOn(id, set)
	return set, err
}

// readOn reads the chunks that other processes have written since a set was read. Their numbers
// only grow. If the chunk read last is gone, the log was rewritten, and the set is not whole.
func (c *Counter) readOn(id visitors.ID, set *visitors.Bucket) (whole bool, err error) {
	from := int64(0)
	if whole = !set.Saved(); !whole {
		from = int64(set.Seq())
	}
	err = c.rows.Scan(Range{VisitorTable(id.Day), id.Bucket, from, MaxNumber}, Always,
		func(b int64, _ Span, chunk []byte) error {
			if whole = whole || b == from; !whole {
				return nil
			}
			return set.Load(int(b), chunk)
		})
	return whole, err
}

// saveSets writes the changed sets.
func (c *Counter) saveSets(open *openSets, bucket int64) error {
	for _, set := range open {
		if set.of != nil {
			if err := c.saveSet(visitors.ID{Day: set.day, Bucket: bucket}, set.of); err != nil {
				return err
			}
		}
	}
	c.visitors.Trim()
	return nil
}

func (c *Counter) saveSet(id visitors.ID, set *visitors.Bucket) error {
	err := set.Save(func(number int, chunk []byte) error {
		key := Key{A: id.Bucket, B: int64(number)}
		return c.rows.Put(VisitorTable(id.Day), key, Span{}, chunk)
	})
	if err != nil {
		return fmt.Errorf("visitors of %v: %w", id.Day, err)
	}
	c.visitors.Keep(id, set)
	return nil
}

// clearVisitors deletes the visitors of a link by rewriting the log of its bucket without them.
func (c *Counter) clearVisitors(link terse.LinkID) error {
	for _, day := range c.days {
		id := visitors.ID{Day: day, Bucket: BucketOf(link)}
		log, others, next := every(VisitorTable(day), id.Bucket), &visitors.Bucket{}, 0
		err := c.rows.Scan(log, Always, func(b int64, _ Span, chunk []byte) error {
			next = int(b) + 1
			return others.Copy(chunk, uint8(offsetOf(link)))
		})
		if err != nil {
			return fmt.Errorf("visitors of %v: %w", day, err)
		}
		if next == 0 {
			continue // there are none
		}
		others.StartAt(next)
		if err := c.rows.Delete(log); err != nil {
			return err
		}
		if err := c.saveSet(id, others); err != nil {
			return err
		}
	}
	c.visitors.Trim()
	return nil
}

// WipeVisitors overwrites the hashes of visitors in memory, except those of the given days.
func (c *Counter) WipeVisitors(but []terse.Day) { c.visitors.WipeBut(but) }
