package httpapi_test

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"
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

// somebody is an owner beside the caller.
const somebody = "somebody"

// addUsers adds services, and people, whose names have an @.
func (f *fixture) addUsers(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		var err error
		if email, ok := terse.ParseEmail(name); ok {
			_, err = f.store.SignIn(t.Context(), terse.Caller{}, terse.User{
				Identity: email, Email: email, Role: terse.Editor, Issuer: "issuer", Subject: email,
			}, terse.Session{
				Hash: auth.HashOf(name), CreatedAt: time.Now(),
				ExpiresAt: time.Now().Add(time.Hour),
			})
		} else {
			err = f.store.CreateService(t.Context(), terse.Caller{Identity: terse.Identity}, name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tokenFor returns the header of requests with a new token for an identity.
func (f *fixture) tokenFor(t testing.TB, identity string, role terse.Role) http.Header {
	t.Helper()
	return f.createToken(t, terse.AccessToken{
		ID: rand.Text(), Name: rand.Text(), Identity: identity, Role: role,
	})
}

// createToken stores a token, and returns the header of requests with it.
func (f *fixture) createToken(t testing.TB, token terse.AccessToken) http.Header {
	t.Helper()
	text := auth.NewNamedToken()
	if _, err := f.store.CreateToken(t.Context(), terse.Caller{Identity: terse.Identity}, token,
		auth.HashOf(text)); err != nil {
		t.Fatal(err)
	}
	return http.Header{"Authorization": {"Bearer " + text}}
}

// createOf makes a link of an owner.
func (f *fixture) createOf(t testing.TB, owner, code string, u terse.URL, tags ...string) {
	t.Helper()
	parsed, err := terse.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	o := terse.LinkOptions{Tags: tags}
	options, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.Create(t.Context(), terse.Caller{Identity: owner}, terse.NewLink{
		Code: parsed, URL: u, CreatedBy: owner, Options: options,
	}); err != nil {
		t.Fatal(err)
	}
}

// ownerOf returns to whom a link belongs; "": there is none.
func (f *fixture) ownerOf(t testing.TB, code string) string {
	t.Helper()
	parsed, err := terse.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.store.Link(t.Context(), parsed)
	if err != nil {
		return ""
	}
	return link.CreatedBy
}

// withOwner returns a target with a parameter owner; "": without.
func withOwner(target, owner string) string {
	if owner == "" {
		return target
	}
	if strings.Contains(target, "?") {
		return target + "&owner=" + url.QueryEscape(owner)
	}
	return target + "?owner=" + url.QueryEscape(owner)
}

// owned are requests about a link or tag, {}, by their routes. The answer says whether the request
// reaches it: by its status, or by naming it where inBody is set.
var owned = map[string]struct {
	target, body string
	inBody       bool
}{
	"GET /api/urls":                       {"/api/urls?search={}", "", true},
	"GET /api/urls/{shortCode}":           {"/api/urls/{}", "", false},
	"PATCH /api/urls/{shortCode}":         {"/api/urls/{}", `{"title":"a"}`, false},
	"DELETE /api/urls/{shortCode}":        {"/api/urls/{}", "", false},
	"GET /api/urls/{shortCode}/analytics": {"/api/urls/{}/analytics", "", false},
	"GET /api/urls/{shortCode}/clicks":    {"/api/urls/{}/clicks", "", false},
	"DELETE /api/urls/{shortCode}/clicks": {"/api/urls/{}/clicks", "", false},
	"GET /api/urls/{shortCode}/events":    {"/api/urls/{}/events", "", false},
	"GET /api/urls/{shortCode}/history":   {"/api/urls/{}/history", "", false},
	"POST /api/urls/{shortCode}/share":    {"/api/urls/{}/share", "", false},
	"GET /api/urls/{shortCode}/share":     {"/api/urls/{}/share", "", false},
	"PATCH /api/urls/{shortCode}/share":   {"/api/urls/{}/share", `{"title":"a"}`, false},
	"DELETE /api/urls/{shortCode}/share":  {"/api/urls/{}/share", "", false},
	"POST /api/tags/{tag}/share":          {"/api/tags/{}/share", "", false},
	"GET /api/tags/{tag}/share":           {"/api/tags/{}/share", "", false},
	"PATCH /api/tags/{tag}/share":         {"/api/tags/{}/share", `{"title":"a"}`, false},
	"DELETE /api/tags/{tag}/share":        {"/api/tags/{}/share", "", false},
	"POST /api/overview/share":            {"/api/overview/share", "", true},
	"GET /api/overview/share":             {"/api/overview/share", "", true},
	"PATCH /api/overview/share":           {"/api/overview/share", `{"title":"a"}`, true},
	"DELETE /api/overview/share":          {"/api/overview/share", "", true},
	"GET /api/shares":                     {"/api/shares", "", true},
	"POST /api/bulk": {
		"/api/bulk",
		`{"operations":[{"op":"update","short_code":"{}","link":{"title":"b"}}]}`, true,
	},
	"GET /api/tags":           {"/api/tags", "", true},
	"PATCH /api/tags/{tag}":   {"/api/tags/{}", `{"name":"{}-2"}`, false},
	"DELETE /api/tags/{tag}":  {"/api/tags/{}", "", false},
	"GET /api/events":         {"/api/events?tag={}", "", true},
	"GET /api/overview":       {"/api/overview?tag={}", "", true},
	"GET /api/recent":         {"/api/recent?short_codes={}", "", true},
	"GET /api/export":         {"/api/export", "", true},
	"POST /api/tokens":        {"/api/tokens", `{"name":"{}"}`, false},
	"GET /api/tokens":         {"/api/tokens", "", true},
	"GET /api/tokens/{id}":    {"/api/tokens/{}", "", false},
	"DELETE /api/tokens/{id}": {"/api/tokens/{}", "", false},
	"POST /api/webhooks": {
		"/api/webhooks", `{"url":"https://hooks.example/{}","events":["clicks"]}`, false,
	},
	"GET /api/webhooks":                      {"/api/webhooks", "", true},
	"GET /api/webhooks/{webhook}":            {"/api/webhooks/{}", "", false},
	"PATCH /api/webhooks/{webhook}":          {"/api/webhooks/{}", `{"disabled":true}`, false},
	"DELETE /api/webhooks/{webhook}":         {"/api/webhooks/{}", "", false},
	"POST /api/webhooks/{webhook}/rotate":    {"/api/webhooks/{}/rotate", "", false},
	"POST /api/webhooks/{webhook}/test":      {"/api/webhooks/{}/test", "", false},
	"GET /api/webhooks/{webhook}/deliveries": {"/api/webhooks/{}/deliveries", "", false},
	"GET /api/webhooks/{webhook}/deliveries/{delivery}": {
		"/api/webhooks/{}/deliveries/{}", "", false,
	},
	"POST /api/webhooks/{webhook}/deliveries/{delivery}/retry": {
		"/api/webhooks/{}/deliveries/{}/retry", "", false,
	},
	"POST /api/import": {
		"/api/import?conflict=overwrite",
		`{"type":"link","short_code":"{}","original_url":"https://example.com/new"}`, false,
	},
}

// Every route that knows the parameter owner heeds it, and every other one refuses it.
func TestEveryRouteHeedsOwner(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody)
	n := 0
	for _, route := range httpapi.Routes() {
		name := route.Method + " " + route.Pattern
		if route.Auth != httpapi.Token && route.Auth != httpapi.Unmetered {
			continue
		}
		if route.Owners == httpapi.Own {
			got := f.do(t, request{
				method: route.Method, bad: true, body: `{"original_url":"https://example.com/"}`,
				target: withOwner(route.Pattern, somebody),
			})
			wantError(t, got, http.StatusBadRequest, "owner is not known here")
			continue
		}
		r, ok := owned[name]
		if !ok {
			t.Errorf("%s knows owners, and has no row in this test", name)
			continue
		}
		for _, owner := range []string{"", terse.Identity, somebody, terse.AllOwners, "nobody"} {
			for _, of := range []string{terse.Identity, somebody} {
				n++
				thing := "thing-" + strconv.Itoa(n)
				f.createOf(t, of, thing, "https://example.com/", thing)
				f.addClicks(t, thing, terse.Click{Time: time.Now().UnixMicro()})
				address := terse.NewShare()
				if strings.Contains(route.Pattern, "/share") {
					f.shareThing(t, route, of, thing, address)
				}
				header := http.Header{}
				switch {
				case name == "POST /api/import":
					header = ndjsonType
				case strings.Contains(name, "/api/tokens") && route.Method != http.MethodPost:
					f.createToken(t, terse.AccessToken{
						ID: thing, Name: thing, Identity: of, Role: terse.Viewer,
					})
				case strings.HasPrefix(route.Pattern, "/api/webhooks"):
					f.onlyHook(t, thing, of)
				}
				got := f.do(t, request{
					method: route.Method, header: header, bad: owner == "nobody",
					target: withOwner(strings.ReplaceAll(r.target, "{}", thing), owner),
					body:   strings.ReplaceAll(r.body, "{}", thing),
				})
				switch {
				case owner == "nobody":
					wantError(t, got, http.StatusBadRequest, "unknown owner")
					continue
				case owner == terse.AllOwners && route.Owners == httpapi.One:
					wantError(t, got, http.StatusBadRequest, "owner must be one identity here")
					continue
				}
				reached := got.status < 300
				switch {
				case strings.HasPrefix(route.Pattern, "/api/overview/share"):
					_, _, err := f.store.Shared(t.Context(), address)
					reached = reached && (strings.Contains(got.body, address.String()) ||
						errors.Is(err, terse.ErrShareNotFound))
				case r.inBody:
					reached = reached && strings.Contains(got.body, thing)
				case name == "POST /api/tokens":
					reached = strings.Contains(got.body, `"identity":"`+of+`"`)
				case name == "POST /api/webhooks":
					reached = strings.Contains(got.body, `"owner":"`+of+`"`) ||
						strings.Contains(got.body, `"owner":"*"`)
				case name == "POST /api/import":
					reached = strings.Contains(got.body, `"result":"updated"`)
				}
				want := owner == terse.AllOwners || owner == of ||
					owner == "" && of == terse.Identity
				if reached != want {
					t.Errorf("%s with owner=%s reaches what %s owns: %v, answer %d %.300s",
						name, owner, of, reached, got.status, got.body)
				}
			}
		}
	}
}

// Where the owner can't be read nothing is done: what the caller owns is not what was meant.
func TestOwnerThatCannotBeRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody, "ci")
	f.createOf(t, terse.Identity, "mine", "https://example.com/", "news")
	for _, query := range []string{
		"owner=somebod%", "owner=%zz", "owner=somebody;limit=1", "limit=1;owner=somebody",
	} {
		for name, route := range owned {
			method, _, _ := strings.Cut(name, " ")
			at := strings.ReplaceAll(strings.ReplaceAll(route.target, "tags/{}", "tags/news"),
				"{}", "mine")
			sep := "?"
			if strings.Contains(at, "?") {
				sep = "&"
			}
			got := f.do(t, request{
				method: method, target: at + sep + query, bad: true,
				body: strings.ReplaceAll(route.body, "{}", "mine"),
			})
			wantError(t, got, http.StatusBadRequest, "malformed query string")
		}
		got := f.do(t, request{
			method: "DELETE", target: "/api/tags/news?" + query, bad: true,
			header: f.tokenFor(t, "ci", terse.Viewer),
		})
		wantError(t, got, http.StatusForbidden, "needs the role editor")
	}
	if got := f.do(t, request{target: "/api/urls?limit=%zz"}); got.status != http.StatusOK {
		t.Errorf("a plain list with any query: %d %s", got.status, got.body)
	}
	if got := f.do(t, request{target: "/api/urls/mine"}); !strings.Contains(got.body, "news") {
		t.Errorf("the link has changed: %d %s", got.status, got.body)
	}
}

