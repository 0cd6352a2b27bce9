package counter

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/clickblock"
)

// PendingDay marks blocks of pending clicks. It is no click's day.
const PendingDay terse.Day = math.MinInt32

// keysOf returns the keys of some parts as two columns.
func keysOf(parts []part, indexes []int32) (codes []string, ids []int64) {
	for _, i := range indexes {
		codes, ids = append(codes, parts[i].code), append(ids, parts[i].id)
	}
	return codes, ids
}

// takePending takes the pending clicks of links that have too many out of their rows and blocks,
// and divides them again.
func (a *attempt) takePending(parts []part, f full) error {
	if len(f.rows)+len(f.rollUps) == 0 {
		return nil
	}
	taken := make(map[int32][]clickblock.Click)
	take := func(i int32, block []byte) (err error) {
		taken[i], err = a.packer.Unpack(taken[i], block)
		return err
	}
	batch, same := &pgx.Batch{}, a.dialect.SameCode
	if len(f.rollUps) > 0 { // before what is in the rows: those were counted later
		codes, ids := keysOf(parts, f.rollUps)
		batch.Queue(`SELECT n.i, c.clicks
			FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, i)
			JOIN click_blocks AS c ON `+same+` AND c.link_id = n.link_id AND c.day = $4
			ORDER BY c.id`, codes, ids, f.rollUps, int32(PendingDay),
		).Query(func(rows pgx.Rows) error { return EachBlob(rows, take) })
		batch.Queue(`DELETE FROM click_blocks AS c
			USING unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, i)
			WHERE `+same+` AND c.link_id = n.link_id AND c.day = $4`,
			codes, ids, f.rollUps, int32(PendingDay))
	}
	codes, ids := keysOf(parts, f.all())
	batch.Queue(`SELECT n.i, c.recent
		FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, i)
		JOIN link_clicks AS c ON `+same+` AND c.link_id = n.link_id`, codes, ids, f.all(),
	).Query(func(rows pgx.Rows) error {
		return EachBlob(rows, func(i int32, recent []byte) error {
			return EachBlock(recent, func(block []byte) error { return take(i, block) })
		})
	})
	if err := a.tx.SendBatch(a.ctx, batch).Close(); err != nil {
		return err
	}
	for _, i := range f.rows {
		p := &parts[i]
		p.block = append(taken[i], p.block...)
		clickblock.Sort(p.block)
	}
	for _, i := range f.rollUps {
		a.turn.Yield()
		rollUp(&parts[i], taken[i])
	}
	return nil
}

// rollUp has a link's pending clicks counted on their days, before those of the batch. Days with
// few clicks stay pending, unless too many would remain.
func rollUp(p *part, taken []clickblock.Click) {
	// Those of the batch that are in the link's row were taken out of it again.
	taken = slices.Concat(taken, p.block, p.rollUp)
	clickblock.Sort(taken)
	busy, rest := busyDays(taken)
	if len(rest) > maxPending/2 {
		busy, rest = taken, nil
	}
	p.rollUp, p.block, p.pending = busy, rest, int32(len(rest))
}

// EachBlob calls f for every row of a number and some bytes, which it may not keep.
func EachBlob(rows pgx.Rows, f func(i int32, blob []byte) error) error {
	var i int32
	var blob pgtype.DriverBytes
	_, err := pgx.ForEachRow(rows, []any{&i, &blob}, func() error { return f(i, blob) })
	return err
}

// EachBlock calls f for every block in a link's row.
func EachBlock(recent []byte, f func(block []byte) error) error {
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
	begins bool // no other clicks were counted on it
}

// countDays adds some clicks of each link to the counts of their days in a table.
func (a *attempt) countDays(parts []part, table string, some func(*part) []clickblock.Click) (
	days []day, err error,
) {
	for i := range parts {
		for on, clicks := range clickblock.Days(some(&parts[i])) {
			days = append(days, day{key: parts[i].key, day: on, clicks: clicks})
		}
	}
	if len(days) == 0 {
		return nil, nil
	}
	var codes []string
	var ids []int64
	var on, indexes []int32
	for i, d := range days {
		codes, ids = append(codes, d.code), append(ids, d.id)
		on, indexes = append(on, int32(d.day)), append(indexes, int32(i))
	}
	rows, _ := a.tx.Query(a.ctx, `SELECT n.i, c.counts
		FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[])
			AS n(code, link_id, i, day)
		JOIN `+table+` AS c ON c.day = n.day AND c.link_id = n.link_id AND `+a.dialect.SameCode,
		codes, ids, indexes, on)
	if err := EachBlob(rows, func(i int32, counts []byte) error {
		days[i].counts = slices.Clone(counts)
		return nil
	}); err != nil {
		return nil, err
	}
	for i := range days {
		days[i].begins = days[i].counts == nil
		for some := range slices.Chunk(days[i].clicks, maxAtOnce) {
			a.turn.Yield()
			counts, err := a.packer.Count(days[i].counts, some)
			if err != nil {
				return nil, fmt.Errorf("count %v of link %v: %w", days[i].day, days[i].key, err)
			}
			days[i].counts = slices.Clone(counts)
		}
	}
	return days, nil
}
