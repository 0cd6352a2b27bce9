package sqlite

import (
	"context"
	"errors"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
	"terse/internal/link/list"
)

// change runs f, which changes something and returns it, as a write.
func change[T any](ctx context.Context, s *Store, f func(*record.Changes) (T, error)) (
	none T, err error,
) {
	var changed T // the writer may still write it when ctx has ended
	err = s.write(ctx, func(w *writer) error {
		return maybePart(w.change(func(c *record.Changes) (err error) {
			changed, err = f(c)
			return err
		}))
	})
	if err != nil {
		return none, err
	}
	return changed, nil
}

// change runs f, which changes something, as a write.
func (s *Store) change(ctx context.Context, f func(*record.Changes) error) error {
	return s.write(ctx, func(w *writer) error { return maybePart(w.change(f)) })
}

// Create stores a new link.
func (s *Store) Create(ctx context.Context, by terse.Caller, l terse.NewLink) (terse.Link, error) {
	link, err := change(ctx, s, func(c *record.Changes) (terse.Link, error) {
		return c.Insert(by, l)
	})
	return link, translate(ctx, err, "create link %v", l.Code)
}

// Link returns the link of a code. It cannot be interrupted: the goroutine for that would cost more
// than the look-up.
func (s *Store) Link(ctx context.Context, code terse.Code) (terse.Link, error) {
	found, err := s.Find(ctx, []string{code.String()})
	if err != nil {
		return terse.Link{}, err
	}
	return s.naming.ByCode(found, code)
}

// Find returns the links at addresses. It cannot be interrupted, like Link.
func (s *Store) Find(ctx context.Context, addresses []string) (map[string]terse.Link, error) {
	r, err := s.takeReader(ctx)
	if err != nil {
		return nil, translate(ctx, err, "look up links")
	}
	defer s.readers.put(r)
	found := make(map[string]terse.Link, len(addresses))
	for _, address := range addresses {
		link, err := record.At(r.byAddress, address)
		switch {
		case err == nil:
			found[address] = link
		case !errors.Is(err, terse.ErrNotFound):
			return nil, translate(ctx, err, "look up link %q", address)
		}
	}
	return found, nil
}

// Update changes a link.
func (s *Store) Update(ctx context.Context, by terse.Caller, asked terse.LinkChange) (
	terse.Link, error,
) {
	link, err := change(ctx, s, func(c *record.Changes) (terse.Link, error) {
		return c.Update(by, asked)
	})
	return link, translate(ctx, err, "update link %d %v", asked.Before.ID, asked.Before.Code)
}

// Delete deletes a link. A later transaction that counts deletes its clicks.
func (s *Store) Delete(ctx context.Context, by terse.Caller, link terse.Link) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.Delete(by, link) })
	return translate(ctx, err, "delete link %d %v", link.ID, link.Code)
}

// Take uses up one of a link's clicks, in a group with other waiting writes.
func (s *Store) Take(ctx context.Context, link terse.LinkRef) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.Take(link) })
	return translate(ctx, err, "take a click of link %d %v", link.ID, link.Code)
}

// History returns the last changes of a link.
func (s *Store) History(ctx context.Context, link terse.LinkRef) (
	history []terse.HistoryEntry, err error,
) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		if _, err := record.Of(conn, link); err != nil {
			return err
		}
		history, err = record.History(conn, link.ID)
		return err
	})
	return history, translate(ctx, err, "read history of link %d %v", link.ID, link.Code)
}

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (terse.LinkPage, error) {
	return s.page(ctx, q, list.Usual)
}

func (s *Store) page(ctx context.Context, q terse.LinkQuery, most list.Bounds) (
	page terse.LinkPage, err error,
) {
	read := s.snapshot
	if q.Costly() {
		read = s.ask
	}
	err = read(ctx, func(conn *sqlite.Conn) error {
		page, err = list.Page(&listed{conn: conn, naming: s.naming, owner: q.Owner}, q, most)
		return err
	})
	if err != nil {
		return terse.LinkPage{}, translate(ctx, err, "list links of %s", q.Owner)
	}
	return page, nil
}

// moveDue moves links whose status has changed with time to the right sets.
func (s *Store) moveDue(ctx context.Context, most int) (moved int, next int64, err error) {
	err = s.writeAlone(ctx, func(w *writer) error {
		return w.change(func(c *record.Changes) (err error) {
			if moved, err = c.Advance(most); err == nil {
				next, err = c.NextDue()
			}
			return err
		})
	})
	return moved, next, err
}

// Tags returns an owner's tags.
func (s *Store) Tags(ctx context.Context, owner string) (tags []terse.Tag, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		tags, err = record.Tags(conn, owner)
		return err
	})
	return tags, translate(ctx, err, "list tags of %s", owner)
}
