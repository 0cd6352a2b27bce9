package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
	"terse/internal/webhooks"
)

// hookSecret signs what the webhooks of these tests get.
var hookSecret = bytes.Repeat([]byte("s"), 32)

// addHook stores a webhook in a database that no server uses yet.
func addHook(t *testing.T, database, url string, events ...terse.EventType) {
	t.Helper()
	var store interface {
		terse.Webhooks
		Close() error
	}
	var err error
	if strings.HasPrefix(database, "postgres") {
		store, err = postgres.Open(t.Context(), postgres.Options{
			URL: database, Timeout: time.Minute,
		})
	} else {
		store, err = sqlite.Open(t.Context(), sqlite.Options{Path: database})
	}
	must(t, err)
	_, err = store.CreateWebhook(t.Context(), terse.Caller{
		Identity: terse.Identity, Role: terse.Admin,
	}, terse.Webhook{
		ID: "hook-" + strconv.Itoa(len(events)), Owner: terse.Identity,
		CreatedBy: terse.Identity, URL: url, Secret: hookSecret, Events: events,
	})
	must(t, errors.Join(err, store.Close()))
}

// hookServer receives deliveries at an address that stays the same while it dies and comes back.
// Each event is kept once, in the order of the first arrivals.
type hookServer struct {
	t       *testing.T
	address string
	server  atomic.Pointer[httptest.Server]
	mu      sync.Mutex
	ids     map[string]bool
	events  []hookEvent
	again   int // deliveries that had arrived before
}

type hookEvent struct {
	Type string         `json:"type"`
	Data map[string]any `json:"data"`
}

func newHookServer(t *testing.T) *hookServer {
	t.Helper()
	h := &hookServer{t: t, address: "127.0.0.1:0", ids: map[string]bool{}}
	h.start()
	t.Cleanup(h.kill)
	return h
}

func (h *hookServer) start() {
	ln, err := net.Listen("tcp", h.address)
	must(h.t, err)
	h.address = ln.Addr().String()
	server := httptest.NewUnstartedServer(http.HandlerFunc(h.receive))
	_ = server.Listener.Close()
	server.Listener = ln
	server.Start()
	h.server.Store(server)
}

// kill ends all connections, whatever they wait for.
func (h *hookServer) kill() {
	server := h.server.Load()
	_ = server.Listener.Close()
	server.CloseClientConnections()
	server.Close()
}

func (h *hookServer) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // one of us was killed
	}
	id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, hookSecret)
	_, _ = mac.Write([]byte(id + "." + at + "." + string(body)))
	signed := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	var event hookEvent
	if err := json.Unmarshal(body, &event); err != nil ||
		r.Header.Get("webhook-signature") != signed || !strings.HasPrefix(id, "msg_") {
		h.t.Errorf("received %v %s, error %v", r.Header, body, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ids[id] {
		h.again++
		return
	}
	h.ids[id] = true
	h.events = append(h.events, event)
	w.WriteHeader(http.StatusNoContent)
}

// count returns how many different events have arrived.
func (h *hookServer) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.events)
}

// await waits until n different events have arrived, for as long as more of them do.
func (h *hookServer) await(t *testing.T, n int) {
	t.Helper()
	for have := h.count(); have < n; have = h.count() {
		await(t, fmt.Sprintf("more than %d of %d events", have, n),
			func() bool { return h.count() > have })
	}
}

