package httpapi_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/auth"
	"terse/internal/httpapi"
)

// permission says who may use a route.
type permission struct {
	role terse.Role // needed for one's own
	// owners is whose things the route knows beside one's own: "", "one" of somebody, or "all".
	owners       string
	target, body string // a request that changes nothing if it is permitted; {n} is a number
	// foreign is what somebody is told about the link of somebody else; "": the route is about no
	// link. The target has {code}.
	foreign string
	then    terse.Role // needed for what the request names
	manages bool       // a token must not use it, unless it is an admin's
	tokens  bool       // sessions can't use it
}

const (
	viewer, editor, auditor, admin = terse.Viewer, terse.Editor, terse.Auditor, terse.Admin

	readForeign   = "unauthorized to view analytics for this URL"
	updateForeign = "unauthorized to update this URL"
	deleteForeign = "unauthorized to delete this URL"
)

// permissions are all routes that want to know who asks.
var permissions = map[string]permission{
	"POST /api/urls": {
		role: editor, target: "/api/urls",
		body: `{"original_url":"https://example.com/"}`,
	},
	"GET /api/urls": {role: viewer, owners: "all", target: "/api/urls"},
	"GET /api/urls/{shortCode}": {
		role: viewer, owners: "all", target: "/api/urls/{code}", foreign: readForeign,
	},
	"PATCH /api/urls/{shortCode}": {
		role: editor, owners: "all", target: "/api/urls/{code}", body: `{}`,
		foreign: updateForeign,
	},
	"DELETE /api/urls/{shortCode}": {
		role: editor, owners: "all", target: "/api/urls/{code}", foreign: deleteForeign,
	},
	"GET /api/urls/{shortCode}/analytics": {
		role: viewer, owners: "all", target: "/api/urls/{code}/analytics", foreign: readForeign,
	},
	"GET /api/urls/{shortCode}/clicks": {
		role: viewer, owners: "all", target: "/api/urls/{code}/clicks", foreign: readForeign,
	},
	"DELETE /api/urls/{shortCode}/clicks": {
		role: editor, owners: "all", target: "/api/urls/{code}/clicks",
		foreign: "unauthorized to update this URL",
	},
	"GET /api/urls/{shortCode}/events": {
		role: viewer, owners: "all", target: "/api/urls/{code}/events", foreign: readForeign,
	},
	"GET /api/urls/{shortCode}/history": {
		role: viewer, owners: "all", target: "/api/urls/{code}/history", foreign: readForeign,
	},
	"POST /api/urls/{shortCode}/share": {
		role: editor, owners: "all", target: "/api/urls/{code}/share", foreign: readForeign,
	},
	"GET /api/urls/{shortCode}/share": {
		role: viewer, owners: "all", target: "/api/urls/{code}/share", foreign: readForeign,
	},
	"PATCH /api/urls/{shortCode}/share": {
		role: editor, owners: "all", target: "/api/urls/{code}/share", foreign: readForeign,
		body: `{"title":"a"}`,
	},
	"POST /api/tags/{tag}/share": {role: editor, owners: "one", target: "/api/tags/none/share"},
	"GET /api/tags/{tag}/share":  {role: viewer, owners: "one", target: "/api/tags/none/share"},
	"PATCH /api/tags/{tag}/share": {
		role: editor, owners: "one", target: "/api/tags/none/share", body: `{"title":"a"}`,
	},
	"DELETE /api/tags/{tag}/share": {role: editor, owners: "one", target: "/api/tags/none/share"},
	"POST /api/overview/share":     {role: editor, owners: "one", target: "/api/overview/share"},
	"GET /api/overview/share":      {role: viewer, owners: "one", target: "/api/overview/share"},
	"PATCH /api/overview/share": {
		role: editor, owners: "one", target: "/api/overview/share", body: `{"title":"a"}`,
	},
	"DELETE /api/overview/share": {role: editor, owners: "one", target: "/api/overview/share"},
	"GET /api/shares":            {role: viewer, owners: "one", target: "/api/shares"},
	"DELETE /api/urls/{shortCode}/share": {
		role: editor, owners: "all", target: "/api/urls/{code}/share", foreign: readForeign,
	},
	"POST /api/bulk": {
		role: editor, owners: "all", target: "/api/bulk",
		body: `{"operations":[{"op":"delete","short_code":"nothere"}]}`,
	},
	"GET /api/tags": {role: viewer, owners: "all", target: "/api/tags"},
	"PATCH /api/tags/{tag}": {
		role: editor, owners: "one", target: "/api/tags/none", body: `{"name":"other"}`,
	},
	"DELETE /api/tags/{tag}": {role: editor, owners: "one", target: "/api/tags/none"},
	"GET /api/events":        {role: viewer, owners: "all", target: "/api/events"},
	"GET /api/overview":      {role: viewer, owners: "all", target: "/api/overview"},
	"GET /api/recent":        {role: viewer, owners: "all", target: "/api/recent?short_codes=none"},
	"GET /api/unknown":       {role: auditor, target: "/api/unknown"},
	"GET /api/audit":         {role: auditor, target: "/api/audit"},
	"GET /api/domains":       {role: viewer, target: "/api/domains"},
	"PATCH /api/domains/{domain}": {
		role: admin, target: "/api/domains/sho.rt", body: `{}`,
	},
	"GET /api/export": {role: editor, owners: "all", target: "/api/export"},
	"POST /api/import": {
		role: editor, owners: "one", target: "/api/import?dry_run=true",
		body: `{"type":"link","short_code":"imported","original_url":"https://example.com/"}`,
	},
	"GET /api/me": {role: viewer, target: "/api/me"},
	"POST /api/tokens": {
		role: viewer, owners: "one", target: "/api/tokens", body: `{"name":"{n}"}`, manages: true,
	},
	"GET /api/tokens": {role: viewer, owners: "all", target: "/api/tokens", manages: true},
	"GET /api/tokens/{id}": {
		role: viewer, owners: "all", target: "/api/tokens/nothere", manages: true,
	},
	"DELETE /api/tokens/{id}": {
		role: viewer, owners: "all", target: "/api/tokens/nothere", manages: true,
	},
	"POST /api/webhooks": {
		role: editor, owners: "all", target: "/api/webhooks",
		body: `{"url":"https://hooks.example/{n}","events":["clicks"]}`,
	},
	"GET /api/webhooks":           {role: editor, owners: "all", target: "/api/webhooks"},
	"GET /api/webhooks/{webhook}": {role: editor, owners: "all", target: "/api/webhooks/nothere"},
	"PATCH /api/webhooks/{webhook}": {
		role: editor, owners: "all", target: "/api/webhooks/nothere", body: `{}`,
	},
	"DELETE /api/webhooks/{webhook}": {
		role: editor, owners: "all", target: "/api/webhooks/nothere",
	},
	"POST /api/webhooks/{webhook}/rotate": {
		role: editor, owners: "all", target: "/api/webhooks/nothere/rotate",
	},
	"POST /api/webhooks/{webhook}/test": {
		role: editor, owners: "all", target: "/api/webhooks/nothere/test",
	},
	"GET /api/webhooks/{webhook}/deliveries": {
		role: editor, owners: "all", target: "/api/webhooks/nothere/deliveries",
	},
	"GET /api/webhooks/{webhook}/deliveries/{delivery}": {
		role: editor, owners: "all", target: "/api/webhooks/nothere/deliveries/msg_1",
	},
	"POST /api/webhooks/{webhook}/deliveries/{delivery}/retry": {
		role: editor, owners: "all", target: "/api/webhooks/nothere/deliveries/msg_1/retry",
	},
	"GET /api/users": {role: auditor, target: "/api/users"},
	"PATCH /api/users/{identity}": {
		role: admin, target: "/api/users/nobody", body: `{"role":"viewer"}`,
	},
	"DELETE /api/users/{identity}": {role: admin, target: "/api/users/nobody"},
	"DELETE /api/users/{identity}/sessions": {
		role: viewer, then: admin, target: "/api/users/nobody/sessions",
	},
	"GET /metrics": {role: viewer, target: "/metrics", tokens: true},
}

