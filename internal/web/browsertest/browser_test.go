// Package browsertest has no code of its own. It tries the dashboard in Chromium and in Firefox:
// the tests are written once, for Node's test runner and Playwright, in the *.test.mjs files here,
// and run against the real binary on data that was made for them.
//
// It needs Node 20, both browsers, and `npm ci` in internal/web; scripts/needs.sh sees to them.
package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/tests/tersetest"
)

// browsers are the programs that a browser goes by; a variable of its name in capitals wins.
// Chromium without its windows takes two thirds of the processor.
var browsers = map[string][]string{
	"chromium": {
		"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	},
	"firefox": {"firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"},
}

// tools are the programs that the tests need besides Go.
type tools struct{ node, name, browser string }

// find returns the tools for a browser, or skips the test aloud. Continuous integration has to have
// them.
func find(t testing.TB, name string) tools {
	t.Helper()
	found := tools{name: name, browser: os.Getenv(strings.ToUpper(name))}
	found.node, _ = exec.LookPath("node")
	for _, program := range browsers[name] {
		if found.browser == "" {
			found.browser, _ = exec.LookPath(program)
		}
	}
	var missing []string
	if found.node == "" {
		missing = append(missing, "node")
	}
	if found.browser == "" {
		missing = append(missing, name+" (or its path in "+strings.ToUpper(name)+")")
	}
	if _, err := os.Stat("../node_modules/playwright-core"); err != nil {
		missing = append(missing, "npm ci in internal/web")
	}
	if len(missing) > 0 {
		loud := "THE DASHBOARD IS NOT TESTED IN " + strings.ToUpper(name) + ": missing are " +
			strings.Join(missing, ", ")
		if os.Getenv("CI") == "true" {
			t.Fatal(loud)
		}
		t.Skip(loud)
	}
	return found
}

func TestMain(m *testing.M) {
	code := m.Run()
	tersetest.Clean()
	os.Exit(code)
}

// run runs node with the arguments, and with what its tests have to know: the binary, and a
// folder of data that they copy.
func run(t testing.TB, with tools, binary, data string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), with.node, args...)
	cmd.Env = append(os.Environ(), "TERSE_BINARY="+binary, "TERSE_DATA="+data,
		"TERSE_BROWSER="+with.name, strings.ToUpper(with.name)+"="+with.browser)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args, " "), err, out, &stderr)
	}
	return out
}

// often are the files that make test runs in a browser. make test-long runs all in both.
var often = map[string][]string{
	"chromium": {"list"},
	"firefox":  {"create"},
}

// filesFor returns the files to run in a browser.
func filesFor(t *testing.T, browser string) (files []string) {
	t.Helper()
	names := strings.Fields(os.Getenv("BROWSERTESTS"))
	if len(names) == 0 && testing.Short() {
		names = often[browser]
	}
	for _, name := range names {
		files = append(files, name+".test.mjs")
	}
	if len(names) > 0 {
		return files
	}
	files, err := filepath.Glob("*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests", err)
	}
	return files
}

// BROWSERTESTS names the files to run, in place of all: "create list". SCREENSHOTS names a folder
// that gets a picture of every page and state.
func TestDashboard(t *testing.T) {
	t.Parallel()
	data, binary := t.TempDir(), tersetest.Binary(t)
	demo(t, data)
	// Two processes at a time. Each tries half of the files in one browser, then the other half in
	// the other browser: so both have about as much to do.
	for part := range 2 {
		t.Run(fmt.Sprint(part+1), func(t *testing.T) {
			t.Parallel()
			for turn, name := range []string{"firefox", "chromium"} {
				args := []string{"--test-reporter=spec", "all.mjs"}
				files := filesFor(t, name)
				for i := (part + turn) % 2; i < len(files); i += 2 {
					args = append(args, files[i])
				}
				if len(args) == 2 {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Logf("%s", run(t, find(t, name), binary, data, args...))
				})
			}
		})
	}
}

// BenchmarkStatistics measures in the browser, with a cold cache on the loopback, the page of a
// link with 1,000,000 clicks: the time until it answers, and until a filter and another tab are
// painted.
func BenchmarkStatistics(b *testing.B) {
	with := find(b, "chromium")
	data, binary := b.TempDir(), tersetest.Binary(b)
	million(b, data)
	for b.Loop() {
		report(b, run(b, with, binary, data, "bench-stats.mjs"))
	}
}

// report reports medians in milliseconds by their names.
func report(b *testing.B, out []byte) {
	b.Helper()
	var medians map[string]float64
	if err := json.Unmarshal(out, &medians); err != nil {
		b.Fatal(err)
	}
	for name, ms := range medians {
		b.ReportMetric(ms, "ms/"+name)
	}
}

// BenchmarkDashboard measures in the browser, with a cold cache on the loopback: the time until the
// list can be used, and until what follows a key or a click is painted, at 100,000 links.
func BenchmarkDashboard(b *testing.B) {
	with := find(b, "chromium")
	data, binary := b.TempDir(), tersetest.Binary(b)
	many(b, data, 100_000)
	for b.Loop() {
		report(b, run(b, with, binary, data, "bench.mjs"))
	}
}
