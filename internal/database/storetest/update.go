package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"terse"
)

func updateLink(t *testing.T, s Store) {
	link, other := createEncoded(t, s, "link", `{"created":"with"}`), create(t, s, "other")
	wantEqual(t, "options", link.Options, `{"created":"with"}`)
	for i, options := range []terse.EncodedOptions{`{"a":"ä\"\u0000<>"}`, "", `{"b":[1,2]}`} {
		before := link
		link.URL, link.Options = terse.URL(fmt.Sprintf("https://example.org/%d", i)), options
		updated := update(t, s, link)
		if !updated.UpdatedAt.After(before.UpdatedAt) || updated.UpdatedAt.After(time.Now()) ||
			updated.UpdatedAt.Location() != time.UTC {
			t.Errorf("change %d: updated at %v, before at %v", i, updated.UpdatedAt,
				before.UpdatedAt)
		}
		link.UpdatedAt = updated.UpdatedAt
		wantEqual(t, "updated", updated, link)
		wantEqual(t, "found", find(t, s, link.Code), link)
		for _, order := range []terse.LinkOrder{terse.NewestFirst, terse.MostClickedFirst} {
			page := pageOf(t, s, terse.LinkQuery{Owner: terse.Identity, Order: order, Limit: 3})
			wantEqual(t, "listed", page.Links, []terse.Link{other, link})
		}
	}
}

