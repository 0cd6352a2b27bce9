package moving

import (
	"slices"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/move/archive"
)

// A part knows which lines of the source its own are, and keeps little for that, also if one line
// of the source has become many.
func TestSourceLines(t *testing.T) {
	t.Parallel()
	sources := []int64{2, 3, 3, 3, 3, 4, 5, 9, 9, 10, 2, 2}
	var whole Part
	for _, half := range [][]int64{sources[:5], sources[5:]} {
		var part Part
		for _, source := range half {
			if err := part.add(source, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if err := whole.take(&part); err != nil {
			t.Fatal(err)
		}
	}
	var got []int64
	for n := range whole.Lines() {
		got = append(got, whole.sourceLine(n+1))
	}
	if !slices.Equal(got, sources) || len(whole.jumps) > 9 {
		t.Errorf("%v by %v, want %v", got, whole.jumps, sources)
	}
	var many Part
	for range 1000 {
		if err := many.add(7, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(many.jumps) != 2 || many.sourceLine(1000) != 7 {
		t.Errorf("1,000 lines of one: %v", many.jumps)
	}
}

// A dry run sends what a row leads to along with it: the link on the row's own domain.
func TestTargetsOnDomains(t *testing.T) {
	t.Parallel()
	const text = `{"type":"link","part":true,"short_code":"one","domain":"Go.example"}
{"type":"link","short_code":"two"}
{"type":"link","short_code":"two","domain":"go.example"}
{"type":"link","short_code":"TWO","domain":"s2.example"}
`
	rows := map[int64]laterRow{1: {"Two", api.ImportResult{Line: 1, Domain: "go.example"}}}
	err := resendWithTargets(archive.NewReader(strings.NewReader(text)), rows,
		func(part *Part) error {
			if got := strings.Count(string(part.text), "\n"); got != 2 ||
				!strings.Contains(string(part.text), `"two","domain":"go.example"`) {
				t.Errorf("sent %s", part.text)
			}
			return nil
		})
	if err != nil {
		t.Error(err)
	}
}
