// Package rows stores the rows of package clickstore in an SQLite database, and looks up links for
// it.
//
// It makes no decisions about clicks or links, and begins no transactions: callers pass a
// connection that is in one.
package rows

import (
	"errors"
	"fmt"
	"math"

	"zombiezen.com/go/sqlite"

	"terse/internal/click/clickstore"
	"terse/internal/click/yield"
	"terse/internal/database/sqlite/query"
)

// table holds the statements of a table. Their parameters are A of a key as ?1, and B as ?2, or the
// first and last B of a range as ?2 and ?3. After these, scan takes a span, and put a span and the
// value. After A, old takes a time and the last A, and ahead a number of rows.
type table struct {
	name   string
	packed bool // A and B are the rowid

	get, scan, sizes, put, remove, old, ahead string
	// If a key is not the rowid, no constraint finds the row with the key. So exists looks for it,
	// and change replaces put.
	exists, change string
}

var tables = [clickstore.NumTables]table{
	clickstore.Totals:       packed("totals"),
	clickstore.Level0:       packed("level0"),
	clickstore.Level1:       packed("level1"),
	clickstore.Level2:       indexed("level2"),
	clickstore.Days:         indexed("day_counts"),
	clickstore.Months:       indexed("month_counts"),
	clickstore.Dropped:      indexed("dropped_counts"),
	clickstore.VisitorsEven: packed("visitor_hashes_even"),
	clickstore.VisitorsOdd:  packed("visitor_hashes_odd"),
}

func packed(name string) table {
	const within = " WHERE id BETWEEN ?1 << 24 | ?2 AND ?1 << 24 | ?3"
	return table{
		name: name, packed: true,
		get: "SELECT value FROM " + name + " WHERE id = ?1 << 24 | ?2",
		scan: "SELECT id & 0xffffff, first, last, value FROM " + name + within +
			" AND first <= ?5 AND last >= ?4 ORDER BY id",
		sizes: "SELECT id & 0xffffff, first, last, length(value) FROM " + name + within +
			" ORDER BY id",
		put: "REPLACE INTO " + name + " (id, first, last, value) " +
			"VALUES (?1 << 24 | ?2, ?3, ?4, ?5)",
		remove: "DELETE FROM " + name + within,
		old: "SELECT id >> 24 FROM " + name +
			" WHERE id >= (?1 + 1) << 24 AND id <= ?3 << 24 | 0xffffff AND first < ?2 ORDER BY id",
		ahead: "SELECT id >> 24 FROM " + name +
			" WHERE id >= (?1 + 1) << 24 ORDER BY id LIMIT 1 OFFSET ?2",
	}
}

func indexed(name string) table {
	// Without the plus, SQLite would prepare an ordered statement again for each value of a, which
	// takes ten times as long as reading a few rows.
	const within = " WHERE a = +?1 AND b BETWEEN ?2 AND ?3"
	return table{
		name: name,
		get:  "SELECT value FROM " + name + " WHERE a = ?1 AND b = ?2",
		scan: "SELECT b, first, last, value FROM " + name + within +
			" AND first <= ?5 AND last >= ?4 ORDER BY b",
		sizes:  "SELECT b, first, last, length(value) FROM " + name + within + " ORDER BY b",
		exists: "SELECT 1 FROM " + name + " WHERE a = ?1 AND b = ?2",
		change: "UPDATE " + name + " SET first = ?3, last = ?4, value = ?5 WHERE a = ?1 AND b = ?2",
		put:    "INSERT INTO " + name + " (a, b, first, last, value) VALUES (?1, ?2, ?3, ?4, ?5)",
		remove: "DELETE FROM " + name + within,
		old:    "SELECT a FROM " + name + " WHERE a > ?1 AND a <= ?3 AND first < ?2 ORDER BY a",
		ahead:  "SELECT a FROM " + name + " WHERE a > ?1 ORDER BY a LIMIT 1 OFFSET ?2",
	}
}

