package counter

import (
	"errors"
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
	"terse/internal/sqlite/query"
)

// DropPlace is how far a pass that drops clicks has come. The zero DropPlace is its beginning.
type DropPlace struct {
	stage  dropStage
	region int64
	link   terse.LinkID // of the next blocks
	day    terse.Day
	bucket int64
}

// dropStage is what a pass goes through: new clicks, which become pending when there are old ones
// among them, then blocks, then pending clicks.
type dropStage int

const (
	inRegions dropStage = iota
	inBlocks
	inBuckets
)

// droppedAtOnce bounds the regions, days of links, or buckets that one Drop looks into, and
// passedAtOnce those that it only passes by.
const (
	droppedAtOnce = 64
	passedAtOnce  = 1024
)

// Drop forgets single clicks before a time, of which their counts by UTC day stay. It does a part
// of the work, from a place on, and returns where to go on. done is set at the end.
func (c *Counter) Drop(place DropPlace, before int64) (next DropPlace, done bool, err error) {
	c.packer.Reset()
	switch place.stage {
	case inRegions:
		next, err = c.divideOld(place, before)
		return next, false, err
	case inBuckets:
		return c.dropPending(place, before)
	}
	for range droppedAtOnce {
		c.turn.Yield()
		found, err := c.nextDropped(&place, before)
		if err != nil {
			return place, false, err
		}
		if !found {
			return DropPlace{stage: inBuckets, bucket: bucketOf(firstAll)}, false, nil
		}
		if err := c.dropDay(place.link, place.day, before); err != nil {
			return place, false, fmt.Errorf("drop %v of link %d: %w", place.day, place.link, err)
		}
		place.day++
	}
	return place, false, nil
}

// divideOld divides some regions that have new clicks from before a time.
func (c *Counter) divideOld(place DropPlace, before int64) (DropPlace, error) {
	var some []int64
	seen := 0
	err := query.Each(c.conn,
		"SELECT id >> 8, first < ?2 FROM new_clicks WHERE id >= ?1 << 8 ORDER BY id",
		func(row *sqlite.Stmt) error {
			if region := row.ColumnInt64(0); region != place.region {
				place.region = region
				if len(some) == droppedAtOnce || seen == passedAtOnce {
					return errEnough
				}
				seen++
			}
			if row.ColumnInt64(1) > 0 && !slices.Contains(some, place.region) {
				some = append(some, place.region)
			}
			return nil
		}, place.region, before)
	if err != nil && !errors.Is(err, errEnough) {
		return place, err
	}
	if err == nil {
		place = DropPlace{stage: inBlocks, link: firstAll, day: MixedDay}
	}
	for _, region := range some {
		c.turn.Yield()
		if err := c.divide(region, nil); err != nil {
			return place, err
		}
	}
	return place, nil
}

// nextDropped finds the next day of a link with clicks before a time.
func (c *Counter) nextDropped(place *DropPlace, before int64) (found bool, err error) {
	err = query.Each(c.conn, `SELECT link_id, day FROM click_blocks
		WHERE (link_id, day) >= (?, ?) AND first < ? ORDER BY link_id, day LIMIT 1`,
		func(row *sqlite.Stmt) error {
			found = true
			place.link, place.day = terse.LinkID(row.ColumnInt64(0)), terse.Day(row.ColumnInt64(1))
			return nil
		}, place.link, place.day, before)
	return found, err
}

// dropDay drops clicks of a link on a day, or mixed ones.
func (c *Counter) dropDay(link terse.LinkID, day terse.Day, before int64) error {
	if day != MixedDay && (day+1).Start() <= before {
		moved, err := c.moveCounts(link, day)
		if moved || err != nil {
			return err
		}
	}
	if err := c.dropBlocks(link, day, before); err != nil || day == MixedDay {
		return err
	}
	return c.recount(link, day)
}

