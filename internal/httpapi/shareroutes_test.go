package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"terse"
	"terse/internal/httpapi"
)

// Whoever has the address of a share, and the cookie that its password gave, reads nothing of the
// account by any route but what the share shows.
func TestShareOpensNoOtherRoute(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) { o.MetricsAuth = true })
	f.createNews(t) // all but codes, titles and the tag news of two links is secret
	f.do(t, post(`{"original_url":"https://secret.example/","short_code":"secret-two",
		"tags":["secret"],"note":"secret","aliases":["secret/alias"]}`))
	f.do(t, request{method: "PATCH", target: "/api/urls/two", body: `{"note":"secret"}`})
	f.sharedAt(t, "/api/tags/secret/share", `{"title":"secret"}`)
	f.sharedAt(t, allShare, `{"title":"secret","password":"secret"}`)
	f.sharedAt(t, "/api/urls/secret-two/share", "")
	path := f.sharedAt(t, tagShare, `{"password":"open"}`)
	share := path[len("/ui/share/"):]
	cookie := "terse_share=" + cookieOf(t, f.do(t, form(path, "open"))).Value
	// opens are the routes that answer, and what of the account they may say.
	opens := map[string]bool{
		"GET /ui/share/{share}": true, "POST /ui/share/{share}": true,
		"GET /ui/share/{share}/overview": true, "GET /": true, "GET /robots.txt": true,
		"GET /favicon.ico": true, "GET /health": true, "GET /ready": true,
		"GET /openapi.yaml": true, "DELETE /ui/session": true,
	}
	for _, route := range httpapi.Routes() {
		name := route.Method + " " + route.Pattern
		if strings.HasPrefix(route.Pattern, "/{shortCode}") {
			continue // visits, which are public
		}
		if strings.HasPrefix(route.Pattern, "/ui/oidc/") {
			continue // they are the dashboard's here, which is public: nobody signs in with OpenID
		}
		for _, thing := range []string{
			"two", "secret-code", "news", "secret", terse.Identity, share,
		} {
			target := route.Pattern
			for _, place := range []string{"{shortCode}", "{tag}", "{id}", "{identity}"} {
				target = strings.ReplaceAll(target, place, thing)
			}
			target = strings.ReplaceAll(target, "{share}", share)
			for _, query := range []string{"", "owner=*", "tag=secret&by=alias", "share=" + share} {
				r := anybody(route.Method, target+"?"+query)
				r.bad = true
				for field, value := range map[string]string{
					"Cookie": cookie, "X-Share-Password": "open", "X-Link-Password": "open",
				} {
					r.header.Set(field, value)
				}
				if name == "POST /ui/share/{share}" {
					r.header.Set("Content-Type", "application/x-www-form-urlencoded")
					r.body = "password=open"
				}
				got := f.do(t, r)
				told := strings.ReplaceAll(got.body+fmt.Sprint(got.header), path, "")
				if !opens[name] && got.status < http.StatusBadRequest {
					t.Errorf("%s with %q answers %d %s", name, query, got.status, got.body)
				}
				if strings.Contains(told, "secret") && route.Pattern != "/openapi.yaml" {
					t.Errorf("%s with %q tells %s", name, query, told)
				}
			}
		}
	}
	// The same words as the token of a request open nothing, either.
	for _, word := range []string{share, "open", strings.TrimPrefix(cookie, "terse_share=")} {
		for _, target := range []string{"/api/urls", "/api/shares", "/api/overview", "/metrics"} {
			got := f.do(t, request{target: target, header: authorization("Bearer " + word)})
			if got.status != http.StatusUnauthorized {
				t.Errorf("%s with %s: %d", target, word, got.status)
			}
			r := anybody("GET", target)
			r.header.Set("Cookie", "terse_session="+word)
			if got := f.do(t, r); got.status != http.StatusUnauthorized {
				t.Errorf("%s with the session %s: %d", target, word, got.status)
			}
		}
	}
}
