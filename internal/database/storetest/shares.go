package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"terse"
)

// tagged is the target of the share of an owner's tag, and overview that of all links.
func tagged(owner, tag string) terse.ShareTarget {
	return terse.ShareTarget{Owner: owner, Tag: tag}
}

func overview(owner string) terse.ShareTarget { return terse.ShareTarget{Owner: owner} }

// mustShare shares a target that has no share.
func mustShare(t *testing.T, s Store, target terse.ShareTarget, change terse.ShareChange,
) terse.Shared {
	t.Helper()
	shared, made, err := shareAs(t, s, target, terse.NewShare(), change)
	must(t, err)
	wantEqual(t, "a share was made", made, true)
	return shared
}

// wantShares checks which shares an owner has, and that each is found.
func wantShares(t *testing.T, s Store, owner string, want ...terse.Shared) {
	t.Helper()
	all, err := s.SharesOf(t.Context(), owner)
	must(t, err)
	if len(all) != len(want) {
		t.Fatalf("%s has %d shares, want %d", owner, len(all), len(want))
	}
	for i, shared := range want {
		wantEqual(t, "share", all[i], shared)
		found, err := s.Share(t.Context(), shared.Target)
		must(t, err)
		wantEqual(t, "the share of the target", found, shared)
		found, _, err = s.Shared(t.Context(), shared.Share)
		must(t, err)
		wantEqual(t, "the share by itself", found, shared)
	}
}

// shareMany: a tag and the overview of an owner have a share each, beside those of links.
func shareMany(t *testing.T, s Store) {
	const me, other = terse.Identity, "ci"
	must(t, s.CreateService(t.Context(), terse.Caller{Identity: me}, other))
	for _, owner := range []string{me, other} {
		l := newLink(t, "of-"+owner[:2])
		l.CreatedBy = owner
		l.Options = encoded(t, terse.LinkOptions{Tags: []string{"News"}})
		mustCreate(t, s, l)
	}
	for what, want := range map[terse.ShareTarget]error{
		tagged(me, "news"): terse.ErrShareNotFound, tagged(me, "none"): terse.ErrTagNotFound,
		tagged("nobody", "news"): terse.ErrTagNotFound, overview(me): terse.ErrShareNotFound,
	} {
		wantError(t, "Share", errOf(s.Share(t.Context(), what)), want)
		wantError(t, "Unshare", s.Unshare(t.Context(), terse.Caller{Identity: me}, what), want)
		_, _, err := shareAs(t, s, what, "", terse.ShareChange{})
		wantError(t, "a change of none", err, want)
	}
	_, _, err := shareAs(t, s, tagged(me, "none"), terse.NewShare(), terse.ShareChange{})
	wantError(t, "a share of an unknown tag", err, terse.ErrTagNotFound)

	before := time.Now().Truncate(time.Microsecond)
	news := mustShare(t, s, tagged(me, "NEWS"), terse.ShareChange{})
	wantEqual(t, "target", news.Target, tagged(me, "News")) // as it is spelled
	wantEqual(t, "who made it", news.CreatedBy, "me")
	if news.CreatedAt.Before(before) || news.CreatedAt.After(time.Now()) {
		t.Errorf("it was made at %v", news.CreatedAt)
	}
	all := mustShare(t, s, overview(me), terse.ShareChange{})
	theirs := mustShare(t, s, tagged(other, "news"), terse.ShareChange{})
	for _, shared := range []terse.Shared{news, all, theirs} {
		again, made, err := shareAs(t, s, shared.Target, terse.NewShare(), terse.ShareChange{})
		must(t, err)
		wantEqual(t, "made", made, false)
		wantEqual(t, "again", again, shared)
	}
	wantShares(t, s, me, all, news)
	wantShares(t, s, other, theirs)
	wantShares(t, s, "nobody")
	// Without links the tag keeps its share.
	link := find(t, s, code(t, "of-"+me[:2]))
	must(t, s.Delete(t.Context(), terse.Caller{Identity: me}, link))
	wantShares(t, s, me, all, news)
	must(t, s.Unshare(t.Context(), terse.Caller{Identity: me}, tagged(me, "news")))
	wantError(t, "a revoked share", sharedErr(t.Context(), s, news.Share), terse.ErrShareNotFound)
	wantError(t, "Share", errOf(s.Share(t.Context(), news.Target)), terse.ErrTagNotFound)
	wantShares(t, s, me, all)
	wantShares(t, s, other, theirs)
}

