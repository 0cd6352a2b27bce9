package sqlite_test

import (
	"testing"
	"time"

	"terse"
	"terse/internal/database/storetest"
)

// BenchmarkPast imports 20 clicks of a year for each of 100,000 links, the same again, and exports
// them. The processor's time says more than the time on a machine that does other things.
func BenchmarkPast(b *testing.B) {
	const links, perLink, atOnce = 100_000, 20, 1600
	s, _ := openSeeded(b, links)
	src := storetest.NewClickSource(b, links)
	src.Persons = true
	begin := src.Now
	batch := func(first int) (past []terse.Past) {
		clicks := make([]terse.Click, perLink)
		for link := first; link < min(first+atOnce, links); link++ {
			src.Now = begin
			src.Batch(clicks, 365*24*time.Hour, func() int { return link })
			p := terse.Past{Link: terse.LinkRef{ID: clicks[0].Link, Code: clicks[0].Code}}
			for i := range clicks {
				c := &clicks[i]
				c.Time += src.Rand.Int64N((24 * time.Hour).Microseconds())
				p.Clicks = append(p.Clicks, terse.PastClick{
					Time: c.Time, Values: c.Values, Count: 1,
				})
				p.Days = append(p.Days, terse.PastDayAdded{
					PastDay: terse.PastDay{Day: terse.DayOf(c.Time)},
				})
			}
			past = append(past, p)
		}
		return past
	}
	var all [][]terse.Past
	for first := 0; first < links; first += atOnce {
		all = append(all, batch(first))
	}
	add := func(b *testing.B) {
		before := cpuTime(b)
		for b.Loop() {
			for _, past := range all {
				_, err := storetest.WholePast(past, func(past []terse.Past) (
					[]terse.PastAdded, error,
				) {
					return s.AddPast(b.Context(), past)
				})
				must(b, err)
			}
		}
		report(b, before, links, perLink)
	}
	b.Run("import", add)
	b.Run("again", add)
	b.Run("export", func(b *testing.B) {
		before := cpuTime(b)
		for b.Loop() {
			n := int64(0)
			must(b, s.Export(b.Context(), terse.ExportQuery{Owner: terse.Identity},
				func(int64, int64) error { return nil },
				func(e terse.Exported) error {
					return e.Past(nil, func(c terse.PastClick) error {
						n += c.Count
						return nil
					})
				}, nil))
			if n != links*perLink {
				b.Fatal(n, "clicks")
			}
		}
		report(b, before, links, perLink)
	})
}

func report(b *testing.B, before time.Duration, links, perLink int) {
	b.Helper()
	spent := (cpuTime(b) - before).Seconds() / float64(b.N)
	b.ReportMetric(float64(links*perLink)/spent, "clicks/cpu-s")
	b.ReportMetric(spent*1e6/float64(links), "cpu-us/link")
}

// BenchmarkPastDays imports ten years of the dropped days of a link, each time of another one. The
// floor is 10 s.
func BenchmarkPastDays(b *testing.B) {
	s, _ := openSeeded(b, 1000)
	for i := 1; b.Loop(); i++ {
		link, err := s.Link(b.Context(), storetest.SeededCode(b, i))
		must(b, err)
		storetest.AddPast(b, s, storetest.PastDays(link.Ref(), 3650))
	}
}
