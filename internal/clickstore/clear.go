package clickstore

import (
	"fmt"

	"terse"
)

// Clear forgets the clicks that were counted of a link. Those of its owner stay; they are of an
// earlier era of the link then.
func (c *Counter) Clear(link terse.LinkID) error {
	if err := c.takeOut(Level0, RegionOf(link), offsetInRegion(link)); err != nil {
		return fmt.Errorf("region %d: %w", RegionOf(link), err)
	}
	bucket, offset := BucketOf(link), offsetOf(link)
	if err := c.takeOut(Level1, bucket, uint16(offset)); err != nil {
		return fmt.Errorf("links from %d on: %w", linkAt(bucket, 0), err)
	}
	if err := c.clearVisitors(link); err != nil {
		return err
	}
	t := &c.totals
	if err := t.read(c.rows, bucket); err != nil {
		return err
	}
	era := t.eras[offset]
	if err := c.deleteLink(link); err != nil {
		return err
	}
	t.clicks[offset], t.people[offset], t.last[offset], t.eras[offset] = 0, 0, 0, era+1
	return c.putTotals(bucket)
}

// dropLink drops what is counted of a link that was deleted. Its clicks in runs go when these are
// compacted.
func (c *Counter) dropLink(link terse.LinkID) error {
	bucket, offset := BucketOf(link), offsetOf(link)
	t := &c.totals
	if err := t.read(c.rows, bucket); err != nil {
		return err
	}
	if t.clicks[offset] == 0 && t.eras[offset] == 0 {
		return nil
	}
	t.clicks[offset], t.people[offset], t.last[offset], t.eras[offset] = 0, 0, 0, 0
	if err := c.putTotals(bucket); err != nil {
		return err
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
	clicks, err := c.takeRuns(t, a, nil)
	if err != nil {
		return err
	}
	rest := clicks[:0]
	for _, click := range clicks {
		if click.Link != offset {
			rest = append(rest, click)
		}
	}
	return c.putRuns(t, a, 0, rest)
}
