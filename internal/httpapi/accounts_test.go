package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
	"terse/internal/auth"
	"terse/internal/httpapi"
	"terse/internal/tests/foreign"
)

// shows is a request's header for a named token.
func shows(token api.Token) http.Header { return authorization("Bearer " + token.Text) }

// newToken makes a named token as an admin.
func (f *fixture) newToken(t testing.TB, req api.TokenRequest) api.Token {
	t.Helper()
	body, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return decodeAs[api.Token](t, f.do(t, request{
		method: "POST", target: "/api/tokens", body: string(body),
	}), http.StatusCreated)
}

// tokenOf makes a named token of a service that has the role as well.
func (f *fixture) tokenOf(t testing.TB, identity, role string) api.Token {
	t.Helper()
	made := f.newToken(t, api.TokenRequest{Name: role, Identity: identity, Role: role})
	f.setUser(t, identity, `{"role":"`+role+`"}`)
	return made
}

func (f *fixture) setUser(t testing.TB, identity, change string) api.User {
	t.Helper()
	return decodeAs[api.User](t, f.do(t, request{
		method: "PATCH", target: "/api/users/" + url.PathEscape(identity), body: change,
	}), http.StatusOK)
}

// opened is a request's header for a new session that is opened with a token.
func (f *fixture) opened(t testing.TB, text string) http.Header {
	t.Helper()
	got := f.do(t, request{
		method: "POST", target: "/ui/session", body: `{"token":"` + text + `"}`,
		header: authorization(),
	})
	if got.status != http.StatusNoContent {
		t.Fatalf("sign in: %d %s", got.status, got.body)
	}
	return by(setCookie(t, got))
}

// person signs somebody in, and returns the header of a request by the session.
func (f *fixture) person(t testing.TB, email string, role terse.Role, groups ...string,
) http.Header {
	t.Helper()
	identity, ok := terse.ParseEmail(email)
	if !ok {
		t.Fatalf("bad address %q", email)
	}
	session, stored := auth.NewSession(time.Now())
	if _, err := f.store.SignIn(t.Context(), terse.Caller{}, terse.User{
		Identity: identity, Email: identity, Name: "Somebody", Role: role,
		Issuer: "https://login.example", Subject: identity, Groups: groups,
	}, stored); err != nil {
		t.Fatal(err)
	}
	return by(&http.Cookie{Name: "terse_session", Value: session.Value})
}

// newPeopleFixture is newFixture where people with addresses of example.com may come in, and root
// is an admin.
func newPeopleFixture(t testing.TB, change func(*httpapi.Options)) *fixture {
	t.Helper()
	return newFixture(t, func(o *httpapi.Options) {
		opts := o.Gate.Options
		opts.Admission = &auth.Admission{
			Emails: []string{"@example.com"}, AdminEmails: []string{"root@example.com"},
			AdminGroups: []string{"staff"},
		}
		o.Gate = auth.NewGate(opts)
		if change != nil {
			change(o)
		}
	})
}

func TestNamedToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	before := time.Now().Add(-time.Second)
	end := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	made := f.newToken(t, api.TokenRequest{
		Name: "Déploy 🚀", Role: "editor", Identity: "ci", ExpiresAt: end,
	})
	if len(made.Text) != 47 || !strings.HasPrefix(made.Text, "terse_") ||
		made.Hint != made.Text[43:] || made.Name != "Déploy 🚀" || made.Identity != "ci" ||
		made.Role != "editor" || made.CreatedBy != terse.Identity ||
		made.CreatedAt.Before(before) ||
		made.ExpiresAt == nil || !made.ExpiresAt.Equal(end) || made.LastUsedAt != nil {
		t.Errorf("made %+v", made)
	}
	own := shows(made)
	// Its links are its identity's.
	created := decodeAs[api.Created](t, f.do(t, request{
		method: "POST", target: "/api/urls", body: `{"original_url":"https://example.com/"}`,
		header: own,
	}), http.StatusCreated)
	list := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls", header: own}),
		http.StatusOK)
	if list.Total != 1 || list.URLs[0].CreatedBy != "ci" {
		t.Errorf("its links: %+v", list)
	}
	if page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}),
		http.StatusOK); page.Total != 0 {
		t.Errorf("the links of the others: %+v", page)
	}
	wantError(t, f.do(t, request{method: "DELETE", target: "/api/urls/" + created.ShortCode}),
		http.StatusForbidden, "unauthorized to delete this URL")

	me := decodeAs[api.Me](t, f.do(t, request{target: "/api/me", header: own}), http.StatusOK)
	if me.Identity != "ci" || me.Role != "editor" || me.Via != "token" || me.Token == nil ||
		me.Token.ID != made.ID || me.Token.Text != "" {
		t.Errorf("me %+v", me)
	}
	// Nobody gets its text again.
	for _, target := range []string{
		"/api/tokens?owner=ci", "/api/tokens?owner=*", "/api/tokens/" + made.ID + "?owner=*",
	} {
		got := f.do(t, request{target: target})
		if got.status != http.StatusOK || !strings.Contains(got.body, made.ID) ||
			strings.Contains(got.body, made.Text) {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
	}
	session := f.opened(t, made.Text)
	read := decodeAs[api.Session](t, f.do(t, request{target: "/ui/session", header: session}),
		http.StatusOK)
	if read.ExpiresAt.After(end) || read.ExpiresAt.Before(end.Add(-time.Second)) {
		t.Errorf("the session ends at %v, its token at %v", read.ExpiresAt, end)
	}
	me = decodeAs[api.Me](t, f.do(t, request{target: "/api/me", header: session}), http.StatusOK)
	if me.Identity != "ci" || me.Role != "editor" || me.Via != "session" || me.Token == nil {
		t.Errorf("me by session %+v", me)
	}

	if got := f.do(t, request{
		method: "DELETE", target: "/api/tokens/" + made.ID + "?owner=ci",
	}); got.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", got.status, got.body)
	}
	wantError(t, f.do(t, request{target: "/api/me", header: own}), http.StatusUnauthorized,
		"Unauthorized: invalid token")
	wantError(t, f.do(t, request{target: "/api/me", header: session}), http.StatusUnauthorized,
		"Unauthorized: invalid session")
	wantError(t, f.do(t, request{
		method: "POST", target: "/ui/session", body: `{"token":"` + made.Text + `"}`,
		header: authorization(),
	}), http.StatusUnauthorized, "Unauthorized: invalid token")
	if log := f.log.String(); strings.Contains(log, made.Text) {
		t.Errorf("the log has the token: %s", log)
	}
}

func TestMe(t *testing.T) {
	t.Parallel()
	f := newPeopleFixture(t, nil)
	for _, row := range []struct {
		header              http.Header
		identity, role, via string
	}{
		{nil, terse.Identity, "admin", "auth_tokens"},
		{f.opened(t, token), terse.Identity, "admin", "session"},
		{f.person(t, "ann@example.com", terse.Auditor), "ann@example.com", "auditor", "session"},
		{f.person(t, "root@example.com", terse.Viewer), "root@example.com", "admin", "session"},
		{
			f.person(t, "boss@example.com", terse.Viewer, "all", "staff"), "boss@example.com",
			"admin", "session",
		},
	} {
		got := f.do(t, request{target: "/api/me", header: row.header})
		want := fmt.Sprintf(`{"identity":"%s","role":"%s","via":"%s"}`, row.identity, row.role,
			row.via)
		if got.status != http.StatusOK || got.body != want {
			t.Errorf("%d %s, want %s", got.status, got.body, want)
		}
	}
	// The list says the same of them.
	roles := map[string]string{}
	for _, u := range decodeAs[api.Users](t, f.do(t, request{target: "/api/users"}),
		http.StatusOK).Users {
		if !strings.Contains(u.Identity, "foreign") { // of package foreign
			roles[u.Identity] = u.Role
		}
	}
	if diff := cmp.Diff(roles, map[string]string{
		"ann@example.com": "auditor", "authenticated-user": "admin",
		"boss@example.com": "admin", "root@example.com": "admin",
	}); diff != "" {
		t.Errorf("listed roles: %s", diff)
	}
	wantError(t, f.do(t, request{
		target: "/api/me", header: f.person(t, "eve@elsewhere.example", terse.Admin),
	}), http.StatusUnauthorized, "Unauthorized: account disabled")
}

