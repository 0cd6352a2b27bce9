package main

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/tests/oidctest"
	"terse/internal/tests/pgtest"
)

// signInServer is a server, and the browser of somebody who wants to come in.
type signInServer struct {
	*instance
	env     []string
	browser *http.Client
}

// startSignIn starts a server that people sign in to at a provider.
func startSignIn(t *testing.T, issuer string, env ...string) *signInServer {
	t.Helper()
	address := freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	env = append([]string{
		"SERVER_PORT=" + port, "BASE_URL=http://" + address, "OIDC_ISSUER=" + issuer,
		"OIDC_CLIENT_ID=" + oidctest.ClientID, "OIDC_CLIENT_SECRET=" + oidctest.ClientSecret,
		"OIDC_ALLOWED_EMAILS=ann@example.com",
	}, env...)
	return &signInServer{start(t, env...), env, newBrowser(t)}
}

// restart starts the server again, with other settings.
func (s *signInServer) restart(t *testing.T, env ...string) {
	t.Helper()
	s.stop(t)
	s.instance = startIn(t, s.dir, slices.Concat(s.env, env)...)
}

// newBrowser returns a client that keeps cookies and follows redirects.
func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Jar: jar, Transport: transport}
}

// get requests an address.
func get(t *testing.T, browser *http.Client, address string) answer {
	t.Helper()
	res, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res, string(body)}
}

// signIn signs in at a provider that asks nothing, and returns the page where that ends.
func (s *signInServer) signIn(t *testing.T) answer {
	t.Helper()
	return get(t, s.browser, s.url+"/ui/oidc/login?next=/ui/links/abc%3Fa=b")
}

// came reports whether an answer is where a sign-in ends that went well.
func (s *signInServer) came(a answer) bool {
	return a.Request.URL.String() == s.url+"/ui/links/abc?a=b" && a.StatusCode == http.StatusOK &&
		s.status(a, "/api/urls") == http.StatusOK
}

