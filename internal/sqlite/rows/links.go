package rows

import (
	_ "embed" // the schema
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/sqlite/query"
)

// LinksSchema makes the tables of Links, beside links and former_codes.
//
//go:embed links.sql
var LinksSchema string

// Links are clickstore.Links in a transaction of a connection.
type Links struct {
	conn   *sqlite.Conn
	now    time.Time
	owners map[string]clickstore.OwnerID // that were looked up
}

var _ clickstore.Links = (*Links)(nil)

// NewLinks returns the links of a transaction, which happens now.
func NewLinks(conn *sqlite.Conn, now time.Time) *Links {
	return &Links{conn, now, map[string]clickstore.OwnerID{}}
}

// Owner returns the number of an owner, 0 when it has none yet.
func Owner(conn *sqlite.Conn, owner string) (clickstore.OwnerID, error) {
	n, err := query.Int(conn, "SELECT number FROM owner_numbers WHERE owner = ?", owner)
	return clickstore.OwnerID(n), err
}

// owner returns the number of an owner, and gives it one when it has none.
func (l *Links) owner(name string) (clickstore.OwnerID, error) {
	if number := l.owners[name]; number != 0 {
		return number, nil
	}
	number, err := Owner(l.conn, name)
	if err == nil && number == 0 {
		err = query.Run(l.conn, "INSERT INTO owner_numbers (owner) VALUES (?)", name)
		number = clickstore.OwnerID(l.conn.LastInsertRowID())
	}
	if err != nil {
		return 0, err
	}
	l.owners[name] = number
	return number, nil
}

// Lookup is that of clickstore.Links. The links of a bucket are looked up together.
func (l *Links) Lookup(ids []terse.LinkID, f func(clickstore.Known) error) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	for len(ids) > 0 {
		bucket := clickstore.BucketOf(ids[0])
		n := 1
		for n < len(ids) && clickstore.BucketOf(ids[n]) == bucket {
			n++
		}
		if err := l.lookUp(ids[:n], f); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// lookUp looks up IDs that are near each other.
func (l *Links) lookUp(ids []terse.LinkID, f func(clickstore.Known) error) error {
	owners := map[terse.LinkID]clickstore.OwnerID{} // of links that are there
	deleted := map[terse.LinkID]bool{}
	if err := l.each(ids,
		"SELECT link_id, code FROM tombstones WHERE deleted AND link_id BETWEEN ? AND ?",
		func(k clickstore.Known, _ *sqlite.Stmt) error {
			deleted[k.ID], k.Deleted = true, true
			return f(k)
		}); err != nil {
		return err
	}
	if err := l.each(ids, "SELECT id, code, created_by FROM links WHERE id BETWEEN ? AND ?",
		func(k clickstore.Known, row *sqlite.Stmt) (err error) {
			if deleted[k.ID] {
				return nil
			}
			if k.Owner, err = l.owner(row.ColumnText(2)); err != nil {
				return err
			}
			owners[k.ID] = k.Owner
			return f(k)
		}); err != nil {
		return err
	}
	return l.each(ids, "SELECT link_id, code FROM former_codes WHERE link_id BETWEEN ? AND ?",
		func(k clickstore.Known, _ *sqlite.Stmt) error {
			if k.Owner = owners[k.ID]; k.Owner == 0 {
				return nil
			}
			return f(k)
		})
}

// each calls f for the rows that a query finds between the first and the last of some sorted IDs,
// as far as they are of one of these.
func (l *Links) each(ids []terse.LinkID, sql string,
	f func(k clickstore.Known, row *sqlite.Stmt) error,
) error {
	return query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		id := terse.LinkID(row.ColumnInt64(0))
		if _, wanted := slices.BinarySearch(ids, id); !wanted {
			return nil
		}
		code, err := terse.ParseCode(row.ColumnText(1))
		if err != nil { // it was written by hand, and nothing redirects there
			return nil //nolint:nilerr // see above
		}
		return f(clickstore.Known{ID: id, Code: code}, row)
	}, ids[0], ids[len(ids)-1])
}

