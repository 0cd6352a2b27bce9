package clickstore

import (
	"fmt"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// Clear forgets the clicks that were counted of a link. Those of its owner stay; they are of an
// earlier era of the link then.
func (c *Counter) Clear(link terse.LinkID) error {
	bucket, offset := BucketOf(link), offsetOf(link)
	if err := c.totals.read(c.rows, bucket); err != nil {
		return err
	}
	if err := c.clearVisitors(link); err != nil {
		return err
	}
	return c.forget(link, c.totals.eras[offset]+1)
}

// dropLink drops what is counted of a link that was deleted.
func (c *Counter) dropLink(link terse.LinkID) error {
	bucket, offset := BucketOf(link), offsetOf(link)
	if err := c.totals.read(c.rows, bucket); err != nil {
		return err
	}
	if c.totals.clicks[offset] == 0 && c.totals.eras[offset] == 0 {
		return nil
	}
	return c.forget(link, 0)
}

// forget forgets all clicks of a link, whose bucket's totals were read, and gives it another era.
func (c *Counter) forget(link terse.LinkID, era uint32) error {
	bucket, offset := BucketOf(link), offsetOf(link)
	t := &c.totals
	had := t.clicks[offset] > 0
	t.clicks[offset], t.people[offset], t.last[offset], t.eras[offset] = 0, 0, 0, era
	if err := c.putTotals(bucket); err != nil || !had {
		return err
	}
	if err := c.takeOut(Level0, RegionOf(link), offsetInRegion(link)); err != nil {
		return fmt.Errorf("region %d: %w", RegionOf(link), err)
	}
	if err := c.takeOut(Level1, bucket, uint16(offset)); err != nil {
		return fmt.Errorf("links from %d on: %w", linkAt(bucket, 0), err)
	}
	return c.deleteLink(link)
}

func (c *Counter) putTotals(bucket int64) error {
	c.row = c.totals.append(c.row[:0])
	return c.rows.Put(Totals, Key{A: bucket}, Span{}, c.row)
}

// deleteLink deletes all rows of a link's own.
func (c *Counter) deleteLink(link terse.LinkID) error {
	for _, t := range []Table{Level2, Days, Months, Dropped} {
		if err := c.rows.Delete(every(t, int64(link))); err != nil {
			return fmt.Errorf("link %d: %w", link, err)
		}
	}
	return nil
}

// takeOut takes the clicks of the link at an offset out of the runs of a region or bucket.
func (c *Counter) takeOut(t Table, a int64, offset uint16) error {
	clicks, err := c.take(every(t, a))
	if err != nil {
		return err
	}
	return c.add(t, a, slices.DeleteFunc(clicks, func(click clickblock.Click) bool {
		return click.Link == offset
	}))
}
