package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/linkset"
	"terse/internal/list"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
	"terse/internal/sqlite/rows"
)

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (terse.LinkPage, error) {
	return s.page(ctx, q, list.Usual)
}

func (s *Store) page(ctx context.Context, q terse.LinkQuery, most list.Bounds) (
	page terse.LinkPage, err error,
) {
	unsettled, read := 0, s.snapshot
	if q.Costly() {
		read = s.ask
	}
	err = read(ctx, func(conn *sqlite.Conn) error {
		page, unsettled, err = list.Page(&links{conn: conn, owner: q.Owner}, q, most)
		return err
	})
	s.settler.Found(q.Owner, unsettled)
	if err != nil {
		return terse.LinkPage{}, translate(ctx, err, "list links of %s", q.Owner)
	}
	return page, nil
}

// settle moves links of an owner whose status time has changed.
func (s *Store) settle(ctx context.Context, owner string, most int) (moved int, err error) {
	err = s.writeAlone(ctx, func(w *writer) (err error) {
		moved, err = record.Settle(w.conn, owner, time.Now(), most)
		return err
	})
	return moved, err
}

// links is a list.Snapshot.
type links struct {
	conn  *sqlite.Conn
	owner string
	row   list.Row
}

func (l *links) Count() (int64, error) {
	return query.Int(l.conn, "SELECT links FROM owners WHERE created_by = ?", l.owner)
}

func (l *links) Ranges() (ranges []list.Range, err error) {
	err = query.Each(l.conn, "SELECT id_range, links, first, last FROM link_ranges "+
		"WHERE created_by = ? ORDER BY id_range", func(row *sqlite.Stmt) error {
		ranges = append(ranges, list.Range{
			Number: row.ColumnInt64(0), Links: row.ColumnInt64(1),
			First: row.ColumnInt64(2), Last: row.ColumnInt64(3),
		})
		return nil
	}, l.owner)
	return ranges, err
}

func (l *links) Tagged(tag string) (linkset.Set, error) {
	return record.Tagged(l.conn, l.owner, []string{tag})
}

func (l *links) WithStatus(status terse.Status) (linkset.Set, error) {
	return record.Set(l.conn, l.owner, string(status))
}

func (l *links) Changing(now time.Time, f func(int64, terse.Status)) error {
	return record.Changing(l.conn, l.owner, now,
		func(s record.State) { f(int64(s.Link), s.Status(now)) })
}

func (l *links) Made(ranges []int64, first, last int64) (linkset.Set, error) {
	var made []int64
	for from, to := range list.Runs(ranges) {
		err := query.Each(l.conn, "SELECT id FROM links WHERE id BETWEEN ? AND ? "+
			"AND +created_by = ? AND +created_at BETWEEN ? AND ?", func(row *sqlite.Stmt) error {
			made = append(made, row.ColumnInt64(0))
			return nil
		}, from, to, l.owner, first, last)
		if err != nil {
			return nil, err
		}
	}
	return linkset.Of(made), nil
}

const selectSearched = "SELECT " + record.SearchedColumns + " FROM links WHERE "

func (l *links) InRanges(ranges []int64, texts bool, f func(*list.Row) error) error {
	for from, to := range list.Runs(ranges) {
		err := l.rows(texts, f, selectSearched+"id BETWEEN ? AND ? AND +created_by = ?", from, to,
			l.owner)
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *links) ByID(ids []int64, texts bool, f func(*list.Row) error) error {
	for _, id := range ids {
		err := l.rows(texts, f, selectSearched+"id = ? AND created_by = ?", id, l.owner)
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *links) rows(texts bool, f func(*list.Row) error, sql string, args ...any) error {
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

// The list in order of time. Its index has the order; of what is skipped no row is read.
const (
	selectNewest = "SELECT " + record.Columns + ` FROM links
		WHERE created_by = ?1 AND (created_at, id) < (?2, ?3)
		ORDER BY created_at DESC, id DESC LIMIT ?4 OFFSET ?5`
	selectOldest = "SELECT " + record.Columns + ` FROM links
		WHERE created_by = ?1 AND (created_at, id) > (?2, ?3)
		ORDER BY created_at, id LIMIT ?4 OFFSET ?5`
)

func (l *links) InOrder(order terse.LinkOrder, after linkset.Ranked, skip int64, most int) (
	[]terse.Link, error,
) {
	sql := selectNewest
	if order == terse.OldestFirst {
		sql = selectOldest
	}
	return l.read(nil, sql, l.owner, after.Key, after.ID, most, skip)
}

func (l *links) Read(ids []int64) (found []terse.Link, err error) {
	for _, id := range ids {
		found, err = l.read(found,
			"SELECT "+record.Columns+" FROM links WHERE id = ? AND created_by = ?", id, l.owner)
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (l *links) read(found []terse.Link, sql string, args ...any) ([]terse.Link, error) {
	err := query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		link, err := record.Scan(row)
		found = append(found, link)
		return err
	}, args...)
	return found, err
}

func (l *links) Totals(ranges []int64, f func(int64, list.Counts)) error {
	return clickstore.EachBucket(rows.New(l.conn), clickstore.BucketsOf(ranges, linkset.RangeBits),
		func(first terse.LinkID, of *clickstore.BucketTotals) {
			f(int64(first), list.Counts{Clicks: of.Clicks[:], People: of.People[:]})
		})
}

func (l *links) Within(r terse.TimeRange, people bool, f func(id, clicks int64)) error {
	owner, err := rows.Owner(l.conn, l.owner)
	if err != nil {
		return err
	}
	found, err := clickstore.Within(rows.New(l.conn), owner, r, people)
	found.Each(people, f)
	return err
}
