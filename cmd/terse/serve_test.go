package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/api"
	"terse/internal/cli"
	engine "terse/internal/database/sqlite"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/redistest"
	"terse/internal/visit/redirect"
)

// TestAClickIsCounted follows one link through all of the interface, with what a client
// sees at each step.
func TestAClickIsCounted(t *testing.T) {
	t.Parallel()
	i := start(t)
	created := i.do(t, "POST /api/urls", `{"original_url":"https://example.com/a?b=<c>&d"}`,
		authorized())
	var link api.Created
	if err := json.Unmarshal([]byte(created.body), &link); err != nil ||
		created.StatusCode != 201 || len(link.ShortCode) != 7 ||
		link.ShortURL != strings.Replace(i.url, "127.0.0.1", "localhost", 1)+"/"+link.ShortCode ||
		!strings.Contains(created.body, `<c>&d`) {
		t.Fatalf("create: %d %s", created.StatusCode, created.body)
	}
	redirect := i.do(t, "GET /"+link.ShortCode, "", "Referer: https://news.example/x")
	if redirect.StatusCode != 302 || redirect.Header.Get(
		"Location") != "https://example.com/a?b=<c>&d" || redirect.body != "" ||
		redirect.Header.Get("Cache-Control") != "private, no-store" ||
		redirect.Header.Get("X-Request-Id") == "" {
		t.Errorf("redirect: %d %v %q", redirect.StatusCode, redirect.Header, redirect.body)
	}
	i.do(t, "HEAD /"+link.ShortCode, "")
	i.do(t, "GET /"+link.ShortCode+"?utm=x", "")
	stats := i.clicks(t, link.ShortCode, 2)
	today := time.Now().UTC().Format(time.DateOnly)
	if stats.TotalClicks != 2 || stats.ByReferrer["https://news.example/x"] != 1 ||
		stats.ByReferrer["direct"] != 1 ||
		stats.ByCountry["XX"] != 2 || stats.ByDate[today] != 2 && len(stats.ByDate) == 1 {
		t.Errorf("statistics: %+v", stats)
	}
	list := i.do(t, "GET /api/urls", "", authorized())
	if !strings.Contains(list.body, `"click_count":2`) ||
		!strings.Contains(list.body, `"total":1`) {
		t.Errorf("list: %s", list.body)
	}
	if gone := i.do(t, "DELETE /api/urls/"+link.ShortCode, "",
		authorized()); gone.StatusCode != 204 || gone.body != "" {
		t.Errorf("delete: %d %q", gone.StatusCode, gone.body)
	}
	if page := i.do(t, "GET /"+link.ShortCode, ""); page.StatusCode != 404 ||
		!strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Errorf("a deleted link: %d %s", page.StatusCode, page.Header.Get("Content-Type"))
	}
}

func TestRedirectsNeverServeAReservedWord(t *testing.T) {
	t.Parallel()
	i := start(t)
	for path, want := range map[string]string{
		"/api": "404 application/json", "/api/": "404 application/json",
		"/api/urls/": "404 application/json", "/api/nothing": "404 application/json",
		"/health/x": "404 application/json", "/nothing": "404 text/html; charset=utf-8",
		"/a/b/c": "404 text/html; charset=utf-8",
		"/":      "302 ", "/ui": "301 text/html; charset=utf-8",
		"/ui/":        "200 text/html; charset=utf-8",
		"/ui/session": "401 application/json", "/health": "200 application/json",
	} {
		a := i.do(t, "GET "+path, "")
		if got := fmt.Sprint(a.StatusCode, " ", a.Header.Get("Content-Type")); got != want {
			t.Errorf("GET %s: %s, want %s", path, got, want)
		}
	}
	a := i.do(t, "POST /api/urls", `{"original_url":"https://example.com/","short_code":"health"}`,
		authorized())
	if a.StatusCode != 400 {
		t.Errorf("a reserved word as code: %d %s", a.StatusCode, a.body)
	}
}

func TestEveryRequestIsLogged(t *testing.T) {
	t.Parallel()
	i := start(t)
	code := i.shorten(t, "https://example.com/")
	requests := map[string]string{
		"GET /" + code: "302", "GET /unknown1": "404", "GET /api/urls": "401",
		"PATCH /api/urls": "405", "GET /health": "200", "GET /metrics": "200",
	}
	n := 0
	for request, status := range requests {
		id := fmt.Sprint("request-", n)
		n++
		a := i.do(t, request, "", "X-Request-ID: "+id)
		if strconv.Itoa(a.StatusCode) != status || a.Header.Get("X-Request-Id") != id {
			t.Errorf("%s: %d, ID %q", request, a.StatusCode, a.Header.Get("X-Request-Id"))
		}
		lines := i.logLines(t, `"request_id":"`+id+`"`)
		var r map[string]any
		if err := json.Unmarshal([]byte(lines[0]), &r); err != nil || len(lines) != 1 {
			t.Fatalf("%s: logged %q", request, lines)
		}
		method, path, _ := strings.Cut(request, " ")
		duration, isNumber := r["duration"].(float64)
		if r["method"] != method || r["path"] != path || fmt.Sprint(r["status"]) != status ||
			r["size"] != float64(len(a.body)) || !isNumber || duration < 0 || len(r) != 9 {
			t.Errorf("%s: logged %s", request, lines[0])
		}
	}
	for line := range strings.Lines(i.log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("a log line is not JSON: %s", line)
		}
		if strings.Contains(line, testToken) {
			t.Errorf("a token was logged: %s", line)
		}
	}
}