// open are all other routes.
var open = []string{
	"POST /ui/session", "GET /ui/session", "DELETE /ui/session", "GET /ui/oidc/login",
	"GET /ui/oidc/callback", "GET /ui/share/{share}", "POST /ui/share/{share}",
	"GET /ui/share/{share}/clicks", "GET /ui/share/{share}/overview", "GET /",
	"GET /{shortCode}", "POST /{shortCode}", "GET /{shortCode}+", "GET /{shortCode}.svg",
	"GET /{shortCode}.png", "GET /robots.txt", "GET /favicon.ico", "GET /health", "GET /ready",
	"GET /openapi.yaml",
}

// someone is a caller of the tests.
type someone struct {
	name      string
	identity  string
	role      terse.Role
	header    http.Header
	bySession bool
	bare      bool // by a named token, or by a session that was opened with one
}

// everyone returns a caller of each kind and role, each with an identity of its own but for the
// tokens of the settings.
func (f *fixture) everyone(t *testing.T) (all []someone) {
	t.Helper()
	for role := viewer; role <= admin; role++ {
		service := role.String() + "-service"
		made := f.tokenOf(t, service, role.String())
		email := role.String() + "@example.com"
		all = append(all,
			someone{
				"a token of the role " + role.String(), service, role, shows(made), false, true,
			},
			someone{
				"a session of a token of the role " + role.String(), service, role,
				f.opened(t, made.Text), true, true,
			},
			someone{
				"a person of the role " + role.String(), email, role, f.person(t, email, role),
				true, false,
			})
	}
	return append(all,
		someone{"a token of the settings", terse.Identity, admin, nil, false, false},
		someone{
			"a session of a token of the settings", terse.Identity, admin, f.opened(t, token), true,
			false,
		})
}