// status returns with what the browser is answered.
func (s *signInServer) status(_ answer, path string) int {
	res, err := s.browser.Get(s.url + path)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// wantIn signs in, and wants that to go well.
func (s *signInServer) wantIn(t *testing.T) {
	t.Helper()
	if a := s.signIn(t); !s.came(a) {
		t.Fatalf("signed in? %s %s: %s\n%s", a.Status, a.Request.URL, said(a), s.log)
	}
}

// wantOut signs in, and wants a page with a status that says something.
func (s *signInServer) wantOut(t *testing.T, status int, says ...string) {
	t.Helper()
	a := s.signIn(t)
	for _, text := range says {
		if a.StatusCode != status || !strings.Contains(said(a), text) {
			t.Errorf("%s, want %d and %q:\n%s\n%s", a.Status, status, text, said(a), s.log)
		}
	}
	if s.status(a, "/api/urls") != http.StatusUnauthorized {
		t.Error("the browser has a session")
	}
}

// logged returns the log when it says something.
func (s *signInServer) logged(t *testing.T, text string) string {
	t.Helper()
	await(t, "the log to say "+text, func() bool { return strings.Contains(s.log.String(), text) })
	return s.log.String()
}

var tags = regexp.MustCompile(`(?s)<script>.*?</script>|<style>.*?</style>|<[^>]*>`)

// said returns the text of a page.
func said(a answer) string {
	text := html.UnescapeString(tags.ReplaceAllString(a.body, " "))
	return strings.Join(strings.Fields(text), " ")
}

func TestSignInAtAProvider(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	s := startSignIn(t, p.URL)
	s.wantIn(t)

	// What the browser keeps.
	s.browser.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	begun := get(t, s.browser, s.url+"/ui/oidc/login")
	location, _ := url.Parse(begun.Header.Get("Location"))
	q := location.Query()
	if begun.StatusCode != http.StatusFound || q.Get("redirect_uri") != s.url+"/ui/oidc/callback" ||
		q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" ||
		q.Get("scope") != "openid email profile" {
		t.Errorf("%s to %s", begun.Status, location)
	}
	cookie := begun.Header.Get("Set-Cookie")
	for _, part := range []string{
		"terse_oidc=", "Path=/ui/oidc;", "Max-Age=600", "HttpOnly", "SameSite=Lax",
	} {
		if !strings.Contains(cookie, part) {
			t.Errorf("%s lacks %s", cookie, part)
		}
	}
	sent := get(t, s.browser, location.String())
	back := get(t, s.browser, sent.Header.Get("Location"))
	if back.StatusCode != http.StatusSeeOther || back.Header.Get("Location") != "/ui/" ||
		back.Header.Get("Referrer-Policy") != "no-referrer" ||
		back.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s %v", back.Status, back.Header)
	}
	cookies := strings.Join(back.Header["Set-Cookie"], "\n")
	for _, part := range []string{
		"terse_oidc=; Path=/ui/oidc; Max-Age=0", "terse_session=2.", "Path=/; Max-Age=604800",
		"SameSite=Strict",
	} {
		if !strings.Contains(cookies, part) {
			t.Errorf("%s lacks %s", cookies, part)
		}
	}

	// The same response again.
	again := get(t, s.browser, sent.Header.Get("Location"))
	if again.StatusCode != http.StatusBadRequest ||
		!strings.Contains(said(again), "Sign-in failed") ||
		again.Header.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(again.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%s %v %s", again.Status, again.Header, said(again))
	}
	code, _ := url.Parse(sent.Header.Get("Location"))
	log := s.logged(t, "sent no cookie")
	for _, secret := range []string{
		code.Query().Get("code"), code.Query().Get("state"), "secret", "eyJ", "terse_oidc=",
	} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}

	// Where it leads.
	s.browser.CheckRedirect = nil
	for next, want := range map[string]string{
		"": "/ui/", "/ui/overview": "/ui/overview", "/ui/links/a%3Fb%23c": "/ui/links/a?b",
		"https://evil.example/ui/": "/ui/", "//evil.example/ui/": "/ui/", "/ui/../health": "/ui/",
		"/ui/%252e%252e/health": "/ui/", "/health": "/ui/", "/ui/oidc/login": "/ui/",
		"/ui/%5Cevil.example": "/ui/", "/ui/%0d%0aA:b": "/ui/", "/ui": "/ui/",
		"/ui/" + strings.Repeat("a", 2000): "/ui/", "javascript:alert(1)": "/ui/",
	} {
		a := get(t, s.browser, s.url+"/ui/oidc/login?next="+next)
		if got := a.Request.URL.RequestURI(); got != want || a.Request.URL.Host != s.url[7:] {
			t.Errorf("next=%s leads to %s", next, a.Request.URL)
		}
	}
}

func TestWithoutAProviderThereIsNoSignIn(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, path := range []string{"/ui/oidc/login", "/ui/oidc/callback?code=a&state=b"} {
		a := i.do(t, "GET "+path, "")
		other := i.do(t, "GET /ui/other", "")
		if a.StatusCode != http.StatusNotFound || a.body != other.body {
			t.Errorf("%s: %s %s", path, a.Status, a.body)
		}
	}
}