func TestTokenRules(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists all tokens")
	f := newPeopleFixture(t, nil)
	viewer := f.person(t, "vera@example.com", terse.Viewer)
	editor := f.person(t, "ed@example.com", terse.Editor)
	auditor := f.person(t, "audrey@example.com", terse.Auditor)
	post := func(header http.Header, target, body string) answer {
		t.Helper()
		return f.do(t, request{
			method: "POST", target: target, body: body, header: header, bad: true,
		})
	}
	for _, row := range []struct {
		body   string
		field  string
		status int
		text   string
	}{
		{`{}`, "name", 400, "name is required"},
		{`{"name":""}`, "name", 400, "name is required"},
		{`{"name":7}`, "name", 400, `field "name" must be a string`},
		{`{"name":" a"}`, "name", 400, badTokenName},
		{`{"name":"a\u0000"}`, "name", 400, badTokenName},
		{`{"name":"` + strings.Repeat("ä", 65) + `"}`, "name", 400, badTokenName},
		{`{"name":"a","rôle":"admin"}`, "", 400, `unknown field "rôle"`},
		{`{"name":"a","name":"b"}`, "name", 400, `duplicate field "name"`},
		{`{"name":"a"`, "", 400, "malformed JSON at byte 11: the text ends too early"},
		{`[]`, "", 400, "request body must be a JSON object"},
		{`{"name":"a","role":"owner"}`, "role", 400, badRole},
		{`{"name":"a","role":"Admin"}`, "role", 400, badRole},
		{`{"name":"a","identity":"No Body"}`, "identity", 400, badService},
		{`{"name":"a","identity":"nobody@example.com"}`, "identity", 400, badService},
		{`{"name":"a","identity":".."}`, "identity", 400, badService},
		{`{"name":"a","identity":"a\u0000b"}`, "identity", 400, badService},
		{`{"name":"a","expires_at":"tomorrow"}`, "expires_at", 400, badTime},
		{
			`{"name":"a","expires_at":"2020-01-01T00:00:00Z"}`, "expires_at", 400,
			"expires_at must be in the future",
		},
		{
			`{"name":"a","expires_at":"9999-12-31T23:59:59-01:00"}`, "expires_at", 400,
			"expires_at must be before the year 10000, in UTC",
		},
	} {
		wantError(t, post(nil, "/api/tokens", row.body), row.status, row.text)
		f.wantField(t, request{method: "POST", target: "/api/tokens", body: row.body},
			row.status, row.field)
	}
	if got := decodeAs[api.Tokens](t, f.do(t, request{target: "/api/tokens?owner=*"}),
		http.StatusOK); len(got.Tokens) != 0 {
		t.Errorf("refused requests made %+v", got.Tokens)
	}

	// What each role may give, and gives by default.
	for _, row := range []struct {
		who    http.Header
		usual  string
		others map[string]string // by role: the error, "" if there is none
	}{
		{viewer, "viewer", map[string]string{
			"viewer": "", "editor": "needs the role editor", "auditor": "needs the role auditor",
			"admin": "needs the role admin",
		}},
		{editor, "editor", map[string]string{
			"viewer": "", "editor": "", "auditor": "needs the role auditor",
			"admin": "needs the role admin",
		}},
		{auditor, "auditor", map[string]string{
			"viewer": "", "editor": "needs the role editor", "auditor": "",
			"admin": "needs the role admin",
		}},
		{nil, "editor", map[string]string{
			"viewer": "", "editor": "", "auditor": "", "admin": "",
		}},
	} {
		made := decodeAs[api.Token](t, post(row.who, "/api/tokens", `{"name":"usual"}`),
			http.StatusCreated)
		if made.Role != row.usual {
			t.Errorf("the usual role is %s, want %s", made.Role, row.usual)
		}
		for role, text := range row.others {
			got := post(row.who, "/api/tokens", `{"name":"`+role+`","role":"`+role+`"}`)
			if text != "" {
				wantError(t, got, http.StatusForbidden, text)
				continue
			}
			if made := decodeAs[api.Token](t, got, http.StatusCreated); made.Role != role {
				t.Errorf("asked for %s, got %+v", role, made)
			}
		}
	}

	// For whom.
	for _, row := range []struct {
		who          http.Header
		target, body string
		status       int
		text         string
	}{
		{editor, "/api/tokens", `"identity":"ed@example.com"`, 201, "ed@example.com"},
		{editor, "/api/tokens?owner=ed@example.com", ``, 201, "ed@example.com"},
		{editor, "/api/tokens", `"identity":"ci"`, 403, "needs the role admin"},
		{auditor, "/api/tokens", `"identity":"ci"`, 403, "needs the role admin"},
		{editor, "/api/tokens?owner=audrey@example.com", ``, 403, "needs the role admin"},
		{auditor, "/api/tokens?owner=ed@example.com", ``, 403, "needs the role admin"},
		{nil, "/api/tokens", `"identity":"ci"`, 201, "ci"},
		{nil, "/api/tokens", `"identity":"ed@example.com"`, 201, "ed@example.com"},
		{nil, "/api/tokens?owner=ed@example.com", ``, 201, "ed@example.com"},
		{nil, "/api/tokens?owner=ci", `"identity":"ci"`, 201, "ci"},
		{nil, "/api/tokens?owner=ci", `"identity":"cd"`, 400, "identity and owner must not differ"},
		{nil, "/api/tokens?owner=nobody", ``, 400, "unknown owner"},
		{nil, "/api/tokens?owner=%00", ``, 400, "unknown owner"},
		{nil, "/api/tokens?owner=%FF", ``, 400, "unknown owner"},
		{nil, "/api/tokens?owner=*", ``, 400, "owner must be one identity here"},
	} {
		name := fmt.Sprintf(`{"name":"for whom %s",`, auth.NewTokenID()) + row.body + `}`
		got := post(row.who, row.target, strings.Replace(name, ",}", "}", 1))
		if row.status != http.StatusCreated {
			wantError(t, got, row.status, row.text)
			continue
		}
		if made := decodeAs[api.Token](t, got, row.status); made.Identity != row.text {
			t.Errorf("%s %s: for %s", row.target, row.body, made.Identity)
		}
	}

	wantError(t, post(nil, "/api/tokens", `{"name":"usual"}`), http.StatusConflict,
		"token name already exists")
	f.newToken(t, api.TokenRequest{Name: "usual", Identity: "ci"}) // another's is another
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/tokens", body: `{"name":"once"}`,
		header: http.Header{"Idempotency-Key": {"k"}},
	}), http.StatusBadRequest,
		"Idempotency-Key can not be used here, because the answer with its secret is not kept")
	for i := range 100 {
		f.newToken(t, api.TokenRequest{Name: fmt.Sprint(i), Identity: "many"})
	}
	wantError(t, post(nil, "/api/tokens", `{"name":"one more","identity":"many"}`),
		http.StatusConflict, "at most 100 tokens")
	all := decodeAs[api.Tokens](t, f.do(t, request{target: "/api/tokens?owner=many"}),
		http.StatusOK)
	for i, token := range all.Tokens {
		if token.Name != fmt.Sprint(99-i) {
			t.Errorf("token %d is %s: not the newest first", i, token.Name)
		}
	}
}

