package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"terse/api"
)

const (
	crashConns  = 64
	crashRounds = 10
)

// witness remembers what a server acknowledged.
type witness struct {
	codes []string // one a connection

	mu       sync.Mutex // guards what follows
	answered []map[string]bool
	sent     int64
	// others counts answers that are no redirects, by status; those that did not come as 0.
	others  map[int]int
	created map[string]bool // acknowledged creates
	deleted map[string]bool // acknowledged deletes
	unsure  map[string]bool // asked to be deleted without an answer

	total atomic.Int64 // answered redirects
}

func newWitness() *witness {
	return &witness{
		created: map[string]bool{}, deleted: map[string]bool{}, unsure: map[string]bool{},
		others: map[int]int{},
	}
}

// TestKillLosesNothing kills the server with SIGKILL at random moments under load. Every
// answered redirect is counted exactly once, every acknowledged create and delete stands.
func TestKillLosesNothing(t *testing.T) {
	t.Parallel()
	crashTest(t, func(_ *testing.T, i *instance) { i.kill() })
}

// TestTerminateLosesNothing is the same with SIGTERM, after which the server ends by
// itself with exit code 0.
func TestTerminateLosesNothing(t *testing.T) {
	t.Parallel()
	crashTest(t, func(t *testing.T, i *instance) {
		if code := i.stop(t); code != 0 {
			t.Errorf("exit code %d after SIGTERM:\n%s", code, i.log)
		}
	})
}

// A stack trace of the stripped binary has functions, files and lines.
func TestStackTrace(t *testing.T) {
	t.Parallel()
	server := startProcess(t, t.TempDir())
	server.do(t, "GET /health", "") // until then it may be on its way there
	if err := server.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	<-server.done
	if trace := server.told.String(); !regexp.MustCompile(
		`main\.\(\*node\)\.serve\(.*\n\s.*cmd/terse/serve\.go:\d+ `).MatchString(trace) {
		t.Error(trace)
	}
}

func crashTest(t *testing.T, end func(*testing.T, *instance)) {
	dir := t.TempDir()
	w := newWitness()
	server := startProcess(t, dir)
	for range crashConns {
		w.codes = append(w.codes, server.shorten(t, "https://example.com/"))
		w.answered = append(w.answered, map[string]bool{})
	}
	for round := range crashRounds {
		w.load(t, server, round, end)
		server = startProcess(t, dir)
	}
	w.check(t, server)
}

// load lets every connection redirect, with a referrer of its own each time, while links
// come and go, until a random number of redirects was answered; then it ends the server.
func (w *witness) load(t *testing.T, server *instance, round int, end func(*testing.T, *instance)) {
	client := plain(t, crashConns)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	goal := w.total.Load() + 200 + rand.Int64N(3000)
	reached := make(chan struct{})
	var once sync.Once
	var running sync.WaitGroup
	for conn := range crashConns {
		running.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if !w.redirect(ctx, client, server.url, conn,
					fmt.Sprintf("https://r.example/%d/%d", round, n)) {
					return
				}
				if w.total.Add(1) == goal {
					once.Do(func() { close(reached) })
				}
			}
		})
	}
	running.Go(func() { w.createAndDelete(ctx, server.client(), 0) })
	select {
	case <-reached:
	case <-server.done:
		t.Fatalf("the server ended by itself:\n%s%s", server.told, server.log)
	}
	end(t, server)
	cancel()
	running.Wait()
}

// redirect asks for a connection's code and reports whether it was answered.
func (w *witness) redirect(ctx context.Context, client *http.Client, url string, conn int,
	referrer string,
) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/"+w.codes[conn], http.NoBody)
	if err != nil {
		return false
	}
	req.Header.Set("Referer", referrer)
	w.mu.Lock()
	w.sent++
	w.mu.Unlock()
	status := 0
	resp, err := client.Do(req)
	if err == nil {
		_ = resp.Body.Close()
		status = resp.StatusCode
	}
	if status != http.StatusFound {
		if ctx.Err() == nil {
			w.mu.Lock()
			w.others[status]++
			w.mu.Unlock()
		}
		return false
	}
	w.mu.Lock()
	w.answered[conn][referrer] = true
	w.mu.Unlock()
	return true
}

// createAndDelete makes links, with a pause before each, and deletes every second one until an
// answer fails to come.
func (w *witness) createAndDelete(ctx context.Context, client *api.Client, pause time.Duration) {
	for n := 0; ctx.Err() == nil; n++ {
		time.Sleep(pause)
		link, err := client.Create(ctx, api.CreateRequest{OriginalURL: "https://example.com/"})
		if err != nil {
			return
		}
		w.mu.Lock()
		w.created[link.ShortCode] = true
		w.mu.Unlock()
		if n%2 == 0 {
			continue
		}
		err = client.Delete(ctx, link.ShortCode)
		w.mu.Lock()
		if err == nil {
			w.deleted[link.ShortCode] = true
		} else {
			w.unsure[link.ShortCode] = true
		}
		w.mu.Unlock()
	}
}

// check compares what servers know with what they acknowledged.
func (w *witness) check(t *testing.T, servers ...*instance) {
	for _, i := range servers {
		i.drain(t)
	}
	server := servers[0]
	var counted int64
	for conn, code := range w.codes {
		answered := w.answered[conn]
		stats := server.clicks(t, code, 0)
		for referrer := range answered {
			if n := stats.ByReferrer[referrer]; n != 1 {
				t.Errorf("an answered redirect was counted %d times", n)
			}
		}
		for referrer, n := range stats.ByReferrer {
			if n != 1 {
				t.Errorf("the redirect of %s was counted %d times", referrer, n)
			}
		}
		counted += stats.TotalClicks
	}
	if counted > w.sent {
		t.Errorf("%d clicks were counted of %d requests", counted, w.sent)
	}
	for code := range w.created {
		_, err := server.client().Stats(t.Context(), code, api.Range{})
		var answer *api.Error
		gone := errors.As(err, &answer) && answer.Status == http.StatusNotFound
		switch {
		case err != nil && !gone:
			t.Fatal(err)
		case w.deleted[code] && !gone:
			t.Error("an acknowledged delete was undone")
		case !w.deleted[code] && !w.unsure[code] && gone:
			t.Error("an acknowledged create was lost")
		}
	}
	t.Logf("%d redirects answered, %d counted; %d links created, %d deleted", w.total.Load(),
		counted, len(w.created), len(w.deleted))
}