// shareChanged: a share has what was set of it, until it is taken away.
func shareChanged(t *testing.T, s Store) {
	link := create(t, s, "link")
	title, hash, end := "Title", "hash", time.Now().Add(time.Hour).Truncate(time.Microsecond).UTC()
	none, never := "", time.Time{}
	for _, target := range []terse.ShareTarget{
		terse.ShareOf(link.Ref()), overview(terse.Identity),
	} {
		_, _, err := shareAs(t, s, target, "", terse.ShareChange{Title: &title})
		wantError(t, "a change of no share", err, terse.ErrShareNotFound)
		want := mustShare(t, s, target, terse.ShareChange{Password: &hash})
		wantEqual(t, "password", want.Password, hash)
		for _, change := range []terse.ShareChange{
			{Title: &title, ExpiresAt: &end},
			{},
			{Password: &none},
			{ExpiresAt: &never},
			{Title: &none, ExpiresAt: &end, Password: &hash},
		} {
			want = change.Of(want)
			got, made, err := shareAs(t, s, target, "", change)
			must(t, err)
			wantEqual(t, "made", made, false)
			wantEqual(t, "the changed share", got, want)
			found, err := s.Share(t.Context(), target)
			must(t, err)
			wantEqual(t, "it is stored", found, want)
		}
		must(t, s.Unshare(t.Context(), me, target))
	}
	wantShares(t, s, terse.Identity)
}

// shareMoved: the share of a tag moves to another tag or owner, unless that has one. The share of a
// link has the owner of the link.
func shareMoved(t *testing.T, s Store) {
	const owner, other = terse.Identity, "ci"
	must(t, s.CreateService(t.Context(), me, other))
	link := createWith(t, s, "link", terse.LinkOptions{Tags: []string{"a", "b", "c"}})
	move := func(from, to terse.ShareTarget) {
		t.Helper()
		must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
			return tx.MoveShare(t.Context(), me, from, to)
		}))
	}
	move(tagged(owner, "a"), tagged(owner, "b")) // which has none
	a := mustShare(t, s, tagged(owner, "a"), terse.ShareChange{})
	move(a.Target, tagged(owner, "new"))
	a.Target.Tag = "new"
	wantShares(t, s, owner, a)
	move(a.Target, tagged(owner, "NEW")) // another spelling
	a.Target.Tag = "NEW"
	wantShares(t, s, owner, a)
	b := mustShare(t, s, tagged(owner, "b"), terse.ShareChange{})
	move(b.Target, tagged(owner, "new"))
	wantShares(t, s, owner, a)
	wantError(t, "the other one", sharedErr(t.Context(), s, b.Share), terse.ErrShareNotFound)
	all := mustShare(t, s, overview(owner), terse.ShareChange{})
	theirs := mustShare(t, s, overview(other), terse.ShareChange{})
	move(a.Target, tagged(other, "new"))
	move(all.Target, theirs.Target)
	a.Target = tagged(other, "new")
	wantShares(t, s, owner)
	wantShares(t, s, other, theirs, a)
	of := mustShare(t, s, terse.ShareOf(link.Ref()), terse.ShareChange{})
	given := link
	given.CreatedBy = other
	must(t, errOf(s.Update(t.Context(), me, terse.LinkChange{Before: link, After: given})))
	of.Target.Owner = other
	wantShares(t, s, other, of, theirs, a)
	wantShares(t, s, owner)
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		wantError(t, "Unshare", tx.Unshare(t.Context(), me, all.Target), terse.ErrShareNotFound)
		return tx.Unshare(t.Context(), me, a.Target)
	}))
	wantShares(t, s, other, of, theirs)
}

