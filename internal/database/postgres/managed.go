package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres/links"
)

// Take uses up one of a link's MaxClicks.
func (s *Store) Take(ctx context.Context, link terse.LinkRef) error {
	_, err := s.takes.do(ctx, link)
	return wrap(err, "take a click of link %d %v", link.ID, link.Code)
}

// takeAll takes clicks for all callers in one transaction, which writes each link once. A
// transaction that may have been committed is not tried again: it would take clicks twice.
func (s *Store) takeAll(ctx context.Context, calls []*call[terse.LinkRef, struct{}]) error {
	slices.SortFunc(calls, func(a, b *call[terse.LinkRef, struct{}]) int {
		return a.ask.Compare(b.ask)
	})
	var wishes []links.Wish
	for _, c := range calls {
		if n := len(wishes); n == 0 || wishes[n-1].LinkRef != c.ask {
			wishes = append(wishes, links.Wish{LinkRef: c.ask})
		}
		wishes[len(wishes)-1].Wanted++
	}
	err := s.againUndone(ctx, func(tx pgx.Tx) error {
		changes := s.changes(tx)
		if err := changes.Take(ctx, wishes); err != nil {
			return err
		}
		return changes.Finish(ctx)
	})
	if err != nil {
		return err
	}
	for i, from := 0, 0; i < len(wishes); i++ {
		w := wishes[i]
		for k, c := range calls[from : from+int(w.Wanted)] {
			if int64(k) >= w.Granted {
				c.err = w.Refused
			}
		}
		from += int(w.Wanted)
	}
	return nil
}

// History returns the last changes of a link, the newest first.
func (s *Store) History(ctx context.Context, link terse.LinkRef) ([]terse.HistoryEntry, error) {
	history, err := read(ctx, func() ([]terse.HistoryEntry, error) {
		return links.History(ctx, s.pool, link)
	})
	return history, wrap(err, "read history of link %d %v", link.ID, link.Code)
}

// Tags returns an owner's tags, in the order of FoldTag.
func (s *Store) Tags(ctx context.Context, owner string) ([]terse.Tag, error) {
	tags, err := read(ctx, func() ([]terse.Tag, error) { return links.Tags(ctx, s.pool, owner) })
	return tags, wrap(err, "list tags of %s", owner)
}
