package counter

import (
	"slices"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/postgres/dialect"
)

// blockColumns are rows of click_blocks.
type blockColumns struct {
	codes            []string
	ids, first, last []int64
	days             []int32
	clicks           [][]byte
}

// dayColumns are rows of click_days or dropped_days.
type dayColumns struct {
	codes  []string
	ids    []int64
	days   []int32
	last   []int64 // the time of a day's last click
	counts [][]byte
}

// write writes blocks and days, and empties the rows of links that were full.
func (a *attempt) write(parts []part, f full, days, dropped []day) error {
	var blocks blockColumns
	for _, d := range days {
		a.pack(&blocks, d.key, d.day, d.clicks)
	}
	for i := range parts {
		a.pack(&blocks, parts[i].key, PendingDay, parts[i].block)
	}
	if err := a.insertBlocks(&blocks); err != nil {
		return err
	}
	if err := a.insertDays(days); err != nil {
		return err
	}
	if err := a.insertDropped(dropped); err != nil {
		return err
	}
	both := f.all()
	if len(both) == 0 {
		return nil
	}
	codes, ids := keysOf(parts, both)
	pending := make([]int32, len(both))
	for k, i := range both {
		pending[k] = parts[i].pending
	}
	_, err := a.tx.Exec(a.ctx, `UPDATE link_clicks AS c SET recent = '',
			pending = CASE WHEN n.pending < 0 THEN c.pending ELSE n.pending END
		FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, pending)
		WHERE `+a.dialect.SameCode+` AND c.link_id = n.link_id`, codes, ids, pending)
	return err
}

// columnsOf returns days as columns.
func columnsOf(days []day) (c dayColumns) {
	for _, d := range days {
		c.codes, c.ids = append(c.codes, d.code), append(c.ids, d.id)
		c.days, c.counts = append(c.days, int32(d.day)), append(c.counts, d.counts)
		c.last = append(c.last, d.clicks[len(d.clicks)-1].Time)
	}
	return c
}

func (a *attempt) insertDays(days []day) error {
	if len(days) == 0 {
		return nil
	}
	c := columnsOf(days)
	_, err := a.dialect.Insert(a.ctx, a.tx, "click_days (code, link_id, day, counts)",
		"ON CONFLICT (code, link_id, day) DO UPDATE SET counts = excluded.counts",
		c.codes, c.ids, c.days, c.counts)
	if err != nil {
		return err
	}
	return a.changeMonths(days)
}

func (a *attempt) insertDropped(days []day) error {
	if len(days) == 0 {
		return nil
	}
	c := columnsOf(days)
	links := make([][]byte, len(days))
	for i, d := range days {
		if d.id != 0 {
			continue
		}
		of := drop{Counter: a.Counter, ctx: a.ctx, tx: a.tx, code: d.code}
		var err error
		if links[i], err = of.linksWith(d.day, d.clicks); err != nil {
			return err
		}
	}
	_, err := a.dialect.Insert(a.ctx, a.tx,
		"dropped_days (code, link_id, day, last, counts, links)",
		`ON CONFLICT (code, link_id, day) DO UPDATE SET counts = excluded.counts,
			last = greatest(dropped_days.last, excluded.last), links = excluded.links`,
		c.codes, c.ids, c.days, c.last, c.counts, links)
	return err
}

// pack adds sorted clicks as blocks.
func (a *attempt) pack(b *blockColumns, k key, on terse.Day, clicks []clickblock.Click) {
	for some := range slices.Chunk(clicks, clickblock.MaxClicks) {
		a.turn.Yield()
		b.codes, b.ids = append(b.codes, k.code), append(b.ids, k.id)
		b.days, b.first = append(b.days, int32(on)), append(b.first, some[0].Time)
		b.last = append(b.last, some[len(some)-1].Time)
		b.clicks = append(b.clicks, slices.Clone(a.packer.Pack(some)))
	}
}

func (a *attempt) insertBlocks(b *blockColumns) error {
	if len(b.codes) == 0 {
		return nil
	}
	blockIDs, err := dialect.NextIDs(a.ctx, a.tx, "click_block_ids", len(b.codes))
	if err != nil {
		return err
	}
	_, err = a.dialect.Insert(a.ctx, a.tx,
		"click_blocks (code, link_id, day, id, first, last, clicks)", "",
		b.codes, b.ids, b.days, blockIDs, b.first, b.last, b.clicks)
	return err
}