func TestPrettyLog(t *testing.T) {
	t.Parallel()
	i := start(t, "LOG_FORMAT=pretty")
	i.do(t, "GET /health", "", "X-Request-ID: pretty-1")
	line := i.logLines(t, "pretty-1")[0]
	for _, field := range []string{"request_id", "method", "path", "status", "size", "duration"} {
		if !strings.Contains(line, field) {
			t.Errorf("no %s in %q", field, line)
		}
	}
}

func TestLogLevelWarnLeavesRequestsOut(t *testing.T) {
	t.Parallel()
	i := start(t, "LOG_LEVEL=warn")
	i.do(t, "GET /health", "")
	if i.stop(t); i.log.String() != "" {
		t.Errorf("logged %s", i.log)
	}
}

func TestRedirectLimit(t *testing.T) {
	t.Parallel()
	i := start(t, "REDIRECT_RATE_LIMIT_PER_MINUTE=3", "TRUSTED_PROXIES=127.0.0.1")
	code := i.shorten(t, "https://example.com/")
	for n, path := range []string{"/" + code, "/unknown1", "/not.possible"} {
		if a := i.do(t, "GET "+path, "", "X-Forwarded-For: 1.1.1.1"); a.StatusCode == 429 {
			t.Errorf("request %d was refused", n)
		}
	}
	a := i.do(t, "GET /"+code, "", "X-Forwarded-For: 1.1.1.1")
	wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if a.StatusCode != 429 || err != nil || wait < 1 || wait > 61 ||
		a.body != `{"error":"rate limit exceeded"}` ||
		a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("over the limit: %d %v %s", a.StatusCode, a.Header, a.body)
	}
	if a := i.do(t, "GET /"+code, "", "X-Forwarded-For: 2.2.2.2"); a.StatusCode != 302 {
		t.Errorf("another client: %d", a.StatusCode)
	}
	for range 5 {
		if a := i.do(t, "GET /health", "", "X-Forwarded-For: 1.1.1.1"); a.StatusCode != 200 {
			t.Errorf("an operational route was limited: %d", a.StatusCode)
		}
	}
}

func TestAPILimitAndFailuresHaveBudgetsOfTheirOwn(t *testing.T) {
	t.Parallel()
	i := start(t, "API_RATE_LIMIT_PER_MINUTE=2")
	for range 2 {
		if a := i.do(t, "GET /api/urls", "", "Authorization: Bearer wrong"); a.StatusCode != 401 {
			t.Errorf("a bad token: %d", a.StatusCode)
		}
	}
	if a := i.do(t, "GET /api/urls", "", "Authorization: Bearer wrong"); a.StatusCode != 429 ||
		a.Header.Get("Retry-After") == "" {
		t.Errorf("a bad token over its budget: %d", a.StatusCode)
	}
	for range 2 {
		if a := i.do(t, "GET /api/urls", "", authorized()); a.StatusCode != 200 {
			t.Errorf("a good token on the same address: %d", a.StatusCode)
		}
	}
	if a := i.do(t, "GET /api/urls", "", authorized()); a.StatusCode != 429 {
		t.Errorf("over the limit: %d", a.StatusCode)
	}
}

