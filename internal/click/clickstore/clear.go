package clickstore

import (
	"fmt"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// Clear deletes the clicks of a link, and reports whether it had any. Its owner keeps them, as
// clicks of an earlier era.
func (c *Counter) Clear(link terse.LinkID) (had bool, err error) {
	if err := c.clearVisitors(link); err != nil {
		return false, err
	}
	if err := c.totals.read(c.rows, BucketOf(link)); err != nil {
		return false, err
	}
	i := offsetOf(link)
	had = c.totals.clicks[i] > 0
	return had, c.deleteClicks(link, c.totals.eras[i]+1)
}

// deleteLink deletes the clicks of a deleted link. Its owner keeps them.
func (c *Counter) deleteLink(link terse.LinkID) error {
	if err := c.totals.read(c.rows, BucketOf(link)); err != nil {
		return err
	}
	if i := offsetOf(link); c.totals.clicks[i] == 0 && c.totals.eras[i] == 0 {
		return nil
	}
	return c.deleteClicks(link, 0)
}

// deleteClicks deletes all clicks of a link and sets its era. c.totals must hold the totals of its
// bucket.
func (c *Counter) deleteClicks(link terse.LinkID, era uint32) error {
	t, i := &c.totals, offsetOf(link)
	had := t.clicks[i] > 0
	t.clicks[i], t.people[i], t.last[i], t.eras[i] = 0, 0, 0, era
	if err := c.putTotals(BucketOf(link)); err != nil || !had {
		return err
	}
	for _, level := range runsOf(link) {
		clicks, err := c.takeBlocks(level.Range, nil)
		if err != nil {
			return fmt.Errorf("delete clicks of link %d: %w", link, err)
		}
		others := slices.DeleteFunc(clicks, func(click clickblock.Click) bool {
			return int(click.Offset) == level.offset
		})
		if err := c.addRuns(level.Table, level.A, others); err != nil {
			return err
		}
	}
	for _, t := range []Table{Level2, Days, Months, Dropped} {
		if err := c.rows.Delete(every(t, int64(link))); err != nil {
			return fmt.Errorf("delete clicks of link %d: %w", link, err)
		}
	}
	return nil
}

func (c *Counter) putTotals(bucket int64) error {
	c.row = c.totals.append(c.row[:0])
	return c.rows.Put(Totals, Key{A: bucket}, Span{}, c.row)
}
