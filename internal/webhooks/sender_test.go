package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
)

// plainly writes payloads that tests can read.
type plainly struct{}

func (plainly) OfLink(e terse.LinkEvent) ([]byte, error) {
	return []byte(string(e.Type) + " " + e.After.Code.Text() + " " + string(e.After.URL)), nil
}

func (plainly) OfClicks(c terse.CountedClicks) ([]byte, error) {
	return fmt.Appendf(nil, "clicks %d", c.Total), nil
}

// station is a sender with a store of its own.
type station struct {
	*Sender
	store *sqlite.Store
	path  string
	log   *lines
	stop  func(context.Context)
}

type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// newStation starts a sender; change may alter its options.
func newStation(t *testing.T, change func(*Options)) *station {
	t.Helper()
	s := &station{path: filepath.Join(t.TempDir(), "terse.db"), log: &lines{}}
	var err error
	if s.store, err = sqlite.Open(t.Context(), sqlite.Options{Path: s.path}); err != nil {
		t.Fatal(err)
	}
	opts := Options{
		Store: s.store, Payloads: plainly{}, Guard: guardFor(t, nil, "127.0.0.0/8"),
		Refuse:  func(context.Context, *terse.Webhook) (string, error) { return "", nil },
		Timeout: 10 * time.Second, UserAgent: "terse/test",
		Logger: slog.New(slog.NewTextHandler(s.log, nil)),
	}
	if change != nil {
		change(&opts)
	}
	s.Sender = New(opts)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { _ = s.Run(ctx); close(ended) }()
	s.stop = func(ctx context.Context) {
		cancel()
		<-ended
		s.Finish(ctx)
	}
	t.Cleanup(func() {
		s.stop(ctx) // which has ended
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// exec changes the database behind the store's back: time passes by it.
func (s *station) exec(t *testing.T, sql string) {
	t.Helper()
	conn, err := zombiezen.OpenConn(s.path)
	if err == nil {
		conn.SetBusyTimeout(time.Minute)
		err = errors.Join(sqlitex.ExecuteTransient(conn, sql, nil), conn.Close())
	}
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	signal(s.due)
}

var root = terse.Caller{Identity: terse.Identity, Role: terse.Admin, Owner: terse.Identity}

func (s *station) hook(t *testing.T, id, url string) {
	t.Helper()
	s.hookBy(t, terse.Identity, id, url)
}

// hookBy makes a webhook of an identity for everybody's links.
func (s *station) hookBy(t *testing.T, identity, id, url string) {
	t.Helper()
	_, err := s.store.CreateWebhook(t.Context(), root, terse.Webhook{
		ID: id, Owner: terse.AllOwners, CreatedBy: identity, URL: url,
		Secret: bytes.Repeat([]byte("s"), 32),
		Events: []terse.EventType{
			terse.EventClicks, terse.EventCreated, terse.EventDeleted, terse.EventUpdated,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *station) create(t *testing.T, code, url string) terse.Link {
	t.Helper()
	parsed, err := terse.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.store.Create(t.Context(), root, terse.NewLink{
		Code: parsed, URL: terse.URL(url), CreatedBy: terse.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Nudge()
	return link
}

func (s *station) move(t *testing.T, link terse.Link, url string) terse.Link {
	t.Helper()
	after := link
	after.URL = terse.URL(url)
	after, err := s.store.Update(t.Context(), root, terse.LinkChange{Before: link, After: after})
	if err != nil {
		t.Fatal(err)
	}
	s.Nudge()
	return after
}

func (s *station) deliveries(t *testing.T, hook string, status terse.DeliveryStatus) (
	all []terse.Delivery,
) {
	t.Helper()
	all, err := s.store.Deliveries(t.Context(), terse.DeliveryQuery{
		Webhook: hook, Status: status, Limit: 1000,
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// await waits for a condition; the bound is there for what is broken only.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for began := time.Now(); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// inbox is a receiver that keeps what it gets, if it answers 200.
type inbox struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []string
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{status: 200}
	in.Server = httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			in.mu.Lock()
			defer in.mu.Unlock()
			if in.status == 200 {
				in.got = append(in.got, string(body))
			}
			w.WriteHeader(in.status)
		}))
	t.Cleanup(in.Close)
	return in
}

func (in *inbox) answer(status int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.status = status
}

func (in *inbox) received() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.got)
}

// Events of a link arrive in order, within the second that a nudge saves.
func TestSender(t *testing.T) {
	t.Parallel()
	s, in := newStation(t, nil), newInbox(t)
	s.hook(t, "hook", in.URL)
	var want []string
	link := s.create(t, "launch", "https://example.com/0")
	want = append(want, "link.created launch https://example.com/0")
	for n := range 20 {
		link = s.move(t, link, fmt.Sprintf("https://example.com/%d", n+1))
		want = append(want, fmt.Sprintf("link.updated launch https://example.com/%d", n+1))
	}
	if err := s.store.Delete(t.Context(), root, link); err != nil {
		t.Fatal(err)
	}
	want = append(want, "link.deleted launch https://example.com/20")
	await(t, "all events", func() bool { return len(in.received()) >= len(want) })
	if got := in.received(); !slices.Equal(got, want) {
		t.Errorf("received %q", got)
	}
	await(t, "all to be delivered", func() bool { return s.Stats().Delivered == int64(len(want)) })
	if stats := s.Stats(); stats.Failed+stats.Retried > 0 {
		t.Errorf("%+v", stats)
	}
	if n := len(s.deliveries(t, "hook", terse.Delivered)); n != len(want) {
		t.Errorf("%d deliveries are listed as delivered", n)
	}
}

// A receiver that is away for as long as attempts last loses nothing. Of one that stays away longer
// deliveries fail, and the log says so. The time between attempts passes in the database.
func TestReceiverAwayForADay(t *testing.T) {
	t.Parallel()
	s, in := newStation(t, nil), newInbox(t)
	in.answer(http.StatusBadGateway)
	s.hook(t, "hook", in.URL+"/path-secret?key=secret")
	const events = 30
	for n := range events {
		s.create(t, fmt.Sprintf("launch-%d", n), "https://example.com/")
	}
	tried := func(times int) func() bool {
		return func() bool {
			all := s.deliveries(t, "hook", terse.Waiting)
			return len(all) == events && !slices.ContainsFunc(all, func(d terse.Delivery) bool {
				return len(d.Attempts) != times || d.NextAt.Before(time.Now())
			})
		}
	}
	for n, pause := range pauses {
		await(t, fmt.Sprintf("%d attempts", n+1), tried(n+1))
		for _, d := range s.deliveries(t, "hook", terse.Waiting) {
			last := d.Attempts[n]
			if wait := d.NextAt.Sub(last.Time.Add(last.Duration)); last.Status != 502 ||
				wait < pause*9/10-time.Second || wait > pause*11/10+time.Second {
				t.Errorf("attempt %d: %+v, the next after %v", n+1, last, wait)
			}
		}
		if n == len(pauses)-1 {
			in.answer(http.StatusOK)
		}
		s.exec(t, "UPDATE deliveries SET next_at = 1 WHERE status = 'waiting'")
	}
	await(t, "all to be delivered", func() bool {
		return len(s.deliveries(t, "hook", terse.Delivered)) == events
	})
	got := in.received()
	slices.Sort(got)
	if len(slices.Compact(got)) != events {
		t.Errorf("received %q", got)
	}

	in.answer(http.StatusBadGateway)
	s.create(t, "late", "https://example.com/")
	for n := range len(pauses) + 1 {
		await(t, "an attempt", func() bool {
			return len(s.deliveries(t, "hook", "")[0].Attempts) == n+1
		})
		s.exec(t, "UPDATE deliveries SET next_at = 1 WHERE status = 'waiting'")
	}
	await(t, "a failure", func() bool { return s.Stats().Failed == 1 })
	if d := s.deliveries(t, "hook", terse.Failed); len(d) != 1 || d[0].Type != terse.EventCreated {
		t.Errorf("%+v", d)
	}
	if log := s.log.String(); !strings.Contains(log, "a delivery has failed") ||
		!strings.Contains(log, "a webhook began to fail") || strings.Contains(log, "secret") {
		t.Errorf("the log:\n%s", log)
	}
}

// Receivers that hang take no more than their share, nor do all of an identity; while they do,
// another's gets what it is to get. Payloads in memory are bounded.
func TestManyReceiversHang(t *testing.T) {
	t.Parallel()
	s, in := newStation(t, nil), newInbox(t)
	if err := s.store.CreateService(t.Context(), root, "other"); err != nil {
		t.Fatal(err)
	}
	s.hookBy(t, "other", "other", in.URL)
	release := make(chan struct{})
	letGo := sync.OnceFunc(func() { close(release) })
	var mu sync.Mutex
	now, most := map[string]int{}, map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			for _, who := range []string{r.URL.Path, "all"} {
				now[who]++
				most[who] = max(most[who], now[who])
			}
			mu.Unlock()
			<-release
			mu.Lock()
			now[r.URL.Path]--
			now["all"]--
			mu.Unlock()
		}))
	t.Cleanup(server.Close)
	t.Cleanup(letGo)
	const hooks, links = 20, 6
	for n := range hooks {
		s.hook(t, fmt.Sprintf("hook-%d", n), fmt.Sprintf("%s/%d", server.URL, n))
	}
	for n := range links {
		s.create(t, fmt.Sprintf("launch-%d", n), "https://example.com/")
	}
	await(t, "as many as may hang", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return now["all"] == maxPerMaker
	})
	await(t, "another's events", func() bool { return len(in.received()) == links })
	s.create(t, "late", "https://example.com/")
	await(t, "another's event", func() bool { return len(in.received()) == links+1 })
	await(t, "what hangs to be all that is sent", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.count == maxPerMaker
	})
	s.mu.Lock()
	if s.bytes == 0 || s.bytes > maxBytes {
		t.Errorf("%d bytes", s.bytes)
	}
	s.mu.Unlock()
	letGo()
	await(t, "all to be delivered", func() bool {
		return s.Stats().Delivered == (hooks+1)*(links+1)
	})
	mu.Lock()
	defer mu.Unlock()
	for who, n := range most {
		if want := maxPerWebhook; who != "all" && n > want {
			t.Errorf("%s: %d at once", who, n)
		}
	}
	if most["all"] != maxPerMaker {
		t.Errorf("%d at once", most["all"])
	}
	await(t, "none to be in memory", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.bytes == 0 && s.count == 0
	})
}

