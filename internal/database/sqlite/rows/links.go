package rows

import (
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
)

// Links implements clickstore.Links in a transaction of a connection.
type Links struct{ conn *sqlite.Conn }

var _ clickstore.Links = Links{}

// NewLinks returns the Links of a connection that is in a transaction.
func NewLinks(conn *sqlite.Conn) Links { return Links{conn} }

// AllOf returns the IDs that stand for all links of an owner, or of terse.AllOwners.
func AllOf(conn *sqlite.Conn, owner string) ([]terse.LinkID, error) {
	sql := "SELECT number FROM owner_numbers WHERE owner = ?1"
	if owner == terse.AllOwners { // without the others, nobody is joined yet
		sql = "SELECT number FROM owner_numbers WHERE number <= coalesce((" + sql +
			"), 9223372036854775807)"
	}
	var numbers []clickstore.OwnerID
	err := query.Each(conn, sql, func(row *sqlite.Stmt) error {
		numbers = append(numbers, clickstore.OwnerID(row.ColumnInt64(0)))
		return nil
	}, owner)
	return clickstore.LinksOf(numbers...), err
}

// numberOf returns the number of an owner, 0 if it has none yet.
func numberOf(conn *sqlite.Conn, owner string) (clickstore.OwnerID, error) {
	n, err := query.Int(conn, "SELECT number FROM owner_numbers WHERE owner = ?", owner)
	return clickstore.OwnerID(n), err
}

// Owner implements clickstore.Links.
func (l Links) Owner(name string) (clickstore.OwnerID, error) {
	number, err := numberOf(l.conn, name)
	if err == nil && number == 0 {
		err = query.Run(l.conn, "INSERT INTO owner_numbers (owner) VALUES (?)", name)
		number = clickstore.OwnerID(l.conn.LastInsertRowID())
	}
	return number, err
}

// linkRows holds the statements that look up IDs.
var linkRows = [...]string{
	clickstore.Buried: "SELECT link_id, code, '' FROM tombstones " +
		"WHERE deleted AND link_id BETWEEN ? AND ?",
	clickstore.CurrentCode: "SELECT id, code, created_by FROM links WHERE id BETWEEN ? AND ?",
	clickstore.FormerCode: "SELECT link_id, code, '' FROM former_codes " +
		"WHERE link_id BETWEEN ? AND ?",
}

// Fewer than minTogether IDs of a bucket are looked up one by one: there may be many others between
// them.
const minTogether = 8

// Lookup implements clickstore.Links. It looks up the links of a bucket together.
func (l Links) Lookup(ids []terse.LinkID, f func(clickstore.LinkRow)) error {
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && clickstore.BucketOf(ids[n]) == clickstore.BucketOf(ids[0]) {
			n++
		}
		if n < minTogether {
			n = 1
		}
		for kind, sql := range linkRows {
			if err := query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
				f(clickstore.LinkRow{
					Kind: clickstore.RowKind(kind), ID: terse.LinkID(row.ColumnInt64(0)),
					Code: row.ColumnText(1), Owner: row.ColumnText(2),
				})
				return nil
			}, ids[0], ids[n-1]); err != nil {
				return err
			}
		}
		ids = ids[n:]
	}
	return nil
}

// Number implements clickstore.Links.
func (l Links) Number(most int, at time.Time) error {
	return query.Run(l.conn, `UPDATE tombstones SET random = random(), at = ?,
			number = nth + (SELECT max(number) FROM tombstones)
		FROM (SELECT id AS fresh, row_number() OVER (ORDER BY id) AS nth FROM tombstones
			WHERE number IS NULL ORDER BY id LIMIT ?) WHERE id = fresh`, at.UnixMicro(), most)
}

// Newest implements clickstore.Links.
func (l Links) Newest() (clickstore.Mark, error) {
	newest, err := l.tombstones("TRUE ORDER BY number DESC LIMIT 1")
	if err != nil || len(newest) == 0 {
		return clickstore.Mark{}, err
	}
	return newest[0].Mark, nil
}

// Since implements clickstore.Links.
func (l Links) Since(number int64, most int) ([]clickstore.Tombstone, error) {
	return l.tombstones("number >= ? ORDER BY number LIMIT ?", number, most)
}

// Unapplied implements clickstore.Links.
func (l Links) Unapplied(most int) ([]clickstore.Tombstone, error) {
	return l.tombstones("applied = 0 AND number > 0 ORDER BY number LIMIT ?", most)
}

func (l Links) tombstones(which string, args ...any) (found []clickstore.Tombstone, err error) {
	err = query.Each(l.conn, "SELECT number, random, link_id FROM tombstones WHERE "+which,
		func(row *sqlite.Stmt) error {
			found = append(found, clickstore.Tombstone{
				Mark: clickstore.Mark{Number: row.ColumnInt64(0), Random: row.ColumnInt64(1)},
				Link: terse.LinkID(row.ColumnInt64(2)),
			})
			return nil
		}, args...)
	return found, err
}

// Applied implements clickstore.Links.
func (l Links) Applied(done []clickstore.Tombstone) error {
	for _, t := range done {
		if err := query.Run(l.conn, "UPDATE tombstones SET applied = 1 WHERE number = ?",
			t.Number); err != nil {
			return err
		}
	}
	return nil
}

// Trim implements clickstore.Links. Times grow with the numbers, so it looks no further than the
// first row that is too young: there may be very many of those.
func (l Links) Trim(below int64, before time.Time, most int) error {
	return query.Run(l.conn, `DELETE FROM tombstones WHERE number IN (
		SELECT number FROM tombstones WHERE applied AND at < ?2 AND number < min(?1, ifnull(
			(SELECT number FROM tombstones WHERE number IS NOT NULL AND at >= ?2
			ORDER BY number LIMIT 1), ?1))
		ORDER BY number LIMIT ?3)`, below, before.UnixMicro(), most)
}
