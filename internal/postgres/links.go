package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
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
	ids, err := nextIDs(ctx, s.pool, "link_ids", len(calls))
	if err != nil {
		return err
	}
	links := &newRows{ids: ids}
	for i, c := range calls {
		c.ask.tried = append(c.ask.tried, terse.LinkID(ids[i]))
		links.codes = append(links.codes, c.ask.Code.String())
		links.urls = append(links.urls, string(c.ask.URL))
		links.owners = append(links.owners, c.ask.CreatedBy)
		links.times = append(links.times, c.ask.CreatedAt.UnixMicro())
		links.options = append(links.options, string(c.ask.Options))
	}
	made, err := s.dialect.insertLinks(ctx, s, links)
	if err != nil {
		return err
	}
	is := make(map[terse.LinkID]bool, len(made))
	for _, id := range made {
		is[terse.LinkID(id)] = true
	}
	return s.settle(ctx, calls, is)
}

// nextIDs takes n values of a sequence.
func nextIDs(ctx context.Context, from querier, sequence string, n int) ([]int64, error) {
	rows, err := from.Query(ctx, "SELECT nextval('"+sequence+"') FROM generate_series(1, $1)", n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
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
		ID: terse.LinkID(r.id.Int64), Code: code, URL: terse.URL(r.url), CreatedBy: string(r.owner),
		CreatedAt: time.UnixMicro(r.createdAt.Int64).UTC(), Options: terse.EncodedOptions(r.options),
	}
	if r.updatedAt.Int64 != 0 {
		link.UpdatedAt = time.UnixMicro(r.updatedAt.Int64).UTC()
	}
	return link, err
}

// Update changes a link, and tells the other nodes.
func (s *Store) Update(ctx context.Context, changed terse.Link) (updated terse.Link, err error) {
	before, after := micros(changed.UpdatedAt), terse.Version(time.Now(), changed.UpdatedAt)
	err = again(ctx, func() error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			updated, err = s.update(ctx, tx, changed, before, after.UnixMicro())
			return err
		})
	})
	return updated, wrap(err, "update link %d %v", changed.ID, changed.Code)
}

// update is one try of Update. One before may have made the change without our learning of it: the
// link has the version after then.
func (s *Store) update(ctx context.Context, tx pgx.Tx, changed terse.Link, before, after int64) (
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
	case err != nil || row.updatedAt.Int64 == after:
		return updated, err
	case found.RowsAffected() == 0:
		return updated, terse.ErrNotFound
	case row.updatedAt.Int64 != before:
		return terse.Link{}, terse.ErrChanged
	}
	updated.URL, updated.Options = changed.URL, changed.Options
	updated.UpdatedAt = time.UnixMicro(after).UTC()
	_, err = tx.Exec(ctx, `UPDATE links SET url = $3, options = $4, updated_at = $5
		WHERE code = $1 AND id = $2`, changed.Code.String(), int64(changed.ID),
		string(updated.URL), string(updated.Options), after)
	if err == nil {
		_, err = tx.Exec(ctx, "SELECT pg_notify($1, $2)", channel, changed.Code.String())
	}
	return updated, err
}

// micros returns a time as it is stored; 0 for none.
func micros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
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
		return strings.Compare(a.ask.Code.String(), b.ask.Code.String())
	})
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	keys := make([]key, len(calls))
	for i, c := range calls {
		keys[i] = key{c.ask.Code.String(), int64(c.ask.ID)}
	}
	tries := 0
	return again(ctx, func() error {
		tries++
		deleted, err := s.dialect.deleteLinks(ctx, s, keys)
		if err != nil {
			return err
		}
		for i, c := range calls {
			if !deleted[i] && tries == 1 {
				c.err = terse.ErrNotFound
			}
		}
		return nil
	})
}