const (
	badTokenName = "name must be 1 to 64 characters, without control characters and without " +
		"spaces around them"
	badRole    = "role must be viewer, editor, auditor or admin"
	badService = "identity must be that of a user, or a name for a service: " +
		"1-64 of a-z 0-9 . _ -"
	badTime = "expires_at must be an RFC 3339 time such as 2026-01-31T12:00:00Z"
)

// Who may read and delete which token.
func TestWhoManagesTokens(t *testing.T) {
	t.Parallel()
	f := newPeopleFixture(t, nil)
	ann, ed := f.person(t, "ann@example.com", terse.Editor), f.person(t, "ed@example.com",
		terse.Editor)
	auditor := f.person(t, "audrey@example.com", terse.Auditor)
	annsFirst := f.newToken(t, api.TokenRequest{Name: "1", Identity: "ann@example.com"})
	annsSecond := f.newToken(t, api.TokenRequest{Name: "2", Identity: "ann@example.com"})
	watcher := f.tokenOf(t, "watcher", "auditor")
	ops := f.tokenOf(t, "ops", "admin")
	const (
		manages  = "a token cannot manage tokens"
		notFound = "token not found"
	)
	first := "/api/tokens/" + annsFirst.ID
	for _, row := range []struct {
		name   string
		who    http.Header
		target string
		status int
		text   string
	}{
		{"one's own", ann, "/api/tokens", 200, ""},
		{"one of one's own", ann, first, 200, ""},
		{"by another", ed, first, 404, notFound},
		{
			"by another who asks for the owner", ed, first + "?owner=ann@example.com", 403,
			"needs the role auditor",
		},
		{"by an auditor", auditor, first, 404, notFound},
		{"by an auditor who asks", auditor, first + "?owner=ann@example.com", 200, ""},
		{"by an auditor who asks for all", auditor, "/api/tokens?owner=*", 200, ""},
		{
			"by an auditor who asks for another", auditor, first + "?owner=ed@example.com", 404,
			notFound,
		},
		{"by an admin", nil, first, 404, notFound},
		{"by an admin who asks", nil, first + "?owner=*", 200, ""},
		{"by itself", shows(annsFirst), first, 200, ""},
		{"by its session", f.opened(t, annsFirst.Text), first, 200, ""},
		{"by another of the same identity", shows(annsSecond), first, 403, manages},
		{"by a session of another", f.opened(t, annsSecond.Text), first, 403, manages},
		{"the list, by a token", shows(annsFirst), "/api/tokens", 403, manages},
		{
			"the list, by a session of a token", f.opened(t, annsFirst.Text), "/api/tokens", 403,
			manages,
		},
		{"by an auditor's token", shows(watcher), first + "?owner=*", 403, manages},
		{"the list, by an auditor's token", shows(watcher), "/api/tokens?owner=*", 403, manages},
		{"by an admin's token", shows(ops), first + "?owner=*", 200, ""},
		{"by a session of an admin's token", f.opened(t, ops.Text), "/api/tokens?owner=*", 200, ""},
		{"none", nil, "/api/tokens/nothere", 404, notFound},
		{"none, for a token", shows(annsFirst), "/api/tokens/nothere", 403, manages},
		{"none, not UTF-8", nil, "/api/tokens/%FF", 404, notFound},
		{"none, with a null byte", nil, "/api/tokens/a%00", 404, notFound},
		{"none, long", nil, "/api/tokens/" + strings.Repeat("a", 8000), 404, notFound},
	} {
		got := f.do(t, request{target: row.target, header: row.who, bad: true})
		if row.status != http.StatusOK {
			wantError(t, got, row.status, row.text)
		} else if got.status != row.status {
			t.Errorf("%s: %d %s", row.name, got.status, got.body)
		}
	}
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/tokens", body: `{"name":"3"}`, header: shows(annsFirst),
	}), http.StatusForbidden, manages)
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/tokens", body: `{"name":"3"}`,
		header: f.opened(t, annsFirst.Text),
	}), http.StatusForbidden, manages)
	f.do(t, request{
		method: "POST", target: "/api/tokens", body: `{"name":"3"}`, header: shows(ops),
	})

	remove := func(who http.Header, target string) answer {
		t.Helper()
		return f.do(t, request{method: "DELETE", target: target, header: who})
	}
	wantError(t, remove(ed, first), http.StatusNotFound, notFound)
	wantError(t, remove(auditor, first+"?owner=*"), http.StatusForbidden, "needs the role admin")
	wantError(t, remove(shows(annsSecond), first), http.StatusForbidden, manages)
	for _, row := range []struct {
		who    http.Header
		target string
	}{
		{shows(annsSecond), "/api/tokens/" + annsSecond.ID}, // itself
		{ann, first}, // one's own
		{nil, "/api/tokens/" + watcher.ID + "?owner=watcher"},
	} {
		if got := remove(row.who, row.target); got.status != http.StatusNoContent {
			t.Errorf("%s: %d %s", row.target, got.status, got.body)
		}
		wantError(t, remove(nil, strings.Split(row.target, "?")[0]+"?owner=*"),
			http.StatusNotFound, notFound)
	}
	for _, gone := range []api.Token{annsFirst, annsSecond, watcher} {
		wantError(t, f.do(t, request{target: "/api/me", header: shows(gone)}),
			http.StatusUnauthorized, "Unauthorized: invalid token")
	}
}

