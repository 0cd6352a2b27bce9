package sqlite_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

// addHooks creates webhooks for an event.
func addHooks(b *testing.B, s *sqlite.Store, n int, event terse.EventType) {
	b.Helper()
	for i := range n {
		_, err := s.CreateWebhook(context.Background(), me, terse.Webhook{
			ID: fmt.Sprint("w", i), Owner: terse.Identity, CreatedBy: terse.Identity,
			URL: "https://hooks.example/", Events: []terse.EventType{event}, Secret: []byte("s"),
		})
		must(b, err)
	}
}

// BenchmarkCreateReported creates links one after another, without a webhook and with one, and
// makes deliveries of the events.
func BenchmarkCreateReported(b *testing.B) {
	const every = 32 // events are reported together, as within a second
	for _, n := range []int{0, 1} {
		b.Run(fmt.Sprintf("webhooks=%d", n), func(b *testing.B) {
			s, _ := openSeeded(b, 1)
			addHooks(b, s, n, terse.EventCreated)
			created, used := 0, cpuTime(b)
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.Create(context.Background(), me, terse.NewLink{
					Code: terse.NewCode(false), URL: "https://example.org/some/longer/path",
					CreatedBy: terse.Identity,
				})
				must(b, err)
				if created++; created%every == 0 {
					_, err := s.Report(context.Background(), short{})
					must(b, err)
				}
			}
			b.ReportMetric(float64((cpuTime(b)-used).Microseconds())/float64(created), "cpu-µs/op")
		})
	}
}

// short writes payloads of usual length.
type short struct{}

func (short) OfLink(terse.LinkEvent) ([]byte, error) { return make([]byte, 500), nil }

func (short) OfClicks(terse.CountedClicks) ([]byte, error) { return make([]byte, 100_000), nil }

// BenchmarkAddClicksReported counts clicks that a webhook waits for, or none.
func BenchmarkAddClicksReported(b *testing.B) {
	for _, n := range []int{0, 1} {
		b.Run(fmt.Sprintf("webhooks=%d", n), func(b *testing.B) {
			s, path := openSeeded(b, 100_000)
			addHooks(b, s, n, terse.EventClicks)
			src := storetest.NewClickSource(b, 100_000)
			benchmarkCounting(b, s, path, src, 1, 10_000, storetest.Zipf(100_000)(src.Rand))
		})
	}
}

// BenchmarkReportClicks makes a batch of the clicks of ten seconds of a busy server.
func BenchmarkReportClicks(b *testing.B) {
	s, path := openSeeded(b, 100_000)
	addHooks(b, s, 1, terse.EventClicks)
	src := storetest.NewClickSource(b, 100_000)
	next := storetest.Zipf(100_000)(src.Rand)
	clicks := make([]terse.Click, 100_000)
	src.Persons = true
	_, err := s.VisitorKey(context.Background(), terse.DayOf(src.Now))
	must(b, err)
	src.Batch(clicks, 10*time.Second, next)
	must(b, s.AddClicks(context.Background(), storetest.Batch("j", 0, clicks...)))
	byHand(b, path, "CREATE TABLE kept AS SELECT * FROM counted_clicks")
	reported, used := 0, time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		byHand(b, path, "DELETE FROM deliveries", "UPDATE webhooks SET place = 0, batched_at = 0",
			"INSERT OR REPLACE INTO counted_clicks SELECT * FROM kept")
		b.StartTimer()
		before := cpuTime(b)
		_, err := s.Report(context.Background(), short{})
		must(b, err)
		used += cpuTime(b) - before
		reported++
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(reported*len(clicks)), "cpu-ns/click")
}