// updateRace: 8 callers change a link until each has made 5 changes.
func updateRace(t *testing.T, s Store) {
	const callers, changes = 8, 5
	made := create(t, s, "link")
	var mu sync.Mutex // guards the next variable
	versions := map[time.Time]bool{}
	together(callers, func(caller int) {
		for i := 0; i < changes; {
			link, err := s.Link(t.Context(), made.Code)
			if err != nil {
				t.Error(err)
				return
			}
			link.Options += terse.EncodedOptions(fmt.Sprintf("%d.%d ", caller, i))
			updated, err := s.Update(t.Context(), me, changeTo(link))
			if errors.Is(err, terse.ErrChanged) {
				continue
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			if versions[updated.UpdatedAt] {
				t.Errorf("two changes have the version %v", updated.UpdatedAt)
			}
			versions[updated.UpdatedAt] = true
			mu.Unlock()
			i++
		}
	})
	link := find(t, s, made.Code)
	wantEqual(t, "length of what all have added", len(link.Options), callers*changes*len("0.0 "))
}

func updateOther(t *testing.T, s Store) {
	link := create(t, s, "link")
	changed := link
	changed.URL = "https://example.org/changed"
	stale := changed
	stale.UpdatedAt = time.UnixMicro(7).UTC()
	wantError(t, "another version", errOf(s.Update(t.Context(), me, changeTo(stale))),
		terse.ErrChanged)
	current := update(t, s, changed)
	wantError(t, "the version before",
		errOf(s.Update(t.Context(), me, changeTo(changed))), terse.ErrChanged)
	for what, ref := range map[string]terse.LinkRef{
		"another ID":   {ID: link.ID + 1, Code: link.Code},
		"another code": {ID: link.ID, Code: code(t, "none")},
	} {
		gone := current
		gone.ID, gone.Code = ref.ID, ref.Code
		wantError(t, what, errOf(s.Update(t.Context(), me, changeTo(gone))),
			terse.ErrNotFound)
	}
	wantEqual(t, "the link", find(t, s, link.Code), current)
	must(t, s.Delete(t.Context(), me, current))
	wantError(t, "a deleted link", errOf(s.Update(t.Context(), me, changeTo(current))),
		terse.ErrNotFound)
	again := create(t, s, "link")
	wantError(t, "a link that was chosen again",
		errOf(s.Update(t.Context(), me, changeTo(current))), terse.ErrNotFound)
	wantEqual(t, "the new link", find(t, s, link.Code), again)
}

// deleteVersion deletes a link by wrong versions, and then by the right one, with and without a
// transaction.
func deleteVersion(t *testing.T, s Store) {
	for what, remove := range map[string]func(terse.Link) error{
		"alone": func(link terse.Link) error { return s.Delete(t.Context(), me, link) },
		"in a transaction": func(link terse.Link) error {
			return s.Transact(t.Context(), func(tx terse.Tx) error {
				return tx.Delete(t.Context(), me, link)
			})
		},
	} {
		first := createWith(t, s, "link", terse.LinkOptions{Tags: []string{"tag"}, MaxClicks: 2})
		changed := first
		changed.URL = "https://example.org/changed"
		changed = update(t, s, changed)
		later := changed
		later.UpdatedAt = later.UpdatedAt.Add(time.Microsecond)
		wantError(t, what+", the version before", remove(first), terse.ErrChanged)
		wantError(t, what+", a version to come", remove(later), terse.ErrChanged)
		wantFound(t, s, changed)
		wantTags(t, s, terse.Identity, what, terse.Tag{Name: "tag", Links: 1})
		must(t, s.Take(t.Context(), changed.Ref()))
		wantError(t, what+", the version that it has", remove(changed), nil)
		wantError(t, what+", again", remove(changed), terse.ErrNotFound)
		wantTotal(t, s, terse.Identity, what, 0)
		wantTags(t, s, terse.Identity, what)
	}
}

// deleteAll finds and deletes links together, and what can't be deleted is refused by itself.
func deleteAll(t *testing.T, s Store) {
	first := createWith(t, s, "first", terse.LinkOptions{Tags: []string{"tag"}})
	second, stale := create(t, s, "second"), create(t, s, "stale")
	alias := createWith(t, s, "alias", terse.LinkOptions{Aliases: []string{"other"}})
	changed := stale
	changed.URL = "https://example.org/changed"
	changed = update(t, s, changed)
	codes := []terse.Code{second.Code, code(t, "other"), first.Code, code(t, "none"), second.Code}
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		made, err := tx.Create(t.Context(), me, newLink(t, "fresh"))
		must(t, err)
		links, refused, err := tx.LinkAll(t.Context(), append(codes, made.Code))
		must(t, err)
		wantEqual(t, "links", links, []terse.Link{second, {}, first, {}, second, made})
		for i, want := range []error{nil, terse.ErrNotFound, nil, terse.ErrNotFound, nil, nil} {
			wantError(t, fmt.Sprint("look-up ", i), refused[i], want)
		}
		refused, err = tx.DeleteAll(t.Context(),
			me, []terse.Link{second, stale, made, first, second, alias})
		for i, want := range []error{nil, terse.ErrChanged, nil, nil, terse.ErrNotFound, nil} {
			wantError(t, fmt.Sprint("delete ", i), refused[i], want)
		}
		return err
	}))
	wantFound(t, s, changed)
	wantTotal(t, s, terse.Identity, "", 1)
	wantTags(t, s, terse.Identity, "")
	for _, gone := range []string{"first", "second", "fresh", "alias", "other"} {
		wantError(t, gone, errOf(s.Link(t.Context(), code(t, gone))), terse.ErrNotFound)
		create(t, s, gone)
	}
}

// deleteRace: 3 callers change a version of a link and 3 delete it, at the same moment. Waiting
// deletes are batched, so that some share a transaction.
func deleteRace(t *testing.T, s Store) {
	const races, callers = 50, 6
	for i := range races {
		link := create(t, s, fmt.Sprint("link", i))
		var errs [callers]error
		together(callers, func(caller int) {
			if caller%2 == 0 {
				errs[caller] = s.Delete(t.Context(), me, link)
				return
			}
			change := link
			change.URL = "https://example.org/changed"
			_, errs[caller] = s.Update(t.Context(), me, changeTo(change))
		})
		done := 0
		for caller, err := range errs {
			switch {
			case err == nil:
				done++
			case !errors.Is(err, terse.ErrChanged) && !errors.Is(err, terse.ErrNotFound):
				t.Errorf("race %d, caller %d: %v", i, caller, err)
			}
		}
		wantEqual(t, fmt.Sprintf("race %d, what was done", i), done, 1)
	}
}