// Every route, for every kind of caller and role, for what is its own and what others own: what is
// not permitted is refused in the words of the documentation.
func TestEveryRouteByRole(t *testing.T) {
	t.Parallel()
	f := newPeopleFixture(t, func(o *httpapi.Options) { o.MetricsAuth = true })
	f.createForeign(t, "foreign")
	f.newToken(t, api.TokenRequest{Name: "any", Identity: "other"})
	callers := f.everyone(t)
	n := 0
	for _, route := range httpapi.Routes() {
		name := route.Method + " " + route.Pattern
		p, ok := permissions[name]
		if ok == slices.Contains(open, name) {
			t.Errorf("%s is in none of the tables, or in both", name)
		}
		if !ok {
			if route.Auth == httpapi.Token || route.Auth == httpapi.Unmetered ||
				route.Auth == httpapi.MetricsToken {
				t.Errorf("%s wants to know who asks, and is not in the table", name)
			}
			continue
		}
		ask := func(who http.Header, code, owner string) answer {
			t.Helper()
			n++
			header := who.Clone()
			if route.Pattern == "/api/import" {
				if header == nil {
					header = http.Header{}
				}
				header.Set("Content-Type", "application/x-ndjson")
			}
			return f.do(t, request{
				method: route.Method, header: header, bad: true,
				target: withOwner(strings.Replace(p.target, "{code}", code, 1), owner),
				body:   strings.Replace(p.body, "{n}", strconv.Itoa(n), 1),
			})
		}
		reads := route.Method == http.MethodGet
		for _, nobody := range []http.Header{
			authorization(), authorization("Bearer " + auth.NewNamedToken()),
		} {
			if got := ask(nobody, "nothere", ""); got.status != http.StatusUnauthorized {
				t.Errorf("%s by nobody: %d %s", name, got.status, got.body)
			}
		}
		for _, who := range callers {
			check := func(what string, got answer, refused string, status int) {
				t.Helper()
				switch {
				case refused != "":
					wantError(t, got, status, refused)
				case !slices.Contains([]int{200, 201, 204, 404}, got.status):
					t.Errorf("answer %d %s", got.status, got.body)
				}
				if t.Failed() {
					t.Fatalf("%s by %s, %s", name, who.name, what)
				}
			}
			if p.tokens {
				if who.bySession {
					check("", ask(who.header, "", ""),
						"Unauthorized: missing authorization header", 401)
					continue
				}
				check("", ask(who.header, "", ""), "", 0)
				continue
			}
			refused, status := p.refusal(who, reads, "")
			check("its own", ask(who.header, "nothere", ""), refused, status)
			if p.foreign != "" {
				refused, status := refused, status
				if refused == "" {
					refused, status = p.foreign, http.StatusForbidden
				}
				check("a foreign link", ask(who.header, "foreign", ""), refused, status)
			}
			for _, owner := range []string{who.identity, "other", terse.AllOwners, "nobody"} {
				refused, status := p.refusal(who, reads, owner)
				check("owner="+owner, ask(who.header, "nothere", owner), refused, status)
			}
		}
	}
	for name := range permissions {
		if !slices.ContainsFunc(httpapi.Routes(), func(r httpapi.Route) bool {
			return r.Method+" "+r.Pattern == name
		}) {
			t.Errorf("%s is no route", name)
		}
	}
	t.Logf("%d requests", n)
}

