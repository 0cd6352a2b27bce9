package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/go-json-experiment/json"
	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/api"
	"terse/internal/auth"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/httpapi"
	"terse/internal/link/hosts"
	"terse/internal/link/manage"
	"terse/internal/move/archive/importer"
	"terse/internal/tests/foreign"
	"terse/internal/tests/pgtest"
	"terse/internal/visit/password"
	"terse/internal/visit/redirect"
)

// onPostgres says that the tests run against PostgreSQL.
var onPostgres bool

// TestMain runs all tests against SQLite, and then again against PostgreSQL.
func TestMain(m *testing.M) {
	code := m.Run()
	if onPostgres = true; code == 0 && !onceIsEnough() {
		code = pgtest.Main(m)
	}
	os.Exit(code)
}

// skipOnPostgres skips a slow test in the second run of make test, and says so: what it tests does
// not depend on the store. make test-long runs it on both.
func skipOnPostgres(t *testing.T) {
	t.Helper()
	if onPostgres && testing.Short() {
		t.Skip("takes long, whichever the store: make test-long runs it on PostgreSQL, too")
	}
}

// onceIsEnough reports whether go test fuzzes, measures or lists.
func onceIsEnough() bool {
	for _, name := range []string{"test.fuzz", "test.bench", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

const (
	token   = "good-token"
	baseURL = "https://sho.rt"
)

// fixture is a control plane on a listener, with a real database, whose every answer is
// checked against openapi.yaml.
type fixture struct {
	store storetest.Store
	// exec runs a statement on it, behind the store's back.
	exec    func(t testing.TB, sql string)
	options httpapi.Options
	server  *httptest.Server
	log     *syncBuffer
	changed *codes
}

// codes remembers what Options.Changed was called with.
type codes struct {
	mu   sync.Mutex
	list []string // guarded by mu
}

func (c *codes) add(code string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, code)
}

func (c *codes) has(code string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.list, code)
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer // guarded by mu
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// serve starts the control plane with options that change may alter, in place of the one before.
func (f *fixture) serve(t testing.TB, change func(*httpapi.Options)) {
	t.Helper()
	if change != nil {
		before := f.options.BaseURL
		change(&f.options)
		if f.options.BaseURL != before {
			f.options.Hosts = f.domains(t)
		}
	}
	f.server = httptest.NewServer(httpapi.New(f.options))
	t.Cleanup(f.server.Close)
}

// newFixture starts a control plane; change may alter its options.
func newFixture(t testing.TB, change func(*httpapi.Options)) *fixture {
	t.Helper()
	return newCasedFixture(t, false, change)
}

// newCasedFixture is newFixture where case may be ignored.
func newCasedFixture(t testing.TB, ignoreCase bool, change func(*httpapi.Options)) *fixture {
	t.Helper()
	f := &fixture{log: &syncBuffer{}, changed: &codes{}}
	f.options.IgnoreCase = ignoreCase
	if onPostgres {
		f.openPostgres(t)
	} else {
		f.openSQLite(t)
	}
	t.Cleanup(func() { _ = f.store.Close() })
	if foreign.Wanted() {
		if err := foreign.Fill(t.Context(), f.store); err != nil {
			t.Fatal(err)
		}
	}
	passwords := redirect.New(redirect.Options{CacheBytes: redirect.MinCacheBytes})
	rest := map[string]string{"overview": " of many links", "password": ", which has a password"}
	opts := httpapi.Options{
		Store: f.store, StoreTimeout: 10 * time.Second, Gate: testGate(t, f.store),
		BaseURL: baseURL,
		Limit:   budget(unlimited), LimitSessions: budget(unlimited),
		LimitTokens: budget(unlimited), LimitFailures: unlimited,
		Changed: f.changed.add, HashPassword: password.Hash,
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			_, _ = io.WriteString(w, "terse_up 1\n")
		}),
		Dashboard: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "page "+r.URL.Path)
		}),
		SharePage: func(w http.ResponseWriter, _ *http.Request, status int, data string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "page of a share"+rest[data])
		},
		TryPassword:  passwords.TryPassword,
		RootRedirect: "/ui/",
		IgnoreCase:   ignoreCase,
		CheckWebhook: func(context.Context, string) error { return nil },
		DeliveryDue:  func() {},
		Logger:       slog.New(slog.NewTextHandler(f.log, nil)),
	}
	f.options = opts
	f.options.Hosts = f.domains(t)
	f.options.Importer = f.importer(t, nil)
	f.serve(t, change)
	return f
}

