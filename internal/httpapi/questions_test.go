package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/api"
	"terse/internal/database/storetest"
	"terse/internal/httpapi"
	"terse/internal/link/hosts"
)

// crowd is a store that notes how many questions are asked of it at a time. Where it has a gate,
// each waits for something from there.
type crowd struct {
	httpapi.Store

	gate     chan struct{}
	now, top atomic.Int64
}

func (s *crowd) question(ctx context.Context) (done func(), err error) {
	n := s.now.Add(1)
	for top := s.top.Load(); n > top && !s.top.CompareAndSwap(top, n); top = s.top.Load() {
	}
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return func() { s.now.Add(-1) }, err
}

func (s *crowd) Series(ctx context.Context, link terse.LinkRef, q terse.SeriesQuery) (
	terse.Series, error,
) {
	done, err := s.question(ctx)
	defer done()
	if err != nil {
		return terse.Series{}, err
	}
	return s.Store.Series(ctx, link, q)
}

func (s *crowd) Events(ctx context.Context, link terse.LinkRef, q terse.EventQuery) (
	terse.EventPage, error,
) {
	done, err := s.question(ctx)
	defer done()
	if err != nil {
		return terse.EventPage{}, err
	}
	return s.Store.Events(ctx, link, q)
}

func (s *crowd) Links(ctx context.Context, q terse.LinkQuery) (terse.LinkPage, error) {
	if q.Costly() {
		done, err := s.question(ctx)
		defer done()
		if err != nil {
			return terse.LinkPage{}, err
		}
	}
	return s.Store.Links(ctx, q)
}

// ask sends a question and reads its answer to the end. What long answers say is compared with
// openapi.yaml elsewhere.
func (f *fixture) ask(t *testing.T, target string) *http.Response {
	t.Helper()
	resp, err := f.server.Client().Do(request{target: target}.build(t, f.server.URL))
	if err != nil {
		t.Error(err)
		return &http.Response{}
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Error(err)
	}
	return resp
}

// Sixty strangers and owners ask what takes longest, all at once.
func TestManyQuestionsAtOnce(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	var store *crowd
	f := newFixture(t, func(o *httpapi.Options) {
		store = &crowd{Store: o.Store}
		o.Store, o.Questions, o.StoreTimeout = store, 2, 5*time.Second
	})
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	f.addClicks(t, "launch", storetest.FullDay(20_000)...)
	share := f.shareOf(t, "launch", http.StatusCreated)
	const all = "?by=source,medium,campaign,referrer_host&visitors=true&not_source=s1"
	targets := []string{
		share + "/clicks" + all, "/api/urls/launch/clicks" + all, "/api/overview" + all,
		"/api/urls/launch/analytics", "/api/recent?short_codes=launch",
		"/api/events?format=csv&limit=10", "/api/urls/launch/events?not_source=s1",
		"/api/urls?sort=clicks&period=7d", "/api/urls?search=launch", "/api/overview",
	}
	var asking sync.WaitGroup
	var answered atomic.Int64
	for i := range 60 {
		asking.Go(func() {
			got := f.ask(t, targets[i%len(targets)])
			switch retry := got.Header.Get("Retry-After"); {
			case got.StatusCode == http.StatusOK:
				answered.Add(1)
			case got.StatusCode != http.StatusServiceUnavailable || retry != "5":
				t.Errorf("%s: %d, Retry-After %q", got.Request.URL, got.StatusCode, retry)
			}
		})
	}
	ended := make(chan struct{})
	go func() { asking.Wait(); close(ended) }()
	for checks := 0; ; checks++ {
		// Neither these nor a list, a look-up, or a create waits for questions.
		for _, r := range []request{
			{target: "/ready"},
			{target: "/api/urls?limit=1"},
			{target: "/api/urls/launch"},
			{target: "/api/unknown"},
			{target: "/api/audit"},
			post(`{"original_url":"https://example.com/"}`),
		} {
			if got := f.do(t, r); got.status/100 != 2 {
				t.Errorf("%s meanwhile: %d %s", r.target, got.status, got.body)
			}
		}
		select {
		case <-ended:
			if top := store.top.Load(); top > 2 || answered.Load() == 0 {
				t.Errorf("%d questions at a time; %d were answered", top, answered.Load())
			}
			return
		default:
		}
	}
}