func TestReadyFollowsTheDatabaseFile(t *testing.T) {
	t.Parallel()
	i := start(t)
	db := filepath.Join(i.dir, "terse.db")
	code := i.shorten(t, "https://example.com/")
	is := func(status int, body string) bool {
		a := i.do(t, "GET /ready", "")
		return a.StatusCode == status && a.body == body
	}
	ready := func() bool { return is(200, `{"status":"ready"}`) }
	unavailable := func() bool { return is(503, `{"status":"unavailable"}`) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	await(t, "ready at the start", ready)

	must(os.Rename(db, db+".away"))
	await(t, "503 without the file", unavailable)
	if a := i.do(t, "GET /health", ""); a.StatusCode != 200 {
		t.Errorf("/health without the file: %d", a.StatusCode)
	}
	must(os.Rename(db+".away", db))
	await(t, "ready with the file back", ready)

	must(os.Chmod(db, 0o400))
	await(t, "503 with a read-only file", unavailable)
	must(os.Chmod(db, 0o600))
	await(t, "ready with a writable file", ready)

	if created, err := i.client().Create(t.Context(),
		api.CreateRequest{OriginalURL: "https://example.com/"}); err != nil {
		t.Errorf("create after it all: %v", err)
	} else if a := i.do(t, "GET /"+created.ShortCode, ""); a.StatusCode != 302 {
		t.Errorf("redirect after it all: %d", a.StatusCode)
	}
	if a := i.do(t, "GET /"+code, ""); a.StatusCode != 302 {
		t.Errorf("the first link after it all: %d", a.StatusCode)
	}
}

// Two nodes share the budgets of their clients through Redis, and count alone while it is away.
func TestNodesShareLimits(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	file := filepath.Join(t.TempDir(), "redis")
	if err := os.WriteFile(file, []byte(redis.URL()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const limit = 10
	limits := []string{
		"REDIRECT_RATE_LIMIT_PER_MINUTE=10", "API_RATE_LIMIT_PER_MINUTE=10",
		"TRUSTED_PROXIES=127.0.0.1",
	}
	nodes := []*instance{
		start(t, append(limits, "REDIS_URL="+redis.URL())...),
		start(t, append(limits, "REDIS_URL_FILE="+file)...),
	}
	shared := func(want string) {
		t.Helper()
		for _, i := range nodes {
			await(t, "terse_ratelimit_shared "+want, func() bool {
				return strings.Contains(i.do(t, "GET /metrics", "").body,
					"\nterse_ratelimit_shared "+want+"\n")
			})
		}
	}
	let := func(request, client string) (n int) {
		t.Helper()
		for k := range 3 * limit {
			a := nodes[k%2].do(t, request, "", "X-Forwarded-For: "+client)
			if a.StatusCode != 429 {
				n++
			} else if seconds, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil ||
				seconds < 1 || seconds > 61 {
				t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
			}
		}
		return n
	}
	// refuses spends a client's budget on one node, and waits until the other one refuses the
	// client, too: it lets some through until Redis has answered.
	refuses := func(request, client string, headers ...string) {
		t.Helper()
		headers = append(headers, "X-Forwarded-For: "+client)
		for range limit {
			if a := nodes[0].do(t, request, "", headers...); a.StatusCode == 429 {
				t.Errorf("%s: refused within the limit", request)
			}
		}
		for n := 0; nodes[1].do(t, request, "", headers...).StatusCode != 429; n++ {
			if n == limit-1 {
				t.Fatalf("%s: the other node goes by its own count", request)
			}
			// Each look takes one request, so that there are few: wait longer before each.
			time.Sleep(10 * time.Millisecond << n)
		}
	}
	shared("1")
	for k, test := range []struct {
		request string
		headers []string
	}{
		{"GET /unknown", nil},
		{"GET /unknown?x", []string{"TE: trailers"}},
		{"GET /api/urls", []string{authorized()}},
		{"GET /api/urls", nil},
	} {
		refuses(test.request, fmt.Sprintf("192.0.2.%d", k), test.headers...)
	}
	redis.Kill()
	shared("0")
	if n := let("GET /unknown", "192.0.2.200"); n != 2*limit {
		t.Errorf("two nodes alone let %d through, want %d", n, 2*limit)
	}
	redis.Start()
	shared("1")
	refuses("GET /unknown", "192.0.2.201")
	for _, i := range nodes {
		await(t, "a log line for each change",
			func() bool { return len(i.logLines(t, `"msg":"rate limits: `)) >= 3 })
	}
}

// Whatever answers at REDIS_URL, a node serves with its own limits, and SIGTERM ends it.
func TestWhateverRedisSays(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string][]string{
		"at first":  {"$-2\r\n"},
		"much":      {"$99999999999999999\r\n"},
		"later":     {"$1\r\na\r\n", "$-2\r\n"},
		"for ever":  {"$1\r\na\r\n", ":9000000000000\r\n"},
		"in answer": {"$1\r\na\r\n", strings.Repeat("*1\r\n", 100_000)},
		"nothing":   {"$1\r\na\r\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := startProcess(t, t.TempDir(), "REDIS_URL="+sayer(t, answers),
				"REDIRECT_RATE_LIMIT_PER_MINUTE=20", "TRUSTED_PROXIES=127.0.0.1")
			i.shorten(t, "https://example.com/")
			await(t, "it to be asked", func() bool {
				return strings.Contains(i.log.String(), "rate limits: ")
			})
			for client := range 3 {
				granted := 0
				for range 30 {
					a := i.do(t, "GET /unknown", "",
						fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", client))
					if a.StatusCode == 404 {
						granted++
					} else if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil ||
						wait < 1 || wait > 61 {
						t.Fatalf("%d, Retry-After %q", a.StatusCode, a.Header.Get("Retry-After"))
					}
				}
				if granted > 20 || granted < 20 && name != "for ever" {
					t.Errorf("%d granted", granted)
				}
			}
			if code := i.stop(t); code != 0 {
				t.Errorf("ended with %d:\n%s", code, i.told)
			}
			if n := strings.Count(i.log.String(), "rate limits: "); n > 2 {
				t.Errorf("%d lines about it:\n%s", n, i.log)
			}
		})
	}
}

// sayer is a server that answers the first command of a connection with one text, and any other
// with the last.
func sayer(t *testing.T, answers []string) (url string) {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for n, buffer := 0, make([]byte, 64<<10); ; n++ {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					_, _ = io.WriteString(conn, answers[min(n, len(answers)-1)])
				}
			}()
		}
	}()
	return "redis://" + ln.Addr().String()
}

