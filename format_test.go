package terse_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"terse"
	"terse/internal/tests/doctest"
)

const formats = "docs/format/README.md"

// The document of the formats lists the dimensions as they are.
func TestFormatHasAllDimensions(t *testing.T) {
	t.Parallel()
	rows := doctest.Table(t, formats, "## Dimensions")
	if len(rows) != int(terse.NumDimensions) {
		t.Fatalf("%d rows for %d dimensions", len(rows), terse.NumDimensions)
	}
	for d := range terse.NumDimensions {
		stored := "yes"
		if _, derived := d.From(); derived {
			stored = "no"
		}
		want := fmt.Sprintln(d.ID(), d, d.Unknown(), d.MaxBytes(), d.MaxValues(), stored)
		got := strings.ReplaceAll(strings.Join(rows[d], " ")+"\n", ",", "")
		if got != want {
			t.Errorf("listed as %q, want %q", got, want)
		}
	}
}

// The document's examples of numbers are what encoding/binary makes of them.
func TestFormatOfNumbers(t *testing.T) {
	t.Parallel()
	for _, row := range doctest.Table(t, formats, "## Numbers") {
		n := doctest.Number(t, row[0])
		unsigned := ""
		if n >= 0 {
			unsigned = fmt.Sprintf("% x", binary.AppendUvarint(nil, uint64(n)))
		}
		if signed := fmt.Sprintf("% x", binary.AppendVarint(nil, n)); row[1] != unsigned ||
			row[2] != signed {
			t.Errorf("%d is %q and %q, want %q and %q", n, row[1], row[2], unsigned, signed)
		}
	}
}
