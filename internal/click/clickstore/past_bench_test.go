package clickstore_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/storetest"
	"terse/internal/database/storetest/memrows"
)

// pastOf returns clicks of the past of a link, with all dimensions, within a span of time.
func pastOf(src *storetest.ClickSource, link, n int, from int64, span time.Duration) terse.Past {
	clicks := make([]terse.Click, n)
	src.Now = from
	src.Batch(clicks, span, func() int { return link - 1 })
	p := terse.Past{Link: terse.LinkRef{ID: terse.LinkID(link), Code: clicks[0].Code}}
	for i := range clicks {
		c := terse.PastClick{Time: clicks[i].Time, Values: clicks[i].Values, Count: 1}
		if c.Values[terse.ByVisitor] != terse.Bot && src.Rand.IntN(2) == 0 {
			c.Firsts = 1
		}
		if day := terse.DayOf(c.Time); len(p.Days) == 0 || p.Days[len(p.Days)-1].Day != day {
			p.Days = append(p.Days, terse.PastDayAdded{PastDay: terse.PastDay{Day: day}})
		}
		p.Days[len(p.Days)-1].ClickFirsts += c.Firsts
		p.Clicks = append(p.Clicks, c)
	}
	return p
}

// pastAtOnce is how many clicks a benchmark adds at once.
const pastAtOnce = 1 << 18

// BenchmarkPast adds clicks of the past in memory, adds them again, and reads them.
func BenchmarkPast(b *testing.B) {
	const year = 365 * 24 * time.Hour
	for _, bb := range []struct {
		name           string
		links, perLink int
	}{{"one link", 1, 1_000_000}, {"many links", 50_000, 20}} {
		src := storetest.NewClickSource(b, bb.links)
		src.Persons = true
		begin := src.Now
		var batches [][]terse.Past
		n := pastAtOnce
		for link := range bb.links {
			for at := 0; at < bb.perLink; at += pastAtOnce {
				some := min(bb.perLink-at, pastAtOnce)
				if n += some; n > pastAtOnce {
					batches, n = append(batches, nil), some
				}
				part := year / time.Duration(bb.perLink)
				last := &batches[len(batches)-1]
				from := begin + (time.Duration(at) * part).Microseconds()
				*last = append(*last,
					pastOf(src, link+1, some, from, time.Duration(some)*part))
			}
		}
		clicks := float64(bb.links * bb.perLink)
		var rows *memrows.Rows
		add := func(b *testing.B, links clickstore.Links, known int64) {
			b.Helper()
			counter := clickstore.NewCounter()
			for _, past := range batches {
				added, err := storetest.WholePast(past, func(past []terse.Past) (
					added []terse.PastAdded, err error,
				) {
					if err = counter.Begin(rows, links, nil, time.Now()); err == nil {
						added, err = counter.AddPast(past)
					}
					counter.End(err == nil)
					return added, err
				})
				if err != nil {
					b.Fatal(err)
				}
				for i := range added {
					known -= added[i].Known
				}
			}
			if known != 0 {
				b.Fatalf("%d clicks are not known", known)
			}
		}
		links := &seededLinks{memrows.NewLinks(), b, 1}
		b.Run(bb.name+"/add", func(b *testing.B) {
			for b.Loop() {
				rows = memrows.New()
				add(b, links, 0)
			}
			b.ReportMetric(clicks*float64(b.N)/b.Elapsed().Seconds(), "clicks/s")
		})
		b.Run(bb.name+"/again", func(b *testing.B) {
			for b.Loop() {
				add(b, links, int64(clicks))
			}
			b.ReportMetric(clicks*float64(b.N)/b.Elapsed().Seconds(), "clicks/s")
		})
		b.Run(bb.name+"/read", func(b *testing.B) {
			r, n := clickstore.NewPastReader(), int64(0)
			order := rand.Perm(bb.links) // as codes are
			for b.Loop() {
				for _, i := range order {
					if err := r.Read(rows, terse.LinkID(i+1), nil, func(c terse.PastClick) error {
						n += c.Count
						return nil
					}); err != nil {
						b.Fatal(err)
					}
				}
			}
			if n != int64(clicks)*int64(b.N) {
				b.Fatalf("%d clicks", n)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "clicks/s")
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*bb.links), "us/link")
		})
	}
}
