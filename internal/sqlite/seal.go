package sqlite

import (
	"fmt"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// minDayClicks is how many of the clicks to be sealed make a day worth its own rows.
const minDayClicks = 64

// maxQuietBlocks bounds the blocks of quiet clicks of a link, which every answer reads: when there
// are as many, all their clicks are sealed into days.
const maxQuietBlocks = 64

// maxDay is the last day that is counted on its own, in the year 2149: see linkDay.
const maxDay terse.Day = 1<<16 - 1

// linkDay is the key of click_days.
func linkDay(link terse.LinkID, day terse.Day) int64 { return int64(link)<<16 | int64(day) }

// quietDay marks blocks of quiet clicks.
const quietDay terse.Day = -1

// sealLink moves sorted clicks of a link into its days with many of them, and the rest into a quiet
// block.
func (w *writer) sealLink(link terse.LinkID, clicks []clickblock.Click) error {
	rest, err := w.sealDays(link, clicks, minDayClicks)
	if err != nil || len(rest) == 0 {
		return err
	}
	return w.sealQuiet(link, rest)
}

// sealDays seals the days with enough clicks, and returns the rest.
func (w *writer) sealDays(link terse.LinkID, clicks []clickblock.Click,
	enough int,
) (rest []clickblock.Click, err error) {
	rest = clicks[:0]
	for day, of := range clickblock.Days(clicks) {
		// No click is in earnest from before 1970, where quietDay is, or after maxDay.
		if len(of) < enough || day < 0 || day > maxDay {
			rest = append(rest, of...)
			continue
		}
		if err := w.sealDay(link, day, of); err != nil {
			return nil, fmt.Errorf("seal %v: %w", day, err)
		}
	}
	return rest, nil
}

// sealDay adds clicks of one day to its counts and blocks.
func (w *writer) sealDay(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	before, err := w.dayCounts(link, day)
	if err != nil {
		return err
	}
	counts, err := w.packer.Count(before, clicks)
	if err != nil {
		return err
	}
	stmt, err := w.conn.Prepare(
		"INSERT INTO click_days (link_day, counts) VALUES (?1, ?2) ON CONFLICT (link_day) DO " +
			"UPDATE SET counts = ?2")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, linkDay(link, day))
	stmt.BindBytes(2, counts)
	if _, err := stmt.Step(); err != nil {
		return err
	}
	return w.addBlocks(link, day, clicks)
}

func (w *writer) dayCounts(link terse.LinkID, day terse.Day) (counts []byte, err error) {
	stmt, err := w.conn.Prepare("SELECT counts FROM click_days WHERE link_day = ?")
	if err != nil {
		return nil, err
	}
	stmt.BindInt64(1, linkDay(link, day))
	err = eachRow(stmt, func() error {
		w.blob = column(stmt, 0, w.blob)
		counts = w.blob
		return nil
	})
	return counts, err
}

// addBlocks stores sorted clicks in new blocks of a day.
func (w *writer) addBlocks(link terse.LinkID, day terse.Day, clicks []clickblock.Click) error {
	seq, err := w.nextBlock(link, day)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(clicks, clickblock.MaxClicks) {
		w.turn.Yield()
		stmt, err := w.conn.Prepare(
			"INSERT INTO click_blocks (link_id, day, seq, first, last, clicks) VALUES (?, ?, ?, " +
				"?, ?, ?)")
		if err != nil {
			return err
		}
		stmt.BindInt64(1, int64(link))
		stmt.BindInt64(2, int64(day))
		stmt.BindInt64(3, seq)
		stmt.BindInt64(4, part[0].Time)
		stmt.BindInt64(5, part[len(part)-1].Time)
		stmt.BindBytes(6, w.packer.Pack(part))
		if _, err := stmt.Step(); err != nil {
			return err
		}
		seq++
	}
	return nil
}

func (w *writer) nextBlock(link terse.LinkID, day terse.Day) (seq int64, err error) {
	stmt, err := w.conn.Prepare(
		"SELECT seq + 1 FROM click_blocks WHERE link_id = ? AND day = ? ORDER BY seq DESC LIMIT 1")
	if err != nil {
		return 0, err
	}
	stmt.BindInt64(1, int64(link))
	stmt.BindInt64(2, int64(day))
	err = eachRow(stmt, func() error {
		seq = stmt.ColumnInt64(0)
		return nil
	})
	return seq, err
}

// sealQuiet puts clicks of many days into blocks that are in no day's counts. When there are too
// many such blocks, the clicks of all are sealed into their days.
func (w *writer) sealQuiet(link terse.LinkID, clicks []clickblock.Click) error {
	blocks, err := w.nextBlock(link, quietDay)
	if err != nil {
		return err
	}
	if blocks >= maxQuietBlocks {
		if clicks, err = w.takeQuiet(link, clicks); err != nil {
			return err
		}
		clickblock.Sort(clicks)
		if clicks, err = w.sealDays(link, clicks, 1); err != nil {
			return err
		}
	}
	return w.addBlocks(link, quietDay, clicks)
}

// takeQuiet moves all quiet clicks of a link out of their blocks.
func (w *writer) takeQuiet(link terse.LinkID,
	clicks []clickblock.Click,
) ([]clickblock.Click, error) {
	stmt, err := w.conn.Prepare(
		"DELETE FROM click_blocks WHERE link_id = ? AND day = ? RETURNING clicks")
	if err != nil {
		return nil, err
	}
	stmt.BindInt64(1, int64(link))
	stmt.BindInt64(2, int64(quietDay))
	err = eachRow(stmt, func() error {
		w.blob = column(stmt, 0, w.blob)
		clicks, err = w.packer.Unpack(clicks, w.blob)
		return err
	})
	return clicks, err
}
