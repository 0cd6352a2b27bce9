package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/database/storetest"
	"terse/internal/httpapi"
)

// All time of a link with 10,000,000 clicks in three years, as handlers answer it.
func BenchmarkClicks(b *testing.B) {
	f := newFixture(b, nil)
	f.do(b, post(`{"original_url":"https://example.com/","short_code":"counted"}`))
	addYears(b, f.store, 10_000_000)
	all := "/api/urls/counted/clicks?by=" + strings.Join(api.Dimensions(), ",")
	for name, r := range map[string]request{
		"analytics": {target: "/api/urls/counted/analytics"},
		"all":       {target: all},
		"all-gzip": {target: all, header: http.Header{
			"Authorization": {"Bearer " + token}, "Accept-Encoding": {"gzip"},
		}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rec := httptest.NewRecorder()
				f.server.Config.Handler.ServeHTTP(rec, r.build(b, ""))
				if rec.Code != http.StatusOK {
					b.Fatal(rec.Code, rec.Body)
				}
				b.ReportMetric(float64(rec.Body.Len()), "bytes")
			}
		})
	}
}

// addYears adds so many clicks of the only link over three years, with all that they may tell.
func addYears(b *testing.B, store httpapi.Store, n int) {
	const batches = 50
	src := storetest.NewClickSource(b, 1)
	src.Persons = true
	code, err := terse.ParseCode("counted")
	if err != nil {
		b.Fatal(err)
	}
	link, err := store.Link(context.Background(), code)
	if err != nil {
		b.Fatal(err)
	}
	clicks := make([]terse.Click, n/batches)
	for i := range int64(batches) {
		src.Batch(clicks, 3*365*24*time.Hour/batches, func() int { return 0 })
		for j := range clicks {
			clicks[j].Link, clicks[j].Code = link.ID, link.Code
		}
		if err := store.AddClicks(context.Background(), terse.ClickBatch{
			Journal: "j", From: i, To: i + 1, Clicks: terse.ClicksOf(clicks...),
		}); err != nil {
			b.Fatal(err)
		}
	}
}