// An answer that an admin got is not that of who may do less, even for the same identity.
func TestKeptAnswersAreOfOneRole(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, "ci", somebody)
	f.createOf(t, "ci", "gift", "https://example.com/")
	send := func(role terse.Role) answer {
		header := f.tokenFor(t, "ci", role)
		header.Set("Idempotency-Key", "a")
		return f.do(t, request{
			method: "PATCH", target: "/api/urls/gift", body: `{"owner":"somebody"}`, header: header,
		})
	}
	for range 2 {
		if got := send(terse.Admin); got.status != http.StatusOK {
			t.Errorf("an admin: %d %s", got.status, got.body)
		}
	}
	wantError(t, send(terse.Editor), http.StatusForbidden, "unauthorized to update this URL")
}

// shareThing makes what a request to a route of shares is about, behind the back of the interface:
// the share of a link, of a tag with the same name, or of all links of an owner.
func (f *fixture) shareThing(
	t testing.TB, route httpapi.Route, of, thing string, address terse.Share,
) {
	t.Helper()
	parsed, err := terse.ParseCode(thing)
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.store.Link(t.Context(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	target := terse.ShareOf(link.Ref())
	switch {
	case strings.Contains(route.Pattern, "/tags/"):
		target = terse.ShareTarget{Owner: of, Tag: thing}
	case strings.Contains(route.Pattern, "/overview/"):
		target = terse.ShareTarget{Owner: of}
	case route.Method == http.MethodPost:
		return
	}
	if err := f.store.Transact(t.Context(), func(tx terse.Tx) error {
		err := tx.Unshare(t.Context(), terse.Caller{}, target)
		if err != nil && !errors.Is(err, terse.ErrShareNotFound) {
			return err
		}
		_, _, err = tx.Share(t.Context(), terse.Caller{}, target, address, terse.ShareChange{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// A link of somebody else is refused in the contract's words, whoever asks for it by whose name.
func TestOwnerRefusesInTheContractsWords(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody, "another")
	f.createOf(t, somebody, "theirs", "https://example.com/")
	f.createOf(t, terse.Identity, "mine", "https://example.com/")
	for _, at := range []string{"theirs", "mine?owner=somebody", "theirs?owner=another"} {
		code, query, _ := strings.Cut(at, "?")
		for _, c := range []struct{ method, path, body, want string }{
			{"GET", "", "", "unauthorized to view analytics for this URL"},
			{"GET", "/analytics", "", "unauthorized to view analytics for this URL"},
			{"GET", "/history", "", "unauthorized to view analytics for this URL"},
			{"PATCH", "", `{"title":"a"}`, "unauthorized to update this URL"},
			{"DELETE", "", "", "unauthorized to delete this URL"},
			{"DELETE", "/clicks", "", "unauthorized to update this URL"},
		} {
			got := f.do(t, request{
				method: c.method, target: "/api/urls/" + code + c.path + "?" + query, body: c.body,
			})
			wantError(t, got, http.StatusForbidden, c.want)
		}
	}
	// An export of one's own links takes an editor, and one that names an owner an auditor.
	for role, want := range map[terse.Role][2]int{
		terse.Viewer: {403, 403}, terse.Editor: {200, 200}, terse.Auditor: {403, 200},
		terse.Admin: {200, 200},
	} {
		header := f.tokenFor(t, somebody, role)
		for i, target := range []string{"/api/export", "/api/export?owner=somebody"} {
			if got := f.do(t, request{target: target, header: header}); got.status != want[i] {
				t.Errorf("%v: %s: %d %s", role, target, got.status, got.body)
			}
		}
	}
	for target, want := range map[string]int{
		"/api/urls/absent?owner=somebody":           404,
		"/api/urls/theirs/analytics?owner=somebody": 200,
		"/api/urls/theirs?owner=*":                  200,
		"/api/urls/theirs?owner=&owner=somebody":    200, // an empty one is absent
	} {
		if got := f.do(t, request{target: target}); got.status != want {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
	}
}

// An admin gives a link away: it is the new owner's in all that is asked, with its statistics, and
// its tags are spelled as the new owner does.
func TestGiveALink(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody, "ci")
	f.createOf(t, somebody, "theirs", "https://example.com/", "NEWS")
	f.createOf(t, terse.Identity, "mine", "https://example.com/", "news")
	f.addClicks(t, "mine", terse.Click{Time: time.Now().UnixMicro()})
	before := f.do(t, request{target: "/api/urls/mine"})

	for body, want := range map[string]string{
		`{"owner":"nobody"}`: "unknown owner",
		`{"owner":""}`:       "unknown owner",
		`{"owner":"*"}`:      "unknown owner",
		`{"owner":null}`:     "unknown owner",
		`{"owner":5}`:        `field "owner" must be a string`,
		`{"owner":"somebody","title":""}`: "title must be 1 to 200 characters, " +
			"not only spaces, none a control character",
		`{"created_by":"somebody"}`: `field "created_by" cannot be changed`,
	} {
		got := f.do(t, request{method: "PATCH", target: "/api/urls/mine", body: body, bad: true})
		wantError(t, got, http.StatusBadRequest, want)
	}
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/urls", bad: true,
		body: `{"original_url":"https://example.com/","owner":"somebody"}`,
	}), http.StatusBadRequest, `unknown field "owner"`)

	f.createOf(t, "ci", "ci-link", "https://example.com/")
	for code, want := range map[string]string{
		"ci-link": "needs the role admin", "mine": "unauthorized to update this URL",
	} {
		wantError(t, f.do(t, request{
			method: "PATCH", target: "/api/urls/" + code, body: `{"owner":"nobody"}`,
			header: f.tokenFor(t, "ci", terse.Editor),
		}), http.StatusForbidden, want)
	}
	same := f.do(t, request{
		method: "PATCH", target: "/api/urls/mine", body: `{"owner":"authenticated-user"}`,
	})
	if same.header.Get("ETag") != before.header.Get("ETag") {
		t.Error("giving a link to its owner changes it")
	}
	wantError(t, f.do(t, request{
		method: "PATCH", target: "/api/urls/mine", body: `{"owner":"somebody"}`,
		header: http.Header{"If-Match": {`"other"`}},
	}), http.StatusPreconditionFailed, "URL was changed meanwhile")
	given := decodeAs[api.Link](t, f.do(t, request{
		method: "PATCH", target: "/api/urls/mine", body: `{"owner":"somebody","title":"Gift"}`,
		header: http.Header{"If-Match": {before.header.Get("ETag")}},
	}), http.StatusOK)
	if given.CreatedBy != somebody || given.Title != "Gift" || given.ClickCount != 1 ||
		len(given.Tags) != 1 || given.Tags[0] != "NEWS" {
		t.Errorf("the link was given as %+v", given)
	}
	wantError(t, f.do(t, request{target: "/api/urls/mine"}), http.StatusForbidden,
		"unauthorized to view analytics for this URL")
	history := decodeAs[api.History](t,
		f.do(t, request{target: "/api/urls/mine/history?owner=somebody"}), http.StatusOK)
	owner := history.Changes[0].Fields["owner"]
	if string(owner.Old) != `"authenticated-user"` || string(owner.New) != `"somebody"` ||
		history.Changes[0].By != terse.Identity {
		t.Errorf("history: %+v", history.Changes[0])
	}
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?owner=somebody&tag=News"}),
		http.StatusOK)
	if page.Total != 2 {
		t.Errorf("%d links of the new owner have the tag", page.Total)
	}
	if tags := f.do(t, request{target: "/api/tags"}); tags.body != `{"tags":[]}` {
		t.Errorf("the former owner has tags: %s", tags.body)
	}
	// The past clicks stay with the former owner, and show nothing of the link any more.
	overview := f.do(t, request{target: "/api/overview?country=XX"})
	if sum := decodeAs[api.Overview](t, overview, http.StatusOK); sum.TotalClicks != 1 ||
		strings.Contains(overview.body, "mine") {
		t.Errorf("the former owner's overview: %s", overview.body)
	}
}

// In a bulk request links are given, created, changed and deleted for the owner that it names.
func TestBulkOfAnOwner(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody)
	for _, atomic := range []string{"false", "true"} {
		f.createOf(t, somebody, "theirs", "https://example.com/"+terse.URL(atomic))
		f.createOf(t, terse.Identity, "mine", "https://example.com/"+terse.URL(atomic))
		body := `{"atomic":` + atomic + `,"operations":[
			{"op":"create","link":{"original_url":"https://example.com/","short_code":"fresh"}},
			{"op":"create","link":{"original_url":"https://example.com/` + atomic + `",
				"find_existing":true}},
			{"op":"update","short_code":"theirs","link":{"title":"a"}},
			{"op":"update","short_code":"fresh","link":{"owner":"authenticated-user"}}]}`
		got := decodeAs[api.BulkResults](t, f.do(t, request{
			method: "POST", target: "/api/bulk?owner=somebody", body: body,
		}), http.StatusOK)
		var all []string
		for _, r := range got.Results {
			by := r.Error
			if r.Link != nil {
				by = r.Link.ShortCode + " of " + r.Link.CreatedBy
			}
			all = append(all, strconv.Itoa(r.Status)+" "+by)
		}
		want := []string{
			"201 fresh of somebody", "200 theirs of somebody", "200 theirs of somebody",
			"200 fresh of authenticated-user",
		}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Errorf("atomic %s: %s", atomic, diff)
		}
		got = decodeAs[api.BulkResults](t, f.do(t, request{
			method: "POST", target: "/api/bulk?owner=somebody",
			body: `{"operations":[{"op":"delete","short_code":"mine"},
				{"op":"delete","short_code":"theirs"}]}`,
		}), http.StatusOK)
		if got.Results[0].Status != 403 || got.Results[1].Status != 204 {
			t.Errorf("deleted for somebody: %+v", got.Results)
		}
		got = decodeAs[api.BulkResults](t, f.do(t, request{
			method: "POST", target: "/api/bulk?owner=*",
			body: `{"operations":[{"op":"delete","short_code":"mine"},
				{"op":"delete","short_code":"fresh"},
				{"op":"create","link":{"original_url":"https://example.com/all"}}]}`,
		}), http.StatusOK)
		if got.Results[0].Status != 204 || got.Results[1].Status != 204 ||
			got.Results[2].Link.CreatedBy != terse.Identity {
			t.Errorf("done for all: %+v", got.Results)
		}
	}
}