// The longest payloads leave room for a few only.
func TestRoom(t *testing.T) {
	t.Parallel()
	s := New(Options{Guard: guardFor(t, nil)})
	if s.room() != maxBytes/terse.MaxPayload {
		t.Errorf("at first there is room for %d", s.room())
	}
	s.bytes = maxBytes - terse.MaxPayload
	if s.room() != 1 {
		t.Errorf("room for %d", s.room())
	}
	s.bytes++
	if s.room() != 0 {
		t.Errorf("room for %d beyond the bound", s.room())
	}
	s.bytes, s.count = maxAtOnce, maxAtOnce-1
	if s.room() != 1 {
		t.Errorf("room for %d of short ones", s.room())
	}
}

// At a stop, attempts in progress end. One that takes too long is broken off, and counts as none.
func TestFinish(t *testing.T) {
	t.Parallel()
	for _, patient := range []bool{true, false} {
		s := newStation(t, nil)
		began, release := make(chan bool, 1), make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(
			func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // or the server does not see the client leave
				began <- true
				select {
				case <-release:
				case <-r.Context().Done():
				}
			}))
		t.Cleanup(server.Close)
		s.hook(t, "hook", server.URL)
		s.create(t, "launch", "https://example.com/")
		<-began
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if patient {
			time.AfterFunc(50*time.Millisecond, func() { close(release) })
		} else {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		s.stop(ctx)
		cancel()
		d := s.deliveries(t, "hook", "")
		if want := map[bool]terse.DeliveryStatus{
			true: terse.Delivered, false: terse.Waiting,
		}[patient]; len(d) != 1 || d[0].Status != want || (len(d[0].Attempts) == 1) != patient {
			t.Errorf("patient %v: %+v", patient, d)
		}
	}
}