// moveCounts drops a whole day by its counts, if it is the first that is dropped of the day.
func (c *Counter) moveCounts(link terse.LinkID, day terse.Day) (moved bool, err error) {
	before, err := query.Int(c.conn, "SELECT count(*) FROM dropped_days WHERE link_day = ?",
		LinkDay(link, day))
	if before > 0 || err != nil {
		return false, err
	}
	links, err := c.linksOn(link, day)
	if err != nil {
		return false, err
	}
	err = query.Run(c.conn, `INSERT INTO dropped_days (link_day, last, counts, links)
		SELECT link_day, (SELECT max(last) FROM click_blocks WHERE link_id = ?1 AND day = ?2),
			counts, ?3
		FROM click_days WHERE link_day = ?1 * 65536 + ?2`, link, day, links)
	if err != nil {
		return false, err
	}
	for _, sql := range []string{
		"DELETE FROM click_days WHERE link_day = ?1 * 65536 + ?2",
		"DELETE FROM click_blocks WHERE link_id = ?1 AND day = ?2",
	} {
		if err := query.Run(c.conn, sql, link, day); err != nil {
			return false, err
		}
	}
	return true, c.dayChanged(link, day)
}

// linksOn returns the clicks of a day by link, where they are those of all links of an owner.
func (c *Counter) linksOn(link terse.LinkID, day terse.Day) ([]byte, error) {
	if !IsAll(link) {
		return nil, nil
	}
	tally := clickread.NewLinkTally(terse.AllTime)
	err := query.Each(c.conn, "SELECT clicks FROM click_blocks WHERE link_id = ? AND day = ?",
		func(row *sqlite.Stmt) error {
			c.turn.Yield()
			c.blob = query.Bytes(row, 0, c.blob)
			return tally.AddBlock(c.blob)
		}, link, day)
	return tally.Links.Pack(), err
}

// dropBlocks drops the clicks before a time from blocks, one by one: a day may have millions.
func (c *Counter) dropBlocks(link terse.LinkID, day terse.Day, before int64) error {
	for seq := int64(-1); ; {
		found := false
		clicks := c.unpacked[:0]
		err := query.Each(c.conn, `SELECT seq, clicks FROM click_blocks
			WHERE link_id = ? AND day = ? AND seq > ? AND first < ? ORDER BY seq LIMIT 1`,
			func(row *sqlite.Stmt) (err error) {
				found, seq = true, row.ColumnInt64(0)
				c.blob = query.Bytes(row, 1, c.blob)
				clicks, err = c.packer.Unpack(clicks, c.blob)
				return err
			}, link, day, seq, before)
		c.unpacked = clicks
		if err != nil || !found {
			return err
		}
		c.turn.Yield()
		old := clickblock.Before(clicks, before)
		if err := c.dropClicks(link, clicks[:old]); err != nil {
			return err
		}
		if err := c.rewriteBlock(link, day, seq, clicks[old:]); err != nil {
			return err
		}
	}
}

func (c *Counter) rewriteBlock(link terse.LinkID, day terse.Day, seq int64,
	clicks []clickblock.Click,
) error {
	if len(clicks) == 0 {
		return query.Run(c.conn,
			"DELETE FROM click_blocks WHERE link_id = ? AND day = ? AND seq = ?", link, day, seq)
	}
	return query.Run(c.conn, `UPDATE click_blocks SET first = ?4, clicks = ?5
		WHERE link_id = ?1 AND day = ?2 AND seq = ?3`, link, day, seq, clicks[0].Time,
		c.packer.Pack(clicks))
}

// dropClicks adds sorted clicks of a link to the counts of those that were dropped.
func (c *Counter) dropClicks(link terse.LinkID, clicks []clickblock.Click) error {
	for day, some := range clickblock.Days(clicks) {
		day = min(max(day, 0), MaxDay) // no click is in earnest from outside of these
		dropped := clickread.Dropped{Last: some[0].Time}
		err := query.Each(c.conn, "SELECT last, counts, links FROM dropped_days WHERE link_day = ?",
			func(row *sqlite.Stmt) error {
				c.blob = query.Bytes(row, 1, c.blob)
				dropped = clickread.Dropped{
					Last: row.ColumnInt64(0), Counts: c.blob, Links: query.Bytes(row, 2, nil),
				}
				return nil
			}, LinkDay(link, day))
		if err == nil {
			err = dropped.Add(c.packer, some, IsAll(link), c.turn.Yield)
		}
		if err != nil {
			return err
		}
		if err := query.Run(c.conn, `INSERT INTO dropped_days (link_day, last, counts, links)
			VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (link_day) DO UPDATE SET last = ?2, counts = ?3, links = ?4`,
			LinkDay(link, day), dropped.Last, dropped.Counts, dropped.Links); err != nil {
			return err
		}
	}
	return nil
}

