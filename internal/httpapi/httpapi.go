// Package httpapi is the control plane: the authenticated API, the dashboard's sessions, the
// operational routes and the OpenAPI document, as one net/http handler.
//
// It decodes, validates, and turns errors into statuses. It runs no SQL, serves no redirect, writes
// no access log, and never shows an internal error to a caller. Strings of a request may point into
// memory that the server reuses, so only copies may be kept after the answer.
//
// routes.go is the table of routes. Reserved words come from it, and so do the tests that every
// route is authenticated and documented. A handler returns an error, and respond.go has the one
// place that turns errors into statuses. Tests check every answer against api/openapi.yaml.
//
// # Requests that take long
//
// Questions about clicks (statistics, events, searches, lists sorted by clicks or of unused links)
// may read for seconds. They wait in one queue (questions.go), which is the only state of the
// package beside the keys of requests under way. A turn ends when the answer is complete, before it
// is sent; a stream takes one turn for each page. An export is one snapshot, written page by page,
// and takes a turn for each page, too (export.go). Both stores keep readers or connections back
// that such questions never get, so that look-ups, creates and GET /ready do not wait for them.
//
// A request with an idempotency key runs in a transaction that also keeps its answer (change.go). A
// bulk request that is not atomic, and the renaming of a tag, take several transactions (turns.go,
// tags.go).
//
// # Browsers
//
// A session is a cookie (package auth). Requests that change something with one pass
// http.CrossOriginProtection. A share is a secret that leads to the clicks of a link, of the
// links with a tag, or of all links of an owner (share.go); clickquery.Strangers says what its page
// may show. Stores find a share by its hash. A share may have a password, for which a cookie
// stands.
package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"terse"
	"terse/internal/auth"
	"terse/internal/auth/oidc"
	"terse/internal/link/hosts"
	"terse/internal/link/manage"
	"terse/internal/link/weburl"
	"terse/internal/move/archive/importer"
)

// Store is the control plane's part of the store.
type Store interface {
	terse.Links
	terse.Clicks
	terse.Archive
	terse.Audit
	terse.Domains
	terse.People
	terse.Tokens
	terse.Sessions
	terse.Webhooks
	Check(ctx context.Context) error
	Unknown(ctx context.Context, day terse.Day) (map[string]terse.UnknownCodes, error)
}

// Options are the parts of the control plane. All are required unless their comment says otherwise.
type Options struct {
	Store Store
	// StoreTimeout bounds how long a request waits for the store, for example 5s.
	StoreTimeout time.Duration
	// Questions is how many questions about clicks are answered at a time; 0: 1. Waiting for a
	// turn, and the turn itself, may each take StoreTimeout.
	Questions int
	Gate      *auth.Gate
	// Hosts are the domains of links.
	Hosts *hosts.Hosts
	// BaseURL is the prefix of short_url on the default domain, without a trailing slash, for
	// example "https://sho.rt". If it has a path, browsers find everything below it, but
	// requests come without it.
	BaseURL string
	// Generator names the program in exports, for example "terse 1.2.0".
	Generator string
	// Dashboard serves /ui, /ui/ and everything below except /ui/session and shares.
	Dashboard http.Handler
	// SharePage serves what stands at the address of a share: with status 200 the page of
	// statistics, which requests "clicks" or "overview" below it; with 200, 403, 429 or 503 the
	// form for its "password", which says what was wrong with the one before; with 404 and "" the
	// page that says there is none.
	SharePage func(w http.ResponseWriter, r *http.Request, status int, data string)
	// TryPassword checks the password of a request for what has a number, in the form that it posts
	// or, unless it is a POST, in a header field. All ways to send one have the same bounds. status
	// is 200; or 401 without a password, 403 for a wrong one, 415 for what is no form, 429 or 503
	// if it was not checked.
	TryPassword func(r *http.Request, client netip.Addr, of uint64, hash, header string) (
		status int, wait time.Duration, err error)
	// OIDC is the provider with which people sign in, if Gate lets them; nil: they can't.
	OIDC *oidc.Client
	// SignInPage serves a page that says why somebody was not signed in there.
	SignInPage func(w http.ResponseWriter, r *http.Request, status int, heading string,
		paragraphs ...string)
	// RootRedirect is where GET / leads, for example "https://example.com/"; "": the dashboard.
	RootRedirect string
	// Root, if set, returns where GET / leads at the moment, if RootRedirect does not say it; "":
	// the dashboard.
	Root func() string
	// Limit is the budget of API requests that authenticate by token, and of routes that are
	// Limited.
	Limit Budget
	// Stopping is closed when the server is about to stop: bulk requests then end early and report
	// what was done. If nil, they never do.
	Stopping <-chan struct{}
	Importer *importer.Importer
	// LimitSessions is the budget of API requests that authenticate by session.
	LimitSessions Budget
	// LimitTokens is the budget of each named token and its sessions together. Its clients are
	// addresses that stand for tokens.
	LimitTokens Budget
	// LimitFailures takes a request from a client's budget and returns 0 or, over budget, how long
	// to wait. It is called when authentication fails, also on operational routes.
	LimitFailures func(netip.Addr) time.Duration
	// Blocked reports whether no link may lead to a URL; nil: links may lead to any.
	Blocked func(terse.URL) bool
	// HashPassword returns the hash to store for a password.
	HashPassword func(string) string
	// CheckWebhook returns an error for the client unless events may be sent to a URL, which is an
	// http or https URL without a user. It may look up a name.
	CheckWebhook func(ctx context.Context, address string) error
	// DeliveryDue is called when a delivery of a webhook is due that somebody asked for.
	DeliveryDue func()
	// IgnoreCase makes addresses that differ in case only the same.
	IgnoreCase bool
	// Changed is called with an address after its link was, or may have been, created, changed or
	// deleted, before the request is answered.
	Changed func(address string)
	// Metrics serves GET /metrics. It needs a token if MetricsAuth is set.
	Metrics     http.Handler
	MetricsAuth bool
	// AllowedOrigins are the origins whose pages may call the API from a browser, for example
	// "https://app.example", or "*" for any. If empty, there are no CORS headers.
	AllowedOrigins []string
	// Warnings returns problems that operators should know about although the service is ready, for
	// example "click journal: no space left on device". GET /ready?verbose shows them to callers
	// with a token. It may be nil.
	Warnings func() []string
	Logger   *slog.Logger

	// Tests lower these bounds; 0 means exportTime and stallTime.
	exportTime, stallTime time.Duration
}