// Webhooks get what the API shows, and the figures of the server say how they do.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	dir, hooks := t.TempDir(), newHookServer(t)
	addHook(t, filepath.Join(dir, "terse.db"), "http://"+hooks.address+"/hook",
		terse.EventCreated, terse.EventDeleted, terse.EventUpdated)
	env := []string{"WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8", "BASE_URL=https://sho.rt"}
	i := startIn(t, dir, env...)
	shown := func() (link map[string]any) {
		got := i.do(t, "GET /api/urls/launch", "", authorized())
		must(t, json.Unmarshal([]byte(got.body), &link))
		delete(link, "click_count")
		return link
	}
	i.shortenAs(t, "launch", "https://example.com/")
	want := []hookEvent{{"link.created", map[string]any{"link": shown()}}}
	i.do(t, "PATCH /api/urls/launch", `{"title": "Grüße"}`, authorized())
	link := shown()
	want = append(want, hookEvent{"link.updated", map[string]any{
		"link":    link,
		"changes": map[string]any{"title": map[string]any{"old": nil, "new": "Grüße"}},
	}})
	hooks.await(t, len(want)) // before they would be shown as blocked, too
	i.stop(t)
	blocked := filepath.Join(t.TempDir(), "blocked")
	writeBlocked(t, blocked, "example.com")
	i = startIn(t, dir, append(env, "BLOCKED_TARGETS="+blocked)...)
	link = shown()
	i.do(t, "DELETE /api/urls/launch", "", authorized())
	want = append(want, hookEvent{"link.deleted", map[string]any{"link": link}})
	hooks.await(t, len(want))
	if diff := cmp.Diff(want, hooks.events); diff != "" || link["blocked"] != true {
		t.Errorf("%v: %s", link, diff)
	}
	await(t, "the figures", func() bool {
		return i.metric(t, `terse_webhook_deliveries_total{result="delivered"}`) == 1
	})
	for name, want := range map[string]float64{
		`terse_webhook_deliveries_total{result="retried"}`: 0,
		`terse_webhook_deliveries_total{result="failed"}`:  0,
		"terse_webhook_waiting":                            0,
		"terse_webhook_oldest_seconds":                     0,
	} {
		if got := i.metric(t, name); got != want {
			t.Errorf("%s is %v", name, got)
		}
	}
}

// Who is no admin any more learns nothing of others' links, and misses nothing if that was a
// mistake.
func TestWebhookOfAFormerAdmin(t *testing.T) {
	t.Parallel()
	var received atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		received.Add(1)
	}))
	t.Cleanup(server.Close)
	i := startIn(t, t.TempDir(), "WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8")
	var token api.Token
	must(t, json.Unmarshal([]byte(i.do(t, "POST /api/tokens",
		`{"name": "all", "identity": "watcher", "role": "admin"}`, authorized()).body), &token))
	var hook api.Webhook
	must(t, json.Unmarshal([]byte(i.do(t, "POST /api/webhooks?owner=*",
		`{"url": "`+server.URL+`", "events": ["link.created"]}`,
		"Authorization: Bearer "+token.Text).body), &hook))
	i.shortenAs(t, "first", "https://example.com/")
	await(t, "an event", func() bool { return received.Load() == 1 })

	i.do(t, "PATCH /api/users/watcher", `{"role": "editor"}`, authorized())
	i.shortenAs(t, "second", "https://example.com/")
	var list api.Deliveries
	await(t, "an attempt that is refused", func() bool {
		got := i.do(t, "GET /api/webhooks/"+hook.ID+"/deliveries?status=waiting&owner=watcher", "",
			authorized())
		must(t, json.Unmarshal([]byte(got.body), &list))
		return len(list.Deliveries) == 1 && len(list.Deliveries[0].Attempts) == 1
	})
	if got := list.Deliveries[0].Attempts[0]; got.Error == nil ||
		!strings.Contains(*got.Error, "is no admin any more") || received.Load() != 1 {
		t.Errorf("%+v after %d events", got, received.Load())
	}

	i.do(t, "PATCH /api/users/watcher", `{"role": "admin"}`, authorized())
	i.do(t, "POST /api/webhooks/"+hook.ID+"/deliveries/"+list.Deliveries[0].ID+
		"/retry?owner=watcher", "", authorized())
	await(t, "the event that was held back", func() bool { return received.Load() == 2 })
}

