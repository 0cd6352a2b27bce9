package terse_test

import (
	"testing"

	"terse"
)

func TestParseCountry(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"DE": "DE", "de": "DE", "dE": "DE", "AZ": "AZ", "GB": "GB", "AD": "AD", "ZW": "ZW",
		"XK": "XK", "zz": "XX", "UK": "XX", "EU": "XX", "AP": "XX", "AN": "XX", "SU": "XX",
		"T1": "XX", "XX": "XX", "AA": "XX", "QO": "XX",
		"": "XX", "D": "XX", "DEU": "XX", "D1": "XX", "1D": "XX", "@A": "XX", "[A": "XX",
		"{a": "XX", "ä": "XX", "  ": "XX", "\x00\x00": "XX",
	} {
		if got := terse.ParseCountry(in); got.String() != want {
			t.Errorf("ParseCountry(%q) = %s, want %s", in, got, want)
		}
	}
}
