package useragent

import (
	"slices"
	"testing"
)

func TestBrowsers(t *testing.T) {
	t.Parallel()
	all := Browsers()
	// A place must fit into a byte, with room for what a format keeps beside it.
	if all[0] != Other || len(all) > 200 {
		t.Errorf("%d browsers, the first is %s", len(all), all[0])
	}
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != len(names) {
		t.Errorf("%d different names of %d", n, len(names))
	}
	for family, name := range nameOf {
		if !slices.Contains(names, name) {
			t.Errorf("%s is called %s, which is no name", family, name)
		}
	}
}

// The places of names are kept: they may not move.
func TestPlacesOfBrowsers(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]int{
		Other: 0, "Chrome": 1, "Safari": 2, "Samsung Internet": 5, "Instagram": 15, "Weibo": 35,
		"MIUI Browser": 51, "Whale": 68, "Midori": 99,
	} {
		if got := slices.Index(names, name); got != place {
			t.Errorf("%s is at %d, not at %d any more", name, got, place)
		}
	}
}

// What a visitor invents is no browser, whatever the rules make of it.
func TestNobodyInventsBrowsers(t *testing.T) {
	t.Parallel()
	p := New()
	for _, agent := range []string{
		"MyOwnBrowser/1.0", "MyOwn-iPhone/1.0 CFNetwork/1.0", "MyOwn/1.0 CFNetwork/1.0 Darwin/1",
		"Collector-Android-1.0",
	} {
		if f, ok := p.Recognize([]byte(agent)); !ok || f.Browser != Other {
			t.Errorf("%s: %+v", agent, f)
		}
	}
}
