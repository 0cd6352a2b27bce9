package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/pgtest"
)

// lookFor asks for a code n times.
func (i *instance) lookFor(t *testing.T, code string, n int) {
	t.Helper()
	for range n {
		if got := i.do(t, "GET /"+code, ""); got.StatusCode != 404 {
			t.Fatalf("GET /%s: %d", code, got.StatusCode)
		}
	}
}

// unknown waits until so many visits of today's unknown codes are known, and returns their codes
// as "code count", each without an error.
func (i *instance) unknown(t *testing.T, total int64) string {
	t.Helper()
	var got api.Unknown
	await(t, fmt.Sprintf("%d visits of unknown codes", total), func() (seen bool) {
		var err error
		if got, err = i.client().Unknown(t.Context(), time.Time{}, 0, 0); err != nil {
			t.Fatal(err)
		}
		return got.Total >= total
	})
	if got.Total != total {
		t.Errorf("%d visits of unknown codes, want %d", got.Total, total)
	}
	var codes []string
	for _, c := range got.Codes {
		if c.Error != 0 {
			t.Errorf("%s has an error of %d", c.ShortCode, c.Error)
		}
		codes = append(codes, fmt.Sprintf("%s %d", c.ShortCode, c.Count))
	}
	return strings.Join(codes, ", ")
}

// awayFromMidnight waits for the next UTC day when this one is nearly over.
func awayFromMidnight(t *testing.T) {
	t.Helper()
	tomorrow := time.UnixMicro((terse.DayOf(time.Now().UnixMicro()) + 1).Start())
	if left := time.Until(tomorrow); left < time.Minute {
		time.Sleep(left)
	}
}

// Visits of codes without a link are counted, and go on being counted by a node that was killed.
func TestUnknownCodes(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	dir := t.TempDir()
	i := startProcess(t, dir)
	i.shortenAs(t, "launch", "https://example.com/")
	starts := "2100-01-01T00:00:00Z"
	if got := i.do(t, "POST /api/urls", `{"original_url": "https://example.com/",
		"short_code": "soon", "starts_at": "`+starts+`"}`, authorized()); got.StatusCode != 201 {
		t.Fatal(got.StatusCode, got.body)
	}
	for _, request := range []string{
		"HEAD /lanch", "POST /lanch", "GET /lanch+", "GET /lanch.svg", "GET /ab", "GET /soon",
		"GET /lanch/x", "GET /launch/x", "GET /a.b", "GET /", "GET /launch", // by no person
	} {
		i.do(t, request, "")
	}
	i.lookFor(t, "lanch", 3)
	i.lookFor(t, "lanch/", 2)
	i.lookFor(t, "laun%63", 1)
	i.lookFor(t, "lunch?x", 4)
	// a request that the fast path does not understand
	if got := i.do(t, "GET /lunch", "body"); got.StatusCode != 404 {
		t.Fatal(got.StatusCode)
	}
	if got := i.unknown(t, 11); got != "lanch 5, lunch 5, launc 1" {
		t.Error(got)
	}

	// People also ask for what only an alias could be, also by way of net/http.
	for _, body := range []string{"", "body"} {
		if got := i.do(t, "GET /docs/instal", body, firefox); got.StatusCode != 404 {
			t.Fatal(got.StatusCode)
		}
	}
	if got := i.unknown(t, 13); got != "lanch 5, lunch 5, docs/instal 2, launc 1" {
		t.Error(got)
	}

	i.kill()
	i = startProcess(t, dir)
	if got := i.unknown(t, 13); got != "lanch 5, lunch 5, docs/instal 2, launc 1" {
		t.Errorf("after a kill: %s", got)
	}
	i.lookFor(t, "lunch", 1)
	if code := i.stop(t); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, i.log)
	}
	i = startProcess(t, dir)
	if got := i.unknown(t, 14); got != "lunch 6, lanch 5, docs/instal 2, launc 1" {
		t.Errorf("after a stop: %s", got)
	}
	i.lookFor(t, "Launc", 2)
	if got := i.unknown(t, 16); got != "lunch 6, lanch 5, Launc 2, docs/instal 2, launc 1" {
		t.Errorf("at last: %s", got)
	}
	if gone := i.do(t, "DELETE /api/urls/launch", "", authorized()); gone.StatusCode != 204 {
		t.Fatal(gone.StatusCode)
	}
	i.lookFor(t, "launch", 1)
	if got := i.unknown(t, 17); !strings.HasSuffix(got, "launc 1, launch 1") {
		t.Errorf("after a delete: %s", got)
	}
}

// Nodes count together, and one that was killed goes on with what it counted.
func TestNodesCountUnknownCodesTogether(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	env := "DATABASE_URL=" + pgtest.URL(t)
	a, b := startProcess(t, t.TempDir(), env), startProcess(t, t.TempDir(), env)
	a.lookFor(t, "lanch", 3)
	b.lookFor(t, "lanch", 2)
	b.lookFor(t, "lunch", 4)
	for _, node := range []*instance{a, b} {
		if got := node.unknown(t, 9); got != "lanch 5, lunch 4" {
			t.Error(got)
		}
	}
	b.kill()
	b = startProcess(t, b.dir, env)
	b.lookFor(t, "lunch", 2)
	a.lookFor(t, "other", 1)
	for _, node := range []*instance{a, b} {
		if got := node.unknown(t, 12); got != "lunch 6, lanch 5, other 1" {
			t.Error(got)
		}
	}
}

func TestUnknownCommand(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	i := start(t)
	today := time.Now().UTC().Format(time.DateOnly)
	if r := i.command(t, "unknown"); r.code != cli.ExitOK || r.out != "" {
		t.Errorf("nothing: %+v", r)
	}
	nobody := "Nobody asked for an unknown code on " + today + " (UTC).\n"
	if text := escapes.ReplaceAllString(i.onTerminal(t, 80, "unknown").out, ""); text != nobody {
		t.Errorf("nothing on a terminal: %q", text)
	}
	i.lookFor(t, "lanch", 3)
	i.lookFor(t, "ABCDEFGHIJ0123456789", 2)
	i.unknown(t, 5)
	for args, want := range map[string]string{
		"":                             "lanch\t3\t0\nABCDEFGHIJ0123456789\t2\t0\n",
		"--limit 1":                    "lanch\t3\t0\n",
		"--date yesterday":             "",
		"--date 7d":                    "",
		"--limit 1000 --date " + today: "lanch\t3\t0\nABCDEFGHIJ0123456789\t2\t0\n",
	} {
		r := i.command(t, append([]string{"unknown"}, strings.Fields(args)...)...)
		if r.code != cli.ExitOK || r.out != want {
			t.Errorf("%s: %+v, want %q", args, r, want)
		}
	}
	text := escapes.ReplaceAllString(i.onTerminal(t, 80, "unknown").out, "")
	if want := "lanch                 3\nABCDEFGHIJ0123456789  2\n" +
		"5 visits of unknown codes on " + today + " (UTC)\n"; text != want {
		t.Errorf("on a terminal: %q, want %q", text, want)
	}
	var unknown api.Unknown
	if err := json.Unmarshal([]byte(i.command(t, "unknown", "--json").out), &unknown); err != nil ||
		unknown.Total != 5 || unknown.Date != today {
		t.Errorf("as JSON: %v, %+v", err, unknown)
	}
	for args, want := range map[string]string{
		"--limit 0": "--limit must be 1 to 1000", "--limit 1001": "--limit must be 1 to 1000",
		"--date soon": "--date is",
	} {
		r := i.command(t, append([]string{"unknown"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
