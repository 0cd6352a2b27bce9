package counter

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/postgres/dialect"
	"terse/internal/visitors"
)

// bucketBits is how many of the last bits of their IDs the links of a bucket differ in.
const bucketBits = 8

// bucketsAtOnce bounds the visitors that are in memory beside the cache.
const bucketsAtOnce = 256

// sets are the visitors of days.
type sets struct {
	cache  visitors.Cache
	order  []int32 // the links of the batch, by bucket
	visits []visit
	firsts []bool // by a click's index in the batch
}

// visit is a click of somebody who is known by a hash.
type visit struct {
	bucket int64
	index  uint32 // in the batch
}

// Commit says that the transaction of the last Count is committed, or was taken back.
func (c *Counter) Commit(committed bool) {
	if !committed {
		c.sets.cache.Clear()
	}
}

// VisitorTable returns the table with the hashes of a day's visitors.
func VisitorTable(day terse.Day) string {
	return [2]string{"visitors_even", "visitors_odd"}[day&1]
}

// tellFirsts finds out which clicks of the batch are the first of their visitor. It locks what
// nodes have in common bucket by bucket, day by day, before any link's row is.
func (a *attempt) tellFirsts(clicks []terse.Click) error {
	s := &a.sets
	s.firsts = slices.Grow(s.firsts[:0], len(clicks))[:len(clicks)]
	clear(s.firsts)
	days, err := a.keptDays(clicks)
	if err != nil || len(days) == 0 {
		s.cache.WipeBut(days)
		return err
	}
	a.orderLinks()
	for _, day := range days {
		a.findVisits(clicks, day)
		for rest := s.visits; len(rest) > 0; {
			n := someBuckets(rest)
			if err := a.tellSome(clicks, day, rest[:n]); err != nil {
				return fmt.Errorf("visitors of %v: %w", day, err)
			}
			rest = rest[n:]
		}
	}
	return nil
}

// keptDays returns the days of clicks whose visitors are kept, in order, and has them kept until
// the end of the transaction.
func (a *attempt) keptDays(clicks []terse.Click) ([]terse.Day, error) {
	var days []int32
	last := terse.Day(0)
	for i := range clicks {
		a.step()
		if c := &clicks[i]; c.Visitor != 0 {
			day := terse.DayOf(c.Time)
			if len(days) == 0 || day != last && !slices.Contains(days, int32(day)) {
				days = append(days, int32(day))
			}
			last = day
		}
	}
	if len(days) == 0 {
		return nil, nil
	}
	rows, err := a.tx.Query(a.ctx, `SELECT day FROM visitor_days WHERE kept AND day = ANY($1)
		ORDER BY day FOR SHARE`, days)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[terse.Day])
}

func (a *attempt) orderLinks() {
	order := a.sets.order[:0]
	for i := range a.links {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(i, k int32) int {
		a.step()
		return cmp.Compare(a.links[i].id, a.links[k].id)
	})
	a.sets.order = order
}

// findVisits finds the visits of a day, by bucket, those of a link in the order of the batch.
func (a *attempt) findVisits(clicks []terse.Click, day terse.Day) {
	visits := a.sets.visits[:0]
	for _, i := range a.sets.order {
		link := &a.links[i]
		for _, ref := range link.clicks {
			a.step()
			if c := &clicks[ref.index]; c.Visitor != 0 && terse.DayOf(c.Time) == day {
				visits = append(visits, visit{link.id >> bucketBits, ref.index})
			}
		}
	}
	a.sets.visits = visits
}

// someBuckets returns how many of the visits are of the first buckets.
func someBuckets(visits []visit) int {
	buckets := 1
	for i := range visits[1:] {
		if visits[i].bucket != visits[i+1].bucket {
			if buckets++; buckets > bucketsAtOnce {
				return i + 1
			}
		}
	}
	return len(visits)
}

// tellSome does it for some buckets.
func (a *attempt) tellSome(clicks []terse.Click, day terse.Day, visits []visit) error {
	var ids []int64
	for i, v := range visits {
		if i == 0 || v.bucket != visits[i-1].bucket {
			ids = append(ids, v.bucket)
		}
	}
	open, err := a.openSets(day, ids)
	if err != nil {
		return err
	}
	var changed chunks
	for _, set := range open {
		a.turn.Yield()
		n := 0
		for ; n < len(visits) && visits[n].bucket == set.id; n++ {
			c := &clicks[visits[n].index]
			a.sets.firsts[visits[n].index] = set.First(uint8(c.Link), c.Visitor)
		}
		visits = visits[n:]
		if err := changed.save(set.id, set.Bucket); err != nil {
			return err
		}
		a.sets.cache.Keep(visitors.ID{Day: day, Bucket: set.id}, set.Bucket)
	}
	return changed.write(a.ctx, a.tx, a.dialect, day)
}

// openSet is a bucket that is locked.
type openSet struct {
	*visitors.Bucket
	id int64
}

