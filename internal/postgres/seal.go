package postgres

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/clickblock"
)

// Bounds of the clicks of a link that are in no day's counts. All of them are read for each answer,
// so they may not be many; and the fewer are counted at once, the more often a day's counts are
// written.
const (
	maxLoose       = 2048
	minSealed      = 256     // clicks of a link in one batch that are worth it
	minDayClicks   = 64      // of them on one day
	maxRecentBytes = 1 << 10 // in the link's row, which is written with each batch
)

// looseDay marks blocks of loose clicks. It is no click's day.
const looseDay terse.Day = math.MinInt32

// addition is a batch on its way into the tables.
type addition struct {
	*counter
	ctx     context.Context
	tx      pgx.Tx
	journal key
	gone    []key
}

// part is clicks of one link.
type part struct {
	key
	shard  int64 // 0 where there are none
	clicks []clickblock.Click
	sealed []clickblock.Click // to be counted on their days
	loose  []clickblock.Click // those that are too many for the link's row
	recent []byte             // the others, packed
	left   int                // how many loose ones the link has in the end, -1: as its row says
}

// add counts clicks of links, which are sorted.
func (b *addition) add(parts []part) error {
	b.packed = b.packed[:0]
	for i := range parts {
		if i%linksAtOnce == 0 {
			b.turn.Yield()
		}
		b.divide(&parts[i])
	}
	if err := b.sortByShard(parts); err != nil {
		return err
	}
	full, err := b.addToLinks(parts)
	if err != nil {
		return err
	}
	if err := b.takeLoose(parts, full); err != nil {
		return err
	}
	days, err := b.countDays(parts)
	if err != nil {
		return err
	}
	return b.store(parts, full, days)
}

// sortByShard puts together what is on one shard, where there are shards. Within one, links stay in
// order: all nodes lock them in the same.
func (b *addition) sortByShard(parts []part) error {
	if b.dialect.shardsOf == "" || len(parts) == 1 {
		return nil
	}
	codes := make([]string, len(parts))
	for i := range parts {
		codes[i] = parts[i].code
	}
	rows, err := b.tx.Query(b.ctx, b.dialect.shardsOf, codes)
	if err != nil {
		return err
	}
	shards, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	for i := range parts {
		parts[i].shard = shards[i]
	}
	slices.SortStableFunc(parts, func(x, y part) int { return cmp.Compare(x.shard, y.shard) })
	return nil
}

// divide decides what becomes of a link's clicks: days with many of them are counted, few go into
// the link's row, others into a block.
func (b *addition) divide(p *part) {
	clickblock.Sort(p.clicks)
	p.left = -1
	loose := p.clicks
	if len(p.clicks) >= minSealed {
		p.sealed, loose = busyDays(p.clicks, minDayClicks)
	}
	if len(loose) == 0 {
		return
	}
	if len(loose) <= minSealed {
		block := b.packer.Pack(loose)
		if len(block) <= maxRecentBytes/2 {
			start := len(b.packed)
			b.packed = binary.AppendUvarint(b.packed, uint64(len(block)))
			b.packed = append(b.packed, block...)
			p.recent = b.packed[start:len(b.packed):len(b.packed)]
			return
		}
	}
	p.loose = loose
}

// busyDays divides sorted clicks into those of days with enough of them, and the rest.
func busyDays(clicks []clickblock.Click, enough int) (busy, rest []clickblock.Click) {
	for _, of := range clickblock.Days(clicks) {
		if len(of) == len(clicks) && len(of) >= enough { // nearly always
			return clicks, nil
		}
		if len(of) >= enough {
			busy = append(busy, of...)
		} else {
			rest = append(rest, of...)
		}
	}
	return busy, rest
}

// full are links whose loose clicks have to be moved, by their places among the parts.
type full struct {
	row     []int32 // out of their rows
	sealing []int32 // out of their rows and blocks
}

// addToLinks adds to the links' rows, which locks them. Links without a row are gone.
func (b *addition) addToLinks(parts []part) (f full, err error) {
	for from := 0; from < len(parts) && err == nil; {
		to := from + 1
		for to < min(from+rowsAtOnce, len(parts)) && parts[to].shard == parts[from].shard {
			to++
		}
		err = b.addToSome(parts, from, to, &f)
		from = to
	}
	return f, err
}

// rowsAtOnce is how many rows are asked for in one statement, which is made in a fraction of a
// millisecond.
const rowsAtOnce = 2048

