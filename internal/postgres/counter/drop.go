package counter

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
)

// DropPlace names blocks of a link: those of a day, or pending ones.
type DropPlace struct {
	Code string
	ID   int64
	Day  terse.Day
}

// NextDropped returns the first blocks behind a place that have clicks before a time.
func NextDropped(ctx context.Context, tx pgx.Tx, behind DropPlace, before int64) (
	next DropPlace, found bool, err error,
) {
	var day int32
	err = tx.QueryRow(ctx, `SELECT code, link_id, day FROM click_blocks
		WHERE (code, link_id, day) > ($1, $2, $3) AND first < $4
		ORDER BY code, link_id, day LIMIT 1`,
		behind.Code, behind.ID, int32(behind.Day), before).Scan(&next.Code, &next.ID, &day)
	if errors.Is(err, pgx.ErrNoRows) {
		return behind, false, nil
	}
	next.Day = terse.Day(day)
	return next, err == nil, err
}

// drop is a link whose clicks before a time are dropped, in a transaction that locks it.
type drop struct {
	*Counter
	ctx    context.Context
	tx     pgx.Tx
	code   string
	id     int64
	before int64
}

// DropBlocks forgets single clicks before a time in the blocks at a place. Their counts by UTC day
// stay.
func (c *Counter) DropBlocks(ctx context.Context, tx pgx.Tx, at DropPlace, before int64) error {
	c.packer.Reset()
	d := drop{c, ctx, tx, at.Code, at.ID, before}
	if _, err := d.lock(); err != nil {
		return err
	}
	if at.Day == PendingDay {
		n, err := d.dropOf(at.Day)
		if err != nil || n == 0 {
			return err
		}
		return d.exec(`UPDATE link_clicks SET pending = greatest(0, pending - $3)
			WHERE code = $1 AND link_id = $2`, n)
	}
	if (at.Day + 1).Start() <= before {
		if moved, err := d.moveCounts(at.Day); moved || err != nil {
			return err
		}
	}
	if _, err := d.dropOf(at.Day); err != nil {
		return err
	}
	return d.recount(at.Day)
}

// lock locks the link's row, and returns the clicks in it: none if the link is gone.
func (d *drop) lock() (recent []byte, err error) {
	err = d.tx.QueryRow(d.ctx,
		"SELECT recent FROM link_clicks WHERE code = $1 AND link_id = $2 FOR UPDATE",
		d.code, d.id).Scan(&recent)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return recent, err
}

func (d *drop) exec(sql string, args ...any) error {
	_, err := d.tx.Exec(d.ctx, sql, append([]any{d.code, d.id}, args...)...)
	return err
}

// moveCounts drops a whole day by its counts, if it is the first that is dropped of the day.
func (d *drop) moveCounts(day terse.Day) (moved bool, err error) {
	links, err := d.linksOn(day)
	if err != nil {
		return false, err
	}
	tag, err := d.tx.Exec(d.ctx, `INSERT INTO dropped_days (code, link_id, day, last, counts, links)
		SELECT code, link_id, day, (SELECT max(last) FROM click_blocks
			WHERE code = $1 AND link_id = $2 AND day = $3), counts, $4::bytea
		FROM click_days WHERE code = $1 AND link_id = $2 AND day = $3
		ON CONFLICT DO NOTHING`, d.code, d.id, int32(day), links)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	for _, table := range []string{"click_days", "click_blocks"} {
		if err := d.exec("DELETE FROM "+table+" WHERE code = $1 AND link_id = $2 AND day = $3",
			int32(day)); err != nil {
			return false, err
		}
	}
	return true, d.forgetMonth(day)
}

// linksOn returns the clicks of a day by link, where they are a journal's.
func (d *drop) linksOn(day terse.Day) ([]byte, error) {
	if d.id != 0 {
		return nil, nil
	}
	tally := clickread.NewLinkTally(terse.AllTime)
	err := d.eachBlock(day, func(block []byte) error {
		d.turn.Yield()
		return tally.AddBlock(block)
	})
	return tally.Links.Pack(), err
}

// eachBlock calls f for the blocks of a day, one by one: a day may have millions of clicks.
func (d *drop) eachBlock(day terse.Day, f func(block []byte) error) error {
	for after := int64(-1); ; {
		var block []byte
		err := d.tx.QueryRow(d.ctx, `SELECT id, clicks FROM click_blocks
			WHERE code = $1 AND link_id = $2 AND day = $3 AND id > $4 ORDER BY id LIMIT 1`,
			d.code, d.id, int32(day), after).Scan(&after, &block)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = f(block)
		}
		if err != nil {
			return err
		}
	}
}

// linksWith returns the clicks of a day that were dropped by link, with some more.
func (d *drop) linksWith(day terse.Day, clicks []clickblock.Click) ([]byte, error) {
	var links []byte
	err := d.tx.QueryRow(d.ctx, `SELECT links FROM dropped_days
		WHERE code = $1 AND link_id = $2 AND day = $3`, d.code, d.id, int32(day)).Scan(&links)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, err
	}
	return clickread.AddLinks(d.packer, links, clicks, d.turn.Yield)
}

