package counter

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
)

// Bounds of a link's pending clicks. All of them are read for each answer, so they may not be many;
// and the fewer are rolled up at once, the more often a day's counts are written.
const (
	maxPending     = 2048
	minRollUp      = 256     // clicks of a link in one batch that are worth it
	minDayClicks   = 64      // of them on one day
	maxRecentBytes = 1 << 10 // in the link's row, which is written with each batch
)

// attempt is a batch on its way into the tables, in one transaction.
type attempt struct {
	*Counter
	ctx     context.Context
	tx      pgx.Tx
	journal string
	owners  map[terse.LinkRef]string // of links that are not terse.Identity's
	gone    map[key]bool
	cleared bool // links have another era than was counted
	told    bool // which clicks are firsts
	ordered bool // the links are in sets.order
}

// part is clicks of one link. They are divided into those of rollUp, block and recent.
type part struct {
	key
	shard   int64              // 0 where there are none
	clicks  []clickblock.Click // without:
	dropped []clickblock.Click // only counted on their days
	rollUp  []clickblock.Click // to be counted on their days
	block   []clickblock.Click // pending, and too many for the link's row
	recent  []byte             // the other pending ones, packed for the link's row
	pending int32              // how many the link has in the end, -1: as its row says
}

// These mark the clicks in Counter.all, in the place of their offset in a bucket, which blocks of
// one link do not have.
const (
	isCounted   = 1
	isUntracked = 2
)

// maxAtOnce bounds the clicks of one link that are looked at before the packer's memory is.
const maxAtOnce = 1 << 12

// countSome counts clicks of some links, as many as the packer has memory for, which are usually
// all, and returns the rest. The journal's own row comes first: no other node needs it, while links
// that other nodes have clicks of, too, are locked until the end.
func (a *attempt) countSome(clicks []terse.NumberedClick, links []clickedLink) (
	[]clickedLink, error,
) {
	a.parts, a.clicks = a.parts[:0], slices.Grow(a.clicks[:0], len(clicks))
	a.all = slices.Grow(a.all[:0], len(clicks))[:len(clicks)]
	clear(a.all)
	a.indexes = a.indexes[:0]
	for len(links) > 0 && !a.packer.Full() {
		link, from := &links[0], len(a.clicks)
		first := link.clicks[0].index
		of := clickblock.Link{LinkRef: link.clicks[0].link, Era: a.eras[link.key]}
		for len(link.clicks) > 0 && !a.packer.Full() {
			some := link.clicks[:min(len(link.clicks), maxAtOnce)]
			for _, ref := range some {
				a.step()
				click, mark := &clicks[ref.index], uint16(isCounted)
				if click.Untracked {
					mark = isUntracked
				}
				a.clicks = append(a.clicks, a.packer.New(click, mark))
				a.indexes = append(a.indexes, ref.index)
				a.all[ref.index] = a.clicks[len(a.clicks)-1]
				if ref.index == first {
					a.packer.Of(&a.all[first], of)
				} else {
					a.all[ref.index].OfSame(&a.all[first])
				}
			}
			link.clicks = link.clicks[len(some):]
		}
		a.parts = append(a.parts, part{
			key: link.key, shard: link.shard, clicks: slices.Clip(a.clicks[from:]),
		})
		if len(link.clicks) == 0 {
			links = links[1:]
		}
	}
	if err := a.markFirsts(clicks); err != nil {
		return nil, err
	}
	owned, err := a.byOwner(clicks)
	if err == nil {
		err = a.count(owned)
	}
	if err == nil {
		err = a.count(a.parts)
	}
	a.packer.Reset()
	return links, err
}

// markFirsts marks those of the clicks that are the first of their visitor. That is found out when
// the first of a batch are packed: other nodes wait from then on.
func (a *attempt) markFirsts(clicks []terse.NumberedClick) error {
	if !a.told {
		if err := a.tellFirsts(clicks); err != nil {
			return err
		}
		a.told = true
	}
	for i, index := range a.indexes {
		a.step()
		first := a.sets.firsts[index]
		a.clicks[i].First, a.all[index].First = first, first
	}
	return nil
}

