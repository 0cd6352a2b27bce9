package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"terse"
)

// shareWith shares a link with the fresh share, unless it has one.
func shareWith(t *testing.T, s Store, link terse.LinkRef, fresh terse.Share) (
	share terse.Share, err error,
) {
	shared, _, err := shareAs(t, s, terse.ShareOf(link), fresh, terse.ShareChange{})
	return shared.Share, err
}

// shareAs shares a target as a change makes it, with the fresh share unless it has one.
func shareAs(t *testing.T, s Store, target terse.ShareTarget, fresh terse.Share,
	change terse.ShareChange,
) (shared terse.Shared, made bool, err error) {
	err = s.Transact(t.Context(), func(tx terse.Tx) error {
		shared, made, err = tx.Share(t.Context(), me, target, fresh, change)
		return err
	})
	return shared, made, err
}

// sharedErr returns the error of the look-up of a share.
func sharedErr(ctx context.Context, s Store, share terse.Share) error {
	_, _, err := s.Shared(ctx, share)
	return err
}

// share: a link has one share, which leads to the link in its current state.
func share(t *testing.T, s Store) {
	link, other := createWith(t, s, "link", terse.LinkOptions{Title: "a", MaxClicks: 3}),
		create(t, s, "other")
	wantUnshared(t, s, link)
	first := terse.NewShare()
	wantShare(t, s, link, first, first)
	wantShare(t, s, link, terse.NewShare(), first)
	kept, err := s.Share(t.Context(), terse.ShareOf(link.Ref()))
	must(t, err)
	wantEqual(t, "share", kept.Share, first)
	wantUnshared(t, s, other)
	second := terse.NewShare()
	wantShare(t, s, other, second, second)
	wantShared(t, s, first, link)
	wantShared(t, s, second, other)
	must(t, s.Take(t.Context(), link.Ref()))
	link.Used++
	link = updateTo(t, s, link, terse.LinkOptions{Title: "b", MaxClicks: 3})
	wantShared(t, s, first, link)
	wantFound(t, s, link)
	for _, unknown := range []terse.Share{"", terse.NewShare()} {
		wantError(t, "an unknown share", sharedErr(t.Context(), s, unknown),
			terse.ErrShareNotFound)
	}
}

// unshare: a revoked share leads nowhere, and a new share differs from it.
func unshare(t *testing.T, s Store) {
	link, other := create(t, s, "link"), create(t, s, "other")
	first, second, others := terse.NewShare(), terse.NewShare(), terse.NewShare()
	wantShare(t, s, link, first, first)
	wantShare(t, s, other, others, others)
	must(t, s.Unshare(t.Context(), me, terse.ShareOf(link.Ref())))
	wantUnshared(t, s, link)
	wantError(t, "Unshare", s.Unshare(t.Context(), me, terse.ShareOf(link.Ref())),
		terse.ErrShareNotFound)
	wantShare(t, s, link, second, second)
	wantShared(t, s, second, link)
	wantShared(t, s, others, other)
	wantError(t, "a share that was taken back", sharedErr(t.Context(), s, first),
		terse.ErrShareNotFound)
}

// shareGone: a share is deleted with its link, however that happens, and a link that reuses the
// code inherits nothing.
func shareGone(t *testing.T, s Store) {
	for name, remove := range map[string]func(terse.Link) error{
		"Delete": func(link terse.Link) error { return s.Delete(t.Context(), me, link) },
		"Tx.Delete": func(link terse.Link) error {
			return s.Transact(t.Context(), func(tx terse.Tx) error {
				return tx.Delete(t.Context(), me, link)
			})
		},
	} {
		link, first := create(t, s, "link"), terse.NewShare()
		wantShare(t, s, link, first, first)
		must(t, remove(link))
		wantError(t, name+": Shared", sharedErr(t.Context(), s, first),
			terse.ErrShareNotFound)
		second := create(t, s, "link")
		wantUnshared(t, s, second)
		for _, old := range []terse.LinkRef{link.Ref(), {ID: second.ID, Code: code(t, "no-link")}} {
			wantError(t, name+": Share", errOf(s.Share(t.Context(), terse.ShareOf(old))),
				terse.ErrNotFound)
			wantError(t, name+": a new Share", errOf(shareWith(t, s, old, terse.NewShare())),
				terse.ErrNotFound)
			wantError(t, name+": Unshare", s.Unshare(t.Context(), me, terse.ShareOf(old)),
				terse.ErrNotFound)
		}
		wantUnshared(t, s, second)
		must(t, s.Delete(t.Context(), me, second))
	}
}

// shareRace: concurrent callers that share a link get the same share, unless the link is deleted
// meanwhile: then no share is left.
func shareRace(t *testing.T, s Store) {
	for round := range 20 {
		link := create(t, s, fmt.Sprint("link", round))
		shares, errs := make([]terse.Share, 8), make([]error, 8)
		var callers sync.WaitGroup
		for i := range shares {
			callers.Go(func() {
				shares[i], errs[i] = shareWith(t, s, link.Ref(), terse.NewShare())
			})
		}
		deleted := round%2 == 1
		if deleted {
			must(t, s.Delete(t.Context(), me, link))
		}
		callers.Wait()
		for i := range shares {
			if errs[i] != nil && !(deleted && errors.Is(errs[i], terse.ErrNotFound)) {
				t.Fatal(errs[i])
			}
			if deleted {
				wantError(t, "the share of a deleted link", sharedErr(t.Context(), s, shares[i]),
					terse.ErrShareNotFound)
			} else if shares[i] != shares[0] {
				t.Errorf("callers got %v and %v", shares[i], shares[0])
			}
		}
	}
}

func wantShare(t *testing.T, s Store, link terse.Link, fresh, want terse.Share) {
	t.Helper()
	got, err := shareWith(t, s, link.Ref(), fresh)
	must(t, err)
	wantEqual(t, "share", got, want)
}

func wantUnshared(t *testing.T, s Store, link terse.Link) {
	t.Helper()
	wantError(t, "a link without a share", errOf(s.Share(t.Context(), terse.ShareOf(link.Ref()))),
		terse.ErrShareNotFound)
}

func wantShared(t *testing.T, s Store, share terse.Share, want terse.Link) {
	t.Helper()
	shared, got, err := s.Shared(t.Context(), share)
	must(t, err)
	wantEqual(t, "shared", got, want)
	wantEqual(t, "the share's target", shared.Target, terse.ShareTarget{
		Owner: want.CreatedBy, Link: want.Ref(),
	})
}

// shareErr returns the error of Tx.Share.
func shareErr(_ terse.Shared, _ bool, err error) error { return err }
