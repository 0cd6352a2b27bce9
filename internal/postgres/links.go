package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

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
		CreatedBy: l.CreatedBy,
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
	links := &linkColumns{ids: ids}
	for i, c := range calls {
		c.ask.tried = append(c.ask.tried, terse.LinkID(ids[i]))
		links.codes = append(links.codes, c.ask.Code.String())
		links.urls = append(links.urls, string(c.ask.URL))
		links.owners = append(links.owners, c.ask.CreatedBy)
		links.times = append(links.times, c.ask.CreatedAt.UnixMicro())
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
	links := make(map[string]terse.Link, len(calls))
	err := again(ctx, func() error {
		rows, err := s.pool.Query(ctx,
			"SELECT code, id, url, created_at, created_by FROM links WHERE code = ANY($1)", codes)
		if err != nil {
			return err
		}
		var code, url, owner string
		var id, at int64
		_, err = pgx.ForEachRow(rows, []any{&code, &id, &url, &at, &owner}, func() error {
			links[code] = terse.Link{
				ID: terse.LinkID(id), URL: terse.URL(url),
				CreatedAt: time.UnixMicro(at).UTC(), CreatedBy: owner,
			}
			return nil
		})
		return err
	})
	for i, c := range calls {
		link, found := links[codes[i]]
		if link.Code = c.ask; !found {
			link, c.err = terse.Link{}, terse.ErrNotFound
		}
		c.answer = link
	}
	return err
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
