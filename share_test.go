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
	if got, ok := terse.ParseShare(zeros); !ok || got != terse.Share(make([]byte, 16)) {
		t.Errorf("ParseShare(%q) = %v, %v", zeros, got, ok)
	}
	for _, other := range []string{
		"", "A", zeros[:21], zeros + "==", zeros[:20] + "\r\n", zeros[:21] + "\n",
		zeros[:21] + "=", strings.Repeat("/", 22), strings.Repeat("ä", 11), zeros + "\n",
		zeros + " " + zeros, strings.Repeat("A", 65),
	} {
		if got, ok := terse.ParseShare(other); ok {
			t.Errorf("ParseShare(%q) = %v", other, got)
		}
	}
}

// Shares that others made have between 22 and 64 characters, and are no other share.
func TestForeignShare(t *testing.T) {
	t.Parallel()
	hashes := map[[32]byte]string{}
	for _, text := range []string{
		strings.Repeat("A", 21) + "B", strings.Repeat("A", 22), strings.Repeat("A", 23),
		strings.Repeat("A", 24), strings.Repeat("-", 63), strings.Repeat("_", 64),
	} {
		share, ok := terse.ParseShare(text)
		if !ok || share.String() != text || share.IsOwn() != (text == strings.Repeat("A", 22)) {
			t.Errorf("ParseShare(%q) = %v, %v", text, share, ok)
		}
		if other, taken := hashes[share.Hash()]; taken {
			t.Errorf("%s and %s are one share", text, other)
		}
		hashes[share.Hash()] = text
	}
}
