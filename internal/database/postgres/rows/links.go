package rows

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/click/clickstore"
)

// Bury queues the statement that writes tombstones of deleted links. It waits for no other
// transaction.
func Bury(batch *pgx.Batch, gone []terse.LinkRef) *pgx.QueuedQuery {
	ids, codes := make([]int64, len(gone)), make([]string, len(gone))
	for i, link := range gone {
		ids[i], codes[i] = int64(link.ID), link.Code.String()
	}
	return batch.Queue("INSERT INTO tombstones (link_id, code, deleted, applied) "+
		"SELECT id, code, true, false FROM unnest($1::bigint[], $2::text[]) AS n (id, code)",
		ids, codes)
}

// Links implements clickstore.Links in a transaction of a Writer.
type Links struct {
	ctx     context.Context // of the transaction
	tx      pgx.Tx
	numbers map[string]clickstore.OwnerID // of owners that were looked up
}

var _ clickstore.Links = (*Links)(nil)

// NewLinks returns the Links of a transaction.
func NewLinks(ctx context.Context, tx pgx.Tx) *Links {
	return &Links{ctx, tx, map[string]clickstore.OwnerID{}}
}

// AllOf returns the IDs that stand for all links of an owner, or of terse.AllOwners.
func AllOf(ctx context.Context, tx pgx.Tx, owner string) ([]terse.LinkID, error) {
	sql := "SELECT number FROM owner_numbers WHERE owner = $1"
	if owner == terse.AllOwners { // without the others, nobody is joined yet
		sql = "SELECT number FROM owner_numbers WHERE number <= coalesce((" + sql +
			"), 9223372036854775807)"
	}
	rows, _ := tx.Query(ctx, sql, owner) // CollectRows returns its error
	numbers, err := pgx.CollectRows(rows, pgx.RowTo[clickstore.OwnerID])
	return clickstore.LinksOf(numbers...), err
}

// Owner implements clickstore.Links.
func (l *Links) Owner(name string) (clickstore.OwnerID, error) {
	if l.numbers[name] == 0 {
		if err := l.number(map[string]bool{name: true}); err != nil {
			return 0, err
		}
	}
	return l.numbers[name], nil
}

// number looks up the numbers of owners, and gives new ones, together: a batch may have clicks of
// thousands of owners.
func (l *Links) number(names map[string]bool) error {
	missing := slices.Sorted(maps.Keys(names))
	for _, sql := range []string{
		"SELECT owner, number FROM owner_numbers WHERE owner = ANY($1)",
		"INSERT INTO owner_numbers (owner) SELECT unnest($1::text[]) RETURNING owner, number",
	} {
		if len(missing) == 0 {
			break
		}
		rows, _ := l.tx.Query(l.ctx, sql, missing)
		var name string
		var number clickstore.OwnerID
		_, err := pgx.ForEachRow(rows, []any{&name, &number}, func() error {
			l.numbers[name] = number
			return nil
		})
		if err != nil {
			return err
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return l.numbers[name] != 0 })
	}
	return nil
}

// linkRows holds the statements that look up IDs.
var linkRows = [...]string{
	clickstore.Buried: "SELECT link_id, code, '' FROM tombstones " +
		"WHERE link_id = ANY($1) AND deleted",
	clickstore.CurrentCode: "SELECT id, code, created_by FROM links WHERE id = ANY($1)",
	clickstore.FormerCode:  "SELECT link_id, code, '' FROM former_codes WHERE link_id = ANY($1)",
}

// Lookup implements clickstore.Links. It also numbers the owners of the links, for Owner.
func (l *Links) Lookup(ids []terse.LinkID, f func(clickstore.LinkRow)) error {
	owners := map[string]bool{}
	batch := &pgx.Batch{}
	for kind, sql := range linkRows {
		batch.Queue(sql, ids).Query(func(rows pgx.Rows) error {
			r := clickstore.LinkRow{Kind: clickstore.RowKind(kind)}
			_, err := pgx.ForEachRow(rows, []any{&r.ID, &r.Code, &r.Owner}, func() error {
				if r.Kind == clickstore.CurrentCode && l.numbers[r.Owner] == 0 {
					owners[r.Owner] = true
				}
				f(r)
				return nil
			})
			return err
		})
	}
	if err := l.tx.SendBatch(l.ctx, batch).Close(); err != nil {
		return err
	}
	return l.number(owners)
}

// Number implements clickstore.Links. Tombstones of uncommitted transactions get their numbers
// later.
func (l *Links) Number(most int, at time.Time) error {
	_, err := l.tx.Exec(l.ctx, `UPDATE tombstones AS t SET at = $2,
			number = n.nth + (SELECT max(number) FROM tombstones),
			random = hashtextextended(gen_random_uuid()::text, 0)
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM tombstones
			WHERE number IS NULL ORDER BY id LIMIT $1) AS n WHERE t.id = n.id`,
		most, at.UnixMicro())
	return err
}

// Newest implements clickstore.Links.
func (l *Links) Newest() (m clickstore.Mark, err error) {
	err = l.tx.QueryRow(l.ctx, "SELECT number, random FROM tombstones WHERE number IS NOT NULL "+
		"ORDER BY number DESC LIMIT 1").Scan(&m.Number, &m.Random)
	return m, err
}

// Since implements clickstore.Links.
func (l *Links) Since(number int64, most int) ([]clickstore.Tombstone, error) {
	return l.tombstones("number >= $1 ORDER BY number LIMIT $2", number, most)
}

// Unapplied implements clickstore.Links.
func (l *Links) Unapplied(most int) ([]clickstore.Tombstone, error) {
	return l.tombstones("NOT applied AND number IS NOT NULL ORDER BY number LIMIT $1", most)
}

func (l *Links) tombstones(which string, args ...any) (found []clickstore.Tombstone, err error) {
	var t clickstore.Tombstone
	rows, _ := l.tx.Query(l.ctx, "SELECT number, random, link_id FROM tombstones WHERE "+which,
		args...)
	_, err = pgx.ForEachRow(rows, []any{&t.Number, &t.Random, &t.Link}, func() error {
		found = append(found, t)
		return nil
	})
	return found, err
}

// Applied implements clickstore.Links.
func (l *Links) Applied(done []clickstore.Tombstone) error {
	numbers := make([]int64, len(done))
	for i, t := range done {
		numbers[i] = t.Number
	}
	_, err := l.tx.Exec(l.ctx, "UPDATE tombstones SET applied = true WHERE number = ANY($1)",
		numbers)
	return err
}

// Trim implements clickstore.Links. Times grow with the numbers, so it looks no further than the
// first row that is too young: there may be very many of those.
func (l *Links) Trim(below int64, before time.Time, most int) error {
	_, err := l.tx.Exec(l.ctx, `DELETE FROM tombstones WHERE number IN (
		SELECT number FROM tombstones WHERE applied AND at < $2 AND number < least($1,
			(SELECT number FROM tombstones WHERE number IS NOT NULL AND at >= $2
			ORDER BY number LIMIT 1))
		ORDER BY number LIMIT $3)`, below, before.UnixMicro(), most)
	return err
}
