package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse"
)

var foldTests = storeTests{
	"a link is found in any case":                       findFolded,
	"addresses that differ in case are one":             foldedTaken,
	"of concurrent claims that differ in case one wins": foldedRace,
}

// withAliases creates a link with aliases.
func withAliases(t *testing.T, s Store, c string, aliases ...string) terse.Link {
	t.Helper()
	return createWith(t, s, c, terse.LinkOptions{Aliases: aliases})
}

// aliased returns a link with other aliases.
func aliased(t *testing.T, link terse.Link, aliases ...string) terse.Link {
	t.Helper()
	options, err := link.Options.Decode()
	must(t, err)
	options.Aliases = aliases
	link.Options, err = options.Encode()
	must(t, err)
	return link
}

// wantAt checks which links are at addresses. A zero link stands for none.
func wantAt(t *testing.T, s Store, want map[string]terse.Link) {
	t.Helper()
	var addresses []string
	found := map[string]terse.Link{}
	for address, link := range want {
		addresses = append(addresses, address)
		if link.ID != 0 {
			found[address] = link
		}
	}
	got, err := s.Find(t.Context(), addresses)
	must(t, err)
	wantEqual(t, "links at addresses", got, found)
}

func findAliases(t *testing.T, s Store) {
	plain := create(t, s, "plain")
	link := withAliases(t, s, "link", "1", "docs/install", "grüße", "v1.2", "Plain")
	wantAt(t, s, map[string]terse.Link{
		"plain": plain, "link": link, "1": link, "docs/install": link, "grüße": link, "v1.2": link,
		"Plain": link, "docs": {}, "GRÜSSE": {}, "Link": {}, "": {}, "docs/install/": {},
	})
	_, err := s.Link(t.Context(), code(t, "Plain"))
	wantError(t, "an alias as a code", err, terse.ErrNotFound)
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		_, err := tx.Link(t.Context(), code(t, "Plain"))
		wantError(t, "an alias as a code, in a transaction", err, terse.ErrNotFound)
		return nil
	}))
	link = update(t, s, aliased(t, link, "docs/install", "2"))
	wantAt(t, s, map[string]terse.Link{
		"link": link, "docs/install": link, "2": link, "1": {}, "v1.2": {}, "Plain": {},
	})
}

// addressTaken claims addresses of other links in every way. Nothing of it is done.
func addressTaken(t *testing.T, s Store) {
	first, second := withAliases(t, s, "first", "one", "one/two"), create(t, s, "second")
	recode := func(link terse.Link, c string) terse.LinkChange {
		change := changeTo(link)
		change.After.Code = code(t, c)
		return change
	}
	draft := func(c string, aliases ...string) terse.NewLink {
		made := newLink(t, c)
		made.Options = aliased(t, terse.Link{}, aliases...).Options
		return made
	}
	taken := &terse.Error{
		Kind: terse.Conflict, Message: "address already exists: one/two", Field: "aliases[1]",
	}
	for what, try := range map[string]struct {
		do   func(terse.Tx) error
		want error
	}{
		"a code that is an alias": {
			func(tx terse.Tx) error { return errOf(tx.Create(t.Context(), me, draft("one"))) },
			terse.ErrCodeTaken,
		},
		"an alias that is a code": {
			func(tx terse.Tx) error {
				return errOf(tx.Create(t.Context(), me, draft("third", "third/a", "second")))
			},
			terse.AddressTaken([]string{"third/a", "second"}, 1),
		},
		"an alias that is an alias": {
			func(tx terse.Tx) error {
				return errOf(tx.Create(t.Context(), me, draft("third", "new", "one/two")))
			}, taken,
		},
		"another alias": {
			func(tx terse.Tx) error {
				return errOf(tx.Update(t.Context(), me, terse.LinkChange{
					Before: second, After: aliased(t, second, "new", "one/two"),
				}))
			}, taken,
		},
		"another code, of a link": {
			func(tx terse.Tx) error {
				return errOf(tx.Update(t.Context(), me, recode(second, "first")))
			}, terse.ErrCodeTaken,
		},
		"another code, of an alias": {
			func(tx terse.Tx) error {
				return errOf(tx.Update(t.Context(), me, recode(second, "one")))
			}, terse.ErrCodeTaken,
		},
	} {
		must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
			err := try.do(tx)
			wantConflict(t, what, err, try.want)
			return nil
		}))
		if what == "a code that is an alias" {
			wantConflict(t, what+", alone",
				errOf(s.Create(t.Context(), me, draft("one"))), try.want)
		}
	}
	wantConflict(t, "another alias, alone", errOf(s.Update(t.Context(), me, terse.LinkChange{
		Before: second, After: aliased(t, second, "new", "one/two"),
	})), taken)
	wantConflict(t, "an alias, alone",
		errOf(s.Create(t.Context(), me, draft("third", "new", "one/two"))), taken)
	wantAt(t, s, map[string]terse.Link{
		"first": first, "one": first, "one/two": first, "second": second, "third": {}, "new": {},
		"third/a": {},
	})
	wantTotal(t, s, terse.Identity, "links", 2)
}

