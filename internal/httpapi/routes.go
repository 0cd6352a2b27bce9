package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"terse"
)

// Auth is what a route requires of the caller.
type Auth uint8

// What a route may require.
const (
	Public       Auth = iota // nothing
	Token                    // a bearer token or a session; the route is rate limited
	Unmetered                // a bearer token or a session; failures are rate limited
	MetricsToken             // a bearer token if Options.MetricsAuth is set
	SignedIn                 // a session; failures are rate limited
	SigningIn                // nothing yet; failures are rate limited
	Limited                  // nothing; the route is rate limited
)

// Route is one operation of the interface. A route for GET also answers HEAD.
type Route struct {
	Method  string // for example "GET"
	Pattern string // in http.ServeMux's and OpenAPI's notation, for example "/api/urls/{shortCode}"
	Auth    Auth

	handle handler // nil if the data plane serves it
}

// handler serves a route. by sent the request, if the route requires authentication.
type handler func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error

// timed wraps a handler that asks the store, and bounds the request's context.
func timed(handle handler) handler {
	return func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error {
		ctx, cancel := s.storeContext(r)
		defer cancel()
		return handle(s, w, r.WithContext(ctx), by)
	}
}

// ofLink is like timed, for a handler of the link that the path names. Only the link's creator may
// use it.
func ofLink(
	handle func(s *service, w http.ResponseWriter, r *http.Request, link terse.Link) error,
) handler {
	return timed(func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error {
		link, err := s.owned(r, by, terse.ErrStatsForbidden)
		if err != nil {
			return err
		}
		if err := handle(s, w, r, link); err != nil {
			return fmt.Errorf("link %s: %w", link.Code, err)
		}
		return nil
	})
}

const (
	apiPrefix   = "/api/"
	dashboard   = "/ui" // the page, which is not part of the API
	sharePrefix = dashboard + "/share/"
)

// routes are all routes, one line for each operation of openapi.yaml.
var routes = []Route{
	{"POST", "/api/urls", Token, (*service).create},
	{"GET", "/api/urls", Token, (*service).list},
	{"GET", "/api/urls/{shortCode}", Token, timed((*service).read)},
	{"PATCH", "/api/urls/{shortCode}", Token, (*service).update},
	{"DELETE", "/api/urls/{shortCode}", Token, (*service).remove},
	{"GET", "/api/urls/{shortCode}/analytics", Token, (*service).analytics},
	{"GET", "/api/urls/{shortCode}/clicks", Token, (*service).clicks},
	{"DELETE", "/api/urls/{shortCode}/clicks", Token, timed((*service).clearClicks)},
	{"GET", "/api/urls/{shortCode}/events", Token, (*service).events},
	{"GET", "/api/urls/{shortCode}/history", Token, ofLink((*service).history)},
	{"POST", "/api/urls/{shortCode}/share", Token, (*service).share},
	{"GET", "/api/urls/{shortCode}/share", Token, ofLink((*service).readShare)},
	{"DELETE", "/api/urls/{shortCode}/share", Token, timed((*service).unshare)},
	{"POST", bulkPath, Token, (*service).bulk},
	{"GET", "/api/tags", Token, timed((*service).tags)},
	{"PATCH", "/api/tags/{tag}", Token, (*service).renameTag},
	{"DELETE", "/api/tags/{tag}", Token, (*service).removeTag},
	{"GET", "/api/events", Token, (*service).allEvents},
	{"GET", "/api/overview", Token, (*service).overview},
	{"GET", "/api/recent", Token, (*service).recent},
	{"GET", "/api/unknown", Token, timed((*service).unknownCodes)},
	{"GET", "/api/export", Unmetered, (*service).export},
	{"POST", importPath, Unmetered, (*service).importLinks},
	{"POST", "/ui/session", SigningIn, (*service).signIn},
	{"GET", "/ui/session", SignedIn, (*service).readSession},
	{"DELETE", "/ui/session", Public, (*service).signOut},
	{"GET", sharePrefix + "{share}", Public, timed((*service).sharePage)},
	{"GET", sharePrefix + "{share}/clicks", Limited, (*service).sharedClicks},
	{"GET", "/", Public, (*service).root},
	{"GET", "/{shortCode}", Public, nil},
	{"POST", "/{shortCode}", Public, nil},
	{"GET", "/{shortCode}+", Public, nil},
	{"GET", "/{shortCode}.svg", Public, nil},
	{"GET", "/{shortCode}.png", Public, nil},
	{"GET", "/robots.txt", Public, (*service).robots},
	{"GET", "/favicon.ico", Public, (*service).favicon},
	{"GET", "/health", Public, (*service).health},
	{"GET", "/ready", Public, (*service).ready},
	{"GET", "/metrics", MetricsToken, (*service).metrics},
	{"GET", "/openapi.yaml", Public, (*service).openAPI},
}

// Headers that pages of an allowed origin may send, and headers of answers that they may read. The
// Fetch standard (2.2.2) always allows others.
var (
	requestHeaders = []string{
		"Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-Match",
		"If-None-Match", "Prefer", "X-Request-ID",
	}
	answerHeaders = []string{
		"Allow", "Content-Disposition", "ETag", "Error-Field", "Idempotent-Replayed", "Retry-After",
		"WWW-Authenticate", "X-Request-ID",
	}
)

// Routes returns every operation of the interface, including the redirect, which the data plane
// serves.
func Routes() []Route { return slices.Clone(routes) }

// Reserved returns the first path segments of all routes but the redirect, which can't be short
// codes. GET / has an empty one. Case matters.
func Reserved() []string {
	var segments []string
	for _, route := range routes {
		if first, _, _ := strings.Cut(route.Pattern[1:], "/"); route.handle != nil &&
			!slices.Contains(segments, first) {
			segments = append(segments, first)
		}
	}
	return segments
}

// reserved reports whether a path segment is one of Reserved.
func reserved(segment string) bool { return slices.Contains(Reserved(), segment) }