// A client has no more attempts at a link's password on two nodes than on one.
func TestNodesSharePasswordAttempts(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	env := []string{
		"DATABASE_URL=" + pgtest.URL(t), "REDIS_URL=" + redis.URL(), "TRUSTED_PROXIES=127.0.0.1",
	}
	nodes := []*instance{start(t, env...), start(t, env...)}
	for _, i := range nodes {
		await(t, "the node to reach Redis", func() bool {
			return strings.Contains(i.do(t, "GET /metrics", "").body,
				"\nterse_ratelimit_shared 1\n")
		})
	}
	nodes[0].do(t, "POST /api/urls", `{"original_url":"https://example.com/",
		"short_code":"locked","password":"right"}`, authorized())
	try := func(node int, client, password string, status int) {
		t.Helper()
		a := nodes[node].do(t, "GET /locked", "", "X-Forwarded-For: "+client,
			"X-Link-Password: "+password)
		if a.StatusCode != status {
			t.Errorf("node %d, %s, %s: %d, want %d", node, client, password, a.StatusCode, status)
		}
	}
	for n := range 10 {
		try(n%2, "192.0.2.1", "wrong", 403)
		try(n%2, "192.0.2.2", "right", 302)
	}
	for n := range 2 {
		try(n, "192.0.2.1", "wrong", 429)
		try(n, "192.0.2.1", "right", 429)
	}
	redis.Kill()
	try(0, "192.0.2.1", "right", 302) // by its own count
	try(1, "192.0.2.1", "wrong", 403)
}

func TestVersion(t *testing.T) {
	t.Parallel()
	var told bytes.Buffer
	code := run(t.Context(), []string{"version"}, nil, nil, &told, io.Discard)
	if want := fmt.Sprintf("terse %s, SQLite %s\n", version,
		engine.EngineVersion); code != cli.ExitOK || told.String() != want {
		t.Errorf("exit code %d, told %q, want %q", code, told.String(), want)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	i := start(t)
	code := i.shorten(t, "https://example.com/")
	i.do(t, "GET /"+code, "")
	i.clicks(t, code, 1)
	var a answer
	await(t, "the metrics to follow the store", func() bool {
		a = i.do(t, "GET /metrics", "")
		return !strings.Contains(a.body, "terse_clicks_ingested_total 0")
	})
	if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	for _, want := range []string{
		`terse_http_requests_total{method="GET",route="/{shortCode}",status="302"} 1`,
		`terse_http_requests_total{method="POST",route="/api/urls",status="201"} 1`,
		fmt.Sprintf("terse_build_info{sqlite=%q,version=%q} 1", engine.EngineVersion, version),
		"terse_clicks_recorded_total 1", "terse_clicks_ingested_total 1",
		"terse_clicks_lost_total 0", "go_goroutines", "process_open_fds",
	} {
		if !strings.Contains(a.body, want) {
			t.Errorf("no %s in\n%s", want, a.body)
		}
	}
	if strings.Contains(a.body, code) {
		t.Error("a short code became a label")
	}
	if strings.Contains(a.body, "terse_ratelimit_shared") {
		t.Error("without REDIS_URL there is a metric of it")
	}
	closed := start(t, "METRICS_AUTH_ENABLED=true")
	if a := closed.do(t, "GET /metrics", ""); a.StatusCode != 401 ||
		a.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("without a token: %d %v", a.StatusCode, a.Header)
	}
	if a := closed.do(t, "GET /metrics", "", authorized()); a.StatusCode != 200 {
		t.Errorf("with a token: %d", a.StatusCode)
	}
}