// Budget limits the requests of each client per minute. Over budget, its methods return how long
// the client has to wait.
type Budget interface {
	// Take takes one request from a client's budget.
	Take(client netip.Addr) (wait time.Duration)
	// TakeAll takes n requests, at most Limit, or none of them. With n = 0 it takes nothing and
	// returns what Take would.
	TakeAll(client netip.Addr, n int) (wait time.Duration)
	// Limit returns a client's whole budget; 0: unlimited.
	Limit() int
	// Left returns what is left of it, and how long until the oldest request that counts leaves the
	// window, a minute if there is none. It is not called if a budget is unlimited.
	Left(client netip.Addr) (left int, reset time.Duration)
}

// service is the handler that New returns.
type service struct {
	Options
	mux         *http.ServeMux
	manager     *manage.Manager
	questions   *questions
	crossOrigin *http.CrossOriginProtection
	secure      bool       // BaseURL is an https URL
	basePath    string     // the path of BaseURL, for example "/go"
	gathering   sync.Mutex // held while gathering metrics
	underWay    keySet     // keys of requests that take several transactions
	strangers   strangers
}

// New returns the handler of all Routes but the redirect, which belongs to the data plane. It sets
// the request's Pattern to that of the route, or to "" for an unknown one. The server around it
// must put the client's address into RemoteAddr and a valid X-Request-ID into the headers, accept
// X-Forwarded-Proto only from trusted proxies, recover panics, and drop the bodies of answers to
// HEAD, as net/http does.
func New(opts Options) http.Handler {
	s := &service{
		Options: opts, mux: http.NewServeMux(), manager: newManager(opts),
		questions:   newQuestions(opts.Questions, opts.StoreTimeout, opts.Logger),
		crossOrigin: newCrossOrigin(opts.BaseURL),
		secure:      strings.HasPrefix(strings.ToLower(opts.BaseURL), "https://"),
		basePath:    weburl.Path(opts.BaseURL),
	}
	byPattern := map[string][]Route{}
	for _, route := range routes {
		if route.handle == nil {
			continue
		}
		byPattern[route.Pattern] = append(byPattern[route.Pattern], route)
	}
	for pattern, routes := range byPattern {
		if pattern == "/" {
			pattern = "/{$}" // "/" would match every path
		}
		s.mux.Handle(pattern, s.endpoint(routes))
	}
	s.mux.Handle(dashboard, s.Dashboard)
	s.mux.Handle(dashboard+"/", s.Dashboard)
	s.mux.HandleFunc("/", s.unknown)
	return s
}

