package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terse/internal/cli"
)

// kuttServer answers as Kutt did: testdata/products/kutt/api.json.
func kuttServer(t *testing.T) *httptest.Server {
	t.Helper()
	pages := map[string][]struct {
		Path   string          `json:"path"`
		Status int             `json:"status"`
		Body   json.RawMessage `json:"body"`
	}{}
	must(t, json.Unmarshal([]byte(kuttFile(t, "api.json")), &pages))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, page := range pages[strings.TrimSuffix(r.Header.Get("X-API-KEY"), "-key")] {
			query := strings.Split(page.Path[strings.Index(page.Path, "?")+1:], "&")
			slices.Sort(query)
			if page.Path[:strings.Index(page.Path, "?")] == r.URL.Path &&
				strings.Join(query, "&") == r.URL.RawQuery {
				w.WriteHeader(page.Status)
				_, _ = w.Write(page.Body)
				return
			}
		}
		http.Error(w, `{"error":"API key is not correct."}`, http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	return server
}

// importFrom imports from an address with a key, and returns the report, too.
func (i *instance) importFrom(t *testing.T, format, address, key string, args ...string) (
	result, string,
) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.csv")
	r := command(t, i.environ("TERSE_SOURCE_KEY="+key), "",
		append([]string{"import", format, address, "--report", report}, args...)...)
	said, err := os.ReadFile(report)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return r, string(said)
}

// Over the API links come without their passwords and hours.
func TestImportKuttAPI(t *testing.T) {
	t.Parallel()
	server, i := kuttServer(t), start(t)
	_, dates := kuttSQLite(t)
	r, said := i.importFrom(t, "kutt", server.URL, "admin-key")
	if r.code != cli.ExitFailure || !strings.Contains(r.out, "66 created, 2 failed.") ||
		!strings.Contains(r.out, "168 added.") {
		t.Errorf("%+v", r)
	}
	for _, part := range []string{
		`both,failed,short_code,"short_code is that of a link at go.example, too, which was read:` +
			" --only-host kutt.example reads it", "mail,failed,", "metrics,failed,",
		"secret,created,password,password is not in the API: the link is disabled",
		"created_by: the owners of links are not kept", "or they count twice",
	} {
		if !strings.Contains(said, part) {
			t.Errorf("the report has no %q:\n%s", part, said)
		}
	}
	links, hours := i.exportLinks(t), kuttHours()
	for address, link := range links {
		at := [2]string{"", address}
		if address == "hosted" || address == "both" {
			at[0] = "go.example"
		}
		if got := [...]any{link.Created, link.Updated, link.Ends}; got !=
			[...]any{dates[at][0], dates[at][1], dates[at][2]} {
			t.Errorf("%s: %v, want %v", address, got, dates[at])
		}
		var got, want int64
		for _, click := range link.clicks {
			got += click.Count
			if click.Time != link.Created || click.Country != "" {
				t.Errorf("%s has %+v", address, click)
			}
		}
		for _, hour := range hours[address] {
			want += hour[""]
		}
		if got != want {
			t.Errorf("%s has %d clicks, want %d", address, got, want)
		}
	}
	wantKuttTexts(t, links)
	if !links["secret"].Disabled {
		t.Error("a link that had a password is open")
	}
	i.wantKuttRedirects(t, links, "kutt.example/both")
	if r, _ := i.importFrom(t, "kutt", server.URL, "admin-key"); !strings.Contains(
		r.out, "66 unchanged, 2 failed.") || !strings.Contains(r.out, "168 known.") {
		t.Errorf("once more: %+v", r)
	}
	// Another key gets its own links, and is told how many.
	i = start(t)
	r, said = i.importFrom(t, "kutt", server.URL, "other-key")
	if r.code != cli.ExitOK || !strings.Contains(r.out, "1 created") ||
		!strings.Contains(said, "the key lists 1 link") {
		t.Errorf("%+v\n%s", r, said)
	}
	r, _ = i.importFrom(t, "kutt", server.URL, "wrong-key")
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "API key is not correct") ||
		strings.Contains(r.out+r.err, "wrong-key") {
		t.Errorf("%+v", r)
	}
	r, _ = i.importFrom(t, "kutt", server.URL, "")
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "(no key was given: --key-file)") {
		t.Errorf("%+v", r)
	}
}