// What a provider says decides who comes in. The page names the address, and the setting.
func TestWhoComesIn(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	p := oidctest.Start(t)
	for _, tt := range []struct {
		name   string
		claims m
		env    []string
		says   []string // none: in
	}{
		{"another address", m{"email": "eve@example.com"}, nil, []string{
			"eve@example.com", "OIDC_ALLOWED_EMAILS", "You may not sign in",
		}},
		{"not verified", m{"email_verified": false}, nil, []string{
			"Ann@Example.com is not verified", "OIDC_REQUIRE_VERIFIED_EMAIL=false",
		}},
		{"nothing is said", m{"email_verified": nil}, nil, []string{
			"does not say whether the address Ann@Example.com is verified",
			"OIDC_REQUIRE_VERIFIED_EMAIL=false",
		}},
		{"verified as a text", m{"email_verified": "true"}, nil, nil},
		{
			"not verified, and accepted",
			m{"email_verified": false},
			[]string{"OIDC_REQUIRE_VERIFIED_EMAIL=false"},
			nil,
		},
		{
			"nothing is said, and accepted",
			m{"email_verified": nil},
			[]string{"OIDC_REQUIRE_VERIFIED_EMAIL=false"},
			nil,
		},
		{"no address", m{"email": nil}, nil, []string{
			"did not send an email address", "OIDC_SCOPES",
		}},
		{"no plain address", m{"email": "<b>ann</b>@example.com"}, nil, []string{
			"<b>ann</b>@example.com", "no plain email address",
		}},
		{"a huge address", m{"email": strings.Repeat("a", 200_000) + "@example.com"}, nil, []string{
			"aaa…\", which is no plain email address",
		}},
		{"a domain", nil, []string{"OIDC_ALLOWED_EMAILS=@example.com"}, nil},
		{"everybody", m{"email": "x@y.example"}, []string{"OIDC_ALLOWED_EMAILS=*"}, nil},
		{
			"by group",
			m{"groups": []string{"a", "staff"}},
			[]string{"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff"},
			nil,
		},
		{"by one group", m{"roles": "staff"}, []string{
			"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff", "OIDC_GROUPS_CLAIM=roles",
		}, nil},
		{
			"another group",
			m{"groups": []string{"/staff"}},
			[]string{"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff"},
			[]string{
				"OIDC_ALLOWED_GROUPS none of the groups",
			},
		},
		{"no groups", nil, []string{"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff"}, []string{
			"the provider sent no groups (the claim groups, OIDC_GROUPS_CLAIM and OIDC_SCOPES)",
		}},
		{
			"by group, not verified",
			m{"groups": "staff", "email_verified": false},
			[]string{"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=staff"},
			[]string{
				"OIDC_REQUIRE_VERIFIED_EMAIL",
			},
		},
	} {
		p.Do(oidctest.Behaviour{IDToken: tt.claims})
		s := startSignIn(t, p.URL, tt.env...)
		if tt.says == nil {
			s.wantIn(t)
		} else {
			s.wantOut(t, http.StatusForbidden, tt.says...)
			log := s.logged(t, `"level":"WARN","msg":"sign-in refused"`)
			audit := s.do(t, "GET /api/audit?limit=3", "",
				"Authorization: Bearer "+testToken).body
			if !strings.Contains(audit, `"user.refused"`) || len(audit)+len(log) > 10_000 {
				t.Errorf("%s: the audit has %.1000q, the log %.1000q", tt.name, audit, log)
			}
			if !strings.Contains(log, "OIDC_") && !strings.Contains(log, "no plain address") {
				t.Errorf("%s: the log does not say it:\n%s", tt.name, log)
			}
			if tt.name == "another group" && !strings.Contains(log, `"groups":["/staff"]`) {
				t.Errorf("%s: the log does not say which:\n%s", tt.name, log)
			}
		}
		s.stop(t)
		if t.Failed() {
			t.Fatal(tt.name)
		}
	}
}

