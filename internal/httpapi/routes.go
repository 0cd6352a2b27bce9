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
	OnlyFailures             // nothing; failures are rate limited
	Limited                  // nothing; the route is rate limited
)

// Owners is whose links, tokens and the like a request may be about.
type Owners uint8

// Whose things a request may be about, beside the caller's own.
const (
	Own Owners = iota // nobody else's
	One               // those of an owner that the request names
	All               // those of all owners, too
)

// Route is one operation of the interface. A route for GET also answers HEAD.
type Route struct {
	Method  string // for example "GET"
	Pattern string // in http.ServeMux's and OpenAPI's notation, for example "/api/urls/{shortCode}"
	Auth    Auth
	// Role is what the caller needs at least, if the route requires authentication. For what others
	// own, it takes an auditor to read it, and an admin to change it.
	Role terse.Role
	// Owners is whether the route knows the parameter owner.
	Owners Owners
	// Domains is whether the route knows the parameter domain.
	Domains Domains

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

	linkClicks    = "/api/urls/{shortCode}/clicks"
	userSessions  = "/api/users/{identity}/sessions"
	linkShare     = "/api/urls/{shortCode}/share"
	tagShare      = "/api/tags/{tag}/share"
	overviewShare = "/api/overview/share"
)

// Short names for the columns of roles and domains.
const (
	none    = terse.NoRole
	viewer  = terse.Viewer
	editor  = terse.Editor
	auditor = terse.Auditor
	admin   = terse.Admin

	no   = AnyDomain
	one  = OneDomain
	some = Filtered
)