func TestTokenExpires(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := f.newToken(t, api.TokenRequest{
		Name: "short", ExpiresAt: time.Now().Add(500 * time.Millisecond),
	})
	session := f.opened(t, made.Text)
	for {
		got := f.do(t, request{target: "/api/me", header: shows(made)})
		if got.status != http.StatusOK {
			wantError(t, got, http.StatusUnauthorized, "Unauthorized: token expired")
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if time.Now().Before(*made.ExpiresAt) {
		t.Error("it ended too early")
	}
	wantError(t, f.do(t, request{target: "/api/me", header: session}), http.StatusUnauthorized,
		"Unauthorized: invalid session")
	wantError(t, f.do(t, request{
		method: "POST", target: "/ui/session", body: `{"token":"` + made.Text + `"}`,
		header: authorization(),
	}), http.StatusUnauthorized, "Unauthorized: token expired")
	// It can still be read and deleted.
	if got := f.do(t, request{
		method: "DELETE", target: "/api/tokens/" + made.ID,
	}); got.status != http.StatusNoContent {
		t.Errorf("delete: %d %s", got.status, got.body)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists all users")
	f := newPeopleFixture(t, nil)
	ann := f.person(t, "Ann+x@Example.com", terse.Editor)
	f.newToken(t, api.TokenRequest{Name: "a", Identity: "ci"})
	f.do(t, request{
		method: "POST", target: "/api/urls", body: `{"original_url":"https://example.com/"}`,
		header: ann,
	})
	list := decodeAs[api.Users](t, f.do(t, request{target: "/api/users"}), http.StatusOK)
	var got strings.Builder
	for _, u := range list.Users {
		email := "null"
		if u.Email != nil {
			email = *u.Email + " " + *u.Name
		}
		fmt.Fprintln(&got, u.Identity, email, u.Role, u.Disabled, u.LastSeenAt != nil, u.Links,
			u.Tokens)
	}
	const want = "ann+x@example.com ann+x@example.com Somebody editor false true 1 0\n" +
		"authenticated-user null admin false false 0 0\n" +
		"ci null admin false false 0 1\n"
	if got.String() != want {
		t.Errorf("users\n%swant\n%s", &got, want)
	}

	const path = "/api/users/ann%2Bx%40example.com"
	changed := f.setUser(t, "ann+x@example.com", `{"role":"viewer"}`)
	if changed.Role != "viewer" || changed.Disabled || changed.Links != 1 {
		t.Errorf("changed %+v", changed)
	}
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/urls", body: `{"original_url":"https://example.com/"}`,
		header: ann,
	}), http.StatusForbidden, "needs the role editor")
	if got := f.do(t, request{target: "/api/urls", header: ann}); got.status != http.StatusOK {
		t.Errorf("a viewer reads: %d %s", got.status, got.body)
	}
	mine := f.newToken(t, api.TokenRequest{Name: "mine", Identity: "ann+x@example.com"})
	f.setUser(t, "ann+x@example.com", `{"disabled":true}`)
	wantError(t, f.do(t, request{target: "/api/urls", header: ann}), http.StatusUnauthorized,
		"Unauthorized: invalid session")
	wantError(t, f.do(t, request{target: "/api/urls", header: shows(mine)}),
		http.StatusUnauthorized, "Unauthorized: account disabled")
	f.setUser(t, "ann+x@example.com", `{"disabled":false}`)
	if got := f.do(t, request{
		target: "/api/urls", header: shows(mine),
	}); got.status != http.StatusOK {
		t.Errorf("enabled again, a token: %d %s", got.status, got.body)
	}
	wantError(t, f.do(t, request{target: "/api/urls", header: ann}), http.StatusUnauthorized,
		"Unauthorized: invalid session")

	wantError(t, f.do(t, request{method: "DELETE", target: path}), http.StatusConflict,
		"still owns 1 link")
	if got := f.do(t, request{
		method: "DELETE", target: "/api/users/ci",
	}); got.status != http.StatusNoContent {
		t.Errorf("delete: %d %s", got.status, got.body)
	}
	wantError(t, f.do(t, request{method: "DELETE", target: "/api/users/ci"}),
		http.StatusNotFound, "user not found")
}

