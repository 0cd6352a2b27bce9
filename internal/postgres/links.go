package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/postgres/counter"
	"terse/internal/postgres/dialect"
)

// newLink is a link to be made.
type newLink struct {
	terse.Link
	tried []terse.LinkID // the IDs that it had in tries whose outcome was not known
}

// Create stores a new link.
func (s *Store) Create(ctx context.Context, l terse.NewLink) (terse.Link, error) {
	at := l.CreatedAt
	if at.IsZero() {
		at = time.Now()
	}
	link := terse.Link{
		Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(at.UnixMicro()).UTC(),
		CreatedBy: l.CreatedBy, Options: l.Options,
	}
	link, err := s.creates.do(ctx, &newLink{Link: link})
	return link, wrap(err, "create link %v", l.Code)
}

// createAll makes links together. They are sorted, so that nodes which make the same ones do not
// wait for each other.
func (s *Store) createAll(calls []*call[*newLink, terse.Link]) error {
	slices.SortFunc(calls, func(a, b *call[*newLink, terse.Link]) int {
		return strings.Compare(a.ask.Code.String(), b.ask.Code.String())
	})
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	return again(ctx, func() error { return s.insertLinks(ctx, calls) })
}

// insertLinks gives the links IDs, and inserts those whose codes are free. Each try has IDs of its
// own: a link that an earlier try made without our learning of it is known by them, and not made
// again.
func (s *Store) insertLinks(ctx context.Context, calls []*call[*newLink, terse.Link]) error {
	made := map[terse.LinkID]bool{}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		ids, err := dialect.NextIDs(ctx, tx, "link_ids", len(calls))
		if err != nil {
			return err
		}
		var codes, urls, owners, options []string
		var times []int64
		for i, c := range calls {
			c.ask.tried = append(c.ask.tried, terse.LinkID(ids[i]))
			codes = append(codes, c.ask.Code.String())
			urls = append(urls, string(c.ask.URL))
			owners = append(owners, c.ask.CreatedBy)
			times = append(times, c.ask.CreatedAt.UnixMicro())
			options = append(options, string(c.ask.Options))
		}
		inserted, err := s.dialect.Insert(ctx, tx,
			"links (code, id, url, created_by, created_at, options)",
			"ON CONFLICT DO NOTHING RETURNING id", codes, ids, urls, owners, times, options)
		if err != nil || len(inserted) == 0 {
			return err
		}
		for _, id := range inserted {
			made[terse.LinkID(id)] = true
		}
		return s.insertClicks(ctx, tx, calls, made)
	})
	if err != nil {
		return err
	}
	return s.settle(ctx, calls, made)
}

// insertClicks gives links that were made their rows of clicks, and adds them to their owners'
// totals.
func (s *Store) insertClicks(ctx context.Context, tx pgx.Tx, calls []*call[*newLink, terse.Link],
	made map[terse.LinkID]bool,
) error {
	var codes []string
	var ids []int64
	owned := map[string]int{}
	for _, c := range calls {
		if id := c.ask.tried[len(c.ask.tried)-1]; made[id] {
			codes, ids = append(codes, c.ask.Code.String()), append(ids, int64(id))
			owned[c.ask.CreatedBy]++
		}
	}
	_, err := s.dialect.Insert(ctx, tx, "link_clicks (code, link_id)", "", codes, ids)
	if err != nil {
		return err
	}
	return s.addToOwners(ctx, tx, owned)
}

// addToOwners adds to the totals of owners, in one order. It comes last in a transaction, because
// all creates and deletes of this node need the same row.
func (s *Store) addToOwners(ctx context.Context, tx pgx.Tx, links map[string]int) error {
	for _, owner := range slices.Sorted(maps.Keys(links)) {
		if _, err := tx.Exec(ctx, `INSERT INTO owners (owner, slot, links) VALUES ($1, $2, $3)
			ON CONFLICT (owner, slot) DO UPDATE SET links = owners.links + excluded.links`,
			owner, s.slot, links[owner]); err != nil {
			return err
		}
	}
	return nil
}

