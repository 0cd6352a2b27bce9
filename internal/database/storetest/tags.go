package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

func spelling(t *testing.T, s Store) {
	first := createWith(t, s, "first", terse.LinkOptions{Tags: []string{"ÄRGER", "News"}})
	wantTagged(t, s, first, "ÄRGER", "News")
	second := createWith(t, s, "second", terse.LinkOptions{
		Title: "t", Tags: []string{"ärger", "b,<&>\"", "NEWS"},
	})
	wantTagged(t, s, second, "ÄRGER", "b,<&>\"", "News")
	third := updateTo(t, s, create(t, s, "third"), terse.LinkOptions{Tags: []string{"news"}})
	wantTagged(t, s, third, "News")
	other := newLink(t, "other")
	other.CreatedBy = "somebody"
	other.Options = encoded(t, terse.LinkOptions{Tags: []string{"nEWS"}})
	wantTagged(t, s, mustCreate(t, s, other), "nEWS")

	must(t, s.Delete(t.Context(), me, first))
	second = updateTo(t, s, second, terse.LinkOptions{Tags: []string{"NEWS"}})
	wantTagged(t, s, second, "News")
	second = updateTo(t, s, second, terse.LinkOptions{})
	third = updateTo(t, s, third, terse.LinkOptions{Tags: []string{"NEWs"}})
	wantTagged(t, s, third, "News")
	must(t, s.Delete(t.Context(), me, third))
	second = updateTo(t, s, second, terse.LinkOptions{Tags: []string{"newS", "Ärger"}})
	wantTagged(t, s, second, "newS", "Ärger")
}

// refusedSpelling: a create or an update that is refused leaves nothing of how it spells a tag, in
// its transaction, in its call, and in what waits beside it.
func refusedSpelling(t *testing.T, s Store) {
	ctx := t.Context()
	taken := create(t, s, "taken")
	with := func(c, tag string) terse.NewLink {
		n := newLink(t, c)
		n.Options = encoded(t, terse.LinkOptions{Tags: []string{tag}})
		return n
	}
	change := func(link terse.Link, tag string) terse.LinkChange {
		link.Options = with("none", tag).Options
		return terse.LinkChange{Before: link, After: link}
	}
	var made []terse.Link
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		made = nil
		_, err := tx.Create(ctx, me, with("taken", "SPORT"))
		wantError(t, "create", err, terse.ErrCodeTaken)
		link, err := tx.Create(ctx, me, with("first", "sport"))
		if err != nil {
			return err
		}
		stale := change(link, "NEWS")
		stale.Before.UpdatedAt = spring
		wantError(t, "update", errOf(tx.Update(ctx, me, stale)), terse.ErrChanged)
		clash := change(link, "NEWS")
		clash.After.Code = taken.Code
		wantError(t, "new code", errOf(tx.Update(ctx, me, clash)), terse.ErrCodeTaken)
		wantError(t, "a tag that there is not", tx.SpellTag(ctx, terse.Identity, "neWS"),
			terse.ErrTagNotFound)
		second, err := tx.Create(ctx, me, with("second", "news"))
		if err != nil {
			return err
		}
		both, refused, err := tx.CreateAll(ctx, me, []terse.RestoredLink{
			{Link: with("second", "MANY")}, {Link: with("third", "many")},
		})
		if err != nil {
			return err
		}
		wantError(t, "one of two", refused[0], terse.ErrCodeTaken)
		wantError(t, "the other of two", refused[1], nil)
		made = append(made, link, second, both[1])
		return nil
	}))
	for i, tag := range []string{"sport", "news", "many"} {
		wantTagged(t, s, made[i], tag)
	}
	wantTags(t, s, terse.Identity, "tags", terse.Tag{Name: "many", Links: 1},
		terse.Tag{Name: "news", Links: 1}, terse.Tag{Name: "sport", Links: 1})
	// Creates of several callers may share a transaction. The refused one is often the first.
	var links [8]terse.Link
	for round := range 10 {
		tag := fmt.Sprint("round", round)
		together(len(links), func(i int) {
			n := with(fmt.Sprintf("w%d-%d", round, i), tag)
			if i < len(links)/2 {
				n = with("taken", strings.ToUpper(tag))
			}
			var err error
			links[i], err = s.Create(ctx, me, n)
			if i < len(links)/2 {
				wantError(t, "create beside others", err, terse.ErrCodeTaken)
			} else if err != nil {
				t.Error(err)
			}
		})
		for _, link := range links[len(links)/2:] {
			wantTagged(t, s, link, tag)
		}
	}
}

