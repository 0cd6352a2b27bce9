package storetest

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

// exported returns what an export has of an owner's links, and checks what it announces; exportedOf
// does so for a query.
func exported(t *testing.T, s Store, owner string) (all []terse.Exported) {
	t.Helper()
	return exportedOf(t, s, terse.ExportQuery{Owner: owner})
}

func exportedOf(t *testing.T, s Store, q terse.ExportQuery) (all []terse.Exported) {
	t.Helper()
	links, clicks := int64(-1), int64(-1)
	must(t, s.Export(t.Context(), q, func(l, c int64) error {
		links, clicks = l, c
		return nil
	}, func(e terse.Exported) error {
		single := int64(0)
		must(t, e.Past(func(d terse.PastDay) error {
			single += d.Clicks
			return nil
		}, func(c terse.PastClick) error {
			single += c.Count
			return nil
		}))
		wantEqual(t, "clicks of an exported link", single, e.Link.Clicks)
		clicks -= single
		all = append(all, e)
		return nil
	}, nil))
	wantEqual(t, "exported links", links, int64(len(all)))
	wantEqual(t, "clicks that an export announced and does not have", clicks, 0)
	return all
}

// exportLinks: an export has all links of an owner with all that belongs to them, by their codes.
func exportLinks(t *testing.T, s Store) {
	var links []terse.Link
	for _, c := range []string{"bbb", "a-b", "ZZZ", "a_b", "aaa"} {
		links = append(links, createWith(t, s, c, terse.LinkOptions{Title: c, MaxClicks: 5}))
	}
	foreign := newLink(t, "foreign")
	foreign.CreatedBy = "somebody"
	must(t, errOf(s.Create(t.Context(), me, foreign)))
	share := terse.NewShare()
	wantShare(t, s, links[0], share, share)
	must(t, s.Take(t.Context(), links[0].Ref()))
	links[0].Used++
	links[0] = updateTo(t, s, links[0], terse.LinkOptions{Title: "new", MaxClicks: 5})
	at := time.Now().Add(-time.Hour).Truncate(time.Microsecond).UTC()
	clicks := []terse.Click{
		{Link: links[0].ID, Code: links[0].Code, Time: at.Add(-time.Minute).UnixMicro()},
		{Link: links[0].ID, Code: links[0].Code, Time: at.UnixMicro()},
		{Link: links[2].ID, Code: links[2].Code, Time: at.UnixMicro()},
	}
	must(t, s.AddClicks(t.Context(), Batch("j", 0, clicks...)))
	links[0].Clicks, links[0].LastClick = 2, at
	links[2].Clicks, links[2].LastClick = 1, at
	history, err := s.History(t.Context(), links[0].Ref())
	must(t, err)

	want := slices.SortedFunc(slices.Values(links), func(a, b terse.Link) int {
		return cmp.Compare(a.Code.String(), b.Code.String())
	})
	all := append(slices.Clone(want), find(t, s, foreign.Code))
	slices.SortFunc(all, func(a, b terse.Link) int {
		return cmp.Compare(a.Code.String(), b.Code.String())
	})
	for i, e := range exported(t, s, terse.AllOwners) {
		wantEqual(t, "exported link of all owners", e.Link, all[i])
	}
	for i, e := range exported(t, s, terse.Identity) {
		wantEqual(t, "exported link", e.Link, want[i])
		if e.Link.ID == links[0].ID {
			wantEqual(t, "exported share", e.Share, share)
			wantEqual(t, "exported history", compacted(t, e.History), compacted(t, history))
		} else if e.Share != "" || len(e.History) > 0 {
			t.Errorf("link %v has share %v and history %v", e.Link.Code, e.Share, e.History)
		}
	}
	wantEqual(t, "links of another owner", len(exported(t, s, "somebody")), 1)
	wantEqual(t, "links of nobody", len(exported(t, s, "nobody")), 0)

	failed := errors.New("failed")
	err = s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		func(int64, int64) error { return failed }, nil,
		nil)
	wantError(t, "Export whose begin fails", err, failed)
	calls := 0
	err = s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		func(int64, int64) error { return nil },
		func(terse.Exported) error {
			calls++
			return failed
		}, nil)
	wantError(t, "Export whose each fails", err, failed)
	wantEqual(t, "calls", calls, 1)
}

