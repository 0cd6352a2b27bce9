package rows

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickstore"
)

// LinksSchema makes the tables of Links, beside links and former_codes.
//
//go:embed links.sql
var LinksSchema string

// Bury queues the statement by which a transaction that deletes links says so. It waits for nobody.
func Bury(batch *pgx.Batch, gone []terse.LinkRef) *pgx.QueuedQuery {
	ids, codes := make([]int64, len(gone)), make([]string, len(gone))
	for i, link := range gone {
		ids[i], codes[i] = int64(link.ID), link.Code.String()
	}
	return batch.Queue("INSERT INTO tombstones (link_id, code, deleted, applied) "+
		"SELECT id, code, true, false FROM unnest($1::bigint[], $2::text[]) AS n (id, code)",
		ids, codes)
}

// Links are clickstore.Links in a transaction of a Writer.
type Links struct {
	ctx    context.Context // of the transaction
	tx     pgx.Tx
	now    time.Time
	owners map[string]clickstore.OwnerID // that were looked up
}

var _ clickstore.Links = (*Links)(nil)

// NewLinks returns the links of a transaction, which happens now.
func NewLinks(ctx context.Context, tx pgx.Tx, now time.Time) *Links {
	return &Links{ctx, tx, now, map[string]clickstore.OwnerID{}}
}

// Owner returns the number of an owner, 0 when it has none yet.
func Owner(ctx context.Context, tx pgx.Tx, owner string) (number clickstore.OwnerID, err error) {
	err = tx.QueryRow(ctx, "SELECT number FROM owner_numbers WHERE owner = $1", owner).Scan(&number)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return number, err
}

// lookedUpAtOnce bounds the links that are in memory in Lookup.
const lookedUpAtOnce = 1 << 13

// Lookup is that of clickstore.Links.
func (l *Links) Lookup(ids []terse.LinkID, f func(clickstore.Known) error) error {
	for some := range slices.Chunk(ids, lookedUpAtOnce) {
		if err := l.lookUp(some, f); err != nil {
			return err
		}
	}
	return nil
}

// coded is a link with a code that it has or had, and its owner where that is known.
type coded struct {
	id    terse.LinkID
	code  string
	owner string
}

func (l *Links) lookUp(ids []terse.LinkID, f func(clickstore.Known) error) error {
	var found, former, deleted []coded
	batch := &pgx.Batch{}
	for sql, all := range map[string]*[]coded{
		"SELECT id, code, created_by FROM links WHERE id = ANY($1)":                    &found,
		"SELECT link_id, code, '' FROM former_codes WHERE link_id = ANY($1)":           &former,
		"SELECT link_id, code, '' FROM tombstones WHERE link_id = ANY($1) AND deleted": &deleted,
	} {
		batch.Queue(sql, ids).Query(func(rows pgx.Rows) error {
			var c coded
			_, err := pgx.ForEachRow(rows, []any{&c.id, &c.code, &c.owner}, func() error {
				*all = append(*all, c)
				return nil
			})
			return err
		})
	}
	if err := l.tx.SendBatch(l.ctx, batch).Close(); err != nil {
		return err
	}
	if err := l.number(found); err != nil {
		return fmt.Errorf("number owners: %w", err)
	}
	gone := map[terse.LinkID]bool{}
	for _, c := range deleted {
		gone[c.id] = true
		if err := tell(f, c, clickstore.Known{Deleted: true}); err != nil {
			return err
		}
	}
	owners := map[terse.LinkID]clickstore.OwnerID{}
	for _, c := range found {
		if gone[c.id] { // on Citus the link may be seen for longer
			continue
		}
		owners[c.id] = l.owners[c.owner]
		if err := tell(f, c, clickstore.Known{Owner: owners[c.id]}); err != nil {
			return err
		}
	}
	for _, c := range former {
		if owners[c.id] == 0 {
			continue
		}
		if err := tell(f, c, clickstore.Known{Owner: owners[c.id]}); err != nil {
			return err
		}
	}
	return nil
}

// tell calls f for a code of a link.
func tell(f func(clickstore.Known) error, c coded, k clickstore.Known) error {
	code, err := terse.ParseCode(c.code)
	if err != nil { // it was written by hand, and nothing redirects there
		return nil //nolint:nilerr // see above
	}
	k.ID, k.Code = c.id, code
	return f(k)
}