// A browser signs in to the dashboard, and is still signed in after a restart.
func TestASessionOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := startIn(t, dir)
	if told := i.told.String(); !strings.Contains(told, "/ui/\n") {
		t.Errorf("the dashboard is not named in %q", told)
	}
	in := i.do(t, "POST /ui/session", `{"token":"`+testToken+`"}`)
	cookie, _, _ := strings.Cut(in.Header.Get("Set-Cookie"), ";")
	if in.StatusCode != 204 || cookie == "" || strings.Contains(in.Header.Get("Set-Cookie"),
		"Secure") {
		t.Fatalf("sign in: %d %v", in.StatusCode, in.Header)
	}
	if strings.Contains(i.log.String(), cookie) {
		t.Error("the session was logged")
	}
	i.stop(t)
	again := startIn(t, dir)
	if a := again.do(t, "POST /api/urls", `{"original_url":"https://example.com/"}`,
		"Cookie: "+cookie, "Origin: "+again.url); a.StatusCode != 201 {
		t.Errorf("create by session: %d %s", a.StatusCode, a.body)
	}
	if a := again.do(t, "POST /api/urls", `{"original_url":"https://example.com/"}`,
		"Cookie: "+cookie, "Origin: https://evil.example"); a.StatusCode != 403 {
		t.Errorf("create from another site: %d %s", a.StatusCode, a.body)
	}
	again.stop(t)
	other := startIn(t, dir, "AUTH_TOKENS=other")
	if a := other.do(t, "GET /api/urls", "", "Cookie: "+cookie); a.StatusCode != 401 {
		t.Errorf("with the token withdrawn: %d %s", a.StatusCode, a.body)
	}
}

func TestRootLeadsWhereItIsTold(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"":                        "/ui/",
		"https://example.com/ä?b": "https://example.com/%C3%A4?b",
	} {
		a := start(t, "ROOT_REDIRECT_URL="+value).do(t, "GET /", "")
		if a.StatusCode != 302 || a.Header.Get("Location") != want || a.body != "" {
			t.Errorf("ROOT_REDIRECT_URL=%s: %d %v", value, a.StatusCode, a.Header)
		}
	}
}

func TestTheDocumentIsServed(t *testing.T) {
	t.Parallel()
	a := start(t).do(t, "GET /openapi.yaml", "")
	doc, err := openapi3.NewLoader().LoadFromData([]byte(a.body))
	if err != nil || a.StatusCode != 200 || doc.Validate(t.Context()) != nil {
		t.Errorf("%d: %v", a.StatusCode, err)
	}
}

func TestOneServerADataDir(t *testing.T) {
	t.Parallel()
	i := startProcess(t, t.TempDir())
	var told bytes.Buffer
	if code := run(t.Context(), []string{"serve"}, environFor(i.dir, nil), nil, io.Discard,
		&told); code != cli.ExitFailure {
		t.Errorf("exit code %d", code)
	}
	if want := fmt.Sprint("process ", i.cmd.Process.Pid); !strings.Contains(told.String(), want) ||
		!strings.Contains(told.String(), i.dir) {
		t.Errorf("told %q, want the folder and %s", told.String(), want)
	}
}

func TestATokenIsMadeOnceAndShownOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	shown := regexp.MustCompile(`token +(\S+) \(kept`)
	own := startIn(t, dir, "AUTH_TOKENS")
	m := shown.FindStringSubmatch(own.told.String())
	if m == nil {
		t.Fatalf("no token in %q", own.told)
	}
	if n := strings.Count(own.told.String(), m[1]); n != 1 {
		t.Errorf("the token is shown %d times in\n%s", n, own.told)
	}
	if want := "Bearer $(cat '" + filepath.Join(dir, "token") +
		"')"; !strings.Contains(own.told.String(), want) {
		t.Errorf("no %s in\n%s", want, own.told)
	}
	if _, err := api.New(own.url, m[1]).List(t.Context(), 0, 0); err != nil {
		t.Errorf("the token that was shown: %v", err)
	}
	for name, mode := range map[string]os.FileMode{".": 0o700, "token": 0o600, "terse.db": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil ||
			info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v, want mode %o", name, info.Mode(), err, mode)
		}
	}
	if strings.Contains(own.log.String(), m[1]) {
		t.Error("the token was logged")
	}
	own.stop(t)

	again := startIn(t, dir, "AUTH_TOKENS")
	if shown.MatchString(again.told.String()) || strings.Contains(again.told.String(), m[1]) {
		t.Error("the token was shown again")
	}
	if _, err := api.New(again.url, m[1]).List(t.Context(), 0, 0); err != nil {
		t.Errorf("the token at the next start: %v", err)
	}
	var out bytes.Buffer
	if code := run(t.Context(), []string{"token"}, []string{"DATA_DIR=" + dir}, nil, &out,
		io.Discard); code != 0 || strings.TrimSpace(out.String()) != m[1] {
		t.Errorf("terse token: %d %q", code, out.String())
	}
}