func newManager(opts Options) *manage.Manager {
	return manage.New(manage.Options{
		Hosts: opts.Hosts, Reserved: reserved, HashPassword: opts.HashPassword,
		Naming: terse.Naming{IgnoreCase: opts.IgnoreCase}, Users: opts.Store,
		Blocked: opts.Blocked,
	})
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	s.allowOrigin(w, r)
	// ServeMux redirects paths that are not clean; here they are not routes. The same goes for a
	// trailing slash, except the dashboard's.
	p := r.URL.EscapedPath()
	if clean := path.Clean(p); p != clean && (p != clean+"/" ||
		!strings.HasPrefix(p, dashboard+"/")) {
		s.unknown(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

func (s *service) unknown(w http.ResponseWriter, r *http.Request) {
	r.Pattern = ""
	s.fail(w, r, errUnknownRoute)
}

// endpoint serves the routes of one pattern.
func (s *service) endpoint(routes []Route) http.HandlerFunc {
	allow := s.allow(routes)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions && slices.Contains(allow, http.MethodOptions) {
			s.preflight(w, r, allow)
			return
		}
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		i := slices.IndexFunc(routes, func(route Route) bool { return route.Method == method })
		if i < 0 {
			w.Header().Set("Allow", strings.Join(allow, ", "))
			s.fail(w, r, errMethod)
			return
		}
		if err := s.serve(w, r, routes[i]); err != nil {
			s.fail(w, r, err)
		}
	}
}

// allow lists the methods of one pattern's routes.
func (s *service) allow(routes []Route) []string {
	var methods []string
	for _, route := range routes {
		methods = append(methods, route.Method)
		if route.Method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	if len(s.AllowedOrigins) > 0 && strings.HasPrefix(routes[0].Pattern, apiPrefix) {
		methods = append(methods, http.MethodOptions)
	}
	slices.Sort(methods)
	return methods
}

// serve authenticates before it looks at anything else in the request.
func (s *service) serve(w http.ResponseWriter, r *http.Request, route Route) error {
	var by terse.Caller
	switch {
	case route.Auth == MetricsToken && s.MetricsAuth:
		var err error
		if by, err = s.authenticateToken(r); err != nil { // only failures are limited
			return err
		}
		if !by.Role.Allows(route.Role) {
			return terse.NeedsRole(route.Role)
		}
	case route.Auth == Token, route.Auth == Unmetered:
		var err error
		if by, err = s.admit(w, r, costOf(route)); err != nil {
			return err
		}
		if by.Owner, err = s.permit(r, route, by); err != nil {
			return err
		}
		if route.Domains != AnyDomain {
			if r, err = s.withDomain(r); err != nil {
				return err
			}
		}
	case route.Auth == Limited:
		if err := (policy{"api", s.Limit, clientAddr(r)}).take(w, 1); err != nil {
			return err
		}
	}
	return route.handle(s, w, r, by)
}

// unmetered is the cost of a request that a client may send without budget.
const unmetered = -1

func costOf(route Route) int {
	switch {
	case route.Auth == Unmetered:
		return unmetered
	case route.Pattern == bulkPath:
		return 0 // its cost is known once it is read
	}
	return 1
}

// admit returns who sent a request, and takes the request's cost from its budget.
func (s *service) admit(w http.ResponseWriter, r *http.Request, cost int) (
	by terse.Caller, err error,
) {
	if by, err = s.authenticate(r); err != nil {
		return by, err
	}
	if by.Via == terse.ViaSession && s.crossOrigin.Check(r) != nil {
		return by, errCrossOrigin
	}
	if cost == unmetered {
		return by, nil
	}
	return by, s.policyOf(by).take(w, cost)
}

// authenticate returns who a request comes from, by its token or, without one, by its session. A
// failure takes from the client's budget.
func (s *service) authenticate(r *http.Request) (by terse.Caller, err error) {
	by, err = s.Gate.Bearer(r.Header["Authorization"])
	if err == auth.ErrMissing { //nolint:errorlint // a constant, and not wrapped
		if cookie, none := r.Cookie(sessionCookie); none == nil {
			by, _, err = s.Gate.Session(cookie.Value)
		}
	}
	by.Address, by.RequestID = clientAddr(r), r.Header.Get("X-Request-ID")
	return by, s.failed(r, err)
}

// authenticateToken is like authenticate, but takes tokens only.
func (s *service) authenticateToken(r *http.Request) (by terse.Caller, err error) {
	by, err = s.Gate.Bearer(r.Header["Authorization"])
	return by, s.failed(r, err)
}

// failed returns an error of the gate, or a rate limit error if it is the caller's fault, and that
// too often.
func (s *service) failed(r *http.Request, err error) error {
	if _, failed := errors.AsType[auth.Error](err); failed {
		return s.limitFailure(r, err)
	}
	return err
}

// limitFailure returns err, or a rate limit error if the caller failed too often.
func (s *service) limitFailure(r *http.Request, err error) error {
	if wait := s.LimitFailures(clientAddr(r)); wait > 0 {
		return limited(wait)
	}
	return err
}

// clientAddr returns the client's address, or the zero Addr if the server gave none. The limiter
// takes all zero Addrs for one client.
func clientAddr(r *http.Request) netip.Addr {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Addr().Unmap()
}

// storeContext returns the context for everything that a request asks of the store, except
// questions about clicks. It outlives a client that goes away: the work is short, and interrupting
// a statement may cost its database connection.
func (s *service) storeContext(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), s.StoreTimeout)
}
