package main

import (
	"context"
	"errors"
	"fmt"

	"terse"
)

// rehasher is the author, in a link's history, of a replaced password hash.
const rehasher = "terse"

// rehash stores a stronger hash of a link's password unless the password has changed in the
// meantime. It may fail: the old hash still works, and after a restart the next visitor triggers
// another try.
func (n *node) rehash(link terse.LinkRef, old, better string) {
	ctx, cancel := context.WithTimeout(context.Background(), n.settings.dbTimeout)
	defer cancel()
	err := replaceHash(ctx, n.store, link, old, better)
	if err != nil && !errors.Is(err, terse.ErrChanged) && !errors.Is(err, terse.ErrNotFound) {
		n.logger.Warn("keep a password's new hash", "error", err)
	}
	n.redirect.Invalidate(link.Code.String())
}

func replaceHash(ctx context.Context, store terse.Links, ref terse.LinkRef, old, better string,
) error {
	link, err := store.Link(ctx, ref.Code)
	if err != nil {
		return fmt.Errorf("link %v: %w", ref.Code, err)
	}
	options, err := link.Options.Decode()
	if err != nil {
		return fmt.Errorf("link %v: %w", ref.Code, err)
	}
	if link.ID != ref.ID || options.Password != old {
		return terse.ErrChanged
	}
	options.Password = better
	if link.Options, err = options.Encode(); err != nil {
		return fmt.Errorf("link %v: %w", ref.Code, err)
	}
	_, err = store.Update(ctx, terse.Caller{Identity: rehasher, Cause: terse.CauseVisit},
		terse.LinkChange{Before: link, After: link})
	return err
}
