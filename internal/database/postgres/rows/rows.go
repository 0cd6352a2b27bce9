// Package rows stores the rows of package clickstore in a PostgreSQL database, and runs the
// transactions that write them.
//
// It makes no decisions about clicks or links. Rows reads and writes in a transaction, which Writer
// begins under a lock that all nodes share. Reader reads in a snapshot.
//
// The error of Query is ignored where its rows are read: they report it, too (see pgx.Rows.Err).
package rows

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"terse/internal/click/clickstore"
)

// maxBytes bounds the memory of Rows. Beyond it, Rows writes its changes, empties its memory, and
// reads rows again when they are needed.
const maxBytes = 16 << 20

// rowOverhead is the approximate memory of a row without its value, and ofOverhead that of an A
// without its rows.
const (
	rowOverhead = 128
	ofOverhead  = 256
)

// Rows implements clickstore.Rows in a transaction. It keeps prefetched and changed rows in memory,
// up to maxBytes. Reads of any other rows are queries.
type Rows struct {
	reader Reader
	guards *guards                                 // nil: not on Citus
	limit  int                                     // of bytes: maxBytes, less in tests
	bytes  int                                     // in memory
	tables [clickstore.NumTables]map[int64]*rowsOf // by A
}

var _ clickstore.Rows = (*Rows)(nil)

// rowsOf holds the known rows of a table with one A. There may be tens of thousands, the counts of
// years, which are read and deleted a day at a time: whatever looks at some of them must not look
// at all.
type rowsOf struct {
	rows []*row // by B
	// known are the numbers for which rows is complete.
	known set
	// deleted are the numbers to delete before rows are written. They are known.
	deleted set
}

// row is a row in memory.
type row struct {
	b       int64
	span    clickstore.Span
	bytes   int    // of the value
	value   []byte // nil: only its size is known
	changed bool   // not written yet
}

// NewSnapshot returns the Rows of a transaction as NewReader needs it. They must not be changed.
func NewSnapshot(ctx context.Context, tx pgx.Tx) *Rows { return newRows(ctx, tx, nil) }

func newRows(ctx context.Context, tx pgx.Tx, g *guards) *Rows {
	r := &Rows{reader: Reader{ctx, tx}, guards: g, limit: maxBytes}
	r.forget()
	return r
}

func (r *Rows) forget() {
	r.bytes = 0
	for t := range r.tables {
		r.tables[t] = map[int64]*rowsOf{}
	}
}

// of returns the rows with an A.
func (r *Rows) of(t clickstore.Table, a int64) *rowsOf {
	k := r.tables[t][a]
	if k == nil {
		k = &rowsOf{}
		r.tables[t][a] = k
		r.bytes += ofOverhead
	}
	return k
}

// find returns where the row with a number is, or would be, and whether it is in memory.
func (k *rowsOf) find(b int64) (at int, found bool) {
	return slices.BinarySearchFunc(k.rows, b, func(r *row, b int64) int {
		return cmp.Compare(r.b, b)
	})
}

// in returns the rows in memory whose numbers are within bounds, in their order.
func (k *rowsOf) in(within bounds) []*row {
	from, _ := k.find(within.from)
	to, found := k.find(within.to)
	if found {
		to++
	}
	return k.rows[from:max(from, to)]
}

// keep stores a row in memory, in place of one with the same key.
func (r *Rows) keep(k *rowsOf, fresh *row) {
	at, found := k.find(fresh.b)
	if found {
		r.bytes -= rowOverhead + len(k.rows[at].value)
		k.rows[at] = fresh
	} else {
		k.rows = slices.Insert(k.rows, at, fresh)
	}
	r.bytes += rowOverhead + len(fresh.value)
}

