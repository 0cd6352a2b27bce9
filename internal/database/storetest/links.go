package storetest

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"terse"
)

func createdLink(t *testing.T, s Store) {
	long := "https://example.org/?q=" + strings.Repeat("ä&<>\"'%20\\", 800)
	at := time.Date(2001, 2, 3, 4, 5, 6, 789_012_345, time.FixedZone("", 3600))
	for i, url := range []string{
		"http://a.example", "HTTPS://Example.org:8443/A?b=c&d=<e>#f", long[:8191],
	} {
		for _, c := range []string{"abc", "ABC", "aBc_-0123456789-XYZ_"} {
			c = c[:len(c)-1] + fmt.Sprint(i)
			link := mustCreate(t, s, terse.NewLink{
				Code: code(t, c), URL: terse.URL(url), CreatedBy: "somebody", CreatedAt: at,
			})
			wantEqual(t, "created", link, terse.Link{
				ID: link.ID, Code: code(t, c), URL: terse.URL(url), CreatedBy: "somebody",
				CreatedAt: at.Truncate(time.Microsecond).UTC(),
			})
			found := find(t, s, link.Code)
			wantEqual(t, "found", found, link)
			listed, _ := list(t, s, "somebody", 1, 0)
			wantEqual(t, "listed", listed, []terse.Link{link})
			for _, l := range []terse.Link{link, found, listed[0]} {
				if l.ID <= 0 || l.CreatedAt.Location() != time.UTC {
					t.Errorf("ID %d, time %v", l.ID, l.CreatedAt)
				}
			}
		}
	}
}

func createdNow(t *testing.T, s Store) {
	before := time.Now().Truncate(time.Microsecond)
	link := create(t, s, "abc")
	if link.CreatedAt.Before(before) || link.CreatedAt.After(time.Now()) {
		t.Errorf("created at %v, it is %v", link.CreatedAt, before)
	}
}

func codeTaken(t *testing.T, s Store) {
	link := create(t, s, "taken")
	again := newLink(t, "taken")
	again.URL, again.CreatedBy = "https://other.example/", "somebody else"
	wantError(t, "create again", errOf(s.Create(t.Context(), me, again)), terse.ErrCodeTaken)
	wantEqual(t, "the first link", find(t, s, link.Code), link)
	wantTotal(t, s, "somebody else", "links of the other", 0)
}

// createRace: 8 callers create the same 50 codes, and after each a code of their own.
func createRace(t *testing.T, s Store) {
	const callers, codes = 8, 50
	var mu sync.Mutex // guards the next two variables
	won := map[terse.Code]terse.Link{}
	ids := map[terse.LinkID]bool{}
	together(callers, func(caller int) {
		for i := range codes {
			for _, c := range []string{fmt.Sprint("same", i), fmt.Sprintf("own%d-%d", caller, i)} {
				link, err := s.Create(t.Context(), me, newLink(t, c))
				mu.Lock()
				if _, taken := won[link.Code]; err == nil && (taken || ids[link.ID]) {
					t.Errorf("%s: created twice, or ID %d given twice", c, link.ID)
				}
				if err == nil {
					won[link.Code], ids[link.ID] = link, true
				} else if c[0] == 'o' {
					t.Errorf("%s: %v", c, err)
				} else {
					wantError(t, c, err, terse.ErrCodeTaken)
				}
				mu.Unlock()
			}
		}
	})
	wantEqual(t, "codes created", len(won), codes*(callers+1))
	for c, link := range won {
		wantEqual(t, "found", find(t, s, c), link)
	}
	wantTotal(t, s, terse.Identity, "total", int64(len(won)))
}

func unknownCode(t *testing.T, s Store) {
	create(t, s, "abcd")
	for _, c := range []string{"abc", "abcde", "ABCD", "abc_"} {
		wantError(t, c, errOf(s.Link(t.Context(), code(t, c))), terse.ErrNotFound)
	}
	_, err := s.Series(t.Context(), terse.LinkRef{ID: 999, Code: code(t, "abc")}, ever)
	wantError(t, "series", err, terse.ErrNotFound)
}

func listOrder(t *testing.T, s Store) {
	empty, total := list(t, s, terse.Identity, 10, 0)
	wantEqual(t, "links of an empty store", len(empty), 0)
	wantEqual(t, "total of an empty store", total, 0)

	var want []terse.Link
	for i := range 60 {
		l := newLink(t, fmt.Sprintf("code%d", i))
		// Old links are created after new ones, and many have the same time.
		l.CreatedAt = time.Unix(1_700_000_000+int64(i*7%11), 0)
		want = append(want, mustCreate(t, s, l))
	}
	want = listed(want, terse.LinkQuery{Owner: terse.Identity})
	for _, limit := range []int{1, 7, 60, 100} {
		for offset := 0; offset < 70; offset += limit {
			page, total := list(t, s, terse.Identity, limit, offset)
			wantEqual(t, "total", total, 60)
			from, to := min(offset, 60), min(offset+limit, 60)
			wantEqual(t, fmt.Sprintf("limit %d, offset %d", limit, offset),
				append([]terse.Link{}, page...), append([]terse.Link{}, want[from:to]...))
		}
	}
}

