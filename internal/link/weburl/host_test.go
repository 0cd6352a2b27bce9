package weburl_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terse/internal/link/weburl"
)

// lookedUp are hosts that can be looked up: what browsers open beyond them leads nowhere.
var lookedUp = regexp.MustCompile(`^(\[.*\]|([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?)$`)

// fakes are hosts that parsers let through although the standard does not: they only look like
// punycode (UTS 46, section 4).
var fakes = []string{"xn--a-", "xn--example-.com"}

// Hosts are those that parsers of the standard find, and that all of them open: each passes over
// some of its rules. testdata/hosts.mjs asked them.
func TestHosts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/hosts.json")
	if err != nil {
		t.Fatal(err)
	}
	var hosts [][]*string
	if err := json.Unmarshal(text, &hosts); err != nil {
		t.Fatal(err)
	}
	if len(hosts) < 100 {
		t.Fatalf("%d hosts", len(hosts))
	}
	for _, row := range hosts {
		host, all := *row[0], row[1:]
		opened := !slices.Contains(all, nil) && lookedUp.MatchString(*all[0]) &&
			!slices.Contains(fakes, host)
		got, ok := weburl.Host(host)
		switch {
		case !opened && ok:
			t.Errorf("Host(%q) = %q, but not every browser opens it", host, got)
		case opened && (!ok || got != *all[0] && got != *all[1]):
			t.Errorf("Host(%q) = %q, %v, browsers have %q and %q", host, got, ok, *all[0], *all[1])
		}
	}
	long := strings.Repeat("a", 63)
	for host, want := range map[string]bool{
		long + ".example": true, long + "a.example": false,
		strings.Repeat(long+".", 3) + long[2:]: true,
		strings.Repeat(long+".", 3) + long[1:]: false, strings.Repeat("日", 40): true,
		strings.Repeat("ü", 70): false,
	} {
		if got, ok := weburl.Host(host); ok != want {
			t.Errorf("Host(%q) = %q, %v", host, got, ok)
		}
	}
}