// Get implements clickstore.Reader.
func (r *Rows) Get(t clickstore.Table, key clickstore.Key, f func(v []byte) error) error {
	k := r.of(t, key.A)
	at, found := k.find(key.B)
	switch {
	case found && k.rows[at].value != nil:
		return f(k.rows[at].value)
	case !found && k.known.has(bounds{key.B, key.B}):
		return nil
	}
	if err := r.guards.take(&r.reader, partOf(t, key.A)); err != nil {
		return err
	}
	return r.reader.Get(t, key, f)
}

// Scan implements clickstore.Reader.
func (r *Rows) Scan(g clickstore.Range, within clickstore.Span,
	f func(b int64, s clickstore.Span, v []byte) error,
) error {
	k := r.of(g.Table, g.A)
	if !k.has(bounds{g.From, g.To}, true) {
		if err := r.ready(g); err != nil {
			return err
		}
		return r.reader.Scan(g, within, f)
	}
	for _, row := range k.in(bounds{g.From, g.To}) {
		if row.span.First > within.Last || row.span.Last < within.First {
			continue
		}
		if err := f(row.b, row.span, row.value); err != nil {
			return err
		}
	}
	return nil
}

// ScanMany implements clickstore.Reader.
func (r *Rows) ScanMany(_ clickstore.Table, ranges []clickstore.Range,
	f func(k clickstore.Key, v []byte) error,
) error {
	return clickstore.ScanEach(r, ranges, f)
}

