package postgres

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/yield"
)

// maxBatch bounds a batch, so that a transaction takes seconds at most.
const maxBatch = 1 << 20

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	return wrap(s.addClicks(ctx, batch), "add %d clicks of journal %s", len(batch.Clicks),
		batch.Journal)
}

func (s *Store) addClicks(ctx context.Context, batch terse.ClickBatch) error {
	if len(batch.Clicks) > maxBatch {
		return fmt.Errorf("more than %d clicks in a batch", maxBatch)
	}
	select {
	case c := <-s.counter:
		defer func() { s.counter <- c }()
		return c.addBatch(ctx, batch)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}

// JournalPosition returns the position that AddClicks last wrote for a journal.
func (s *Store) JournalPosition(ctx context.Context, journal string) (position int64, err error) {
	err = again(ctx, func() error {
		position, err = journalPosition(ctx, s.pool, journal)
		return err
	})
	return position, wrap(err, "read position of journal %s", journal)
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func journalPosition(ctx context.Context, in querier, journal string) (position int64, err error) {
	err = in.QueryRow(ctx, "SELECT position FROM journals WHERE journal = $1",
		journal).Scan(&position)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return position, err
}

// counter counts batches, one at a time. What it makes of one is memory for the next.
type counter struct {
	*Store
	packer *clickblock.Packer
	turn   yield.Yielder
	steps  int
	order  []placed // of a batch's clicks, link by link
	codes  []byte   // of the links, a zero byte behind each
	links  []clickedLink
	clicks []clickblock.Click
	all    []clickblock.Click // of the batch, at their places in it, for the journal's own row
	parts  []part
	packed []byte // blocks
	rows   linkRows
}

func newCounter(s *Store) *counter {
	return &counter{Store: s, packer: clickblock.NewPacker(), rows: newLinkRows()}
}

// placed is a click of a batch: its place there, and the first bytes of its code, which mostly
// decide how two links compare.
type placed struct {
	start uint64
	at    uint32
}

// clickedLink is a link that a batch has clicks of, in their order there.
type clickedLink struct {
	key
	clicks []placed
}

// key is what a link's rows have in common.
type key struct {
	code string
	id   int64
}

func (k key) compare(other key) int {
	return cmp.Or(strings.Compare(k.code, other.code), cmp.Compare(k.id, other.id))
}

// allLinks is the key of the rows in which all clicks of a journal are counted as if they were one
// link's. No link has such a code. Each journal has its own, so that nodes do not wait for each
// other.
func allLinks(journal string) key { return key{"*" + journal, 0} }

// addBatch counts a batch. When some of its links turn out to be gone, after their clicks were
// counted for all links, it is taken back and done without them.
func (c *counter) addBatch(ctx context.Context, batch terse.ClickBatch) error {
	c.byLink(batch.Clicks)
	for {
		var gone []key
		err := again(ctx, func() (err error) {
			gone, err = c.tryBatch(ctx, batch)
			return err
		})
		if err != nil || len(gone) == 0 {
			return err
		}
		c.links = slices.DeleteFunc(c.links, func(l clickedLink) bool {
			_, is := slices.BinarySearchFunc(gone, l.key, key.compare)
			return is
		})
	}
}

// Others are let go first after so many steps of some 50 ns, and when links are counted that have
// few clicks, after so many of those.
const (
	stepsAtOnce = 2048
	linksAtOnce = 64
)

func (c *counter) step() {
	if c.steps++; c.steps%stepsAtOnce == 0 {
		c.turn.Yield()
	}
}

// byLink finds the clicks of each link. The links are sorted: all nodes lock them in this order, so
// that two never wait for each other.
func (c *counter) byLink(clicks []terse.Click) {
	c.order, c.links, c.codes = c.order[:0], c.links[:0], c.codes[:0]
	var last terse.Code
	var start uint64
	for i := range clicks {
		c.step()
		if code := clicks[i].Code; i == 0 || code != last { // a hot link's clicks come in a row
			var first [terse.MaxCodeLength]byte
			code.AppendTo(first[:0])
			last, start = code, binary.BigEndian.Uint64(first[:])
		}
		c.order = append(c.order, placed{start, uint32(i)})
	}
	slices.SortFunc(c.order, func(a, b placed) int {
		c.step()
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return cmp.Compare(a.at, b.at)
	})
	for rest := c.order; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].start == rest[0].start {
			n++
		}
		c.addAlike(clicks, rest[:n:n])
		rest = rest[n:]
	}
	codes := string(c.codes) // all in one piece of memory
	for i := range c.links {
		c.step()
		c.links[i].code, codes, _ = strings.Cut(codes, "\x00")
	}
}

