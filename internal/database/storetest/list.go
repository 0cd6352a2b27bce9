package storetest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"terse"
)

// pages reads a whole list, page by page.
func pages(t *testing.T, s Store, q terse.LinkQuery) (links []terse.Link, total int64) {
	t.Helper()
	for range 10_000 {
		page := pageOf(t, s, q)
		if len(page.Links) > q.Limit {
			t.Fatalf("%d links on a page of %d", len(page.Links), q.Limit)
		}
		if q.After != nil && q.Search == nil && len(page.Links) == 0 {
			t.Errorf("%+v: a page was announced and has no links", q)
		}
		if page.AtLeast {
			t.Errorf("%+v: total %d is said to be a bound", q, page.Total)
		}
		if q.After != nil && page.Total != total {
			t.Errorf("%+v: total %d after %d", q, page.Total, total)
		}
		links, total = append(links, page.Links...), page.Total
		if q.After = page.Next; q.After == nil {
			return links, total
		}
		if len(page.Links) < q.Limit {
			t.Errorf("%+v: %d links, and more to come", q, len(page.Links))
		}
	}
	t.Fatalf("%+v: the list has no end", q)
	return nil, 0
}

// listed sorts links of an owner the naive way.
func listed(all []terse.Link, q terse.LinkQuery) []terse.Link {
	want := []terse.Link{}
	for _, l := range all {
		if reaches(q.Owner, l) && found(l, q.Search) {
			want = append(want, l)
		}
	}
	slices.SortFunc(want, func(a, b terse.Link) int {
		switch q.Order {
		case terse.OldestFirst:
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		case terse.MostClickedFirst:
			return cmp.Or(cmp.Compare(b.Clicks, a.Clicks), b.CreatedAt.Compare(a.CreatedAt),
				cmp.Compare(b.ID, a.ID))
		default:
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		}
	})
	return want
}

// reaches reports whether a query of an owner, or of all, is about a link.
func reaches(owner string, l terse.Link) bool {
	return owner == terse.AllOwners || l.CreatedBy == owner
}

// found reports, the naive way, whether a search finds a link.
func found(l terse.Link, search terse.Search) bool {
	parts := []string{l.Code.Text(), string(l.URL)}
	if o, err := l.Options.Decode(); err == nil {
		parts = append(append(parts, o.Title), o.Tags...)
	}
	text := norm.NFC.String(strings.ToLower(strings.Join(parts, "\n")))
	for _, word := range search {
		if !slices.ContainsFunc(word,
			func(spelling string) bool { return strings.Contains(text, spelling) }) {
			return false
		}
	}
	return true
}

// orders are the orders of lists.
var orders = []terse.LinkOrder{terse.NewestFirst, terse.OldestFirst, terse.MostClickedFirst}

// fillClicks fills in the clicks of links.
func (j *journal) fillClicks(links []terse.Link) {
	for i := range links {
		links[i].Clicks = int64(len(j.counted[links[i].ID]))
	}
}

// searches are looked for in lists.
var searches = []terse.Search{
	nil,
	{{"code1"}},
	{{"code69"}},
	{{"example.org/3"}},
	{{"%_ä"}},
	{{"?q="}},
	{{"nothing"}},
	{{"code 1"}},
	{{"1https"}},
	{{"code1"}, {"org/3"}},
	{{"org/3"}, {"code1"}, {"c=a"}},
	{{"code1"}, {"nothing"}},
	{{"nothing", "code12"}},
	{{"org/1", "org/2"}, {"code2", "nothing"}},
}

// listEverything has links of two owners, many created at the same time and with equal clicks, and
// gaps between their IDs.
func listEverything(t *testing.T, s Store) {
	j := newJournal(t, s)
	var all []terse.Link
	for i := range 700 {
		l := newLink(t, fmt.Sprintf("Code%d", i))
		l.CreatedAt = time.Unix(1_700_000_000+int64(i*7%11), 0)
		umlaut := []string{"Ä", "A\u0308"}[i%2]
		l.URL = terse.URL(fmt.Sprintf("https://Example.org/%d?q=%%_%s&c=%c", i%5, umlaut,
			'a'+rune(i%3)))
		if i%9 == 0 {
			l.CreatedBy = []string{"somebody", "another"}[i%2]
		}
		link := mustCreate(t, s, l)
		if i > 200 && i < 500 && i%4 > 0 {
			must(t, s.Delete(t.Context(), me, link))
			continue
		}
		all = append(all, link)
	}
	j.add(j.clicks(all[:len(all)/2], 3*len(all), spring, time.Hour))
	j.add(j.clicks(all[:3], 300, spring, time.Hour))
	j.fillClicks(all)
	for _, order := range orders {
		for _, search := range searches {
			for _, owner := range []string{
				terse.Identity, "somebody", "nobody", terse.AllOwners,
			} {
				for _, limit := range []int{1, 7, 100, 1000} {
					q := terse.LinkQuery{Owner: owner, Order: order, Search: search, Limit: limit}
					want := listed(all, q)
					if len(want) > 20*limit {
						continue // more pages would test nothing more
					}
					got, total := pages(t, s, q)
					wantEqual(t, fmt.Sprintf("%+v", q), append([]terse.Link{}, got...), want)
					wantEqual(t, fmt.Sprintf("total of %+v", q), total, int64(len(want)))
				}
			}
		}
	}
	for _, owner := range []string{terse.Identity, terse.AllOwners} {
		oldest := listed(all, terse.LinkQuery{Owner: owner, Order: terse.OldestFirst})
		for _, offset := range []int{1, 50, len(oldest) - 1, len(oldest), math.MaxInt} {
			page := pageOf(t, s, terse.LinkQuery{
				Owner: owner, Order: terse.OldestFirst, Limit: 3, Offset: offset,
			})
			from := min(offset, len(oldest))
			wantEqual(t, fmt.Sprintf("oldest of %s from %d", owner, offset),
				append([]terse.Link{}, page.Links...),
				append([]terse.Link{}, oldest[from:min(from+3, len(oldest))]...))
		}
	}
}

// listWhileChanging pages through a list while links are created and deleted, before and after the
// page: each link that stays is listed once.
func listWhileChanging(t *testing.T, s Store) {
	for i := range 12 {
		create(t, s, fmt.Sprintf("early%d", i))
	}
	links := newJournal(t, s).create(50)
	for n := range 6 {
		order, seen := terse.LinkOrder(n%3), map[terse.LinkID]int{}
		q := terse.LinkQuery{Owner: terse.Identity, Order: order, Limit: 4}
		if n >= 3 {
			q.Search = terse.Search{{"example"}}
		}
		for i := 0; ; i++ {
			page := pageOf(t, s, q)
			for _, l := range page.Links {
				seen[l.ID]++
			}
			if q.After = page.Next; q.After == nil || i == 1000 {
				break
			}
			extra := create(t, s, fmt.Sprintf("extra%d-%d", n, i))
			if i%2 == 0 {
				must(t, s.Delete(t.Context(), me, extra))
			}
			// The link of the mark may be deleted, too.
			if last := len(page.Links) - 1; last >= 0 && order == terse.OldestFirst &&
				strings.HasPrefix(page.Links[last].Code.String(), "early") {
				must(t, s.Delete(t.Context(), me, page.Links[last]))
			}
		}
		for _, l := range links {
			wantEqual(t, fmt.Sprintf("order %d, search %q: link %v", order, q.Search, l.Code),
				seen[l.ID], 1)
		}
	}
}
