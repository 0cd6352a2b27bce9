package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"terse/internal/cli"
)

// Visits from UNTRACKED_ADDRESSES are redirected and are no clicks, on the fast path and in
// net/http, by the address that limits use.
func TestUntrackedAddresses(t *testing.T) {
	t.Parallel()
	env := []string{
		"TRUSTED_PROXIES=127.0.0.1", "UNTRACKED_ADDRESSES=192.0.2.7, 203.0.113.130/25," +
			"::ffff:198.51.100.0/120,2001:db8::/32,2001:db9::1",
	}
	onEachStore(t, func(t *testing.T, i *instance) {
		code := i.shorten(t, "https://example.com/")
		clicks := 0
		for _, test := range []struct {
			address string
			own     bool
		}{
			{"192.0.2.7", true},
			{"::ffff:192.0.2.7", true},
			{"192.0.2.6", false},
			{"192.0.2.8", false},
			{"203.0.113.128", true},
			{"203.0.113.255", true},
			{"203.0.113.127", false},
			{"198.51.100.255", true},
			{"198.51.101.0", false},
			{"2001:db8:ffff::1", true},
			{"2001:db9::1", true},
			{"2001:db9::2", false},
			{"192.0.2.7, 192.0.2.6", false}, // the last hop is the client
			{"192.0.2.6, 192.0.2.7", true},
			{"", false}, // the proxy itself
		} {
			for _, body := range []string{"", "one for net/http"} {
				a := i.do(t, "GET /"+code, body, firefox, "X-Forwarded-For: "+test.address)
				if a.StatusCode != 302 || a.Header.Get("Location") != "https://example.com/" {
					t.Errorf("%s: %d %v", test.address, a.StatusCode, a.Header)
				}
				if !test.own {
					clicks++
				}
			}
			i.drain(t)
			got := i.do(t, "GET /api/urls/"+code+"/clicks", "", authorized())
			want := fmt.Sprintf(`"total_clicks":%d,`, clicks)
			if !strings.Contains(got.body, want) {
				t.Errorf("after %q: %s, want %s", test.address, got.body, want)
			}
		}
		if n := i.metric(t, "terse_clicks_recorded_total"); n != float64(clicks) {
			t.Errorf("%v clicks in the journal, want %d", n, clicks)
		}
	}, env...)
}

// Whoever is no trusted proxy can't say that a visit is one's own, and nobody else's visits are
// left out with it.
func TestUntrackedAddressesOfStrangers(t *testing.T) {
	t.Parallel()
	i := start(t, "UNTRACKED_ADDRESSES=192.0.2.7")
	code := i.shorten(t, "https://example.com/")
	i.goTo(t, "GET /"+code, "", firefox, "X-Forwarded-For: 192.0.2.7")
	if stats := i.clicks(t, code, 1); stats.TotalClicks != 1 {
		t.Errorf("%+v", stats)
	}
}

// One's own visits take from max_clicks, follow rules and need the password like anybody's.
func TestUntrackedAddressesAreServedLikeOthers(t *testing.T) {
	t.Parallel()
	i := start(t, "UNTRACKED_ADDRESSES=127.0.0.1")
	i.makeLink(t, "several", "https://example.com/", `"max_clicks":2,"rules":[{"name":"local",
		"when":{"address":["127.0.0.1"]},"url":"https://local.example/"}]`)
	i.makeLink(t, "locked", "https://example.com/", `"password":"secret"`)
	for _, test := range []struct {
		request, body string
		status        int
		location      string
	}{
		{"GET /several", "", 302, "https://local.example/"},
		{"GET /several", "", 302, "https://local.example/"},
		{"GET /several", "", 410, ""},
		{"POST /locked", "password=wrong", 403, ""},
		{"POST /locked", "password=secret", 303, "https://example.com/"},
	} {
		a := i.goTo(t, test.request, test.body, firefox)
		if a.StatusCode != test.status || a.Header.Get("Location") != test.location {
			t.Errorf("%s: %d %v", test.request, a.StatusCode, a.Header)
		}
	}
	i.drain(t)
	for _, code := range []string{"several", "locked"} {
		got := i.do(t, "GET /api/urls/"+code+"/clicks?visitors=true", "", authorized())
		if !strings.Contains(got.body, `"total_clicks":0,"visitors":0,`) {
			t.Errorf("%s: %s", code, got.body)
		}
	}
	got := i.do(t, "GET /api/urls/several", "", authorized())
	if !strings.Contains(got.body, `"clicks_left":0`) {
		t.Error(got.body)
	}
	if n := i.metric(t, "terse_clicks_recorded_total"); n != 0 {
		t.Errorf("%v clicks in the journal", n)
	}
}

// separateBlocks returns n blocks that can't be merged, separated by commas.
func separateBlocks(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("10.%d.%d.0/25", i>>8, i&0xFF))
	}
	return strings.Join(list, ",")
}

func TestManyUntrackedAddresses(t *testing.T) {
	t.Parallel()
	i := start(t, "TRUSTED_PROXIES=127.0.0.1", "UNTRACKED_ADDRESSES="+separateBlocks(maxBlocks))
	code := i.shorten(t, "https://example.com/")
	for n := 0; n < maxBlocks; n += 37 {
		i.do(t, "GET /"+code, "", fmt.Sprintf("X-Forwarded-For: 10.%d.%d.127", n>>8, n&0xFF))
	}
	i.do(t, "GET /"+code, "", "X-Forwarded-For: 10.0.0.128")
	i.drain(t)
	if stats := i.clicks(t, code, 1); stats.TotalClicks != 1 {
		t.Errorf("%+v", stats)
	}
}

func TestBadUntrackedAddresses(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"10.0.0.0/33": `UNTRACKED_ADDRESSES is "10.0.0.0/33"; it must be addresses or CIDR ` +
			"blocks, separated by commas",
		"192.0.2.7,office": `UNTRACKED_ADDRESSES is "office"; it must be addresses or CIDR ` +
			"blocks, separated by commas",
		"::ffff:0:0/95": `UNTRACKED_ADDRESSES is "::ffff:0:0/95"; it must be an IPv4 block such ` +
			"as 10.0.0.0/8, or at least 96 bits long when it is mapped to IPv6",
		separateBlocks(maxBlocks + 1): "UNTRACKED_ADDRESSES has 1001 blocks; it must have at " +
			"most 1000",
	} {
		var told bytes.Buffer
		code := run(t.Context(), []string{"serve"},
			environFor(t.TempDir(), []string{"UNTRACKED_ADDRESSES=" + value}), nil, io.Discard,
			&told)
		if code != cli.ExitSettings || strings.Count(told.String(), "\n") != 1 ||
			!strings.Contains(told.String(), want) {
			t.Errorf("%.40s: %d\n%s", value, code, &told)
		}
	}
}