// routes are all routes, one line for each operation of openapi.yaml.
var routes = []Route{
	{"POST", "/api/urls", Token, editor, Own, no, (*service).create},
	{"GET", "/api/urls", Token, viewer, All, some, (*service).list},
	{"GET", "/api/urls/{shortCode}", Token, viewer, All, one, timed((*service).read)},
	{"PATCH", "/api/urls/{shortCode}", Token, editor, All, one, (*service).update},
	{"DELETE", "/api/urls/{shortCode}", Token, editor, All, one, (*service).remove},
	{"GET", "/api/urls/{shortCode}/analytics", Token, viewer, All, one, (*service).analytics},
	{"GET", linkClicks, Token, viewer, All, one, (*service).clicks},
	{"DELETE", linkClicks, Token, editor, All, one, timed((*service).clearClicks)},
	{"GET", "/api/urls/{shortCode}/events", Token, viewer, All, one, (*service).events},
	{"GET", "/api/urls/{shortCode}/history", Token, viewer, All, one, ofLink((*service).history)},
	{"POST", linkShare, Token, editor, All, one, makeShare(linkOfPath)},
	{"GET", linkShare, Token, viewer, All, one, readShare(linkOfPath)},
	{"PATCH", linkShare, Token, editor, All, one, updateShare(linkOfPath)},
	{"DELETE", linkShare, Token, editor, All, one, unshare(linkOfPath)},
	{"POST", bulkPath, Token, editor, All, no, (*service).bulk},
	{"GET", "/api/tags", Token, viewer, All, no, timed((*service).tags)},
	{"PATCH", "/api/tags/{tag}", Token, editor, One, no, (*service).renameTag},
	{"DELETE", "/api/tags/{tag}", Token, editor, One, no, (*service).removeTag},
	{"POST", tagShare, Token, editor, One, no, makeShare(tagOfPath)},
	{"GET", tagShare, Token, viewer, One, no, readShare(tagOfPath)},
	{"PATCH", tagShare, Token, editor, One, no, updateShare(tagOfPath)},
	{"DELETE", tagShare, Token, editor, One, no, unshare(tagOfPath)},
	{"GET", "/api/events", Token, viewer, All, some, (*service).allEvents},
	{"GET", "/api/overview", Token, viewer, All, some, (*service).overview},
	{"POST", overviewShare, Token, editor, One, no, makeShare(allLinks)},
	{"GET", overviewShare, Token, viewer, One, no, readShare(allLinks)},
	{"PATCH", overviewShare, Token, editor, One, no, updateShare(allLinks)},
	{"DELETE", overviewShare, Token, editor, One, no, unshare(allLinks)},
	{"GET", "/api/shares", Token, viewer, One, no, timed((*service).shares)},
	{"GET", "/api/recent", Token, viewer, All, no, (*service).recent},
	{"GET", "/api/unknown", Token, auditor, Own, no, timed((*service).unknownCodes)},
	{"GET", "/api/audit", Token, auditor, Own, no, timed((*service).audit)},
	{"GET", "/api/domains", Token, viewer, Own, no, timed((*service).domains)},
	{"PATCH", "/api/domains/{domain}", Token, admin, Own, no, (*service).updateDomain},
	{"GET", "/api/export", Unmetered, editor, All, some, (*service).export},
	{"POST", importPath, Unmetered, editor, One, no, (*service).importLinks},
	{"GET", "/api/me", Token, viewer, Own, no, timed((*service).me)},
	{"POST", tokensPath, Token, viewer, One, no, (*service).createToken},
	{"GET", tokensPath, Token, viewer, All, no, timed((*service).tokens)},
	{"GET", tokensPath + "/{id}", Token, viewer, All, no, timed((*service).readToken)},
	{"DELETE", tokensPath + "/{id}", Token, viewer, All, no, timed((*service).removeToken)},
	{"POST", webhooksPath, Token, editor, All, no, (*service).createWebhook},
	{"GET", webhooksPath, Token, editor, All, no, timed((*service).webhooks)},
	{"GET", webhookPath, Token, editor, All, no, timed((*service).readWebhook)},
	{"PATCH", webhookPath, Token, editor, All, no, (*service).updateWebhook},
	{"DELETE", webhookPath, Token, editor, All, no, timed((*service).removeWebhook)},
	{"POST", webhookPath + "/rotate", Token, editor, All, no, (*service).rotateWebhook},
	{"POST", webhookPath + "/test", Token, editor, All, no, timed((*service).testWebhook)},
	{"GET", webhookPath + "/deliveries", Token, editor, All, no, timed((*service).deliveries)},
	{"GET", deliveryPath, Token, editor, All, no, timed((*service).readDelivery)},
	{"POST", deliveryPath + "/retry", Token, editor, All, no, timed((*service).retryDelivery)},
	{"GET", "/api/users", Token, auditor, Own, no, timed((*service).users)},
	{"PATCH", "/api/users/{identity}", Token, admin, Own, no, (*service).updateUser},
	{"DELETE", "/api/users/{identity}", Token, admin, Own, no, (*service).removeUser},
	{"DELETE", userSessions, Token, viewer, Own, no, timed((*service).endSessions)},
	{"POST", "/ui/session", SigningIn, none, Own, no, (*service).signIn},
	{"GET", "/ui/session", SignedIn, none, Own, no, (*service).readSession},
	{"DELETE", "/ui/session", OnlyFailures, none, Own, no, (*service).signOut},
	{"GET", oidcPath + "/login", Public, none, Own, no, (*service).toProvider},
	{"GET", oidcPath + "/callback", OnlyFailures, none, Own, no, (*service).fromProvider},
	{"GET", sharePrefix + "{share}", Public, none, Own, no, timed((*service).sharePage)},
	{"POST", sharePrefix + "{share}", Public, none, Own, no, (*service).openShare},
	{"GET", sharePrefix + "{share}/clicks", Limited, none, Own, no, (*service).sharedClicks},
	{"GET", sharePrefix + "{share}/overview", Limited, none, Own, no, (*service).sharedOverview},
	{"GET", "/", Public, none, Own, no, (*service).root},
	{"GET", "/{shortCode}", Public, none, Own, no, nil},
	{"POST", "/{shortCode}", Public, none, Own, no, nil},
	{"GET", "/{shortCode}+", Public, none, Own, no, nil},
	{"GET", "/{shortCode}.svg", Public, none, Own, no, nil},
	{"GET", "/{shortCode}.png", Public, none, Own, no, nil},
	{"GET", "/robots.txt", Public, none, Own, no, (*service).robots},
	{"GET", "/favicon.ico", Public, none, Own, no, (*service).favicon},
	{"GET", "/health", Public, none, Own, no, (*service).health},
	{"GET", "/ready", Public, none, Own, no, (*service).ready},
	{"GET", "/metrics", MetricsToken, viewer, Own, no, (*service).metrics},
	{"GET", "/openapi.yaml", Public, none, Own, no, (*service).openAPI},
}

// Headers that pages of an allowed origin may send, and headers of answers that they may read. The
// Fetch standard (2.2.2) always allows others.
var (
	requestHeaders = []string{
		"Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-Match",
		"If-None-Match", "Prefer", "X-Request-ID",
	}
	answerHeaders = []string{
		"Allow", "Content-Disposition", "ETag", "Error-Field", "Idempotent-Replayed", "RateLimit",
		"RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-ID",
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

// Everywhere reports whether a path is served on all domains. Others of Reserved, but "/", are
// served on the default domain only.
func Everywhere(path []byte) bool {
	switch string(path) {
	case "/health", "/ready", "/robots.txt", "/favicon.ico":
		return true
	}
	return false
}

// Unencrypted returns what reports whether a path is also served to who does not encrypt, although
// the server has a certificate: what watches a machine has no name to check. It asks for no token.
func Unencrypted(metricsAuth bool) func(path []byte) bool {
	return func(path []byte) bool {
		switch string(path) {
		case "/health", "/ready":
			return true
		case "/metrics":
			return !metricsAuth
		}
		return false
	}
}
