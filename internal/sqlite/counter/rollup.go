package counter

import (
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/sqlite/query"
)

// Bounds of a roll-up.
const (
	minRolledUp    = 256 // pending clicks of a link that are worth it
	minAggregated  = 256 // of them, those that make a day worth its own rows
	maxMixedBlocks = 64  // of a link, which every answer reads
)

// MaxDay is the last day that is counted on its own, in the year 2149: see LinkDay.
const MaxDay terse.Day = 1<<16 - 1

// MixedDay is the day of blocks of mixed clicks.
const MixedDay terse.Day = -1

// LinkDay is the key of click_days.
func LinkDay(link terse.LinkID, day terse.Day) int64 { return int64(link)<<16 | int64(day) }

// rollUp rolls up the clicks of the bucket's links with many pending ones, and drops those of links
// that are gone.
func (c *Counter) rollUp() error {
	b := &c.bucket
	enough := int64(minRolledUp)
	if b.blockBytes > 0 {
		total := int64(0)
		for _, n := range b.pending {
			total += n
		}
		// What is left must be well below the bound, also when referrers are long.
		enough = min(enough, 1+maxBlockBytes/2/BucketLinks*total/b.blockBytes)
	}
	if err := c.takeBucketBlocks(); err != nil {
		return err
	}
	c.turn.Yield()
	start, ends := 0, c.divideBucket(enough)
	for offset, end := range ends {
		if end == 0 {
			continue
		}
		c.turn.Yield()
		if err := c.rollUpLink(b.link(offset), c.rolledUp[start:end:end]); err != nil {
			return fmt.Errorf("roll up link %d: %w", b.link(offset), err)
		}
		b.pending[offset] = 0
		start = end
	}
	return nil
}

// divideBucket moves the recent clicks of links with enough of them to c.rolledUp, link by link,
// and returns where those of each end, 0 for other links. It drops those of links that are gone.
func (c *Counter) divideBucket(enough int64) (ends [BucketLinks]int) {
	b := &c.bucket
	clear(b.pending[:])
	for _, click := range b.recent {
		b.pending[click.Link]++
	}
	total := 0
	for offset, n := range b.pending {
		switch {
		case b.clicks[offset] == 0:
			b.pending[offset] = 0
		case n >= enough:
			ends[offset] = total // for now where they begin
			total += int(n)
		}
	}
	rolledUp, rest := slices.Grow(c.rolledUp[:0], total)[:total], b.recent[:0]
	for _, click := range b.recent {
		switch offset := int(click.Link); {
		case b.pending[offset] >= enough:
			rolledUp[ends[offset]] = click
			ends[offset]++
		case b.pending[offset] > 0:
			rest = append(rest, click)
		}
	}
	c.rolledUp, b.recent = rolledUp, rest
	return ends
}

// rollUpLink aggregates sorted clicks of a link on days with many of them. The rest becomes mixed.
// When there are too many mixed blocks, their clicks are all aggregated. Mixed clicks of a day that
// others are aggregated on go with them, so that those in blocks of a day were counted before the
// mixed ones.
func (c *Counter) rollUpLink(link terse.LinkID, clicks []clickblock.Click) error {
	mixed, err := c.mixedOnDays(link, clicks)
	if err != nil {
		return err
	}
	if mixed {
		if clicks, err = c.takeMixed(link, clicks); err != nil {
			return err
		}
	}
	rest, err := c.aggregateDays(link, clicks, minAggregated)
	if err != nil || len(rest) == 0 {
		return err
	}
	blocks, err := c.nextBlock(link, MixedDay)
	if err != nil {
		return err
	}
	if blocks >= maxMixedBlocks {
		if rest, err = c.takeMixed(link, rest); err != nil {
			return err
		}
		if rest, err = c.aggregateDays(link, rest, 1); err != nil {
			return err
		}
	}
	return c.addBlocks(link, MixedDay, rest)
}

