package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse/api"
)

const errorField = "Error-Field"

// asking returns a request that asks for the field of an error.
func asking(r request) request { return r.with("Prefer", "error-field") }

// wantField sends a request that is refused with and without asking for the field. Apart from it
// both answers are the same. An empty field is none.
func (f *fixture) wantField(t *testing.T, r request, status int, field string) {
	t.Helper()
	r.bad = true
	plain, asked := f.do(t, r), f.do(t, asking(r))
	name := fmt.Sprintf("%s %.100s %.300s: %s", r.method, r.target, r.body, asked.body)
	if plain.status != status || asked.status != status || plain.body != asked.body {
		t.Errorf("%s: %d, and %d %s without asking; want %d", name, asked.status, plain.status,
			plain.body, status)
	}
	if got := asked.header.Get(errorField); got != field {
		t.Errorf("%s: the field is %q, want %q", name, got, field)
	}
	asked.header.Del(errorField)
	for _, got := range []answer{plain, asked} {
		got.header.Del("Date")
	}
	if diff := cmp.Diff(plain.header, asked.header); diff != "" {
		t.Errorf("%s: other header fields (-plain +asked):\n%s", name, diff)
	}
}

// refusedFields are members that neither a new link nor a patch may have, and their fields.
var refusedFields = [][2]string{
	{`"title":5`, "title"},
	{`"title":" "`, "title"},
	{`"note":"\u0000"`, "note"},
	{`"tags":"news"`, "tags"},
	{`"tags":["a",5]`, "tags"},
	{`"tags":["a","b,c"]`, "tags[1]"},
	{`"tags":["a","b",null]`, "tags[2]"},
	{`"tags":["b"," .. "]`, "tags[1]"},
	{
		`"tags":["1","2","3","4","5","6","7","8","9","a","b","c","d","e","f","g","h","i","j","k",` +
			`"l"]`,
		"tags",
	},
	{`"starts_at":"soon"`, "starts_at"},
	{`"starts_at":"0000-01-01T00:00:00Z"`, "starts_at"},
	{`"starts_at":"2026-02-01T12:00:00Z","expires_at":"2026-01-31T12:00:00Z"`, "starts_at"},
	{`"expires_at":7`, "expires_at"},
	{`"expires_at":"2026-01-31"`, "expires_at"},
	{`"max_clicks":0`, "max_clicks"},
	{`"max_clicks":1.5`, "max_clicks"},
	{`"disabled":"yes"`, "disabled"},
	{`"archived":"yes"`, "archived"},
	{`"expired_url":"/over"`, "expired_url"},
	{`"expired_url":"https://example.com/` + strings.Repeat("a", 8192) + `"`, "expired_url"},
	{`"expired_url":"` + baseURL + `/launch"`, "expired_url"},
	{`"password":""`, "password"},
	{`"password":true`, "password"},
	{`"redirect_status":300`, "redirect_status"},
	{`"forward_query":1`, "forward_query"},
	{`"forward_path":"a"`, "forward_path"},
	{`"rules":{}`, "rules"},
	{`"rules":[` + strings.Repeat(`{},`, 20) + `{}]`, "rules"},
	{`"rules":[7]`, "rules[0]"},
	{`"rules":[{"url":"https://a.example/"}]`, "rules[0].name"},
	{`"rules":[{"name":"default","url":"https://a.example/"}]`, "rules[0].name"},
	{
		`"rules":[{"name":"a","url":"https://a.example/"},{"name":"a","url":"https://b.example/"}]`,
		"rules[1].name",
	},
	{`"rules":[{"name":"a"}]`, "rules[0].url"},
	{`"rules":[{"name":"a","url":"https://a.example/"},{"name":"b","url":"b"}]`, "rules[1].url"},
	{`"rules":[{"name":"a","url":"` + baseURL + `/launch"}]`, "rules[0].url"},
	{`"rules":[{"name":"a","url":"https://a.example/","share":100}]`, "rules[0].share"},
	{`"rules":[{"name":"a","url":"https://a.example/","share":"1"}]`, "rules[0].share"},
	{`"rules":[{"name":"a","url":"https://a.example/","colour":1}]`, "rules[0].colour"},
	{`"rules":[{"name":"a","url":"https://a.example/","farbe grün":1}]`, ""},
	{`"colour":1`, "colour"},
	{`"x-colour_2":1`, "x-colour_2"},
	{`"farbe grün":1`, ""},
	{`"a\r\nSet-Cookie: b":1`, ""},
	{`"` + strings.Repeat("a", 100) + `":1`, strings.Repeat("a", 100)},
	{`"` + strings.Repeat("a", 101) + `":1`, ""},
	{`"title":"a","title":"b"`, "title"},
	{`"rules":[{},{"when":{"country":["DE"],"country":["AT"]}}]`, "rules[1].when.country"},
	{`"id":1`, "id"},
	{`"status":"active"`, "status"},
	{`"original_url":7`, "original_url"},
	{`"original_url":""`, "original_url"},
	{`"original_url":"example.com"`, "original_url"},
	{`"original_url":"https://example.com/` + strings.Repeat("a", 8192) + `"`, "original_url"},
	{`"original_url":"` + baseURL + `/launch"`, "original_url"},
	{`"title":`, ""},
}

