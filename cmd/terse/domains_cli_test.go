package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/api"
)

// onDomain returns the server's client for links at a host.
func (i *instance) onDomain(host string) *api.Client { return i.client().At(host) }

// TestDomainCommands names links at three hosts in each way, and does with one what must not happen
// to the others.
func TestDomainCommands(t *testing.T) { //nolint:tparallel // each part changes what is there
	t.Parallel()
	s := start(t, "DOMAINS=go.example,s2.example", "BASE_URL=https://s.example")
	says := func(t *testing.T, want string, args ...string) string {
		t.Helper()
		got := s.command(t, args...)
		if got.code != 0 || !strings.Contains(got.out, want) {
			t.Fatalf("%q: %d, %q, %q, not %q", args, got.code, got.out, got.err, want)
		}
		return got.out
	}
	refuses := func(t *testing.T, code int, want string, args ...string) {
		t.Helper()
		if got := s.command(t, args...); got.code != code || !strings.Contains(got.err, want) {
			t.Fatalf("%q: %d, %q, %q, not %d, %q", args, got.code, got.out, got.err, code, want)
		}
	}
	three := func(t *testing.T, code string) {
		t.Helper()
		says(t, "https://s.example/"+code, "create", "https://example.com/", "--code", code)
		for _, host := range []string{"go.example", "s2.example"} {
			says(t, "https://"+host+"/"+code, "create", "https://example.com/"+host, "--code",
				code, "--domain", host)
		}
	}
	three(t, "launch")
	refuses(t, 1, "nknown domain: x.example", "create", "https://example.com/", "--domain",
		"x.example")

	t.Run("names", func(t *testing.T) {
		for _, args := range [][]string{
			{"go.example/launch"},
			{"GO.example/launch"},
			{"https://go.example/launch"},
			{"http://go.example./launch"},
			{"launch", "--domain", "go.example"},
			{"launch", "--domain", "Go.Example"},
		} {
			says(t, "https://example.com/go.example", append([]string{"show"}, args...)...)
		}
		for _, name := range []string{"launch", "s.example/launch", "https://s.example/launch"} {
			says(t, "original_url\thttps://example.com/\n", "show", name)
		}
		refuses(t, 3, `No link "go.example/nothing"`, "show", "go.example/nothing")
		refuses(t, 3, `No link "x.example/launch"`, "show", "x.example/launch")
		refuses(t, 1, "nknown domain: x.example", "show", "launch", "--domain", "x.example")
	})

	t.Run("aliases", func(t *testing.T) {
		// an alias with a slash whose beginning is no host
		says(t, "docs/install", "edit", "launch", "--add-alias", "docs/install")
		says(t, "docs/install", "edit", "go.example/launch", "--add-alias", "docs/install")
		says(t, "original_url\thttps://example.com/\n", "show", "docs/install")
		for _, name := range []string{
			"go.example/docs/install", "https://go.example/docs/install",
		} {
			says(t, "https://example.com/go.example", "show", name)
		}
		refuses(t, 3, `No link "s2.example/docs/install"`, "show", "s2.example/docs/install")
		// a code that is free on one domain only
		says(t, "https://s2.example/docs", "edit", "s2.example/launch", "--add-alias", "docs")
		refuses(t, 3, `No link "docs"`, "show", "docs")
		three(t, "taken")
		says(t, "", "edit", "go.example/launch", "--add-alias", "takes")
		refuses(t, 1, `it is an alias of "launch"`, "edit", "go.example/taken", "--code", "takes")
		says(t, "https://s.example/takes", "edit", "taken", "--code", "takes")
	})

	t.Run("changes", func(t *testing.T) {
		three(t, "one")
		says(t, "Second", "edit", "go.example/one", "--title", "Second")
		says(t, "title", "history", "go.example/one", "--json")
		says(t, "s2.example/one\tnews", "tag", "add", "news", "s2.example/one")
		says(t, "go.example/one\tarchived", "archive", "go.example/one")
		says(t, "ui/share/", "share", "go.example/one")
		says(t, "go.example/one", "shares")
		says(t, "Cleared go.example/one", "clear", "go.example/one", "--yes")
		says(t, "Deleted s2.example/one", "delete", "https://s2.example/one", "--yes")
		for host, want := range map[string]string{"": "", "go.example": "Second"} {
			link, err := s.onDomain(host).Link(t.Context(), "one")
			if err != nil || link.Title != want || link.Archived != (host != "") ||
				len(link.Tags) > 0 {
				t.Errorf("%q: %+v, %v", host, link, err)
			}
		}
		refuses(t, 3, `No link "s2.example/one"`, "show", "s2.example/one")
	})

	t.Run("clicks", func(t *testing.T) {
		three(t, "clicked")
		for range 2 {
			s.answersAt(t, "go.example", "/clicked", http.StatusFound)
		}
		s.answersAt(t, "s2.example", "/clicked", http.StatusFound)
		await(t, "clicks", func() bool {
			o, err := s.client().Overview(t.Context(), api.ClicksQuery{})
			return err == nil && o.TotalClicks == 3
		})
		says(t, `"total_clicks": 2`, "stats", "go.example/clicked", "--json")
		says(t, `"total_clicks": 0`, "stats", "clicked", "--json")
		says(t, `"total_clicks": 1`, "overview", "--domain", "s2.example", "--json")
		says(t, "go.example/clicked", "overview", "--bots")
		if got := says(t, "\tgo.example/clicked\t", "events", "--domain",
			"go.example"); strings.Count(got, "\n") != 2 {
			t.Errorf("events: %s", got)
		}
		says(t, "\ts2.example/clicked\t", "events", "s2.example/clicked")
	})

	t.Run("lists", func(t *testing.T) {
		says(t, "go.example/launch\thttps://example.com/go.example\t", "list", "--all")
		if got := says(t, "s2.example/launch\t", "list", "--domain",
			"s2.example"); strings.Contains(got, "go.example/launch") ||
			strings.HasPrefix(got, "launch") {
			t.Errorf("list: %s", got)
		}
		file := filepath.Join(t.TempDir(), "some.ndjson")
		says(t, "", "export", file, "--domain", "go.example")
		b, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(b), `"s2.example"`) ||
			!strings.Contains(string(b), `"domain":"go.example"`) {
			t.Errorf("export: %s, %v", b, err)
		}
		says(t, "Deleted go.example/launch", "delete", "go.example/launch", "--yes")
		says(t, "", "import", "terse", file)
		says(t, "https://go.example/docs/install", "show", "go.example/launch")
		// it may be asked for at its host only
		other := start(t, "DOMAINS=go.example", "BASE_URL=https://s.example")
		if got := other.command(t, "import", "terse", file); got.code != 0 {
			t.Errorf("import: %+v", got)
		}
		got := other.command(t, "check", "terse", file, "--from", s.url)
		if got.code != 0 || !strings.Contains(got.out, " equal, 0 differ.") ||
			strings.Contains(got.out, "nowhere") {
			t.Errorf("check: %+v", got)
		}
		svg := filepath.Join(t.TempDir(), "code.svg")
		says(t, "", "qr", "go.example/launch", "--output", svg)
	})

	t.Run("bulk", func(t *testing.T) {
		three(t, "bulk")
		file := filepath.Join(t.TempDir(), "some.csv")
		table := "op,domain,short_code,original_url,title\n" +
			"create,go.example,made,https://example.com/made,\n" +
			"update,s2.example,bulk,,Here\n" +
			"delete,go.example,bulk,,\n"
		if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
			t.Fatal(err)
		}
		says(t, "https://go.example/made", "bulk", file)
		says(t, "Here", "show", "s2.example/bulk")
		refuses(t, 3, "No link", "show", "go.example/bulk")
		says(t, "original_url\thttps://example.com/\n", "show", "bulk")
	})

	t.Run("domains", func(t *testing.T) {
		says(t, "go.example\tserved\t", "domain", "list")
		says(t, "https://example.com/lost", "domain", "edit", "GO.example", "--unknown-url",
			"https://example.com/lost", "--root-url", "https://example.com/root")
		s.answersAt(t, "go.example", "/nothing", http.StatusFound)
		s.answersAt(t, "s2.example", "/nothing", http.StatusNotFound)
		got := says(t, "https://example.com/root", "domain", "edit", "go.example",
			"--unknown-url", "none")
		if strings.Contains(got, "lost") {
			t.Errorf("edit: %s", got)
		}
		refuses(t, 1, "--root-url must be", "domain", "edit", "go.example", "--root-url", "x")
		refuses(t, 3, `No domain "x.example"`, "domain", "edit", "x.example", "--ended-url",
			"none")
		refuses(t, 2, "nothing to change", "domain", "edit", "go.example")
	})

	t.Run("completion", func(t *testing.T) {
		says(t, "go.example\n", "__complete", "--", "list", "--domain", "g")
		says(t, "--domain=s2.example\n", "__complete", "--", "list", "--domain=s2")
		says(t, "go.example/launch", "__complete", "--", "show", "go.example/la")
		says(t, "s2.example\n", "__complete", "--", "domain", "edit", "")
	})
}

// answersAt fails unless a path of a host has a status.
func (i *instance) answersAt(t *testing.T, host, path string, status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, i.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != status {
		t.Fatalf("%s%s: %d", host, path, resp.StatusCode)
	}
}