// standing is a handler over a store whose questions wait for its gate. Only what is replaced here
// is asked of the store.
type standing struct {
	crowd
	http.Handler
}

func newStanding(t *testing.T, atOnce int) *standing {
	t.Helper()
	s := &standing{crowd: crowd{gate: make(chan struct{})}}
	s.crowd.Store = linkOnly{}
	s.Handler = httpapi.New(httpapi.Options{
		Dashboard: http.NotFoundHandler(), Store: &s.crowd, StoreTimeout: 5 * time.Second,
		Questions: atOnce, Gate: testGate(t, nil), Limit: budget(unlimited),
		LimitFailures: unlimited, Hosts: hosts.New(hosts.Options{BaseURL: "http://s.example"}),
		Logger: discard(),
	})
	return s
}

// linkOnly is a store with one link and no clicks.
type linkOnly struct{ httpapi.Store }

func (linkOnly) Link(_ context.Context, code terse.Code) (terse.Link, error) {
	if code.Text() != "launch" {
		return terse.Link{}, terse.ErrNotFound
	}
	return terse.Link{ID: 1, Code: code, CreatedBy: terse.Identity}, nil
}

func (linkOnly) Shared(context.Context, terse.Share) (s terse.Shared, l terse.Link, err error) {
	return s, l, terse.ErrShareNotFound
}

func (linkOnly) Links(context.Context, terse.LinkQuery) (terse.LinkPage, error) {
	return terse.LinkPage{}, nil
}

func (linkOnly) Check(context.Context) error { return nil }

func (linkOnly) Series(context.Context, terse.LinkRef, terse.SeriesQuery) (terse.Series, error) {
	return terse.NewSeries(), nil
}

func (linkOnly) Events(context.Context, terse.LinkRef, terse.EventQuery) (terse.EventPage, error) {
	return terse.EventPage{}, nil
}

// asked is a question that was asked.
type asked struct {
	*httptest.ResponseRecorder
	leave func()
	done  chan struct{} // closed when it was answered
	took  time.Duration
}

func (s *standing) ask(t *testing.T, target string) *asked {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	a := &asked{
		ResponseRecorder: httptest.NewRecorder(), leave: leave, done: make(chan struct{}),
	}
	r := request{target: target}.build(t, "").WithContext(ctx)
	began := time.Now()
	go func() {
		defer close(a.done)
		s.ServeHTTP(a, r)
		a.took = time.Since(began)
	}()
	synctest.Wait()
	return a
}

// want waits for an answer.
func (a *asked) want(t *testing.T, status int, took time.Duration) {
	t.Helper()
	<-a.done
	if a.Code != status || a.took != took {
		t.Errorf("%d %s after %v, want %d after %v", a.Code, a.Body, a.took, status, took)
	}
	if retry := a.Header().Get("Retry-After"); status == 503 && retry != "5" {
		t.Errorf("Retry-After %q", retry)
	}
}

const oneQuestion = "/api/urls/launch/analytics"

// kinds are all kinds of questions, but for that of a share.
var kinds = []string{
	oneQuestion, "/api/urls/launch/clicks", "/api/urls/launch/events", "/api/events",
	"/api/urls/launch/events?format=csv", "/api/events?format=ndjson", "/api/overview",
	"/api/recent?short_codes=launch", "/api/urls?sort=clicks", "/api/urls?search=a",
	"/api/urls?unused_since=2026-01-31",
}