// restoreLink: an import gives a link all that an export has of it.
func restoreLink(t *testing.T, s Store) {
	other, taken := create(t, s, "other"), terse.NewShare()
	wantShare(t, s, other, taken, taken)
	link := createWith(t, s, "link", terse.LinkOptions{MaxClicks: 3})
	restore := func(r terse.Restored) error {
		return s.Transact(t.Context(), func(tx terse.Tx) error {
			return tx.Restore(t.Context(), me, link.Ref(), r)
		})
	}
	used := int64(3)
	r := terse.Restored{
		CreatedAt: spring, UpdatedAt: spring.Add(time.Hour), Used: &used, Share: terse.NewShare(),
		History: []terse.HistoryEntry{
			{
				Time: spring.Add(time.Hour), By: terse.Identity, RequestID: "r2",
				Fields: terse.FieldChanges{"title": {Old: []byte(`"a"`)}},
			},
			{
				Time: spring.Add(time.Minute), By: "somebody", RequestID: "r1",
				Fields: terse.FieldChanges{
					"title": {New: []byte(`"a"`)}, "note": {New: []byte(`"b"`)},
				},
			},
		},
	}
	must(t, restore(r))
	must(t, restore(r)) // changes nothing
	link.CreatedAt, link.UpdatedAt, link.Used = r.CreatedAt, r.UpdatedAt, used
	wantFound(t, s, link)
	wantHistory(t, s, link, r.History)
	wantShared(t, s, r.Share, link)
	wantError(t, "Take", s.Take(t.Context(), link.Ref()), terse.ErrUsedUp)
	page, err := s.Links(t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Order: terse.OldestFirst, Limit: 10,
		Filter: terse.LinkFilter{Status: terse.UsedUp, Now: time.Now()},
	})
	must(t, err)
	wantEqual(t, "used up links", page.Links, []terse.Link{link})
	page, err = s.Links(t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Order: terse.OldestFirst, Limit: 1,
	})
	must(t, err)
	wantEqual(t, "oldest link", page.Links, []terse.Link{link})

	wantError(t, "a share of another link", restore(terse.Restored{
		CreatedAt: spring.Add(time.Minute), Share: taken,
	}), terse.ErrShareTaken)
	second := terse.NewShare()
	used = 1
	must(t, restore(terse.Restored{Share: second, Used: &used}))
	link.Used = 1
	wantFound(t, s, link)
	wantShared(t, s, second, link)
	wantError(t, "the share before", sharedErr(t.Context(), s, r.Share), terse.ErrShareNotFound)
	must(t, s.Take(t.Context(), link.Ref()))

	long := terse.Restored{}
	for i := range terse.MaxHistory + 5 {
		long.History = append(long.History, terse.HistoryEntry{
			Time: spring.Add(-time.Duration(i) * time.Second), By: strings.Repeat("x", 3),
			Fields: terse.FieldChanges{},
		})
	}
	link = create(t, s, "long")
	must(t, restore(long))
	wantHistory(t, s, link, long.History[:terse.MaxHistory])
	must(t, s.Delete(t.Context(), me, link))
	wantError(t, "Restore of a deleted link", restore(long), terse.ErrNotFound)
}

// createRestored: links are created together with what an import brings of them, but for those
// whose addresses are taken.
func createRestored(t *testing.T, s Store) {
	create(t, s, "taken")
	used := int64(2)
	full := newLink(t, "full")
	full.CreatedAt, full.Options = spring, encoded(t, terse.LinkOptions{MaxClicks: 3})
	alias := newLink(t, "alias")
	alias.Options = encoded(t, terse.LinkOptions{Aliases: []string{"full"}})
	r := terse.Restored{
		UpdatedAt: spring.Add(time.Hour), Used: &used,
		History: []terse.HistoryEntry{{
			Time: spring.Add(time.Hour), By: "somebody", Fields: terse.FieldChanges{
				"title": {Old: []byte(`"a"`)},
			},
		}},
	}
	var created []terse.Link
	var refused []error
	must(t, s.Transact(t.Context(), func(tx terse.Tx) (err error) {
		created, refused, err = tx.CreateAll(t.Context(), me, []terse.RestoredLink{
			{Link: full, Restored: r},
			{Link: newLink(t, "taken"), Restored: r},
			{Link: alias},
			{Link: newLink(t, "plain")},
			{Link: newLink(t, "plain")},
		})
		return err
	}))
	for i, want := range []bool{false, true, true, false, true} {
		known, ok := errors.AsType[*terse.Error](refused[i])
		if ok != want || ok && known.Kind != terse.Conflict {
			t.Errorf("link %d is refused with %v, want %v", i, refused[i], want)
		}
	}
	link := created[0]
	link.UpdatedAt, link.Used = r.UpdatedAt, used
	wantFound(t, s, link)
	wantEqual(t, "time", link.CreatedAt, spring)
	wantHistory(t, s, link, r.History)
	wantFound(t, s, created[3])
	wantError(t, "alias", errOf(s.Link(t.Context(), alias.Code)), terse.ErrNotFound)
	must(t, s.Take(t.Context(), link.Ref()))
	wantError(t, "Take", s.Take(t.Context(), link.Ref()), terse.ErrUsedUp)
}

// tryPast: to try clicks of the past says what would be added, and adds nothing.
func tryPast(t *testing.T, s Store) {
	link := create(t, s, "link")
	past := []terse.Past{{
		Link: link.Ref(), Days: []terse.PastDayAdded{{PastDay: terse.PastDay{
			Day: terse.DayOf(spring.UnixMicro()),
		}}},
		Clicks: []terse.PastClick{{Time: spring.UnixMicro(), Count: 3}},
	}}
	try := func(past []terse.Past) ([]terse.PastAdded, error) {
		return s.TryPast(t.Context(), past)
	}
	for range 2 {
		added, err := WholePast(past, try)
		must(t, err)
		wantEqual(t, "tried", added, []terse.PastAdded{{Added: 3}})
	}
	must(t, errOf(addPast(t, s, past...)))
	past[0].Clicks[0].Count = 5
	added, err := WholePast(past, try)
	must(t, err)
	wantEqual(t, "tried", added, []terse.PastAdded{{Added: 2, Known: 3}})
	clicks, err := s.Clicks(t.Context(), link.Ref())
	must(t, err)
	wantEqual(t, "clicks", clicks.Clicks, 3)
}