// Buckets implements clickstore.Reader.
func (r *Rows) Buckets(buckets []int64, f func(bucket int64, v []byte) error) error {
	for _, a := range buckets {
		err := r.Get(clickstore.Totals, clickstore.Key{A: a},
			func(v []byte) error { return f(a, v) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Sizes implements clickstore.Reader.
func (r *Rows) Sizes(g clickstore.Range,
	f func(b int64, s clickstore.Span, bytes int) error,
) error {
	k := r.of(g.Table, g.A)
	if !k.has(bounds{g.From, g.To}, false) {
		if err := r.ready(g); err != nil {
			return err
		}
		return r.reader.Sizes(g, f)
	}
	for _, row := range k.in(bounds{g.From, g.To}) {
		if err := f(row.b, row.span, row.bytes); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether all rows within bounds are in memory, with their values if values is set.
func (k *rowsOf) has(within bounds, values bool) bool {
	return k.known.has(within) && !(values && slices.ContainsFunc(k.in(within),
		func(r *row) bool { return r.value == nil }))
}

// ready prepares a query for a range: the database must have all changes of its rows.
func (r *Rows) ready(g clickstore.Range) error {
	if r.of(g.Table, g.A).changed(bounds{g.From, g.To}) {
		return r.Flush()
	}
	return r.guards.take(&r.reader, partOf(g.Table, g.A))
}

// changed reports whether a row within bounds was put or deleted, but not written yet.
func (k *rowsOf) changed(within bounds) bool {
	return k.deleted.overlaps(within) ||
		slices.ContainsFunc(k.in(within), func(r *row) bool { return r.changed })
}

// Put implements clickstore.Rows.
func (r *Rows) Put(t clickstore.Table, key clickstore.Key, s clickstore.Span, v []byte) error {
	r.keep(r.of(t, key.A), &row{
		b: key.B, span: s, bytes: len(v), value: append([]byte{}, v...), changed: true,
	})
	return r.spill(r.limit)
}

// Delete implements clickstore.Rows.
func (r *Rows) Delete(g clickstore.Range) error {
	if g.From > g.To {
		return nil
	}
	k, within := r.of(g.Table, g.A), bounds{g.From, g.To}
	gone := k.in(within)
	for _, row := range gone {
		r.bytes -= rowOverhead + len(row.value)
	}
	if len(gone) > 0 {
		at, _ := k.find(gone[0].b)
		k.rows = slices.Delete(k.rows, at, at+len(gone))
	}
	k.deleted.add(within)
	k.known.add(within)
	return r.spill(r.limit)
}

// spill flushes and empties the memory if it holds more than most bytes.
func (r *Rows) spill(most int) error {
	if r.bytes <= most {
		return nil
	}
	err := r.Flush()
	r.forget()
	return err
}

// Parts implements clickstore.Rows.
func (r *Rows) Parts() int { return Parts }

// Old implements clickstore.Rows.
func (r *Rows) Old(t clickstore.Table, part int, after, before int64, most int,
	f func(a int64),
) (to int64, done bool, err error) {
	if err := r.guards.take(&r.reader, int16(part)); err != nil {
		return after, false, err
	}
	if err := r.Flush(); err != nil {
		return after, false, err
	}
	var a int64
	n := 0
	rows, _ := r.reader.tx.Query(r.reader.ctx, tables[t].old, int16(part), after, before, most)
	_, err = pgx.ForEachRow(rows, []any{&a}, func() error {
		f(a)
		after, n = a, n+1
		return nil
	})
	return after, n < most, err
}

// Prefetch implements clickstore.Rows. It reads rows into memory, with one statement for each part
// of a table, all sent together. Rows that do not fit are discarded as they arrive, and read again
// when they are needed.
func (r *Rows) Prefetch(values, sizes []clickstore.Range) error {
	if err := r.spill(r.limit / 2); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	parts := append(r.queueAll(batch, values, true), r.queueAll(batch, sizes, false)...)
	if err := r.guards.take(&r.reader, parts...); err != nil {
		return err
	}
	return r.send(batch)
}

// queueAll queues the statements that fetch ranges, with their values if values is set, and returns
// the parts of the ranges.
func (r *Rows) queueAll(batch *pgx.Batch, all []clickstore.Range, values bool) (parts []int16) {
	var wanted [clickstore.NumTables][Parts]ranges
	for _, g := range all {
		b := bounds{g.From, g.To}
		if g.From <= g.To && !r.of(g.Table, g.A).has(b, values) {
			wanted[g.Table][partOf(g.Table, g.A)].add(g.A, b)
		}
	}
	for t := range wanted {
		for part := range int16(Parts) {
			if of := &wanted[t][part]; of.as != nil {
				r.queue(batch, clickstore.Table(t), part, of, values)
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// queue queues the statement that fetches ranges of a part.
func (r *Rows) queue(batch *pgx.Batch, t clickstore.Table, part int16, wanted *ranges,
	values bool,
) {
	sql := tables[t].sizeMany
	if values {
		sql = tables[t].scanMany
	}
	batch.Queue(sql, part, wanted.as, wanted.from, wanted.to).Query(func(rows pgx.Rows) error {
		var a int64
		var read row
		full := false
		_, err := pgx.ForEachRow(rows,
			[]any{&a, &read.b, &read.span.First, &read.span.Last, &read.bytes, &read.value},
			func() error {
				// Leave room for rows that will be written.
				full = full || r.bytes+rowOverhead+len(read.value) > r.limit/4*3
				if !full {
					r.found(t, a, read)
				}
				return nil
			})
		if full || err != nil {
			return err
		}
		for i, a := range wanted.as {
			r.of(t, a).known.add(bounds{wanted.from[i], wanted.to[i]})
		}
		return nil
	})
}

// found stores a row that was read, unless it was deleted or memory already holds as much of it.
func (r *Rows) found(t clickstore.Table, a int64, read row) {
	k := r.of(t, a)
	at, found := k.find(read.b)
	if !found && !k.known.has(bounds{read.b, read.b}) ||
		found && k.rows[at].value == nil && read.value != nil {
		r.keep(k, &read)
	}
}

// send sends statements together, and reads all answers.
func (r *Rows) send(batch *pgx.Batch) error {
	if batch.Len() == 0 {
		return nil
	}
	return r.reader.tx.SendBatch(r.reader.ctx, batch).Close()
}

// Flush writes all puts and deletes. It is called before the transaction is committed. Deletes and
// upserts are sent together, one statement for each part of a table. Then the other rows are
// copied, with one COPY for each table.
//
// No time-out of the server ends a connection that falls silent during a COPY, so all its rows are
// in memory before it begins.
func (r *Rows) Flush() error {
	batch := &pgx.Batch{}
	var parts []int16
	var copies [clickstore.NumTables][][]any
	for t := range clickstore.NumTables {
		removed, written := r.takeChanges(t)
		for part := range int16(Parts) {
			if removed[part].as == nil && written[part] == nil {
				continue
			}
			parts = append(parts, part)
			if g := removed[part]; g.as != nil {
				batch.Queue(tables[t].remove, part, g.as, g.from, g.to)
			}
			if tables[t].rewritten {
				r.upsert(batch, t, part, written[part])
				continue
			}
			for _, n := range written[part] {
				copies[t] = append(copies[t],
					[]any{part, n.a, n.b, n.span.First, n.span.Last, n.value})
			}
		}
	}
	if err := r.guards.take(&r.reader, parts...); err != nil {
		return err
	}
	if err := r.send(batch); err != nil {
		return err
	}
	for t, rows := range copies {
		if rows == nil {
			continue
		}
		if _, err := r.reader.tx.CopyFrom(r.reader.ctx, pgx.Identifier{tables[t].name}, columns,
			pgx.CopyFromRows(rows)); err != nil {
			return err
		}
	}
	return nil
}

// numbered is a row with its A.
type numbered struct {
	a int64
	*row
}

// takeChanges returns the changes of a table by part: ranges to delete and rows to write. They then
// count as written.
func (r *Rows) takeChanges(t clickstore.Table) (
	removed [Parts]ranges, written [Parts][]numbered,
) {
	for a, k := range r.tables[t] {
		part := partOf(t, a)
		for _, b := range k.deleted {
			removed[part].add(a, b)
		}
		k.deleted = nil
		for _, row := range k.rows {
			if !row.changed {
				continue
			}
			row.changed = false
			written[part] = append(written[part], numbered{a, row})
			if !tables[t].rewritten { // an earlier version may exist
				removed[part].add(a, bounds{row.b, row.b})
			}
		}
	}
	for _, rows := range written { // so that neighbours go to the same page
		slices.SortFunc(rows, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
		})
	}
	return removed, written
}

// upsert queues the statements that write rows of one part.
func (r *Rows) upsert(batch *pgx.Batch, t clickstore.Table, part int16, rows []numbered) {
	if r.guards != nil {
		upsertValues(batch, t, part, rows)
		return
	}
	if len(rows) == 0 {
		return
	}
	var as, bs, first, last []int64
	var values [][]byte
	for _, n := range rows {
		as, bs = append(as, n.a), append(bs, n.b)
		first, last = append(first, n.span.First), append(last, n.span.Last)
		values = append(values, n.value)
	}
	batch.Queue(tables[t].upsert, part, as, bs, first, last, values)
}

// maxTuples bounds the rows of VALUES. Their number is a power of two, so that few statements are
// prepared.
const maxTuples = 64

// upsertValues is upsert on Citus, where INSERT … SELECT takes three times as long.
func upsertValues(batch *pgx.Batch, t clickstore.Table, part int16, rows []numbered) {
	for n := maxTuples; len(rows) > 0; {
		for n > len(rows) {
			n /= 2
		}
		args := []any{part}
		tuples := make([]string, n)
		for i, of := range rows[:n] {
			at := len(args)
			args = append(args, of.a, of.b, of.span.First, of.span.Last, of.value)
			tuples[i] = "($1"
			for j := range 5 {
				tuples[i] += ",$" + strconv.Itoa(at+j+1)
			}
			tuples[i] += ")"
		}
		batch.Queue("INSERT INTO "+tables[t].name+" VALUES "+strings.Join(tuples, ",")+replace,
			args...)
		rows = rows[n:]
	}
}