func TestUserRules(t *testing.T) {
	t.Parallel()
	f := newPeopleFixture(t, nil)
	f.person(t, "root@example.com", terse.Viewer)
	f.person(t, "ann@example.com", terse.Viewer)
	boss := f.person(t, "boss@example.com", terse.Admin)
	for _, row := range []struct {
		target, body string
		status       int
		text         string
	}{
		{"ann@example.com", `{"role":"boss"}`, 400, badRole},
		{"ann@example.com", `{"role":""}`, 400, badRole},
		{"ann@example.com", `{"role":1}`, 400, `field "role" must be a string`},
		{"ann@example.com", `{"disabled":"no"}`, 400, `field "disabled" must be true or false`},
		{"ann@example.com", `{"name":"A"}`, 400, `unknown field "name"`},
		{"nobody", `{}`, 404, "user not found"},
		{"ANN@example.com", `{}`, 404, "user not found"},
		{"%00", `{}`, 404, "user not found"},
		{"%FF", `{}`, 404, "user not found"},
		{
			"root@example.com", `{"role":"viewer"}`, 409,
			"this address is in OIDC_ADMIN_EMAILS: take it out there first",
		},
		{"boss@example.com", `{"disabled":true}`, 409, "you cannot change yourself"},
		{
			"authenticated-user", `{"role":"viewer"}`, 409,
			"authenticated-user can't be changed or deleted",
		},
	} {
		target := "/api/users/" + row.target
		wantError(t, f.do(t, request{
			method: "PATCH", target: target, body: row.body, header: boss, bad: true,
		}), row.status, row.text)
		if row.status == http.StatusBadRequest {
			continue
		}
		wantError(t, f.do(t, request{method: "DELETE", target: target, header: boss}), row.status,
			row.text)
	}
	if user := f.setUser(t, "ann@example.com", `{}`); user.Role != "viewer" {
		t.Errorf("an empty change: %+v", user)
	}
}