func wantConflict(t *testing.T, what string, got, want error) {
	t.Helper()
	var is, should *terse.Error
	if !errors.As(got, &is) || !errors.As(want, &should) || *is != *should {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// addressRace: callers claim an address at the same moment, as the code of a new link, an alias of
// a new one, an alias and the code of an old one.
func addressRace(t *testing.T, s Store) {
	const races, callers = 20, 8
	for race := range races {
		var old [callers]terse.Link
		for i := range old {
			old[i] = create(t, s, fmt.Sprintf("old-%d-%d", race, i))
		}
		address := fmt.Sprint("wanted", race)
		var won atomic.Int64
		together(callers, func(i int) {
			made := newLink(t, fmt.Sprintf("new-%d-%d", race, i))
			change := changeTo(old[i])
			var err error
			switch i % 4 {
			case 0:
				made.Code = code(t, address)
				_, err = s.Create(t.Context(), me, made)
			case 1:
				made.Options = aliased(t, terse.Link{}, "x"+made.Code.String(), address).Options
				_, err = s.Create(t.Context(), me, made)
			case 2:
				change.After = aliased(t, change.After, "x"+made.Code.String(), address)
				_, err = s.Update(t.Context(), me, change)
			case 3:
				change.After.Code = code(t, address)
				_, err = s.Update(t.Context(), me, change)
			}
			var known *terse.Error
			switch {
			case err == nil:
				won.Add(1)
			case !errors.As(err, &known) || known.Kind != terse.Conflict:
				t.Errorf("race %d, caller %d: %v", race, i, err)
			}
		})
		wantEqual(t, fmt.Sprintf("race %d, winners", race), won.Load(), 1)
		found, err := s.Find(t.Context(), []string{address})
		must(t, err)
		wantEqual(t, fmt.Sprintf("race %d, links there", race), len(found), 1)
	}
}

func addressFreed(t *testing.T, s Store) {
	link := withAliases(t, s, "link", "alias", "docs")
	link = update(t, s, aliased(t, link, "docs"))
	taker := withAliases(t, s, "alias", "free")
	must(t, s.Delete(t.Context(), me, link))
	other := withAliases(t, s, "other", "docs", "link")
	wantAt(t, s, map[string]terse.Link{
		"alias": taker, "free": taker, "docs": other, "link": other, "other": other,
	})
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		if err := tx.Delete(t.Context(), me, other); err != nil {
			return err
		}
		return errOf(tx.Update(t.Context(), me, terse.LinkChange{
			Before: taker, After: aliased(t, taker, "docs"),
		}))
	}))
	got, err := s.Find(t.Context(), []string{"docs", "link", "free"})
	must(t, err)
	if len(got) != 1 || got["docs"].ID != taker.ID {
		t.Errorf("what was freed in a transaction: %+v", got)
	}
}

