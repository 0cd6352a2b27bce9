package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/links"
	"terse/internal/database/postgres/rows"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
	"terse/internal/link/list"
)

// listed is a list.Snapshot of a transaction.
type listed struct {
	ctx    context.Context
	tx     pgx.Tx
	naming links.Naming
	owner  string
}

// reaches reports whether the list has the links of an owner.
func (l *listed) reaches(owner string) bool { return l.all() || owner == l.owner }

// all reports whether the list is one of all owners.
func (l *listed) all() bool { return l.owner == terse.AllOwners }

func (l *listed) Ranges() (all []list.Range, err error) {
	for _, owner := range follow.Owners(l.owner) {
		rows, _ := l.tx.Query(l.ctx, `SELECT id_range, sum(links)::bigint, min(first), max(last)
			FROM link_ranges WHERE owner = $1 GROUP BY id_range HAVING sum(links) > 0
			ORDER BY id_range`, owner)
		ranges, err := pgx.CollectRows(rows, pgx.RowToStructByPos[list.Range])
		if err != nil {
			return nil, err
		}
		all = list.Join(all, ranges)
	}
	return all, nil
}

func (l *listed) At(address string) (int64, error) {
	found, err := l.naming.Find(l.ctx, l.tx, []string{address})
	if err != nil {
		return 0, err
	}
	link, ok := found[address]
	if !ok {
		return 0, terse.ErrNotFound
	}
	return int64(link.ID), nil
}

func (l *listed) Tagged(tag string) (linkset.Set, error) {
	return links.Set(l.ctx, l.tx, l.owner, follow.TagSet(tag))
}

func (l *listed) WithStatus(status terse.Status) (linkset.Set, error) {
	return links.Set(l.ctx, l.tx, l.owner, string(status))
}

func (l *listed) Archived() (linkset.Set, error) {
	return links.Set(l.ctx, l.tx, l.owner, follow.ArchivedSet)
}

func (l *listed) OnDomain(d terse.Domain) (linkset.Set, error) {
	return links.Set(l.ctx, l.tx, l.owner, follow.DomainSet(d))
}

func (l *listed) Changing(now time.Time, f func(int64, terse.Status)) error {
	return links.Changing(l.ctx, l.tx, l.owner, now, f)
}

func (l *listed) Between(first, last int64, texts bool, f func(*list.Row) error) error {
	return l.rows("id BETWEEN $1 AND $2", texts, f, first, last)
}

func (l *listed) ByID(ids []int64, texts bool, f func(*list.Row) error) error {
	return l.rows("id = ANY($1)", texts, f, ids)
}

// rows filters by owner here: an index by owner would not read fewer rows.
func (l *listed) rows(where string, texts bool, f func(*list.Row) error, args ...any) error {
	columns := "id, created_at, created_by"
	var row list.Row
	var owner pgtype.DriverBytes
	targets := []any{&row.ID, &row.CreatedAt, &owner}
	if texts {
		columns += ", code, url, options"
		targets = append(targets, (*pgtype.DriverBytes)(&row.Code),
			(*pgtype.DriverBytes)(&row.URL), (*pgtype.DriverBytes)(&row.Options))
	}
	rows, _ := l.tx.Query(l.ctx, "SELECT "+columns+" FROM links WHERE "+where, args...)
	_, err := pgx.ForEachRow(rows, targets, func() error {
		if !l.reaches(string(owner)) {
			return nil
		}
		return f(&row)
	})
	return err
}

func (l *listed) InOrder(order terse.LinkOrder, after linkset.Ranked, skip int64, most int) (
	[]terse.Link, error,
) {
	less, down := "<", "DESC"
	if order == terse.OldestFirst {
		less, down = ">", "ASC"
	}
	if l.all() {
		return l.allInOrder(less, down, after, skip, most)
	}
	return links.Read(l.ctx, l.tx, "SELECT "+links.Columns+` FROM links AS l
		WHERE l.created_by = $1 AND (l.created_at, l.id) `+less+` ($2, $3)
		ORDER BY l.created_at `+down+", l.id "+down+" LIMIT $4 OFFSET $5",
		l.owner, after.Key, after.ID, most, skip)
}

// allInOrder merges two indexes. The limits in both parts are for Citus, which reads the parts one
// after the other.
func (l *listed) allInOrder(less, down string, after linkset.Ranked, skip int64, most int) (
	[]terse.Link, error,
) {
	part := func(condition string) string {
		return "(SELECT id, created_at FROM links WHERE " + condition +
			" AND (created_at, id) " + less + " ($1, $2) " +
			"ORDER BY created_at " + down + ", id " + down + " LIMIT $3)"
	}
	found, err := links.Read(l.ctx, l.tx, "SELECT "+links.Columns+" FROM links AS l "+
		"WHERE l.id = ANY(ARRAY(SELECT id FROM ("+part("created_by = 'authenticated-user'")+
		" UNION ALL "+part("created_by <> 'authenticated-user'")+") AS parts ORDER BY created_at "+
		down+", id "+down+" LIMIT $4 OFFSET $5))",
		after.Key, after.ID, skip+int64(most), most, skip)
	slices.SortFunc(found, func(a, b terse.Link) int {
		c := cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		if down == "ASC" {
			c = -c
		}
		return c
	})
	return found, err
}

func (l *listed) Read(ids []int64) ([]terse.Link, error) {
	return links.Read(l.ctx, l.tx,
		"SELECT "+links.Columns+" FROM links AS l WHERE l.id = ANY($1)", ids)
}

func (l *listed) Totals(numbers []int64, f func(int64, list.Counts)) error {
	return clickstore.EachBucket(rows.NewReader(l.ctx, l.tx),
		clickstore.BucketsOf(numbers),
		func(first terse.LinkID, of clickstore.BucketTotals) { f(int64(first), list.Counts(of)) })
}

func (l *listed) Deleted() (linkset.Set, error) {
	rows, _ := l.tx.Query(l.ctx, "SELECT link_id FROM tombstones WHERE NOT applied")
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return linkset.Of(ids), err
}

// Shared compares the number of all links in a range with that of the owner's.
func (l *listed) Shared() ([]int64, error) {
	if l.all() {
		return nil, nil
	}
	rows, _ := l.tx.Query(l.ctx, `SELECT id_range FROM link_ranges
		WHERE owner IN ('authenticated-user', '*', $1) GROUP BY id_range
		HAVING coalesce(sum(links) FILTER (WHERE owner IN ('authenticated-user', '*')), 0) >
			coalesce(sum(links) FILTER (WHERE owner = $1), 0)
		ORDER BY id_range`, l.owner)
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func (l *listed) Within(r terse.TimeRange, people bool,
	f func(id, clicks, people int64),
) error {
	all, err := rows.AllOf(l.ctx, l.tx, l.owner)
	if err != nil {
		return err
	}
	return clickstore.Within(rows.NewReader(l.ctx, l.tx), all, r, people, f)
}