// sharesBounded: an owner makes no more than terse.MaxShares shares, also at once.
func sharesBounded(t *testing.T, s Store) {
	must(t, s.CreateService(t.Context(), me, "ci"))
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		for i := range terse.MaxShares - 3 {
			made, err := tx.RestoreShare(t.Context(), me, terse.Shared{
				Share: terse.NewShare(), Target: tagged(terse.Identity, fmt.Sprint("tag", i)),
			})
			if err != nil || !made {
				return fmt.Errorf("share %d: %v, %w", i, made, err)
			}
		}
		return nil
	}))
	links := make([]terse.Link, 6)
	for i := range links {
		links[i] = create(t, s, fmt.Sprint("link", i))
	}
	errs := make([]error, len(links))
	var callers sync.WaitGroup
	for i := range links {
		callers.Go(func() { _, errs[i] = shareWith(t, s, links[i].Ref(), terse.NewShare()) })
	}
	callers.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
		} else {
			wantError(t, "one too many", err, terse.ErrTooManyShares)
		}
	}
	wantEqual(t, "shares made at once", made, 3)
	_, _, err := shareAs(t, s, overview(terse.Identity), terse.NewShare(), terse.ShareChange{})
	wantError(t, "a share of the overview", err, terse.ErrTooManyShares)
	_, made2, err := shareAs(t, s, tagged(terse.Identity, "tag1"), terse.NewShare(),
		terse.ShareChange{})
	must(t, err)
	wantEqual(t, "made", made2, false)
	mustShare(t, s, overview("ci"), terse.ShareChange{})
	all, err := s.SharesOf(t.Context(), terse.Identity)
	must(t, err)
	wantEqual(t, "shares", len(all), terse.MaxShares)
}

// shareOfUser: shares of a user's tags and overview are deleted with the user, and who has its
// identity later inherits none.
func shareOfUser(t *testing.T, s Store) {
	const user = "ci"
	must(t, s.CreateService(t.Context(), me, user))
	all := mustShare(t, s, overview(user), terse.ShareChange{})
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		return errOf(tx.RestoreShare(t.Context(), me, terse.Shared{
			Share: terse.NewShare(), Target: tagged(user, "news"),
		}))
	}))
	mine := mustShare(t, s, overview(terse.Identity), terse.ShareChange{})
	must(t, s.DeleteUser(t.Context(), me, user))
	wantError(t, "a share of a deleted user", sharedErr(t.Context(), s, all.Share),
		terse.ErrShareNotFound)
	must(t, s.CreateService(t.Context(), me, user))
	wantShares(t, s, user)
	wantShares(t, s, terse.Identity, mine)
}