// changeCode gives a link with all that it may have another code, and back.
func changeCode(t *testing.T, s Store) {
	link := createWith(t, s, "before", terse.LinkOptions{
		Title: "Title", Tags: []string{"tag"}, MaxClicks: 5, Aliases: []string{"alias", "after"},
	})
	shared := terse.NewShare()
	wantShare(t, s, link, shared, shared)
	must(t, s.Take(t.Context(), link.Ref()))
	link.URL = "https://example.org/changed"
	link = update(t, s, link)

	change := terse.LinkChange{Before: link, After: aliased(t, link, "alias", "before")}
	change.After.Code = code(t, "after")
	renamed, err := s.Update(t.Context(), me, change)
	must(t, err)
	wantEqual(t, "its ID", renamed.ID, link.ID)
	wantEqual(t, "its used clicks", renamed.Used, 1)
	wantAt(t, s, map[string]terse.Link{"before": renamed, "after": renamed, "alias": renamed})
	wantEqual(t, "found", find(t, s, renamed.Code), renamed)
	wantError(t, "the code before", errOf(s.Link(t.Context(), link.Code)), terse.ErrNotFound)
	wantShare(t, s, renamed, terse.NewShare(), shared)
	must(t, s.Take(t.Context(), renamed.Ref()))
	history, err := s.History(t.Context(), renamed.Ref())
	must(t, err)
	if len(history) != 2 || string(history[0].Fields["short_code"].Old) != `"before"` ||
		string(history[0].Fields["short_code"].New) != `"after"` || history[0].By != me.Identity ||
		string(history[1].Fields["original_url"].New) != `"https://example.org/changed"` {
		t.Errorf("its history is %+v", history)
	}
	page := pageOf(t, s, terse.LinkQuery{Owner: terse.Identity, Limit: 3, Filter: terse.LinkFilter{
		Tags: []string{"tag"}, Status: terse.Active, Now: time.Now(),
	}})
	if page.Total != 1 || len(page.Links) != 1 || page.Links[0].Code != renamed.Code {
		t.Errorf("it is listed as %+v", page)
	}
	wantError(t, "the version before", errOf(s.Update(t.Context(), me, change)), terse.ErrNotFound)

	// Back, without the other code.
	change = terse.LinkChange{Before: renamed, After: aliased(t, renamed, "alias")}
	change.After.Code = link.Code
	back, err := s.Update(t.Context(), me, change)
	must(t, err)
	wantAt(t, s, map[string]terse.Link{"before": back, "alias": back, "after": {}})
	wantEqual(t, "its used clicks", back.Used, 2)
	must(t, s.Delete(t.Context(), me, back))
	wantAt(t, s, map[string]terse.Link{"before": {}, "alias": {}, "after": {}})
	wantTags(t, s, terse.Identity, "tags")
}

// countFormerCode counts clicks that were answered at a link's code before, also once another link
// has that code.
func countFormerCode(t *testing.T, s Store) {
	link := create(t, s, "link")
	click := func(id terse.LinkID, c terse.Code) terse.Click {
		return terse.Click{Link: id, Code: c, Time: spring.UnixMicro()}
	}
	batch := int64(0)
	add := func(clicks ...terse.Click) {
		must(t, s.AddClicks(t.Context(), Batch("former", batch, clicks...)))
		batch++
	}
	add(click(link.ID, link.Code))
	change := changeTo(link)
	change.After.Code = code(t, "renamed")
	renamed, err := s.Update(t.Context(), me, change)
	must(t, err)
	add(click(link.ID, link.Code), click(link.ID, renamed.Code))
	taker := create(t, s, link.Code.String())
	add(click(link.ID, link.Code), click(taker.ID, taker.Code))
	for what, want := range map[string]struct {
		link   terse.Link
		clicks int64
	}{"the renamed link": {renamed, 4}, "the link that took its code": {taker, 1}} {
		wantEqual(t, what, seriesOf(t, s, want.link.Ref(), ever).Total, want.clicks)
	}
}