// recount counts what a day has left.
func (c *Counter) recount(link terse.LinkID, day terse.Day) error {
	var counts []byte
	err := query.Each(c.conn, "SELECT clicks FROM click_blocks WHERE link_id = ? AND day = ?",
		func(row *sqlite.Stmt) (err error) {
			c.turn.Yield()
			c.blob = query.Bytes(row, 0, c.blob)
			if c.unpacked, err = c.packer.Unpack(c.unpacked[:0], c.blob); err != nil {
				return err
			}
			sum, err := c.packer.Count(counts, c.unpacked)
			counts = slices.Clone(sum)
			return err
		}, link, day)
	if err == nil {
		err = c.dayChanged(link, day)
	}
	switch {
	case err != nil:
		return err
	case counts == nil:
		return query.Run(c.conn, "DELETE FROM click_days WHERE link_day = ?", LinkDay(link, day))
	}
	return query.Run(c.conn, "UPDATE click_days SET counts = ?2 WHERE link_day = ?1",
		LinkDay(link, day), counts)
}

// errEnough ends a query.
var errEnough = errors.New("enough")

// dropPending drops pending clicks of some buckets.
func (c *Counter) dropPending(place DropPlace, before int64) (DropPlace, bool, error) {
	var some []int64
	seen := 0
	err := query.Each(c.conn, `SELECT id, recent, EXISTS (SELECT 1 FROM bucket_blocks AS b
			WHERE b.id BETWEEN click_buckets.id << 16 AND click_buckets.id << 16 | 65535
				AND b.first < ?2)
		FROM click_buckets WHERE id >= ?1 ORDER BY id`,
		func(row *sqlite.Stmt) error {
			place.bucket = row.ColumnInt64(0)
			if len(some) == droppedAtOnce || seen == passedAtOnce {
				return errEnough
			}
			seen++
			c.blob = query.Bytes(row, 1, c.blob)
			if row.ColumnInt64(2) > 0 || clickblock.BeginsBefore(c.blob, before) {
				some = append(some, place.bucket)
			}
			return nil
		}, place.bucket, before)
	done := err == nil
	if err != nil && !errors.Is(err, errEnough) {
		return place, false, err
	}
	for _, id := range some {
		c.turn.Yield()
		if err := c.dropOfBucket(id, before); err != nil {
			return place, false, fmt.Errorf("drop pending clicks of links from %d on: %w",
				id<<bucketBits, err)
		}
	}
	return place, done, nil
}

func (c *Counter) dropOfBucket(id, before int64) error {
	if err := c.readBucket(id); err != nil {
		return err
	}
	b := &c.bucket
	if err := c.takeBucketBlocks(); err != nil {
		return err
	}
	old := clickblock.Before(b.recent, before)
	dropped := append(c.rolledUp[:0], b.recent[:old]...)
	c.rolledUp = dropped
	b.recent = slices.Delete(b.recent, 0, old)
	for i := range dropped {
		b.pending[dropped[i].Link] = max(0, b.pending[dropped[i].Link]-1)
	}
	if err := c.dropOfLinks(dropped); err != nil {
		return err
	}
	return c.storePending()
}

// dropOfLinks adds clicks of the bucket's links, sorted by time, to the counts of those that were
// dropped.
func (c *Counter) dropOfLinks(clicks []clickblock.Click) error {
	b := &c.bucket
	slices.SortStableFunc(clicks, func(x, y clickblock.Click) int {
		return int(x.Link) - int(y.Link)
	})
	for len(clicks) > 0 {
		offset, n := clicks[0].Link, 1
		for n < len(clicks) && clicks[n].Link == offset {
			n++
		}
		if b.clicks[offset] > 0 { // the link is there
			if err := c.dropClicks(b.link(int(offset)), clicks[:n]); err != nil {
				return err
			}
		}
		clicks = clicks[n:]
	}
	return nil
}

// addUntracked counts the untracked clicks of the bucket's links.
func (c *Counter) addUntracked() error {
	clickblock.Sort(c.untracked)
	err := c.dropOfLinks(c.untracked)
	c.untracked = c.untracked[:0]
	return err
}