// The store is asked again for what it did not take.
func TestFinishDeliveryFails(t *testing.T) {
	t.Parallel()
	faulty := &faultyStore{}
	s := newStation(t, func(o *Options) {
		faulty.inner = o.Store
		o.Store = faulty
	})
	in := newInbox(t)
	s.hook(t, "hook", in.URL)
	s.create(t, "launch", "https://example.com/")
	await(t, "the delivery", func() bool {
		return len(s.deliveries(t, "hook", terse.Delivered)) == 1
	})
	if got := in.received(); len(got) != 1 || faulty.failed.Load() != 2 {
		t.Errorf("received %q after %d faults", got, faulty.failed.Load())
	}
}

type inner = terse.Webhooks

// faultyStore fails to store what becomes of a delivery, twice.
type faultyStore struct {
	inner
	failed atomic.Int64
}

func (s *faultyStore) FinishDelivery(
	ctx context.Context, d terse.Delivery, o terse.Outcome,
) (bool, error) {
	if s.failed.Add(1) <= 2 {
		return false, errors.New("away")
	}
	s.failed.Add(-1)
	return s.inner.FinishDelivery(ctx, d, o)
}

// A receiver that is gone is disabled, as is one that lets too many wait; the log and the figures
// say so.
func TestDisabled(t *testing.T) {
	t.Parallel()
	s, in := newStation(t, nil), newInbox(t)
	in.answer(http.StatusGone)
	s.hook(t, "hook", in.URL)
	s.create(t, "launch", "https://example.com/")
	await(t, "the webhook to be disabled", func() bool { return len(s.Stats().Disabled) == 1 })
	await(t, "the attempt to be counted", func() bool { return s.Stats().Failed > 0 })
	if stats := s.Stats(); stats.Disabled[0].Disabled != terse.DisabledByGone ||
		stats.Failed != 1 || stats.Waiting != 0 {
		t.Errorf("%+v", stats)
	}
	if log := s.log.String(); strings.Count(log, "a webhook was disabled") != 1 ||
		!strings.Contains(log, "reason=gone") {
		t.Errorf("the log:\n%s", log)
	}
}