func TestAPersonIsWhoTheProviderSays(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	p := oidctest.Start(t)
	s := startSignIn(t, p.URL, "OIDC_ALLOWED_EMAILS=@example.com", "OIDC_ALLOWED_GROUPS=guests",
		"OIDC_ADMIN_GROUPS=admins", "OIDC_ADMIN_EMAILS=root@example.com",
		"OIDC_DEFAULT_ROLE=viewer")
	create := func() (status int, by string) {
		res, err := s.browser.Post(s.url+"/api/urls", "application/json",
			strings.NewReader(`{"original_url": "https://example.com/"}`))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		list := get(t, s.browser, s.url+"/api/urls?limit=1").body
		return res.StatusCode, regexp.MustCompile(
			`"created_by":"([^"]*)"|$`).FindStringSubmatch(list)[1]
	}
	const readsAll = "/api/unknown"
	s.wantIn(t)
	if status, _ := create(); status != http.StatusForbidden {
		t.Errorf("a viewer creates a link: %d", status)
	}

	// Groups and address of the last sign-in count. The identity stays.
	p.Do(oidctest.Behaviour{IDToken: m{
		"groups": []string{"admins"}, "email": "ann.new@example.com",
	}})
	s.wantIn(t)
	status, by := create()
	if status != http.StatusCreated || by != "ann@example.com" ||
		s.status(answer{}, readsAll) != http.StatusOK {
		t.Errorf("an admin by group: %d, by %s", status, by)
	}
	p.Do(oidctest.Behaviour{IDToken: m{"email": "Root@example.com"}})
	s.wantIn(t)
	if status, by := create(); status != http.StatusCreated || by != "ann@example.com" {
		t.Errorf("an admin by address: %d, by %s", status, by)
	}

	// Another account with a known address.
	own := s.browser
	s.browser = newBrowser(t)
	p.Do(oidctest.Behaviour{IDToken: m{"sub": "2"}})
	s.wantOut(t, http.StatusForbidden, "ann@example.com", "another account of the provider")
	p.Do(oidctest.Behaviour{IDToken: m{"sub": "2", "email": "bob@example.com"}})
	s.wantIn(t)
	s.browser = own

	// A setting that changed holds for those who are there.
	s.restart(t, "OIDC_ADMIN_EMAILS=")
	if status := s.status(answer{}, readsAll); status != http.StatusForbidden {
		t.Errorf("no admin any more: %d", status)
	}
	s.restart(t, "OIDC_ALLOWED_EMAILS=ann@example.com,bob@example.com")
	if status := s.status(answer{}, "/api/urls"); status != http.StatusUnauthorized {
		t.Errorf("not allowed any more: %d", status)
	}
	s.restart(t, "OIDC_ISSUER=", "OIDC_CLIENT_ID=", "OIDC_CLIENT_SECRET=",
		"OIDC_ALLOWED_EMAILS=", "OIDC_ALLOWED_GROUPS=", "OIDC_ADMIN_EMAILS=", "OIDC_ADMIN_GROUPS=")
	if status := s.status(answer{}, "/api/urls"); status != http.StatusUnauthorized {
		t.Errorf("without a provider: %d", status)
	}

	// Disabled.
	s.restart(t)
	p.Do(oidctest.Behaviour{})
	s.wantIn(t)
	setUser(t, s.instance, "disabled = 1")
	await(t, "the session to end", func() bool {
		return s.status(answer{}, "/api/urls") == http.StatusUnauthorized
	})
	s.wantOut(t, http.StatusForbidden, "ann@example.com is disabled")
}

