package importer

import (
	"fmt"
	"strings"
	"testing"

	"terse"
	"terse/internal/link/hosts"
	"terse/internal/link/manage"
)

// A dry run remembers what it would have created within a bound, also of long URLs.
func TestPlannedIsBounded(t *testing.T) {
	t.Parallel()
	j := &job{
		importer: &Importer{Options: Options{Manager: manage.New(manage.Options{
			Hosts: hosts.New(hosts.Options{}),
		})}},
		planned: map[string]terse.Link{},
	}
	url := terse.URL("https://e.example/" + strings.Repeat("x", 1<<20))
	for n := range 2 * maxPlanned >> 20 {
		code, err := terse.ParseCode(fmt.Sprintf("code-%d", n))
		if err != nil {
			t.Fatal(err)
		}
		o := &outcome{task: &task{}, link: terse.Link{
			Code: code, URL: url, Options: terse.EncodedOptions(`{"note":"long"}`),
		}}
		j.plan(o)
		j.plan(o) // it is met again
	}
	bytes := 0
	for key, link := range j.planned {
		bytes += len(key) + len(link.URL) + len(link.Options)
	}
	// The key of the URL, which all have, holds it once more.
	if want := maxPlanned>>20 - 2; bytes > maxPlanned || len(j.planned) < want {
		t.Errorf("%d links of %d bytes, want at least %d", len(j.planned), bytes, want)
	}
}