// An idempotency key belongs to the caller and to whose links the request is about.
func TestIdempotencyKeysOfOwners(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody)
	create := func(owner string) answer {
		return f.do(t, request{
			method: "POST", target: withOwner("/api/bulk", owner),
			body:   `{"operations":[{"op":"create","link":{"original_url":"https://a.example/"}}]}`,
			header: http.Header{"Idempotency-Key": {"k"}},
		})
	}
	for _, owner := range []string{"", somebody, terse.AllOwners} {
		first, again := create(owner), create(owner)
		if first.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("owner=%s gets the answer of another owner", owner)
		}
		if again.header.Get("Idempotent-Replayed") != "true" || again.body != first.body {
			t.Errorf("owner=%s: not repeated", owner)
		}
	}
	if got := create(terse.Identity); got.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the caller's own name is another owner")
	}
}

// A cursor belongs to the owner of its list.
func TestCursorsOfOwners(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody)
	for _, code := range []string{"aaa", "bbb"} {
		f.createOf(t, somebody, code, "https://example.com/")
		f.createOf(t, terse.Identity, code+"-mine", "https://example.com/")
	}
	next := func(owner, cursor string) answer {
		return f.do(t, request{target: withOwner("/api/urls?limit=1&cursor="+cursor, owner)})
	}
	first := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?limit=1&owner=somebody"}),
		http.StatusOK)
	second := decodeAs[api.Page](t, next(somebody, first.NextCursor), http.StatusOK)
	if second.URLs[0].ShortCode != "aaa" || first.URLs[0].ShortCode != "bbb" {
		t.Errorf("pages %+v, %+v", first, second)
	}
	for _, other := range []string{"", terse.AllOwners} {
		wantError(t, next(other, first.NextCursor), http.StatusBadRequest,
			"cursor must be the next_cursor of a list with the same search and sort")
	}
}

