// Package rows keeps the rows of package clickstore in a PostgreSQL database, and runs the
// transactions in which they are written.
//
// It decides nothing about clicks or links. Rows are those of one transaction, which Writer begins
// under a lock that all nodes take. A Reader are those of a snapshot.
//
// The error of Query is not looked at where its rows are read: they report it themselves (see
// pgx.Rows.Err).
package rows

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"terse/internal/clickstore"
)

// maxBytes bounds what Rows keep in memory. A batch of 262,144 clicks of as many links needs half
// of it. What is beyond is written, and read again where it is asked for.
const maxBytes = 16 << 20

// rowBytes is what a row takes in memory beside its value, and ofBytes what those with one A take
// beside the rows.
const (
	rowBytes = 128
	ofBytes  = 256
)

// Rows are clickstore.Rows in a transaction: what was fetched and what is to be written is in
// memory, up to maxBytes. Reads of what was not fetched are queries.
type Rows struct {
	reader Reader
	guards *guards // nil: it is not Citus
	limit  int     // maxBytes
	bytes  int     // in memory
	// ahead are to be fetched when the first of them is asked for; perRange is how many bytes those
	// before them took.
	ahead    []clickstore.Range
	perRange int
	tables   [clickstore.NumTables]map[int64]*rowsOf
}

var _ clickstore.Rows = (*Rows)(nil)

// rowsOf is what is known of the rows of a table with one A.
type rowsOf struct {
	rows map[int64]*row // by B
	// All rows of sized are in rows, and those of known have their values, too.
	sized, known set
	// deleted are the rows to be deleted before those in rows are written. They are known.
	deleted set
}

// row is a row in memory.
type row struct {
	span   clickstore.Span
	bytes  int // of the value
	value  []byte
	loaded bool // has the value
	// changed rows are to be written; stored ones may be in the database.
	changed, stored bool
}

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

// nothing is known of rows.
var nothing = &rowsOf{}

// look returns what is known of the rows with an A. It is not to be changed.
func (r *Rows) look(t clickstore.Table, a int64) *rowsOf {
	return cmp.Or(r.tables[t][a], nothing)
}

// of returns what is known of the rows with an A, for more to be noted.
func (r *Rows) of(t clickstore.Table, a int64) *rowsOf {
	k := r.tables[t][a]
	if k == nil {
		k = &rowsOf{rows: map[int64]*row{}}
		r.tables[t][a] = k
		r.bytes += ofBytes
	}
	return k
}

// keep keeps a row, in the place of the one that has its key.
func (r *Rows) keep(k *rowsOf, b int64, fresh *row) {
	r.drop(k, b)
	k.rows[b] = fresh
	r.bytes += rowBytes + len(fresh.value)
}

func (r *Rows) drop(k *rowsOf, b int64) {
	if old := k.rows[b]; old != nil {
		r.bytes -= rowBytes + len(old.value)
		delete(k.rows, b)
	}
}

// lose forgets the rows with an A, which are written.
func (r *Rows) lose(t clickstore.Table, a int64) {
	k := r.tables[t][a]
	for b := range k.rows {
		r.drop(k, b)
	}
	delete(r.tables[t], a)
	r.bytes -= ofBytes
}

// Get is that of clickstore.Reader.
func (r *Rows) Get(t clickstore.Table, key clickstore.Key, f func(v []byte) error) error {
	if err := r.reach(clickstore.Range{Table: t, A: key.A, From: key.B, To: key.B}); err != nil {
		return err
	}
	k := r.look(t, key.A)
	found := k.rows[key.B]
	switch {
	case found != nil && found.loaded:
		return f(found.value)
	case found == nil && k.sized.has(bounds{key.B, key.B}):
		return nil
	}
	if err := r.guards.take(&r.reader, partOf(t, key.A)); err != nil {
		return err
	}
	return r.reader.Get(t, key, f)
}

// Scan is that of clickstore.Reader.
func (r *Rows) Scan(g clickstore.Range, within clickstore.Span,
	f func(b int64, s clickstore.Span, v []byte) error,
) error {
	if err := r.reach(g); err != nil {
		return err
	}
	k := r.look(g.Table, g.A)
	if !k.known.has(bounds{g.From, g.To}) {
		if err := r.ready(g); err != nil {
			return err
		}
		return r.reader.Scan(g, within, f)
	}
	for _, b := range k.in(g) {
		row := k.rows[b]
		if row.span.First > within.Last || row.span.Last < within.First {
			continue
		}
		if err := f(b, row.span, row.value); err != nil {
			return err
		}
	}
	return nil
}

