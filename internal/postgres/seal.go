package postgres

import (
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

// Bounds of the clicks of a link that are in no day's counts. All of them are read for each answer, so they may not be many; and the
// fewer are counted at once, the more often a day's counts are written.
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
	gone    []key // sorted
}

// part is clicks of one link.
type part struct {
	key
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

// divide decides what becomes of a link's clicks: days with many of them are counted, few go into the link's row, others into a block.
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

var addToLinks = fmt.Sprintf(`
WITH counted AS (
	UPDATE link_clicks AS c SET clicks = c.clicks + n.clicks, loose = c.loose + n.loose, recent = c.recent || n.recent
	FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::bytea[]) AS n(code, link_id, place, clicks, loose, recent)
	WHERE c.code = n.code AND c.link_id = n.link_id
	RETURNING n.place, c.loose, octet_length(c.recent) AS bytes
)
SELECT count(*), array_agg(place) FILTER (WHERE loose <= %[1]d AND bytes > %[2]d), array_agg(place) FILTER (WHERE loose > %[1]d),
	CASE WHEN count(*) < cardinality($1::text[]) THEN array_agg(place) END
FROM counted`, maxLoose, maxRecentBytes)

// addToLinks adds to the links' rows, which locks them. Links without a row are gone.
func (b *addition) addToLinks(parts []part) (f full, err error) {
	for from := 0; from < len(parts) && err == nil; from += rowsAtOnce {
		err = b.addToSome(parts, from, min(from+rowsAtOnce, len(parts)), &f)
	}
	return f, err
}

// rowsAtOnce is how many rows are asked for in one statement, which is made in a fraction of a millisecond.
const rowsAtOnce = 2048

func (b *addition) addToSome(parts []part, from, to int, f *full) error {
	b.turn.Yield()
	b.rows.reset()
	for i := from; i < to; i++ {
		b.rows.add(&parts[i], i)
	}
	var n int
	var row, sealing, found []int32
	rows := b.rows.query(b.ctx, b.tx.Conn())
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
		codes: column{array: pgtype.TextArrayOID, element: pgtype.TextOID}, ids: column{array: pgtype.Int8ArrayOID, element: pgtype.Int8OID},
		clicks: int4, loose: int4, recent: column{array: pgtype.ByteaArrayOID, element: pgtype.ByteaOID}, places: int4,
	}
}

func (r *linkRows) columns() []*column {
	return []*column{&r.codes, &r.ids, &r.places, &r.clicks, &r.loose, &r.recent} // the longest last: so pgx copies least
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

func (r *linkRows) query(ctx context.Context, conn *pgx.Conn) pgx.Rows {
	return queryColumns(ctx, conn, addToLinks, r.columns()...)
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

const (
	selectRecent = `SELECT n.place, c.recent FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, place)
		JOIN link_clicks AS c ON c.code = n.code AND c.link_id = n.link_id`
	takeBlocks = `DELETE FROM click_blocks AS c USING unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, place)
		WHERE c.code = n.code AND c.link_id = n.link_id AND c.day = $4 RETURNING n.place, c.clicks`
)

// takeLoose takes the loose clicks of links that have too many out of their rows and blocks, and divides them anew.
func (b *addition) takeLoose(parts []part, f full) error {
	if len(f.row)+len(f.sealing) == 0 {
		return nil
	}
	both := slices.Concat(f.row, f.sealing)
	taken := make(map[int32][]clickblock.Click, len(both))
	batch := &pgx.Batch{}
	codes, ids := keysOf(parts, both)
	batch.Queue(selectRecent, codes, ids, both).Query(func(rows pgx.Rows) error {
		return b.eachBlob(rows, func(place int32, recent []byte) error {
			return eachBlock(recent, func(block []byte) (err error) {
				taken[place], err = b.packer.Unpack(taken[place], block)
				return err
			})
		})
	})
	if len(f.sealing) > 0 {
		codes, ids := keysOf(parts, f.sealing)
		batch.Queue(takeBlocks, codes, ids, f.sealing, int32(looseDay)).Query(func(rows pgx.Rows) error {
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

// seal has a link's loose clicks counted on their days, if there are enough of them on each; but on all days when too many would be left.
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

const selectDays = `SELECT n.place, c.counts FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[]) AS n(code, link_id, day, place)
	JOIN click_days AS c ON c.code = n.code AND c.link_id = n.link_id AND c.day = n.day`

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
	codes, ids, of, places := make([]string, len(days)), make([]int64, len(days)), make([]int32, len(days)), make([]int32, len(days))
	for i := range days {
		codes[i], ids[i], of[i], places[i] = days[i].code, days[i].id, int32(days[i].day), int32(i)
	}
	rows, err := b.tx.Query(b.ctx, selectDays, codes, ids, of, places)
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

const (
	insertBlocks = `INSERT INTO click_blocks (code, link_id, day, id, first, last, clicks)
		SELECT code, link_id, day, nextval('click_block_ids'), first, last, clicks
		FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::bigint[], $6::bytea[]) AS n(code, link_id, day, first, last, clicks)`
	storeDays = `INSERT INTO click_days (code, link_id, day, counts) SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::bytea[])
		ON CONFLICT (code, link_id, day) DO UPDATE SET counts = excluded.counts`
	emptyRecent = `UPDATE link_clicks AS c SET recent = '', loose = CASE WHEN n.loose < 0 THEN c.loose ELSE n.loose END
		FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, loose) WHERE c.code = n.code AND c.link_id = n.link_id`
)

// store writes blocks and days, and empties the rows of links that were full.
func (b *addition) store(parts []part, f full, days []day) error {
	batch := &pgx.Batch{}
	var blocks blocks
	for i := range days {
		d := &days[i]
		blocks.add(b, d.key, d.day, d.clicks)
	}
	for i := range parts {
		blocks.add(b, parts[i].key, looseDay, parts[i].loose)
	}
	if len(blocks.codes) > 0 {
		batch.Queue(insertBlocks, blocks.codes, blocks.ids, blocks.days, blocks.first, blocks.last, blocks.clicks)
	}
	if len(days) > 0 {
		codes, ids, of, counts := make([]string, len(days)), make([]int64, len(days)), make([]int32, len(days)), make([][]byte, len(days))
		for i := range days {
			codes[i], ids[i], of[i], counts[i] = days[i].code, days[i].id, int32(days[i].day), days[i].counts
		}
		batch.Queue(storeDays, codes, ids, of, counts)
	}
	if both := slices.Concat(f.row, f.sealing); len(both) > 0 {
		codes, ids := keysOf(parts, both)
		left := make([]int32, len(both))
		for i, place := range both {
			left[i] = int32(parts[place].left)
		}
		batch.Queue(emptyRecent, codes, ids, left)
	}
	if batch.Len() == 0 {
		return nil
	}
	return b.tx.SendBatch(b.ctx, batch).Close()
}

// blocks are rows of click_blocks, as columns.
type blocks struct {
	codes            []string
	ids, first, last []int64
	days             []int32
	clicks           [][]byte
}

// add packs sorted clicks.
func (rows *blocks) add(b *addition, k key, on terse.Day, clicks []clickblock.Click) {
	for some := range slices.Chunk(clicks, clickblock.MaxClicks) {
		b.turn.Yield()
		rows.codes, rows.ids, rows.days = append(rows.codes, k.code), append(rows.ids, k.id), append(rows.days, int32(on))
		rows.first, rows.last = append(rows.first, some[0].Time), append(rows.last, some[len(some)-1].Time)
		rows.clicks = append(rows.clicks, slices.Clone(b.packer.Pack(some)))
	}
}
