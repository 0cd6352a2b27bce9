package counter

import (
	"cmp"
	"context"
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

// WipeBefore overwrites the sets of days before today that are in memory.
func (c *Counter) WipeBefore(today terse.Day) {
	c.sets.cache.WipeBut([]terse.Day{today, today + 1})
}

// VisitorTable returns the table with the hashes of a day's visitors.
func VisitorTable(day terse.Day) string {
	return [2]string{"visitors_even", "visitors_odd"}[day&1]
}

// keptDay is a day whose visitors are kept.
type keptDay struct {
	Day     terse.Day
	Version int64 // of its hashes: how often all were written again
}

// tellFirsts finds out which clicks of the batch are the first of their visitor. It locks what
// nodes have in common day by day, before any link's row is.
func (a *attempt) tellFirsts(clicks []terse.NumberedClick) error {
	s := &a.sets
	s.firsts = slices.Grow(s.firsts[:0], len(clicks))[:len(clicks)]
	clear(s.firsts)
	days, err := a.keptDays(clicks)
	if err != nil || len(days) == 0 {
		return err
	}
	a.orderLinks()
	for _, day := range days {
		a.findVisits(clicks, day.Day)
		if err := a.lockVisits(day.Day); err != nil {
			return err
		}
		for rest := s.visits; len(rest) > 0; {
			n := someBuckets(rest)
			if err := a.tellSome(clicks, day, rest[:n]); err != nil {
				return fmt.Errorf("visitors of %v: %w", day.Day, err)
			}
			rest = rest[n:]
		}
	}
	return nil
}

// keptDays returns the days of clicks whose visitors are kept, in order, and has them kept until
// the end of the transaction.
func (a *attempt) keptDays(clicks []terse.NumberedClick) ([]keptDay, error) {
	var asked []int32
	last := terse.Day(0)
	for i := range clicks {
		a.step()
		if c := &clicks[i]; c.Visitor != 0 {
			day := terse.DayOf(c.Time)
			if len(asked) == 0 || day != last && !slices.Contains(asked, int32(day)) {
				asked = append(asked, int32(day))
			}
			last = day
		}
	}
	rows, _ := a.tx.Query(a.ctx, `SELECT day, version FROM visitor_days WHERE kept
		ORDER BY day FOR SHARE`)
	kept, err := pgx.CollectRows(rows, pgx.RowToStructByPos[keptDay])
	var days []terse.Day
	for _, k := range kept {
		days = append(days, k.Day)
	}
	a.sets.cache.WipeBut(days)
	return slices.DeleteFunc(kept, func(k keptDay) bool {
		return !slices.Contains(asked, int32(k.Day))
	}), err
}

func (a *attempt) orderLinks() {
	if a.ordered {
		return
	}
	a.ordered = true
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
func (a *attempt) findVisits(clicks []terse.NumberedClick, day terse.Day) {
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

// visitorLocks is how many locks the buckets of a day share. A large batch needs all of them.
const visitorLocks = 64

// visitorLock is the first of two numbers of advisory locks: "visi" in ASCII, and the day's parity.
const visitorLock int32 = 0x76697369

// lockVisits locks the buckets of the visits that were found, against other nodes that count.
func (a *attempt) lockVisits(day terse.Day) error {
	var wanted [visitorLocks]bool
	for _, v := range a.sets.visits {
		wanted[v.bucket%visitorLocks] = true
	}
	var locks []int32
	for i, want := range wanted {
		if want {
			locks = append(locks, int32(i))
		}
	}
	_, err := a.tx.Exec(a.ctx,
		"SELECT pg_advisory_xact_lock($1, lock) FROM unnest($2::integer[]) AS lock",
		visitorLock+int32(day&1), locks)
	return err
}

// tellSome does it for some buckets.
func (a *attempt) tellSome(clicks []terse.NumberedClick, day keptDay, visits []visit) error {
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
	for i, id := range ids {
		a.turn.Yield()
		n := 0
		for ; n < len(visits) && visits[n].bucket == id; n++ {
			c := &clicks[visits[n].index]
			a.sets.firsts[visits[n].index] = open[i].First(uint8(c.Link), c.Visitor)
		}
		visits = visits[n:]
		if err := changed.save(id, open[i]); err != nil {
			return err
		}
		a.sets.cache.Keep(visitors.ID{Day: day.Day, Bucket: id}, open[i])
	}
	a.sets.cache.Trim()
	return changed.write(a.ctx, a.tx, a.dialect, day.Day)
}

// openSets returns buckets as they are in the database.
func (a *attempt) openSets(day keptDay, ids []int64) ([]*visitors.Bucket, error) {
	open, from := make([]*visitors.Bucket, len(ids)), make([]int32, len(ids))
	for i, id := range ids {
		of := a.sets.cache.Get(visitors.ID{Day: day.Day, Bucket: id})
		if of == nil || of.Version != day.Version {
			of = a.sets.cache.New()
			of.Version = day.Version
		}
		open[i], from[i] = of, int32(of.Seq())
	}
	err := eachChunk(a.ctx, a.tx, day.Day, ids, from,
		func(id int64, seq int, chunk []byte) error {
			a.turn.Yield()
			i, _ := slices.BinarySearch(ids, id)
			return open[i].Load(seq, chunk)
		})
	return open, err
}

// eachChunk calls f for each chunk of buckets from a number on, those of a bucket in their order.
func eachChunk(ctx context.Context, tx pgx.Tx, day terse.Day, ids []int64, from []int32,
	f func(id int64, seq int, chunk []byte) error,
) error {
	// To sort all of them takes the planner to reading the whole table.
	rows, _ := tx.Query(ctx, "SELECT v.bucket, v.seq, v.chunk "+
		"FROM unnest($1::bigint[], $2::integer[]) AS n(bucket, seq), LATERAL (SELECT * FROM "+
		VisitorTable(day)+" AS c WHERE c.bucket = n.bucket AND c.seq >= n.seq ORDER BY c.seq) AS v",
		ids, from)
	var id int64
	var seq int32
	var chunk pgtype.DriverBytes
	_, err := pgx.ForEachRow(rows, []any{&id, &seq, &chunk},
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

// ClearVisitors forgets the visitors of a link. It has to come before the link's row is locked. No
// batch is counted until the end of the transaction.
func ClearVisitors(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, link terse.LinkID) error {
	rows, _ := tx.Query(ctx, `SELECT day, version FROM visitor_days WHERE kept
		ORDER BY day FOR UPDATE`)
	days, err := pgx.CollectRows(rows, pgx.RowToStructByPos[keptDay])
	for _, day := range days {
		if err == nil {
			err = clearVisitors(ctx, tx, d, day.Day, link)
		}
	}
	return err
}

func clearVisitors(
	ctx context.Context, tx pgx.Tx, d *dialect.Dialect, day terse.Day, link terse.LinkID,
) error {
	ids := []int64{int64(link) >> bucketBits}
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
	if _, err := tx.Exec(ctx, "DELETE FROM "+VisitorTable(day)+" WHERE bucket = $1",
		ids[0]); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE visitor_days SET version = version + 1 WHERE day = $1",
		int32(day)); err != nil {
		return err
	}
	var changed chunks
	if err := changed.save(ids[0], without); err != nil {
		return err
	}
	return changed.write(ctx, tx, d, day)
}
