package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"terse"
)

// BenchmarkOwners asks two stores the same questions in turns: one with links of one owner, and one
// with as many of 10,000 owners, which are in turn the owners of neighbouring links. It reports the
// least time of each, and the ratio: lists of all owners may take twice the time of one owner's.
// Half of the links have the tag half, one in a hundred the tag few; one in twenty has expired.
// links is how many there are, a second apart.
func BenchmarkOwners(b *testing.B, one, many terse.Links, links int) {
	b.Helper()
	at := func(i int) int64 { return 1_700_000_000_000_000 + int64(i)*1_000_000 }
	middle := &terse.LinkMark{Key: at(links / 2), ID: terse.LinkID(links / 2)}
	day := terse.DayOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro())
	month := timeRange(b, day.Start(), (day + 31).Start())
	now := time.Now()
	for _, question := range []struct {
		name string
		q    terse.LinkQuery
	}{
		{"newest", terse.LinkQuery{}},
		{"after", terse.LinkQuery{After: middle}},
		{"offset", terse.LinkQuery{Offset: links / 2}},
		{"oldest", terse.LinkQuery{Order: terse.OldestFirst, After: middle}},
		{"half", terse.LinkQuery{Filter: terse.LinkFilter{Tags: []string{"half"}}}},
		{"half-offset", terse.LinkQuery{
			Offset: links / 4, Filter: terse.LinkFilter{Tags: []string{"half"}},
		}},
		{"few", terse.LinkQuery{Filter: terse.LinkFilter{Tags: []string{"few"}}}},
		{"both", terse.LinkQuery{Filter: terse.LinkFilter{Tags: []string{"few", "half"}}}},
		{"active", terse.LinkQuery{Filter: terse.LinkFilter{Status: terse.Active, Now: now}}},
		{"expired", terse.LinkQuery{Filter: terse.LinkFilter{Status: terse.Expired, Now: now}}},
		{"search", terse.LinkQuery{Search: terse.Search{{"path/99999"}}}},
		{"search-none", terse.LinkQuery{Search: terse.Search{{"nowhere"}}}},
		{"search-few", terse.LinkQuery{
			Search: terse.Search{{"nowhere"}}, Filter: terse.LinkFilter{Tags: []string{"few"}},
		}},
		{"clicks", terse.LinkQuery{Order: terse.MostClickedFirst}},
		{"clicks-period", terse.LinkQuery{Order: terse.MostClickedFirst, Within: month}},
		{"search-clicks", terse.LinkQuery{
			Order: terse.MostClickedFirst, Search: terse.Search{{"nowhere"}},
		}},
		{"unused", terse.LinkQuery{Filter: terse.LinkFilter{UnusedSince: &day}}},
		{"unused-half", terse.LinkQuery{
			Filter: terse.LinkFilter{Tags: []string{"half"}, UnusedSince: &day},
		}},
	} {
		q := question.q
		q.Limit = 100
		ask := func(store terse.Links, owner string) func() {
			return func() {
				q := q
				q.Owner = owner
				_, err := store.Links(b.Context(), q)
				must(b, err)
			}
		}
		b.Run(question.name, func(b *testing.B) {
			inTurns(b, map[string]func(){
				"one": ask(one, terse.Identity), "all": ask(many, terse.AllOwners),
				"single": ask(many, "owner77"),
			})
		})
	}
	tags := func(store terse.Links, owner string) func() {
		return func() {
			_, err := store.Tags(b.Context(), owner)
			must(b, err)
		}
	}
	b.Run("tags", func(b *testing.B) {
		inTurns(b, map[string]func(){
			"one": tags(one, terse.Identity), "all": tags(many, terse.AllOwners),
		})
	})
}

// inTurns runs functions in turns, and reports the least time of each in milliseconds, which says
// more than their sum where other programs run, too.
func inTurns(b *testing.B, all map[string]func()) {
	least := map[string]time.Duration{}
	for b.Loop() {
		for name, f := range all {
			start := time.Now()
			f()
			if took := time.Since(start); least[name] == 0 || took < least[name] {
				least[name] = took
			}
		}
	}
	for name, took := range least {
		b.ReportMetric(took.Seconds()*1000, name+"-ms")
	}
	b.ReportMetric(float64(least["all"])/float64(least["one"]), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCreate creates links with a tag, for 64 callers, of so many owners in turn.
func BenchmarkCreate(b *testing.B, s terse.Links, owners int) {
	b.Helper()
	b.ReportAllocs()
	fresh := make(chan terse.NewLink, 64)
	var callers sync.WaitGroup
	for range 64 {
		callers.Go(func() {
			for l := range fresh {
				must(b, errOf(s.Create(context.Background(), me, l)))
			}
		})
	}
	start := time.Now()
	for i := 0; b.Loop(); i++ {
		l := terse.NewLink{
			Code: terse.NewCode(false), URL: "https://example.org/some/longer/path",
			CreatedBy: terse.Identity, Options: `{"tags":["news"]}`,
		}
		if owners > 1 {
			l.CreatedBy = fmt.Sprint("owner", i%owners)
		}
		fresh <- l
	}
	close(fresh)
	callers.Wait()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "creates/s")
}
