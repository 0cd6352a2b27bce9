package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// browsers are the programs that a browser goes by; a variable of its name in capitals wins, as for
// the dashboard's tests.
var browsers = map[string][]string{
	"chromium": {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"},
	"firefox":  {"firefox-esr", "firefox"},
}

// browser returns the path of a browser, or skips the test aloud.
func browser(t *testing.T, name string) string {
	t.Helper()
	found := os.Getenv(strings.ToUpper(name))
	for _, program := range browsers[name] {
		if found == "" {
			found, _ = exec.LookPath(program)
		}
	}
	if found == "" {
		miss(t, name+" (or its path in "+strings.ToUpper(name)+")")
	}
	if _, err := os.Stat("../internal/web/node_modules/playwright-core"); err != nil {
		miss(t, "npm ci in internal/web")
	}
	return found
}

// What readers do, in browsers: the tests are in site.test.mjs.
func TestBrowsers(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: go -C site test")
	}
	t.Parallel()
	written, folder := buildIn(t, "https://docs.example/below/")
	files := http.StripPrefix("/below", http.FileServer(http.Dir(folder)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/below/")
		if name != "" && written[name] == nil {
			w.WriteHeader(http.StatusNotFound)
			w.Write(written[lost])
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	names, err := json.Marshal(pages(written))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chromium", "firefox"} {
		t.Run(name, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), "node", "--test-reporter=spec",
				"site.test.mjs")
			command.Env = append(os.Environ(), "TERSE_BROWSER="+name,
				strings.ToUpper(name)+"="+browser(t, name), "SITE_URL="+server.URL+"/below/",
				"SITE_FOLDER="+folder, "SITE_PAGES="+string(names))
			out, err := command.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