// setUser changes the row of Ann's user, as another node does.
func setUser(t *testing.T, i *instance, set string) {
	t.Helper()
	conn, err := sqlite.OpenConn(i.dir+"/terse.db", sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := sqlitex.Execute(conn, "UPDATE users SET "+set+" WHERE identity = 'ann@example.com'",
		nil); err != nil || conn.Changes() != 1 {
		t.Fatalf("%d rows: %v", conn.Changes(), err)
	}
}

func TestTheProviderIsNotThere(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	down := true
	p.Do(oidctest.Behaviour{Serve: func(w http.ResponseWriter, _ *http.Request) bool {
		if down {
			w.WriteHeader(http.StatusBadGateway)
		}
		return down
	}})
	s := startSignIn(t, p.URL)
	s.wantOut(t, http.StatusServiceUnavailable, "OpenID provider can't be reached", "terse doctor")
	s.logged(t, "502 Bad Gateway")
	if a := s.do(t, "GET /api/urls", "", "Authorization: Bearer "+testToken); a.StatusCode != 200 {
		t.Errorf("a token: %s", a.Status)
	}
	p.Do(oidctest.Behaviour{})
	await(t, "the sign-in to work", func() bool { return s.came(s.signIn(t)) })

	// Wrong settings of the client are for the log.
	s.restart(t, "OIDC_CLIENT_SECRET=wrong-secret")
	s.browser = newBrowser(t)
	s.wantOut(t, http.StatusBadRequest, "Sign-in failed")
	if log := s.logged(t, "invalid_client"); strings.Contains(log, "wrong-secret") {
		t.Errorf("the log has the secret:\n%s", log)
	}
}

// Below a path, all addresses have it.
func TestSignInBelowAPath(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	address := freeAddress(t)
	s := startSignIn(t, p.URL, "BASE_URL=http://"+address+"/go")
	s.browser.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	a := get(t, s.browser, s.url+"/go/ui/oidc/login?next=/go/ui/overview")
	location, err := a.Location()
	callback := "http://" + address + "/go/ui/oidc/callback"
	if err != nil || location.Query().Get("redirect_uri") != callback ||
		!strings.Contains(a.Header.Get("Set-Cookie"), "Path=/go/ui/oidc;") {
		t.Fatalf("%v to %v", a.Header, location)
	}
	sent := get(t, s.browser, location.String())
	returned := strings.Replace(sent.Header.Get("Location"), "http://"+address, s.url, 1)
	back := get(t, s.browser, returned)
	if back.StatusCode != http.StatusSeeOther || back.Header.Get("Location") != "/go/ui/overview" {
		t.Errorf("%s %v %s", back.Status, back.Header, said(back))
	}
}

// Whoever tries without end is slowed down.
func TestFailedSignInsAreLimited(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	s := startSignIn(t, p.URL, "API_RATE_LIMIT_PER_MINUTE=3")
	for n := range 5 {
		a := get(t, s.browser, s.url+"/ui/oidc/callback?code=a&state=b")
		if want := map[bool]int{true: 400, false: 429}[n < 3]; a.StatusCode != want {
			t.Errorf("try %d: %s", n+1, a.Status)
		}
	}
	if a := s.do(t, "GET /api/urls", "", "Authorization: Bearer "+testToken); a.StatusCode != 200 {
		t.Errorf("a good token on the same address: %s", a.Status)
	}
	if p.Requests("/token") != 0 {
		t.Error("the provider was asked")
	}
}

// An attempt that one node began may end at another, and the session is good at all.
func TestSignInAcrossNodes(t *testing.T) {
	t.Parallel()
	p := oidctest.Start(t)
	database := "DATABASE_URL=" + pgtest.URL(t)
	other := startSignIn(t, p.URL, database)
	s := startSignIn(t, p.URL, database, "BASE_URL="+other.url)
	s.browser.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	begun := get(t, s.browser, s.url+"/ui/oidc/login")
	sent := get(t, s.browser, begun.Header.Get("Location"))
	back := sent.Header.Get("Location")
	if !strings.HasPrefix(back, other.url) {
		t.Fatalf("the provider leads to %s", back)
	}
	address, err := url.Parse(back)
	if err != nil {
		t.Fatal(err)
	}
	kept := s.browser.Jar.Cookies(address)
	if a := get(t, s.browser, back); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s: %s\n%s", a.Status, said(a), other.log)
	}
	if status := s.status(answer{}, "/api/urls"); status != http.StatusOK {
		t.Errorf("the session at the first node: %d", status)
	}
	// The first node does not know that the state was used. The provider knows the code.
	s.browser.Jar.SetCookies(address, kept)
	again := get(t, s.browser, strings.Replace(back, other.url, s.url, 1))
	if again.StatusCode != http.StatusBadRequest {
		t.Errorf("the same response at the first node: %s", again.Status)
	}
	s.logged(t, "invalid_grant")
}
