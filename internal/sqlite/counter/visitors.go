package counter

import (
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
	"terse/internal/visitors"
)

// sets are the visitors of days, as they are in the database.
type sets struct {
	cache visitors.Cache
	days  []terse.Day // whose hashes are kept
	// unsure is true from the first change of a transaction to its end.
	unsure bool
}

// Commit says that the transaction is committed, or taken back.
func (c *Counter) Commit(committed bool) {
	if c.sets.unsure && !committed {
		c.sets.cache.Clear()
	}
	if c.newOwner && !committed {
		clear(c.owners)
		clear(c.codes)
	}
	c.sets.unsure, c.newOwner = false, false
}

// visitorTable returns the table with the hashes of a day.
func visitorTable(day terse.Day) string { return visitorTables[day&1] }

// visitorTables have the hashes of even and of odd days.
var visitorTables = [2]string{"visitors_even", "visitors_odd"}

// maxChunks bounds the chunks of a bucket: 8 GB.
const maxChunks = 1 << 23

// chunkID returns the ID of a chunk of a bucket. Chunks with one number are neighbours: so a batch
// that is spread over many buckets writes fewer pages.
func chunkID(bucket int64, seq int) int64 { return int64(seq)<<40 | bucket }

// readDays reads the days whose hashes are kept.
func (c *Counter) readDays() error {
	c.sets.days = c.sets.days[:0]
	return query.Each(c.conn, "SELECT day FROM visitor_days WHERE kept",
		func(row *sqlite.Stmt) error {
			c.sets.days = append(c.sets.days, terse.Day(row.ColumnInt64(0)))
			return nil
		})
}

// openSets are the visitors of a bucket's links, by the parity of their day.
type openSets [2]struct {
	of  *visitors.Bucket // nil: not read yet
	day terse.Day
}

// first reports whether a click is the first of its visitor.
func (c *Counter) first(open *openSets, bucket int64, click *terse.NumberedClick) (bool, error) {
	if click.Visitor == 0 {
		return false, nil
	}
	day := terse.DayOf(click.Time)
	set := &open[day&1]
	if set.of == nil || set.day != day {
		// Of two days of one parity only one is kept.
		if !slices.Contains(c.sets.days, day) {
			return false, nil
		}
		of, err := c.readSets(visitors.ID{Day: day, Bucket: bucket})
		if err != nil {
			return false, fmt.Errorf("visitors of %v: %w", day, err)
		}
		set.of, set.day = of, day
	}
	return set.of.First(uint8(offsetOf(click.Link)), click.Visitor), nil
}

// readSets returns the visitors of a bucket's links.
func (c *Counter) readSets(id visitors.ID) (*visitors.Bucket, error) {
	c.sets.unsure = true
	if sets := c.sets.cache.Get(id); sets != nil {
		return sets, nil
	}
	sets := c.sets.cache.New()
	err := c.eachChunk(id, sets.Load)
	return sets, err
}

// eachChunk calls f for each chunk of a bucket's visitors. There may be tens of thousands of all
// buckets, so the statement is bound by hand.
func (c *Counter) eachChunk(id visitors.ID, f func(seq int, chunk []byte) error) error {
	row, err := c.conn.Prepare("SELECT chunk FROM " + visitorTable(id.Day) + " WHERE id = ?")
	if err != nil {
		return err
	}
	defer func() { _ = row.Reset() }()
	for seq := 0; ; seq++ {
		c.turn.Yield()
		row.BindInt64(1, chunkID(id.Bucket, seq))
		if found, err := row.Step(); err != nil || !found {
			return err
		}
		c.blob = query.Bytes(row, 0, c.blob)
		if err := f(seq, c.blob); err != nil {
			return err
		}
		if err := row.Reset(); err != nil {
			return err
		}
	}
}

// saveSets writes what has changed.
func (c *Counter) saveSets(open *openSets, bucket int64) error {
	for _, set := range open {
		if set.of == nil {
			continue
		}
		id := visitors.ID{Day: set.day, Bucket: bucket}
		if err := c.saveChunks(id, set.of); err != nil {
			return fmt.Errorf("visitors of %v: %w", set.day, err)
		}
		c.sets.cache.Keep(id, set.of)
	}
	c.sets.cache.Trim()
	return nil
}

func (c *Counter) saveChunks(id visitors.ID, sets *visitors.Bucket) error {
	return sets.Save(func(seq int, chunk []byte) error {
		if seq >= maxChunks {
			return fmt.Errorf("more than %d chunks", maxChunks)
		}
		return query.Run(c.conn, "INSERT INTO "+visitorTable(id.Day)+
			" (id, chunk) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET chunk = ?2",
			chunkID(id.Bucket, seq), chunk)
	})
}

// clearVisitors forgets the visitors of a link. SQLite overwrites them: what is left in a page that
// is no longer used would outlive the day.
func (c *Counter) clearVisitors(link terse.LinkID) error {
	if err := c.readDays(); err != nil {
		return err
	}
	return Securely(c.conn, func() error {
		for _, day := range c.sets.days {
			id := visitors.ID{Day: day, Bucket: bucketOf(link)}
			if err := c.clearVisitorsOf(id, link); err != nil {
				return fmt.Errorf("visitors of %v: %w", day, err)
			}
		}
		return nil
	})
}

func (c *Counter) clearVisitorsOf(id visitors.ID, link terse.LinkID) error {
	sets, err := c.readSets(id)
	if err != nil {
		return err
	}
	var log [][]byte
	if err := c.eachChunk(id, func(_ int, chunk []byte) error {
		log = append(log, slices.Clone(chunk))
		return nil
	}); err != nil || len(log) == 0 {
		return err
	}
	without, err := sets.Without(uint8(offsetOf(link)), log)
	if err != nil {
		return err
	}
	for seq := range log {
		if err := query.Run(c.conn, "DELETE FROM "+visitorTable(id.Day)+" WHERE id = ?",
			chunkID(id.Bucket, seq)); err != nil {
			return err
		}
	}
	if err := c.saveChunks(id, without); err != nil {
		return err
	}
	c.sets.cache.Keep(id, without)
	c.sets.cache.Trim()
	return nil
}

// Securely has SQLite overwrite with zeros what is deleted by f.
func Securely(conn *sqlite.Conn, f func() error) error {
	if err := query.Run(conn, "PRAGMA secure_delete = ON"); err != nil {
		return err
	}
	err := f()
	if off := query.Run(conn, "PRAGMA secure_delete = OFF"); err == nil {
		err = off
	}
	return err
}

// purgedAtOnce bounds the pages that are overwritten in one transaction.
const purgedAtOnce = 1000

// PurgeVisitors deletes hashes of days that are not kept any more, and reports whether there are
// more of them.
func (c *Counter) PurgeVisitors() (more bool, err error) {
	if err := c.readDays(); err != nil {
		return false, err
	}
	return more, Securely(c.conn, func() error {
		for parity, table := range visitorTables {
			if slices.ContainsFunc(c.sets.days,
				func(d terse.Day) bool { return int(d&1) == parity }) {
				continue
			}
			if more, err = c.purge(table); more || err != nil {
				return err
			}
		}
		c.sets.cache.WipeBut(c.sets.days)
		return nil
	})
}

func (c *Counter) purge(table string) (more bool, err error) {
	err = query.Run(c.conn, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM "+table+
		" LIMIT ?)", purgedAtOnce)
	if err != nil || c.conn.Changes() == purgedAtOnce {
		return true, err
	}
	return false, query.Run(c.conn, "DELETE FROM "+table) // and overwrites the root
}
