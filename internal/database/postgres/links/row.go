package links

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/link/follow"
)

// ErrConflict means that another transaction was in the way. The caller can try again in a new one.
var ErrConflict = errors.New("another transaction changed the same")

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Columns are the columns that a row reads, from links AS l.
const Columns = "l.id, l.code, l.url, l.created_at, l.created_by, l.updated_at, l.options, " +
	"l.used"

// row is a row of links.
type row struct {
	id, createdAt, updatedAt, used int64
	code, url, owner, options      pgtype.DriverBytes
}

// targets returns the fields into which Columns are read.
func (r *row) targets() []any {
	return []any{
		&r.id, &r.code, &r.url, &r.createdAt, &r.owner, &r.updatedAt, &r.options, &r.used,
	}
}

func (r *row) link() (terse.Link, error) {
	code, err := terse.ParseKey(string(r.code))
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

// Read returns the links found by a query for Columns.
func Read(ctx context.Context, q Querier, sql string, args ...any) (found []terse.Link, err error) {
	rows, _ := q.Query(ctx, sql, args...)
	var r row
	_, err = pgx.ForEachRow(rows, r.targets(), func() error {
		link, err := r.link()
		found = append(found, link)
		return err
	})
	return found, err
}

// lock locks rows of links, one statement for each, in the order that all transactions use, so that
// no two deadlock. It returns the existing links as their rows have them.
func (c *Changes) lock(ctx context.Context, all []terse.LinkRef) (
	found map[terse.LinkID]*follow.Stored, err error,
) {
	found = make(map[terse.LinkID]*follow.Stored, len(all))
	batch := &pgx.Batch{}
	for _, ref := range slices.SortedFunc(slices.Values(all), terse.LinkRef.Compare) {
		batch.Queue("SELECT "+Columns+`, l.tags, l.status, l.archived FROM links AS l
			WHERE l.code = $1 AND l.id = $2 FOR UPDATE`, ref.Code.String(), int64(ref.ID),
		).Query(func(rows pgx.Rows) error {
			var r row
			var tags, status string
			var archived bool
			targets := append(r.targets(), &tags, &status, &archived)
			_, err := pgx.ForEachRow(rows, targets, func() error {
				link, err := r.link()
				stored := follow.Decode(link)
				if tags != "" {
					stored.Tags = strings.Split(tags, "\n")
				}
				stored.Status, stored.Archived = terse.Status(status), archived
				found[ref.ID] = stored
				return err
			})
			return err
		})
	}
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	return found, c.findAliases(ctx, found)
}

// findAliases reads the aliases of links whose options don't tell.
func (c *Changes) findAliases(ctx context.Context, found map[terse.LinkID]*follow.Stored) error {
	var damaged []int64
	for id, link := range found {
		if link.Damaged {
			damaged = append(damaged, int64(id))
		}
	}
	if len(damaged) == 0 {
		return nil
	}
	rows, _ := c.tx.Query(ctx, "SELECT link_id, address FROM aliases WHERE link_id = ANY($1)",
		damaged)
	var id int64
	var alias string
	_, err := pgx.ForEachRow(rows, []any{&id, &alias}, func() error {
		link := found[terse.LinkID(id)]
		link.Aliases = append(link.Aliases, alias)
		return nil
	})
	return err
}

func refs(all []terse.Link) []terse.LinkRef {
	refs := make([]terse.LinkRef, len(all))
	for i, link := range all {
		refs[i] = link.Ref()
	}
	return refs
}

// one returns the only link found by a query for Columns.
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