// settle answers the creates. Where a code is in use, it may be by an earlier try.
func (s *Store) settle(ctx context.Context, calls []*call[*newLink, terse.Link],
	made map[terse.LinkID]bool,
) error {
	var unsure []string
	for _, c := range calls {
		last := c.ask.tried[len(c.ask.tried)-1]
		c.answer, c.err = c.ask.Link, terse.ErrCodeTaken
		if made[last] {
			c.answer.ID, c.err = last, nil
		} else if len(c.ask.tried) > 1 {
			unsure = append(unsure, c.ask.Code.String())
		}
	}
	if len(unsure) == 0 {
		return nil
	}
	rows, err := s.pool.Query(ctx, "SELECT id FROM links WHERE code = ANY($1)", unsure)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	for _, c := range calls {
		for _, id := range ids {
			if slices.Contains(c.ask.tried, terse.LinkID(id)) {
				c.answer.ID, c.err = terse.LinkID(id), nil
			}
		}
	}
	return err
}

// Link returns the link of a code.
func (s *Store) Link(ctx context.Context, code terse.Code) (terse.Link, error) {
	link, err := s.lookUps.do(ctx, code)
	return link, wrap(err, "look up link %v", code)
}

// Absent never knows: another node may have made the link just now.
func (s *Store) Absent(terse.Code) bool { return false }

// lookUpAll looks links up together.
func (s *Store) lookUpAll(calls []*call[terse.Code, terse.Link]) error {
	codes := make([]string, len(calls))
	for i, c := range calls {
		codes[i] = c.ask.String()
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	links := make(map[terse.Code]terse.Link, len(calls))
	err := again(ctx, func() error {
		rows, err := s.pool.Query(ctx,
			"SELECT "+linkColumns+" FROM links AS l WHERE l.code = ANY($1)", codes)
		if err != nil {
			return err
		}
		var row linkRow
		_, err = pgx.ForEachRow(rows, row.targets(), func() error {
			link, err := row.link()
			links[link.Code] = link
			return err
		})
		return err
	})
	for _, c := range calls {
		link, found := links[c.ask]
		if c.answer = link; !found {
			c.err = terse.ErrNotFound
		}
	}
	return err
}

// linkColumns are what a linkRow reads, of links as l.
const linkColumns = "l.id, l.code, l.url, l.created_at, l.created_by, l.updated_at, l.options"

// linkRow is a row of links. All is NULL where a join found none.
type linkRow struct {
	id, createdAt, updatedAt  pgtype.Int8
	code, url, owner, options pgtype.DriverBytes
}

// targets are what linkColumns are read into.
func (r *linkRow) targets() []any {
	return []any{&r.id, &r.code, &r.url, &r.createdAt, &r.owner, &r.updatedAt, &r.options}
}

func (r *linkRow) link() (terse.Link, error) {
	code, err := terse.ParseCode([]byte(r.code))
	link := terse.Link{
		ID: terse.LinkID(r.id.Int64), Code: code, URL: terse.URL(r.url),
		CreatedAt: time.UnixMicro(r.createdAt.Int64).UTC(), CreatedBy: string(r.owner),
		Options: terse.EncodedOptions(r.options),
	}
	if r.updatedAt.Int64 != 0 {
		link.UpdatedAt = time.UnixMicro(r.updatedAt.Int64).UTC()
	}
	return link, err
}

// Update changes a link, and tells the other nodes.
func (s *Store) Update(ctx context.Context, change terse.LinkChange) (
	updated terse.Link, err error,
) {
	changed := change.Link
	after := changed
	after.UpdatedAt = terse.Version(time.Now(), changed.UpdatedAt)
	tries := 0
	err = again(ctx, func() error {
		tries++
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			updated, err = s.update(ctx, tx, changed, after)
			if tries > 1 && errors.Is(err, terse.ErrChanged) && isMade(updated, after) {
				err = nil
			}
			return err
		})
	})
	if err != nil {
		updated = terse.Link{}
	}
	return updated, wrap(err, "update link %d %v", changed.ID, changed.Code)
}

// isMade reports whether a link is what a change makes of it: an earlier try may have made it
// without our learning of it. Two callers may give their changes the same version, so the version
// alone does not say whose it is.
func isMade(link, after terse.Link) bool {
	return link.UpdatedAt.Equal(after.UpdatedAt) && link.URL == after.URL &&
		link.Options == after.Options
}