// Bounds of what Changed does in one transaction: some hundred milliseconds of work.
const (
	maxNumbered = 1 << 14
	maxTold     = 1 << 16 // with more, nobody knows what has changed
	maxTrimmed  = 1 << 12
)

// remembered is how long a tombstone stays after it is applied. A process that was away for longer
// forgets what it knows of links.
const remembered = 24 * time.Hour

// Changed is that of clickstore.Links.
func (l *Links) Changed(since clickstore.Mark, f func(clickstore.Change) error) (
	now clickstore.Mark, everything bool, err error,
) {
	if err := l.number(); err != nil {
		return now, false, fmt.Errorf("number tombstones: %w", err)
	}
	err = query.Each(l.conn,
		"SELECT number, random FROM tombstones ORDER BY number DESC LIMIT 1",
		func(row *sqlite.Stmt) error {
			now = clickstore.Mark{Number: row.ColumnInt64(0), Random: row.ColumnInt64(1)}
			return nil
		})
	if err != nil {
		return now, false, err
	}
	told, err := l.told(since)
	if err != nil {
		return now, false, err
	}
	if everything = told == nil || len(told) > maxTold; everything {
		told = nil
	}
	for _, id := range told {
		if err := f(clickstore.Change{ID: id}); err != nil {
			return now, everything, err
		}
	}
	if err := l.apply(f); err != nil {
		return now, everything, err
	}
	return now, everything, query.Run(l.conn, `DELETE FROM tombstones WHERE number IN (
		SELECT number FROM tombstones WHERE number < ?1 AND applied AND at < ?2
		ORDER BY number LIMIT ?3)`, now.Number, l.now.Add(-remembered).UnixMicro(), maxTrimmed)
}

// number numbers tombstones that have none yet.
func (l *Links) number() error {
	var fresh []int64
	err := query.Each(l.conn,
		"SELECT id FROM tombstones WHERE number IS NULL ORDER BY id LIMIT ?",
		func(row *sqlite.Stmt) error {
			fresh = append(fresh, row.ColumnInt64(0))
			return nil
		}, maxNumbered)
	for _, id := range fresh {
		if err != nil {
			break
		}
		err = query.Run(l.conn, `UPDATE tombstones SET random = ?, at = ?,
			number = (SELECT max(number) + 1 FROM tombstones) WHERE id = ?`,
			rand.Int64(), l.now.UnixMicro(), id)
	}
	return err
}

// told returns the links that changed since a mark, one more than maxTold at most; nil when the
// mark is of another history.
func (l *Links) told(since clickstore.Mark) ([]terse.LinkID, error) {
	known, err := query.Int(l.conn,
		"SELECT count(*) FROM tombstones WHERE number = ? AND random = ?",
		since.Number, since.Random)
	if err != nil || known == 0 {
		return nil, err
	}
	told := []terse.LinkID{}
	err = query.Each(l.conn,
		"SELECT link_id FROM tombstones WHERE number > ? ORDER BY number LIMIT ?",
		func(row *sqlite.Stmt) error {
			told = append(told, terse.LinkID(row.ColumnInt64(0)))
			return nil
		}, since.Number, maxTold+1)
	return told, err
}

// apply has f drop the rows of some deleted links.
func (l *Links) apply(f func(clickstore.Change) error) error {
	var links, numbers []int64
	if err := query.Each(l.conn,
		"SELECT link_id, number FROM tombstones WHERE applied = 0 AND number > 0 "+
			"ORDER BY number LIMIT ?", func(row *sqlite.Stmt) error {
			links = append(links, row.ColumnInt64(0))
			numbers = append(numbers, row.ColumnInt64(1))
			return nil
		}, clickstore.MaxDrops); err != nil {
		return err
	}
	for i, link := range links {
		if err := f(clickstore.Change{ID: terse.LinkID(link), Drop: true}); err != nil {
			return err
		}
		if err := query.Run(l.conn, "UPDATE tombstones SET applied = 1 WHERE number = ?",
			numbers[i]); err != nil {
			return err
		}
	}
	return nil
}