// addAlike adds the links of clicks whose codes start alike: mostly it is one.
func (c *counter) addAlike(clicks []terse.Click, alike []placed) {
	compare := func(a, b placed) int {
		c.step()
		x, y := &clicks[a.at], &clicks[b.at]
		return cmp.Or(compareCodes(x.Code, y.Code), cmp.Compare(x.Link, y.Link))
	}
	if slices.ContainsFunc(alike[1:], func(p placed) bool { return compare(alike[0], p) != 0 }) {
		slices.SortStableFunc(alike, compare)
	}
	for len(alike) > 0 {
		n := 1
		for n < len(alike) && compare(alike[0], alike[n]) == 0 {
			n++
		}
		first := &clicks[alike[0].at]
		c.links = append(c.links, clickedLink{key{id: int64(first.Link)}, alike[:n:n]})
		c.codes = append(first.Code.AppendTo(c.codes), 0)
		alike = alike[n:]
	}
}

// compareCodes compares two codes as the database does, byte by byte.
func compareCodes(a, b terse.Code) int {
	if a == b {
		return 0
	}
	var x, y [terse.MaxCodeLength]byte
	return bytes.Compare(a.AppendTo(x[:0]), b.AppendTo(y[:0]))
}

// tryBatch counts a batch in one transaction, unless links are gone: it returns those, sorted.
func (c *counter) tryBatch(ctx context.Context, batch terse.ClickBatch) (gone []key, err error) {
	if taken := c.foreign.Load(); taken != nil {
		return nil, *taken
	}
	tx, err := c.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil || len(gone) > 0 {
			_ = tx.Rollback(ctx) // what is left behind ends with the connection
		}
	}()
	if err := c.movePosition(ctx, tx, batch); err != nil {
		return nil, err
	}
	b := &addition{counter: c, ctx: ctx, tx: tx, journal: allLinks(batch.Journal)}
	for at := (mark{}); at.link < len(c.links); {
		if at, err = b.addSome(batch.Clicks, at); err != nil {
			return nil, err
		}
	}
	if len(b.gone) > 0 {
		slices.SortFunc(b.gone, key.compare)
		return b.gone, nil
	}
	return nil, tx.Commit(ctx)
}

func (c *counter) movePosition(ctx context.Context, tx pgx.Tx, batch terse.ClickBatch) error {
	if sql := c.dialect.settings; sql != "" {
		if _, err := tx.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	moved, err := tx.Exec(ctx,
		"UPDATE journals SET position = $3 WHERE journal = $1 AND position = $2", batch.Journal,
		batch.From, batch.To)
	if err != nil || moved.RowsAffected() > 0 {
		return err
	}
	if batch.From == 0 {
		made, err := tx.Exec(ctx,
			"INSERT INTO journals (journal, position) VALUES ($1, $2) ON CONFLICT DO NOTHING",
			batch.Journal, batch.To)
		if err != nil {
			return err
		}
		if made.RowsAffected() > 0 {
			k := allLinks(batch.Journal)
			_, err := tx.Exec(ctx, "INSERT INTO link_clicks (code, link_id) VALUES ($1, $2)",
				k.code, k.id)
			return err
		}
	}
	at, err := journalPosition(ctx, tx, batch.Journal)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: it is %d, the batch starts at %d", ErrPosition, at, batch.From)
}

// isCounted marks the clicks in counter.all, as their place in a group, which blocks of one link do
// not have.
const isCounted = 1

// maxAtOnce bounds the clicks of one link that are looked at before the packer's memory is.
const maxAtOnce = 1 << 12

// mark is how far a batch is counted: up to a click of a link.
type mark struct{ link, click int }

// addSome counts clicks of some links, as many as the packer has memory for, which are usually all,
// and returns how far it got. The journal's own rows come first: nobody else needs those, while
// links that other nodes have clicks of, too, are locked until the end.
func (b *addition) addSome(clicks []terse.Click, at mark) (mark, error) {
	c := b.counter
	c.parts, c.clicks, c.all = c.parts[:0], room(c.clicks, len(clicks))[:0],
		room(c.all, len(clicks))
	clear(c.all)
	for at.link < len(c.links) && !c.packer.Full() {
		if at.link%linksAtOnce == 0 {
			c.turn.Yield()
		}
		link, from := &c.links[at.link], len(c.clicks)
		for at.click < len(link.clicks) && !c.packer.Full() {
			some := link.clicks[at.click:]
			for _, of := range some[:min(len(some), maxAtOnce)] {
				c.clicks = c.packer.Add(c.clicks, &clicks[of.at], isCounted)
				c.all[of.at] = c.clicks[len(c.clicks)-1]
				at.click++
			}
			if len(some) > linksAtOnce {
				c.turn.Yield()
			}
		}
		c.parts = append(c.parts, part{
			key:    link.key,
			clicks: c.clicks[from:len(c.clicks):len(c.clicks)],
		})
		if at.click == len(link.clicks) {
			at = mark{link: at.link + 1}
		}
	}
	// In the order of the batch, which is nearly that of time.
	all := slices.DeleteFunc(c.all, func(c clickblock.Click) bool { return c.Link != isCounted })
	err := b.add([]part{{key: b.journal, clicks: all}})
	if err == nil {
		err = b.add(c.parts)
	}
	c.packer.Reset()
	return at, err
}

// room returns a slice of n elements, in the memory of s if that has room. What they hold does not
// matter, and is not copied.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
