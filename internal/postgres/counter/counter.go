package counter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/postgres/dialect"
	"terse/internal/postgres/ranges"
	"terse/internal/yield"
)

// MaxClicks bounds a batch, so that a transaction takes seconds at most.
const MaxClicks = 1 << 20

// ErrStale says that links of a batch, whose clicks were counted for all links, are gone or were
// cleared. The transaction has to be rolled back; the next Count knows of it.
var ErrStale = errors.New("links of the batch are gone or were cleared")

// maxEras bounds what is kept of links that were cleared, at some megabytes.
const maxEras = 1 << 14

// Counter counts batches, one at a time. What it makes of one is memory for the next.
type Counter struct {
	dialect *dialect.Dialect
	packer  *clickblock.Packer
	turn    yield.Yielder
	steps   int
	order   []clickRef // the clicks of a batch, link by link
	links   []clickedLink
	clicks  []clickblock.Click
	all     []clickblock.Click // at their indexes in the batch, for the journal's own row
	parts   []part
	indexes []uint32 // of clicks, in the batch
	packed  []byte   // blocks
	rows    linkRows
	sets    sets
	eras    map[key]uint32 // that links had last, of those that were cleared
}

// New returns a Counter for an engine.
func New(d *dialect.Dialect) *Counter {
	return &Counter{dialect: d, packer: clickblock.NewPacker(), eras: map[key]uint32{}}
}

// clickRef is a click of a batch: its link, and its index there.
type clickRef struct {
	link  terse.LinkRef
	index uint32
}

// clickedLink is a link that a batch has clicks of, in their order there.
type clickedLink struct {
	key
	clicks []clickRef
	shard  int64 // 0 where there are none
}

// key is what a link's rows have in common.
type key struct {
	code string
	id   int64
}

// JournalCode is the code of the rows in which all clicks of a journal on an owner's links are
// counted as if they were those of one link, with the ID 0. No link has such a code. The owner that
// there is from the beginning is not named.
func JournalCode(journal, owner string) string {
	if owner == terse.Identity {
		return "*" + journal
	}
	return "*" + journal + "*" + owner
}

// Requests go first after so many steps of some 50 ns, and when links are counted that have few
// clicks, after so many of those.
const (
	stepsAtOnce = 2048
	linksAtOnce = 64
)

func (c *Counter) step() {
	if c.steps++; c.steps%stepsAtOnce == 0 {
		c.turn.Yield()
	}
}

// Sort finds the clicks of each link, for the Counts that follow. The links have an order, in which
// all nodes lock them, so that two never wait for each other.
func (c *Counter) Sort(clicks []terse.NumberedClick) {
	if len(c.eras) > maxEras { // not between two Counts of a batch: it might never end
		clear(c.eras)
	}
	c.order, c.links = c.order[:0], c.links[:0]
	for i := range clicks {
		c.step()
		c.order = append(c.order, clickRef{
			terse.LinkRef{ID: clicks[i].Link, Code: clicks[i].Code}, uint32(i),
		})
	}
	slices.SortFunc(c.order, func(a, b clickRef) int {
		c.step()
		return cmp.Or(a.link.Compare(b.link), cmp.Compare(a.index, b.index))
	})
	for rest := c.order; len(rest) > 0; {
		c.step()
		first, n := rest[0].link, 1
		for n < len(rest) && rest[n].link == first {
			n++
		}
		c.links = append(c.links,
			clickedLink{key: key{first.Code.String(), int64(first.ID)}, clicks: rest[:n:n]})
		rest = rest[n:]
	}
}

// Count counts a batch of at most MaxClicks clicks, which were sorted, and moves its journal's
// position. It fails when that is not where the batch starts. After an error the transaction must
// be rolled back; Count may then be called again with another.
func (c *Counter) Count(ctx context.Context, tx pgx.Tx, batch terse.ClickBatch) error {
	if err := c.dialect.KeepOrder(ctx, tx); err != nil {
		return err
	}
	if err := movePosition(ctx, tx, batch); err != nil {
		return err
	}
	a := &attempt{
		Counter: c, ctx: ctx, tx: tx, journal: batch.Journal, gone: map[key]bool{},
	}
	if err := a.readOwners(); err != nil {
		return err
	}
	rest, err := a.byShard()
	if err != nil {
		return err
	}
	c.packer.Begin(&batch.Clicks, c.turn.Yield)
	for len(rest) > 0 {
		if rest, err = a.countSome(batch.Clicks.List, rest); err != nil {
			return err
		}
	}
	if len(a.gone) == 0 && !a.cleared {
		return a.addTotals()
	}
	c.links = slices.DeleteFunc(c.links, func(l clickedLink) bool { return a.gone[l.key] })
	return ErrStale
}

// addTotals adds the batch to the totals of its links. That comes last: other nodes wait for it.
func (a *attempt) addTotals() error {
	a.orderLinks()
	added := make([]ranges.Clicks, len(a.links))
	for i, k := range a.sets.order {
		link := &a.links[k]
		added[i] = ranges.Clicks{Link: link.id, Number: int64(len(link.clicks))}
	}
	return ranges.AddClicks(a.ctx, a.tx, a.dialect, added)
}

func movePosition(ctx context.Context, tx pgx.Tx, batch terse.ClickBatch) error {
	if batch.From == 0 { // it may be the journal's first
		for _, sql := range []string{
			"INSERT INTO journals (journal, position) VALUES ($1, 0) ON CONFLICT DO NOTHING",
			"INSERT INTO link_clicks (code, link_id) VALUES ('*' || $1, 0) ON CONFLICT DO NOTHING",
		} {
			if _, err := tx.Exec(ctx, sql, batch.Journal); err != nil {
				return err
			}
		}
	}
	moved, err := tx.Exec(ctx,
		"UPDATE journals SET position = $3 WHERE journal = $1 AND position = $2", batch.Journal,
		batch.From, batch.To)
	if err == nil && moved.RowsAffected() == 0 {
		err = fmt.Errorf("the batch starts at %d, which is not the journal's position", batch.From)
	}
	return err
}
