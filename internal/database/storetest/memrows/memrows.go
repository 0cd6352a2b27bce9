// Package memrows keeps the rows of package clickstore in memory, for tests. It is fast, can fail
// at any write, and can be inspected. Its Store has links, too, and counts their clicks.
package memrows

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"terse/internal/click/clickstore"
)

// Rows implements clickstore.Rows. One goroutine may change it while no other uses it.
type Rows struct {
	tables [clickstore.NumTables]map[int64][]row // by A, in the order of B
	// FailAfter is the number of writes that succeed before all others fail with ErrFailed; -1: all
	// succeed.
	FailAfter int
	// Writes is the number of writes so far.
	Writes int
	// Looked is how often Old was called.
	Looked int
	// before has what Undo restores: the rows with an A before the first change.
	before map[clickstore.Key][]row // by table and A
}

type row struct {
	b     int64
	span  clickstore.Span
	value []byte // never changed
}

// ErrFailed means that a write failed because of FailAfter.
var ErrFailed = errors.New("memrows: write failed")

// New returns empty Rows.
func New() *Rows {
	r := &Rows{FailAfter: -1}
	for t := range r.tables {
		r.tables[t] = map[int64][]row{}
	}
	return r
}

// Clone returns an independent copy, with which a transaction begins.
func (r *Rows) Clone() *Rows {
	c := New()
	for t := range r.tables {
		for a, rows := range r.tables[t] {
			c.tables[t][a] = slices.Clone(rows)
		}
	}
	return c
}

// Equal reports whether two Rows hold the same rows.
func (r *Rows) Equal(other *Rows) bool {
	for t := range r.tables {
		same := func(a, b row) bool {
			return a.b == b.b && a.span == b.span && slices.Equal(a.value, b.value)
		}
		if !maps.EqualFunc(r.tables[t], other.tables[t], func(a, b []row) bool {
			return slices.EqualFunc(a, b, same)
		}) {
			return false
		}
	}
	return true
}

// Len returns the number of rows of a table.
func (r *Rows) Len(t clickstore.Table) (n int) {
	for _, rows := range r.tables[t] {
		n += len(rows)
	}
	return n
}

// Bytes returns the total size of all values.
func (r *Rows) Bytes() (n int) {
	for t := range r.tables {
		for _, rows := range r.tables[t] {
			for i := range rows {
				n += len(rows[i].value)
			}
		}
	}
	return n
}

// find returns where the row with a number is, or would be, and whether there is one.
func find(rows []row, b int64) (at int, found bool) {
	return slices.BinarySearchFunc(rows, b, func(r row, b int64) int { return cmp.Compare(r.b, b) })
}

// in returns where the rows of a range are.
func (r *Rows) in(g clickstore.Range) (from, to int) {
	rows := r.tables[g.Table][g.A]
	from, _ = find(rows, g.From)
	to, found := find(rows, g.To)
	if found {
		to++
	}
	return from, max(from, to)
}

// pass calls f with a copy of a value, and then overwrites it: f must not keep it.
func pass(value []byte, f func(v []byte) error) error {
	v := slices.Clone(value)
	err := f(v)
	for i := range v {
		v[i] = 0xFF
	}
	return err
}

// Get implements clickstore.Reader.
func (r *Rows) Get(t clickstore.Table, k clickstore.Key, f func(v []byte) error) error {
	rows := r.tables[t][k.A]
	if at, found := find(rows, k.B); found {
		return pass(rows[at].value, f)
	}
	return nil
}

// Scan implements clickstore.Reader.
func (r *Rows) Scan(g clickstore.Range, within clickstore.Span,
	f func(b int64, s clickstore.Span, v []byte) error,
) error {
	from, to := r.in(g)
	for _, row := range r.tables[g.Table][g.A][from:to] {
		if row.span.First > within.Last || row.span.Last < within.First {
			continue
		}
		err := pass(row.value, func(v []byte) error { return f(row.b, row.span, v) })
		if err != nil {
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

// Sizes implements clickstore.Reader.
func (r *Rows) Sizes(g clickstore.Range,
	f func(b int64, s clickstore.Span, bytes int) error,
) error {
	from, to := r.in(g)
	for _, row := range r.tables[g.Table][g.A][from:to] {
		if err := f(row.b, row.span, len(row.value)); err != nil {
			return err
		}
	}
	return nil
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

// Begin begins a transaction that Undo can undo.
func (r *Rows) Begin() { r.before = map[clickstore.Key][]row{} }

// Undo undoes all writes since Begin.
func (r *Rows) Undo() {
	for k, rows := range r.before {
		if r.tables[k.A][k.B] = rows; len(rows) == 0 {
			delete(r.tables[k.A], k.B)
		}
	}
}

// write begins a write to rows with an A.
func (r *Rows) write(t clickstore.Table, a int64) error {
	if r.FailAfter >= 0 && r.Writes >= r.FailAfter {
		return ErrFailed
	}
	r.Writes++
	if k := (clickstore.Key{A: int64(t), B: a}); r.before != nil {
		if _, saved := r.before[k]; !saved {
			r.before[k] = slices.Clone(r.tables[t][a])
		}
	}
	return nil
}

// Put implements clickstore.Rows.
func (r *Rows) Put(t clickstore.Table, k clickstore.Key, s clickstore.Span, v []byte) error {
	if err := r.write(t, k.A); err != nil {
		return err
	}
	fresh := row{k.B, s, slices.Clone(v)}
	rows := r.tables[t][k.A]
	if at, found := find(rows, k.B); found {
		rows[at] = fresh
	} else {
		r.tables[t][k.A] = slices.Insert(rows, at, fresh)
	}
	return nil
}

// Delete implements clickstore.Rows.
func (r *Rows) Delete(g clickstore.Range) error {
	if err := r.write(g.Table, g.A); err != nil {
		return err
	}
	from, to := r.in(g)
	rows := slices.Delete(r.tables[g.Table][g.A], from, to)
	if r.tables[g.Table][g.A] = rows; len(rows) == 0 {
		delete(r.tables[g.Table], g.A)
	}
	return nil
}

// Prefetch implements clickstore.Rows.
func (r *Rows) Prefetch(_, _ []clickstore.Range) error { return nil }

// Parts implements clickstore.Rows.
func (r *Rows) Parts() int { return 1 }

// Old implements clickstore.Rows.
func (r *Rows) Old(
	t clickstore.Table, _ int, after, before int64, most int, f func(a int64),
) (to int64, done bool, err error) {
	r.Looked++
	for _, a := range slices.Sorted(maps.Keys(r.tables[t])) {
		switch {
		case a <= after:
		case most == 0:
			return after, false, nil
		default:
			after = a
			if slices.ContainsFunc(r.tables[t][a], func(r row) bool {
				return r.span.First < before
			}) {
				f(a)
				most--
			}
		}
	}
	return after, true, nil
}

// Wipe empties a table.
func (r *Rows) Wipe(t clickstore.Table) { clear(r.tables[t]) }
