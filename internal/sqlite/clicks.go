package sqlite

import (
	"context"
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
)

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
		order, err := w.byGroup(batch.Clicks)
		if err != nil {
			return err
		}
		return w.addClicks(batch.Clicks, order)
	})
	return translate(ctx, err, "add %d clicks of journal %s", len(batch.Clicks), batch.Journal)
}

// byGroup returns the order of clicks by group, each as the group's ID and the click's place,
// packed into one number. They are sorted by radix: in a seventh of the time that it takes to
// compare them, and in steps between which others can be let go first.
func (w *writer) byGroup(clicks []terse.Click) ([]uint64, error) {
	if len(clicks) > maxBatch {
		return nil, fmt.Errorf("more than %d clicks in a batch", maxBatch)
	}
	order := room(w.order, len(clicks))[:0]
	largest := uint64(0)
	for i := range clicks {
		// An ID that does not fit is no link's: those are given out one by one.
		if link := uint64(clicks[i].Link); link < 1<<(64-maxBatchBits) {
			group := link >> groupBits
			order = append(order, group<<maxBatchBits|uint64(i))
			largest = max(largest, group)
		}
	}
	sorted := room(w.sorted, len(order))
	for shift := maxBatchBits; largest>>(shift-maxBatchBits) > 0; shift += radixBits {
		w.turn.Yield()
		sortByDigit(sorted, order, shift)
		order, sorted = sorted, order
	}
	w.order, w.sorted = order, sorted
	return order, nil
}

// room returns a slice of n elements, in the memory of s if that has room. What they hold does not
// matter, and is not copied: that would take milliseconds in one go.
func room[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, max(n, min(2*cap(s), maxBatch)))
}

// radixBits is the size of the digits that byGroup sorts by: their counts fit into the processor's
// nearest cache.
const radixBits = 11

// sortByDigit writes numbers to sorted in the order of the digit that begins at a bit; equal ones
// stay in their order.
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
	stmt, err := w.conn.Prepare(
		"INSERT INTO journal_positions (journal, position) VALUES (?1, ?2) ON CONFLICT (journal) " +
			"DO UPDATE SET position = ?2")
	if err != nil {
		return err
	}
	stmt.BindText(1, batch.Journal)
	stmt.BindInt64(2, batch.To)
	_, err = stmt.Step()
	return err
}

// maxAtOnce bounds the clicks of a group that are packed without letting others go first, in about
// a millisecond.
const maxAtOnce = 1 << 14

// addClicks counts clicks group by group, so that each page of the tables is visited once, and then
// those of all links together. What the packer made of a click serves for both.
func (w *writer) addClicks(clicks []terse.Click, order []uint64) error {
	if err := w.cleanGroups(); err != nil {
		return err
	}
	w.all = room(w.all, len(clicks))
	for part := range slices.Chunk(w.all, maxAtOnce) {
		w.turn.Yield()
		clear(part)
	}
	for len(order) > 0 {
		w.turn.Yield()
		group, n := order[0]>>maxBatchBits, sameGroup(order)
		if err := w.addToGroup(int64(group), clicks, order[:n]); err != nil {
			return fmt.Errorf("links from %d on: %w", group<<groupBits, err)
		}
		order = order[n:]
		if w.packer.Full() {
			if err := w.addToAll(); err != nil {
				return err
			}
		}
	}
	return w.addToAll()
}

// sameGroup returns how many clicks at the beginning of a batch's order are of the same group, and
// can be packed at once.
func sameGroup(order []uint64) int {
	n := 1
	for n < min(len(order), maxAtOnce) && order[n]>>maxBatchBits == order[0]>>maxBatchBits {
		n++
	}
	return n
}
