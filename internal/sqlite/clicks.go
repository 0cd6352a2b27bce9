package sqlite

import (
	"context"
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
)

// Bounds of the block of recent clicks in a link's row. A link's row is written with each batch that has
// clicks of it, so it must stay small; and the fewer clicks are sealed at once, the more often a day's
// counts are written.
const (
	maxRecentClicks = 512
	maxRecentBytes  = 8 << 10
)

// minDayClicks is how many of the clicks to be sealed make a day worth its own rows.
const minDayClicks = 64

// maxQuietBlocks bounds the blocks of quiet clicks of a link, which every answer reads: when there are as
// many, all their clicks are sealed into days.
const maxQuietBlocks = 64

// maxDay is the last day that is counted on its own, in the year 2149: see linkDay.
const maxDay terse.Day = 1<<16 - 1

// linkDay is the key of click_days.
func linkDay(link terse.LinkID, day terse.Day) int64 { return int64(link)<<16 | int64(day) }

// quietDay marks blocks of quiet clicks.
const quietDay terse.Day = -1

// maxBatch bounds a batch, so that a transaction takes seconds at most.
const (
	maxBatchBits = 20
	maxBatch     = 1 << maxBatchBits
)

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	err := s.writeAlone(ctx, func(w *writer) error {
		if err := w.movePosition(batch); err != nil {
			return err
		}
		order, err := w.byLink(batch.Clicks)
		if err != nil {
			return err
		}
		return w.addClicks(batch.Clicks, order)
	})
	return translate(ctx, err, "add %d clicks of journal %s", len(batch.Clicks), batch.Journal)
}

// byLink returns the order of clicks by link, each as its link's ID and its place, packed into one number. They
// are sorted by radix: in a seventh of the time that it takes to compare them, and in steps between which others can be
// let go first.
func (w *writer) byLink(clicks []terse.Click) ([]uint64, error) {
	if len(clicks) > maxBatch {
		return nil, fmt.Errorf("more than %d clicks in a batch", maxBatch)
	}
	order := slices.Grow(w.order[:0], len(clicks))
	largest := uint64(0)
	for i := range clicks {
		// An ID that does not fit is no link's: those are given out one by one.
		if link := uint64(clicks[i].Link); link < 1<<(64-maxBatchBits) {
			order = append(order, link<<maxBatchBits|uint64(i))
			largest = max(largest, link)
		}
	}
	sorted := slices.Grow(w.sorted[:0], len(order))[:len(order)]
	for shift := maxBatchBits; largest>>(shift-maxBatchBits) > 0; shift += radixBits {
		w.turn.Yield()
		sortByDigit(sorted, order, shift)
		order, sorted = sorted, order
	}
	w.order, w.sorted = order, sorted
	return order, nil
}

// radixBits is the size of the digits that byLink sorts by: their counts fit into the processor's nearest cache.
const radixBits = 11

// sortByDigit writes numbers to sorted in the order of the digit that begins at a bit; equal ones stay in their order.
func sortByDigit(sorted, numbers []uint64, shift int) {
	var next [1 << radixBits]int
	for _, n := range numbers {
		next[n>>shift%(1<<radixBits)]++
	}
	sum := 0
	for digit, n := range next {
		next[digit] = sum
		sum += n
	}
	for _, n := range numbers {
		at := &next[n>>shift%(1<<radixBits)]
		sorted[*at] = n
		*at++
	}
}

// JournalPosition returns the position that AddClicks last wrote for a journal.
func (s *Store) JournalPosition(ctx context.Context, journal string) (position int64, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		position, err = journalPosition(conn, journal)
		return err
	})
	return position, translate(ctx, err, "read position of journal %s", journal)
}

func journalPosition(conn *sqlite.Conn, journal string) (position int64, err error) {
	stmt, err := conn.Prepare("SELECT position FROM journal_positions WHERE journal = ?")
	if err != nil {
		return 0, err
	}
	stmt.BindText(1, journal)
	err = eachRow(stmt, func() error {
		position = stmt.ColumnInt64(0)
		return nil
	})
	return position, err
}

func (w *writer) movePosition(batch terse.ClickBatch) error {
	at, err := journalPosition(w.conn, batch.Journal)
	if err != nil {
		return err
	}
	if at != batch.From {
		return fmt.Errorf("%w: it is %d, the batch starts at %d", ErrPosition, at, batch.From)
	}
	stmt, err := w.conn.Prepare("INSERT INTO journal_positions (journal, position) VALUES (?1, ?2) ON CONFLICT (journal) DO UPDATE SET position = ?2")
	if err != nil {
		return err
	}
	stmt.BindText(1, batch.Journal)
	stmt.BindInt64(2, batch.To)
	_, err = stmt.Step()
	return err
}

// maxAtOnce bounds the clicks of one link that are packed without letting others go first; with the recent ones they
// make one block.
const maxAtOnce = clickblock.MaxClicks - maxRecentClicks

// addClicks counts clicks link by link, so that each page of the tables is visited once.
func (w *writer) addClicks(clicks []terse.Click, order []uint64) error {
	for len(order) > 0 {
		w.turn.Yield()
		link, n := order[0]>>maxBatchBits, 1
		for n < min(len(order), maxAtOnce) && order[n]>>maxBatchBits == link {
			n++
		}
		if err := w.addLinkClicks(clicks, order[:n]); err != nil {
			return fmt.Errorf("link %d: %w", link, err)
		}
		order = order[n:]
	}
	return nil
}

