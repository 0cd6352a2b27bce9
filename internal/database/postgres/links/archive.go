package links

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// Restore sets what only an import sets of a link.
func (c *Changes) Restore(
	ctx context.Context, by terse.Caller, ref terse.LinkRef, r terse.Restored,
) error {
	found, err := c.lock(ctx, []terse.LinkRef{ref})
	if err != nil {
		return err
	}
	before := found[ref.ID]
	if before == nil {
		return terse.ErrNotFound
	}
	if err := c.replaceShare(ctx, by, before.Link, r.Share); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	after := before.Become(before.Link)
	if !r.CreatedAt.IsZero() {
		after.CreatedAt = r.CreatedAt
	}
	if !r.UpdatedAt.IsZero() {
		after.UpdatedAt = r.UpdatedAt
	}
	if r.Used != nil && after.Set.MaxClicks > 0 {
		after.Used = *r.Used
	}
	if !after.CreatedAt.Equal(before.CreatedAt) || !after.UpdatedAt.Equal(before.UpdatedAt) ||
		after.Used != before.Used {
		if err := c.write(batch, before, after, by); err != nil {
			return err
		}
	}
	if err := putHistories(batch, ref, r.History); err != nil {
		return err
	}
	return c.tx.SendBatch(ctx, batch).Close()
}

// AddHistories adds the histories of links that were created, which are those not refused.
func (c *Changes) AddHistories(ctx context.Context, links []New,
	histories [][]terse.HistoryEntry, refused []error,
) error {
	batch := &pgx.Batch{}
	for i, link := range links {
		if refused[i] != nil {
			continue
		}
		if err := putHistories(batch, link.Ref(), histories[i]); err != nil {
			return err
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	return c.tx.SendBatch(ctx, batch).Close()
}

// putHistories queues the inserts of a link's changes.
func putHistories(batch *pgx.Batch, link terse.LinkRef, history []terse.HistoryEntry) error {
	for _, entry := range history[:min(len(history), terse.MaxHistory)] {
		encoded, err := follow.Entry(entry)
		if err != nil {
			return err
		}
		putHistory(batch, link, encoded)
	}
	return nil
}

// Sized is a link and about how many bytes of memory it takes with its history.
type Sized struct {
	Code  string
	Bytes int
}

// Memory of a link, and of an entry of its history, without their texts, in bytes.
const (
	linkBytes  = 256
	entryBytes = 512
)

// Between returns some links of an owner, or of all, in the order of the bytes of their codes,
// those after a code and before another one.
func Between(
	ctx context.Context, tx pgx.Tx, owner, after, before string, most int,
) ([]Sized, error) {
	sql, args := " ORDER BY l.code LIMIT $2", []any{after, most, linkBytes, before}
	if owner != terse.AllOwners {
		sql, args = " AND l.created_by = $5"+sql, append(args, owner)
	}
	rows, _ := tx.Query(ctx, `SELECT l.code, octet_length(l.url) + octet_length(l.options) + $3
		FROM links AS l WHERE l.code > $1 AND l.code < $4`+sql, args...)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Sized])
	if err != nil || len(found) == 0 {
		return nil, err
	}
	codes, at := make([]string, len(found)), make(map[string]int, len(found))
	for i, link := range found {
		codes[i], at[link.Code] = link.Code, i
	}
	var changed string
	var bytes int
	rows, _ = tx.Query(ctx, `SELECT code, sum(octet_length(fields) + $2)::bigint FROM link_changes
		WHERE code = ANY($1) GROUP BY code`, codes, entryBytes)
	_, err = pgx.ForEachRow(rows, []any{&changed, &bytes}, func() error {
		found[at[changed]].Bytes += bytes
		return nil
	})
	return found, err
}

// Whole is a link with what belongs to it.
type Whole struct {
	terse.Link
	Share   terse.Share          // if it is plain
	History []terse.HistoryEntry // newest first
}

// WholeOf returns the links of codes with what belongs to them, in the order of the bytes of their
// codes.
func WholeOf(ctx context.Context, tx pgx.Tx, codes []string) ([]Whole, error) {
	found, err := Read(ctx, tx, "SELECT "+Columns+` FROM links AS l
		WHERE l.code = ANY($1) ORDER BY l.code`, codes)
	if err != nil {
		return nil, err
	}
	all, at := make([]Whole, len(found)), make(map[int64]*Whole, len(found))
	for i, link := range found {
		all[i].Link = link
		at[int64(link.ID)] = &all[i]
	}
	var id, changed int64
	err = eachShare(ctx, tx, func(s terse.Shared) error {
		if s.IsPlain() {
			at[int64(s.Target.Link.ID)].Share = s.Share
		}
		return nil
	}, "WHERE link_id = ANY($1)", slices.Collect(maps.Keys(at)))
	if err != nil {
		return nil, err
	}
	var by, request, fields string
	rows, _ := tx.Query(ctx, `SELECT link_id, at, changed_by, request_id, fields FROM link_changes
		WHERE code = ANY($1) ORDER BY at DESC`, codes)
	_, err = pgx.ForEachRow(rows, []any{&id, &changed, &by, &request, &fields}, func() error {
		of := at[id]
		if of == nil {
			return nil
		}
		entry, err := historyEntry(changed, by, request, fields)
		of.History = append(of.History, entry)
		return err
	})
	return all, err
}

// ExportedIDs returns the IDs of the links of a query.
func ExportedIDs(ctx context.Context, tx pgx.Tx, q terse.ExportQuery) (linkset.Set, error) {
	ids, err := IDs(ctx, tx, q.Owner)
	if err != nil || q.Domain == nil {
		return ids, err
	}
	set, err := Set(ctx, tx, q.Owner, follow.DomainSet(*q.Domain))
	if *q.Domain == terse.DefaultDomain { // its set has those on all others
		return ids.Without(set), err
	}
	return ids.And(set), err
}

// IDs returns the IDs of the links of an owner, or of all.
func IDs(ctx context.Context, tx pgx.Tx, owner string) (ids linkset.Set, err error) {
	var id int64
	sql, args := " WHERE l.created_by = $1", []any{owner}
	if owner == terse.AllOwners {
		sql, args = "", nil
	}
	rows, _ := tx.Query(ctx, "SELECT id FROM links AS l"+sql+" ORDER BY id", args...)
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		ids = ids.With(id)
		return nil
	})
	return ids, err
}
