package postgres_test

import (
	"slices"
	"testing"

	"terse"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// TestSearchManyLinks searches more links than one search looks at: it goes on page by page.
func TestSearchManyLinks(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	const links = 205_000
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	pgtest.Exec(t, url, `INSERT INTO links
		SELECT 'code' || g, g, 'https://example.org/', $2, g
		FROM generate_series(1, $1::integer) AS g`, links, terse.Identity)
	pgtest.Exec(t, url, "CREATE TABLE clicked AS SELECT id, id / 50000 AS clicks FROM links")
	fillRanges(t, url)
	addClicked(t, s, url)
	var want []terse.LinkID // with "99999" in their codes
	for id := range terse.LinkID(links + 1) {
		if id%100_000 == 99_999 {
			want = append(want, id)
		}
	}
	for order, pages := range map[terse.LinkOrder]int{
		terse.NewestFirst: 5, terse.OldestFirst: 5,
		terse.MostClickedFirst: 21,
	} {
		var got []terse.LinkID
		asked := 0
		for q := (terse.LinkQuery{
			Owner: terse.Identity, Order: order,
			Search: terse.Search{{"99999"}}, Limit: 10,
		}); asked <= pages; {
			page, err := s.Links(t.Context(), q)
			must(t, err)
			asked++
			for _, l := range page.Links {
				got = append(got, l.ID)
			}
			complete := !page.AtLeast && page.Total == int64(len(want))
			if last := page.Next == nil; !complete &&
				(last || !page.AtLeast || page.Total > int64(len(want))) {
				t.Errorf("order %d, page %d: total %d (at least: %v)", order, asked, page.Total,
					page.AtLeast)
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
		if order != terse.OldestFirst {
			slices.Reverse(got)
		}
		if asked != pages || !slices.Equal(got, want) {
			t.Errorf("order %d: found %v on %d pages, want %v on %d", order, got, asked, want,
				pages)
		}
	}
}
