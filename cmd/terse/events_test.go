package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"terse/api"
	"terse/internal/cli"
)

// lines is what a command printed so far.
type lines struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Single clicks are listed, streamed through the real server, and followed.
func TestEvents(t *testing.T) {
	t.Parallel()
	i := startCounting(t)
	i.shortenAs(t, "launch", "https://example.com/")
	i.shortenAs(t, "other", "https://example.com/other")
	i.click(t, "launch", "https://news.example/", map[string]int{"DE": 2})
	i.click(t, "launch", "https://news.example/\u202ecod", map[string]int{"US": 1})
	i.click(t, "other", "https://www.blog.example/", map[string]int{"FR": 1})

	r := i.command(t, "events")
	if first, _, _ := strings.Cut(r.out, "\n"); lineCount(r.out) != 4 ||
		!strings.Contains(first, "\tother\tFR\t") {
		t.Errorf("%+v", r)
	}
	r = i.command(t, "events", "launch", "--only", "country=de", "--limit", "1")
	if lineCount(r.out) != 1 || !strings.Contains(r.out, "\tnews.example\t") {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"events launch --json", "events launch --format ndjson --all"} {
		r = i.command(t, strings.Fields(args)...)
		if lineCount(r.out) != 3 || strings.Contains(r.out, "\u202e") ||
			!strings.HasPrefix(r.out, `{"time":"20`) || strings.Count(r.out, `\u202e`) != 1 {
			t.Errorf("%s: %+v", args, r)
		}
	}
	r = i.command(t, "events", "--format", "csv", "--all", "--not", "country=FR")
	if rows, err := csv.NewReader(strings.NewReader(r.out)).ReadAll(); err != nil ||
		len(rows) != 4 || rows[0][0] != "time" {
		t.Errorf("%v: %+v", err, r)
	}
	if wide := i.onTerminal(t, 200, "events", "launch"); !strings.Contains(
		escapes.ReplaceAllString(wide.out, ""), "  launch  DE · news.example") {
		t.Errorf("%q", wide.out)
	}
	for _, args := range []string{
		"events x --tag a", "events --limit 0", "events --follow --all",
		"events --start 2100-01-01",
	} {
		if r := i.command(t, strings.Fields(args)...); r.code != cli.ExitUsage {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := i.command(t, "events", "none"); r.code != cli.ExitNotFound {
		t.Errorf("%+v", r)
	}

	out, ctx := &lines{}, context.Background()
	ctx, stop := context.WithCancel(ctx)
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"events", "-f", "--limit", "2", "--not", "country=XX"},
			i.environ(), strings.NewReader(""), out, out)
	}()
	await(t, "the last events", func() bool { return lineCount(out.String()) == 2 })
	i.click(t, "launch", "https://late.example/", map[string]int{"JP": 1})
	await(t, "the event that follows", func() bool { return lineCount(out.String()) == 3 })
	stop()
	if code := <-done; code != cli.ExitOK || !strings.Contains(out.String(), "late.example") {
		t.Errorf("%d %s", code, out)
	}
}

// A stream of many events comes whole, and ends where the server stops.
func TestEventStream(t *testing.T) {
	t.Parallel()
	i := startCounting(t)
	i.shortenAs(t, "launch", "https://example.com/")
	const n = 5000 // more than are read at once
	client := plain(t, 8)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range n / 8 {
				resp, err := client.Get(i.url + "/launch")
				if err != nil {
					t.Error(err)
					return
				}
				_ = resp.Body.Close()
			}
		})
	}
	callers.Wait()
	i.clicks(t, "launch", n)
	var out lines
	err := i.client().StreamEvents(t.Context(), "launch", "ndjson", api.EventsQuery{}, &out)
	got := int64(0) // equal clicks of a microsecond are one event
	for line := range strings.Lines(out.String()) {
		var event api.Event
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		got += event.Clicks()
	}
	if err != nil || got != n {
		t.Errorf("%v: %d clicks", err, got)
	}
	seen := int64(0)
	for event, err := range i.client().AllEvents(t.Context(), "", api.EventsQuery{Limit: 1000}) {
		if err != nil || event.ShortCode != "launch" {
			t.Fatal(err)
		}
		seen += event.Clicks()
	}
	if seen != n {
		t.Errorf("%d clicks page by page", seen)
	}
}