func TestEndSessions(t *testing.T) {
	t.Parallel()
	f := newPeopleFixture(t, nil)
	end := func(who http.Header, identity string) answer {
		t.Helper()
		return f.do(t, request{
			method: "DELETE", target: "/api/users/" + url.PathEscape(identity) + "/sessions",
			header: who,
		})
	}
	ended := func(who http.Header) {
		t.Helper()
		wantError(t, f.do(t, request{target: "/api/me", header: who}), http.StatusUnauthorized,
			"Unauthorized: invalid session")
	}
	one, two := f.person(t, "ann@example.com", terse.Viewer), f.person(t, "ann@example.com",
		terse.Viewer)
	other := f.person(t, "ed@example.com", terse.Auditor)
	wantError(t, end(other, "ann@example.com"), http.StatusForbidden, "needs the role admin")
	mine := f.newToken(t, api.TokenRequest{Name: "mine", Identity: "ann@example.com"})
	wantError(t, end(shows(mine), "ann@example.com"), http.StatusForbidden,
		"a token cannot end sessions")
	if got := end(one, "ann@example.com"); got.status != http.StatusNoContent {
		t.Errorf("one's own: %d %s", got.status, got.body)
	}
	ended(one)
	ended(two)
	if got := f.do(t, request{target: "/api/me", header: shows(mine)}); got.status != 200 {
		t.Errorf("a token of who ended the sessions: %d", got.status)
	}
	if got := end(nil, "ed@example.com"); got.status != http.StatusNoContent {
		t.Errorf("by an admin: %d %s", got.status, got.body)
	}
	ended(other)
	wantError(t, end(nil, "nobody"), http.StatusNotFound, "user not found")
	wantError(t, end(nil, "\x00"), http.StatusNotFound, "user not found")

	// Signing out ends the session, and no other.
	one, two = f.person(t, "ann@example.com", terse.Viewer), f.person(t, "ann@example.com",
		terse.Viewer)
	if got := f.do(t, request{
		method: "DELETE", target: "/ui/session", header: one,
	}); got.status != http.StatusNoContent || setCookie(t, got).MaxAge >= 0 {
		t.Errorf("sign out: %d", got.status)
	}
	ended(one)
	if got := f.do(t, request{target: "/api/me", header: two}); got.status != http.StatusOK {
		t.Errorf("the other session: %d %s", got.status, got.body)
	}
	two.Set("Sec-Fetch-Site", "cross-site")
	wantError(t, f.do(t, request{method: "DELETE", target: "/ui/session", header: two}),
		http.StatusForbidden, "cross-origin request refused")
}

// While the store can't be asked, named tokens and stored sessions are never let in, and the tokens
// of the settings are.
func TestStoreAwayLetsNobodyIn(t *testing.T) {
	t.Parallel()
	f := newPeopleFixture(t, nil)
	made := f.newToken(t, api.TokenRequest{Name: "a", Role: "admin"})
	ann := f.person(t, "ann@example.com", terse.Admin)
	signed := f.opened(t, token)
	_ = f.store.Close()
	for _, who := range []http.Header{shows(made), ann} {
		wantError(t, f.do(t, request{target: "/api/me", header: who}),
			http.StatusInternalServerError, "internal server error")
		wantError(t, f.do(t, request{target: "/api/unknown", header: who}),
			http.StatusInternalServerError, "internal server error")
	}
	for _, who := range []http.Header{nil, signed} {
		if got := f.do(t, request{target: "/api/me", header: who}); got.status != http.StatusOK {
			t.Errorf("settings' token: %d %s", got.status, got.body)
		}
	}
	got := f.do(t, request{method: "DELETE", target: "/ui/session", header: ann})
	wantError(t, got, http.StatusInternalServerError, "internal server error")
	if got.header.Get("Set-Cookie") != "" {
		t.Error("the browser forgets a session that has not ended")
	}
	if log := f.log.String(); strings.Contains(log, made.Text) {
		t.Errorf("the log has the token: %s", log)
	}
}