func listOwners(t *testing.T, s Store) {
	for i := range 9 {
		l := newLink(t, fmt.Sprintf("code%d", i))
		l.CreatedBy = fmt.Sprintf("owner%d", i%2)
		mustCreate(t, s, l)
	}
	for owner, want := range map[string]int{"owner0": 5, "owner1": 4, "owner": 0, "": 0} {
		links, total := list(t, s, owner, 100, 0)
		wantEqual(t, "total of "+owner, total, int64(want))
		wantEqual(t, "links of "+owner, len(links), want)
		for _, l := range links {
			wantEqual(t, "owner", l.CreatedBy, owner)
		}
	}
}

func listFarBehind(t *testing.T, s Store) {
	newJournal(t, s).create(3)
	for _, offset := range []int{4, math.MaxInt} {
		links, total := list(t, s, terse.Identity, 1000, offset)
		wantEqual(t, "links", len(links), 0)
		wantEqual(t, "total", total, 3)
	}
}

// listSnapshot lists while links are created and deleted: the list and its total always agree, and
// a link is listed with all of its clicks or not at all.
func listSnapshot(t *testing.T, s Store) {
	j, clicked := newJournalOf(t, s, 60)
	for i := range clicked {
		j.add(j.clicks(clicked[i:i+1], 7, spring, time.Hour))
	}
	until(func() {
		for i := range 60 {
			link, err := s.Create(t.Context(), me, newLink(t, fmt.Sprintf("code%d", i)))
			if err == nil && i%3 == 0 {
				err = s.Delete(t.Context(), me, link)
			}
			if err == nil {
				err = s.Delete(t.Context(), me, clicked[i])
			}
			if err != nil {
				t.Error(err)
			}
		}
	}, func() {
		links, total := list(t, s, terse.Identity, 1000, 0)
		wantEqual(t, "total", total, int64(len(links)))
		for _, l := range links {
			want := int64(0)
			if strings.HasPrefix(l.Code.String(), "link") {
				want = 7
			}
			wantEqual(t, fmt.Sprint("clicks of link ", l.Code), l.Clicks, want)
		}
	})
}

func deleteLink(t *testing.T, s Store) {
	link, other := create(t, s, "abc"), create(t, s, "def")
	must(t, s.Delete(t.Context(), me, link))
	wantError(t, "look-up", errOf(s.Link(t.Context(), link.Code)), terse.ErrNotFound)
	wantError(t, "series", errOf(s.Series(t.Context(), link.Ref(), ever)), terse.ErrNotFound)
	wantError(t, "delete again", s.Delete(t.Context(), me, link), terse.ErrNotFound)
	links, total := list(t, s, terse.Identity, 10, 0)
	wantEqual(t, "links", links, []terse.Link{other})
	wantEqual(t, "total", total, 1)
}

func deleteOther(t *testing.T, s Store) {
	link, other := create(t, s, "abc"), create(t, s, "def")
	wantError(t, "delete with another's code", s.Delete(t.Context(),
		me, terse.Link{ID: link.ID, Code: other.Code}), terse.ErrNotFound)
	wantError(t, "delete with another ID", s.Delete(t.Context(),
		me, terse.Link{ID: other.ID + 1, Code: link.Code}), terse.ErrNotFound)
	wantTotal(t, s, terse.Identity, "total", 2)
	_, err := s.Series(t.Context(), terse.LinkRef{ID: link.ID, Code: other.Code}, ever)
	wantError(t, "series with another's code", err, terse.ErrNotFound)
}

// deleteAndCreate: all clicks of the old link are gone, on whatever level they were, and late ones
// are discarded. Clicks of the new link stay when the old one is deleted again.
func deleteAndCreate(t *testing.T, s Store) {
	j := newJournal(t, s)
	old := create(t, s, "abc")
	j.add(j.clicks([]terse.Link{old}, 3000, spring, 24*time.Hour))
	j.add(j.clicks([]terse.Link{old}, 3000, spring, 900*24*time.Hour))
	j.add(j.clicks([]terse.Link{old}, 10, spring, time.Hour))
	must(t, s.Delete(t.Context(), me, old))
	second := create(t, s, "abc")
	if second.ID <= old.ID {
		t.Errorf("ID %d after %d", second.ID, old.ID)
	}
	j.compareEver(second)
	j.add(j.clicks([]terse.Link{old, second}, 2000, spring, 24*time.Hour))
	delete(j.counted, old.ID)
	j.compareEver(second)
	j.compareList()
	wantError(t, "series of the old link", errOf(s.Series(t.Context(), old.Ref(), ever)),
		terse.ErrNotFound)
	j.add(j.clicks([]terse.Link{second}, 3000, spring, 900*24*time.Hour))
	j.add(j.clicks([]terse.Link{second}, 10, spring, time.Hour))
	wantError(t, "delete of the old link", s.Delete(t.Context(), me, old), terse.ErrNotFound)
	j.compareRanges(second)
	j.compareList()
}

func idsGrow(t *testing.T, s Store) {
	last := terse.LinkID(0)
	for range 5 {
		link := create(t, s, "abc")
		if link.ID <= last {
			t.Errorf("ID %d after %d", link.ID, last)
		}
		last = link.ID
		must(t, s.Delete(t.Context(), me, link))
	}
}