// shareRestored: an import brings a share as it was, unless it or its target has another one.
func shareRestored(t *testing.T, s Store) {
	link, other := create(t, s, "link"), create(t, s, "other")
	restore := func(shared terse.Shared) (made bool, err error) {
		err = s.Transact(t.Context(), func(tx terse.Tx) error {
			made, err = tx.RestoreShare(t.Context(), me, shared)
			return err
		})
		return made, err
	}
	end := spring.Add(time.Hour)
	var shares []terse.Shared
	for i, target := range []terse.ShareTarget{
		terse.ShareOf(link.Ref()), tagged(terse.Identity, "gone"), overview(terse.Identity),
	} {
		shared := terse.Shared{
			Share: terse.NewShare(), Target: target, Title: fmt.Sprint("title", i),
			CreatedAt: spring.Add(-time.Duration(i) * time.Hour), CreatedBy: "somebody",
			ExpiresAt: end, Password: "hash",
		}
		for _, want := range []bool{true, false} {
			made, err := restore(shared)
			must(t, err)
			wantEqual(t, "made", made, want)
		}
		shared.Target.Owner = terse.Identity
		shares = append(shares, shared)
		another := shared
		another.Share = terse.NewShare()
		wantError(t, "another share of it", errOf(restore(another)), terse.ErrShared)
		another = shared
		another.Target = terse.ShareOf(other.Ref())
		wantError(t, "the share of something else", errOf(restore(another)), terse.ErrShareTaken)
	}
	wantShares(t, s, terse.Identity, shares...)
	_, err := restore(terse.Shared{
		Share: terse.NewShare(), Target: terse.ShareOf(terse.LinkRef{ID: 999, Code: link.Code}),
	})
	wantError(t, "a share of no link", err, terse.ErrNotFound)
	// A plain share in the line of a link takes the place of what the link has.
	plain := terse.NewShare()
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		wantError(t, "another's share", tx.Restore(t.Context(), me, other.Ref(), terse.Restored{
			Share: shares[1].Share,
		}), terse.ErrShareTaken)
		return tx.Restore(t.Context(), me, link.Ref(), terse.Restored{Share: plain})
	}))
	wantError(t, "the share before", sharedErr(t.Context(), s, shares[0].Share),
		terse.ErrShareNotFound)
	got, err := s.Share(t.Context(), terse.ShareOf(link.Ref()))
	must(t, err)
	if got.Share != plain || !got.IsPlain() || got.Target.Owner != terse.Identity {
		t.Errorf("the link has %+v", got)
	}
	var exported []terse.Shared
	everybody := terse.ExportQuery{Owner: terse.AllOwners}
	must(t, s.Export(t.Context(), everybody, func(int64, int64) error { return nil },
		func(e terse.Exported) error {
			if e.Link.ID == link.ID {
				wantEqual(t, "the exported share", e.Share, plain)
			}
			return nil
		}, func(shared terse.Shared, url terse.URL) error {
			if shared.Target.IsLink() != (url == other.URL) {
				t.Errorf("%+v is exported with the URL %q", shared.Target, url)
			}
			exported = append(exported, shared)
			return nil
		}))
	wantEqual(t, "exported shares", len(exported), 2)
	wantEqual(t, "exported", exported[0], shares[2])
	wantEqual(t, "exported", exported[1], shares[1])
	failed := errors.New("failed")
	wantError(t, "an export whose share fails", s.Export(t.Context(), everybody,
		func(int64, int64) error { return nil }, func(terse.Exported) error { return nil },
		func(terse.Shared, terse.URL) error { return failed }), failed)
}

// shareTagRace: whoever shares a tag while it is renamed shares the tag that comes of it, or none.
func shareTagRace(t *testing.T, s Store) {
	for round := range 10 {
		from, to := fmt.Sprint("from", round), fmt.Sprint("to", round)
		link := createWith(t, s, fmt.Sprint("link", round), terse.LinkOptions{
			Tags: []string{from},
		})
		var shared [4]terse.Shared
		var errs [4]error
		var callers sync.WaitGroup
		for i := range shared {
			callers.Go(func() {
				shared[i], _, errs[i] = shareAs(t, s, tagged(terse.Identity, from),
					terse.NewShare(), terse.ShareChange{})
			})
		}
		for range 2 { // as the interface does: until nothing is left to rename
			must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
				if err := tx.MoveShare(t.Context(), me, tagged(terse.Identity, from),
					tagged(terse.Identity, to)); err != nil {
					return err
				}
				now, err := tx.Link(t.Context(), link.Code)
				if err != nil || now.Options != link.Options {
					return err
				}
				after := now
				after.Options = encoded(t, terse.LinkOptions{Tags: []string{to}})
				return errOf(tx.Update(t.Context(), me, terse.LinkChange{
					Before: now, After: after,
				}))
			}))
		}
		callers.Wait()
		for i, err := range errs {
			if err != nil {
				wantError(t, "a share of a tag that is gone", err, terse.ErrTagNotFound)
				continue
			}
			found, _, err := s.Shared(t.Context(), shared[i].Share)
			must(t, err)
			wantEqual(t, "the tag of the share", found.Target.Tag, to)
		}
	}
}