// Without a setting, nothing connects to this machine, whatever the database says. Operators see
// what waits.
func TestWebhooksStayOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var reached atomic.Int64
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ConnState = func(net.Conn, http.ConnState) { reached.Add(1) }
	server.StartTLS()
	t.Cleanup(server.Close)
	for n, url := range []string{
		server.URL, strings.Replace(server.URL, "https:", "http:", 1),
		strings.Replace(server.URL, "127.0.0.1", "localhost", 1),
		strings.Replace(server.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1),
	} {
		addHook(t, filepath.Join(dir, "terse.db"), url, []terse.EventType{
			terse.EventCreated, terse.EventDeleted, terse.EventExpired, terse.EventUpdated,
		}[:n+1]...)
	}
	i := startIn(t, dir)
	for _, url := range []string{
		"https://localhost/", "https://169.254.169.254/", "https://[::1]/",
	} {
		got := i.do(t, "POST /api/webhooks", `{"url": "`+url+`", "events": ["clicks"]}`,
			authorized())
		if got.StatusCode != http.StatusBadRequest ||
			!strings.Contains(got.body, `"webhook address is not allowed"`) {
			t.Errorf("%s: %d %s", url, got.StatusCode, got.body)
		}
	}
	i.shortenAs(t, "launch", "https://example.com/")
	await(t, "all to be tried", func() bool {
		return i.metric(t, `terse_webhook_deliveries_total{result="retried"}`) >= 4
	})
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	for _, line := range i.logLines(t, "a webhook began to fail") {
		if !strings.Contains(line, "webhook address is not allowed") {
			t.Errorf("the log: %s", line)
		}
	}
	await(t, "the figures", func() bool {
		return i.metric(t, "terse_webhook_waiting") == 4 &&
			i.metric(t, "terse_webhook_oldest_seconds") > 0
	})
	if ready := i.do(t, "GET /ready?verbose", "", authorized()); strings.Contains(ready.body,
		"webhooks") {
		t.Errorf("a warning of what has not waited for long: %s", ready.body)
	}
}

// A webhook whose receiver is gone is named to operators, also by the next process.
func TestDisabledWebhook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusGone)
	}))
	t.Cleanup(server.Close)
	addHook(t, filepath.Join(dir, "terse.db"), server.URL+"/secret", terse.EventCreated)
	for n := range 2 {
		i := startIn(t, dir, "WEBHOOK_ALLOWED_NETWORKS=127.0.0.1")
		if n == 0 {
			i.shortenAs(t, "launch", "https://example.com/")
		}
		await(t, "a warning", func() bool {
			ready := i.do(t, "GET /ready?verbose", "", authorized())
			return strings.Contains(ready.body,
				"webhooks: 1 disabled by failures within a day: hook-1 (gone)")
		})
		lines := i.logLines(t, "a webhook was disabled")
		if len(lines) != 1 || strings.Contains(lines[0], "secret") {
			t.Errorf("the log: %q", lines)
		}
		i.stop(t)
	}
}

// What waits for long is a warning, too.
func TestWebhookWarning(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for want, stats := range map[string]webhooks.Stats{
		"": {Waiting: 7, Oldest: now.Add(-59 * time.Minute)},
		"webhooks: 7 deliveries wait, the oldest for 1h1m0s": {
			Waiting: 7, Oldest: now.Add(-61*time.Minute - time.Second),
		},
		"webhooks: 4 disabled by failures within a day: a (gone), b (failing), c (backlog); " +
			"1 deliveries wait, the oldest for 24h0m0s": {
			Waiting: 1, Oldest: now.Add(-24 * time.Hour), Disabled: []terse.Webhook{
				{ID: "a", Disabled: terse.DisabledByGone},
				{ID: "b", Disabled: terse.DisabledByFailure},
				{ID: "c", Disabled: terse.DisabledByBacklog},
				{ID: "d", Disabled: terse.DisabledByBacklog},
			},
		},
	} {
		if got := webhookWarning(stats, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Servers and the receiver are killed again and again: each event arrives, those of a link in their
// order, on one node with SQLite and on two with PostgreSQL.
func TestWebhooksSurviveKills(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			killWebhooks(t, kind, 60, 1)
		})
	}
}

func TestManyWebhooksSurviveKills(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			killWebhooks(t, kind, 2000, 4)
		})
	}
}

// updates is how often each link of killWebhooks is changed.
const updates = 3

