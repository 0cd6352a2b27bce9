package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terse/internal/tests/pgtest"
)

var visitorsField = regexp.MustCompile(`"visitors":\d+`)

// visitors returns how many a link has had, as its answers say.
func (i *instance) visitors(t *testing.T, code string) string {
	t.Helper()
	got := i.do(t, "GET /api/urls/"+code+"/clicks?visitors=true", "", authorized())
	found := visitorsField.FindAllString(got.body, -1)
	if len(found) == 0 {
		t.Fatalf("no visitors in %s", got.body)
	}
	if !strings.HasSuffix(strings.Split(got.body, found[0])[0], `"total_clicks":8,`) {
		t.Errorf("visitors are at another place, or there are not 8 clicks: %s", got.body)
	}
	return strings.Join(slices.Compact(found), " ")
}

const firefox = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// comeBy visits a link as six browsers, two of them twice, and others who are no visitors.
func (i *instance) comeBy(t *testing.T, code string) {
	t.Helper()
	for _, who := range [][]string{
		{firefox},
		{firefox, "X-Forwarded-For: 192.0.2.1"},
		{firefox, "X-Forwarded-For: 2001:db8:0:1::1"},
		{firefox, "X-Forwarded-For: 2001:db8:0:1::2"},
		{firefox, "Sec-GPC: 1"},
		{firefox, "DNT: 1"},
		{"User-Agent: Googlebot/2.1"},
		{strings.Replace(firefox, "145", "144", 2)},
	} {
		i.do(t, "GET /"+code, "", who...)
	}
}

// A link that gets another code has the same visitors.
func TestVisitorsOfAChangedCode(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	onEachStore(t, func(t *testing.T, i *instance) {
		i.shortenAs(t, "before", "https://example.com/")
		i.do(t, "GET /before", "", firefox)
		if got := i.do(t, "PATCH /api/urls/before", `{"short_code": "after"}`,
			authorized()); got.StatusCode != 200 {
			t.Fatal(got.StatusCode, got.body)
		}
		i.do(t, "GET /before", "", firefox)
		i.do(t, "GET /after", "", firefox)
		i.drain(t)
		got := i.do(t, "GET /api/urls/after/clicks?visitors=true", "", authorized())
		if !strings.Contains(got.body, `"total_clicks":3,"visitors":1,`) {
			t.Error(got.body)
		}
	})
}

// Visitors are counted once a day, also after the server was killed, and by what tracks them only.
func TestVisitors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"TRUSTED_PROXIES=127.0.0.1,::1"}
	i := startProcess(t, dir, env...)
	code := i.shorten(t, "https://example.com/")
	i.comeBy(t, code)
	i.kill()
	i = startProcess(t, dir, env...)
	i.drain(t)
	if got := i.visitors(t, code); got != `"visitors":4` {
		t.Error(got)
	}
	again := i.shorten(t, "https://example.com/")
	i.comeBy(t, again)
	i.drain(t)
	for _, code := range []string{code, again} {
		if got := i.visitors(t, code); got != `"visitors":4` {
			t.Error(got)
		}
	}
	overview := i.do(t, "GET /api/overview?visitors=true", "", authorized())
	if !strings.Contains(overview.body, `"total_clicks":16,"visitors":8,`) {
		t.Error(overview.body)
	}
	if got := i.command(t, "stats", again, "--visitors"); !strings.Contains(got.out,
		"7 clicks, 4 visitors\n") {
		t.Errorf("%q, %q", got.out, got.err)
	}
	i.stop(t)
}

// Three nodes have one key: who visits all of them is one visitor.
func TestVisitorsOfNodes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var nodes []*instance
	for range 3 {
		nodes = append(nodes, start(t, "DATABASE_URL="+url, "TRUSTED_PROXIES=127.0.0.1,::1"))
	}
	var codes []string
	for n := range 4 {
		codes = append(codes, nodes[n%3].shorten(t, fmt.Sprint("https://example.com/", n)))
	}
	for n, code := range codes {
		for visit := range 8 {
			nodes[(n+visit)%3].do(t, "GET /"+code, "", firefox,
				fmt.Sprint("X-Forwarded-For: 192.0.2.", visit%3))
		}
	}
	for _, node := range nodes {
		node.drain(t)
	}
	for n, code := range codes {
		if got := nodes[(n+1)%3].visitors(t, code); got != `"visitors":3` {
			t.Error(got)
		}
	}
}
