package rows

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse/internal/click/clickstore"
)

// table holds the statements of a table. Their parameters are the part of a key as $1, A as $2, and
// B as $3, or the bounds of B as $3 and $4. scan also takes the bounds of a span as $5 and $6.
// Statements for many keys take arrays of A and of the bounds of B.
type table struct {
	name string
	// Rewritten rows are upserted, others deleted and copied.
	rewritten bool

	get, scan, sizes, old              string
	scanMany, sizeMany, remove, upsert string
}

var tables = [clickstore.NumTables]table{
	clickstore.Totals:       newTable("totals", true),
	clickstore.Level0:       newTable("level0", false),
	clickstore.Level1:       newTable("level1", false),
	clickstore.Level2:       newTable("level2", false),
	clickstore.Days:         newTable("day_counts", true),
	clickstore.Months:       newTable("month_counts", true),
	clickstore.Dropped:      newTable("dropped_counts", true),
	clickstore.VisitorsEven: newTable("visitor_hashes_even", false),
	clickstore.VisitorsOdd:  newTable("visitor_hashes_odd", false),
}

// columns are the columns of all tables.
var columns = []string{"part", "a", "b", "first", "last", "value"}

const replace = " ON CONFLICT (part, a, b) DO UPDATE " +
	"SET first = excluded.first, last = excluded.last, value = excluded.value"

func newTable(name string, rewritten bool) table {
	const (
		within = " WHERE part = $1 AND a = $2 AND b BETWEEN $3 AND $4"
		many   = "unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS r (a, lo, hi)"
		each   = " WHERE t.part = $1 AND t.a = r.a AND t.b BETWEEN r.lo AND r.hi"
	)
	// OFFSET 0 keeps the server from joining, for which it walks a part while it has no statistics
	// of a table that has just grown. So each range is looked up by the key.
	eachOf := func(value string) string {
		return "SELECT t.* FROM " + many + ", LATERAL (SELECT t.a, t.b, t.first, t.last, " +
			"octet_length(t.value), " + value + " FROM " + name + " AS t" + each +
			" OFFSET 0) AS t"
	}
	return table{
		name: name, rewritten: rewritten,
		get: "SELECT value FROM " + name + " WHERE part = $1 AND a = $2 AND b = $3",
		scan: "SELECT b, first, last, value FROM " + name + within +
			" AND first <= $6 AND last >= $5 ORDER BY b",
		sizes: "SELECT b, first, last, octet_length(value) FROM " + name + within + " ORDER BY b",
		old: "SELECT DISTINCT a FROM " + name +
			" WHERE part = $1 AND a > $2 AND first < $3 ORDER BY a LIMIT $4",
		scanMany: eachOf("t.value"),
		sizeMany: eachOf("NULL::bytea"),
		remove:   "DELETE FROM " + name + " AS t USING " + many + each,
		upsert: "INSERT INTO " + name + " SELECT $1::smallint, * FROM unnest($2::bigint[], " +
			"$3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[])" + replace,
	}
}

// Parts is the number of parts of the tables: enough to spread over many workers, and few enough
// that a batch, which reads and writes most of them, needs few statements.
const Parts = 32

func partOf(t clickstore.Table, a int64) int16 {
	return int16(clickstore.PartOf(t, a, Parts))
}

// Reader reads the rows in a snapshot. Even on Citus, all rows of a link are of the same moment.
type Reader struct {
	// ctx is the context of the transaction, because clickstore passes none.
	ctx context.Context
	tx  pgx.Tx
}

var _ clickstore.Reader = (*Reader)(nil)

// NewReader returns a Reader in a transaction, which must be REPEATABLE READ and READ ONLY. It
// reads until ctx ends.
func NewReader(ctx context.Context, tx pgx.Tx) *Reader { return &Reader{ctx, tx} }

// Get implements clickstore.Reader.
func (r *Reader) Get(t clickstore.Table, k clickstore.Key, f func(v []byte) error) error {
	var v pgtype.DriverBytes // in the memory of pgx
	rows, _ := r.tx.Query(r.ctx, tables[t].get, partOf(t, k.A), k.A, k.B)
	_, err := pgx.ForEachRow(rows, []any{&v}, func() error { return f(v) })
	return err
}