var ndjsonType = http.Header{"Content-Type": {"application/x-ndjson"}}

// importAs imports lines and returns the results.
func (f *fixture) importAs(t *testing.T, query, body string) (results []api.ImportResult) {
	t.Helper()
	got := f.do(t, request{
		method: "POST", target: "/api/import?" + query, body: body, header: ndjsonType,
	})
	if got.status != http.StatusOK {
		t.Fatalf("import: %d %s", got.status, got.body)
	}
	for line := range strings.Lines(got.body) {
		var r api.ImportResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Result != "" {
			results = append(results, r)
		}
	}
	return results
}

const linesOfOwners = `{"type":"link","short_code":"one","original_url":"https://example.com/",` +
	`"created_by":"ann@example.com"}
{"type":"link","short_code":"two","original_url":"https://example.com/","created_by":"ci"}
{"type":"link","short_code":"three","original_url":"https://example.com/",` +
	`"created_by":"bob@example.com"}
{"type":"link","short_code":"four","original_url":"https://example.com/"}
{"type":"link","short_code":"five","original_url":"https://example.com/","created_by":"Not One"}
{"type":"link","short_code":"six","original_url":"https://example.com/","created_by":7}
{"type":"link","original_url":"https://example.com/","created_by":"ci"}
{"type":"link","original_url":"https://example.com/","created_by":"ann@example.com"}
`