func findFolded(t *testing.T, s Store) {
	link := withAliases(t, s, "Promo-X", "Straße", "docs/Install", "Σίσυφος")
	found, err := s.Find(t.Context(), []string{
		"promo-x", "PROMO-X", "Promo-X", "STRAßE", "DOCS/install", "σίσυφοσ", "promo",
		"\u017Ftraße",
	})
	must(t, err)
	wantEqual(t, "links found", len(found), 7)
	for address, at := range found {
		wantEqual(t, "the link at "+address, at, link)
	}
	wantEqual(t, "its code in another case", find(t, s, code(t, "pROMO-x")), link)
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		got, err := tx.Link(t.Context(), code(t, "PROMO-x"))
		wantEqual(t, "its code in another case, in a transaction", got, link)
		return err
	}))
}

func foldedTaken(t *testing.T, s Store) {
	link := withAliases(t, s, "Promo", "Docs")
	for _, c := range []string{"promo", "PROMO", "docs", "DOCS"} {
		wantConflict(t, c, errOf(s.Create(t.Context(), me, newLink(t, c))), terse.ErrCodeTaken)
	}
	other := create(t, s, "other")
	for _, alias := range []string{"pROMO", "dOCS", "OTHERS/x"} {
		err := errOf(s.Update(t.Context(), me, terse.LinkChange{
			Before: other, After: aliased(t, other, alias),
		}))
		if alias == "OTHERS/x" {
			must(t, err)
			continue
		}
		wantConflict(t, alias, err, terse.AddressTaken([]string{alias}, 0))
	}
	// A change of case only.
	change := terse.LinkChange{Before: link, After: aliased(t, link, "DOCS")}
	change.After.Code = code(t, "PROMO")
	changed, err := s.Update(t.Context(), me, change)
	must(t, err)
	wantEqual(t, "its code", changed.Code.String(), "PROMO")
	wantAt(t, s, map[string]terse.Link{"promo": changed, "docs": changed, "Promo": changed})
}

// foldedRace: callers create links whose codes differ in case only.
func foldedRace(t *testing.T, s Store) {
	for race := range 20 {
		var won atomic.Int64
		spellings := []string{"wanted", "Wanted", "WANTED", "wanteD", "wanted", "WANTEd"}
		together(len(spellings), func(i int) {
			_, err := s.Create(t.Context(), me, newLink(t, fmt.Sprint(spellings[i], race)))
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, terse.ErrCodeTaken):
				t.Errorf("race %d, %s: %v", race, spellings[i], err)
			}
		})
		wantEqual(t, fmt.Sprintf("race %d, winners", race), won.Load(), 1)
	}
}

// Clash creates links in a store that minds the case of addresses, three pairs of which differ in
// case only, and ones that differ in no way that matters.
func Clash(t *testing.T, s Store) {
	t.Helper()
	withAliases(t, s, "Promo", "promo", "one")
	withAliases(t, s, "PROMO", "Docs/A")
	withAliases(t, s, "other", "docs/a", "Straße")
	withAliases(t, s, "ONE")
}

// WantClashes checks the error of opening a store that ignores case after Clash.
func WantClashes(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("it is opened")
	}
	for _, pair := range []string{
		`"PROMO" and "Promo"`, `"Docs/A" and "docs/a"`, `"ONE" and "one"`,
	} {
		if !strings.Contains(err.Error(), pair) {
			t.Errorf("%v: want it to name %s", err, pair)
		}
	}
	if strings.Contains(err.Error(), "Straße") {
		t.Errorf("%v", err)
	}
}
