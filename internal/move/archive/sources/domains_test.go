package sources_test

import (
	"fmt"
	"slices"
	"testing"

	"terse/internal/move/archive/sources"
)

// A host is known in any spelling, and with any port.
func TestDomainsOfHosts(t *testing.T) {
	t.Parallel()
	d := &sources.Domains{
		Served: map[string]string{
			"s.example": "", "go.example": "go.example", "xn--mnchen-3ya.example": "m",
		},
		Moved: map[string]string{
			"old.example": "go.example", "old.example:8443": "", "": "s2.example", "x.example": "",
		},
	}
	for host, want := range map[string]string{
		"s.example": "", "S.Example.": "", "s.example:8080": "", "go.example": "go.example",
		"GO.example:1": "go.example", "münchen.example": "m", "Old.example": "go.example",
		"old.example:8443": "", "old.example:80": "go.example", "": "s2.example",
		"two.example": " strange", "not a host": " strange", "https://go.example": " strange",
		"[::1]:8080": " strange", "www.go.example": " strange",
	} {
		for range 2 { // the second time from memory
			on, strange := d.Of(host)
			if strange {
				on += " strange"
			}
			if on != want {
				t.Errorf("%q is on %q, want %q", host, on, want)
			}
		}
	}
	if unmet := d.Unmet(); !slices.Equal(unmet, []string{"x.example"}) {
		t.Errorf("no link is at %q", unmet)
	}
	for i := range 2000 { // more than are remembered
		if on, strange := d.Of(fmt.Sprintf("%d.example", i)); on != "" || !strange {
			t.Fatalf("%d.example is on %q, %v", i, on, strange)
		}
	}
	var none *sources.Domains
	one := &sources.Domains{Served: map[string]string{"s.example": ""}}
	for _, d := range []*sources.Domains{none, one, {}} {
		if on, strange := d.Of("two.example"); on != "" || strange {
			t.Errorf("one domain: %q, %v", on, strange)
		}
	}
}