// count counts clicks of links. Those on one shard are together.
func (a *attempt) count(parts []part) error {
	a.packed = a.packed[:0]
	for i := range parts {
		if i%linksAtOnce == 0 {
			a.turn.Yield()
		}
		a.divide(&parts[i])
	}
	full, err := a.addToLinks(parts)
	if err != nil {
		return err
	}
	if err := a.takePending(parts, full); err != nil {
		return err
	}
	days, err := a.countDays(parts, "click_days",
		func(p *part) []clickblock.Click { return p.rollUp })
	if err != nil {
		return err
	}
	dropped, err := a.countDays(parts, "dropped_days",
		func(p *part) []clickblock.Click { return p.dropped })
	if err != nil {
		return err
	}
	return a.write(parts, full, days, dropped)
}

// byShard returns the links of the batch in the order in which all nodes lock them: where there are
// shards, those on one are together.
func (a *attempt) byShard() ([]clickedLink, error) {
	links := slices.Clone(a.links)
	if !a.dialect.Sharded() {
		return links, nil
	}
	codes := make([]string, len(links))
	for i := range links {
		codes[i] = links[i].code
	}
	shards, err := a.dialect.Shards(a.ctx, a.tx, codes)
	if err != nil {
		return nil, err
	}
	for i := range links {
		links[i].shard = shards[i]
	}
	slices.SortStableFunc(links, func(x, y clickedLink) int {
		return cmp.Compare(x.shard, y.shard)
	})
	return links, nil
}

// divide decides what becomes of a link's clicks: days with many of them are rolled up, few go into
// the link's row, others into a block.
func (a *attempt) divide(p *part) {
	clickblock.Sort(p.clicks)
	p.takeUntracked()
	p.pending, p.recent = -1, []byte{}
	pending := p.clicks
	if len(p.clicks) >= minRollUp {
		p.rollUp, pending = busyDays(p.clicks)
	}
	if len(pending) == 0 {
		return
	}
	if len(pending) <= minRollUp {
		block := a.packer.Pack(pending)
		if len(block) <= maxRecentBytes/2 {
			start := len(a.packed)
			a.packed = binary.AppendUvarint(a.packed, uint64(len(block)))
			a.packed = append(a.packed, block...)
			p.recent = slices.Clip(a.packed[start:])
			return
		}
	}
	p.block = pending
}

// takeUntracked moves untracked clicks to those that are only counted.
func (p *part) takeUntracked() {
	rest := p.clicks[:0]
	for _, click := range p.clicks {
		if click.Link == isUntracked {
			p.dropped = append(p.dropped, click)
		} else {
			rest = append(rest, click)
		}
	}
	p.clicks = rest
}

// busyDays divides sorted clicks into those of days with minDayClicks of them, and the rest.
func busyDays(clicks []clickblock.Click) (busy, rest []clickblock.Click) {
	for _, some := range clickblock.Days(clicks) {
		if len(some) == len(clicks) && len(some) >= minDayClicks { // nearly always
			return clicks, nil
		}
		if len(some) >= minDayClicks {
			busy = append(busy, some...)
		} else {
			rest = append(rest, some...)
		}
	}
	return busy, rest
}

// full are links whose pending clicks have to be moved, by their indexes in the parts: because they
// are too many, or because others that were counted later would get before them.
type full struct {
	rows    []int32 // out of their rows
	rollUps []int32 // out of their rows and blocks
}

func (f full) all() []int32 { return slices.Concat(f.rows, f.rollUps) }

// rowsAtOnce is how many rows are asked for in one statement, which is made in a fraction of a
// millisecond.
const rowsAtOnce = 2048

