package main

import (
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/tests/oidctest"
)

// configFor returns a provider, at a path, whose client is the server with a base URL. It knows the
// scopes openid, email, profile and groups.
func configFor(t *testing.T, path, baseURL string, account map[string]any) oidctest.Config {
	t.Helper()
	with := map[string]any{
		"sub": "5d31e9a2", "email": "ann@example.com", "email_verified": true, "name": "Ann",
	}
	maps.Copy(with, account)
	return oidctest.Config{
		Issuer: "http://" + freeAddress(t) + path,
		Client: map[string]any{
			"client_id": oidctest.ClientID, "client_secret": oidctest.ClientSecret,
			"redirect_uris": []string{baseURL + "/ui/oidc/callback"},
		},
		Claims: map[string][]string{
			"email": {"email", "email_verified"}, "profile": {"name"}, "groups": {"groups"},
		},
		Account: with, InIDToken: true,
	}
}

// startAt starts a server at a base URL that is a free address.
func startAt(t *testing.T, baseURL, issuer string, env ...string) *signInServer {
	t.Helper()
	_, port, _ := strings.Cut(strings.TrimPrefix(baseURL, "http://"), ":")
	return startSignIn(t, issuer, append([]string{
		"SERVER_PORT=" + port, "BASE_URL=" + baseURL,
	}, env...)...)
}

// What products send, and what to set for them, as in docs/sign-in.
func TestProducts(t *testing.T) {
	t.Parallel()
	certified := oidctest.StartCertified(t)
	type m = map[string]any
	for _, tt := range []struct {
		name, path string
		account    m
		change     func(*oidctest.Config)
		env        []string
		says       []string // without the last of env
		fallsBack  string   // what the last of env is without it
	}{
		{
			// Says of everybody that the address is not verified. The scope profile has the groups.
			name: "authentik", path: "/application/o/terse/",
			account: m{"email_verified": false, "groups": []string{"authentik Admins", "staff"}},
			change: func(c *oidctest.Config) {
				c.Claims["profile"] = []string{"name", "preferred_username", "groups"}
				delete(c.Claims, "groups")
			},
			env: []string{
				"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff",
				"OIDC_ADMIN_GROUPS=authentik Admins", "OIDC_REQUIRE_VERIFIED_EMAIL=false",
			},
			says:      []string{"is not verified", "OIDC_REQUIRE_VERIFIED_EMAIL=false"},
			fallsBack: "OIDC_REQUIRE_VERIFIED_EMAIL=true",
		},
		{
			// The ID token has what the protocol needs. Everything else is at UserInfo.
			name: "Authelia", path: "",
			account: m{"groups": []string{"admins", "staff"}},
			change:  func(c *oidctest.Config) { c.InIDToken = false },
			env: []string{
				"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff", "OIDC_ADMIN_GROUPS=admins",
				"OIDC_SCOPES=openid email profile groups",
			},
			says:      []string{"the provider sent no groups", "OIDC_SCOPES"},
			fallsBack: "OIDC_SCOPES=openid email profile",
		},
		{
			// A mapper adds the groups, with the path unless that is switched off. Whom an admin
			// made has no verified address.
			name: "Keycloak", path: "/realms/acme",
			account: m{"groups": []string{"/staff", "/admins"}, "email_verified": true},
			change: func(c *oidctest.Config) {
				c.Claims["profile"] = []string{"name", "preferred_username", "groups"}
				delete(c.Claims, "groups")
			},
			env: []string{
				"OIDC_ALLOWED_EMAILS=", "OIDC_ADMIN_GROUPS=/admins", "OIDC_ALLOWED_GROUPS=/staff",
			},
			says:      []string{"OIDC_ALLOWED_GROUPS none of the groups"},
			fallsBack: "OIDC_ALLOWED_GROUPS=staff",
		},
		{
			// Says nothing of whether addresses are verified, nor that it knows S256. Groups have
			// IDs for names, and are no scope.
			name: "Entra ID", path: "/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0",
			account: m{
				"email_verified": nil,
				"groups":         []string{"0f1c2d3e-1111-2222-3333-444455556666"},
			},
			change: func(c *oidctest.Config) {
				delete(c.Account, "email_verified")
				c.Claims["openid"] = []string{"sub", "groups"}
				delete(c.Claims, "groups")
				c.Metadata = m{
					"code_challenge_methods_supported": nil, "claims_supported": nil,
					"authorization_response_iss_parameter_supported": nil,
				}
			},
			env: []string{
				"OIDC_ALLOWED_EMAILS=@example.com",
				"OIDC_ADMIN_GROUPS=0f1c2d3e-1111-2222-3333-444455556666",
				"OIDC_REQUIRE_VERIFIED_EMAIL=false",
			},
			says: []string{
				"does not say whether the address ann@example.com is verified",
				"OIDC_REQUIRE_VERIFIED_EMAIL=false",
			},
			fallsBack: "OIDC_REQUIRE_VERIFIED_EMAIL=true",
		},
		{
			// No groups.
			name: "Google", path: "",
			account: m{"hd": "example.com"},
			change: func(c *oidctest.Config) {
				delete(c.Claims, "groups")
				c.Claims["openid"] = []string{"sub", "hd"}
				c.Metadata = m{
					"token_endpoint_auth_methods_supported": []string{
						"client_secret_post", "client_secret_basic",
					},
				}
			},
			env: []string{
				"OIDC_ADMIN_EMAILS=ann@example.com", "OIDC_ALLOWED_EMAILS=@example.com",
			},
			says: []string{
				"ann@example.com", "OIDC_ALLOWED_EMAILS does not name this address",
			},
			fallsBack: "OIDC_ALLOWED_EMAILS=@other.example",
		},
	} {
		base := "http://" + freeAddress(t)
		config := configFor(t, tt.path, base, tt.account)
		tt.change(&config)
		certified.Run(t, config)
		s := startAt(t, base, config.Issuer, tt.env...)
		s.wantIn(t)
		if status := s.status(answer{}, "/api/unknown"); status != http.StatusOK {
			t.Errorf("%s: no admin: %d", tt.name, status)
		}
		s.restart(t, append(tt.env, tt.fallsBack)...)
		s.browser = newBrowser(t)
		s.wantOut(t, http.StatusForbidden, tt.says...)
		if t.Failed() {
			t.Fatalf("%s:\n%s", tt.name, s.log)
		}
	}
}

