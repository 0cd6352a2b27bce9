package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// Auth is what a route asks of the caller.
type Auth uint8

// What a route may ask.
const (
	Public       Auth = iota // nothing
	Token                    // a bearer token or a session; the route is rate limited
	MetricsToken             // a bearer token when Options.MetricsAuth is set
	SignedIn                 // a session; failures are rate limited
	SigningIn                // nothing yet; failures are rate limited
	Limited                  // nothing; the route is rate limited
)

// Route is one operation of the interface. A route for GET also answers HEAD.
type Route struct {
	Method  string // for example "GET"
	Pattern string // in http.ServeMux's and OpenAPI's notation, for example "/api/urls/{shortCode}"
	Auth    Auth

	// handle is nil for what the data plane serves.
	handle func(s *service, w http.ResponseWriter, r *http.Request, identity string) error
}

const (
	apiPrefix   = "/api/"
	dashboard   = "/ui" // where the page is, which is no part of the interface
	sharePrefix = dashboard + "/share/"
)

// routes is every route there is, one line for each operation of openapi.yaml.
var routes = []Route{
	{"POST", "/api/urls", Token, (*service).create},
	{"GET", "/api/urls", Token, (*service).list},
	{"GET", "/api/urls/{shortCode}", Token, (*service).read},
	{"PATCH", "/api/urls/{shortCode}", Token, (*service).update},
	{"DELETE", "/api/urls/{shortCode}", Token, (*service).remove},
	{"GET", "/api/urls/{shortCode}/analytics", Token, (*service).analytics},
	{"GET", "/api/urls/{shortCode}/clicks", Token, (*service).clicks},
	{"DELETE", "/api/urls/{shortCode}/clicks", Token, (*service).clearClicks},
	{"GET", "/api/urls/{shortCode}/events", Token, (*service).events},
	{"GET", "/api/urls/{shortCode}/history", Token, (*service).history},
	{"POST", "/api/urls/{shortCode}/share", Token, (*service).share},
	{"GET", "/api/urls/{shortCode}/share", Token, (*service).readShare},
	{"DELETE", "/api/urls/{shortCode}/share", Token, (*service).unshare},
	{"POST", bulkPath, Token, (*service).bulk},
	{"GET", "/api/tags", Token, (*service).tags},
	{"PATCH", "/api/tags/{tag}", Token, (*service).renameTag},
	{"DELETE", "/api/tags/{tag}", Token, (*service).removeTag},
	{"GET", "/api/events", Token, (*service).allEvents},
	{"GET", "/api/overview", Token, (*service).overview},
	{"GET", "/api/recent", Token, (*service).recent},
	{"GET", "/api/unknown", Token, (*service).unknownCodes},
	{"POST", "/ui/session", SigningIn, (*service).signIn},
	{"GET", "/ui/session", SignedIn, (*service).readSession},
	{"DELETE", "/ui/session", Public, (*service).signOut},
	{"GET", sharePrefix + "{share}", Public, (*service).sharePage},
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

// Routes returns every operation of the interface, including the redirect, which the data
// plane serves.
func Routes() []Route { return slices.Clone(routes) }

// Reserved returns the first path segments of all routes but the redirect, which can't be
// short codes; that of GET / is empty. Case matters.
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
