package links

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
)

// ErrConflict says that another transaction was in the way: the same can be tried in a new one.
var ErrConflict = errors.New("another transaction changed the same")

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Columns are what a row reads, of links as l.
const Columns = "l.id, l.code, l.url, l.created_at, l.created_by, l.updated_at, l.options, " +
	"coalesce(l.used, 0)"

// row is a row of links.
type row struct {
	id, createdAt, updatedAt, used int64
	code, url, owner, options      pgtype.DriverBytes
}

// targets are what Columns are read into.
func (r *row) targets() []any {
	return []any{
		&r.id, &r.code, &r.url, &r.createdAt, &r.owner, &r.updatedAt, &r.options, &r.used,
	}
}

func (r *row) link() (terse.Link, error) {
	code, err := terse.ParseCode([]byte(r.code))
	link := terse.Link{
		ID: terse.LinkID(r.id), Code: code, URL: terse.URL(r.url),
		CreatedAt: time.UnixMicro(r.createdAt).UTC(), CreatedBy: string(r.owner),
		Options: terse.EncodedOptions(r.options), Used: r.used,
	}
	if r.updatedAt != 0 {
		link.UpdatedAt = time.UnixMicro(r.updatedAt).UTC()
	}
	return link, err
}

// Read returns the links that a query for Columns finds.
func Read(ctx context.Context, q Querier, sql string, args ...any) ([]terse.Link, error) {
	rows, _ := q.Query(ctx, sql, args...)
	return collect(rows, nil, nil)
}

// collect returns the links of rows of Columns and what more is read into, and calls each for them.
func collect(rows pgx.Rows, more []any, each func(terse.LinkID)) (found []terse.Link, err error) {
	var r row
	_, err = pgx.ForEachRow(rows, append(r.targets(), more...), func() error {
		link, err := r.link()
		found = append(found, link)
		if each != nil {
			each(link.ID)
		}
		return err
	})
	return found, err
}

// readWithSets returns the links for which a condition holds, and the sets that they are in.
func readWithSets(ctx context.Context, q Querier, where string, args ...any) (
	[]terse.Link, map[terse.LinkID]sets, error,
) {
	rows, _ := q.Query(ctx,
		"SELECT "+Columns+", l.tags, l.status FROM links AS l WHERE "+where, args...)
	in := map[terse.LinkID]sets{}
	var s sets
	found, err := collect(rows, []any{&s.tags, &s.status}, func(id terse.LinkID) { in[id] = s })
	return found, in, err
}

// one returns the only link that a query for Columns finds.
func one(ctx context.Context, q Querier, sql string, args ...any) (terse.Link, error) {
	found, err := Read(ctx, q, sql, args...)
	if err != nil || len(found) == 0 {
		return terse.Link{}, cmp.Or(err, error(terse.ErrNotFound))
	}
	return found[0], nil
}

// Of returns the link with a code and an ID.
func Of(ctx context.Context, q Querier, code string, id int64) (terse.Link, error) {
	return one(ctx, q, "SELECT "+Columns+" FROM links AS l WHERE l.code = $1 AND l.id = $2",
		code, id)
}

// ByID returns what a query has of links: their IDs, and a number for each.
func ByID(rows pgx.Rows) (map[terse.LinkID]int64, error) {
	numbers := map[terse.LinkID]int64{}
	var id, n int64
	_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
		numbers[terse.LinkID(id)] = n
		return nil
	})
	return numbers, err
}
