// Package storetest is what every terse.Store must do, as tests that each store runs.
//
// It knows a store by its interface only, and keeps its own naive model of what the answers must be.
package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
)

// model counts clicks the naive way.
type model struct {
	clicks map[terse.LinkID][]terse.Click
}

func (m *model) stats(id terse.LinkID, r terse.TimeRange) terse.Stats {
	s := terse.NewStats()
	for _, c := range m.clicks[id] {
		if !r.Contains(c.Time) {
			continue
		}
		s.Total++
		s.ByCountry[c.Country.String()]++
		s.ByReferrer[c.Referrer]++
		s.ByDate[terse.DayOf(c.Time).String()]++
	}
	return s
}

// Run runs all promises against stores that open returns, each empty and closed by open's cleanup.
func Run(t *testing.T, open func(t *testing.T) terse.Store) {
	t.Run("smoke", func(t *testing.T) {
		s := open(t)
		ctx := t.Context()
		rng := rand.New(rand.NewPCG(1, 2))
		var links []terse.Link
		for i := range 5 {
			c, _ := terse.ParseCode(fmt.Sprintf("abc%d", i))
			l, err := s.Create(ctx, terse.NewLink{Code: c, URL: "http://x.example/", CreatedBy: "me"})
			if err != nil {
				t.Fatal(err)
			}
			links = append(links, l)
		}
		m := model{clicks: map[terse.LinkID][]terse.Click{}}
		base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
		pos := int64(0)
		for range 30 {
			var cs []terse.Click
			for range 2000 {
				i := int(rng.ExpFloat64()) % 5
				c := terse.Click{
					Link: links[i].ID, Code: links[i].Code, Time: base + rng.Int64N(40*86400e6),
					Country: terse.ParseCountry([]string{"DE", "FR", "XX"}[rng.IntN(3)]), Referrer: fmt.Sprintf("https://site%d.example/", rng.IntN(50)),
				}
				cs = append(cs, c)
				m.clicks[c.Link] = append(m.clicks[c.Link], c)
			}
			if err := s.AddClicks(ctx, terse.ClickBatch{Journal: "j", From: pos, To: pos + 1, Clicks: cs}); err != nil {
				t.Fatal(err)
			}
			pos++
			for _, l := range links {
				st, err := s.Stats(ctx, l, terse.AllTime)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(m.stats(l.ID, terse.AllTime), st); d != "" {
					t.Fatal(d)
				}
			}
		}
		_, total, err := s.Links(ctx, "me", 10, 0)
		if err != nil || total != 5 {
			t.Fatal(total, err)
		}
	})
}