// Who asks first is answered first. Who waits for 5 seconds, and whose turn takes 5 seconds, is
// told to come again.
func TestQuestionsHaveTheirTurn(t *testing.T) {
	t.Parallel()
	for _, target := range kinds {
		synctest.Test(t, func(t *testing.T) {
			s := newStanding(t, 2)
			var line []*asked
			for range 5 {
				line = append(line, s.ask(t, target))
			}
			if now := s.now.Load(); now != 2 {
				t.Errorf("%s: %d have their turn", target, now)
			}
			time.Sleep(3 * time.Second)
			s.gate <- struct{}{}
			s.gate <- struct{}{}
			synctest.Wait()
			if target == "/api/overview" { // which asks twice in its turn
				s.gate <- struct{}{}
				s.gate <- struct{}{}
				synctest.Wait()
			}
			line[0].want(t, http.StatusOK, 3*time.Second)
			line[1].want(t, http.StatusOK, 3*time.Second)
			line[4].want(t, http.StatusServiceUnavailable, 5*time.Second)
			line[2].want(t, http.StatusServiceUnavailable, 8*time.Second)
			line[3].want(t, http.StatusServiceUnavailable, 8*time.Second)
			if s.now.Load() != 0 || s.top.Load() != 2 {
				t.Errorf("%s: %d have their turn, %d had", target, s.now.Load(), s.top.Load())
			}
		})
	}
}

// Nothing else stands in the line, and what is refused anyway does not.
func TestQuestionsHoldUpNothingElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStanding(t, 1)
		first := s.ask(t, oneQuestion)
		for target, status := range map[string]int{
			"/ready": 200, "/health": 200, "/api/urls": 200, "/api/urls?offset=2": 200,
			"/api/urls?status=active": 200, "/api/urls?sort=oldest&tag=a": 200,
			"/api/urls/nobody/analytics": 404, "/api/urls/nobody/clicks": 404,
			"/api/urls/nobody/events": 404, "/api/urls/launch/clicks?limit=0": 400,
			"/api/urls/launch/analytics?start_time=x": 400, "/api/overview?interval=x": 400,
			"/api/events?format=x": 400, "/api/recent": 400, "/api/urls?search=a&sort=x": 400,
			"/ui/share/" + strings.Repeat("a", 22) + "/clicks":          404,
			"/ui/share/" + strings.Repeat("a", 22) + "/clicks?by=x":     400,
			"/ui/share/" + strings.Repeat("a", 22) + "/clicks?referrer": 404,
		} {
			s.ask(t, target).want(t, status, 0)
		}
		head := request{method: "HEAD", target: "/api/events?format=csv"}.build(t, "")
		rec := httptest.NewRecorder()
		s.ServeHTTP(rec, head) // which reads no event
		if rec.Code != http.StatusOK {
			t.Errorf("HEAD: %d", rec.Code)
		}
		close(s.gate)
		first.want(t, http.StatusOK, 0)
	})
}

// Who goes away leaves the line at once, and ends what was begun for them.
func TestQuestionsOfThoseWhoLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStanding(t, 1)
		first, second, third := s.ask(t, oneQuestion), s.ask(t, oneQuestion), s.ask(t, oneQuestion)
		second.leave()
		<-second.done
		first.leave()
		<-first.done
		synctest.Wait()
		if s.now.Load() != 1 {
			t.Fatalf("%d have their turn", s.now.Load())
		}
		close(s.gate)
		third.want(t, http.StatusOK, 0)
	})
}

// The line is not endless.
func TestQuestionsBeyondTheLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStanding(t, 1)
		var line []*asked
		for range 1000 {
			line = append(line, s.ask(t, oneQuestion))
		}
		s.ask(t, oneQuestion).want(t, http.StatusServiceUnavailable, 0)
		line[1].leave()
		<-line[1].done
		last := s.ask(t, oneQuestion)
		close(s.gate)
		for _, a := range append(slices.Delete(line, 1, 2), last) {
			a.want(t, http.StatusOK, 0)
		}
	})
}

// slowWriter is a client that reads nothing until it is told to.
type slowWriter struct {
	*httptest.ResponseRecorder
	wrote, read chan struct{}
}