func TestSettingsAreRefusedTogether(t *testing.T) {
	t.Parallel()
	bad := map[string]string{
		"SERVER_PORT": "http", "BASE_URL": "ftp://x", "ROOT_REDIRECT_URL": "/ui/",
		"DATABASE_URL": "mysql://x", "DB_TIMEOUT": "-1s", "METRICS_AUTH_ENABLED": "perhaps",
		"ALLOWED_ORIGINS": "example.com", "API_RATE_LIMIT_PER_MINUTE": "-1",
		"REDIRECT_RATE_LIMIT_PER_MINUTE": "many", "MAX_CONNS_PER_CLIENT": "1.5",
		"TRUSTED_PROXIES": "proxy", "GEOIP_HEADER": "a b", "CACHE_SIZE": "huge",
		"CLICK_SYNC": "never", "SHUTDOWN_TIMEOUT": "soon", "START_TIMEOUT": "61m",
		"LOG_LEVEL": "loud", "REDIS_URL": "http://user:secret@x", "LOG_FORMAT": "xml",
		"LOG_STACK_TRACES": "2", "AUTH_TOKENS": " , ", "TRACKING": "on",
		"CLICK_RETENTION": "999ms", "UNTRACKED_ADDRESSES": "office",
		"WEBHOOK_ALLOWED_NETWORKS": "10.0.0.0/40", "REDIRECT_CACHE": "86401", "ROBOTS": "noidx",
		"BACKUP_INTERVAL": "59s", "BACKUP_KEEP": "1001", "AUDIT_RETENTION": "off",
	}
	for _, name := range []string{"BASE_URL", "ROOT_REDIRECT_URL", "ALLOWED_ORIGINS"} {
		if bad[name] = "ftp://user:secret@x/y"; name == "BASE_URL" {
			bad[name] = "https://user:secret@x/y"
		}
	}
	env := []string{"DATA_DIR=" + t.TempDir(), "AUTH_TOKEN=fallback"}
	for name, value := range bad {
		env = append(env, name+"="+value)
	}
	var told bytes.Buffer
	if code := run(t.Context(), []string{"serve"}, env, nil, io.Discard,
		&told); code != cli.ExitSettings {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(told.String(), "secret") {
		t.Errorf("a password is shown:\n%s", &told)
	}
	for name := range bad {
		if !strings.Contains(told.String(), name+" ") {
			t.Errorf("%s is not named in\n%s", name, told.String())
		}
	}
}

func TestSettingsThatAreGood(t *testing.T) {
	t.Parallel()
	raw := rawSettings{
		rawTLS:  rawTLS{TLSPort: "443", HSTSMaxAge: "0"},
		DataDir: "d", DBTimeout: "1s", MetricsAuthEnabled: "TRUE", IgnoreCase: "false",
		APIRateLimitPerMinute:      "0",
		RedirectRateLimitPerMinute: "5", MaxConnsPerClient: "0",
		RedirectCache: "86400", Robots: "NoIndex,nofollow, noindex",
		CacheSize: "1GiB", ClickSync: "always", StartTimeout: "30s", ShutdownTimeout: "1m",
		LogLevel: "WARN", LogFormat: "Pretty", LogStackTraces: "false",
		Port: "81", ListenHost: "::1", BaseURL: "https://sho.rt/",
		TrustedProxies: "10.0.0.1, ::1/128,::ffff:1.2.3.4", AuthToken: " legacy ",
		AllowedOrigins: "https://a.example, *", GeoipHeader: "CF-IPCountry",
		DatabaseURL: "sqlite://x/y.db", Tracking: "Anonymous", ClickRetention: "90d",
		AuditRetention: "36H",
		BackupDir:      "b", BackupInterval: "1m", BackupKeep: "1000",
	}
	s, err := raw.parse()
	if err != nil {
		t.Fatal(err)
	}
	if s.listen != "[::1]:81" || s.baseURL != "https://sho.rt" || s.cacheBytes != 1<<30 ||
		s.clickSync != 0 || !s.metricsAuth || s.stackTraces ||
		s.tracking != redirect.TrackAnonymous || s.retention != 90*24*time.Hour ||
		s.auditRetention != 36*time.Hour ||
		s.backupDir != "b" || s.backupInterval != time.Minute || s.backupKeep != 1000 ||
		!slices.Equal(s.tokens, []string{"legacy"}) || s.databasePath != "x/y.db" ||
		fmt.Sprint(s.trustedProxies) != "[10.0.0.1/32 ::1/128 1.2.3.4/32]" {
		t.Errorf("%+v", s)
	}
	for in, want := range map[string]string{
		"": "d/terse.db", "x.db": "x.db", "/a/b:c": "/a/b:c",
		"sqlite:rel.db": "rel.db", "sqlite:///abs.db": "/abs.db",
	} {
		raw.DatabaseURL = in
		if s, err := raw.parse(); err != nil || s.databasePath != want {
			t.Errorf("DATABASE_URL=%s: %q %v, want %q", in, s.databasePath, err, want)
		}
	}
	for in, want := range map[string]time.Duration{
		"0": 0, "1d": 24 * time.Hour, "24h": 24 * time.Hour, "90D": 90 * 24 * time.Hour,
	} {
		raw.AuditRetention = in
		if s, err := raw.parse(); err != nil || s.auditRetention != want {
			t.Errorf("AUDIT_RETENTION=%s: %v %v, want %v", in, s.auditRetention, err, want)
		}
	}
	for in, want := range map[string]time.Duration{
		"0": 0, "60": time.Minute, "60s": time.Minute, "1H": time.Hour, "1d": 24 * time.Hour,
		"86400": 24 * time.Hour,
	} {
		raw.RedirectCache = in
		if s, err := raw.parse(); err != nil || s.redirectCache != want {
			t.Errorf("REDIRECT_CACHE=%s: %v %v, want %v", in, s.redirectCache, err, want)
		}
	}
	for _, in := range []string{"", "off", "-1", "-1s", "500ms", "24h1s", "2d", "86401"} {
		raw.RedirectCache = in
		if _, err := raw.parse(); err == nil ||
			!strings.Contains(err.Error(), "REDIRECT_CACHE is ") {
			t.Errorf("REDIRECT_CACHE=%s: %v", in, err)
		}
	}
	raw.RedirectCache = "0"
	for _, in := range []string{"", "off", "0d", "23h59m", "-1d", "1", "40000d", "d"} {
		raw.AuditRetention = in
		if _, err := raw.parse(); err == nil ||
			!strings.Contains(err.Error(), "AUDIT_RETENTION is ") {
			t.Errorf("AUDIT_RETENTION=%s: %v", in, err)
		}
	}
	raw.AuditRetention = "0"
	raw.BackupDir = ""
	for _, url := range []string{
		"postgres://u:p@h:1/d?sslmode=disable",
		"postgresql://h1,h2/d?target_session_attrs=read-write",
	} {
		raw.DatabaseURL = url
		if s, err := raw.parse(); err != nil || s.postgresURL != url || s.databasePath != "" {
			t.Errorf("DATABASE_URL=%s: %q %v", url, s.postgresURL, err)
		}
	}
	raw.DatabaseURL = "postgres://user:secret@host:port/database"
	if _, err := raw.parse(); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a bad address: %v", err)
	}
	raw.DatabaseURL = ""
	raw.TrustedProxies = "::ffff:10.0.0.0/104, ::ffff:1.2.3.4/128, ::ffff:0:0/96, 2001:db8::/32"
	if s, err := raw.parse(); err != nil || fmt.Sprint(
		s.trustedProxies) != "[10.0.0.0/8 1.2.3.4/32 0.0.0.0/0 2001:db8::/32]" {
		t.Errorf("mapped proxies are %v %v", s.trustedProxies, err)
	}
	raw.TrustedProxies = "::ffff:0:0/95"
	if _, err := raw.parse(); err == nil || !strings.Contains(err.Error(),
		`TRUSTED_PROXIES is "::ffff:0:0/95"; it must be an IPv4 block`) {
		t.Errorf("a block around the mapped ones: %v", err)
	}
	raw.TrustedProxies = ""
	tokens := "a, b,a,,c"
	raw.AuthTokens, raw.AuthToken = &tokens, "ignored"
	if s, err := raw.parse(); err != nil || !slices.Equal(s.tokens, []string{"a", "b", "c"}) {
		t.Errorf("tokens %q %v", s.tokens, err)
	}
}