// What is under way, or waits, when its webhook is disabled counts as failed once, whatever becomes
// of the attempt.
func TestDisabledWhileSending(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil)
	began, release := make(chan bool, maxPerWebhook), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			began <- true
			<-release
		}))
	t.Cleanup(server.Close)
	letGo := sync.OnceFunc(func() { close(release) })
	t.Cleanup(letGo)
	s.hook(t, "hook", server.URL)
	const links = maxPerWebhook + 3
	for n := range links {
		s.create(t, fmt.Sprintf("launch-%d", n), "https://example.com/")
	}
	for range maxPerWebhook {
		<-began
	}
	await(t, "all to wait", func() bool {
		return len(s.deliveries(t, "hook", terse.Waiting)) == links
	})
	hook, err := s.store.Webhook(t.Context(), "hook")
	if err != nil {
		t.Fatal(err)
	}
	hook.Disabled = terse.DisabledByUser
	if _, err := s.store.UpdateWebhook(t.Context(), root, hook); err != nil {
		t.Fatal(err)
	}
	letGo()
	await(t, "the attempts to end", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.count == 0
	})
	if stats := s.Stats(); stats.Failed != links || stats.Delivered+stats.Retried > 0 {
		t.Errorf("%+v", stats)
	}
}

// Nobody listens: the connection is refused at once, and what waits shows in the figures.
func TestWaiting(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil)
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = ln.Close()
	s.hook(t, "hook", "http://"+ln.Addr().String()+"/?key=secret")
	s.create(t, "launch", "https://example.com/")
	await(t, "a delivery that waits", func() bool {
		stats := s.Stats()
		return stats.Waiting == 1 && !stats.Oldest.IsZero() && stats.Retried == 1
	})
	d := s.deliveries(t, "hook", terse.Waiting)
	if text := d[0].Attempts[0].Error; !strings.Contains(text, "refused") ||
		strings.Contains(text, "secret") {
		t.Errorf("the error of an attempt: %q", text)
	}
}