// openSets locks buckets, in their order, and returns them as they are in the database.
func (a *attempt) openSets(day terse.Day, ids []int64) ([]openSet, error) {
	versions, err := lockVisitors(a.ctx, a.tx, day, ids)
	if err != nil {
		return nil, err
	}
	open, from := make([]openSet, len(ids)), make([]int32, len(ids))
	for i, id := range ids {
		of := a.sets.cache.Get(visitors.ID{Day: day, Bucket: id})
		if of == nil || of.Version != versions[i] {
			of = &visitors.Bucket{Version: versions[i]}
		}
		open[i], from[i] = openSet{of, id}, int32(of.Seq())
	}
	i := 0
	err = eachChunk(a.ctx, a.tx, day, ids, from, func(id int64, seq int, chunk []byte) error {
		a.turn.Yield()
		for open[i].id != id {
			i++
		}
		return open[i].Load(seq, chunk)
	})
	return open, err
}

// lockVisitors locks the visitors of buckets, which are sorted, and returns the version of each.
func lockVisitors(ctx context.Context, tx pgx.Tx, day terse.Day, ids []int64) ([]string, error) {
	table := VisitorTable(day)
	if _, err := tx.Exec(ctx, "INSERT INTO "+table+" (bucket, seq, chunk) SELECT b, -1, $2::bytea "+
		"FROM unnest($1::bigint[]) AS b ON CONFLICT DO NOTHING", ids, newVersion()); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, "SELECT chunk FROM "+table+
		" WHERE bucket = ANY($1) AND seq = -1 ORDER BY bucket FOR UPDATE", ids)
	if err != nil {
		return nil, err
	}
	versions, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var version []byte
		err := row.Scan(&version)
		return string(version), err
	})
	if err == nil && len(versions) != len(ids) {
		err = fmt.Errorf("%d of %d buckets are locked", len(versions), len(ids))
	}
	return versions, err
}

func newVersion() []byte {
	var version [8]byte
	rand.Read(version[:])
	return version[:]
}

// eachChunk calls f for each chunk of buckets from a number on, in their order.
func eachChunk(ctx context.Context, tx pgx.Tx, day terse.Day, ids []int64, from []int32,
	f func(id int64, seq int, chunk []byte) error,
) error {
	rows, err := tx.Query(ctx, "SELECT v.bucket, v.seq, v.chunk "+
		"FROM unnest($1::bigint[], $2::integer[]) AS n(bucket, seq) JOIN "+VisitorTable(day)+
		" AS v ON v.bucket = n.bucket AND v.seq >= n.seq ORDER BY v.bucket, v.seq", ids, from)
	if err != nil {
		return err
	}
	var id int64
	var seq int32
	var chunk pgtype.DriverBytes
	_, err = pgx.ForEachRow(rows, []any{&id, &seq, &chunk},
		func() error { return f(id, int(seq), chunk) })
	return err
}

// chunks are columns of chunks that have changed.
type chunks struct {
	buckets []int64
	seqs    []int32
	bytes   [][]byte
}

func (c *chunks) save(bucket int64, sets *visitors.Bucket) error {
	return sets.Save(func(seq int, chunk []byte) error {
		c.buckets, c.seqs = append(c.buckets, bucket), append(c.seqs, int32(seq))
		c.bytes = append(c.bytes, chunk)
		return nil
	})
}

func (c *chunks) write(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, day terse.Day) error {
	if len(c.seqs) == 0 {
		return nil
	}
	_, err := d.Insert(ctx, tx, VisitorTable(day)+" (bucket, seq, chunk)",
		"ON CONFLICT (bucket, seq) DO UPDATE SET chunk = excluded.chunk",
		c.buckets, c.seqs, c.bytes)
	return err
}

// ClearVisitors forgets the visitors of a link. It has to come before the link's row is locked.
func ClearVisitors(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, link terse.LinkID) error {
	rows, err := tx.Query(ctx, "SELECT day FROM visitor_days WHERE kept ORDER BY day FOR SHARE")
	if err != nil {
		return err
	}
	days, err := pgx.CollectRows(rows, pgx.RowTo[terse.Day])
	for _, day := range days {
		if err == nil {
			err = clearVisitors(ctx, tx, d, day, link)
		}
	}
	return err
}

func clearVisitors(
	ctx context.Context, tx pgx.Tx, d *dialect.Dialect, day terse.Day, link terse.LinkID,
) error {
	ids := []int64{int64(link) >> bucketBits}
	if _, err := lockVisitors(ctx, tx, day, ids); err != nil {
		return err
	}
	var log [][]byte
	before := &visitors.Bucket{}
	if err := eachChunk(ctx, tx, day, ids, []int32{0}, func(_ int64, seq int, chunk []byte) error {
		log = append(log, slices.Clone(chunk))
		return before.Load(seq, chunk)
	}); err != nil || len(log) == 0 {
		return err
	}
	without, err := before.Without(uint8(link), log)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM "+VisitorTable(day)+" WHERE bucket = $1 AND seq >= 0",
		ids[0]); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE "+VisitorTable(day)+" SET chunk = $2 "+
		"WHERE bucket = $1 AND seq = -1", ids[0], newVersion()); err != nil {
		return err
	}
	var changed chunks
	if err := changed.save(ids[0], without); err != nil {
		return err
	}
	return changed.write(ctx, tx, d, day)
}
