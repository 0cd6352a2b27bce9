// Package httpapi provides the control plane: the authenticated API, the dashboard's sessions, the
// operational routes and the OpenAPI document, as one net/http handler.
//
// It decodes, validates and turns errors into statuses. It runs no SQL, serves no
// redirect, writes no access log, and never shows a caller an error that is not meant for
// callers. Strings of a request may point into memory that the server uses again: nothing
// of a request is kept after it was answered, other than copies.
package httpapi

import (
	"context"
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
	"terse/internal/manage"
)

// Store is what the control plane needs of the store.
type Store interface {
	terse.Links
	terse.Clicks
	Check(ctx context.Context) error
	Unknown(ctx context.Context, day terse.Day) (map[string]terse.UnknownCodes, error)
}

// Options are what the control plane needs. Everything is required unless its comment says
// otherwise.
type Options struct {
	Store Store
	// StoreTimeout bounds what one request may wait for the store, for example 5s.
	StoreTimeout time.Duration
	// Questions is how many questions about clicks are answered at a time; 0: 1. Each wait for its
	// turn, and each turn, may take StoreTimeout.
	Questions int
	Tokens    *auth.Tokens
	// BaseURL is what short_url starts with, without a slash at its end, for example
	// "https://sho.rt".
	BaseURL string
	// Dashboard serves /ui, /ui/ and all below but /ui/session and shares.
	Dashboard http.Handler
	// SharePage serves the page of a share, with status 404 the one that says that there is none.
	SharePage func(w http.ResponseWriter, r *http.Request, status int)
	// RootRedirect is where GET / leads, for example "/ui/" or "https://example.com/".
	RootRedirect string
	// Limit is asked on API routes after successful authentication by token, and on those that are
	// Limited.
	Limit Budget
	// Stopping is closed when the server is about to stop: a bulk request ends early then, and says
	// what was done. nil: it never is.
	Stopping <-chan struct{}
	// LimitSessions is the same for authentication by session.
	LimitSessions Budget
	// LimitFailures takes a request from a client's budget and returns 0, or, over budget, how long
	// to wait. It is asked for requests whose authentication failed, also at operational routes.
	LimitFailures func(netip.Addr) time.Duration
	// HashPassword returns what is kept of the password of a link.
	HashPassword func(string) string
	// Changed is called after a link was created or deleted, or may have been, and before
	// the request is answered.
	Changed func(terse.Code)
	// Metrics serves GET /metrics, and wants a token when MetricsAuth is set.
	Metrics     http.Handler
	MetricsAuth bool
	// AllowedOrigins are the origins that browsers may call the API from, for example
	// "https://app.example", or "*" for any. None: no CORS headers.
	AllowedOrigins []string
	// Warnings returns what operators should know though the service is ready, for example "click
	// journal: no space left on device". GET /ready?verbose shows it to those with a token. May be
	// nil.
	Warnings func() []string
	Logger   *slog.Logger
}

// Budget is how many requests each client may send in a minute. A client that is over it waits for
// as long as the methods return.
type Budget interface {
	// Take takes a request from a client's budget.
	Take(client netip.Addr) (wait time.Duration)
	// TakeAll takes n requests, up to the Limit, or none of them. With 0 it takes nothing, and
	// returns what Take would.
	TakeAll(client netip.Addr, n int) (wait time.Duration)
	// Limit returns the most requests that there are for a client; 0 is any number.
	Limit() int
}

// service is the handler that New returns.
type service struct {
	Options
	mux         *http.ServeMux
	manager     *manage.Manager
	questions   *questions
	crossOrigin *http.CrossOriginProtection
	secure      bool       // BaseURL is an https URL
	gathering   sync.Mutex // held while metrics are gathered
	underWay    keySet     // of requests that take several transactions
}

// New returns the handler of all Routes but the redirect, which is the data plane's. It leaves the
// request's Pattern as that of the route, or empty for an unknown one. The server around it has put
// the client's address into RemoteAddr and a valid X-Request-ID into the headers, leaves
// X-Forwarded-Proto to trusted proxies alone, recovers panics, and leaves out the bodies of answers
// to HEAD, as net/http does.
func New(opts Options) http.Handler {
	s := &service{
		Options: opts, mux: http.NewServeMux(),
		manager: manage.New(manage.Options{
			BaseURL: opts.BaseURL, Reserved: reserved, HashPassword: opts.HashPassword,
		}),
		questions:   newQuestions(opts.Questions, opts.StoreTimeout, opts.Logger),
		crossOrigin: newCrossOrigin(opts.BaseURL),
		secure:      strings.HasPrefix(strings.ToLower(opts.BaseURL), "https://"),
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
			pattern = "/{$}" // alone it would be every path
		}
		s.mux.Handle(pattern, s.endpoint(routes))
	}
	s.mux.Handle(dashboard, s.Dashboard)
	s.mux.Handle(dashboard+"/", s.Dashboard)
	s.mux.HandleFunc("/", s.unknown)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	s.allowOrigin(w, r)
	// ServeMux answers a path that is not clean with a redirect; here it is no route. That
	// includes one with a slash at its end, except the dashboard's.
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

// serve authenticates before anything else of the request is looked at.
func (s *service) serve(w http.ResponseWriter, r *http.Request, route Route) error {
	var identity string
	switch {
	case route.Auth == MetricsToken && s.MetricsAuth:
		if _, err := s.Tokens.Authenticate(r.Header["Authorization"]); err != nil {
			return s.limitFailure(r, err) // successes are not limited
		}
	case route.Auth == Token:
		var err error
		cost := 1
		if route.Pattern == bulkPath {
			cost = 0 // what it costs is known when it is read
		}
		if identity, err = s.admit(r, cost); err != nil {
			return err
		}
	case route.Auth == Limited:
		if wait := s.Limit.Take(clientAddr(r)); wait > 0 {
			return limited(wait)
		}
	}
	return route.handle(s, w, r, identity)
}

// admit returns the identity that may use the API with this request, and takes its cost.
func (s *service) admit(r *http.Request, cost int) (string, error) {
	identity, bySession, err := s.authenticate(r)
	if err != nil {
		return "", s.limitFailure(r, err)
	}
	if bySession && s.crossOrigin.Check(r) != nil {
		return "", errCrossOrigin
	}
	if wait := s.budget(bySession).TakeAll(clientAddr(r), cost); wait > 0 {
		return "", limited(wait)
	}
	return identity, nil
}

func (s *service) budget(bySession bool) Budget {
	if bySession {
		return s.LimitSessions
	}
	return s.Limit
}

// limitFailure returns err, or the error of a caller that failed too often.
func (s *service) limitFailure(r *http.Request, err error) error {
	if wait := s.LimitFailures(clientAddr(r)); wait > 0 {
		return limited(wait)
	}
	return err
}

// clientAddr returns the zero Addr, one client to the limiter, when the server gave none.
func clientAddr(r *http.Request) netip.Addr {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Addr().Unmap()
}

// storeContext returns the context for all that one request asks of the store, but for questions
// about clicks. What was begun is finished also when the client goes away: it does not take long,
// and to cut a statement off may cost its connection to the database.
func (s *service) storeContext(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), s.StoreTimeout)
}