// TestShortTokensAreWarnedOf names them by their place.
func TestShortTokensAreWarnedOf(t *testing.T) {
	t.Parallel()
	i := start(t, "AUTH_TOKENS=long-enough-to-keep,quite-short,sixteen-letters-")
	lines := i.logLines(t, "shorter than 16 characters")
	if len(lines) != 1 || !strings.Contains(lines[0], `"level":"WARN"`) ||
		!strings.Contains(lines[0], `"token":"2 of 3"`) {
		t.Errorf("logged %q", lines)
	}
	if strings.Contains(i.log.String(), "quite-short") {
		t.Error("the log has a token")
	}
}

func TestSecretsComeFromFiles(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	i := start(t, "AUTH_TOKENS", "AUTH_TOKENS_FILE="+file)
	if _, err := api.New(i.url, "from-file").List(t.Context(), 0, 0); err != nil {
		t.Error(err)
	}
	for name, env := range map[string][]string{
		"both":    {"AUTH_TOKENS=a", "AUTH_TOKENS_FILE=" + file},
		"missing": {"AUTH_TOKENS_FILE=" + file + "-not"},
	} {
		var told bytes.Buffer
		if code := run(t.Context(), []string{"serve"}, append(env, "DATA_DIR="+t.TempDir()), nil,
			io.Discard, &told); code != cli.ExitSettings ||
			!strings.Contains(told.String(), "AUTH_TOKENS_FILE") {
			t.Errorf("%s: %d %s", name, code, told.String())
		}
	}
}

