package terse_test

import (
	"strings"
	"testing"

	"terse"
)

func TestShareHasOneSpelling(t *testing.T) {
	t.Parallel()
	share := terse.NewShare()
	text := share.String()
	if got, ok := terse.ParseShare(text); !ok || got != share {
		t.Errorf("ParseShare(%q) = %v, %v", text, got, ok)
	}
	if len(text) != 22 || share == terse.NewShare() {
		t.Errorf("%q is no share of its own", text)
	}
	const zeros = "AAAAAAAAAAAAAAAAAAAAAA"
	if got, ok := terse.ParseShare(zeros); !ok || got != (terse.Share{}) {
		t.Errorf("ParseShare(%q) = %v, %v", zeros, got, ok)
	}
	for _, other := range []string{
		"", "A", zeros[:21], zeros + "A", zeros + "==", zeros[:21] + "B", zeros[:20] + "\r\n",
		zeros[:21] + "\n", zeros[:21] + "=", strings.Repeat("/", 22), strings.Repeat("ä", 11),
	} {
		if got, ok := terse.ParseShare(other); ok {
			t.Errorf("ParseShare(%q) = %v", other, got)
		}
	}
}
