package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"terse"
)

var errTakeBack = errors.New("to be taken back")

// doAll creates, changes and deletes links in a transaction, reads them within it, and returns the
// remaining link.
func doAll(t *testing.T, tx terse.Tx, old terse.Link) (made terse.Link, err error) {
	t.Helper()
	ctx := t.Context()
	n := newLink(t, "made")
	n.Options = encoded(t, terse.LinkOptions{Tags: []string{"tag"}, MaxClicks: 3})
	if made, err = tx.Create(ctx, me, n); err != nil {
		return made, err
	}
	found, err := tx.Link(ctx, made.Code)
	if err != nil {
		return made, err
	}
	wantEqual(t, "found within", found, made)
	made.URL = "https://example.org/changed"
	made, err = tx.Update(ctx, me, changeTo(made))
	if err != nil {
		return made, err
	}
	gone, err := tx.Create(ctx, me, newLink(t, "gone"))
	if err != nil {
		return made, err
	}
	for _, link := range []terse.Link{old, gone} {
		if err := tx.Delete(ctx, me, link); err != nil {
			return made, err
		}
	}
	return made, nil
}

func transact(t *testing.T, s Store) {
	old := createWith(t, s, "old", terse.LinkOptions{Tags: []string{"before"}})
	must(t, s.Transact(t.Context(), func(terse.Tx) error { return nil }))
	err := s.Transact(t.Context(), func(tx terse.Tx) error {
		_, err := doAll(t, tx, old)
		return errors.Join(err, errTakeBack)
	})
	wantError(t, "taken back", err, errTakeBack)
	wantFound(t, s, old)
	wantTotal(t, s, terse.Identity, "links after nothing", 1)
	wantTags(t, s, terse.Identity, "tags after nothing", terse.Tag{Name: "before", Links: 1})

	var made terse.Link
	must(t, s.Transact(t.Context(), func(tx terse.Tx) (err error) {
		made, err = doAll(t, tx, old)
		return err
	}))
	wantFound(t, s, made)
	wantTotal(t, s, terse.Identity, "links", 1)
	wantTags(t, s, terse.Identity, "tags", terse.Tag{Name: "tag", Links: 1})
	changes, err := s.History(t.Context(), made.Ref())
	must(t, err)
	wantEqual(t, "changes", len(changes), 1)
	must(t, s.Take(t.Context(), made.Ref()))
}

func transactErrors(t *testing.T, s Store) {
	taken := create(t, s, "taken")
	ctx := t.Context()
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		if _, err := tx.Create(ctx, me, newLink(t, "first")); err != nil {
			return err
		}
		n := newLink(t, "taken")
		n.Options = encoded(t, terse.LinkOptions{Tags: []string{"a"}, Disabled: true})
		wantError(t, "create", errOf(tx.Create(ctx, me, n)), terse.ErrCodeTaken)
		wantError(t, "link", errOf(tx.Link(ctx, code(t, "none"))), terse.ErrNotFound)
		stale := taken
		stale.UpdatedAt = spring
		wantError(t, "update", errOf(tx.Update(ctx, me, changeTo(stale))),
			terse.ErrChanged)
		other := terse.Link{ID: taken.ID, Code: code(t, "none")}
		wantError(t, "delete", tx.Delete(ctx, me, other), terse.ErrNotFound)
		_, err := tx.NewestTo(ctx, terse.Identity, terse.DefaultDomain, "https://none.example/",
			spring)
		wantError(t, "newest", err, terse.ErrNotFound)
		return errOf(tx.Create(ctx, me, newLink(t, "last")))
	}))
	wantFound(t, s, taken)
	wantTotal(t, s, terse.Identity, "links", 3)
	wantTags(t, s, terse.Identity, "tags")
}

// transactTakenBack: after a rollback, no cache remembers a link that was not created, or lacks one
// that was not deleted, and clicks count for the links that exist.
func transactTakenBack(t *testing.T, s Store) {
	j := newJournal(t, s)
	old := j.create(1)[0]
	for i := range 5 {
		var made terse.Link
		err := s.Transact(t.Context(), func(tx terse.Tx) (err error) {
			made, err = tx.Create(t.Context(), me, newLink(t, fmt.Sprint("made", i)))
			if err != nil {
				return err
			}
			if err := tx.Delete(t.Context(), me, old); err != nil {
				return err
			}
			return errTakeBack
		})
		wantError(t, "taken back", err, errTakeBack)
		wantError(t, "the link that was not made", errOf(s.Link(t.Context(), made.Code)),
			terse.ErrNotFound)
		j.addMixed([]terse.Link{old}, j.clicks([]terse.Link{old, made}, 50, spring, time.Hour))
		j.compareRanges(old)
		wantError(t, "the link that was not deleted", errOf(s.Link(t.Context(), old.Code)), nil)
		second := create(t, s, made.Code.String())
		wantError(t, "a link that was made", errOf(s.Link(t.Context(), second.Code)), nil)
		j.add(j.clicks([]terse.Link{second}, 50, spring, time.Hour))
		j.compareRanges(second)
	}
}