// refusedConditions are members of a rule's "when", and their fields in it.
var refusedConditions = [][2]string{
	{`"device":"ios"`, "device"},
	{`"device":[]`, "device"},
	{`"device":["ios","toaster"]`, "device[1]"},
	{`"browser":["lynx"]`, "browser[0]"},
	{`"language":["de","x"]`, "language[1]"},
	{`"country":["DE","AT","QQ"]`, "country[2]"},
	{`"query":["a"]`, "query"},
	{`"query":{}`, "query"},
	{`"query":{"":"a"}`, "query"},
	{`"after":"now"`, "after"},
	{`"before":7`, "before"},
	{`"after":"2026-02-01T12:00:00Z","before":"2026-01-31T12:00:00Z"`, "before"},
	{`"address":["192.0.2.0/24","192.0.2.0/33"]`, "address[1]"},
	{`"moon":["full"]`, "moon"},
}

func TestErrorFieldOfLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	refused := slices.Clone(refusedFields)
	for _, c := range refusedConditions {
		refused = append(refused, [2]string{
			`"rules":[{"name":"a","url":"https://a.example/","when":{` + c[0] + `}}]`,
			"rules[0].when." + c[1],
		})
	}
	for _, tt := range refused {
		members, field := tt[0], tt[1]
		f.wantField(t, patchRequest("launch", "{"+members+"}"), 400, field)
		if !strings.HasPrefix(members, `"original_url"`) {
			members = `"original_url":"https://example.com/",` + members
		}
		f.wantField(t, badPost("{"+members+"}"), 400, field)
	}
	for _, tt := range []struct {
		body   string
		status int
		field  string
	}{
		{`{}`, 400, "original_url"},
		{`{"original_url":null}`, 400, "original_url"},
		{`{"original_url":"https://example.com/","short_code":7}`, 400, "short_code"},
		{`{"original_url":"https://example.com/","short_code":"a b"}`, 400, "short_code"},
		{`{"original_url":"https://example.com/","short_code":"api"}`, 400, "short_code"},
		{`{"original_url":"https://example.com/","short_code":"launch"}`, 409, "short_code"},
		{`{"original_url":"https://example.com/","find_existing":7}`, 400, "find_existing"},
		{
			`{"original_url":"https://example.com/","find_existing":true,"short_code":"abc"}`, 400,
			"find_existing",
		},
		{`7`, 400, ""},
		{`null`, 400, ""},
		{``, 400, ""},
	} {
		f.wantField(t, badPost(tt.body), tt.status, tt.field)
	}
	f.wantField(t, patchRequest("launch", `{"short_code":"a b"}`), 400, "short_code")
	f.wantField(t, patchRequest("launch", `{"original_url":null}`), 400, "original_url")
	// The other of two times is the link's.
	f.do(t, patchRequest("launch", `{"starts_at":"2026-01-31T12:00:00Z"}`))
	f.wantField(t, patchRequest("launch", `{"expires_at":"2026-01-30T12:00:00Z"}`), 400,
		"starts_at")
}