func TestALinkOfSomebodyElse(t *testing.T) {
	t.Parallel()
	i := start(t)
	insertForeignLink(t, filepath.Join(i.dir, "terse.db"), "foreign")
	await(t, "its redirect", func() bool { return i.do(t, "GET /foreign", "").StatusCode == 302 })
	if a := i.do(t, "DELETE /api/urls/foreign", "", authorized()); a.StatusCode != 403 ||
		a.body != `{"error":"unauthorized to delete this URL"}` {
		t.Errorf("delete: %d %s", a.StatusCode, a.body)
	}
	if a := i.do(t, "GET /api/urls/foreign/analytics", "", authorized()); a.StatusCode != 403 ||
		a.body != `{"error":"unauthorized to view analytics for this URL"}` {
		t.Errorf("analytics: %d %s", a.StatusCode, a.body)
	}
	if a := i.do(t, "GET /api/urls", "", authorized()); !strings.Contains(a.body, `"total":0`) {
		t.Errorf("list: %s", a.body)
	}
}

func TestHostileValuesNeverFail(t *testing.T) {
	t.Parallel()
	i := start(t)
	nested := strings.Repeat("[", 100_000)
	for _, body := range []string{
		nested, `{"original_url":` + nested,
		`{"original_url":"https://example.com/\r\nX-Injected: 1"}`,
		"{\"original_url\":\"https://example.com/\xff\"}",
		`{"original_url":"javascript:alert(1)"}`, `{"original_url":{}}`, `{"original_url":1e999}`,
		"\x00", strings.Repeat("{", 1<<20),
	} {
		a := i.do(t, "POST /api/urls", body, authorized())
		var e api.ErrorBody
		if err := json.Unmarshal([]byte(a.body), &e); err != nil || a.StatusCode != 400 ||
			e.Error == "" || len(a.body) > 1000 {
			t.Errorf("%.50q: %d %.200s", body, a.StatusCode, a.body)
		}
	}
	if a := i.do(t, "POST /api/urls", strings.Repeat(" ", 1<<20+1),
		authorized()); a.StatusCode != 413 {
		t.Errorf("a body above 1 MiB: %d", a.StatusCode)
	}
	if a := i.do(t, "POST /api/urls", strings.Repeat(" ", 1<<20+1)); a.StatusCode != 401 {
		t.Errorf("a body above 1 MiB without a token: %d", a.StatusCode)
	}
	code := i.shorten(t, "https://example.com/")
	for _, referrer := range []string{
		"\x7f", "javascript:alert(1)",
		"https://" + strings.Repeat("a", 9000), "é", "https://u:p@h.example/#f",
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET /%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nReferer: %s\r\n\r\n",
			code, referrer)
		answer, err := io.ReadAll(c)
		if err != nil || !(bytes.HasPrefix(answer, []byte("HTTP/1.1 302")) ||
			bytes.HasPrefix(answer, []byte("HTTP/1.1 400"))) {
			t.Errorf("referrer %.20q: %v %.100q", referrer, err, answer)
		}
		c.Close()
	}
	stats := i.clicks(t, code, 4)
	for referrer := range stats.ByReferrer {
		if referrer != "direct" && referrer != "https://h.example/" {
			t.Errorf("counted under %q", referrer)
		}
	}
}

// insertForeignLink puts a link of another creator into a running server's database, as
// nothing in the interface can.
func insertForeignLink(t *testing.T, path, code string) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetBusyTimeout(time.Minute)
	err = sqlitex.Execute(conn,
		"INSERT INTO links (code, url, created_at, created_by) VALUES (?, "+
			"'https://example.com/', 0, 'somebody-else')",
		&sqlitex.ExecOptions{Args: []any{code}})
	if err != nil {
		t.Fatal(err)
	}
}

// Quotation marks around tokens belong to them. That is said, for hardly anybody means it.
func TestQuotedTokens(t *testing.T) {
	t.Parallel()
	const quoted = `"a-token-long-enough,another-long-enough"`
	i := start(t, "AUTH_TOKENS="+quoted)
	const text = "begins or ends with a quotation mark"
	if n := len(i.logLines(t, text)); n != 2 {
		t.Errorf("%d warnings", n)
	}
	s := newSetUp(t)
	want(t, s.diagnose(t, "AUTH_TOKENS="+quoted), "token", "warn: access token 1 of 2 "+text)
	if said := s.diagnose(t)["token"]; strings.Contains(said, text) {
		t.Error(said)
	}
}
