// Package memrows implements clickstore.Rows in memory, for tests: it is fast, can fail at any
// write, and can be inspected.
package memrows

import (
	"errors"
	"maps"
	"slices"

	"terse/internal/clickstore"
)

// Rows holds tables in memory. It must not be used concurrently.
type Rows struct {
	tables [clickstore.NumTables]map[int64]map[int64]row // by A and B
	// FailAfter is the number of writes that succeed before all others fail with ErrFailed; -1: all
	// succeed.
	FailAfter int
	// Writes is the number of writes so far.
	Writes int
	// Looked is how often Old was called.
	Looked int
}

type row struct {
	span  clickstore.Span
	value []byte
}

// ErrFailed means that a write failed because of FailAfter.
var ErrFailed = errors.New("memrows: write failed")

// New returns empty Rows.
func New() *Rows {
	r := &Rows{FailAfter: -1}
	for t := range r.tables {
		r.tables[t] = map[int64]map[int64]row{}
	}
	return r
}

// Clone returns an independent copy, with which a transaction begins.
func (r *Rows) Clone() *Rows {
	c := New()
	for t := range r.tables {
		for a, rows := range r.tables[t] {
			c.tables[t][a] = maps.Clone(rows)
		}
	}
	return c
}

// Equal reports whether two Rows hold the same rows.
func (r *Rows) Equal(other *Rows) bool {
	for t := range r.tables {
		same := func(a, b row) bool { return a.span == b.span && slices.Equal(a.value, b.value) }
		if !maps.EqualFunc(r.tables[t], other.tables[t], func(a, b map[int64]row) bool {
			return maps.EqualFunc(a, b, same)
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
			for _, row := range rows {
				n += len(row.value)
			}
		}
	}
	return n
}

// Get implements clickstore.Reader.
func (r *Rows) Get(t clickstore.Table, k clickstore.Key, f func(v []byte) error) error {
	if row, found := r.tables[t][k.A][k.B]; found {
		return f(slices.Clone(row.value))
	}
	return nil
}

// in returns the keys of a range in order.
func (r *Rows) in(g clickstore.Range) (bs []int64) {
	for b := range r.tables[g.Table][g.A] {
		if b >= g.From && b <= g.To {
			bs = append(bs, b)
		}
	}
	slices.Sort(bs)
	return bs
}

// Scan implements clickstore.Reader.
func (r *Rows) Scan(g clickstore.Range, within clickstore.Span,
	f func(b int64, s clickstore.Span, v []byte) error,
) error {
	for _, b := range r.in(g) {
		row := r.tables[g.Table][g.A][b]
		if row.span.First > within.Last || row.span.Last < within.First {
			continue
		}
		if err := f(b, row.span, slices.Clone(row.value)); err != nil {
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
	return r.Scan(g, clickstore.Always, func(b int64, s clickstore.Span, v []byte) error {
		return f(b, s, len(v))
	})
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

func (r *Rows) write() error {
	if r.FailAfter >= 0 && r.Writes >= r.FailAfter {
		return ErrFailed
	}
	r.Writes++
	return nil
}

// Put implements clickstore.Rows.
func (r *Rows) Put(t clickstore.Table, k clickstore.Key, s clickstore.Span, v []byte) error {
	if err := r.write(); err != nil {
		return err
	}
	if r.tables[t][k.A] == nil {
		r.tables[t][k.A] = map[int64]row{}
	}
	r.tables[t][k.A][k.B] = row{s, slices.Clone(v)}
	return nil
}

// Delete implements clickstore.Rows.
func (r *Rows) Delete(g clickstore.Range) error {
	if err := r.write(); err != nil {
		return err
	}
	for _, b := range r.in(g) {
		delete(r.tables[g.Table][g.A], b)
	}
	if len(r.tables[g.Table][g.A]) == 0 {
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
		old := false
		for _, row := range r.tables[t][a] {
			old = old || row.span.First < before
		}
		switch {
		case a <= after:
		case most == 0:
			return after, false, nil
		default:
			if after = a; old {
				f(a)
				most--
			}
		}
	}
	return after, true, nil
}

// Wipe empties a table.
func (r *Rows) Wipe(t clickstore.Table) { clear(r.tables[t]) }
