package main

import (
	"net/http"
	"testing"

	"terse/internal/tests/oidctest"
)

func TestDoctorSignIn(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	p := oidctest.Start(t)
	s := newSetUp(t, "BASE_URL=https://sho.rt/go", "OIDC_CLIENT_ID=terse",
		"OIDC_ALLOWED_EMAILS=*")
	for _, tt := range []struct {
		does   oidctest.Behaviour
		issuer string
		texts  []string
	}{
		{oidctest.Behaviour{}, p.URL, []string{
			"ok: " + p.URL + " answers; it has to know the redirect URI " +
				"https://sho.rt/go/ui/oidc/callback",
		}},
		{oidctest.Behaviour{}, p.URL + "/", []string{
			"fail: people can't sign in with " + p.URL + "/: ", "differ by the slash at the end",
			"Correct OIDC_ISSUER",
		}},
		{oidctest.Behaviour{}, "http://127.0.0.1:1", []string{"fail: ", "connection refused"}},
		{oidctest.Behaviour{Document: m{"issuer": "https://evil.example"}}, p.URL, []string{
			"fail: ", `the issuer is "https://evil.example" in the discovery document`,
		}},
		{
			oidctest.Behaviour{Document: m{"response_types_supported": []string{"id_token"}}},
			p.URL,
			[]string{"fail: ", "no code flow"},
		},
		{
			oidctest.Behaviour{Document: m{"code_challenge_methods_supported": []string{"plain"}}},
			p.URL,
			[]string{"warn: ", "PKCE with S256", "ok: "},
		},
		{
			oidctest.Behaviour{Document: m{"code_challenge_methods_supported": nil}},
			p.URL,
			[]string{"ok: "},
		},
		{
			oidctest.Behaviour{Document: m{"scopes_supported": []string{"openid", "email"}}},
			p.URL,
			[]string{"warn: the provider does not list the scopes profile", "OIDC_SCOPES"},
		},
		{oidctest.Behaviour{Serve: func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte("<!doctype html>"))
			return true
		}}, p.URL, []string{"fail: ", "the discovery document can't be read"}},
	} {
		p.Do(tt.does)
		want(t, s.diagnose(t, "OIDC_ISSUER="+tt.issuer), "sign-in", tt.texts...)
	}
	if said := newSetUp(t).diagnose(t)["sign-in"]; said != "" {
		t.Errorf("without a provider: %s", said)
	}
}
