package sqlite_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
)

// seedOptions gives the seeded links tags and states as the server would: every second link has the
// tag half, every hundredth the tag few, and of those in ?1 percent every second has expired.
var seedOptions = []string{
	`INSERT INTO tags VALUES ('authenticated-user', 'half', 'half', 500000),
		('authenticated-user', 'few', 'few', 10000)`,
	`INSERT INTO link_sets SELECT created_by, '#half', id >> 6, sum(1 << (id & 63)) FROM links
		WHERE id % 2 = 0 GROUP BY id >> 6`,
	`INSERT INTO link_sets SELECT created_by, '#few', id >> 6, sum(1 << (id & 63)) FROM links
		WHERE id % 100 = 0 GROUP BY id >> 6`,
	`INSERT INTO link_states SELECT id, created_by, 0, -9223372036854775808,
		CASE WHEN id %% 7 < 3 THEN 1700000000000000 ELSE 5000000000000000 + id END, 0, 0,
		CASE WHEN id %% 7 < 3 THEN 'expired' ELSE 'active' END,
		CASE WHEN id %% 7 < 3 THEN 1700000000000000 ELSE -9223372036854775808 END,
		CASE WHEN id %% 7 < 3 THEN 9223372036854775807 ELSE 5000000000000000 + id END
		FROM links WHERE id * 31 %% 100 < %d`,
	`INSERT INTO link_sets SELECT owner, 'expired', link_id >> 6, sum(1 << (link_id & 63))
		FROM link_states WHERE status = 'expired' GROUP BY link_id >> 6`,
}

// clickedDay is the day of all clicks in benchmarks of lists: one in twenty links has none.
var clickedDay = new(terse.DayOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()))

// The bar is 20 ms for a page, however deep, of a million links.
func BenchmarkLinksFiltered(b *testing.B) {
	for _, percent := range []int{1, 50, 100} {
		s, path := openSeeded(b, million)
		for i, sql := range seedOptions {
			if i == 3 {
				sql = fmt.Sprintf(sql, percent)
			}
			byHand(b, path, sql)
		}
		if percent == 100 {
			addEvenly(b, s, million, 3_000_000)
		}
		for name, filter := range map[string]terse.LinkFilter{
			"half":         {Tags: []string{"half"}},
			"few":          {Tags: []string{"few"}},
			"active":       {Status: terse.Active},
			"expired":      {Status: terse.Expired},
			"half-active":  {Tags: []string{"half"}, Status: terse.Active},
			"half-expired": {Tags: []string{"half"}, Status: terse.Expired},
			"few-expired":  {Tags: []string{"few"}, Status: terse.Expired},
			"both-active":  {Tags: []string{"few", "half"}, Status: terse.Active},
			"made": {
				Status: terse.Active, CreatedAfter: time.UnixMicro(1700100000000000),
				CreatedBefore: time.UnixMicro(1700900000000000),
			},
			"unused":        {UnusedSince: clickedDay},
			"half-unused":   {Tags: []string{"half"}, UnusedSince: clickedDay},
			"active-unused": {Status: terse.Active, UnusedSince: clickedDay},
		} {
			filter.Now = time.Now()
			b.Run(fmt.Sprintf("%d%%/%s", percent, name), func(b *testing.B) {
				benchmarkFilter(b, s, filter, percent == 100)
			})
		}
	}
}

// BenchmarkLinksArchived lists a million links of which few or most are archived, in the order of
// their IDs and in another. The bar is 25 ms.
func BenchmarkLinksArchived(b *testing.B) {
	for _, shuffled := range []bool{false, true} {
		for _, percent := range []int{0, 1, 90} {
			s, path := openSeeded(b, million)
			if shuffled {
				byHand(b, path, "UPDATE links SET created_at = "+
					"1700000000000000 + id * 7919 % 1000003 * 1000000")
			}
			byHand(b, path, fmt.Sprintf(`INSERT INTO link_sets SELECT created_by, 'archived',
				id >> 6, sum(1 << (id & 63)) FROM links WHERE id * 31 %% 100 < %d GROUP BY id >> 6`,
				percent))
			for _, archived := range []bool{false, true} {
				if archived && percent == 0 {
					continue
				}
				name := fmt.Sprintf("%d%%/shuffled=%v/archived=%v", percent, shuffled, archived)
				b.Run(name, func(b *testing.B) {
					benchmarkFilter(b, s, terse.LinkFilter{Archived: &archived}, false)
				})
			}
		}
	}
}