// addToLinks adds to the links' rows, which locks them. Links without a row are gone.
func (a *attempt) addToLinks(parts []part) (f full, err error) {
	for from := 0; from < len(parts) && err == nil; {
		to := from + 1
		for to < min(from+rowsAtOnce, len(parts)) && parts[to].shard == parts[from].shard {
			to++
		}
		err = a.addToSome(parts, from, to, &f)
		from = to
	}
	return f, err
}

func (a *attempt) addToSome(parts []part, from, to int, f *full) error {
	a.turn.Yield()
	r := &a.rows
	r.reset()
	for i := from; i < to; i++ {
		r.add(&parts[i], i)
	}
	var n int
	var rows, rollUps, found, cleared, eras []int32
	err := a.tx.QueryRow(a.ctx, fmt.Sprintf(`
		WITH counted AS (
			UPDATE link_clicks AS c SET clicks = c.clicks + n.clicks,
				pending = c.pending + n.pending, recent = c.recent || n.recent
			FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[],
				$6::bytea[], $7::boolean[], $8::boolean[])
				AS n(code, link_id, i, clicks, pending, recent, busy, blocks)
			WHERE %[3]s AND c.link_id = n.link_id
			RETURNING n.i, c.pending, octet_length(c.recent) AS bytes, c.era,
				c.pending > %[1]d OR n.busy AND c.pending > n.pending AS rolls_up, n.blocks
		)
		SELECT count(*), array_agg(i) FILTER (
				WHERE NOT rolls_up AND (bytes > %[2]d OR blocks AND bytes > 0)),
			array_agg(i) FILTER (WHERE rolls_up),
			CASE WHEN count(*) < cardinality($1::text[]) THEN array_agg(i) END,
			array_agg(i) FILTER (WHERE era > 0), array_agg(era) FILTER (WHERE era > 0)
		FROM counted`, maxPending, maxRecentBytes, a.dialect.SameCode),
		r.codes, r.ids, r.indexes, r.clicks, r.pending, r.recent, r.busy, r.blocks,
	).Scan(&n, &rows, &rollUps, &found, &cleared, &eras)
	for k, i := range cleared {
		if key, era := parts[i].key, uint32(eras[k]); a.eras[key] != era {
			a.eras[key], a.cleared = era, true
		}
	}
	f.rows, f.rollUps = append(f.rows, rows...), append(f.rollUps, rollUps...)
	if err == nil && n < to-from {
		a.noteGone(parts, from, to, found)
	}
	return err
}

// linkRows are what is added to rows of link_clicks.
type linkRows struct {
	codes                    []string
	ids                      []int64
	indexes, clicks, pending []int32
	recent                   [][]byte
	busy                     []bool // some of them are rolled up
	blocks                   []bool // some of them go into a block
}

func (r *linkRows) reset() {
	*r = linkRows{
		r.codes[:0], r.ids[:0], r.indexes[:0], r.clicks[:0], r.pending[:0], r.recent[:0],
		r.busy[:0], r.blocks[:0],
	}
}

func (r *linkRows) add(p *part, index int) {
	r.codes, r.ids = append(r.codes, p.code), append(r.ids, p.id)
	r.indexes, r.recent = append(r.indexes, int32(index)), append(r.recent, p.recent)
	r.clicks = append(r.clicks, int32(len(p.clicks)+len(p.dropped)))
	r.pending = append(r.pending, int32(len(p.clicks)-len(p.rollUp)))
	r.busy, r.blocks = append(r.busy, len(p.rollUp) > 0), append(r.blocks, len(p.block) > 0)
}

func (a *attempt) noteGone(parts []part, from, to int, found []int32) {
	exists := make([]bool, to-from)
	for _, i := range found {
		exists[int(i)-from] = true
	}
	for i := from; i < to; i++ {
		if p := &parts[i]; !exists[i-from] {
			a.gone[p.key] = true
			p.rollUp, p.block, p.dropped = nil, nil, nil
		}
	}
}