// TestErrorFieldOfQueries: each parameter that can be refused.
func TestErrorFieldOfQueries(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	share := decodeAs[api.Share](t, f.do(t, request{
		method: "POST", target: "/api/urls/launch/share",
	}), http.StatusCreated).URL
	const (
		link = "/api/urls/launch"
		noon = "2026-01-31T12:00:00Z"
	)
	shared := strings.TrimPrefix(share, baseURL) + "/clicks"
	// What several questions have in common.
	ranges := [][2]string{
		{"start_time=" + noon, "end_time"},
		{"end_time=" + noon, "start_time"},
		{"start_time=x&end_time=" + noon, "start_time"},
		{"start_time=" + noon + "&end_time=x", "end_time"},
		{"start_time=" + noon + "&end_time=" + noon, "start_time"},
		{"start_time=%zz", ""},
	}
	filters := [][2]string{
		{"country=Atlantis", "country"},
		{"not_device=toaster", "not_device"},
		{"visitor=cat", "visitor"},
		{"source=" + strings.Repeat("a", 1025), "source"},
		{strings.Repeat("browser=Chrome&", 101), ""},
	}
	clicks := slices.Concat(ranges, filters, [][2]string{
		{"interval=year", "interval"},
		{"time_zone=Local", "time_zone"},
		{"by=browser,moon", "by"},
		{"limit=0", "limit"},
		{"visitors=all", "visitors"},
		{"people=all", "people"},
		{"start_time=2000-01-01T00:00:00Z&end_time=" + noon + "&interval=hour", ""},
		{
			"start_time=0000-01-01T00:00:00Z&end_time=0000-01-02T00:00:00Z&time_zone=America/Lima",
			"start_time",
		},
		{
			"start_time=9999-12-31T00:00:00Z&end_time=9999-12-31T23:00:00Z&time_zone=Asia/Tokyo",
			"end_time",
		},
	})
	events := slices.Concat(ranges, filters, [][2]string{
		{"format=xml", "format"},
		{"limit=1001", "limit"},
		{"format=csv&limit=0", "limit"},
		{"cursor=x", "cursor"},
	})
	tag := [][2]string{{"tag=a%2Cb", "tag"}, {strings.Repeat("tag=a&", 21), "tag"}}
	for target, queries := range map[string][][2]string{
		"/api/urls": slices.Concat(tag, [][2]string{
			{"search=", "search"},
			{"sort=size", "sort"},
			{"sort=clicks&period=1h", "period"},
			{"period=24h", "period"},
			{"status=", "status"},
			{"created_after=x", "created_after"},
			{"created_before=x", "created_before"},
			{"unused_since=x", "unused_since"},
			{"cursor=x", "cursor"},
			{"search=a&offset=1", "offset"},
			{"people=all", "people"},
			{"sort=oldest&a=%zz", ""},
		}),
		link:                {{"people=all", "people"}},
		link + "/analytics": ranges,
		link + "/clicks":    clicks,
		"/api/overview":     slices.Concat(clicks, tag),
		shared:              append(clicks, [2]string{"not_referrer=a", "not_referrer"}),
		link + "/events":    events,
		"/api/events":       slices.Concat(events, tag),
		"/api/recent": {
			{"", "short_codes"}, {"short_codes=a&people=all", "people"}, {"a=%zz", ""},
		},
		"/api/audit": {
			{"limit=1001", "limit"},
			{"cursor=0", "cursor"},
			{"by=%ff", "by"},
			{"target=%00", "target"},
			{"a=%zz", ""},
		},
		"/api/unknown": {{"date=today", "date"}, {"limit=0", "limit"}, {"a=%zz", ""}},
	} {
		for _, q := range queries {
			f.wantField(t, request{target: target + "?" + q[0]}, 400, q[1])
		}
	}
}