// benchmarkFilter lists the first page, and others from the middle on.
func benchmarkFilter(b *testing.B, s *sqlite.Store, filter terse.LinkFilter, clicked bool) {
	q := terse.LinkQuery{Owner: terse.Identity, Limit: 100, Filter: filter}
	page, err := s.Links(b.Context(), q)
	must(b, err)
	middle := &terse.LinkMark{Key: 1700000000000000 + million/2*1000000, ID: million / 2}
	deep := map[string]func(q *terse.LinkQuery){
		"newest": func(*terse.LinkQuery) {},
		"after":  func(q *terse.LinkQuery) { q.After = middle },
		"offset": func(q *terse.LinkQuery) { q.Offset = int(page.Total / 2) },
		"oldest": func(q *terse.LinkQuery) { q.Order, q.After = terse.OldestFirst, middle },
	}
	if clicked {
		deep["clicks"] = func(q *terse.LinkQuery) { q.Order = terse.MostClickedFirst }
		deep["clicks-after"] = func(q *terse.LinkQuery) {
			q.Order, q.After = terse.MostClickedFirst, atHalf(3)
		}
	}
	for name, change := range deep {
		b.Run(name, func(b *testing.B) {
			q := q
			change(&q)
			for b.Loop() {
				page, err = s.Links(b.Context(), q)
				must(b, err)
			}
			if len(page.Links) == 0 {
				b.Fatal("no links")
			}
		})
	}
}

// The bar is 5,000 takes/s, of one link and of many.
func BenchmarkTake64(b *testing.B) {
	for _, n := range []int{1, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, _ := openSeeded(b, 0)
			links := make([]terse.Link, n)
			must(b, s.Transact(b.Context(), func(tx terse.Tx) (err error) {
				for i := range links {
					links[i], err = tx.Create(b.Context(), me, terse.NewLink{
						Code: terse.NewCode(false), URL: "https://example.org/",
						CreatedBy: terse.Identity, Options: `{"max_clicks":1000000000}`,
					})
					must(b, err)
				}
				return nil
			}))
			take := make(chan terse.LinkRef, 64)
			var callers sync.WaitGroup
			for range 64 {
				callers.Go(func() {
					for link := range take {
						must(b, s.Take(context.Background(), link))
					}
				})
			}
			start, i := time.Now(), 0
			for b.Loop() {
				i = (i*31 + 7) % math.MaxInt32
				take <- links[i%n].Ref()
			}
			close(take)
			callers.Wait()
			b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "takes/s")
		})
	}
}

// The bar is 300 ms for 1,000 operations in one transaction, beside a million links.
func BenchmarkTransact1000(b *testing.B) {
	s, _ := openSeeded(b, million)
	n := 0
	for b.Loop() {
		must(b, s.Transact(b.Context(), func(tx terse.Tx) error {
			for range 500 {
				n++
				link, err := tx.Create(b.Context(), me, terse.NewLink{
					Code:      terse.NewCode(false),
					URL:       terse.URL(fmt.Sprintf("https://example.org/%d", n)),
					CreatedBy: terse.Identity,
					Options: `{"title":"a title","tags":["bulk"],` +
						`"expires_at":"2039-01-01T00:00:00Z"}`,
				})
				must(b, err)
				link.Options = `{"title":"another title","tags":["bulk","more"],"max_clicks":5}`
				_, err = tx.Update(b.Context(),
					me, terse.LinkChange{Before: link, After: link})
				must(b, err)
			}
			return nil
		}))
	}
}