// update is one try of Update. With ErrChanged it returns the link as it is.
func (s *Store) update(ctx context.Context, tx pgx.Tx, changed, after terse.Link) (
	updated terse.Link, err error,
) {
	rows, err := tx.Query(ctx, "SELECT "+linkColumns+
		" FROM links AS l WHERE l.code = $1 AND l.id = $2 FOR UPDATE",
		changed.Code.String(), int64(changed.ID))
	if err != nil {
		return updated, err
	}
	var row linkRow
	found, err := pgx.ForEachRow(rows, row.targets(), func() (err error) {
		updated, err = row.link()
		return err
	})
	switch {
	case err != nil:
		return updated, err
	case found.RowsAffected() == 0:
		return updated, terse.ErrNotFound
	case !updated.UpdatedAt.Equal(changed.UpdatedAt):
		return updated, terse.ErrChanged
	}
	updated.URL, updated.Options, updated.UpdatedAt = after.URL, after.Options, after.UpdatedAt
	_, err = tx.Exec(ctx, `UPDATE links SET url = $3, options = $4, updated_at = $5
		WHERE code = $1 AND id = $2`, changed.Code.String(), int64(changed.ID),
		string(updated.URL), string(updated.Options), updated.UpdatedAt.UnixMicro())
	if err == nil {
		_, err = tx.Exec(ctx, "SELECT pg_notify($1, $2)", channel, changed.Code.String())
	}
	return updated, err
}

// Delete removes a link with its clicks and counts, and tells the other nodes.
func (s *Store) Delete(ctx context.Context, link terse.LinkRef) error {
	_, err := s.deletes.do(ctx, link)
	return wrap(err, "delete link %d %v", link.ID, link.Code)
}

// deleteAll deletes links together, in one transaction. One that is not there after a try whose
// outcome is not known was deleted by that.
func (s *Store) deleteAll(calls []*call[terse.LinkRef, struct{}]) error {
	slices.SortFunc(calls, func(a, b *call[terse.LinkRef, struct{}]) int {
		return counter.CompareLinks(a.ask, b.ask)
	})
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	var codes []string
	var ids []int64
	for _, c := range calls {
		codes, ids = append(codes, c.ask.Code.String()), append(ids, int64(c.ask.ID))
	}
	tries := 0
	return again(ctx, func() error {
		tries++
		deleted := map[int64]bool{}
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			return s.deleteLinks(ctx, tx, codes, ids, deleted)
		})
		for _, c := range calls {
			if err == nil && !deleted[int64(c.ask.ID)] && tries == 1 {
				c.err = terse.ErrNotFound
			}
			deleted[int64(c.ask.ID)] = false // another call may ask for the same
		}
		return err
	})
}

// belongings are the tables with rows of a link, other than links. link_clicks is first: deleting
// its row waits for a batch that is adding clicks, and the next statements see what the batch
// wrote. A later batch finds no row to add to.
var belongings = []string{"link_clicks", "click_blocks", "click_days"}

// deleteLinks deletes links with all that belongs to them, takes them off their owners' totals,
// tells the other nodes, and notes the IDs of those that there were. Rows are locked in the order
// in which click batches lock them.
func (s *Store) deleteLinks(
	ctx context.Context, tx pgx.Tx, codes []string, ids []int64, deleted map[int64]bool,
) error {
	if err := s.dialect.KeepOrder(ctx, tx); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for _, table := range belongings {
		batch.Queue("DELETE FROM "+table+` AS c
			USING unnest($1::text[], $2::bigint[]) AS n(code, link_id)
			WHERE `+s.dialect.SameCode+" AND c.link_id = n.link_id", codes, ids)
	}
	owned := map[string]int{}
	batch.Queue(`DELETE FROM links AS c USING unnest($1::text[], $2::bigint[]) AS n(code, link_id)
		WHERE `+s.dialect.SameCode+" AND c.id = n.link_id RETURNING c.id, c.created_by", codes, ids,
	).Query(func(rows pgx.Rows) error {
		var id int64
		var owner string
		_, err := pgx.ForEachRow(rows, []any{&id, &owner}, func() error {
			deleted[id] = true
			owned[owner]--
			return nil
		})
		return err
	})
	batch.Queue("SELECT pg_notify($1, $2)", channel, strings.Join(codes, " "))
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return s.addToOwners(ctx, tx, owned)
}