func (b *addition) addToSome(parts []part, from, to int, f *full) error {
	b.turn.Yield()
	b.rows.reset()
	for i := from; i < to; i++ {
		b.rows.add(&parts[i], i)
	}
	var n int
	var row, sealing, found []int32
	rows := b.rows.query(b.ctx, b.tx.Conn(), b.dialect.addToLinks)
	_, err := pgx.ForEachRow(rows, []any{&n, &row, &sealing, &found}, func() error { return nil })
	f.row, f.sealing = append(f.row, row...), append(f.sealing, sealing...)
	if err == nil && n < to-from {
		b.noteGone(parts, from, to, found)
	}
	return err
}

// linkRows are what addToLinks adds, as columns.
type linkRows struct{ codes, ids, clicks, loose, recent, places column }

func newLinkRows() linkRows {
	int4 := column{array: pgtype.Int4ArrayOID, element: pgtype.Int4OID}
	return linkRows{
		codes:  column{array: pgtype.TextArrayOID, element: pgtype.TextOID},
		ids:    column{array: pgtype.Int8ArrayOID, element: pgtype.Int8OID},
		clicks: int4, loose: int4, recent: column{
			array:   pgtype.ByteaArrayOID,
			element: pgtype.ByteaOID,
		}, places: int4,
	}
}

func (r *linkRows) columns() []*column {
	// the longest last: so pgx copies least
	return []*column{&r.codes, &r.ids, &r.places, &r.clicks, &r.loose, &r.recent}
}

func (r *linkRows) reset() {
	for _, c := range r.columns() {
		c.reset()
	}
}

func (r *linkRows) add(p *part, place int) {
	addBytes(&r.codes, p.code)
	r.ids.addInt64(p.id)
	r.clicks.addInt32(int32(len(p.clicks)))
	r.loose.addInt32(int32(len(p.clicks) - len(p.sealed)))
	addBytes(&r.recent, p.recent)
	r.places.addInt32(int32(place))
}

func (r *linkRows) query(ctx context.Context, conn *pgx.Conn, sql string) pgx.Rows {
	return queryColumns(ctx, conn, sql, r.columns()...)
}

func (b *addition) noteGone(parts []part, from, to int, found []int32) {
	is := make([]bool, to-from)
	for _, place := range found {
		is[int(place)-from] = true
	}
	for i := from; i < to; i++ {
		if !is[i-from] {
			b.gone = append(b.gone, parts[i].key)
			parts[i].sealed, parts[i].loose = nil, nil
		}
	}
}

// keysOf returns the keys of some parts as two columns.
func keysOf(parts []part, places []int32) (codes []string, ids []int64) {
	codes, ids = make([]string, len(places)), make([]int64, len(places))
	for i, place := range places {
		codes[i], ids[i] = parts[place].code, parts[place].id
	}
	return codes, ids
}

// takeLoose takes the loose clicks of links that have too many out of their rows and blocks, and
// divides them anew.
func (b *addition) takeLoose(parts []part, f full) error {
	if len(f.row)+len(f.sealing) == 0 {
		return nil
	}
	both := slices.Concat(f.row, f.sealing)
	taken := make(map[int32][]clickblock.Click, len(both))
	batch := &pgx.Batch{}
	codes, ids := keysOf(parts, both)
	batch.Queue(b.dialect.selectRecent, codes, ids, both).Query(func(rows pgx.Rows) error {
		return b.eachBlob(rows, func(place int32, recent []byte) error {
			return eachBlock(recent, func(block []byte) (err error) {
				taken[place], err = b.packer.Unpack(taken[place], block)
				return err
			})
		})
	})
	if len(f.sealing) > 0 {
		codes, ids := keysOf(parts, f.sealing)
		batch.Queue(b.dialect.takeBlocks, codes, ids, f.sealing,
			int32(looseDay)).Query(func(rows pgx.Rows) error {
			return b.eachBlob(rows, func(place int32, block []byte) (err error) {
				taken[place], err = b.packer.Unpack(taken[place], block)
				return err
			})
		})
	}
	if err := b.tx.SendBatch(b.ctx, batch).Close(); err != nil {
		return err
	}
	for _, place := range f.row {
		p := &parts[place]
		p.loose = append(taken[place], p.loose...)
		clickblock.Sort(p.loose)
	}
	for _, place := range f.sealing {
		b.turn.Yield()
		b.seal(&parts[place], taken[place])
	}
	return nil
}