// dropOf drops the clicks before the time from blocks, one by one, and returns how many.
func (d *drop) dropOf(day terse.Day) (n int, err error) {
	for {
		var id int64
		var block []byte
		err := d.tx.QueryRow(d.ctx, `SELECT id, clicks FROM click_blocks
			WHERE code = $1 AND link_id = $2 AND day = $3 AND first < $4 LIMIT 1`,
			d.code, d.id, int32(day), d.before).Scan(&id, &block)
		if errors.Is(err, pgx.ErrNoRows) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		d.turn.Yield()
		old, kept, err := d.divideBlock(nil, block)
		if err != nil {
			return n, err
		}
		n += len(old)
		if err := d.count(old); err != nil {
			return n, err
		}
		if err := d.rewrite(day, id, kept); err != nil {
			return n, err
		}
	}
}

// divideBlock returns the clicks of a block from before the time, and the others behind kept.
func (d *drop) divideBlock(kept []clickblock.Click, block []byte) (
	old, rest []clickblock.Click, err error,
) {
	clicks, err := d.packer.Unpack(nil, block)
	n := clickblock.Before(clicks, d.before)
	return clicks[:n], append(kept, clicks[n:]...), err
}

func (d *drop) rewrite(day terse.Day, id int64, kept []clickblock.Click) error {
	if len(kept) == 0 {
		return d.exec(`DELETE FROM click_blocks
			WHERE code = $1 AND link_id = $2 AND day = $3 AND id = $4`, int32(day), id)
	}
	return d.exec(`UPDATE click_blocks SET first = $5, clicks = $6
		WHERE code = $1 AND link_id = $2 AND day = $3 AND id = $4`, int32(day), id, kept[0].Time,
		d.packer.Pack(kept))
}

// count adds sorted clicks to the counts of those that were dropped.
func (d *drop) count(clicks []clickblock.Click) error {
	for day, some := range clickblock.Days(clicks) {
		dropped := clickread.Dropped{Last: some[0].Time}
		err := d.tx.QueryRow(d.ctx, `SELECT last, counts, links FROM dropped_days
			WHERE code = $1 AND link_id = $2 AND day = $3`,
			d.code, d.id, int32(day)).Scan(&dropped.Last, &dropped.Counts, &dropped.Links)
		if err == nil || errors.Is(err, pgx.ErrNoRows) {
			err = dropped.Add(d.packer, some, d.id == 0, d.turn.Yield)
		}
		if err != nil {
			return err
		}
		if err := d.exec(`INSERT INTO dropped_days (code, link_id, day, last, counts, links)
			VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (code, link_id, day)
			DO UPDATE SET last = excluded.last, counts = excluded.counts,
				links = excluded.links`, int32(day), dropped.Last, dropped.Counts, dropped.Links,
		); err != nil {
			return err
		}
	}
	return nil
}

// recount counts what a day has left.
func (d *drop) recount(day terse.Day) error {
	var counts []byte
	err := d.eachBlock(day, func(block []byte) error {
		d.turn.Yield()
		clicks, err := d.packer.Unpack(nil, block)
		if err != nil {
			return err
		}
		sum, err := d.packer.Count(counts, clicks)
		counts = slices.Clone(sum)
		return err
	})
	if err == nil {
		err = d.forgetMonth(day)
	}
	if err != nil {
		return err
	}
	if counts == nil {
		return d.exec("DELETE FROM click_days WHERE code = $1 AND link_id = $2 AND day = $3",
			int32(day))
	}
	return d.exec(`UPDATE click_days SET counts = $4
		WHERE code = $1 AND link_id = $2 AND day = $3`, int32(day), counts)
}

// DropRecent is DropBlocks for the clicks in a link's row.
func (c *Counter) DropRecent(ctx context.Context, tx pgx.Tx, code string, id, before int64) error {
	c.packer.Reset()
	d := drop{c, ctx, tx, code, id, before}
	recent, err := d.lock()
	if err != nil {
		return err
	}
	var old, kept []clickblock.Click
	err = EachBlock(recent, func(block []byte) error {
		some, rest, err := d.divideBlock(kept, block)
		old, kept = append(old, some...), rest
		return err
	})
	if err != nil || len(old) == 0 {
		return err
	}
	clickblock.Sort(old)
	clickblock.Sort(kept)
	if err := d.count(old); err != nil {
		return err
	}
	left := []byte{}
	if len(kept) > 0 {
		block := d.packer.Pack(kept)
		left = append(binary.AppendUvarint(left, uint64(len(block))), block...)
	}
	return d.exec(`UPDATE link_clicks SET recent = $3, pending = greatest(0, pending - $4)
		WHERE code = $1 AND link_id = $2`, left, len(old))
}

// BeginsBefore reports whether a link's row has clicks from before a time.
func BeginsBefore(recent []byte, micros int64) (is bool) {
	_ = EachBlock(recent, func(block []byte) error { // damaged bytes are for those who read clicks
		is = is || clickblock.BeginsBefore(block, micros)
		return nil
	})
	return is
}
