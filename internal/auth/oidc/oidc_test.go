package oidc_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"terse/internal/auth/oidc"
	"terse/internal/tests/oidctest"
)

const callback = "https://sho.rt/ui/oidc/callback"

func client(p *oidctest.Provider, change ...func(*oidc.Options)) *oidc.Client {
	opts := oidc.Options{
		Issuer: p.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret,
		Scopes: []string{"openid", "email", "profile"}, RedirectURL: callback,
		RequireVerified: true,
	}
	for _, change := range change {
		change(&opts)
	}
	return oidc.New(opts)
}

func withGroups(o *oidc.Options) { o.GroupsClaim = "groups" }

// visit follows an address to the provider, and returns the query of the response.
func visit(t *testing.T, location string) url.Values {
	t.Helper()
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := browser.Get(location)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	back, err := res.Location()
	if err != nil || !strings.HasPrefix(back.String(), callback+"?") {
		t.Fatalf("the provider answers %s, to %v", res.Status, back)
	}
	return back.Query()
}

// signIn signs a person in. The attempt goes through the browser's cookie.
func signIn(t *testing.T, c *oidc.Client) (oidc.Person, error) {
	t.Helper()
	location, a, err := c.Begin(t.Context(), "/ui/")
	if err != nil {
		return oidc.Person{}, err
	}
	kept, ok := oidc.ParseAttempt(a.String())
	if !ok || kept.Next != "/ui/" {
		t.Fatalf("the attempt %q can't be read", a)
	}
	return c.Finish(t.Context(), kept, visit(t, location))
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	for _, tt := range []struct {
		name   string
		does   oidctest.Behaviour
		change func(*oidc.Options)
		want   oidc.Person // without Issuer and Subject
		asked  int         // how often UserInfo was asked
	}{
		{
			"all in the ID token",
			oidctest.Behaviour{},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann"},
			0,
		},
		{
			"verified as a text",
			oidctest.Behaviour{IDToken: m{"email_verified": "true"}},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann"},
			0,
		},
		{
			"not verified",
			oidctest.Behaviour{IDToken: m{"email_verified": false}},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.Unverified, Name: "Ann"},
			0,
		},
		{
			"not verified, as a text",
			oidctest.Behaviour{IDToken: m{"email_verified": "false"}},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.Unverified, Name: "Ann"},
			0,
		},
		{
			"a number is no yes",
			oidctest.Behaviour{IDToken: m{"email_verified": 1}},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.Unverified, Name: "Ann"},
			0,
		},
		{
			"nothing is said",
			oidctest.Behaviour{IDToken: m{"email_verified": nil}},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.Unsaid, Name: "Ann"},
			1,
		},
		{
			"nothing has to be said",
			oidctest.Behaviour{IDToken: m{"email_verified": nil}},
			func(o *oidc.Options) { o.RequireVerified = false },
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.Unsaid, Name: "Ann"},
			0,
		},
		{
			"only at UserInfo",
			oidctest.Behaviour{
				IDToken: m{"email": nil, "email_verified": nil, "name": nil},
				UserInfo: m{
					"email": "bob@example.com", "email_verified": true, "name": "Bob",
					"groups": []string{"staff"},
				},
			},
			withGroups,
			oidc.Person{
				Email: "bob@example.com", Verified: oidc.IsVerified, Name: "Bob",
				Groups: []string{"staff"}, HasGroups: true,
			},
			1,
		},
		{
			"what is said of one address counts for no other",
			oidctest.Behaviour{
				IDToken: m{"email": "bob@example.com", "email_verified": false},
				UserInfo: m{
					"email": "ann@example.com", "email_verified": true, "groups": []string{"staff"},
				},
			},
			withGroups,
			oidc.Person{
				Email: "bob@example.com", Verified: oidc.Unverified, Name: "Ann",
				Groups: []string{"staff"}, HasGroups: true,
			},
			1,
		},
		{
			"without UserInfo", oidctest.Behaviour{
				Document: m{"userinfo_endpoint": nil}, IDToken: m{"email": nil, "name": nil},
			}, withGroups, oidc.Person{Verified: oidc.IsVerified}, 0,
		},
		{
			"groups as one text",
			oidctest.Behaviour{IDToken: m{"groups": "staff"}},
			withGroups,
			oidc.Person{
				Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann",
				Groups: []string{"staff"}, HasGroups: true,
			},
			0,
		},
		{
			"no groups",
			oidctest.Behaviour{IDToken: m{"groups": []string{}}},
			withGroups,
			oidc.Person{
				Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann", HasGroups: true,
			},
			0,
		},
		{
			"groups that are no texts",
			oidctest.Behaviour{
				IDToken: m{"groups": []any{1, m{"name": "staff"}, nil, "", "a"}},
			},
			withGroups,
			oidc.Person{
				Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann",
				Groups: []string{"a"}, HasGroups: true,
			},
			0,
		},
		{
			"groups by another name",
			oidctest.Behaviour{
				IDToken: m{"https://example.com/roles": []string{"a", "b"}},
			},
			func(o *oidc.Options) { o.GroupsClaim = "https://example.com/roles" },
			oidc.Person{
				Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann",
				Groups: []string{"a", "b"}, HasGroups: true,
			},
			0,
		},
		{
			"a claim in another case is another claim",
			oidctest.Behaviour{
				IDToken: m{
					"email_verified": false, "Email_Verified": true, "EMAIL": "eve@example.com",
					"GROUPS": "staff", "groups": []string{},
				},
			},
			withGroups,
			oidc.Person{
				Email: "Ann@Example.com", Verified: oidc.Unverified, Name: "Ann", HasGroups: true,
			},
			0,
		},
		{
			"clocks differ",
			oidctest.Behaviour{IDToken: m{
				"iat": time.Now().Add(40 * time.Second).Unix(),
				"exp": time.Now().Add(-40 * time.Second).Unix(),
			}},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann"},
			0,
		},
		{
			"several audiences",
			oidctest.Behaviour{
				IDToken: m{"aud": []string{"other", oidctest.ClientID}, "azp": oidctest.ClientID},
			},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann"},
			0,
		},
		{
			"secrets in the body",
			oidctest.Behaviour{
				Document: m{
					"token_endpoint_auth_methods_supported": []string{"client_secret_post"},
				},
			},
			nil,
			oidc.Person{Email: "Ann@Example.com", Verified: oidc.IsVerified, Name: "Ann"},
			0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := oidctest.Start(t)
			p.Do(tt.does)
			var changes []func(*oidc.Options)
			if tt.change != nil {
				changes = append(changes, tt.change)
			}
			person, err := signIn(t, client(p, changes...))
			tt.want.Issuer, tt.want.Subject = p.URL, "248289761001"
			if err != nil || !reflect.DeepEqual(person, tt.want) {
				t.Errorf("%+v, %v\nwant %+v", person, err, tt.want)
			}
			if asked := p.Requests("/userinfo"); asked != tt.asked {
				t.Errorf("UserInfo was asked %d times, want %d", asked, tt.asked)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	foreign := oidctest.NewKey()
	for _, tt := range []struct {
		name string
		does func(p *oidctest.Provider) oidctest.Behaviour
		says string
	}{
		{"another nonce", idToken(m{"nonce": "other"}), "the nonce is not"},
		{"no nonce", idToken(m{"nonce": nil}), "the nonce is not"},
		{"expired", idToken(m{"exp": time.Now().Add(-2 * time.Minute).Unix()}), "expired"},
		{"no end", idToken(m{"exp": nil}), "expired"},
		{"an end that is no time", idToken(m{"exp": 1e300}), "ID token"},
		{"from the future", idToken(m{"iat": time.Now().Add(2 * time.Minute).Unix()}), "future"},
		{"no beginning", idToken(m{"iat": nil}), "future"},
		{"not yet", idToken(m{"nbf": time.Now().Add(2 * time.Minute).Unix()}), "not valid yet"},
		{"for somebody else", idToken(m{"aud": "other"}), "audience"},
		{"for nobody", idToken(m{"aud": nil}), "audience"},
		{"another azp", idToken(m{"azp": "other"}), "azp"},
		{"an azp that is no text", idToken(m{"azp": 1}), "azp"},
		{
			"several audiences without azp",
			idToken(m{"aud": []string{"other", oidctest.ClientID}}), "no azp",
		},
		{"another issuer", idToken(m{"iss": "https://evil.example"}), "different provider"},
		{"no issuer", idToken(m{"iss": nil}), "different provider"},
		{"no sub", idToken(m{"sub": nil}), "no sub"},
		{"a sub that stores can't keep", idToken(m{"sub": "a\x00b"}), "no sub"},
		{"a long sub", idToken(m{"sub": strings.Repeat("a", 256)}), "no sub"},
		{"another access token", idToken(m{"at_hash": "AAAA"}), "access token hash"},
		{
			"a foreign key", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Key: foreign}
			}, "signature",
		},
		{
			"a foreign key without a name", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Key: foreign, Header: m{"kid": nil}}
			}, "signature",
		},
		{
			"a foreign key in the header", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Key: foreign, Header: m{"jku": "https://evil.example/"}}
			}, "signature",
		},
		{
			"changed claims", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Token: func(token string) string {
					parts := strings.Split(token, ".")
					claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
					parts[1] = base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(
						string(claims), "Ann@", "Eve@", 1)))
					return strings.Join(parts, ".")
				}}
			}, "signature",
		},
		{
			"not signed", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Token: func(token string) string {
					claims := strings.Split(token, ".")[1]
					return oidctest.Part(m{"alg": "none"}) + "." + claims + "."
				}}
			}, "unexpected signature algorithm",
		},
		{
			"no signature", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Token: func(token string) string {
					return token[:strings.LastIndex(token, ".")+1]
				}}
			}, "ID token",
		},
		{
			"signed with what is public", func(p *oidctest.Provider) oidctest.Behaviour {
				key := p.PublicKey()
				return oidctest.Behaviour{
					Document: m{
						"id_token_signing_alg_values_supported": []string{"HS256", "RS256"},
					},
					Token: func(token string) string {
						return oidctest.HMAC(oidctest.Part(m{"alg": "HS256"})+"."+
							strings.Split(token, ".")[1], key)
					},
				}
			}, "unexpected signature algorithm",
		},
		{
			"signed with the client's secret", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{
					Document: m{"id_token_signing_alg_values_supported": []string{"HS256"}},
					Token: func(token string) string {
						return oidctest.HMAC(oidctest.Part(m{"alg": "HS256"})+"."+
							strings.Split(token, ".")[1], []byte(oidctest.ClientSecret))
					},
				}
			}, "unexpected signature algorithm",
		},
		{
			"no ID token", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{Token: func(string) string { return "" }}
			}, "no ID token",
		},
		{
			"UserInfo of somebody else", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{
					IDToken:  m{"email": nil},
					UserInfo: m{"sub": "2", "email": "ann@example.com", "email_verified": true},
				}
			}, "somebody else",
		},
		{"another state", response(m{"state": "0123456789"}), "the state is not"},
		{"no state", response(m{"state": nil}), "the state is not"},
		{
			"the response of another issuer", response(m{"iss": "https://evil.example"}),
			"of the issuer",
		},
		{"the response of no issuer", response(m{"iss": ""}), "of the issuer"},
		{
			"an issuer that was announced", func(*oidctest.Provider) oidctest.Behaviour {
				return oidctest.Behaviour{
					Document: m{"authorization_response_iss_parameter_supported": true},
				}
			}, "of the issuer",
		},
		{
			"an error", response(m{
				"error": "access_denied", "error_description": "You are not allowed", "code": nil,
			}), `"access_denied": "You are not allowed"`,
		},
		{"no code", response(m{"code": nil}), "no code"},
		{
			"an unknown code", response(m{"code": "made-up"}),
			`"invalid_grant": "there is no code …"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := oidctest.Start(t)
			p.Do(tt.does(p))
			person, err := signIn(t, client(p))
			var down *oidc.UnavailableError
			if err == nil || !strings.Contains(err.Error(), tt.says) || errors.As(err, &down) ||
				!reflect.DeepEqual(person, oidc.Person{}) {
				t.Errorf("%+v, %v, want %q", person, err, tt.says)
			}
		})
	}
}

func idToken(claims map[string]any) func(*oidctest.Provider) oidctest.Behaviour {
	return func(*oidctest.Provider) oidctest.Behaviour {
		return oidctest.Behaviour{IDToken: claims}
	}
}

func response(parameters map[string]any) func(*oidctest.Provider) oidctest.Behaviour {
	return func(*oidctest.Provider) oidctest.Behaviour {
		return oidctest.Behaviour{Response: parameters}
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	p.Do(oidctest.Behaviour{AnyCode: true}) // the provider does not notice
	c := client(p)
	location, a, err := c.Begin(t.Context(), "/ui/")
	if err != nil {
		t.Fatal(err)
	}
	query := visit(t, location)
	if _, err := c.Finish(t.Context(), a, query); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Finish(t.Context(), a, query); err == nil ||
		!strings.Contains(err.Error(), "used before") {
		t.Errorf("the same response again: %v", err)
	}
	// An ID token of before, in another attempt.
	_, other, err := c.Begin(t.Context(), "/ui/")
	if err != nil {
		t.Fatal(err)
	}
	query.Set("state", other.State)
	if _, err := c.Finish(t.Context(), other, query); err == nil ||
		!strings.Contains(err.Error(), "nonce") {
		t.Errorf("its code in another attempt: %v", err)
	}
	query.Add("state", query.Get("state"))
	if _, err := c.Finish(t.Context(), other, query); err == nil ||
		!strings.Contains(err.Error(), "several") {
		t.Errorf("two states: %v", err)
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		"", ".", "....", "a.b.c.d.e", strings.Repeat("a", 43) + ".b.c.1.",
		strings.Repeat(".", 9999),
	} {
		if a, ok := oidc.ParseAttempt(value); ok {
			t.Errorf("%q is read as %+v", value, a)
		}
	}
	p := oidctest.Start(t)
	c := client(p)
	location, a, err := c.Begin(t.Context(), "/ui/")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(a.String(), ".")
	parts[3] = "1700000000"
	old, _ := oidc.ParseAttempt(strings.Join(parts, "."))
	if _, err := c.Finish(t.Context(), old, visit(t, location)); err == nil ||
		!strings.Contains(err.Error(), "old") {
		t.Errorf("an old attempt: %v", err)
	}
	parts = strings.Split(a.String(), ".")
	parts[2] = strings.Repeat("A", 43)
	other, _ := oidc.ParseAttempt(strings.Join(parts, "."))
	if _, err := c.Finish(t.Context(), other, visit(t, location)); err == nil ||
		!strings.Contains(err.Error(), "invalid_grant") {
		t.Errorf("another verifier: %v", err)
	}
}

func TestNoSecretsInErrors(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	c := client(p, func(o *oidc.Options) { o.ClientSecret = "wrong-secret" })
	if _, err := signIn(t, c); err == nil || !strings.Contains(err.Error(), "invalid_client") ||
		strings.Contains(err.Error(), "wrong-secret") {
		t.Errorf("%v", err)
	}
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	huge := func(path string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != path {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"a": "` + strings.Repeat("a", 2<<20) + `"}`))
			return true
		}
	}
	status := func(path string, status int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != path {
				return false
			}
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			return true
		}
	}
	const document = "/.well-known/openid-configuration"
	type m = map[string]any
	for _, tt := range []struct {
		name string
		does oidctest.Behaviour
		says string
	}{
		{"a huge document", oidctest.Behaviour{Serve: huge(document)}, "more than 1 MiB"},
		{"huge keys", oidctest.Behaviour{Serve: huge("/keys")}, "more than 1 MiB"},
		{"a huge token", oidctest.Behaviour{Serve: huge("/token")}, "more than 1 MiB"},
		{
			"huge UserInfo",
			oidctest.Behaviour{IDToken: m{"email": nil}, Serve: huge("/userinfo")},
			"more than 1 MiB",
		},
		{"the document is elsewhere", oidctest.Behaviour{Serve: status(document, 302)}, "redirect"},
		{"keys are elsewhere", oidctest.Behaviour{Serve: status("/keys", 307)}, "redirect"},
		{"tokens are elsewhere", oidctest.Behaviour{Serve: status("/token", 307)}, "redirect"},
		{
			"UserInfo is elsewhere",
			oidctest.Behaviour{IDToken: m{"email": nil}, Serve: status("/userinfo", 302)},
			"redirect",
		},
		{"an error", oidctest.Behaviour{Serve: status(document, 500)}, "500 Internal Server Error"},
		{"no document", oidctest.Behaviour{Serve: status(document, 404)}, "404 Not Found"},
		{"no keys", oidctest.Behaviour{Serve: status("/keys", 503)}, "503"},
		{"no tokens", oidctest.Behaviour{Serve: status("/token", 503)}, "503"},
		{
			"another issuer",
			oidctest.Behaviour{Document: m{"issuer": "https://evil.example"}},
			"as in OIDC_ISSUER",
		},
		{"no issuer", oidctest.Behaviour{Document: m{"issuer": nil}}, "as in OIDC_ISSUER"},
		{
			"everybody's issuer", oidctest.Behaviour{Document: m{
				"issuer": "https://login.microsoftonline.com/{tenantid}/v2.0",
			}}, "your own tenant",
		},
		{
			"no code flow", oidctest.Behaviour{Document: m{
				"response_types_supported": []string{"id_token"},
			}}, "no code flow",
		},
		{
			"an endpoint that others can read", oidctest.Behaviour{Document: m{
				"token_endpoint": "http://id.example/token",
			}}, "token_endpoint",
		},
		{"no endpoint", oidctest.Behaviour{Document: m{"jwks_uri": nil}}, "jwks_uri"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := oidctest.Start(t)
			p.Do(tt.does)
			c := client(p)
			_, err := signIn(t, c)
			var down *oidc.UnavailableError
			if !errors.As(err, &down) || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("%v, want %q", err, tt.says)
			}
			// When it works again, nobody has to do anything.
			p.Do(oidctest.Behaviour{})
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
				if _, err = signIn(t, c); err == nil {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("when it works again: %v", err)
				}
			}
		})
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/.well-known/openid-configuration", "/keys", "/token", "/userinfo",
	} {
		p, ended := oidctest.Start(t), make(chan struct{})
		p.Do(oidctest.Behaviour{
			IDToken: map[string]any{"email": nil},
			Serve: func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != path {
					return false
				}
				// The answer begins, and does not end.
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte("{"))
				_ = http.NewResponseController(w).Flush()
				<-ended
				return true
			},
		})
		c := client(p)
		if bound := c.Timeout(); bound != 10*time.Second {
			t.Errorf("a request may take %v", bound)
		}
		c.SetTimeout(time.Second)
		_, err := signIn(t, c)
		close(ended)
		if _, ok := errors.AsType[*oidc.UnavailableError](err); !ok {
			t.Errorf("%s is silent: %v", path, err)
		}
	}
}

