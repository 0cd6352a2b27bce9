package importer_test

import (
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"terse"
	"terse/internal/database/storetest"
	"terse/internal/move/archive"
)

// BenchmarkExport exports links with 20 single clicks each, and one link with a million.
func BenchmarkExport(b *testing.B) {
	for _, shape := range []struct {
		name          string
		links, clicks int
	}{{"links", 20_000, 20}, {"clicks", 1, 1_000_000}} {
		for name, open := range stores {
			b.Run(shape.name+"/"+name, func(b *testing.B) {
				store := open(b)
				seed(b, store, shape.links, shape.clicks)
				o := archive.ExportOptions{
					ExportQuery: terse.ExportQuery{Owner: terse.Identity}, Logger: slog.Default(),
					Host: func(terse.Domain) string { return "" },
				}
				for b.Loop() {
					if err := archive.WriteLines(b.Context(), store, io.Discard, o); err != nil {
						b.Fatal(err)
					}
				}
				seconds := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(float64(shape.links)/seconds, "links/s")
				b.ReportMetric(float64(shape.links*shape.clicks)/seconds, "clicks/s")
			})
		}
	}
}

// pastAtOnce is how many clicks seed adds at once.
const pastAtOnce = 1 << 18

// seed makes links, each with clicks of its last days.
func seed(b *testing.B, store storetest.Store, links, clicks int) {
	b.Helper()
	const step = time.Minute
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var past []terse.Past
	room := pastAtOnce
	flush := func() {
		if _, err := storetest.WholePast(past, func(past []terse.Past) (
			[]terse.PastAdded, error,
		) {
			return store.AddPast(b.Context(), past)
		}); err != nil {
			b.Fatal(err)
		}
		past, room = nil, pastAtOnce
	}
	err := store.Transact(b.Context(), func(tx terse.Tx) error {
		for i := range links {
			link, err := tx.Create(b.Context(), terse.Caller{}, terse.NewLink{
				Code: terse.NewCode(false), URL: terse.URL(fmt.Sprint("https://example.com/", i)),
				CreatedBy: terse.Identity, Options: `{"title":"A title","tags":["news"]}`,
			})
			if err != nil {
				return err
			}
			past = append(past, terse.Past{Link: link.Ref()})
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	all := past
	past = nil
	for _, one := range all {
		add := terse.Past{Link: one.Link}
		for n := range clicks {
			at := start.Add(time.Duration(n) * step)
			day := terse.DayOf(at.UnixMicro())
			if k := len(add.Days); k == 0 || add.Days[k-1].Day != day {
				if room < 24*60 {
					past = append(past, add)
					flush()
					add = terse.Past{Link: one.Link}
				}
				add.Days = append(add.Days, terse.PastDayAdded{PastDay: terse.PastDay{Day: day}})
			}
			add.Clicks = append(add.Clicks, terse.PastClick{
				Time: at.UnixMicro(), Count: 1, Values: terse.Values{
					terse.ByCountry: "DE", terse.ByReferrer: "https://news.example/",
					terse.ByBrowser: "Chrome", terse.ByOS: "Android", terse.ByDevice: "mobile",
					terse.ByLanguage: "de", terse.ByVisitor: terse.Person,
					terse.ByCity: fmt.Sprint("City ", n%1000),
				},
			})
			room--
		}
		past = append(past, add)
		if room < 24*60 {
			flush()
		}
	}
	flush()
}
