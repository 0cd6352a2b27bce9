package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres/links"
	"terse/internal/link/list"
)

// newLink is a link to be created.
type newLink struct {
	terse.Link
	by    terse.Caller
	tried []terse.LinkID // its ID in each try
}

// fresh returns a new link, without an ID.
func fresh(l terse.NewLink) terse.Link {
	at := l.CreatedAt
	if at.IsZero() {
		at = time.Now()
	}
	return terse.Link{
		Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(at.UnixMicro()).UTC(),
		CreatedBy: l.CreatedBy, Options: l.Options,
	}
}

// Create stores a new link.
func (s *Store) Create(ctx context.Context, by terse.Caller, l terse.NewLink) (terse.Link, error) {
	link, err := s.creates.do(ctx, &newLink{Link: fresh(l), by: by})
	return link, wrap(err, "create link %v", l.Code)
}

// createAll creates links together, sorted by code, so that nodes that create the same links do not
// deadlock.
func (s *Store) createAll(ctx context.Context, calls []*call[*newLink, terse.Link]) error {
	slices.SortFunc(calls, func(a, b *call[*newLink, terse.Link]) int {
		return strings.Compare(a.ask.Code.String(), b.ask.Code.String())
	})
	return again(ctx, func() error { return s.createOnce(ctx, calls) })
}

// createOnce creates those links whose addresses are free. Each try assigns new IDs, by which
// answerCreates recognises links of an earlier try whose answer was lost.
func (s *Store) createOnce(ctx context.Context, calls []*call[*newLink, terse.Link]) error {
	all := make([]links.New, len(calls))
	for i, call := range calls {
		all[i] = links.New{Link: &call.ask.Link, By: call.ask.by}
	}
	var refused []error
	err := s.change(ctx, func(c *links.Changes) (err error) {
		refused, err = c.Create(ctx, all)
		return err
	})
	for _, call := range calls {
		call.ask.tried = append(call.ask.tried, call.ask.ID)
	}
	if err != nil {
		return err
	}
	return s.answerCreates(ctx, calls, refused)
}

// change changes links in a transaction.
func (s *Store) change(ctx context.Context, f func(*links.Changes) error) error {
	var changes *links.Changes
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		changes = s.changes(tx)
		if err := f(changes); err != nil {
			return err
		}
		return changes.Finish(ctx)
	})
	if err == nil {
		s.clock.Expect(changes.Until())
	}
	return err
}

// changes returns the changes of a transaction.
func (s *Store) changes(tx pgx.Tx) *links.Changes {
	return links.Begin(tx, s.naming, s.slot, s.rule)
}

// answerCreates answers the creates. A taken address may have been taken by an earlier try.
func (s *Store) answerCreates(ctx context.Context, calls []*call[*newLink, terse.Link],
	refused []error,
) error {
	var unsure []string
	for i, c := range calls {
		c.answer, c.err = c.ask.Link, refused[i]
		if refused[i] != nil {
			c.answer.ID = 0
			if len(c.ask.tried) > 1 {
				unsure = append(unsure, c.ask.Code.String())
			}
		}
	}
	if len(unsure) == 0 {
		return nil
	}
	rows, _ := s.pool.Query(ctx, "SELECT id FROM links WHERE code = ANY($1)", unsure)
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
	found, err := s.Find(ctx, []string{code.String()})
	if err != nil {
		return terse.Link{}, err
	}
	return s.naming.ByCode(found, code)
}

// Find returns the links at addresses.
func (s *Store) Find(ctx context.Context, addresses []string) (map[string]terse.Link, error) {
	found, err := s.lookUps.do(ctx, addresses)
	return found, wrap(err, "look up links at %q", addresses)
}

