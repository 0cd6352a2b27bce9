package sqlite

import (
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
	"terse/internal/database/sqlite/rows"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
	"terse/internal/link/list"
)

// listed is a list.Snapshot of a connection's transaction.
type listed struct {
	conn   *sqlite.Conn
	naming record.Naming
	owner  string
	row    list.Row
}

// all reports whether the list is one of all owners.
func (l *listed) all() bool { return l.owner == terse.AllOwners }

func (l *listed) Ranges() (all []list.Range, err error) {
	for _, owner := range follow.Owners(l.owner) {
		var ranges []list.Range
		err = query.Each(l.conn, "SELECT id_range, links, first, last FROM link_ranges "+
			"WHERE created_by = ? ORDER BY id_range", func(row *sqlite.Stmt) error {
			ranges = append(ranges, list.Range{
				Number: row.ColumnInt64(0), Links: row.ColumnInt64(1),
				First: row.ColumnInt64(2), Last: row.ColumnInt64(3),
			})
			return nil
		}, owner)
		if err != nil {
			return nil, err
		}
		all = list.Join(all, ranges)
	}
	return all, nil
}

func (l *listed) At(address string) (int64, error) {
	stmt, err := l.conn.Prepare(l.naming.SelectByAddress())
	if err != nil {
		return 0, err
	}
	link, err := record.At(stmt, address)
	return int64(link.ID), err
}

func (l *listed) Tagged(tag string) (linkset.Set, error) {
	return record.Set(l.conn, l.owner, follow.TagSet(tag))
}

func (l *listed) WithStatus(status terse.Status) (linkset.Set, error) {
	return record.Set(l.conn, l.owner, string(status))
}

func (l *listed) Archived() (linkset.Set, error) {
	return record.Set(l.conn, l.owner, follow.ArchivedSet)
}

func (l *listed) OnDomain(d terse.Domain) (linkset.Set, error) {
	return record.Set(l.conn, l.owner, follow.DomainSet(d))
}

func (l *listed) Changing(now time.Time, f func(int64, terse.Status)) error {
	return record.Changing(l.conn, l.owner, now,
		func(s record.State) { f(int64(s.Link), s.Status(now)) })
}

const selectSearched = "SELECT " + record.SearchedColumns + " FROM links WHERE "

// selectTimes has the columns of selectSearched that are no texts at the same places.
const selectTimes = "SELECT id, NULL, NULL, created_at FROM links WHERE "

func (l *listed) Between(first, last int64, texts bool, f func(*list.Row) error) error {
	columns := selectSearched
	if !texts {
		columns = selectTimes
	}
	if l.all() {
		return l.rows(texts, f, columns+"id BETWEEN ? AND ?", first, last)
	}
	return l.rows(texts, f, columns+"id BETWEEN ? AND ? AND +created_by = ?", first, last, l.owner)
}

func (l *listed) ByID(ids []int64, texts bool, f func(*list.Row) error) error {
	for _, id := range ids {
		err := l.rows(texts, f, selectSearched+"id = ?1 AND ?2 IN (created_by, '*')", id, l.owner)
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *listed) rows(texts bool, f func(*list.Row) error, sql string, args ...any) error {
	return query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		l.row.ID, l.row.CreatedAt = row.ColumnInt64(0), row.ColumnInt64(3)
		if texts {
			l.row.Code = query.Bytes(row, 1, l.row.Code)
			l.row.URL = query.Bytes(row, 2, l.row.URL)
			l.row.Options = query.Bytes(row, 4, l.row.Options)
		}
		return f(&l.row)
	}, args...)
}

// InOrder reads no skipped rows: it skips them in the index. For all owners it merges two.
func (l *listed) InOrder(order terse.LinkOrder, after linkset.Ranked, skip int64, most int) (
	[]terse.Link, error,
) {
	less, down := "<", "DESC"
	if order == terse.OldestFirst {
		less, down = ">", "ASC"
	}
	if l.all() {
		where := " AND (created_at, id) " + less + " (?1, ?2) "
		ids, err := l.numbers("SELECT id, created_at FROM links INDEXED BY links_by_owner "+
			"WHERE created_by = 'authenticated-user'"+where+
			"UNION ALL SELECT id, created_at FROM links INDEXED BY links_of_others "+
			"WHERE created_by <> 'authenticated-user'"+where+
			"ORDER BY created_at "+down+", id "+down+" LIMIT ?3 OFFSET ?4",
			after.Key, after.ID, most, skip)
		if err != nil {
			return nil, err
		}
		return l.Read(ids)
	}
	return l.read(nil, "SELECT "+record.Columns+` FROM links
		WHERE created_by = ?1 AND (created_at, id) `+less+` (?2, ?3)
		ORDER BY created_at `+down+", id "+down+" LIMIT ?4 OFFSET ?5",
		l.owner, after.Key, after.ID, most, skip)
}

func (l *listed) Read(ids []int64) (found []terse.Link, err error) {
	for _, id := range ids {
		found, err = l.read(found,
			"SELECT "+record.Columns+" FROM links WHERE id = ?1 AND ?2 IN (created_by, '*')",
			id, l.owner)
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (l *listed) read(found []terse.Link, sql string, args ...any) ([]terse.Link, error) {
	err := query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		link, err := record.Scan(row)
		found = append(found, link)
		return err
	}, args...)
	return found, err
}

func (l *listed) Totals(ranges []int64, f func(int64, list.Counts)) error {
	return clickstore.EachBucket(rows.New(l.conn), clickstore.BucketsOf(ranges),
		func(first terse.LinkID, of clickstore.BucketTotals) { f(int64(first), list.Counts(of)) })
}

func (l *listed) Deleted() (linkset.Set, error) {
	ids, err := l.numbers("SELECT link_id FROM tombstones WHERE applied = 0")
	return linkset.Of(ids), err
}

// Shared compares the number of all links in a range with that of the owner's.
func (l *listed) Shared() ([]int64, error) {
	if l.all() {
		return nil, nil
	}
	return l.numbers(`SELECT id_range FROM link_ranges AS r
		WHERE created_by IN ('authenticated-user', '*') GROUP BY id_range
		HAVING sum(links) > coalesce((SELECT links FROM link_ranges
			WHERE created_by = ? AND id_range = r.id_range), 0)
		ORDER BY id_range`, l.owner)
}

func (l *listed) numbers(sql string, args ...any) (found []int64, err error) {
	err = query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		found = append(found, row.ColumnInt64(0))
		return nil
	}, args...)
	return found, err
}

func (l *listed) Within(r terse.TimeRange, people bool,
	f func(id, clicks, people int64),
) error {
	all, err := rows.AllOf(l.conn, l.owner)
	if err != nil {
		return err
	}
	return clickstore.Within(rows.New(l.conn), all, r, people, f)
}
