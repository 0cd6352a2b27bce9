package postgres

import (
	"context"
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

func (l *listed) Ranges() ([]list.Range, error) {
	rows, _ := l.tx.Query(l.ctx, `SELECT id_range, sum(links)::bigint, min(first), max(last)
		FROM link_ranges WHERE owner = $1 GROUP BY id_range HAVING sum(links) > 0
		ORDER BY id_range`, l.owner)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[list.Range])
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
		if string(owner) != l.owner {
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
	return links.Read(l.ctx, l.tx, "SELECT "+links.Columns+` FROM links AS l
		WHERE l.created_by = $1 AND (l.created_at, l.id) `+less+` ($2, $3)
		ORDER BY l.created_at `+down+", l.id "+down+" LIMIT $4 OFFSET $5",
		l.owner, after.Key, after.ID, most, skip)
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

func (l *listed) Shared() ([]int64, error) {
	rows, _ := l.tx.Query(l.ctx, `SELECT DISTINCT id_range FROM (
		SELECT id_range FROM link_ranges WHERE owner <> $1 GROUP BY owner, id_range
			HAVING sum(links) > 0) AS others ORDER BY id_range`, l.owner)
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