// maxA is the last A of a packed key, whose B has 24 bits, up to clickstore.MaxNumber. The first A
// is ^maxA: for owners, A is negative.
const maxA = 1<<(63-24) - 1

// Rows implements clickstore.Rows in a transaction of a connection, or clickstore.Reader in a
// snapshot.
//
// If Put replaces a longer row, bytes of that row stay in the file. To remove hashes of visitors,
// delete their row first.
type Rows struct {
	conn    *sqlite.Conn
	yielder yield.Yielder // requests go first: counting is nothing but reads and writes of rows
}

var _ clickstore.Rows = (*Rows)(nil)

// New returns the Rows of a connection that is in a transaction.
func New(conn *sqlite.Conn) *Rows { return &Rows{conn: conn} }

// each runs a statement with numbers as its parameters, and calls f for its rows. f is nil for a
// statement without rows. If f returns query.ErrStop, each stops without an error.
func (r *Rows) each(sql string, f func(row *sqlite.Stmt) error, args ...int64) (err error) {
	r.yielder.Yield()
	row, err := r.conn.Prepare(sql)
	if err != nil {
		return err
	}
	for i, arg := range args {
		row.BindInt64(i+1, arg)
	}
	return step(row, f)
}

// step runs a statement with bound parameters.
func step(row *sqlite.Stmt, f func(row *sqlite.Stmt) error) error {
	for {
		found, err := row.Step()
		if err == nil && found {
			err = f(row)
		}
		if err != nil || !found {
			if errors.Is(err, query.ErrStop) {
				err = nil
			}
			return errors.Join(err, row.Reset()) // an open row holds the snapshot
		}
	}
}

// errKey means that a key does not fit into a rowid, although clickstore promises that it does.
var errKey = errors.New("rows: key is out of range")

// check returns an error for a key that the table can't store.
func (t *table) check(a, b int64) error {
	if t.packed && (a < ^maxA || a > maxA || b < 0 || b > clickstore.MaxNumber) {
		return fmt.Errorf("%w: %d, %d of %s", errKey, a, b, t.name)
	}
	return nil
}

// bounds returns the part of a range in which its table can have keys.
func bounds(g clickstore.Range) (t *table, from, to int64, err error) {
	t = &tables[g.Table]
	if !t.packed {
		return t, g.From, g.To, nil
	}
	return t, max(g.From, 0), min(g.To, clickstore.MaxNumber), t.check(g.A, 0)
}

// Get implements clickstore.Reader.
func (r *Rows) Get(t clickstore.Table, k clickstore.Key, f func(v []byte) error) error {
	if err := tables[t].check(k.A, k.B); err != nil {
		return err
	}
	return r.each(tables[t].get, func(row *sqlite.Stmt) error {
		return f(query.View(row, 0))
	}, k.A, k.B)
}