// lastSpelling: the spelling of a tag stands until its last link is gone at the end of a
// transaction, also if its links go and others come in between.
func lastSpelling(t *testing.T, s Store) {
	ctx := t.Context()
	with := func(c, tag string) terse.NewLink {
		n := newLink(t, c)
		n.Options = encoded(t, terse.LinkOptions{Tags: []string{tag}})
		return n
	}
	for name, leave := range map[string]func(terse.Tx, terse.Link) error{
		"deleted": func(tx terse.Tx, link terse.Link) error { return tx.Delete(ctx, me, link) },
		"changed": func(tx terse.Tx, link terse.Link) error {
			link.Options = ""
			return errOf(tx.Update(ctx, me, changeTo(link)))
		},
		"damaged": func(tx terse.Tx, link terse.Link) (err error) {
			link.Options = `{"tags":7}`
			if link, err = tx.Update(ctx, me, changeTo(link)); err == nil {
				err = tx.Delete(ctx, me, link)
			}
			return err
		},
	} {
		old := mustCreate(t, s, with("old-"+name, "News"))
		var made [4]terse.Link
		must(t, s.Transact(ctx, func(tx terse.Tx) (err error) {
			if err = leave(tx, old); err != nil {
				return err
			}
			if made[0], err = tx.Create(ctx, me, with("a-"+name, "news")); err != nil {
				return err
			}
			// So does the spelling of a tag that began here.
			fresh, err := tx.Create(ctx, me, with("b-"+name, "Fresh"))
			if err != nil {
				return err
			}
			if err = leave(tx, fresh); err != nil {
				return err
			}
			if made[1], err = tx.Create(ctx, me, with("c-"+name, "fresh")); err != nil {
				return err
			}
			// And one that was changed when no link was left.
			if err = leave(tx, made[0]); err != nil {
				return err
			}
			if err = tx.SpellTag(ctx, terse.Identity, "NEWS"); err != nil {
				return err
			}
			if made[2], err = tx.Create(ctx, me, with("d-"+name, "news")); err != nil {
				return err
			}
			// The last one of a tag is forgotten in the end.
			if made[3], err = tx.Create(ctx, me, with("e-"+name, "Gone")); err != nil {
				return err
			}
			return leave(tx, made[3])
		}))
		for i, want := range []string{"News", "Fresh", "NEWS"} {
			o, err := made[i].Options.Decode()
			must(t, err)
			wantEqual(t, "tags when "+name, o.Tags, []string{want})
		}
		wantTags(t, s, terse.Identity, "tags when "+name, terse.Tag{Name: "Fresh", Links: 1},
			terse.Tag{Name: "NEWS", Links: 1})
		for _, link := range made[1:3] {
			must(t, s.Delete(ctx, me, link))
		}
		wantTags(t, s, terse.Identity, "no tags when "+name)
		wantTagged(t, s, mustCreate(t, s, with("f-"+name, "gONE")), "gONE")
		must(t, s.Delete(ctx, me, find(t, s, code(t, "f-"+name))))
	}
}