// Buckets is that of clickstore.Reader.
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

// Sizes is that of clickstore.Reader. It keeps what it reads.
func (r *Rows) Sizes(g clickstore.Range,
	f func(b int64, s clickstore.Span, bytes int) error,
) error {
	if err := r.fetch([]clickstore.Range{g}, false); err != nil {
		return err
	}
	k := r.look(g.Table, g.A)
	if !k.sized.has(bounds{g.From, g.To}) { // there is no room
		if err := r.ready(g); err != nil {
			return err
		}
		return r.reader.Sizes(g, f)
	}
	for _, b := range k.in(g) {
		if err := f(b, k.rows[b].span, k.rows[b].bytes); err != nil {
			return err
		}
	}
	return nil
}

// in returns the keys of a range in their order.
func (k *rowsOf) in(g clickstore.Range) []int64 {
	var bs []int64
	for b := range k.rows {
		if b >= g.From && b <= g.To {
			bs = append(bs, b)
		}
	}
	slices.Sort(bs)
	return bs
}

// ready has the database know what a query for a range has to find.
func (r *Rows) ready(g clickstore.Range) error {
	if err := r.guards.take(&r.reader, partOf(g.Table, g.A)); err != nil {
		return err
	}
	if !r.look(g.Table, g.A).changed() {
		return nil
	}
	return r.flush(g.Table)
}

// Put is that of clickstore.Rows.
func (r *Rows) Put(t clickstore.Table, key clickstore.Key, s clickstore.Span, v []byte) error {
	k := r.of(t, key.A)
	// A row that is not there, or is to be deleted, needs no delete before it is copied.
	stored := !k.sized.has(bounds{key.B, key.B})
	if old := k.rows[key.B]; old != nil {
		stored = old.stored
	}
	r.keep(k, key.B, &row{
		span: s, bytes: len(v), value: append([]byte{}, v...),
		loaded: true, changed: true, stored: stored,
	})
	return r.shrink()
}

// Delete is that of clickstore.Rows.
func (r *Rows) Delete(g clickstore.Range) error {
	if g.From > g.To {
		return nil
	}
	k, b := r.of(g.Table, g.A), bounds{g.From, g.To}
	stored := !k.sized.has(b)
	for _, b := range k.in(g) {
		stored = stored || k.rows[b].stored
		r.drop(k, b)
	}
	if stored {
		k.deleted.add(b)
	}
	k.sized.add(b)
	k.known.add(b)
	return r.shrink()
}

// shrink writes what is to be written, and forgets that, when too much is in memory. What was
// fetched stays for whoever asks for it.
func (r *Rows) shrink() error {
	if r.bytes <= r.limit {
		return nil
	}
	return r.release((*rowsOf).changed)
}

// release writes what is to be written, and forgets some of what is in memory.
func (r *Rows) release(some func(*rowsOf) bool) error {
	var gone [clickstore.NumTables][]int64
	for t := range r.tables {
		for a, k := range r.tables[t] {
			if some(k) {
				gone[t] = append(gone[t], a)
			}
		}
	}
	if err := r.Flush(); err != nil {
		return err
	}
	for t, as := range gone {
		for _, a := range as {
			r.lose(clickstore.Table(t), a)
		}
	}
	if r.bytes > r.limit/4*3 {
		r.forget()
	}
	return nil
}

// changed reports whether something is to be written.
func (k *rowsOf) changed() bool {
	for _, row := range k.rows {
		if row.changed {
			return true
		}
	}
	return k.deleted != nil
}

// loaded reports whether there are values.
func (k *rowsOf) loaded() bool {
	for _, row := range k.rows {
		if row.loaded {
			return true
		}
	}
	return k.deleted != nil
}

// Parts is that of clickstore.Rows.
func (r *Rows) Parts() int { return Parts }

// Old is that of clickstore.Rows.
func (r *Rows) Old(t clickstore.Table, part int, after, before int64, most int,
	f func(a int64),
) error {
	if err := r.guards.take(&r.reader, int16(part)); err != nil {
		return err
	}
	if err := r.flush(t); err != nil {
		return err
	}
	var a int64
	rows, _ := r.reader.tx.Query(r.reader.ctx, tables[t].old, int16(part), after, before, most)
	_, err := pgx.ForEachRow(rows, []any{&a}, func() error {
		f(a)
		return nil
	})
	return err
}

