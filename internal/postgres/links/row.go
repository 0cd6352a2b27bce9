package links

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"
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

// Columns are what a Row reads, of links as l.
const Columns = "l.id, l.code, l.url, l.created_at, l.created_by, l.updated_at, l.options"

// Row is a row of links. All is NULL where a join found none.
type Row struct {
	ID, CreatedAt, UpdatedAt  pgtype.Int8
	Code, URL, Owner, Options pgtype.DriverBytes
}

// Targets are what Columns are read into.
func (r *Row) Targets() []any {
	return []any{&r.ID, &r.Code, &r.URL, &r.CreatedAt, &r.Owner, &r.UpdatedAt, &r.Options}
}

// Clone returns the row as it is, which the next one is read over.
func (r *Row) Clone() Row {
	c := *r
	for _, b := range []*pgtype.DriverBytes{&c.Code, &c.URL, &c.Owner, &c.Options} {
		*b = bytes.Clone(*b)
	}
	return c
}

// Link returns the link of the row, without what it has used.
func (r *Row) Link() (terse.Link, error) {
	code, err := terse.ParseCode([]byte(r.Code))
	link := terse.Link{
		ID: terse.LinkID(r.ID.Int64), Code: code, URL: terse.URL(r.URL),
		CreatedAt: time.UnixMicro(r.CreatedAt.Int64).UTC(), CreatedBy: string(r.Owner),
		Options: terse.EncodedOptions(r.Options),
	}
	if r.UpdatedAt.Int64 != 0 {
		link.UpdatedAt = time.UnixMicro(r.UpdatedAt.Int64).UTC()
	}
	return link, err
}

// Read returns the links that a query for Columns finds, with what they have used.
func Read(ctx context.Context, q Querier, sql string, args ...any) ([]terse.Link, error) {
	rows, _ := q.Query(ctx, sql, args...)
	var found []terse.Link
	var row Row
	_, err := pgx.ForEachRow(rows, row.Targets(), func() error {
		link, err := row.Link()
		found = append(found, link)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, FillUsed(ctx, q, found)
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

// FillUsed fills in what links have used of their MaxClicks. Where none can have, it asks nothing.
func FillUsed(ctx context.Context, q Querier, links []terse.Link) error {
	var codes []string
	for _, link := range links {
		if strings.Contains(string(link.Options), `"max_clicks"`) {
			codes = append(codes, link.Code.String())
		}
	}
	if len(codes) == 0 {
		return nil
	}
	rows, _ := q.Query(ctx,
		"SELECT link_id, used FROM link_states WHERE code = ANY($1)", codes)
	used, err := ByID(rows)
	for i := range links {
		links[i].Used = used[links[i].ID]
	}
	return err
}
