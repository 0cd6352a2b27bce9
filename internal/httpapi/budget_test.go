package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/httpapi"
	"terse/internal/visit/ratelimit"
)

// fields are the RateLimit fields of an answer, in one text; "" without any.
func (a answer) fields() string {
	policy, limit := a.header.Get("RateLimit-Policy"), a.header.Get("RateLimit")
	return strings.Trim(policy+" "+limit, " ")
}

// budgets gives a control plane budgets of so many requests a minute.
func budgets(requests, sessions int) func(*httpapi.Options) {
	return func(o *httpapi.Options) {
		o.Limit, o.LimitSessions = ratelimit.New(requests), ratelimit.New(sessions)
		o.LimitTokens, o.LimitFailures = ratelimit.New(requests), ratelimit.New(2).Take
	}
}

// Every answer of a limited route says what is left, whatever its status.
func TestRateLimitFields(t *testing.T) {
	t.Parallel()
	f := newFixture(t, budgets(6, 60))
	cookie := f.signIn(t, nil)
	want := func(what string, r request, status int, fields string) {
		t.Helper()
		if got := f.do(t, r); got.status != status || got.fields() != fields {
			t.Errorf("%s: %d with %q, want %d with %q", what, got.status, got.fields(), status,
				fields)
		}
	}
	left := func(r int) string { return fmt.Sprintf(`"api";q=6;w=60 "api";r=%d;t=60`, r) }
	want("a list", request{target: "/api/urls"}, 200, left(5))
	want("nothing found", request{target: "/api/urls/nothing"}, 404, left(4))
	bad := post(`{`)
	bad.bad = true
	want("a bad request", bad, 400, left(3))
	want("a bulk", deletes(1), 200, left(2))
	want("an unknown route", request{target: "/api/nothing"}, 404, "")
	want("an export", request{target: "/api/export"}, 200, "")
	wrong := request{target: "/api/urls", header: authorization("Bearer wrong")}
	want("a wrong token", wrong, 401, "")
	want("another", wrong, 429, "")
	want("a session", request{target: "/api/urls", header: by(cookie)}, 200,
		`"api";q=60;w=60 "api";r=59;t=60`)
	want("the dashboard", request{target: "/ui/session", header: by(cookie)}, 200, "")
	want("the last but one", request{target: "/api/tags"}, 200, left(1))

	for _, r := range []request{deletes(101), {target: "/api/tags"}, {target: "/api/tags"}} {
		got := f.do(t, r)
		if got.status == http.StatusOK { // the last one
			continue
		}
		wait := got.header.Get("Retry-After")
		if want := `"api";q=6;w=60 "api";r=0;t=` + wait; got.status != 429 || got.fields() != want {
			t.Errorf("over budget: %d with %q, want %q", got.status, got.fields(), want)
		}
	}

	f = newFixture(t, nil)
	want("without a limit", request{target: "/api/urls"}, 200, "")
}

// A named token is counted by itself, wherever its requests come from, and its sessions with it.
func TestTokensHaveBudgets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, budgets(4, 60))
	one := f.newToken(t, api.TokenRequest{Name: "one", Role: "viewer"})
	other := f.newToken(t, api.TokenRequest{Name: "other", Role: "viewer"})
	left := func(what string, r request, want int) {
		t.Helper()
		fields := fmt.Sprintf(`"token";q=4;w=60 "token";r=%d;t=60`, want)
		if got := f.do(t, r); got.fields() != fields {
			t.Errorf("%s: %d with %q, want %q", what, got.status, got.fields(), fields)
		}
	}
	left("the first", request{target: "/api/urls", header: shows(one)}, 3)
	left("a session", request{target: "/api/urls", header: f.opened(t, one.Text)}, 2)
	left("a role that does not suffice",
		request{method: "DELETE", target: "/api/urls/abc", header: shows(one)}, 1)
	left("another token", request{target: "/api/urls", header: shows(other)}, 3)
}
