package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"terse"
)

func takeAll(t *testing.T, s Store) {
	link := createWith(t, s, "link", terse.LinkOptions{MaxClicks: 3})
	other := createWith(t, s, "other", terse.LinkOptions{MaxClicks: 3})
	take := func(want error) {
		t.Helper()
		wantError(t, fmt.Sprint("take after ", link.Used), s.Take(t.Context(), link.Ref()), want)
		if want == nil {
			link.Used++
		}
		wantFound(t, s, link)
	}
	take(nil)
	take(nil)
	take(nil)
	take(terse.ErrUsedUp)
	link = updateTo(t, s, link, terse.LinkOptions{MaxClicks: 5, Title: "more"})
	wantEqual(t, "used after more were allowed", link.Used, 3)
	take(nil)
	link = updateTo(t, s, link, terse.LinkOptions{MaxClicks: 2})
	wantEqual(t, "used after less were allowed", link.Used, 4)
	take(terse.ErrUsedUp)
	link = updateTo(t, s, link, terse.LinkOptions{Title: "any number"})
	wantEqual(t, "used without max_clicks", link.Used, 0)
	wantError(t, "take without max_clicks", s.Take(t.Context(), link.Ref()), nil)
	wantFound(t, s, link)
	link = updateTo(t, s, link, terse.LinkOptions{MaxClicks: 1})
	take(nil)
	take(terse.ErrUsedUp)
	wantFound(t, s, other)
}

func takeNothing(t *testing.T, s Store) {
	for name, options := range map[string]terse.EncodedOptions{
		"plain": "", "titled": `{"title":"a"}`, "damaged": `{"max_clicks":`,
		"disabled": `{"disabled":true}`,
	} {
		link := createEncoded(t, s, name, options)
		for range 3 {
			wantError(t, name, s.Take(t.Context(), link.Ref()), nil)
		}
		wantFound(t, s, link)
	}
	link := createWith(t, s, "link", terse.LinkOptions{MaxClicks: 3})
	for what, ref := range map[string]terse.LinkRef{
		"another ID":   {ID: link.ID + 100, Code: link.Code},
		"another code": {ID: link.ID, Code: code(t, "none")},
	} {
		wantError(t, what, s.Take(t.Context(), ref), terse.ErrNotFound)
	}
	must(t, s.Delete(t.Context(), me, link))
	wantError(t, "deleted", s.Take(t.Context(), link.Ref()), terse.ErrNotFound)
	second := createWith(t, s, "link", terse.LinkOptions{MaxClicks: 3})
	wantError(t, "used again", s.Take(t.Context(), link.Ref()), terse.ErrNotFound)
	wantFound(t, s, second)
}

// takeRace: 8 callers want more clicks than the link has.
func takeRace(t *testing.T, s Store) {
	const callers, each, most = 8, 20, 100
	link := createWith(t, s, "link", terse.LinkOptions{MaxClicks: most})
	var taken, refused atomic.Int64
	together(callers, func(int) {
		for range each {
			switch err := s.Take(t.Context(), link.Ref()); {
			case err == nil:
				taken.Add(1)
			case errors.Is(err, terse.ErrUsedUp):
				refused.Add(1)
			default:
				t.Error(err)
			}
		}
	})
	wantEqual(t, "taken", taken.Load(), most)
	wantEqual(t, "refused", refused.Load(), callers*each-most)
	link.Used = most
	wantFound(t, s, link)
}

// takeWhileChanging takes from a link while others change it, until it is deleted.
func takeWhileChanging(t *testing.T, s Store) {
	const takers, changers, changes, most = 4, 3, 8, 70
	link := createWith(t, s, "link", terse.LinkOptions{MaxClicks: most})
	var wg sync.WaitGroup
	var taken atomic.Int64
	for range takers {
		wg.Go(func() {
			for range 20 {
				if err := s.Take(t.Context(), link.Ref()); err == nil {
					taken.Add(1)
				} else if !errors.Is(err, terse.ErrUsedUp) {
					t.Error(err)
				}
			}
		})
	}
	for changer := range changers {
		wg.Go(func() {
			for i := 0; i < changes; {
				now, err := s.Link(t.Context(), link.Code)
				if err != nil {
					t.Error(err)
					return
				}
				now.Options = encoded(t, terse.LinkOptions{
					MaxClicks: most, Title: fmt.Sprint(changer, i),
				})
				by := terse.Caller{Identity: fmt.Sprint(changer)}
				_, err = s.Update(t.Context(), by, changeTo(now))
				if err == nil {
					i++
				} else if !errors.Is(err, terse.ErrChanged) {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	wantEqual(t, "taken", taken.Load(), most)
	now := find(t, s, link.Code)
	wantEqual(t, "used", now.Used, most)
	made, err := s.History(t.Context(), link.Ref())
	must(t, err)
	wantEqual(t, "changes", len(made), changers*changes)
	by := map[string]int{}
	for i, change := range made {
		by[change.By]++
		if i > 0 && !change.Time.Before(made[i-1].Time) {
			t.Errorf("change %d at %v after %v", i, change.Time, made[i-1].Time)
		}
	}
	wantEqual(t, "changes of each", by, map[string]int{"0": changes, "1": changes, "2": changes})

	link = updateTo(t, s, now, terse.LinkOptions{MaxClicks: 1_000_000})
	for range takers {
		wg.Go(func() {
			for {
				err := s.Take(t.Context(), link.Ref())
				if errors.Is(err, terse.ErrNotFound) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	must(t, s.Delete(t.Context(), me, link))
	wg.Wait()
}