// newestRace: 8 callers create a link unless there is one.
func newestRace(t *testing.T, s Store) {
	const callers, urls = 8, 10
	together(callers, func(caller int) {
		for i := range urls {
			n := newLink(t, fmt.Sprintf("own%d-%d", caller, i))
			n.URL = terse.URL(fmt.Sprintf("https://example.org/%d", i))
			err := s.Transact(t.Context(), func(tx terse.Tx) error {
				_, err := tx.NewestTo(t.Context(), terse.Identity, terse.DefaultDomain, n.URL,
					time.Now())
				if errors.Is(err, terse.ErrNotFound) {
					_, err = tx.Create(t.Context(), me, n)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	wantTotal(t, s, terse.Identity, "links", urls)
}

func newestTo(t *testing.T, s Store) {
	now := time.Now().Add(time.Hour).Truncate(time.Microsecond).UTC()
	want := func(what string, want *terse.Link) {
		t.Helper()
		err := s.Transact(t.Context(), func(tx terse.Tx) error {
			got, err := tx.NewestTo(t.Context(), terse.Identity, terse.DefaultDomain,
				"https://example.org/x", now)
			if err == nil && want != nil {
				wantEqual(t, what, got, *want)
			}
			return err
		})
		if want == nil {
			wantError(t, what, err, terse.ErrNotFound)
		} else {
			must(t, err)
		}
	}
	n := 0
	add := func(url, owner string, at time.Duration, o terse.LinkOptions) terse.Link {
		n++
		return mustCreate(t, s, terse.NewLink{
			Code: code(t, fmt.Sprint("link", n)), URL: terse.URL(url), CreatedBy: owner,
			CreatedAt: spring.Add(at), Options: encoded(t, o),
		})
	}
	const url = "https://example.org/x"
	add("https://example.org/X", terse.Identity, 0, terse.LinkOptions{})
	add("https://example.org/xx", terse.Identity, 0, terse.LinkOptions{})
	add(url, "somebody", 0, terse.LinkOptions{})
	want("none", nil)
	newest := add(url, terse.Identity, time.Hour, terse.LinkOptions{})
	add(url, terse.Identity, 0, terse.LinkOptions{})
	want("the newest", &newest)
	again := add(url, terse.Identity, time.Hour, terse.LinkOptions{Title: "a"})
	want("the last of one time", &again)
	add(url, terse.Identity, 2*time.Hour, terse.LinkOptions{Disabled: true})
	add(url, terse.Identity, 2*time.Hour, terse.LinkOptions{ExpiresAt: now})
	used := add(url, terse.Identity, 2*time.Hour, terse.LinkOptions{MaxClicks: 1})
	must(t, s.Take(t.Context(), used.Ref()))
	want("those that have ended", &again)
	archived := add(url, terse.Identity, 2*time.Hour, terse.LinkOptions{Archived: true})
	want("one that is archived", &again)
	asked := now
	now = time.Time{}
	want("one that is archived, for an import", &archived)
	now = asked
	archived.Options = ""
	archived = update(t, s, archived)
	want("one that is archived no longer", &archived)
	archived.Options = encoded(t, terse.LinkOptions{Archived: true})
	update(t, s, archived)
	want("one that is archived again", &again)
	later := add(url, terse.Identity, 3*time.Hour, terse.LinkOptions{
		StartsAt: now.Add(time.Hour), ExpiresAt: now.Add(2 * time.Hour),
	})
	want("a link to come", &later)
	now = now.Add(2 * time.Hour)
	want("later", &again)
	must(t, s.Delete(t.Context(), me, again))
	newest.URL = "https://example.org/moved"
	update(t, s, newest)
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		link, err := tx.NewestTo(t.Context(), terse.Identity, terse.DefaultDomain, newest.URL, now)
		wantEqual(t, "moved", link.ID, newest.ID)
		return err
	}))
}

func keepAnswer(t *testing.T, s Store) {
	ctx := t.Context()
	key, other := terse.AnswerKey{1, 2, 31: 3}, terse.AnswerKey{1, 2, 31: 4}
	want := terse.Answer{
		Request: [32]byte{7, 31: 8}, Status: 201, ETag: `"a"`, Body: []byte("{\"a\":\"\x00ä\"}"),
	}
	ask := func(key terse.AnswerKey) (answer terse.Answer, err error) {
		err = s.Transact(ctx, func(tx terse.Tx) error {
			answer, err = tx.Answer(ctx, key)
			return err
		})
		return answer, err
	}
	_, err := ask(key)
	wantError(t, "none", err, terse.ErrNotFound)
	wantError(t, "taken back", s.Transact(ctx, func(tx terse.Tx) error {
		return errors.Join(tx.KeepAnswer(ctx, key, want), errTakeBack)
	}), errTakeBack)
	_, err = ask(key)
	wantError(t, "after nothing", err, terse.ErrNotFound)
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		wantError(t, "none yet", errOf(tx.Answer(ctx, key)), terse.ErrNotFound)
		if err := tx.KeepAnswer(ctx, key, want); err != nil {
			return err
		}
		got, err := tx.Answer(ctx, key)
		wantEqual(t, "answer within", got, want)
		return err
	}))
	got, err := ask(key)
	must(t, err)
	wantEqual(t, "answer", got, want)
	_, err = ask(other)
	wantError(t, "another key", err, terse.ErrNotFound)
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		return tx.KeepAnswer(ctx, other, terse.Answer{Status: 404})
	}))
	got, err = ask(other)
	must(t, err)
	wantEqual(t, "status of another", got.Status, 404)
	wantEqual(t, "body of another", len(got.Body), 0)
}