// TestErrorFieldOfOthers: what a path or a header names, tags, and errors that are about no field.
func TestErrorFieldOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","tags":["news"]}`))
	f.createForeign(t, "theirs")
	for _, tt := range []struct {
		method, target, body string
		status               int
		field                string
	}{
		{"GET", "/api/urls/nothere", "", 404, "short_code"},
		{"GET", "/api/urls/nothere/analytics", "", 404, "short_code"},
		{"GET", "/api/urls/nothere/history", "", 404, "short_code"},
		{"PATCH", "/api/urls/nothere", `{"title":7}`, 404, "short_code"},
		{"DELETE", "/api/urls/nothere", "", 404, "short_code"},
		{"DELETE", "/api/urls/n/clicks", "", 404, "short_code"},
		{"GET", "/api/urls/launch/share", "", 404, "share"},
		{"DELETE", "/api/urls/launch/share", "", 404, "share"},
		{"GET", "/ui/share/AAAAAAAAAAAAAAAAAAAAAA/clicks", "", 404, "share"},
		{"PATCH", "/api/tags/nothere", `{"name":"a"}`, 404, "tag"},
		{"DELETE", "/api/tags/nothere", "", 404, "tag"},
		{"PATCH", "/api/tags/news", `{}`, 400, "name"},
		{"PATCH", "/api/tags/news", `{"name":7}`, 400, "name"},
		{"PATCH", "/api/tags/news", `{"name":"a,b"}`, 400, "name"},
		{"PATCH", "/api/tags/news", `{"name":".."}`, 400, "name"},
		{"PATCH", "/api/tags/news", `{"tag":"a"}`, 400, "tag"},
		{"POST", "/api/bulk", `{"operations":7}`, 400, "operations"},
		{"POST", "/api/bulk", `{"operations":[],"atomic":7}`, 400, "atomic"},
		{"POST", "/api/bulk", `{"all":[]}`, 400, "all"},
		{"POST", "/api/bulk", `{}`, 400, "operations"},
		{
			"POST", "/api/bulk", `{"operations":[{},{"link":{"title":"a","title":"b"}}]}`, 400,
			"operations[1].link.title",
		},
		{"POST", "/ui/session", `{"token":7}`, 400, "token"},
		{"POST", "/ui/session", `{"tokens":""}`, 400, "tokens"},
		{"GET", "/api/urls/theirs", "", 403, ""},
		{"DELETE", "/api/urls/theirs", "", 403, ""},
		{"GET", "/api/nothing", "", 404, ""},
		{"PUT", "/api/urls", "", 405, ""},
		{"POST", "/ui/session", `{"token":"wrong"}`, 401, ""},
	} {
		f.wantField(t, request{method: tt.method, target: tt.target, body: tt.body}, tt.status,
			tt.field)
	}
	f.wantField(t, patchRequest("launch", `{"title":"a"}`).with("If-Match", `"x"`), 412, "")
	f.wantField(t, request{target: "/api/urls"}.with("Authorization", "Bearer wrong"), 401, "")
	f.wantField(t, badPost(strings.Repeat(" ", 1<<20+1)), 413, "")
	f.wantField(t, post(`{"original_url":"https://example.com/"}`).with("Idempotency-Key", "ä"),
		400, "Idempotency-Key")
	f.do(t, post(`{"original_url":"https://example.com/"}`).with("Idempotency-Key", "key"))
	f.wantField(t, post(`{"original_url":"https://example.org/"}`).with("Idempotency-Key", "key"),
		422, "Idempotency-Key")
}