// Scan implements clickstore.Reader.
func (r *Rows) Scan(g clickstore.Range, within clickstore.Span,
	f func(b int64, s clickstore.Span, v []byte) error,
) error {
	t, from, to, err := bounds(g)
	if err != nil || from > to {
		return err
	}
	return r.each(t.scan, func(row *sqlite.Stmt) error {
		return f(row.ColumnInt64(0), spanOf(row), query.View(row, 3))
	}, g.A, from, to, within.First, within.Last)
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
	t, from, to, err := bounds(g)
	if err != nil || from > to {
		return err
	}
	return r.each(t.sizes, func(row *sqlite.Stmt) error {
		return f(row.ColumnInt64(0), spanOf(row), row.ColumnInt(3))
	}, g.A, from, to)
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

func spanOf(row *sqlite.Stmt) clickstore.Span {
	return clickstore.Span{First: row.ColumnInt64(1), Last: row.ColumnInt64(2)}
}

// Put implements clickstore.Rows.
func (r *Rows) Put(t clickstore.Table, k clickstore.Key, s clickstore.Span, v []byte) error {
	r.yielder.Yield()
	of := &tables[t]
	if err := of.check(k.A, k.B); err != nil {
		return err
	}
	sql := of.put
	if of.exists != "" {
		if err := r.each(of.exists, func(*sqlite.Stmt) error {
			sql = of.change
			return nil
		}, k.A, k.B); err != nil {
			return err
		}
	}
	stmt, err := r.conn.Prepare(sql)
	if err != nil {
		return err
	}
	for i, arg := range []int64{k.A, k.B, s.First, s.Last} {
		stmt.BindInt64(i+1, arg)
	}
	stmt.BindBytes(5, v)
	return step(stmt, nil)
}

// Delete implements clickstore.Rows. It overwrites deleted hashes of visitors.
func (r *Rows) Delete(g clickstore.Range) error {
	t, from, to, err := bounds(g)
	if err != nil || from > to {
		return err
	}
	remove := func() error { return r.each(t.remove, nil, g.A, from, to) }
	if g.Table == clickstore.VisitorsEven || g.Table == clickstore.VisitorsOdd {
		return Securely(r.conn, remove)
	}
	return remove()
}

// Prefetch implements clickstore.Rows. It does nothing: the file is on this machine.
func (r *Rows) Prefetch(_, _ []clickstore.Range) error { return nil }

// Parts implements clickstore.Rows.
func (r *Rows) Parts() int { return 1 }

// Old implements clickstore.Rows.
func (r *Rows) Old(t clickstore.Table, _ int, after, before int64, most int,
	f func(a int64),
) (to int64, done bool, err error) {
	if tables[t].packed {
		after = max(after, ^maxA-1)
	}
	if most <= 0 || tables[t].packed && after >= maxA {
		return after, most > 0, nil
	}
	if to, done = math.MaxInt64, true; tables[t].packed {
		to = maxA
	}
	err = r.each(tables[t].ahead, func(row *sqlite.Stmt) error {
		to, done = row.ColumnInt64(0), false
		return nil
	}, after, walkedAtOnce)
	if err != nil {
		return after, false, err
	}
	err = r.each(tables[t].old, func(row *sqlite.Stmt) error {
		a := row.ColumnInt64(0)
		if a == after { // another old row of the same A
			return nil
		}
		if most--; most < 0 {
			to, done = after, false
			return query.ErrStop
		}
		f(a)
		after = a
		return nil
	}, after, before, to)
	return to, done, err
}

// walkedAtOnce is about how many rows Old looks at: others wait for the transaction, for some
// milliseconds. The rows of one A are not divided.
const walkedAtOnce = 1 << 13

// Securely runs f with secure_delete on, so that SQLite overwrites what f deletes with zeros.
func Securely(conn *sqlite.Conn, f func() error) error {
	if err := query.Run(conn, "PRAGMA secure_delete = ON"); err != nil {
		return err
	}
	err := f()
	return errors.Join(err, query.Run(conn, "PRAGMA secure_delete = OFF"))
}

// wipedAtOnce bounds the rows that Wipe overwrites in one transaction: a few MB.
const wipedAtOnce = 1000

// Wipe deletes and overwrites rows of a table, and reports whether more remain for the next
// transaction. The write-ahead log contains them until it is truncated.
func Wipe(conn *sqlite.Conn, t clickstore.Table) (more bool, err error) {
	name := tables[t].name
	err = Securely(conn, func() error {
		if err := query.Run(conn, "DELETE FROM "+name+" WHERE rowid IN (SELECT rowid FROM "+name+
			" LIMIT ?)", wipedAtOnce); err != nil {
			return err
		}
		if more = conn.Changes() == wipedAtOnce; more {
			return nil
		}
		return query.Run(conn, "DELETE FROM "+name) // and overwrites the root
	})
	return more, err
}