// findAll looks up links together.
func (s *Store) findAll(ctx context.Context, calls []*call[[]string, map[string]terse.Link]) error {
	var all []string
	for _, c := range calls {
		all = append(all, c.ask...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	var found map[string]terse.Link
	err := again(ctx, func() (err error) {
		found, err = s.naming.Find(ctx, s.pool, all)
		return err
	})
	for _, c := range calls {
		c.answer = make(map[string]terse.Link, len(c.ask))
		for _, address := range c.ask {
			if link, ok := found[address]; ok {
				c.answer[address] = link
			}
		}
	}
	return err
}

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (page terse.LinkPage, err error) {
	read := s.snapshot
	if q.Costly() {
		read = s.ask
	}
	err = read(ctx, func(tx pgx.Tx) error {
		page, err = list.Page(
			&listed{ctx: ctx, tx: tx, naming: s.naming, owner: q.Owner}, q, list.Usual)
		return err
	})
	if err != nil {
		return terse.LinkPage{}, wrap(err, "list links of %s", q.Owner)
	}
	return page, nil
}

// moveDue moves links whose status has changed with time to the right sets.
func (s *Store) moveDue(ctx context.Context, most int) (moved int, next int64, err error) {
	err = again(ctx, func() error {
		return s.change(ctx, func(c *links.Changes) (err error) {
			if moved, err = c.Advance(ctx, most); err == nil {
				next, err = c.NextDue(ctx)
			}
			return err
		})
	})
	return moved, next, err
}

// Update changes a link, and notifies the other nodes.
func (s *Store) Update(ctx context.Context, by terse.Caller, change terse.LinkChange) (
	updated terse.Link, err error,
) {
	after := change.After
	after.UpdatedAt = terse.Version(time.Now(), change.Before.UpdatedAt)
	tries := 0
	err = again(ctx, func() error {
		tries++
		return s.change(ctx, func(c *links.Changes) error {
			updated, err = c.Update(ctx, by, change, &after)
			if tries > 1 && errors.Is(err, terse.ErrNotFound) && after.Code != change.Before.Code {
				updated, err = c.Link(ctx, after.Code)
				err = cmp.Or(err, error(terse.ErrChanged))
			}
			if tries > 1 && errors.Is(err, terse.ErrChanged) && isMade(updated, after) {
				err = nil
			}
			return err
		})
	})
	if err != nil {
		updated = terse.Link{}
	}
	return updated, wrap(err, "update link %d %v", change.Before.ID, change.Before.Code)
}

// isMade reports whether an earlier try, whose answer was lost, has made a change. Two callers may
// give their changes the same version, so the version alone proves nothing.
func isMade(link, after terse.Link) bool {
	return link.ID == after.ID && link.Code == after.Code && link.URL == after.URL &&
		link.Options == after.Options && link.UpdatedAt.Equal(after.UpdatedAt)
}

// Delete deletes a link with everything that belongs to it, and notifies the other nodes.
func (s *Store) Delete(ctx context.Context, by terse.Caller, link terse.Link) error {
	_, err := s.deletes.do(ctx, links.Unwanted{Link: link, By: by})
	return wrap(err, "delete link %d %v", link.ID, link.Code)
}

// deleteAll deletes links together, in one transaction. If the outcome of a try that deletes a link
// is unknown, and the next try does not find the link, the first try has deleted it.
func (s *Store) deleteAll(ctx context.Context, calls []*call[links.Unwanted, struct{}]) error {
	all := make([]links.Unwanted, len(calls))
	for i, c := range calls {
		all[i] = c.ask
	}
	tried := make([]bool, len(calls)) // a try has deleted it
	return again(ctx, func() error {
		var refused []error
		err := s.change(ctx, func(c *links.Changes) (err error) {
			refused, err = c.Delete(ctx, all)
			return err
		})
		for i, why := range refused {
			switch {
			case err != nil:
				tried[i] = tried[i] || why == nil
			case !tried[i] || !errors.Is(why, terse.ErrNotFound):
				calls[i].err = why
			}
		}
		return err
	})
}