// place is where some rows are: in one part of a table.
type place struct {
	table clickstore.Table
	part  int16
}

func compare(a, b place) int {
	return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.part, b.part))
}

// ranges are columns of ranges.
type ranges struct{ as, from, to []int64 }

func (r *ranges) add(a int64, b bounds) {
	r.as, r.from, r.to = append(r.as, a), append(r.from, b.from), append(r.to, b.to)
}

// Prefetch is that of clickstore.Rows. As much as fits is fetched at once, and the rest when the
// first of it is asked for, which had better be in this order.
func (r *Rows) Prefetch(all []clickstore.Range) error {
	r.ahead = slices.Clone(all)
	return r.fill()
}

// PrefetchSizes is that of clickstore.Rows.
func (r *Rows) PrefetchSizes(all []clickstore.Range) error { return r.fetch(all, false) }

// Bounds of the ranges that fill fetches together: many, because each time takes a statement for
// each part, and so few at first that their size tells how many fit.
const (
	fewRanges  = 512
	manyRanges = 1 << 13
)

// fill fetches what is ahead until memory is nearly half full: the other half is for writes.
func (r *Rows) fill() error {
	for len(r.ahead) > 0 && r.bytes < r.limit/4 {
		n := fewRanges
		if r.perRange > 0 {
			n = min(max(1, (r.limit/2-r.bytes)/r.perRange), manyRanges)
		}
		some := r.ahead[:min(n, len(r.ahead))]
		before := r.bytes
		if err := r.fetch(some, true); err != nil {
			return err
		}
		// Those behind the first that did not fit are fetched again: they are read together.
		fetched := slices.IndexFunc(some, func(g clickstore.Range) bool {
			return !r.look(g.Table, g.A).known.has(bounds{g.From, g.To})
		})
		switch fetched {
		case -1:
			fetched = len(some)
			r.perRange = max(1, (r.bytes-before)/fetched)
			r.ahead = r.ahead[fetched:]
			continue
		case 0: // it is read when it is asked for
			r.ahead = r.ahead[1:]
		default:
			r.ahead = r.ahead[fetched:]
		}
		r.perRange = max(1, r.limit/len(some)) // fewer the next time
		return nil
	}
	return nil
}

// reach fetches a range that is ahead, and some behind it, in the place of those before. What it
// passes over is not ahead any more: so nothing is fetched twice, in whatever order it is read.
func (r *Rows) reach(g clickstore.Range) error {
	if r.look(g.Table, g.A).known.has(bounds{g.From, g.To}) {
		return nil
	}
	i := slices.IndexFunc(r.ahead, func(in clickstore.Range) bool {
		return in.Table == g.Table && in.A == g.A && in.From <= g.From && g.To <= in.To
	})
	if i < 0 {
		return nil
	}
	if err := r.release((*rowsOf).loaded); err != nil {
		return err
	}
	r.ahead = r.ahead[i:]
	return r.fill()
}

// fetch reads rows into memory, and their values, too, if that is wanted: with one statement for
// each part of a table, all sent together. Rows that do not fit are read when they are asked for.
func (r *Rows) fetch(all []clickstore.Range, values bool) error {
	wanted := map[place]*ranges{}
	for _, g := range all {
		k, b := r.look(g.Table, g.A), bounds{g.From, g.To}
		if g.From > g.To || values && k.known.has(b) || !values && k.sized.has(b) {
			continue
		}
		at := place{g.Table, partOf(g.Table, g.A)}
		if wanted[at] == nil {
			wanted[at] = &ranges{}
		}
		wanted[at].add(g.A, b)
	}
	batch := &pgx.Batch{}
	var parts []int16
	for _, at := range slices.SortedFunc(maps.Keys(wanted), compare) {
		parts = append(parts, at.part)
		r.queue(batch, at, wanted[at], values)
	}
	if err := r.guards.take(&r.reader, parts...); err != nil {
		return err
	}
	return r.send(batch)
}