// An import gives links to the caller, to an owner, or to those that its lines name. Of these,
// unknown services are made, and lines of unknown people fail.
func TestImportOfOwners(t *testing.T) {
	t.Parallel()
	for query, want := range map[string][]string{
		"": {
			"created authenticated-user", "created authenticated-user",
			"created authenticated-user", "created authenticated-user",
			"created authenticated-user", "created authenticated-user",
			"unchanged six authenticated-user", "unchanged six authenticated-user",
		},
		"owner=ann@example.com": {
			"created ann@example.com", "created ann@example.com", "created ann@example.com",
			"created ann@example.com", "created ann@example.com", "created ann@example.com",
			"unchanged six ann@example.com", "unchanged six ann@example.com",
		},
		"owner=keep": {
			"created ann@example.com", "created ci", `unknown owner: "bob@example.com" `,
			"created authenticated-user", `unknown owner: "Not One" `,
			`field "created_by" must be a string `,
			"unchanged two ci", "unchanged one ann@example.com",
		},
	} {
		f := newFixture(t, nil)
		f.addUsers(t, "ann@example.com")
		for _, trial := range []string{"&dry_run=true", ""} {
			var got []string
			for i, r := range f.importAs(t, query+trial, linesOfOwners) {
				text := r.Result + " "
				switch {
				case r.Error != "":
					text = r.Error + " "
				case i >= 6:
					text += r.ShortCode + " "
				}
				if trial == "" {
					text += f.ownerOf(t, r.ShortCode)
				}
				got = append(got, text)
			}
			for i := range got {
				if i >= 6 && trial != "" { // which may not know a link by its URL alone
					got[i] = want[i]
				}
				if trial != "" && strings.HasPrefix(want[i], got[i]) {
					got[i] = want[i]
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s%s: %s", query, trial, diff)
			}
			if _, err := f.store.User(t.Context(), "ci"); (err == nil) != (trial == "" &&
				query == "owner=keep") {
				t.Errorf("%s%s: the service is there: %v", query, trial, err == nil)
			}
		}
		for _, r := range f.importAs(t, query+"&conflict=overwrite", linesOfOwners) {
			if r.Error == "" && r.Result != "unchanged" {
				t.Errorf("%s: sent again: %+v", query, r)
			}
		}
	}
}

// Overwriting never takes a link from another owner, not even for one that the line names.
func TestImportOverwritesNoOtherOwner(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody)
	f.createOf(t, somebody, "theirs", "https://example.com/")
	f.createOf(t, terse.Identity, "mine", "https://example.com/")
	for query, want := range map[string][]string{
		"": {"skipped", "updated"}, "owner=somebody": {"updated", "skipped"},
		"owner=keep": {"updated", "skipped"},
	} {
		var got []string
		line := func(code string) string {
			return `{"type":"link","short_code":"` + code + `","created_by":"somebody",` +
				`"original_url":"https://example.com/new` + query + "\"}\n"
		}
		for _, r := range f.importAs(t, query+"&conflict=overwrite", line("theirs")+line("mine")) {
			got = append(got, r.Result)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
		if f.ownerOf(t, "theirs") != somebody || f.ownerOf(t, "mine") != terse.Identity {
			t.Errorf("%s: a link has another owner", query)
		}
	}
}

// A caller who does not ask for others sees nothing of them, whatever they have.
func TestOthersDoNotShow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	if !foreign.Wanted() {
		if err := foreign.Fill(t.Context(), f.store); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string]string{
		"/api/urls":                              `{"urls":[],"total":0,"limit":20,"offset":0}`,
		"/api/tags":                              `{"tags":[]}`,
		"/api/events":                            `{"events":[]}`,
		"/api/recent?short_codes=foreign-1":      `"clicks":{}`,
		"/api/overview":                          `{"links":0,"top_links":[],"total_clicks":0`,
		"/api/export":                            `"links":0,"clicks":0}`,
		"/api/urls?owner=*":                      `"total":1000,`,
		"/api/urls?owner=foreign-ci&sort=clicks": `"total":250,`,
		"/api/tags?owner=*":                      `{"tag":"NEWS","links":200}`,
		"/api/overview?owner=*":                  `{"links":1000,"top_links":[{`,
		"/api/export?owner=*":                    `"links":1000,"clicks":1500}`,
	} {
		if got := f.do(t, request{target: target}); !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %.200s, want %s", target, got.status, got.body, want)
		}
	}
	// Their spelling of a tag, and their link to the same URL, are not the caller's.
	created := decodeAs[api.Created](t, f.do(t, request{
		method: "POST", target: "/api/urls",
		body: `{"original_url":"https://example.com/","tags":["News"],"find_existing":true}`,
	}), http.StatusCreated)
	if created.Tags[0] != "News" {
		t.Errorf("tags %q", created.Tags)
	}
}