// killWebhooks creates, changes and deletes links while nodes and the receiver are killed.
func killWebhooks(t *testing.T, kind string, links, kills int) {
	t.Helper()
	hooks := newHookServer(t)
	env := []string{"WEBHOOK_ALLOWED_NETWORKS=127.0.0.1", "DB_TIMEOUT=1s"}
	dirs := []string{t.TempDir()}
	database := filepath.Join(dirs[0], "terse.db")
	if kind == "postgres" {
		database, dirs = pgtest.URL(t), append(dirs, t.TempDir())
		env = append(env, "DATABASE_URL="+database)
	}
	addHook(t, database, "http://"+hooks.address, terse.EventCreated, terse.EventDeleted,
		terse.EventUpdated)
	nodes := make([]atomic.Pointer[instance], len(dirs))
	for n, dir := range dirs {
		nodes[n].Store(startProcess(t, dir, env...))
	}
	// try sends a change to any node until one has acknowledged it.
	try := func(change func(*api.Client) error) {
		for n := 0; ; n++ {
			err := change(nodes[n%len(nodes)].Load().client())
			if err == nil {
				return
			}
			if known, ok := errors.AsType[*api.Error](err); ok && known.Status < 500 {
				return // an earlier try did it: its answer was lost
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	var changes atomic.Int64
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for n := w; n < links; n += 4 {
				code := fmt.Sprintf("launch-%d", n)
				try(func(c *api.Client) error {
					_, err := c.Create(t.Context(), api.CreateRequest{
						ShortCode: &code, OriginalURL: "https://example.com/",
					})
					return err
				})
				for k := range updates {
					try(func(c *api.Client) error {
						_, err := c.Update(t.Context(), code, "",
							api.Changes{"title": strconv.Itoa(k)})
						return err
					})
				}
				try(func(c *api.Client) error { return c.Delete(t.Context(), code) })
				changes.Add(updates + 2)
			}
		})
	}
	total := links * (updates + 2)
	for n := range kills {
		hooks.await(t, total*(n+1)/(kills+2))
		victim := n % len(dirs)
		nodes[victim].Load().kill()
		hooks.kill()
		hooks.start()
		nodes[victim].Store(startProcess(t, dirs[victim], env...))
	}
	workers.Wait()
	hooks.await(t, total)
	hooks.mu.Lock()
	defer hooks.mu.Unlock()
	t.Logf("%d events, %d of them more than once", len(hooks.events), hooks.again)
	got := map[string][]string{}
	for _, e := range hooks.events {
		link := e.Data["link"].(map[string]any)
		title, _ := link["title"].(string)
		code := link["short_code"].(string)
		got[code] = append(got[code], e.Type+" "+title)
	}
	want := []string{"link.created "}
	for k := range updates {
		want = append(want, "link.updated "+strconv.Itoa(k))
	}
	want = append(want, "link.deleted "+strconv.Itoa(updates-1))
	for n := range links {
		code := fmt.Sprintf("launch-%d", n)
		if diff := cmp.Diff(want, got[code]); diff != "" {
			t.Errorf("%s: %s", code, diff)
		}
	}
}