// Scan implements clickstore.Reader.
func (r *Reader) Scan(g clickstore.Range, within clickstore.Span,
	f func(b int64, s clickstore.Span, v []byte) error,
) error {
	var b int64
	var s clickstore.Span
	var v pgtype.DriverBytes
	rows, _ := r.tx.Query(r.ctx, tables[g.Table].scan, partOf(g.Table, g.A), g.A, g.From, g.To,
		within.First, within.Last)
	_, err := pgx.ForEachRow(rows, []any{&b, &s.First, &s.Last, &v},
		func() error { return f(b, s, v) })
	return err
}

// ranges holds ranges in columns.
type ranges struct{ as, from, to []int64 }

func (r *ranges) add(a int64, b bounds) {
	r.as, r.from, r.to = append(r.as, a), append(r.from, b.from), append(r.to, b.to)
}

// rangesAtOnce bounds the ranges that are sent together.
const rangesAtOnce = 1 << 14

// ScanMany implements clickstore.Reader. It sends one statement for each part, all together. Rows
// that have arrived are passed on, so they take no memory.
func (r *Reader) ScanMany(t clickstore.Table, all []clickstore.Range,
	f func(k clickstore.Key, v []byte) error,
) error {
	for some := range slices.Chunk(all, rangesAtOnce) {
		var wanted [Parts]ranges
		for _, g := range some {
			wanted[partOf(t, g.A)].add(g.A, bounds{g.From, g.To})
		}
		batch := &pgx.Batch{}
		for part, of := range wanted {
			if of.as == nil {
				continue
			}
			batch.Queue(tables[t].scanMany, int16(part), of.as, of.from, of.to).Query(
				func(rows pgx.Rows) error {
					var k clickstore.Key
					var s clickstore.Span
					var bytes int
					var v pgtype.DriverBytes
					_, err := pgx.ForEachRow(rows,
						[]any{&k.A, &k.B, &s.First, &s.Last, &bytes, &v},
						func() error { return f(k, v) })
					return err
				})
		}
		if err := r.tx.SendBatch(r.ctx, batch).Close(); err != nil {
			return err
		}
	}
	return nil
}

// bucketsAtOnce bounds the rows of totals in memory, each of a few KB at most.
const bucketsAtOnce = 1 << 10

// Buckets implements clickstore.Reader. It sends one statement for each part, all together: a
// statement without the part could not use the key.
func (r *Reader) Buckets(buckets []int64, f func(bucket int64, v []byte) error) error {
	for some := range slices.Chunk(buckets, bucketsAtOnce) {
		values, err := r.totalsOf(some)
		if err != nil {
			return err
		}
		for _, a := range some {
			if v, has := values[a]; has {
				if err := f(a, v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// totalsOf returns the totals of buckets.
func (r *Reader) totalsOf(buckets []int64) (values map[int64][]byte, err error) {
	var wanted [Parts][]int64
	for _, a := range buckets {
		part := partOf(clickstore.Totals, a)
		wanted[part] = append(wanted[part], a)
	}
	values = make(map[int64][]byte, len(buckets))
	batch := &pgx.Batch{}
	for part, as := range wanted {
		if as == nil {
			continue
		}
		batch.Queue("SELECT a, value FROM totals WHERE part = $1 AND a = ANY($2)",
			int16(part), as).Query(func(rows pgx.Rows) error {
			var a int64
			var v []byte
			_, err := pgx.ForEachRow(rows, []any{&a, &v}, func() error {
				values[a] = v
				return nil
			})
			return err
		})
	}
	return values, r.tx.SendBatch(r.ctx, batch).Close()
}

// Sizes implements clickstore.Reader.
func (r *Reader) Sizes(g clickstore.Range,
	f func(b int64, s clickstore.Span, bytes int) error,
) error {
	var b int64
	var s clickstore.Span
	var bytes int
	rows, _ := r.tx.Query(r.ctx, tables[g.Table].sizes, partOf(g.Table, g.A), g.A, g.From, g.To)
	_, err := pgx.ForEachRow(rows, []any{&b, &s.First, &s.Last, &bytes},
		func() error { return f(b, s, bytes) })
	return err
}