func (w *slowWriter) Write(p []byte) (int, error) {
	w.wrote <- struct{}{}
	<-w.read
	return w.ResponseRecorder.Write(p)
}

// A client that reads slowly keeps no place: neither between the pages of a stream nor while an
// answer is sent.
func TestSlowReadersKeepNoPlace(t *testing.T) {
	t.Parallel()
	for _, target := range []string{oneQuestion, "/api/events?format=csv"} {
		synctest.Test(t, func(t *testing.T) {
			s := newStanding(t, 1)
			slow := &slowWriter{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				s.ServeHTTP(slow, request{target: target}.build(t, ""))
			}()
			s.gate <- struct{}{}
			<-slow.wrote
			other := s.ask(t, oneQuestion)
			s.gate <- struct{}{}
			other.want(t, http.StatusOK, 0)
			close(slow.read)
			<-ended
			if slow.Code != http.StatusOK || slow.Body.Len() == 0 {
				t.Errorf("%s: %d %s", target, slow.Code, slow.Body)
			}
		})
	}
}

// A question that takes too long is answered as openapi.yaml has it, whichever it is.
func TestQuestionsThatTakeTooLong(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	share := f.shareOf(t, "launch", http.StatusCreated)
	f.serve(t, func(o *httpapi.Options) {
		o.Store = &crowd{Store: o.Store, gate: make(chan struct{})}
		o.StoreTimeout = time.Second // in which the look-ups before a question are done
	})
	for _, target := range append(kinds, share+"/clicks") {
		got := f.do(t, request{target: target})
		wantError(t, got, http.StatusServiceUnavailable, "too many questions at once")
		if retry := got.header.Get("Retry-After"); retry != "1" {
			t.Errorf("%s: Retry-After %q", target, retry)
		}
	}
	if log := f.log.String(); strings.Count(log, "took too long") != len(kinds)+1 ||
		strings.Contains(log, "request failed") {
		t.Errorf("the log: %s", log)
	}
}

// A stream waits for a turn before each of its pages. One that does not come in time ends it, so
// that its client does not take what it has for all.
func TestStreamsHaveATurnForEachPage(t *testing.T) {
	t.Parallel()
	const each = 4096 // events of a page
	var store *crowd
	f := newFixture(t, func(o *httpapi.Options) {
		store = &crowd{Store: o.Store, gate: make(chan struct{})}
		o.Store, o.StoreTimeout = store, 2*time.Second
	})
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	clicks := make([]terse.Click, each+1)
	for i := range clicks {
		clicks[i] = clickAt(t, "2026-01-30T09:15:00Z", "DE", "direct")
		clicks[i].Time += int64(i) // equal ones would be one event
	}
	f.addClicks(t, "launch", clicks...)
	stream := func() *http.Response {
		t.Helper()
		r := request{target: "/api/urls/launch/events?format=ndjson"}
		resp, err := f.server.Client().Do(r.build(t, f.server.URL))
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	go func() { store.gate <- struct{}{} }()
	resp := stream()
	cut, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if lines := strings.Count(string(cut), "\n"); lines != each ||
		!errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a stream whose second page takes too long: %d lines, %v", lines, err)
	}
	close(store.gate)
	resp = stream()
	whole, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if lines := strings.Count(string(whole), "\n"); lines != each+1 || err != nil {
		t.Errorf("a stream: %d lines, %v", lines, err)
	}
}

// The client waits as it does for the rate limit.
func TestClientAsksAgain(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	var store *crowd
	f := newFixture(t, func(o *httpapi.Options) {
		store = &crowd{Store: o.Store, gate: make(chan struct{})}
		o.Store, o.StoreTimeout = store, time.Second
	})
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	client := api.New(f.server.URL, token)
	var waits []time.Duration
	client.OnWait = func(d time.Duration) {
		waits = append(waits, d)
		close(store.gate)
	}
	if _, err := client.Stats(t.Context(), "launch", api.Range{}); err != nil ||
		fmt.Sprint(waits) != "[1s]" {
		t.Errorf("%v after %v", err, waits)
	}
}