// importer returns an importer for the store with options that change may alter.
func (f *fixture) importer(t testing.TB, change func(*importer.Options)) *importer.Importer {
	t.Helper()
	opts := importer.Options{
		Store: f.store,
		Manager: manage.New(manage.Options{
			Hosts: f.options.Hosts, HashPassword: password.Hash,
			Reserved: func(segment string) bool {
				return slices.Contains(httpapi.Reserved(), segment)
			},
			Naming: terse.Naming{IgnoreCase: f.options.IgnoreCase},
			Users:  f.store,
		}),
		Dir: t.TempDir(),
		Place: func(addr netip.Addr) (terse.Country, string, string) {
			if addr == netip.MustParseAddr("192.0.2.1") {
				return terse.ParseCountry("DE"), "DE-BE", "Berlin, DE-BE"
			}
			return terse.UnknownCountry, "", ""
		},
		Changed: f.changed.add, Logger: slog.New(slog.NewTextHandler(f.log, nil)),
	}
	if change != nil {
		change(&opts)
	}
	return importer.New(opts)
}

// domains returns the domains of the store, with some hosts beside that of baseURL.
func (f *fixture) domains(t testing.TB, others ...string) *hosts.Hosts {
	t.Helper()
	h := hosts.New(hosts.Options{
		Store: f.store, Timeout: 10 * time.Second, BaseURL: f.options.BaseURL, Others: others,
		Logger: slog.New(slog.NewTextHandler(f.log, nil)),
	})
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

func (f *fixture) openSQLite(t testing.TB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terse.db")
	f.exec = func(t testing.TB, sql string) {
		t.Helper()
		conn, err := zombiezen.OpenConn(path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := sqlitex.ExecuteTransient(conn, sql, nil); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	db, err := sqlite.Open(context.Background(), sqlite.Options{
		Path: path, IgnoreCase: f.options.IgnoreCase,
	})
	if err != nil {
		t.Fatalf("open database: %v", err)
	}
	f.store = db
}

// migrated has the tables, and nothing in them.
var migrated = pgtest.Template{Prepare: func(url string) error {
	db, err := postgres.Open(context.Background(), postgres.Options{
		URL: url, Timeout: time.Minute,
	})
	if err != nil {
		return err
	}
	return db.Close()
}}

func (f *fixture) openPostgres(t testing.TB) {
	t.Helper()
	url := migrated.Copy(t)
	f.exec = func(t testing.TB, sql string) { t.Helper(); pgtest.Exec(t, url, sql) }
	db, err := postgres.Open(context.Background(), postgres.Options{
		URL: url, IgnoreCase: f.options.IgnoreCase, Timeout: time.Minute, // on a busy machine
	})
	if err != nil {
		t.Fatalf("open database: %v", err)
	}
	f.store = db
}

// request is what a test sends. It carries a good token unless it says otherwise.
type request struct {
	method string // GET when empty
	target string // path and query
	body   string
	header http.Header // replaces the good token when it has Authorization
	bad    bool        // breaks openapi.yaml on purpose
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (r request) build(t testing.TB, base string) *http.Request {
	t.Helper()
	method := r.method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), method, base+r.target,
		strings.NewReader(r.body))
	if err != nil {
		t.Fatalf("%s %s: %v", method, r.target, err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, r.header)
	return req
}

// do sends a request, checks it and its answer against openapi.yaml, and what every answer
// has in common.
func (f *fixture) do(t testing.TB, r request) answer {
	t.Helper()
	client := &http.Client{
		Transport: f.server.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	resp, err := client.Do(r.build(t, f.server.URL))
	if err != nil {
		t.Fatalf("%s %s: %v", r.method, r.target, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: read body: %v", r.method, r.target, err)
	}
	got := answer{resp.StatusCode, resp.Header, string(body)}
	if err := conforms(r, r.build(t, ""), got); err != nil {
		t.Errorf("%s %.200s: answer %d %.500s: %v", r.method, r.target, got.status, got.body, err)
	}
	return got
}

// document is openapi.yaml, parsed once. Pages and streams are strings to it.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	for _, kind := range []string{"text/html", "text/csv", "application/x-ndjson"} {
		openapi3filter.RegisterBodyDecoder(kind, func(body io.Reader, _ http.Header,
			_ *openapi3.SchemaRef, _ openapi3filter.EncodingFn,
		) (any, error) {
			text, err := io.ReadAll(body)
			return string(text), err
		})
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(api.OpenAPI))
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(context.Background(), openapi3.EnableExamplesValidation())
})

var router = sync.OnceValues(func() (routers.Router, error) {
	doc, err := document()
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// dateTime is RFC 3339's, which allows lower-case letters where kin-openapi does not.
var dateTime = openapi3.NewRegexpFormatValidator(
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?` +
		`([Zz]|[+-][0-9]{2}:[0-9]{2})$`)

// conforms checks a request and its answer against openapi.yaml.
func conforms(r request, req *http.Request, got answer) error {
	if nosniff := got.header.Get("X-Content-Type-Options"); nosniff != "nosniff" {
		return errors.New("answer without nosniff")
	}
	if cache := got.header.Get("Cache-Control"); cache != "no-store" && got.header.Get(
		"Content-Type") != "image/x-icon" && req.URL.Path != "/robots.txt" {
		return errors.New("answer without no-store")
	}
	routes, err := router()
	if err != nil {
		return err
	}
	lookup := req.Clone(context.Background())
	switch {
	case req.Method == http.MethodHead:
		lookup.Method = http.MethodGet
	// the document has it under the methods that exist
	case got.status == http.StatusMethodNotAllowed:
		allowed := strings.TrimPrefix(got.header.Get("Allow"), "OPTIONS, ")
		lookup.Method, _, _ = strings.Cut(allowed, ",")
	}
	route, params, err := routes.FindRoute(lookup)
	if err != nil || route.Path == "/{shortCode}" {
		return unknownRoute(got, req.Method)
	}
	options := &openapi3filter.Options{
		IncludeResponseStatus: true, MultiError: true,
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{
			openapi3.WithStringFormatValidator("date-time", dateTime),
		},
	}
	input := &openapi3filter.RequestValidationInput{
		Request: lookup, PathParams: params,
		Route: route, Options: options,
	}
	if !r.bad && got.status != http.StatusMethodNotAllowed {
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			return err
		}
	}
	if req.Method == http.MethodHead {
		options.ExcludeResponseBody = true
	}
	response := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: got.status, Header: got.header, Options: options,
	}
	response.SetBodyBytes([]byte(got.body))
	return openapi3filter.ValidateResponse(context.Background(), response)
}

// unknownRoute checks the answer to what the document does not have.
func unknownRoute(got answer, method string) error {
	if got.status != http.StatusNotFound && got.status != http.StatusNoContent {
		return errors.New("neither 404 nor a preflight's 204")
	}
	if got.status == http.StatusNotFound && method != http.MethodHead &&
		got.body != `{"error":"not found"}` {
		return errors.New("not the fixed body")
	}
	return nil
}

// wantError checks an error answer: status, text and that the body has nothing else.
func wantError(t testing.TB, got answer, status int, text string) {
	t.Helper()
	want, err := json.Marshal(api.ErrorBody{Error: text})
	if err != nil {
		t.Fatal(err)
	}
	if got.status != status || got.body != string(want) {
		t.Errorf("answer %d %s, want %d %s", got.status, got.body, status, want)
	}
}

// decodeAs decodes an answer of the given status.
func decodeAs[T any](t testing.TB, got answer, status int) (out T) {
	t.Helper()
	if got.status != status {
		t.Fatalf("answer %d %s, want %d", got.status, got.body, status)
	}
	if err := json.Unmarshal([]byte(got.body), &out, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("answer %s: %v", got.body, err)
	}
	return out
}

// create makes a link through the interface and returns its code.
func (f *fixture) create(t testing.TB, originalURL string) string {
	t.Helper()
	body, err := json.Marshal(api.CreateRequest{OriginalURL: originalURL})
	if err != nil {
		t.Fatal(err)
	}
	return decodeAs[api.Created](t, f.do(t, request{
		method: "POST", target: "/api/urls",
		body: string(body),
	}), http.StatusCreated).ShortCode
}

// createForeign makes a link of somebody else, which no caller of the interface can.
func (f *fixture) createForeign(t testing.TB, code string) {
	t.Helper()
	parsed, err := terse.ParseCode(code)
	if err == nil {
		_, err = f.store.Create(t.Context(), terse.Caller{}, terse.NewLink{
			Code: parsed,
			URL:  "https://foreign.example/", CreatedBy: "somebody-else",
			CreatedAt: time.UnixMicro(0),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// createAt makes a link at a time in the past.
func (f *fixture) createAt(t testing.TB, code, at string, o terse.LinkOptions) {
	t.Helper()
	parsed, err := terse.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	created, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	options, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.Create(t.Context(), terse.Caller{}, terse.NewLink{
		Code: parsed, URL: "https://example.com/", CreatedBy: terse.Identity,
		CreatedAt: created, Options: options,
	}); err != nil {
		t.Fatal(err)
	}
}

// addClicks counts clicks of a link, by its key, as the click journal would.
func (f *fixture) addClicks(t testing.TB, code string, clicks ...terse.Click) {
	t.Helper()
	parsed, err := terse.ParseKey(code)
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.store.Link(t.Context(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	for i := range clicks {
		clicks[i].Link, clicks[i].Code = link.ID, link.Code
	}
	from, err := f.store.JournalPosition(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.store.AddClicks(t.Context(), terse.ClickBatch{
		Journal: "test", From: from,
		To: from + 1, Clicks: terse.ClicksOf(clicks...),
	}); err != nil {
		t.Fatal(err)
	}
}

func clickAt(t testing.TB, at, country, referrer string) terse.Click {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		t.Fatal(err)
	}
	return terse.Click{Time: parsed.UnixMicro(), Values: terse.Values{
		terse.ByCountry: terse.ParseCountry(country).String(), terse.ByReferrer: referrer,
	}}
}

// faulty is a store whose answers a test replaces.
type faulty struct {
	httpapi.Store
	create func(ctx context.Context, link terse.NewLink) (terse.Link, error)
	check  func(ctx context.Context) error
	err    error // of every other method, unless nil
}

func (s faulty) Create(ctx context.Context, by terse.Caller, link terse.NewLink) (
	terse.Link, error,
) {
	if s.create != nil {
		return s.create(ctx, link)
	}
	if s.err != nil {
		return terse.Link{}, s.err
	}
	return s.Store.Create(ctx, by, link)
}

func (s faulty) Unknown(ctx context.Context, day terse.Day) (
	map[string]terse.UnknownCodes, error,
) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.Unknown(ctx, day)
}

func (s faulty) Check(ctx context.Context) error {
	if s.check != nil {
		return s.check(ctx)
	}
	return s.Store.Check(ctx)
}

func (s faulty) Link(ctx context.Context, code terse.Code) (terse.Link, error) {
	if s.err != nil {
		return terse.Link{}, s.err
	}
	return s.Store.Link(ctx, code)
}

func (s faulty) Links(ctx context.Context, q terse.LinkQuery) (terse.LinkPage, error) {
	if s.err != nil {
		return terse.LinkPage{}, s.err
	}
	return s.Store.Links(ctx, q)
}

func (s faulty) Series(ctx context.Context, link terse.LinkRef,
	q terse.SeriesQuery,
) (terse.Series, error) {
	if s.err != nil {
		return terse.Series{}, s.err
	}
	return s.Store.Series(ctx, link, q)
}

var generated = regexp.MustCompile(`\A[a-km-zA-HJ-NP-Z2-9]{7}\z`)

// hanging is a store that only returns when its caller gives up.
type hanging struct{ httpapi.Store }

func (hanging) Create(ctx context.Context, _ terse.Caller, _ terse.NewLink) (terse.Link, error) {
	<-ctx.Done()
	return terse.Link{}, ctx.Err()
}

func (hanging) Link(ctx context.Context, _ terse.Code) (terse.Link, error) {
	<-ctx.Done()
	return terse.Link{}, ctx.Err()
}

func (hanging) Links(ctx context.Context, _ terse.LinkQuery) (terse.LinkPage, error) {
	<-ctx.Done()
	return terse.LinkPage{}, ctx.Err()
}

func (hanging) Series(ctx context.Context, _ terse.LinkRef,
	_ terse.SeriesQuery,
) (terse.Series, error) {
	<-ctx.Done()
	return terse.Series{}, ctx.Err()
}

// accepting is a store that takes every link and forgets it.
type accepting struct{ httpapi.Store }

func (accepting) Create(_ context.Context, _ terse.Caller, link terse.NewLink) (terse.Link, error) {
	return terse.Link{ID: 1, Code: link.Code, URL: link.URL, CreatedBy: link.CreatedBy}, nil
}

func unlimited(netip.Addr) time.Duration { return 0 }

// budget is an httpapi.Budget that answers for one request as for several.
type budget func(netip.Addr) time.Duration

func (b budget) Take(addr netip.Addr) time.Duration { return b(addr) }

func (b budget) TakeAll(addr netip.Addr, _ int) time.Duration { return b(addr) }

func (budget) Limit() int { return 0 }

func (budget) Left(netip.Addr) (int, time.Duration) { panic("it has no limit") }

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// testGate returns a gate that accepts the tests' tokens, and those of a store.
func testGate(t testing.TB, store auth.Store) *auth.Gate {
	t.Helper()
	tokens, err := auth.NewTokens([]string{token, "other-token"})
	if err != nil {
		t.Fatal(err)
	}
	return auth.NewGate(auth.Options{
		Tokens: tokens, Store: store, Timeout: 10 * time.Second, Logger: discard(),
	})
}