func TestManyAskForTheProviderOnce(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	p.Do(oidctest.Behaviour{Serve: func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}})
	c := client(p)
	began := time.Now()
	for range 100 {
		_, _, _ = c.Begin(t.Context(), "/ui/")
	}
	most := 1 + int(time.Since(began)/time.Second)
	if asked := p.Requests("/.well-known/openid-configuration"); asked > most {
		t.Errorf("100 tries asked %d times, want %d at most", asked, most)
	}
}

func TestRotatedKeys(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	c := client(p)
	for range 2 {
		if _, err := signIn(t, c); err != nil {
			t.Fatal(err)
		}
		p.Rotate()
	}
	// The second change comes within ten seconds.
	for range 5 {
		if _, err := signIn(t, c); err == nil || !strings.Contains(err.Error(), "signature") {
			t.Errorf("a key that was not looked for: %v", err)
		}
	}
	if asked := p.Requests("/keys"); asked != 2 {
		t.Errorf("keys were asked for %d times, want twice", asked)
	}
}

func TestCheckIssuer(t *testing.T) {
	t.Parallel()
	for issuer, says := range map[string]string{
		"https://id.example.com": "", "https://id.example.com/realms/a": "",
		"http://localhost:8080": "", "http://127.0.0.1:1/": "", "http://[::1]:1": "",
		"": "URL such as", "id.example.com": "URL such as", "https://": "URL such as",
		"https://id.example.com?a": "URL such as", "https://a:b@id.example.com": "URL such as",
		"http://id.example.com":                             "https URL",
		"ftp://localhost":                                   "https URL",
		"http://localhost.evil.example":                     "https URL",
		"https://login.microsoftonline.com/{tenantid}/v2.0": "own tenant",
	} {
		if must := oidc.CheckIssuer(issuer); must == "" != (says == "") ||
			!strings.Contains(must, says) {
			t.Errorf("%q must be %q, want %q", issuer, must, says)
		}
	}
}
