// Package rowstest tests the promises of clickstore.Rows on every database: it runs the same
// operations on the database and on rows in memory, and compares them.
package rowstest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"terse/internal/click/clickstore"
	"terse/internal/database/storetest/memrows"
)

// Database is a database to test.
type Database interface {
	// Write runs f in a transaction, which is rolled back if f returns an error.
	Write(f func(clickstore.Rows) error) error
	// Read runs f in a snapshot.
	Read(f func(clickstore.Reader) error) error
	// Wipe empties a table.
	Wipe(t clickstore.Table) error
}

// Run runs random programs on databases. open creates an empty one.
func Run(t *testing.T, databases int, open func(testing.TB) Database) {
	t.Helper()
	for seed := range databases {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.NewChaCha8([32]byte{byte(seed)})
			program := make([]byte, 10_000)
			_, _ = random.Read(program) // never fails
			Do(t, open(t), program)
		})
	}
}

// Fuzz runs the fuzzer's programs on a database.
func Fuzz(f *testing.F, db Database) {
	f.Helper()
	f.Add([]byte("\x01a row is put\x02and read\x06 when it is committed\x07 or not"))
	f.Fuzz(func(t *testing.T, program []byte) {
		for table := range clickstore.NumTables {
			if err := db.Wipe(table); err != nil {
				t.Fatal(err)
			}
		}
		Do(t, db, program[:min(len(program), 1000)])
	})
}

// Do runs a program on an empty database, and compares it with rows in memory.
func Do(t testing.TB, db Database, program []byte) {
	t.Helper()
	r := run{t: t, db: db, rest: program, is: memrows.New()}
	for len(r.rest) > 0 {
		r.transact()
		r.compare()
	}
}

// run is a run of a program.
type run struct {
	t    testing.TB
	db   Database
	rest []byte        // of the program
	is   *memrows.Rows // the committed rows
	// The table and A that a transaction mostly uses, so that its operations meet.
	often struct {
		table clickstore.Table
		a     int64
	}
}