// addLinkClicks counts the clicks of one link.
func (w *writer) addLinkClicks(clicks []terse.Click, order []uint64) error {
	first := &clicks[order[0]%maxBatch]
	w.packer.Reset()
	total, exists, err := w.unpackRecent(first.Link)
	if err != nil {
		return err
	}
	if !exists {
		exists, err := w.linkExists(first)
		if err != nil || !exists {
			return err
		}
	}
	for _, i := range order {
		w.packer.Add(&clicks[i%maxBatch])
	}
	recent, err := w.packRecent(first.Link)
	if err != nil {
		return err
	}
	return w.storeRecent(first.Link, total+int64(len(order)), recent)
}

// unpackRecent starts the packer with a link's recent clicks. A link without a row had no clicks yet,
// or is gone.
func (w *writer) unpackRecent(link terse.LinkID) (total int64, exists bool, err error) {
	stmt, err := w.conn.Prepare("SELECT clicks, recent FROM link_clicks WHERE link_id = ?")
	if err != nil {
		return 0, false, err
	}
	stmt.BindInt64(1, int64(link))
	err = eachRow(stmt, func() error {
		total, exists = stmt.ColumnInt64(0), true
		if w.blob = column(stmt, 1, w.blob); len(w.blob) == 0 {
			return nil
		}
		return w.packer.Unpack(w.blob)
	})
	return total, exists, err
}

func (w *writer) linkExists(c *terse.Click) (exists bool, err error) {
	stmt, err := w.conn.Prepare("SELECT 1 FROM links WHERE id = ? AND code = ?")
	if err != nil {
		return false, err
	}
	stmt.BindInt64(1, int64(c.Link))
	stmt.BindText(2, c.Code.String())
	err = eachRow(stmt, func() error {
		exists = true
		return nil
	})
	return exists, err
}

func (w *writer) storeRecent(link terse.LinkID, total int64, recent []byte) error {
	stmt, err := w.conn.Prepare("INSERT INTO link_clicks (link_id, clicks, recent) VALUES (?1, ?2, ?3) ON CONFLICT (link_id) DO UPDATE SET clicks = ?2, recent = ?3")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(link))
	stmt.BindInt64(2, total)
	stmt.BindBytes(3, recent)
	_, err = stmt.Step()
	return err
}

// packRecent returns the packer's clicks as the link's recent block, when they are too many after sealing
// most of them.
func (w *writer) packRecent(link terse.LinkID) ([]byte, error) {
	clicks := w.packer.Clicks()
	if len(clicks) <= maxRecentClicks {
		if recent := w.packer.Pack(clicks); len(recent) <= maxRecentBytes {
			return recent, nil
		}
	}
	clicks, err := w.sealDays(link, clicks, minDayClicks)
	if err != nil || len(clicks) == 0 {
		return nil, err
	}
	if len(clicks) <= maxRecentClicks/2 {
		if recent := w.packer.Pack(clicks); len(recent) <= maxRecentBytes/2 {
			return recent, nil
		}
	}
	return nil, w.sealQuiet(link, clicks)
}

// sealDays seals the days with enough clicks, and returns the rest.
func (w *writer) sealDays(link terse.LinkID, clicks []clickblock.Click, enough int) (rest []clickblock.Click, err error) {
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
	stmt, err := w.conn.Prepare("INSERT INTO click_days (link_day, counts) VALUES (?1, ?2) ON CONFLICT (link_day) DO UPDATE SET counts = ?2")
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
		stmt, err := w.conn.Prepare("INSERT INTO click_blocks (link_id, day, seq, first, last, clicks) VALUES (?, ?, ?, ?, ?, ?)")
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
	stmt, err := w.conn.Prepare("SELECT seq + 1 FROM click_blocks WHERE link_id = ? AND day = ? ORDER BY seq DESC LIMIT 1")
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

// sealQuiet puts clicks of many days into blocks that are in no day's counts. When there are too many such
// blocks, the clicks of all are sealed into their days.
func (w *writer) sealQuiet(link terse.LinkID, clicks []clickblock.Click) error {
	blocks, err := w.nextBlock(link, quietDay)
	if err != nil {
		return err
	}
	if blocks >= maxQuietBlocks {
		w.packer.Keep(clicks)
		if err := w.takeQuiet(link); err != nil {
			return err
		}
		if clicks, err = w.sealDays(link, w.packer.Clicks(), 1); err != nil {
			return err
		}
	}
	return w.addBlocks(link, quietDay, clicks)
}

// takeQuiet moves all quiet clicks of a link into the packer.
func (w *writer) takeQuiet(link terse.LinkID) error {
	stmt, err := w.conn.Prepare("DELETE FROM click_blocks WHERE link_id = ? AND day = ? RETURNING clicks")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(link))
	stmt.BindInt64(2, int64(quietDay))
	return eachRow(stmt, func() error {
		w.blob = column(stmt, 0, w.blob)
		return w.packer.Unpack(w.blob)
	})
}
