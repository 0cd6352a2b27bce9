package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse/internal/tests/tersetest"
)

const shlinkKey = "2f0b1f4e-shlink/key"

type object = map[string]any

// shlinkServer answers as the API description of Shlink 5.1.5 says (docs/swagger in its sources):
// all fields that it requires, pages of the size that is asked for, the newest visit first.
type shlinkServer struct {
	*httptest.Server
	mu     sync.Mutex
	links  []object            // by creation
	visits map[string][]object // of a link, by "domain/code", the oldest first
	rules  map[string][]object
	asked  map[string]int // requests by path
	// onPage, if set, is called before a page is answered, which it may shift.
	onPage func(path string, page int)
}

func startShlink(t *testing.T) *shlinkServer {
	t.Helper()
	s := &shlinkServer{
		visits: map[string][]object{}, rules: map[string][]object{}, asked: map[string]int{},
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// add adds a link of a domain, "" for the default one, that leads to example.com/code.
func (s *shlinkServer) add(domain, code string, more object) (key string) {
	link := object{
		"shortCode": code, "shortUrl": "https://S.test/" + code,
		"longUrl":     "https://example.com/" + code,
		"dateCreated": "2025-03-01T10:00:00+02:00",
		"tags":        []string{}, "domain": nil, "title": nil, "crawlable": false,
		"meta":         object{"validSince": nil, "validUntil": nil, "maxVisits": nil},
		"forwardQuery": false, "hasRedirectRules": false,
	}
	if domain != "" {
		link["domain"], link["shortUrl"] = domain, "https://"+domain+"/"+code
	}
	maps.Copy(link, more)
	s.links = append(s.links, link)
	return domain + "/" + code
}

// visit adds a visit, the n-th minute after 1 January 2026.
func (s *shlinkServer) visit(key string, n int, more object) {
	at := time.Date(2026, 1, 1, 0, n, 0, 0, time.FixedZone("", 3600))
	v := object{
		"referer": "", "userAgent": person, "potentialBot": false, "visitLocation": nil,
		"date":       at.Format(time.RFC3339),
		"visitedUrl": nil, "redirectUrl": nil,
	}
	maps.Copy(v, more)
	s.visits[key] = append(s.visits[key], v)
}

func (s *shlinkServer) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const base = "/rest/v3/short-urls"
	path, query := strings.TrimPrefix(r.URL.Path, base), r.URL.Query()
	if r.Header.Get("X-Api-Key") != shlinkKey || !strings.HasPrefix(r.URL.Path, base) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"title":"Invalid API key","detail":"%s"}`, r.Header.Get("X-Api-Key"))
		return
	}
	s.asked[path]++
	page, _ := strconv.Atoi(query.Get("page"))
	if s.onPage != nil {
		s.onPage(path, page)
	}
	if path == "" {
		if query.Get("orderBy") != "dateCreated-ASC" {
			http.Error(w, "bad order", http.StatusBadRequest)
		}
		for _, link := range s.links {
			domain, _ := link["domain"].(string)
			n := len(s.visits[domain+"/"+link["shortCode"].(string)])
			link["visitsSummary"] = object{"total": n, "nonBots": n, "bots": 0}
		}
		s.page(w, "shortUrls", s.links, query)
		return
	}
	at := strings.LastIndex(path, "/")
	key := query.Get("domain") + path[:at]
	switch path[at:] {
	case "/visits":
		list := slices.Clone(s.visits[key])
		slices.Reverse(list)
		end, err := time.Parse(time.RFC3339, query.Get("endDate"))
		if err != nil {
			http.Error(w, "bad date", http.StatusBadRequest)
			return
		}
		s.page(w, "visits", slices.DeleteFunc(list, func(v object) bool {
			date, err := time.Parse(time.RFC3339, v["date"].(string))
			return err != nil || date.After(end)
		}), query)
	case "/redirect-rules":
		_ = json.NewEncoder(w).Encode(object{"defaultLongUrl": "", "redirectRules": s.rules[key]})
	default:
		http.NotFound(w, r)
	}
}

func (s *shlinkServer) page(w http.ResponseWriter, name string, all []object, query url.Values) {
	page, _ := strconv.Atoi(query.Get("page"))
	size, _ := strconv.Atoi(query.Get("itemsPerPage"))
	from := min((page-1)*size, len(all))
	data := all[from:min(from+size, len(all))]
	_ = json.NewEncoder(w).Encode(object{name: object{
		"data": slices.Concat([]object{}, data),
		"pagination": object{
			"currentPage": page, "pagesCount": max(1, (len(all)+size-1)/size), "itemsPerPage": size,
			"itemsInCurrentPage": len(data), "totalItems": len(all),
		},
	}})
}

// load imports from the server.
func (s *shlinkServer) load(t *testing.T, to *instance, report string, args ...string) result {
	t.Helper()
	return command(t, to.environ("TERSE_SOURCE_KEY="+shlinkKey), "", append([]string{
		"import", "shlink", s.URL, "--report", report,
	}, args...)...)
}

// inTerse are the links of a server as it exports them, by code or else alias, each with its
// clicks.
func (i *instance) inTerse(t *testing.T) map[string][]object {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.ndjson")
	if r := i.command(t, "export", file); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	links, code := map[string][]object{}, ""
	for line := range strings.Lines(exported(t, file)) {
		var o object
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		switch o["type"] {
		case "link":
			code = o["short_code"].(string)
			if aliases, ok := o["aliases"].([]any); ok {
				code = aliases[0].(string)
				delete(o, "aliases")
			}
			for _, name := range []string{"type", "short_code", "created_by", "click_count"} {
				delete(o, name)
			}
			delete(o, "last_clicked_at")
			links[code] = []object{o}
		case "click":
			delete(o, "type")
			links[code] = append(links[code], o)
		}
	}
	return links
}

// The check reads the API as the import does, with a key.
func TestCheckShlink(t *testing.T) {
	t.Parallel()
	from, i := startShlink(t), start(t)
	for _, code := range []string{"abc", "docs/måte/show", "日本語", "x"} {
		from.add("", code, nil)
	}
	from.add("go.test", "other", nil)
	if r := from.load(t, i, "", "--only-host", "s.test"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://example.com"+r.URL.Path, http.StatusFound)
	}))
	t.Cleanup(old.Close)
	r := i.checkWith(t, "shlink", from.URL, "--key-file", textFile(t, "key", shlinkKey+"\n"),
		"--only-host", "s.test", "--from", old.URL)
	if r.code != 0 || r.out != "4 addresses: 4 equal, 0 differ.\n" {
		t.Errorf("%+v", r)
	}
	for _, visited := range i.inTerse(t) {
		if len(visited) != 1 {
			t.Errorf("the check is no visit: %v", visited)
		}
	}
}

// All that Shlink knows of links and visits is here afterwards, and twice imported nothing doubles.
func TestImportFromShlink(t *testing.T) {
	t.Parallel()
	from, i := startShlink(t), start(t)
	full := from.add("", "full", object{
		"title": "A title", "tags": []string{"games", "tech"}, "forwardQuery": true,
		"meta": object{
			"validSince": "2025-01-21T00:00:00+02:00", "validUntil": "2099-01-01T00:00:00Z",
			"maxVisits": 2,
		},
	})
	for n := range 3 {
		from.visit(full, n, nil)
	}
	from.add("", "docs/måte/show", nil)
	from.add("", "x", nil)
	from.add("", "日本語", nil)
	from.add("", "x2", object{"longUrl": "myapp://x"})
	from.add("go.test", "other", object{"forwardQuery": nil})
	from.add("go.test", "full", object{"longUrl": "https://example.com/2"})
	details := from.add("", "details", nil)
	from.visit(details, 1, object{
		"referer": "https://news.test/a", "potentialBot": true,
		"visitLocation": object{
			"cityName": "Berlin", "countryCode": "DE", "countryName": "Germany",
			"latitude": 1.5, "longitude": 2.5, "regionName": "Berlin", "timezone": "Europe/Berlin",
		},
		"visitedUrl":  "https://s.test/details?utm_source=mail&utm_medium=a+b&utm_campaign=c%C3%A4",
		"redirectUrl": "https://example.com/details",
	})
	from.visit(details, 2, object{"visitedUrl": "https://s.test/details/track"})
	from.visit(details, 3, object{
		"visitedUrl": "https://s.test/details/track", "redirectUrl": "https://example.com/",
	})
	from.visit(details, 4, object{"visitLocation": object{"countryCode": ""}})
	from.visit(details, 4, object{"visitLocation": object{"countryCode": ""}}) // an equal one
	ruled := from.add("", "ruled", object{"hasRedirectRules": true})
	condition := func(kind string, key, value any) object {
		return object{"type": kind, "matchKey": key, "matchValue": value}
	}
	rule := func(priority int, conditions ...object) {
		from.rules[ruled] = append(from.rules[ruled], object{
			"longUrl": fmt.Sprintf("https://example.com/r%d", priority), "priority": priority,
			"conditions": conditions,
		})
	}
	rule(3, condition("language", nil, "pt-BR"), condition("browser", nil, "firefox"))
	rule(1, condition("device", nil, "mobile"), condition("ip-address", nil, "11.22.*.*"))
	rule(2, condition("query-param", "a", "b"), condition("any-value-query-param", "c", nil),
		condition("geolocation-country-code", nil, "de"),
		condition("after-date", nil, "2026-01-01T00:00:00+01:00"),
		condition("before-date", nil, "2027-01-01T00:00:00+00:00"))
	rule(4, condition("valueless-query-param", "debug", nil), condition("device", nil, "ios"))
	rule(5, condition("geolocation-city-name", nil, "Berlin"))
	rule(6, condition("browser", nil, "android_browser"))
	rule(7, condition("device", nil, "ios"), condition("device", nil, "mobile"))
	rule(8, condition("ip-address", nil, "11.*.22.*"))
	rule(9)

	report := filepath.Join(t.TempDir(), "report.csv")
	r := from.load(t, i, report, "--dry-run")
	if want := "Links: 7 created, 1 failed.\nClicks: 7 added.\n"; r.code != 1 ||
		!strings.Contains(r.out, want) {
		t.Errorf("dry run: %+v", r)
	}
	r = from.load(t, i, report)
	if want := "Links: 7 created, 1 failed.\nClicks: 7 added.\n"; r.code != 1 ||
		!strings.HasPrefix(r.out, want) || strings.Contains(r.err, shlinkKey) {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"the key shows 9 links", "IGNORE_CASE=true", "rules choose the visitor's preferred",
		`x2,failed,original_url`, "--only-host go.test reads it",
		"rules[3], to https://example.com/r4, is left out: there is no equal here of its " +
			"condition valueless-query-param debug",
		"r5, is left out: there is no equal here of its condition geolocation-city-name Berlin",
		"condition browser android_browser", "condition device mobile",
		"condition ip-address 11.*.22.*", "r9, is left out: it has no condition",
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the report has no %q:\n%s", part, text)
		}
	}
	link := func(code string, more object, clicks ...object) []object {
		o := object{
			"original_url": "https://example.com/" + code,
			"created_at":   "2025-03-01T08:00:00.000000Z",
		}
		maps.Copy(o, more)
		return append([]object{o}, clicks...)
	}
	click := func(minute string, more object) object {
		o := object{
			"time": "2025-12-31T23:" + minute + ":00.000000Z", "browser": "Firefox", "os": "Linux",
			"device": "desktop", "visitor": "person",
		}
		maps.Copy(o, more)
		return o
	}
	want := map[string][]object{
		"full": link("full", object{
			"title": "A title", "tags": []any{"games", "tech"}, "forward_query": true,
			"starts_at": "2025-01-20T22:00:00Z", "expires_at": "2099-01-01T00:00:00Z",
			"max_clicks": 2.0, "clicks_used": 2.0,
		}, click("00", nil), click("01", nil), click("02", nil)),
		"docs/måte/show": link("docs/måte/show", nil),
		"x":              link("x", nil),
		"日本語":            link("日本語", nil),
		"other":          link("other", object{"forward_query": true}),
		"details": link("details", nil, click("01", object{
			"visitor": "bot", "country": "DE", "referrer": "https://news.test/a", "source": "mail",
			"medium": "a b", "campaign": "cä",
		}), click("03", nil), click("04", object{"count": 2.0})),
		"ruled": link("ruled", object{"rules": []any{
			object{
				"name": "rule-1", "url": "https://example.com/r1", "when": object{
					"device": []any{"ios", "android"}, "address": []any{"11.22.0.0/16"},
				},
			},
			object{
				"name": "rule-2", "url": "https://example.com/r2", "when": object{
					"country": []any{"DE"}, "query": object{"a": "b", "c": nil},
					"after":  "2025-12-31T23:00:00Z",
					"before": "2027-01-01T00:00:00Z",
				},
			},
			object{
				"name": "rule-3", "url": "https://example.com/r3", "when": object{
					"language": []any{"pt-BR"}, "browser": []any{"firefox"},
				},
			},
		}}),
	}
	if diff := cmp.Diff(want, i.inTerse(t)); diff != "" {
		t.Errorf("the links differ (-want +got):\n%s", diff)
	}
	for _, code := range []string{"docs/måte/show", "x", "日本語"} {
		at := (&url.URL{Path: "/" + code}).EscapedPath()
		if to := i.do(t, "GET "+at, "").Header.Get("Location"); to !=
			"https://example.com"+at {
			t.Errorf("%s leads to %q", at, to)
		}
	}
	r = from.load(t, i, report, "--only-host", "go.test", "--conflict", "rename")
	if want := "Links: 1 unchanged, 1 renamed.\nClicks: none.\n"; r.out != want {
		t.Errorf("of a host: %+v", r)
	}
}

// manyVisits adds links and visits, each at a minute of its own but for every tenth one.
func (s *shlinkServer) manyVisits(links int, visits ...int) {
	for n := range links {
		key := s.add("", fmt.Sprintf("link%03d", n), nil)
		for minute := range visits[min(n, len(visits)-1)] {
			s.visit(key, minute-minute%10/9, object{"referer": "https://news.test/"})
		}
	}
}

// wantVisits compares the clicks of each link with the visits there, but for so many last ones.
func (s *shlinkServer) wantVisits(t *testing.T, i *instance, late map[string]int) {
	t.Helper()
	got := i.inTerse(t)
	if len(got) != len(s.links) {
		t.Errorf("%d links of %d", len(got), len(s.links))
	}
	for _, link := range s.links {
		code := link["shortCode"].(string)
		times := map[string]float64{}
		for _, visit := range s.visits["/"+code][:len(s.visits["/"+code])-late[code]] {
			at, _ := time.Parse(time.RFC3339, visit["date"].(string))
			times[at.UTC().Format("2006-01-02T15:04:05.000000Z")]++
		}
		found := map[string]float64{}
		for _, line := range got[code][min(1, len(got[code])):] {
			n, many := line["count"].(float64)
			if !many {
				n = 1
			}
			found[line["time"].(string)] += n
		}
		if diff := cmp.Diff(times, found); diff != "" {
			t.Errorf("the clicks of %s differ (-want +got):\n%s", code, diff)
		}
	}
}

// Pages shift while they are read: links are deleted, and visits come. Each link and visit is there
// once; those that came too late come with the next import.
func TestImportFromShlinkWhilePagesShift(t *testing.T) {
	t.Parallel()
	from, i := startShlink(t), start(t)
	from.manyVisits(410, 4500, 1000, 1001, 0, 3)
	late := map[string]int{}
	from.onPage = func(path string, page int) {
		switch {
		case path == "" && from.asked[""] == 2:
			from.links = slices.Delete(from.links, 0, 1)
			from.links = slices.Delete(from.links, 100, 103)
		case strings.HasSuffix(path, "/visits") && from.asked[path] > 1 && page > 1:
			from.visit(strings.TrimSuffix(path, "/visits"), 3000+from.asked[path], nil)
			late[strings.Trim(strings.TrimSuffix(path, "/visits"), "/")]++
		}
	}
	gone := from.links[0]
	report := filepath.Join(t.TempDir(), "report.csv")
	if r := from.load(t, i, report); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if from.asked[""] < 5 || late["link000"] < 2 || late["link000"] > 9 {
		t.Errorf("the pages did not shift: %v, %v", from.asked[""], late)
	}
	from.links = slices.Insert(from.links, 0, gone)
	for _, code := range []string{"link101", "link102", "link103"} { // they were read before
		from.add("", code, nil)
		from.visits["/"+code] = from.visits["/"+code][:3]
	}
	from.wantVisits(t, i, late)
	from.onPage = nil
	more := 0
	for _, n := range late {
		more += n
	}
	if r := from.load(t, i, report); r.code != 0 ||
		!strings.Contains(r.out, "410 unchanged") ||
		!strings.Contains(r.out, fmt.Sprintf(" %d added", more)) {
		t.Errorf("again: %+v", r)
	}
	from.wantVisits(t, i, nil)
}

// However often the import is killed, while it reads or writes, each link and click is there once.
func TestImportFromShlinkThatIsKilled(t *testing.T) {
	t.Parallel()
	from, i := startShlink(t), start(t)
	from.manyVisits(300, 2000, 25)
	path, dir := tersetest.Binary(t), t.TempDir()
	var cmd *exec.Cmd
	importing := func() {
		cmd = exec.Command(path, "import", "shlink", from.URL)
		cmd.Dir, cmd.Env = dir, i.environ("TERSE_SOURCE_KEY="+shlinkKey)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	kill := func() {
		_ = cmd.Process.Kill() // or it has ended
		_ = cmd.Wait()
	}
	importing()
	await(t, "links to be read", func() bool {
		from.mu.Lock()
		defer from.mu.Unlock()
		return len(from.asked) > 100
	})
	kill()
	importing()
	await(t, "links to be written", func() bool {
		page, err := i.client().List(t.Context(), 1, 0)
		return err == nil && page.Total > 10
	})
	kill()
	if r := from.load(t, i, filepath.Join(dir, "report.csv")); r.code != 0 {
		t.Errorf("%+v", r)
	}
	from.wantVisits(t, i, nil)
}

// What is no answer of Shlink ends the import, with nothing imported and without the key.
func TestImportFromShlinkThatFails(t *testing.T) {
	t.Parallel()
	from, i := startShlink(t), start(t)
	from.manyVisits(250, 1500, 0)
	report := filepath.Join(t.TempDir(), "report.csv")
	wrong := command(t, i.environ("TERSE_SOURCE_KEY=s3cr3t"), "", "import", "shlink", from.URL)
	none := i.command(t, "import", "shlink", from.URL)
	from.links = slices.Concat(from.links[:200], from.links)
	repeats := from.load(t, i, report)
	from.onPage = func(path string, _ int) {
		if key, ok := strings.CutSuffix(path, "/visits"); ok {
			from.visits[key] = from.visits[key][1:]
		}
	}
	deleted := from.load(t, i, report)
	for want, r := range map[string]result{
		"401 Unauthorized": wrong, "the API of Shlink needs a key (--key-file)": none,
		"the source repeats a page": repeats, "its pages change while they are read": deleted,
	} {
		if r.code != 1 || !strings.Contains(r.err, want) || strings.Contains(r.err, "s3cr3t") ||
			strings.Contains(r.err, shlinkKey) {
			t.Errorf("%+v, want %q", r, want)
		}
	}
	if page, err := i.client().List(t.Context(), 1, 0); err != nil || page.Total != 0 {
		t.Errorf("%d links, %v", page.Total, err)
	}
}