// The list is read again where links were deleted meanwhile, and given up where it repeats itself.
func TestImportKuttThatChanges(t *testing.T) {
	t.Parallel()
	item := func(n int) string {
		return fmt.Sprintf(`{"id":"%d","address":"link-%[1]d","target":"https://a.example/%[1]d",`+
			`"visit_count":"1,0%02[1]d","banned":0,"password":false,"domain":"kutt.example",`+
			`"created_at":"2026-09-14T08:10:28.000Z","expire_in":null,"description":null}`, n)
	}
	for name, change := range map[string]func(request int, ids []int) (now []int, late int){
		"deleted": func(request int, ids []int) ([]int, int) {
			if request == 1 || request == 3 {
				return ids[10:], 0
			}
			return ids, 0
		},
		"deleted before it is counted": func(request int, ids []int) ([]int, int) {
			if request == 1 {
				return ids[10:], 10
			}
			return ids, 0
		},
		"deleted before the end": func(request int, ids []int) ([]int, int) {
			if request == 4 {
				return ids[1:], 0
			}
			return ids, 0
		},
		"added": func(_ int, ids []int) ([]int, int) {
			return append([]int{ids[0] + 1}, ids...), 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ids []int
			for n := range 201 {
				ids = append(ids, 200-n)
			}
			request := 0
			server := httptest.NewServer(http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) {
					skip, err := strconv.Atoi(r.URL.Query().Get("skip"))
					if err != nil || r.URL.Query().Get("limit") != "50" {
						t.Error(r.URL)
					}
					var late int
					if request > 0 { // the first page comes before anything changes
						ids, late = change(request, ids)
					}
					request++
					var items []string
					for _, id := range ids[min(skip, len(ids)):min(skip+50, len(ids))] {
						items = append(items, item(id))
					}
					fmt.Fprintf(w, `{"total":%d,"data":[%s]}`, len(ids)+late,
						strings.Join(items, ","))
				}))
			t.Cleanup(server.Close)
			file := filepath.Join(t.TempDir(), "out.ndjson")
			r := command(t, nil, "", "import", "kutt", server.URL, "--output", file)
			if r.code != cli.ExitOK {
				t.Fatalf("%+v", r)
			}
			text, err := os.ReadFile(file)
			must(t, err)
			if n := strings.Count(string(text), `"type":"link"`); n != 201 {
				t.Errorf("%d links", n)
			}
			for n := range 201 { // each with its clicks
				if !strings.Contains(string(text), fmt.Sprintf(`"link-%d"`, n)) {
					t.Errorf("link-%d is missing", n)
				}
			}
			if !strings.Contains(string(text), `"count":1077`) {
				t.Error("a total is missing")
			}
		})
	}
	var page []string
	for n := range 50 {
		page = append(page, item(n))
	}
	total, shrinks := 1000, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if shrinks {
			total = 1500 - total
		}
		fmt.Fprintf(w, `{"total":%d,"data":[%s]}`, total, strings.Join(page, ","))
	}))
	t.Cleanup(server.Close)
	for want, before := range map[string]func(){
		"the source repeats a page": func() { shrinks = false },
		"changes all the time":      func() { shrinks = true },
	} {
		before()
		r := command(t, nil, "", "import", "kutt", server.URL, "--output",
			filepath.Join(t.TempDir(), "out.ndjson"))
		if r.code != cli.ExitFailure || !strings.Contains(r.err, want) {
			t.Errorf("%+v", r)
		}
	}
}