// aggregateDays aggregates clicks on days with enough of them, and returns the rest.
func (c *Counter) aggregateDays(link terse.LinkID, clicks []clickblock.Click, enough int) (
	rest []clickblock.Click, err error,
) {
	rest = clicks[:0]
	for day, some := range clickblock.Days(clicks) {
		// No click is in earnest from before 1970, where MixedDay is, or after MaxDay.
		if len(some) < enough || day < 0 || day > MaxDay {
			rest = append(rest, some...)
			continue
		}
		if err := c.aggregateDay(link, day, some); err != nil {
			return nil, fmt.Errorf("aggregate %v: %w", day, err)
		}
	}
	return rest, nil
}

// aggregateDay adds clicks of one day to its counts and blocks.
func (c *Counter) aggregateDay(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	var before []byte
	err := query.Each(c.conn, "SELECT counts FROM click_days WHERE link_day = ?",
		func(row *sqlite.Stmt) error {
			c.blob = query.Bytes(row, 0, c.blob)
			before = c.blob
			return nil
		}, LinkDay(link, day))
	if err == nil && before == nil {
		err = c.sumMonths(link, day)
	}
	if err != nil {
		return err
	}
	counts, err := c.packer.Count(before, clicks)
	if err != nil {
		return err
	}
	if err := query.Run(c.conn,
		`INSERT INTO click_days (link_day, counts) VALUES (?1, ?2)
			ON CONFLICT (link_day) DO UPDATE SET counts = ?2`,
		LinkDay(link, day), counts); err != nil {
		return err
	}
	if err := c.dayChanged(link, day); err != nil {
		return err
	}
	return c.addBlocks(link, day, clicks)
}

// addBlocks stores sorted clicks in new blocks of a day.
func (c *Counter) addBlocks(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	seq, err := c.nextBlock(link, day)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		c.turn.Yield()
		if err := query.Run(c.conn,
			`INSERT INTO click_blocks (link_id, day, seq, first, last, clicks)
				VALUES (?, ?, ?, ?, ?, ?)`,
			link, day, seq, part[0].Time, part[len(part)-1].Time, c.packer.Pack(part)); err != nil {
			return err
		}
		seq++
	}
	return nil
}

// nextBlock returns the seq of a day's next block.
func (c *Counter) nextBlock(link terse.LinkID, day terse.Day) (seq int64, err error) {
	return query.Int(c.conn,
		"SELECT coalesce(max(seq) + 1, 0) FROM click_blocks WHERE link_id = ? AND day = ?",
		link, day)
}

// mixedOnDays reports whether mixed clicks may be of days that clicks are aggregated on.
func (c *Counter) mixedOnDays(link terse.LinkID, clicks []clickblock.Click) (bool, error) {
	first, last := terse.Day(-1), terse.Day(-1)
	for day, some := range clickblock.Days(clicks) {
		if len(some) < minAggregated || day < 0 || day > MaxDay {
			continue
		}
		if last = day; first < 0 {
			first = day
		}
	}
	if first < 0 {
		return false, nil
	}
	n, err := query.Int(c.conn, `SELECT count(*) FROM click_blocks
		WHERE link_id = ? AND day = ? AND last >= ? AND first < ?`,
		link, MixedDay, first.Start(), (last + 1).Start())
	return n > 0, err
}

// takeMixed moves all mixed clicks of a link out of their blocks, and returns them with others that
// were counted later. They are sorted.
func (c *Counter) takeMixed(link terse.LinkID, clicks []clickblock.Click) (
	[]clickblock.Click, error,
) {
	var all []clickblock.Click
	err := query.Each(c.conn,
		"SELECT clicks FROM click_blocks WHERE link_id = ? AND day = ? ORDER BY seq",
		func(row *sqlite.Stmt) (err error) {
			c.turn.Yield()
			c.blob = query.Bytes(row, 0, c.blob)
			all, err = c.packer.Unpack(all, c.blob)
			return err
		}, link, MixedDay)
	if err == nil {
		err = query.Run(c.conn, "DELETE FROM click_blocks WHERE link_id = ? AND day = ?", link,
			MixedDay)
	}
	all = append(all, clicks...)
	clickblock.Sort(all)
	return all, err
}