// Guesses take from the budget of failed authentication, and lock out no good token, also one that
// nobody showed before.
func TestGuesses(t *testing.T) {
	t.Parallel()
	taken := 0
	f := newFixture(t, func(o *httpapi.Options) {
		o.LimitFailures = func(netip.Addr) time.Duration {
			if taken++; taken > 5 {
				return time.Minute
			}
			return 0
		}
	})
	made := f.newToken(t, api.TokenRequest{Name: "a"})
	for i := range 8 {
		guess := authorization("Bearer " + auth.NewNamedToken())
		if i%2 > 0 { // of a session
			session, _ := auth.NewSession(time.Now())
			guess = by(&http.Cookie{Name: "terse_session", Value: session.Value})
		}
		got := f.do(t, request{target: "/api/me", header: guess})
		if want := map[bool]int{true: 401, false: 429}[i < 5]; got.status != want {
			t.Errorf("guess %d: %d %s", i, got.status, got.body)
		}
	}
	if taken != 8 {
		t.Errorf("8 guesses took %d", taken)
	}
	for _, who := range []http.Header{nil, shows(made)} {
		if got := f.do(t, request{target: "/api/me", header: who}); got.status != http.StatusOK {
			t.Errorf("a good token: %d %s", got.status, got.body)
		}
	}
}

// A token in the query is ignored.
func TestTokenInTheQuery(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := f.newToken(t, api.TokenRequest{Name: "a"})
	for _, name := range []string{"token", "access_token"} {
		wantError(t, f.do(t, request{
			target: "/api/me?" + name + "=" + made.Text, header: authorization(),
		}), http.StatusUnauthorized, "Unauthorized: missing authorization header")
	}
}

// The Go client and the server understand each other.
func TestAccountsWithTheGoClient(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists all users")
	f := newPeopleFixture(t, nil)
	f.person(t, "ann+x/y@example.com", terse.Editor)
	ctx := t.Context()
	client := api.New(f.server.URL, token)
	end := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	made, err := client.CreateToken(ctx, api.TokenRequest{
		Name: "a", Role: "viewer", Identity: "ann+x/y@example.com", ExpiresAt: end,
	})
	if err != nil || made.Text == "" || !made.ExpiresAt.Equal(end) {
		t.Fatalf("%+v, %v", made, err)
	}
	shown := made
	shown.Text = ""
	me, err := api.New(f.server.URL, made.Text).Me(ctx)
	if err != nil || me.Identity != "ann+x/y@example.com" || me.Role != "viewer" ||
		me.Token == nil || me.Token.ID != made.ID {
		t.Errorf("me %+v, %v", me, err)
	}
	of := client.Of("ann+x/y@example.com")
	list, err := of.Tokens(ctx)
	if err != nil || len(list) != 1 || cmp.Diff(list[0], shown) != "" {
		t.Errorf("tokens %+v, %v", list, err)
	}
	if read, err := client.Of(api.AllOwners).Token(ctx, made.ID); err != nil ||
		cmp.Diff(read, shown) != "" {
		t.Errorf("token %+v, %v", read, err)
	}
	if _, err := client.Token(ctx, made.ID); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("the token of another: %v", err)
	}
	if err := of.DeleteToken(ctx, made.ID); err != nil {
		t.Error(err)
	}
	users, err := client.Users(ctx)
	if err != nil || len(users) != 2 || users[0].Identity != "ann+x/y@example.com" {
		t.Errorf("users %+v, %v", users, err)
	}
	role := "auditor"
	if user, err := client.UpdateUser(ctx, "ann+x/y@example.com",
		api.UserChanges{Role: &role}); err != nil || user.Role != role || user.Disabled {
		t.Errorf("user %+v, %v", user, err)
	}
	if err := client.EndSessions(ctx, "ann+x/y@example.com"); err != nil {
		t.Error(err)
	}
	if err := client.DeleteUser(ctx, "ann+x/y@example.com"); err != nil {
		t.Error(err)
	}
	if _, err := client.Me(ctx); err != nil {
		t.Error(err)
	}
}
