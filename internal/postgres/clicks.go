package postgres

import (
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
	"terse/internal/polite"
)

// maxBatch bounds a batch, so that a transaction takes seconds at most.
const maxBatch = 1 << 20

// AddClicks counts a batch of at most 1,048,576 clicks.
func (s *Store) AddClicks(ctx context.Context, batch terse.ClickBatch) error {
	return wrap(s.addClicks(ctx, batch), "add %d clicks of journal %s", len(batch.Clicks), batch.Journal)
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

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func journalPosition(ctx context.Context, in querier, journal string) (position int64, err error) {
	err = in.QueryRow(ctx, "SELECT position FROM journals WHERE journal = $1", journal).Scan(&position)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return position, err
}

// counter counts batches, one at a time.
type counter struct {
	*Store
	packer *clickblock.Packer
	turn   polite.Turn
	links  []clickedLink
	codes  []byte   // theirs, a zero byte behind each
	order  []uint32 // the places of a batch's clicks, link by link
	clicks []clickblock.Click
	all    []clickblock.Click // of the batch, at their places in it, for the journal's own row
	packed []byte             // blocks
}

func newCounter(s *Store) *counter { return &counter{Store: s, packer: clickblock.NewPacker()} }

// clickedLink is a link that a batch has clicks of.
type clickedLink struct {
	key
	start uint64   // the code's first bytes, which mostly decide how two compare
	order []uint32 // the places of its clicks in the batch
}

func (l *clickedLink) compare(other *clickedLink) int {
	if l.start != other.start {
		return cmp.Compare(l.start, other.start)
	}
	return l.key.compare(other.key)
}

// key is what a link's rows have in common.
type key struct {
	code string
	id   int64
}

func (k key) compare(other key) int {
	return cmp.Or(strings.Compare(k.code, other.code), cmp.Compare(k.id, other.id))
}

// allLinks is the key of the rows in which all clicks of a journal are counted as if they were one link's. No link has such a code. Each
// journal has its own, so that nodes do not wait for each other.
func allLinks(journal string) key { return key{"*" + journal, 0} }

// addBatch counts a batch. When some of its links turn out to be gone, after their clicks were counted for all links, it is taken back
// and done without them.
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

// byLink finds the clicks of each link. The links are sorted: all nodes lock them in this order, so that two never wait for each other.
func (c *counter) byLink(clicks []terse.Click) {
	type linkCode struct {
		id   terse.LinkID
		code terse.Code
	}
	places := make(map[linkCode]uint32, len(c.links))
	of := make([]uint32, len(clicks))
	counts := make([]uint32, 0, len(c.links))
	c.links, c.codes = c.links[:0], c.codes[:0]
	var last linkCode
	var place uint32
	for i := range clicks {
		if i%clicksAtOnce == 0 {
			c.turn.Yield()
		}
		name := linkCode{clicks[i].Link, clicks[i].Code}
		if i == 0 || name != last { // a hot link's clicks come in a row
			var known bool
			if place, known = places[name]; !known {
				place = uint32(len(c.links))
				places[name] = place
				c.links = append(c.links, clickedLink{key: key{id: int64(name.id)}})
				c.codes = append(name.code.AppendTo(c.codes), 0)
				counts = append(counts, 0)
			}
			last = name
		}
		of[i] = place
		counts[place]++
	}
	if cap(c.order) < len(clicks) {
		c.order = make([]uint32, len(clicks)) // what it held need not be copied
	}
	c.order = c.order[:len(clicks)]
	at := uint32(0)
	codes := string(c.codes) // all in one piece of memory
	for i, n := range counts {
		if i%clicksAtOnce == 0 {
			c.turn.Yield()
		}
		l := &c.links[i]
		l.code, codes, _ = strings.Cut(codes, "\x00")
		var start [8]byte
		copy(start[:], l.code)
		l.start = binary.BigEndian.Uint64(start[:])
		l.order = c.order[at : at : at+n]
		at += n
	}
	for i, place := range of {
		if i%clicksAtOnce == 0 {
			c.turn.Yield()
		}
		c.links[place].order = append(c.links[place].order, uint32(i))
	}
	compared := 0
	slices.SortFunc(c.links, func(a, b clickedLink) int {
		if compared++; compared%clicksAtOnce == 0 {
			c.turn.Yield()
		}
		return a.compare(&b)
	})
}

// clicksAtOnce is how many clicks are looked at without letting others go first, in some 100 µs.
const clicksAtOnce = 1024

// tryBatch counts a batch in one transaction, unless links are gone: it returns those.
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
	for rest := slices.Clone(c.links); len(rest) > 0; {
		if rest, err = b.addSome(batch.Clicks, rest); err != nil {
			return nil, err
		}
	}
	if len(b.gone) > 0 {
		return b.gone, nil
	}
	return nil, tx.Commit(ctx)
}