// TestErrorFieldOfBulk: each result has its own field, as that of a request of its own.
func TestErrorFieldOfBulk(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	f.createForeign(t, "theirs")
	operations := []struct{ text, field string }{
		{`{"op":"create","link":{"original_url":"http://a.example/","tags":["a",","]}}`, "tags[1]"},
		{`{"op":"create","link":{"original_url":"nowhere"}}`, "original_url"},
		{`{"op":"create","link":{}}`, "original_url"},
		{
			`{"op":"create","link":{"original_url":"https://a.example/","short_code":"launch"}}`,
			"short_code",
		},
		{`{"op":"update","short_code":"launch","link":{"rules":[{"name":"a"}]}}`, "rules[0].url"},
		{`{"op":"update","short_code":"launch","link":{"colour":1}}`, "colour"},
		{`{"op":"update","short_code":"nothere","link":{}}`, "short_code"},
		{`{"op":"update","link":{}}`, "short_code"},
		{`{"op":"update","short_code":"theirs","link":{}}`, ""},
		{`{"op":"update","short_code":"launch"}`, "link"},
		{`{"op":"delete","short_code":"nothere"}`, "short_code"},
		{`{"op":"delete","short_code":"launch","link":{}}`, "link"},
		{`{"op":"create","short_code":"launch","link":{}}`, "short_code"},
		{`{"op":"create"}`, "link"},
		{`{"op":"upsert"}`, "op"},
		{`{"op":7}`, "op"},
		{`{"do":"create"}`, "do"},
		{`7`, ""},
	}
	var texts []string
	for _, o := range operations {
		texts = append(texts, o.text)
	}
	body := `{"operations":[` + strings.Join(texts, ",") + `]}`
	plain := f.bulk(t, body)
	asked := decodeAs[api.BulkResults](t, f.do(t, asking(bulk(body))), http.StatusOK).Results
	for i, o := range operations {
		if plain[i].Field != "" || asked[i].Field != o.field {
			t.Errorf("%s: %+v, and without asking %q; want %q", o.text, asked[i], plain[i].Field,
				o.field)
		}
		if asked[i].Field = ""; asked[i] != plain[i] || asked[i].Error == "" {
			t.Errorf("%s: %+v, without asking %+v", o.text, asked[i], plain[i])
		}
		// One that fails is told from those that failed with it.
		atomic := `{"atomic":true,"operations":[{"op":"delete","short_code":"launch"},` +
			o.text + `]}`
		if strings.Contains(o.text, "launch") {
			continue
		}
		results := decodeAs[api.BulkResults](t, f.do(t, asking(bulk(atomic))), 200).Results
		if results[0].Field != "" || results[1].Field != o.field {
			t.Errorf("%s: %+v", atomic, results)
		}
	}
}

// TestErrorFieldOfReplay: who repeats a request gets the field if it asks for it, whether or not
// the first did.
func TestErrorFieldOfReplay(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for name, r := range map[string]request{
		"plain": badPost(`{"original_url":"https://example.com/","tags":["a",","]}`),
		"asked": asking(badPost(`{"original_url":"https://example.com/","tags":["a",","]}`)),
	} {
		first := f.do(t, r.with("Idempotency-Key", name))
		r.header.Del("Prefer")
		r = r.with("Idempotency-Key", name)
		plain, asked := f.do(t, r), f.do(t, asking(r))
		for _, got := range []answer{first, plain, asked} {
			wantError(t, got, 400, "tags must be up to 20, each 1 to 40 characters, without "+
				"commas and control characters, and neither . nor ..")
		}
		if got, again := plain.header.Get(errorField), asked.header.Get(errorField); got != "" ||
			again != "tags[1]" || (first.header.Get(errorField) != "") != (name == "asked") ||
			asked.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: %v, then %v and %v", name, first.header, plain.header, asked.header)
		}
	}
}

// TestPreferences: among others, and on several lines.
func TestPreferences(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, tt := range []struct {
		lines []string
		want  string
	}{
		{[]string{`wait=10, Error-Field; a="b, c"`}, "original_url"},
		{[]string{"return=minimal", "error-field"}, "original_url"},
		{[]string{"return=minimal"}, ""},
		{[]string{`a="error-field"`, "error-field=no"}, ""},
	} {
		r := badPost(`{}`)
		r.header = http.Header{"Prefer": tt.lines}
		if got := f.do(t, r).header.Get(errorField); got != tt.want {
			t.Errorf("%q: the field is %q, want %q", tt.lines, got, tt.want)
		}
	}
}