// wantTags compares the tags of an owner.
func wantTags(t *testing.T, s Store, owner, what string, want ...terse.Tag) {
	t.Helper()
	got, err := s.Tags(t.Context(), owner)
	must(t, err)
	wantEqual(t, what, append([]terse.Tag{}, got...), append([]terse.Tag{}, want...))
}

// wantTagged compares the tags of a link.
func wantTagged(t *testing.T, s Store, link terse.Link, want ...string) {
	t.Helper()
	o, err := link.Options.Decode()
	must(t, err)
	wantEqual(t, "tags", o.Tags, want)
	wantFound(t, s, link)
}

// countTags creates, changes and deletes links with random tags of three owners.
func countTags(t *testing.T, s Store) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"a", "B", "ä", "#", "zz", "expired", "100%", "x_y", "ß", "日本"}
	some := func() terse.LinkOptions {
		var o terse.LinkOptions
		for _, i := range rng.Perm(len(words))[:rng.IntN(4)] {
			o.Tags = append(o.Tags, words[i])
		}
		slices.SortFunc(o.Tags, func(a, b string) int {
			return strings.Compare(terse.FoldTag(a), terse.FoldTag(b))
		})
		return o
	}
	owners := []string{terse.Identity, "owner0", "owner1"}
	var links []terse.Link
	for i := range 150 {
		l := newLink(t, fmt.Sprint("link", i))
		l.CreatedBy, l.Options = owners[i%3], encoded(t, some())
		links = append(links, mustCreate(t, s, l))
	}
	for i := range links {
		switch rng.IntN(4) {
		case 0:
			must(t, s.Delete(t.Context(), me, links[i]))
			links[i].CreatedBy = "nobody"
		case 1, 2:
			links[i] = updateTo(t, s, links[i], some())
		}
	}
	for _, owner := range append(owners, "nobody", terse.AllOwners) {
		counts := map[string]int64{}
		for _, link := range links {
			o, err := link.Options.Decode()
			must(t, err)
			for _, tag := range o.Tags {
				if reaches(owner, link) && link.CreatedBy != "nobody" {
					counts[tag]++
				}
			}
		}
		var want []terse.Tag
		for name, n := range counts {
			want = append(want, terse.Tag{Name: name, Links: n})
		}
		slices.SortFunc(want, func(a, b terse.Tag) int {
			return strings.Compare(terse.FoldTag(a.Name), terse.FoldTag(b.Name))
		})
		wantTags(t, s, owner, "tags of "+owner, want...)
	}
}

// allTags: a tag of all owners is spelled as most of its links have it, of equally many as the
// least by bytes.
func allTags(t *testing.T, s Store) {
	for i, tag := range []string{"News", "NEWS", "NEWS", "news", "b", "B", "ä"} {
		l := newLink(t, fmt.Sprint("link", i))
		l.CreatedBy = fmt.Sprint("owner", i)
		if tag == "NEWS" {
			l.CreatedBy = terse.Identity
		}
		l.Options = encoded(t, terse.LinkOptions{Tags: []string{tag}})
		mustCreate(t, s, l)
	}
	wantTags(t, s, terse.AllOwners, "tags of all", terse.Tag{Name: "B", Links: 2},
		terse.Tag{Name: "NEWS", Links: 4}, terse.Tag{Name: "ä", Links: 1})
}

func spellTag(t *testing.T, s Store) {
	link := createWith(t, s, "link", terse.LinkOptions{Tags: []string{"News"}})
	spell := func(owner, tag string) error {
		return s.Transact(t.Context(), func(tx terse.Tx) error {
			return tx.SpellTag(t.Context(), owner, tag)
		})
	}
	must(t, spell(terse.Identity, "NEWS"))
	wantTags(t, s, terse.Identity, "tags", terse.Tag{Name: "NEWS", Links: 1})
	wantTagged(t, s, link, "News") // until it is changed
	wantTagged(t, s, updateTo(t, s, link, terse.LinkOptions{Tags: []string{"News"}}), "NEWS")
	for owner, tag := range map[string]string{terse.Identity: "other", "somebody": "news"} {
		if err := spell(owner, tag); err != nil { // a store may say so
			wantError(t, "a tag that there is not", err, terse.ErrTagNotFound)
		}
		tags, err := s.Tags(t.Context(), owner)
		must(t, err)
		for _, tag := range tags {
			wantEqual(t, "the only tag", tag, terse.Tag{Name: "NEWS", Links: 1})
		}
	}
}

