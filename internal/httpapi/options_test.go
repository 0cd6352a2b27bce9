package httpapi_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
)

// everyOption is a body that sets all options, without its braces.
const everyOption = `"title":"Spring","note":"a\nb","tags":["shop","News"],` +
	`"starts_at":"2026-01-31T13:00:00+01:00","expires_at":"2099-01-31T12:00:00.5Z",` +
	`"max_clicks":500.0,"expired_url":"https://example.com/over","password":"secret",` +
	`"redirect_status":307,"forward_query":true,"forward_path":true,"rules":[{"name":"ios",` +
	`"when":{"device":["ios"],"query":{"a":null},"address":["192.0.2.7/24"]},"share":50,` +
	`"url":"https://apps.example/"}],"archived":true`

func wantOptions() api.LinkDetails {
	left := int64(500)
	return api.LinkDetails{
		LinkOptions: api.LinkOptions{
			Title: "Spring", Note: "a\nb", Tags: []string{"News", "shop"},
			StartsAt:  time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
			ExpiresAt: time.Date(2099, 1, 31, 12, 0, 0, 500_000_000, time.UTC),
			MaxClicks: 500, ExpiredURL: "https://example.com/over", RedirectStatus: 307,
			ForwardQuery: true, ForwardPath: true,
			Rules: []api.Rule{{
				Name: "ios", Share: 50, URL: "https://apps.example/",
				When: api.RuleConditions{
					Device: []string{"ios"}, Query: map[string]*string{"a": nil},
					Address: []string{"192.0.2.0/24"},
				},
			}}, Archived: true,
		},
		Password: true, ClicksLeft: &left, Status: "active",
	}
}

// Options are answered wherever their link is, and absent where they are not set.
func TestOptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	body := `{"original_url":"https://example.com/","short_code":"launch",` + everyOption + `}`
	made := f.do(t, post(body))
	created := decodeAs[api.Created](t, made, http.StatusCreated)
	want := wantOptions()
	compare := func(what string, got, want api.LinkDetails) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	compare("created", created.LinkDetails, want)
	compare("read", f.read(t, "launch").LinkDetails, want)
	listed := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	compare("listed", listed.URLs[0].LinkDetails, want)
	if strings.Contains(made.body, "secret") || strings.Contains(made.body, "argon2") {
		t.Errorf("the answer has the password: %s", made.body)
	}
	patched := decodeAs[api.Link](t, f.do(t, patchRequest("launch",
		`{"disabled":true,"max_clicks":null,"rules":[],"password":null,"forward_path":false,`+
			`"redirect_status":null}`)), http.StatusOK)
	want.Disabled, want.MaxClicks, want.ClicksLeft, want.Rules = true, 0, nil, nil
	want.Password, want.ForwardPath, want.RedirectStatus, want.Status = false, false, 0, "disabled"
	compare("patched", patched.LinkDetails, want)
	compare("read then", f.read(t, "launch").LinkDetails, want)
	got := f.do(t, patchRequest("launch", `{"title":null,"note":null,"tags":null,`+
		`"starts_at":null,"expires_at":null,"expired_url":null,"forward_query":null,`+
		`"disabled":null,"archived":null}`))
	compare("emptied", decodeAs[api.Link](t, got, http.StatusOK).LinkDetails, api.LinkDetails{})
	if strings.Contains(got.body, "status") {
		t.Errorf("a plain link has a status: %s", got.body)
	}
}

// A link without options is answered as the contract has it, whatever was sent for none.
func TestNoOptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch",`+
		`"title":null,"tags":[],"disabled":false,"rules":null,"password":null,"max_clicks":null}`))
	const want = `{"short_code":"launch","short_url":"https://sho.rt/launch",` +
		`"original_url":"https://example.com/"}`
	if made.body != want {
		t.Errorf("created: %s, want %s", made.body, want)
	}
	if read := f.read(t, "launch"); cmp.Diff(read.LinkDetails, api.LinkDetails{}) != "" {
		t.Errorf("read: %+v", read)
	}
}

func TestOptionRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch",`+
		`"starts_at":"2026-01-31T12:00:00Z"}`))
	for members, want := range map[string]string{
		`"title":" "`: "title must be 1 to 200 characters, not only spaces, none a control " +
			"character",
		`"tags":"news"`:                       `field "tags" must be a list of strings`,
		`"archived":"true"`:                   "archived must be true or false",
		`"disabled":"true"`:                   `field "disabled" must be true or false`,
		`"expires_at":"2026-01-31T12:00:00Z"`: "starts_at must be before expires_at",
		`"expires_at":"tomorrow"`: "expires_at must be an RFC 3339 time such as " +
			"2026-01-31T12:00:00Z",
		`"max_clicks":0`:                    "max_clicks must be 1 to 1000000000",
		`"password":""`:                     "password must be 1 to 128 bytes",
		`"password":true`:                   `field "password" must be a string`,
		`"redirect_status":200`:             "redirect_status must be 301, 302, 307 or 308",
		`"expired_url":"/over"`:             "expired_url must be a valid http or https URL",
		`"status":"active"`:                 `field "status" cannot be changed`,
		`"clicks_left":1`:                   `field "clicks_left" cannot be changed`,
		`"rules":[{"name":"a"}]`:            "rules[0].url must be a valid http or https URL",
		`"rules":[{"name":"a","name":"b"}]`: `duplicate field "name"`,
		`"expired_url":"` + baseURL + `/launch/?y"`: "expired_url must not be a short link of " +
			"this service",
		`"rules":[{"name":"a","url":"` + baseURL + `/launch"}]`: "rules[0].url must not be a " +
			"short link of this service",
	} {
		wantError(t, f.do(t, patchRequest("launch", "{"+members+"}")), 400, want)
		if strings.Contains(want, "before") {
			continue // it needs what the link has
		}
		body := `{"original_url":"https://example.com/",` + members + `}`
		wantError(t, f.do(t, badPost(body)), 400, want)
	}
	if read := f.read(t, "launch"); !read.UpdatedAt.IsZero() {
		t.Errorf("a refused patch changed the link: %+v", read)
	}
}

func TestTagForm(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := decodeAs[api.Created](t, f.do(t, post(`{"original_url":"https://example.com/",`+
		`"tags":["u\u0308ber","  a b "]}`)), http.StatusCreated)
	if want := []string{"a b", "über"}; !slices.Equal(made.Tags, want) {
		t.Errorf("tags %q, want %q", made.Tags, want)
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for i, tt := range []struct{ members, want string }{
		{`"starts_at":"2099-01-01T00:00:00Z"`, "scheduled"},
		{`"starts_at":"2001-01-01T00:00:00Z"`, "active"},
		{`"expires_at":"2001-01-01T00:00:00Z"`, "expired"},
		{`"expires_at":"2099-01-01T00:00:00Z","disabled":true`, "disabled"},
		{`"max_clicks":1`, "active"},
		{`"title":"plain"`, ""},
	} {
		made := decodeAs[api.Created](t, f.do(t, post(fmt.Sprintf(
			`{"original_url":"https://example.com/%d",%s}`, i, tt.members))), http.StatusCreated)
		if made.Status != tt.want {
			t.Errorf("%s: status %q, want %q", tt.members, made.Status, tt.want)
		}
	}
}

// stored sets the options of a link as another program or a later version would.
func (f *fixture) stored(t testing.TB, code, options string) {
	t.Helper()
	f.exec(t, fmt.Sprintf("UPDATE links SET options = '%s' WHERE code = '%s'", options, code))
}

// A link whose options can't be read is closed, and lists show nothing of them.
// An error of the server is not kept: the link may be mended.
func TestDamagedOptionsAreNotKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","title":"A"}`))
	f.stored(t, "launch", `{"title":`)
	change := patchRequest("launch", `{"title":"B"}`).with("Idempotency-Key", "k")
	wantError(t, f.do(t, change), 500, terse.ErrDamaged.Message)
	if !strings.Contains(f.log.String(), "request failed") {
		t.Errorf("the log has %s", f.log)
	}
	f.stored(t, "launch", `{"title":"A"}`)
	if got := f.do(t, change); got.status != 200 {
		t.Errorf("after it was mended: %v", got)
	}
}

func TestDamagedOptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const body = `{"original_url":"https://example.com/","short_code":"launch","tags":["news"],` +
		`"disabled":true,"password":"secret","title":"Launch"}`
	f.do(t, request{method: "POST", target: "/api/urls", body: body})
	for _, options := range []string{
		`{"title":"Launch","tags":["news"],"disa`, `{"title":"Launch","disabled":1}`, `null`,
	} {
		f.stored(t, "launch", options)
		for _, r := range []request{
			{target: "/api/urls/launch"},
			{target: "/api/urls/launch", header: http.Header{"If-None-Match": {"*"}}},
			{method: "PATCH", target: "/api/urls/launch", body: `{"disabled":null}`},
			{method: "PATCH", target: "/api/urls/launch", body: `{"original_url":"https://b.de/"}`},
			{method: "PATCH", target: "/api/urls/launch", body: `{}`},
		} {
			wantError(t, f.do(t, r), 500, terse.ErrDamaged.Message)
		}
		bulk := decodeAs[api.BulkResults](t, f.do(t, request{
			method: "POST", target: "/api/bulk", body: `{"operations":[` +
				`{"op":"update","short_code":"launch","link":{"disabled":null}},` +
				`{"op":"create","link":{"original_url":"https://other.example/"}}]}`,
		}), 200)
		if r := bulk.Results; len(r) != 2 || r[0].Status != 500 || r[1].Status != 201 ||
			r[0].Error != terse.ErrDamaged.Message {
			t.Errorf("%s: bulk: %+v", options, bulk)
		}
		f.do(t, request{
			method: "PATCH", target: "/api/tags/news", body: `{"name":"older"}`,
		})
		for _, query := range []string{"", "?status=disabled", "?search=launch&limit=100"} {
			got := f.do(t, request{target: "/api/urls" + query})
			page := decodeAs[api.Page](t, got, 200)
			i := slices.IndexFunc(page.URLs, func(u api.URL) bool {
				return u.ShortCode == "launch"
			})
			if i < 0 || !reflect.DeepEqual(page.URLs[i].LinkDetails, api.LinkDetails{}) {
				t.Errorf("%s: list%s: %s", options, query, got.body)
			}
		}
		if log := f.log.String(); strings.Count(log, "level=ERROR") != 6 ||
			!strings.Contains(log, "options of this URL") {
			t.Errorf("%s: the log: %s", options, log)
		}
		f.log.buf.Reset()
	}
	existing := f.do(t, request{
		method: "POST", target: "/api/urls",
		body: `{"original_url":"https://example.com/","find_existing":true}`,
	})
	if made := decodeAs[api.Created](t, existing, 201); made.ShortCode == "launch" {
		t.Errorf("a link that is closed was found: %s", existing.body)
	}
	if got := f.do(t, request{method: "DELETE", target: "/api/urls/launch"}); got.status != 204 {
		t.Errorf("delete: %d %s", got.status, got.body)
	}
}

// What a later version has stored is passed over, and is there after a change.
func TestOptionsOfALaterVersion(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const body = `{"original_url":"https://example.com/","short_code":"launch","tags":["news"],` +
		`"disabled":true,"title":"Launch"}`
	f.do(t, request{method: "POST", target: "/api/urls", body: body})
	f.stored(t, "launch", `{"title":"Launch","tags":["news"],"disabled":true,"later":[1]}`)
	if read := f.read(t, "launch"); read.Title != "Launch" || read.Status != "disabled" {
		t.Errorf("read: %+v", read)
	}
	for _, r := range []request{
		{method: "PATCH", target: "/api/urls/launch", body: `{"title":"New"}`},
		{method: "PATCH", target: "/api/tags/news", body: `{"name":"older"}`},
	} {
		if got := f.do(t, r); got.status != 200 {
			t.Errorf("%+v: %d %s", r, got.status, got.body)
		}
	}
	code, err := terse.ParseCode("launch")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"title":"New","tags":["older"],"disabled":true,"later":[1]}`
	if link, err := f.store.Link(t.Context(), code); link.Options != want || err != nil {
		t.Errorf("stored: %s (%v)", link.Options, err)
	}
}

// A password has its bound in the form in which it is kept.
func TestPasswordsAreComposed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for text, status := range map[string]int{
		strings.Repeat("a\u0308", 64): 201, strings.Repeat("\u00e4", 64) + "x": 400,
		strings.Repeat("\u0958", 21): 201, strings.Repeat("\u0958", 22): 400, // gets longer
		"": 400,
	} {
		got := f.do(t, request{
			method: "POST", target: "/api/urls", bad: status == 400,
			body: `{"original_url":"https://example.com/","password":"` + text + `"}`,
		})
		if got.status != status {
			t.Errorf("%q: %d %s", text, got.status, got.body)
		}
	}
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/urls", bad: true,
		body: `{"original_url":"https://example.com/","password":true}`,
	}), 400,
		`field "password" must be a string`)
}