// queue queues the statement that fetches ranges of a part.
func (r *Rows) queue(batch *pgx.Batch, at place, wanted *ranges, values bool) {
	sql, room := tables[at.table].sizeMany, r.limit
	if values { // what is written needs room, too
		sql, room = tables[at.table].scanMany, r.limit/4*3
	}
	batch.Queue(sql, at.part, wanted.as, wanted.from, wanted.to).Query(func(rows pgx.Rows) error {
		var a, b int64
		var read row
		full := false
		_, err := pgx.ForEachRow(rows,
			[]any{&a, &b, &read.span.First, &read.span.Last, &read.bytes, &read.value},
			func() error {
				full = full || r.bytes+rowBytes+len(read.value) > room
				if !full {
					r.found(at.table, a, b, read, values)
				}
				return nil
			})
		if full || err != nil {
			return err
		}
		for i, a := range wanted.as {
			k, b := r.of(at.table, a), bounds{wanted.from[i], wanted.to[i]}
			k.sized.add(b)
			if values {
				k.known.add(b)
			}
		}
		return nil
	})
}

// found keeps a row that was read, unless there is a newer one.
func (r *Rows) found(t clickstore.Table, a, b int64, read row, values bool) {
	k := r.of(t, a)
	old := k.rows[b]
	if k.known.has(bounds{b, b}) || old != nil && (old.loaded || !values) {
		return
	}
	read.loaded, read.stored = values, true
	r.keep(k, b, &read)
}

// send sends statements together, and reads all of their answers.
func (r *Rows) send(batch *pgx.Batch) error {
	if batch.Len() == 0 {
		return nil
	}
	return r.reader.tx.SendBatch(r.reader.ctx, batch).Close()
}

// allTables are the tables in their order.
var allTables = func() (all [clickstore.NumTables]clickstore.Table) {
	for t := range all {
		all[t] = clickstore.Table(t)
	}
	return all
}()

// Flush writes what was put and deleted. It is called before the transaction is committed.
func (r *Rows) Flush() error {
	return r.flush(allTables[:]...)
}

// flush writes what was put and deleted in some tables: deletes and upserts together, one statement
// for each part of a table, and then new rows, which are copied to each table at once.
//
// No time-out of the server ends a connection that is silent within a COPY, so all of that is in
// memory before it begins.
func (r *Rows) flush(in ...clickstore.Table) error {
	batch := &pgx.Batch{}
	copies := make([][][]any, len(in)) // rows by table
	var parts []int16
	for i, t := range in {
		removed, written := r.changes(t)
		for part := range int16(Parts) {
			if removed[part].as != nil || written[part] != nil {
				parts = append(parts, part)
			}
			if g := removed[part]; g.as != nil {
				batch.Queue(tables[t].remove, part, g.as, g.from, g.to)
			}
			if tables[t].rewritten {
				r.upsert(batch, t, part, written[part])
				continue
			}
			for _, n := range written[part] {
				copies[i] = append(copies[i],
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
	for i, t := range in {
		if copies[i] == nil {
			continue
		}
		if _, err := r.reader.tx.CopyFrom(r.reader.ctx, pgx.Identifier{tables[t].name}, columns,
			pgx.CopyFromRows(copies[i])); err != nil {
			return err
		}
	}
	r.written(in)
	return nil
}

// numbered is a row with its key.
type numbered struct {
	a, b int64
	*row
}

// changes returns what is to be deleted from a table, and what is to be written, by part.
func (r *Rows) changes(t clickstore.Table) (removed [Parts]ranges, written [Parts][]numbered) {
	for a, k := range r.tables[t] {
		part := partOf(t, a)
		for _, b := range k.deleted {
			removed[part].add(a, b)
		}
		for b, row := range k.rows {
			if !row.changed {
				continue
			}
			written[part] = append(written[part], numbered{a, b, row})
			if row.stored && !tables[t].rewritten {
				removed[part].add(a, bounds{b, b})
			}
		}
	}
	for _, rows := range written { // neighbours go to one page
		slices.SortFunc(rows, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
		})
	}
	return removed, written
}

// written notes that the changes of tables are in the database.
func (r *Rows) written(in []clickstore.Table) {
	for _, t := range in {
		for _, k := range r.tables[t] {
			k.deleted = nil
			for _, row := range k.rows {
				row.stored, row.changed = true, false
			}
		}
	}
}

// upsert queues statements that write rows of one part.
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

// maxTuples bounds the rows of VALUES, which are a power of two: so few texts are prepared.
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