// damagedOptions are kept unchanged. A link that had others before keeps its tags and its state.
func damagedOptions(t *testing.T, s Store) {
	for i, text := range []terse.EncodedOptions{
		`{"tags":["a"`, `{"tags":["b"],"disabled":1}`, "no JSON", `{"tags":7}`, "null",
	} {
		link := createEncoded(t, s, fmt.Sprint("link", i), text)
		wantEqual(t, "options", link.Options, text)
		wantFound(t, s, link)
		link = updateTo(t, s, link, terse.LinkOptions{Tags: []string{"c"}, MaxClicks: 3})
		must(t, s.Take(t.Context(), link.Ref()))
		link.Options = text
		link = update(t, s, link)
		wantEqual(t, "options", link.Options, text)
		wantEqual(t, "used", link.Used, 1)
		wantFound(t, s, link)
	}
	wantTags(t, s, terse.Identity, "tags", terse.Tag{Name: "c", Links: 5})
}

// laterOptions have a field of a later version, which respelling a tag leaves unchanged.
func laterOptions(t *testing.T, s Store) {
	createWith(t, s, "first", terse.LinkOptions{Tags: []string{"News"}})
	link := createEncoded(t, s, "link", `{"tags":["news"],"max_clicks":1,"later":{"a":[1]}}`)
	wantEqual(t, "options", link.Options, `{"tags":["News"],"max_clicks":1,"later":{"a":[1]}}`)
	wantFound(t, s, link)
	must(t, s.Take(t.Context(), link.Ref()))
	wantError(t, "one more than may be", s.Take(t.Context(), link.Ref()), terse.ErrUsedUp)
}

func clearClicks(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 3)
	used := createWith(t, s, "used", terse.LinkOptions{MaxClicks: 3})
	must(t, s.Take(t.Context(), used.Ref()))
	used.Used = 1
	links = append(links, used)
	var all []terse.Click
	add := func(n, days int) {
		clicks := j.clicks(links, n, spring, time.Duration(days)*24*time.Hour)
		all = append(all, clicks...)
		j.add(clicks)
	}
	for i := range links {
		add(3000, 300)
		add(1000, 1)
		add(10+i, 1)
		must(t, s.ClearClicks(t.Context(), me, links[i].Ref()))
		delete(j.counted, links[i].ID)
		j.compareList()
		j.compareRanges(links...)
		j.compareSeries(terse.AllLinks, all)
	}
	wantFound(t, s, used)
}

// clearNeighbours clears links one after the other, while clicks on all of them keep arriving.
func clearNeighbours(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 20)
	for i := range links {
		j.add(j.clicks(links, 500, spring, 400*24*time.Hour))
		must(t, s.ClearClicks(t.Context(), me, links[i].Ref()))
		delete(j.counted, links[i].ID)
		if i%5 == 0 {
			must(t, s.ClearClicks(t.Context(), me, links[i].Ref()))
			j.compareList()
			j.compareRanges(links[i])
			j.compareRanges(links[(i+1)%len(links)])
		}
	}
	j.compareEver(links...)
	gone := links[0]
	must(t, s.Delete(t.Context(), me, gone))
	wantError(t, "a deleted link", s.ClearClicks(t.Context(), me, gone.Ref()), terse.ErrNotFound)
	wantError(t, "another code", s.ClearClicks(t.Context(),
		me, terse.LinkRef{ID: links[1].ID, Code: gone.Code}), terse.ErrNotFound)
}
