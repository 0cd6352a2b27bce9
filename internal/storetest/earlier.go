package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"terse"
)

// earlierClicks returns the batches that databases of an earlier version were filled with: a busy
// link, a quiet one, and one that has few clicks and late ones. They have a country and a referrer
// only.
func earlierClicks(links []terse.Link) (batches [][]terse.Click) {
	rng := rand.New(rand.NewPCG(18, 18))
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	day := (24 * time.Hour).Microseconds()
	for batch := range 8 {
		var clicks []terse.Click
		for i, n := range []int{700, 90, 5} {
			span := []int64{day / 2, 300 * day, 3 * day}[i]
			for range n {
				c := terse.Click{
					Link: links[i].ID, Code: links[i].Code,
					Time: start + int64(batch)*day/3 + rng.Int64N(span),
				}
				c.Values[terse.ByCountry] = []string{"DE", "FR", "XX", "US"}[rng.IntN(4)]
				if n := rng.IntN(12); n > 0 {
					c.Values[terse.ByReferrer] = fmt.Sprintf("https://www.site%d.example/%d", n%5,
						n)
				}
				clicks = append(clicks, c)
			}
		}
		batches = append(batches, clicks)
	}
	return batches
}

// CheckEarlier wants a store on a database of an earlier version to have the same statistics, and
// to count on.
func CheckEarlier(t *testing.T, s terse.Store) {
	t.Helper()
	j := newJournal(t, s)
	links := make([]terse.Link, 3)
	for i := range links {
		links[i] = find(t, s, code(t, fmt.Sprint("earlier", i)))
	}
	for _, clicks := range earlierClicks(links) {
		j.note(clicks)
	}
	compare := func() {
		t.Helper()
		j.compareEach(links)
		j.compareList()
	}
	compare()
	from := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for range 4 {
		j.add(j.clicks(links, 900, from, 60*time.Hour))
		compare()
	}
	j.add(j.clicks(links, 900, from.AddDate(0, 2, 0), 60*time.Hour)) // earlier months are over
	compare()
}