// underWay: a request fails at once while another one with the same key is under way.
func underWay(t *testing.T, s Store) {
	ctx, key := t.Context(), terse.AnswerKey{1}
	asked, goOn := make(chan struct{}, 10), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- s.Transact(ctx, func(tx terse.Tx) error {
			if _, err := tx.Answer(ctx, key); !errors.Is(err, terse.ErrNotFound) {
				return fmt.Errorf("the first request: %w", err)
			}
			asked <- struct{}{}
			<-goOn
			return tx.KeepAnswer(ctx, key, terse.Answer{Status: 200})
		})
	}()
	<-asked
	ask := func() error {
		return s.Transact(ctx, func(tx terse.Tx) error {
			_, err := tx.Answer(ctx, key)
			return err
		})
	}
	for range 3 {
		wantError(t, "meanwhile", ask(), terse.ErrUnderWay)
	}
	close(goOn)
	must(t, <-done)
	wantError(t, "afterwards", ask(), nil)
}

// answerRace: 8 callers send the same request with the same key.
func answerRace(t *testing.T, s Store) {
	const callers, keys = 8, 10
	together(callers, func(caller int) {
		for i := range keys {
			err := error(terse.ErrUnderWay)
			for errors.Is(err, terse.ErrUnderWay) {
				err = answerOnce(t.Context(), s, terse.AnswerKey{byte(i)},
					newLink(t, fmt.Sprintf("own%d-%d", caller, i)))
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	wantTotal(t, s, terse.Identity, "links", keys)
}

// answerOnce creates a link unless there is an answer.
func answerOnce(ctx context.Context, s Store, key terse.AnswerKey, n terse.NewLink) error {
	return s.Transact(ctx, func(tx terse.Tx) error {
		if _, err := tx.Answer(ctx, key); !errors.Is(err, terse.ErrNotFound) {
			return err
		}
		if _, err := tx.Create(ctx, me, n); err != nil {
			return err
		}
		return tx.KeepAnswer(ctx, key, terse.Answer{Status: 201})
	})
}

func transactMany(t *testing.T, s Store) {
	ctx := t.Context()
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		for i := range 500 {
			n := newLink(t, fmt.Sprint("link", i))
			n.Options = encoded(t, terse.LinkOptions{Tags: []string{fmt.Sprint("tag", i%7)}})
			link, err := tx.Create(ctx, me, n)
			if err != nil {
				return err
			}
			link.Options = encoded(t, terse.LinkOptions{Tags: []string{"all"}})
			if _, err := tx.Update(ctx, me, changeTo(link)); err != nil {
				return err
			}
		}
		return nil
	}))
	wantTags(t, s, terse.Identity, "tags", terse.Tag{Name: "all", Links: 500})
}