// What providers may send in other ways.
func TestCertifiedProvider(t *testing.T) {
	t.Parallel()
	certified := oidctest.StartCertified(t)
	base := "http://" + freeAddress(t)
	config := configFor(t, "", base, map[string]any{"groups": "staff"})
	s := startAt(t, base, config.Issuer, "OIDC_ALLOWED_GROUPS=staff",
		"OIDC_SCOPES=openid email profile groups", "OIDC_ALLOWED_EMAILS=")

	// It is down at the start.
	s.wantOut(t, http.StatusServiceUnavailable, "can't be reached")
	certified.Run(t, config)
	await(t, "the sign-in to work", func() bool { return s.came(s.signIn(t)) })

	for _, inIDToken := range []bool{true, false} {
		config.InIDToken = inIDToken
		for _, groups := range []any{"staff", []string{"a", "staff"}} {
			for _, verified := range []any{true, "true"} {
				config.Account["groups"], config.Account["email_verified"] = groups, verified
				certified.Run(t, config)
				s.browser = newBrowser(t)
				s.wantIn(t)
			}
		}
		for _, verified := range []any{false, "false", nil} {
			if config.Account["email_verified"] = verified; verified == nil {
				delete(config.Account, "email_verified")
			}
			certified.Run(t, config)
			s.browser = newBrowser(t)
			s.wantOut(t, http.StatusForbidden, "OIDC_REQUIRE_VERIFIED_EMAIL=false")
		}
	}

	// Its keys change between two sign-ins.
	config.Account["email_verified"], config.Rotate = true, true
	certified.Run(t, config)
	config.Rotate = false
	s.browser = newBrowser(t)
	s.wantIn(t)

	// A public client.
	config.Client["token_endpoint_auth_method"] = "none"
	delete(config.Client, "client_secret")
	certified.Run(t, config)
	s.browser = newBrowser(t)
	s.restart(t, "OIDC_CLIENT_SECRET=")
	s.wantIn(t)

	// Somebody takes it away while people are there: they stay.
	certified.Run(t, oidctest.Config{Issuer: config.Issuer, Stop: true})
	if status := s.status(answer{}, "/api/urls"); status != http.StatusOK {
		t.Errorf("without a provider: %d", status)
	}
}

// Between the server and the provider something is slow, or sends far too much.
func TestSlowAndHugeProvider(t *testing.T) {
	t.Parallel()
	certified := oidctest.StartCertified(t)
	base := "http://" + freeAddress(t)
	behind := configFor(t, "", base, nil)
	behind.InIDToken = false // all endpoints are used
	var slow, huge atomic.Value
	slow.Store("")
	huge.Store("")
	target, err := url.Parse(behind.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	front := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case slow.Load():
			time.Sleep(2 * time.Second)
		case huge.Load():
			w.Header().Set("Content-Type", "application/json")
			for range 64 {
				if _, err := w.Write([]byte(`{"a": "` + strings.Repeat("a", 1<<20))); err != nil {
					return
				}
			}
			return
		}
		(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // endpoints in the document lead through this proxy
		}}).ServeHTTP(w, r)
	})}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = front.Serve(listener) }()
	t.Cleanup(func() { _ = front.Close() })
	issuer := "http://" + listener.Addr().String()
	behind.Port, _ = strconv.Atoi(target.Port())
	behind.Issuer = issuer
	certified.Run(t, behind)
	for _, path := range []string{
		"/.well-known/openid-configuration", "/jwks", "/token", "/me",
	} {
		slow.Store(path)
		huge.Store("")
		s := startAt(t, base, issuer)
		s.wantIn(t)
		s.stop(t)
		slow.Store("")
		huge.Store(path)
		s = startAt(t, base, issuer)
		s.wantOut(t, http.StatusServiceUnavailable, "can't be reached")
		s.logged(t, "more than 1 MiB")
		s.stop(t)
	}
}