// plannerSettings make the planner look links up one by one in the order in which they are given, whatever it knows of the tables: that is
// the order in which they are locked. They end with the transaction.
const plannerSettings = `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
	set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true), set_config('enable_sort', 'off', true),
	set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)`

func (c *counter) movePosition(ctx context.Context, tx pgx.Tx, batch terse.ClickBatch) error {
	if c.tuned {
		if _, err := tx.Exec(ctx, plannerSettings); err != nil {
			return err
		}
	}
	moved, err := tx.Exec(ctx, "UPDATE journals SET position = $3 WHERE journal = $1 AND position = $2", batch.Journal, batch.From, batch.To)
	if err != nil || moved.RowsAffected() > 0 {
		return err
	}
	if batch.From == 0 {
		made, err := tx.Exec(ctx, "INSERT INTO journals (journal, position) VALUES ($1, $2) ON CONFLICT DO NOTHING", batch.Journal, batch.To)
		if err != nil {
			return err
		}
		if made.RowsAffected() > 0 {
			k := allLinks(batch.Journal)
			_, err := tx.Exec(ctx, "INSERT INTO link_clicks (code, link_id) VALUES ($1, $2)", k.code, k.id)
			return err
		}
	}
	at, err := journalPosition(ctx, tx, batch.Journal)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: it is %d, the batch starts at %d", ErrPosition, at, batch.From)
}

// isCounted marks the clicks in counter.all, as their place in a group, which blocks of one link do not have.
const isCounted = 1

// maxAtOnce bounds the clicks of one link that are looked at before the packer's memory is.
const maxAtOnce = 1 << 12

// addSome counts clicks of some links, as many as the packer has memory for, which are usually all, and returns what is left. The journal's
// own rows come first: nobody else needs those, while links that other nodes have clicks of, too, are locked until the end.
func (b *addition) addSome(clicks []terse.Click, links []clickedLink) (rest []clickedLink, err error) {
	c := b.counter
	if cap(c.all) < len(clicks) {
		c.all = make([]clickblock.Click, len(clicks))
	}
	c.clicks, c.all = c.clicks[:0], c.all[:len(clicks)]
	clear(c.all)
	parts := make([]part, 0, len(links))
	for len(links) > 0 && !c.packer.Full() {
		c.turn.Yield()
		link := &links[0]
		p := part{key: link.key, from: len(c.clicks)}
		for len(link.order) > 0 && !c.packer.Full() {
			n := min(len(link.order), maxAtOnce)
			for _, i := range link.order[:n] {
				c.clicks = c.packer.Add(c.clicks, &clicks[i], isCounted)
				c.all[i] = c.clicks[len(c.clicks)-1]
			}
			link.order = link.order[n:]
			c.turn.Yield()
		}
		p.to = len(c.clicks)
		parts = append(parts, p)
		if len(link.order) == 0 {
			links = links[1:]
		}
	}
	// In the order of the batch, which is nearly that of time.
	all := slices.DeleteFunc(c.all, func(c clickblock.Click) bool { return c.Link != isCounted })
	err = b.add([]part{{key: b.journal, clicks: all}})
	for i := range parts {
		p := &parts[i]
		p.clicks = c.clicks[p.from:p.to:p.to]
	}
	if err == nil {
		err = b.add(parts)
	}
	c.packer.Reset()
	return links, err
}