// A receiver that hangs, with as many deliveries as may wait, takes no memory that grows with them.
// One more disables the webhook, whose deliveries fail. The server says so, and serves on.
func TestWebhookBacklog(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux's /proc")
	}
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	dir := t.TempDir()
	addHook(t, filepath.Join(dir, "terse.db"), server.URL, terse.EventCreated)
	i := startProcess(t, dir, "WEBHOOK_ALLOWED_NETWORKS=127.0.0.1")
	long := "https://example.com/" + strings.Repeat("x", 8000)
	made := 0
	create := func(until int) {
		for ; made < until; made += 100 {
			var bulk api.Bulk
			for n := range 100 {
				code := fmt.Sprintf("launch-%d", made+n)
				bulk.Operations = append(bulk.Operations, api.Operation{
					Op: "create", Link: api.CreateRequest{ShortCode: &code, OriginalURL: long},
				})
			}
			_, err := i.client().Bulk(t.Context(), bulk)
			must(t, err)
		}
	}
	wait := func() {
		await(t, "all to wait", func() bool {
			return i.metric(t, "terse_webhook_waiting") == float64(made)
		})
	}
	create(1000) // what a few of them need is not what all take
	wait()
	before := i.memory(t, "RssAnon")
	create(terse.MaxWaiting - 100)
	wait()
	if grown := i.memory(t, "RssAnon") - before; grown > 48<<20 {
		t.Errorf("%d MiB for the deliveries that wait", grown>>20)
	}
	if n := i.metric(t, "terse_webhook_oldest_seconds"); n <= 0 {
		t.Errorf("the oldest has waited for %v", n)
	}
	create(terse.MaxWaiting + 100)
	await(t, "a warning", func() bool {
		ready := i.do(t, "GET /ready?verbose", "", authorized())
		return strings.Contains(ready.body,
			"webhooks: 1 disabled by failures within a day: hook-1 (backlog)")
	})
	if line := i.logLines(t, "a webhook was disabled")[0]; !strings.Contains(line, "backlog") {
		t.Errorf("the log: %s", line)
	}
	await(t, "nothing to wait", func() bool { return i.metric(t, "terse_webhook_waiting") == 0 })
	i.shortenAs(t, "after", "https://example.com/")
}

// Each click is in exactly one batch, whatever is killed.
func TestClicksOfWebhooksSurviveKills(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if kind == "postgres" {
				longtest.Only(t)
			}
			killClicks(t, kind)
		})
	}
}

func killClicks(t *testing.T, kind string) {
	t.Helper()
	hooks := newHookServer(t)
	env := []string{"WEBHOOK_ALLOWED_NETWORKS=127.0.0.1", "DB_TIMEOUT=1s"}
	dirs := []string{t.TempDir()}
	database := filepath.Join(dirs[0], "terse.db")
	if kind == "postgres" {
		database, dirs = pgtest.URL(t), append(dirs, t.TempDir())
		env = append(env, "DATABASE_URL="+database)
	}
	addHook(t, database, "http://"+hooks.address, terse.EventClicks)
	nodes := make([]*instance, len(dirs))
	for n, dir := range dirs {
		nodes[n] = startProcess(t, dir, env...)
	}
	codes := []string{"launch-a", "launch-b"}
	for _, code := range codes {
		nodes[0].shortenAs(t, code, "https://example.com/")
	}
	sums := func() (total, listed int64, byLink map[string]int64) {
		hooks.mu.Lock()
		defer hooks.mu.Unlock()
		byLink = map[string]int64{}
		for _, e := range hooks.events {
			total += int64(e.Data["total"].(float64))
			for _, click := range e.Data["clicks"].([]any) {
				count, has := click.(map[string]any)["count"].(float64)
				if !has {
					count = 1
				}
				listed += int64(count)
			}
			for _, of := range e.Data["by_link"].([]any) {
				link := of.(map[string]any)
				byLink[link["short_code"].(string)] += int64(link["clicks"].(float64))
			}
		}
		return total, listed, byLink
	}
	answered := 0
	for round := range 3 {
		for n := range 100 {
			code := codes[n%3%2]
			got := nodes[n%len(nodes)].do(t, "GET /"+code, "")
			if got.StatusCode == http.StatusFound {
				answered++
			}
		}
		if round == 2 {
			break
		}
		await(t, "some clicks", func() bool { total, _, _ := sums(); return total > 0 })
		victim := round % len(dirs)
		nodes[victim].kill()
		hooks.kill()
		hooks.start()
		nodes[victim] = startProcess(t, dirs[victim], env...)
	}
	await(t, "all clicks", func() bool { total, _, _ := sums(); return total >= int64(answered) })
	total, listed, byLink := sums()
	t.Logf("%d clicks in %d batches, %d of them more than once", total, len(hooks.events),
		hooks.again)
	if total != int64(answered) || listed != total {
		t.Errorf("%d clicks and %d listed, want %d", total, listed, answered)
	}
	for _, code := range codes {
		if counted := nodes[0].clicks(t, code, 1).TotalClicks; byLink[code] != counted {
			t.Errorf("%s: %d clicks in batches, %d counted", code, byLink[code], counted)
		}
	}
}