// seal has a link's loose clicks counted on their days, if there are enough of them on each; but on
// all days when too many would be left.
func (b *addition) seal(p *part, taken []clickblock.Click) {
	taken = append(taken, p.loose...)
	clickblock.Sort(taken)
	busy, rest := busyDays(taken, minDayClicks)
	if len(rest) > maxLoose/2 {
		busy, rest = taken, nil
	}
	if len(p.sealed) > 0 {
		busy = slices.Concat(p.sealed, busy)
		clickblock.Sort(busy)
	}
	p.sealed, p.loose, p.left = busy, rest, len(rest)
}

// eachBlob calls f for every row of a place and some bytes, which it may not keep.
func (b *addition) eachBlob(rows pgx.Rows, f func(place int32, blob []byte) error) error {
	var place int32
	var blob pgtype.DriverBytes
	_, err := pgx.ForEachRow(rows, []any{&place, &blob}, func() error { return f(place, blob) })
	return err
}

// eachBlock calls f for every block in a link's row.
func eachBlock(recent []byte, f func(block []byte) error) error {
	for len(recent) > 0 {
		size, n := binary.Uvarint(recent)
		if n <= 0 || size > uint64(len(recent)-n) {
			return clickblock.ErrDamaged
		}
		if err := f(recent[n : n+int(size)]); err != nil {
			return err
		}
		recent = recent[n+int(size):]
	}
	return nil
}

// day is clicks of a link on one day, and the counts that they are part of.
type day struct {
	key
	day    terse.Day
	clicks []clickblock.Click
	counts []byte
}

// countDays adds the clicks that are to be counted to the counts of their days.
func (b *addition) countDays(parts []part) (days []day, err error) {
	for i := range parts {
		for of, clicks := range clickblock.Days(parts[i].sealed) {
			days = append(days, day{key: parts[i].key, day: of, clicks: clicks})
		}
	}
	if len(days) == 0 {
		return nil, nil
	}
	codes, ids, of, places := make([]string, len(days)), make([]int64, len(days)),
		make([]int32, len(days)), make([]int32, len(days))
	for i := range days {
		codes[i], ids[i], of[i], places[i] = days[i].code, days[i].id, int32(days[i].day), int32(i)
	}
	rows, err := b.tx.Query(b.ctx, b.dialect.selectDays, codes, ids, of, places)
	if err != nil {
		return nil, err
	}
	if err := b.eachBlob(rows, func(place int32, counts []byte) error {
		days[place].counts = slices.Clone(counts)
		return nil
	}); err != nil {
		return nil, err
	}
	for i := range days {
		for some := range slices.Chunk(days[i].clicks, maxAtOnce) {
			b.turn.Yield()
			counts, err := b.packer.Count(days[i].counts, some)
			if err != nil {
				return nil, fmt.Errorf("count %v of link %v: %w", days[i].day, days[i].key, err)
			}
			days[i].counts = slices.Clone(counts)
		}
	}
	return days, nil
}

// store writes blocks and days, and empties the rows of links that were full.
func (b *addition) store(parts []part, f full, days []day) error {
	blocks, counts := &blockColumns{}, &dayColumns{}
	for i := range days {
		d := &days[i]
		blocks.add(b, d.key, d.day, d.clicks)
		counts.codes, counts.ids = append(counts.codes, d.code), append(counts.ids, d.id)
		counts.days, counts.counts = append(counts.days, int32(d.day)),
			append(counts.counts, d.counts)
	}
	for i := range parts {
		blocks.add(b, parts[i].key, looseDay, parts[i].loose)
	}
	if len(blocks.codes) > 0 {
		if err := b.dialect.insertBlocks(b.ctx, b.tx, blocks); err != nil {
			return err
		}
	}
	if len(days) > 0 {
		if err := b.dialect.storeDays(b.ctx, b.tx, counts); err != nil {
			return err
		}
	}
	both := slices.Concat(f.row, f.sealing)
	if len(both) == 0 {
		return nil
	}
	codes, ids := keysOf(parts, both)
	left := make([]int32, len(both))
	for i, place := range both {
		left[i] = int32(parts[place].left)
	}
	_, err := b.tx.Exec(b.ctx, b.dialect.emptyRecent, codes, ids, left)
	return err
}

// add packs sorted clicks.
func (c *blockColumns) add(b *addition, k key, on terse.Day, clicks []clickblock.Click) {
	for some := range slices.Chunk(clicks, clickblock.MaxClicks) {
		b.turn.Yield()
		c.codes, c.ids, c.days = append(c.codes, k.code), append(c.ids, k.id),
			append(c.days, int32(on))
		c.first, c.last = append(c.first, some[0].Time), append(c.last, some[len(some)-1].Time)
		c.clicks = append(c.clicks, slices.Clone(b.packer.Pack(some)))
	}
}