// number looks up the numbers of the owners of links, and gives one to those that have none.
func (l *Links) number(found []coded) error {
	missing := map[string]bool{}
	for _, c := range found {
		if l.owners[c.owner] == 0 {
			missing[c.owner] = true
		}
	}
	read := func(sql string) error {
		if len(missing) == 0 {
			return nil
		}
		var owner string
		var number clickstore.OwnerID
		rows, _ := l.tx.Query(l.ctx, sql, slices.Sorted(maps.Keys(missing)))
		_, err := pgx.ForEachRow(rows, []any{&owner, &number}, func() error {
			l.owners[owner] = number
			delete(missing, owner)
			return nil
		})
		return err
	}
	if err := read("SELECT owner, number FROM owner_numbers WHERE owner = ANY($1)"); err != nil {
		return err
	}
	return read("INSERT INTO owner_numbers (owner) SELECT unnest($1::text[]) " +
		"RETURNING owner, number")
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
	if err := l.numberTombstones(); err != nil {
		return now, false, fmt.Errorf("number tombstones: %w", err)
	}
	err = l.tx.QueryRow(l.ctx, "SELECT number, random FROM tombstones "+
		"WHERE number IS NOT NULL ORDER BY number DESC LIMIT 1").Scan(&now.Number, &now.Random)
	if err != nil {
		return now, false, err
	}
	told, everything, err := l.told(since)
	if err != nil {
		return now, false, err
	}
	for _, id := range told {
		if err := f(clickstore.Change{ID: id}); err != nil {
			return now, everything, err
		}
	}
	if err := l.apply(f); err != nil {
		return now, everything, err
	}
	_, err = l.tx.Exec(l.ctx, `DELETE FROM tombstones WHERE number IN (
		SELECT number FROM tombstones WHERE number < $1 AND applied AND at < $2
		ORDER BY number LIMIT $3)`, now.Number, l.now.Add(-remembered).UnixMicro(), maxTrimmed)
	return now, everything, err
}

// numberTombstones numbers those that have no number yet. Rows of transactions that are not
// committed are not seen: they get theirs later.
func (l *Links) numberTombstones() error {
	rows, _ := l.tx.Query(l.ctx,
		"SELECT id FROM tombstones WHERE number IS NULL ORDER BY id LIMIT $1", maxNumbered)
	fresh, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil || len(fresh) == 0 {
		return err
	}
	random := make([]int64, len(fresh))
	for i := range random {
		random[i] = rand.Int64()
	}
	_, err = l.tx.Exec(l.ctx, `UPDATE tombstones AS t
		SET number = n.nth + (SELECT max(number) FROM tombstones), random = n.random, at = $3
		FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS n (id, random, nth)
		WHERE t.id = n.id`, fresh, random, l.now.UnixMicro())
	return err
}

// told returns the links that changed since a mark; everything is true when they are too many, or
// the mark is of another history.
func (l *Links) told(since clickstore.Mark) (ids []terse.LinkID, everything bool, err error) {
	var known bool
	if err := l.tx.QueryRow(l.ctx,
		"SELECT EXISTS (SELECT FROM tombstones WHERE number = $1 AND random = $2)",
		since.Number, since.Random).Scan(&known); err != nil || !known {
		return nil, true, err
	}
	rows, _ := l.tx.Query(l.ctx,
		"SELECT link_id FROM tombstones WHERE number > $1 ORDER BY number LIMIT $2",
		since.Number, maxTold+1)
	ids, err = pgx.CollectRows(rows, pgx.RowTo[terse.LinkID])
	if err != nil || len(ids) > maxTold {
		return nil, true, err
	}
	return ids, false, nil
}

// apply has f drop the rows of some deleted links.
func (l *Links) apply(f func(clickstore.Change) error) error {
	var links, numbers []int64
	var link, number int64
	rows, _ := l.tx.Query(l.ctx, "SELECT link_id, number FROM tombstones "+
		"WHERE NOT applied AND number IS NOT NULL ORDER BY number LIMIT $1", clickstore.MaxDrops)
	if _, err := pgx.ForEachRow(rows, []any{&link, &number}, func() error {
		links, numbers = append(links, link), append(numbers, number)
		return nil
	}); err != nil || len(links) == 0 {
		return err
	}
	for _, link := range links {
		if err := f(clickstore.Change{ID: terse.LinkID(link), Drop: true}); err != nil {
			return err
		}
	}
	_, err := l.tx.Exec(l.ctx, "UPDATE tombstones SET applied = true WHERE number = ANY($1)",
		numbers)
	return err
}