// below returns the program's next number below n, which is at most 256; 0 at its end.
func (r *run) below(n int) int {
	if len(r.rest) == 0 {
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return int(b) % n
}

// Few keys, so that operations meet, as far apart as possible. Some As share a part.
var (
	as      = []int64{-1 << 39, -1 << 20, -4096, -1, 0, 1, 2, 33 << 12, 65 << 12, 1<<39 - 1}
	numbers = []int64{0, 1, 2, 3, 4, clickstore.MaxNumber}
	wide    = []int64{-1 << 24, -1, 0, 1, 2, 1 << 40, 1<<41 - 1, math.MaxInt64}
	times   = []int64{math.MinInt64, -5, 0, 3, 4, 1 << 50, math.MaxInt64}
	lengths = []int{0, 1, 10, 100, 1000, 3000, 20_000}
)

func pick[T any](r *run, of []T) T { return of[r.below(len(of))] }

func (r *run) table() clickstore.Table {
	if r.below(4) > 0 {
		return r.often.table
	}
	return clickstore.Table(r.below(int(clickstore.NumTables)))
}

func (r *run) a() int64 {
	if r.below(4) > 0 {
		return r.often.a
	}
	return pick(r, as)
}

func (r *run) key(t clickstore.Table) clickstore.Key {
	switch t {
	case clickstore.Totals:
		return clickstore.Key{A: r.a()}
	case clickstore.Level2, clickstore.Days, clickstore.Months, clickstore.Dropped:
		return clickstore.Key{A: r.a(), B: pick(r, wide)}
	default:
		return clickstore.Key{A: r.a(), B: pick(r, numbers)}
	}
}

func (r *run) rangeOf(t clickstore.Table) clickstore.Range {
	from, to := r.key(t), r.key(t)
	g := clickstore.Range{Table: t, A: from.A, From: min(from.B, to.B), To: max(from.B, to.B)}
	if r.below(4) == 0 {
		g.From, g.To = math.MinInt64, math.MaxInt64
	}
	return g
}

func (r *run) span() clickstore.Span {
	a, b := pick(r, times), pick(r, times)
	return clickstore.Span{First: min(a, b), Last: max(a, b)}
}

func (r *run) value() []byte {
	v := make([]byte, pick(r, lengths))
	first := byte(r.below(256))
	for i := range v {
		v[i] = first + byte(i*i>>3)
	}
	return v
}

var errBack = errors.New("to be taken back")

// transact runs a transaction, or wipes a table.
func (r *run) transact() {
	r.t.Helper()
	if r.below(20) == 0 {
		t := r.table()
		r.must(r.db.Wipe(t))
		r.is.Wipe(t)
		return
	}
	r.often.table, r.often.a = clickstore.Table(r.below(int(clickstore.NumTables))), pick(r, as)
	back := r.below(4) == 0
	becomes := r.is.Clone()
	err := r.db.Write(func(rows clickstore.Rows) error {
		for range r.below(60) {
			r.step(rows, becomes)
		}
		if back {
			return errBack
		}
		return nil
	})
	if back && errors.Is(err, errBack) {
		return
	}
	r.must(err)
	r.is = becomes
}

func (r *run) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// step runs one operation on rows and on their model.
func (r *run) step(rows clickstore.Rows, model *memrows.Rows) {
	r.t.Helper()
	t := r.table()
	switch r.below(10) {
	case 0, 1, 2, 3:
		k, s, v := r.key(t), r.span(), r.value()
		r.must(model.Put(t, k, s, v))
		r.must(rows.Put(t, k, s, v))
		clear(v) // Put must not keep it
	case 4:
		g := r.rangeOf(t)
		r.must(model.Delete(g))
		r.must(rows.Delete(g))
	case 5:
		var ranges [2][]clickstore.Range
		for range r.below(12) {
			of := &ranges[r.below(2)]
			*of = append(*of, r.rangeOf(r.table()))
		}
		r.must(rows.Prefetch(ranges[0], ranges[1]))
	case 6:
		r.old(rows, model, t)
	default:
		r.read(rows, model, t)
	}
}

// read compares reads of a table.
func (r *run) read(rows clickstore.Reader, model *memrows.Rows, t clickstore.Table) {
	r.t.Helper()
	switch r.below(4) {
	case 3:
		var ranges []clickstore.Range
		for _, a := range as {
			if g := r.rangeOf(t); r.below(2) == 0 {
				g.A = a
				ranges = append(ranges, g)
			}
		}
		r.same(fmt.Sprintf("scan %v", ranges), scanMany(rows, t, ranges),
			scanMany(model, t, ranges))
	case 0:
		k := r.key(t)
		r.same(fmt.Sprintf("get %d %v", t, k), get(rows, t, k), get(model, t, k))
	case 1:
		g, s := r.rangeOf(t), r.span()
		r.same(fmt.Sprintf("scan %v within %v", g, s), scan(rows, g, s), scan(model, g, s))
	default:
		g := r.rangeOf(t)
		r.same(fmt.Sprintf("sizes %v", g), sizes(rows, g), sizes(model, g))
	}
}

// compare compares all committed rows.
func (r *run) compare() {
	r.t.Helper()
	r.must(r.db.Read(func(rows clickstore.Reader) error {
		for t := range clickstore.NumTables {
			for _, a := range as {
				g := clickstore.Range{Table: t, A: a, From: math.MinInt64, To: math.MaxInt64}
				r.same(fmt.Sprintf("committed %v", g), scan(rows, g, clickstore.Always),
					scan(r.is, g, clickstore.Always))
			}
			r.read(rows, r.is, t)
		}
		return nil
	}))
}

// old compares the As of old rows of all parts.
func (r *run) old(rows clickstore.Rows, model *memrows.Rows, t clickstore.Table) {
	r.t.Helper()
	after, before, most := r.a()-int64(r.below(2)), pick(r, times), r.below(4)
	parts := rows.Parts()
	want := map[int][]int64{r.below(parts): nil}
	_, _, err := model.Old(t, 0, after, before, math.MaxInt, func(a int64) {
		part := clickstore.PartOf(t, a, parts)
		want[part] = append(want[part], a)
	})
	r.must(err)
	for _, part := range slices.Sorted(maps.Keys(want)) {
		var got []int64
		for to, done := after, false; !done && len(got) < most; {
			var err error
			to, done, err = rows.Old(t, part, to, before, most-len(got),
				func(a int64) { got = append(got, a) })
			r.must(err)
		}
		if want := want[part][:min(most, len(want[part]))]; !slices.Equal(got, want) {
			r.t.Fatalf("%d rows of table %d, part %d, after %d and before %d: %v, want %v", most, t,
				part, after, before, got, want)
		}
	}
}

// found is a row as read, or an error.
type found struct {
	b     int64
	span  clickstore.Span
	value []byte
	bytes int
	err   error
}

func (r *run) same(what string, got, want []found) {
	r.t.Helper()
	if !slices.EqualFunc(got, want, func(a, b found) bool {
		return a.b == b.b && a.span == b.span && bytes.Equal(a.value, b.value) &&
			a.bytes == b.bytes && a.err == nil && b.err == nil
	}) {
		r.t.Fatalf("%s: %s, want %s", what, list(got), list(want))
	}
}

// list shows rows without all of their values.
func list(all []found) (s string) {
	for _, f := range all {
		s += fmt.Sprintf("[%d %v %d %x %v]", f.b, f.span, max(f.bytes, len(f.value)),
			f.value[:min(len(f.value), 8)], f.err)
	}
	return s
}

func get(rows clickstore.Reader, t clickstore.Table, k clickstore.Key) (all []found) {
	err := rows.Get(t, k, func(v []byte) error {
		all = append(all, found{value: bytes.Clone(v)})
		return nil
	})
	return withError(all, err)
}

func scan(rows clickstore.Reader, g clickstore.Range, s clickstore.Span) (all []found) {
	err := rows.Scan(g, s, func(b int64, s clickstore.Span, v []byte) error {
		all = append(all, found{b: b, span: s, value: bytes.Clone(v)})
		return nil
	})
	return withError(all, err)
}

func scanMany(rows clickstore.Reader, t clickstore.Table, ranges []clickstore.Range) (all []found) {
	values := map[clickstore.Key][]byte{}
	err := rows.ScanMany(t, ranges, func(k clickstore.Key, v []byte) error {
		values[k] = bytes.Clone(v)
		return nil
	})
	for _, k := range slices.SortedFunc(maps.Keys(values), func(a, b clickstore.Key) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	}) {
		all = append(all, found{b: k.B, span: clickstore.Span{First: k.A}, value: values[k]})
	}
	return withError(all, err)
}

func sizes(rows clickstore.Reader, g clickstore.Range) (all []found) {
	err := rows.Sizes(g, func(b int64, s clickstore.Span, bytes int) error {
		all = append(all, found{b: b, span: s, bytes: bytes})
		return nil
	})
	return withError(all, err)
}

func withError(all []found, err error) []found {
	if err != nil {
		all = append(all, found{err: err})
	}
	return all
}