// refusal returns why a caller may not use the route with a parameter owner, and the status; "" if
// it may.
func (p permission) refusal(who someone, reads bool, owner string) (text string, status int) {
	needed := p.role
	if owner != "" && p.owners != "" {
		others := admin
		if reads {
			others = auditor
		}
		if owner != who.identity || who.role.Allows(others) {
			needed = others
		}
	}
	switch {
	case !who.role.Allows(needed):
		return "needs the role " + needed.String(), http.StatusForbidden
	case owner != "" && p.owners == "":
		return "owner is not known here", http.StatusBadRequest
	case owner == terse.AllOwners && p.owners == "one":
		return "owner must be one identity here", http.StatusBadRequest
	case owner == "nobody":
		return "unknown owner", http.StatusBadRequest
	case p.manages && who.bare && who.role != admin:
		return "a token cannot manage tokens", http.StatusForbidden
	case !who.role.Allows(p.then):
		return "needs the role " + p.then.String(), http.StatusForbidden
	}
	return "", 0
}

// A token may do what both its role and its identity's allow.
func TestRolesOfTokenAndIdentity(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	probes := map[terse.Role]request{
		viewer:  {target: "/api/urls"},
		editor:  {method: "DELETE", target: "/api/urls/nothere"},
		auditor: {target: "/api/users"},
		admin:   {method: "DELETE", target: "/api/users/nobody"},
	}
	for identity := viewer; identity <= admin; identity++ {
		for role := viewer; role <= admin; role++ {
			made := f.newToken(t, api.TokenRequest{
				Name: role.String(), Identity: "is-" + identity.String(), Role: role.String(),
			})
			f.setUser(t, "is-"+identity.String(), `{"role":"`+identity.String()+`"}`)
			me := decodeAs[api.Me](t, f.do(t, request{target: "/api/me", header: shows(made)}),
				http.StatusOK)
			for needed, r := range probes {
				r.header = shows(made)
				got := f.do(t, r)
				// The two allow it each for itself, and me says so.
				allowed := identity.Allows(needed) && role.Allows(needed)
				if said, err := terse.ParseRole(me.Role); err != nil ||
					said.Allows(needed) != allowed {
					t.Errorf("%s of %s is %s", role, identity, me.Role)
				}
				if allowed && (got.status == http.StatusForbidden || got.status >= 500) {
					t.Errorf("%s of %s needs %s: %d %s", role, identity, needed, got.status,
						got.body)
				}
				if !allowed {
					wantError(t, got, http.StatusForbidden, "needs the role "+needed.String())
				}
			}
		}
	}
}
