package sheet_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"

	"terse/internal/move/sheet"
)

func TestWriter(t *testing.T) {
	t.Parallel()
	cells := []string{
		"", "a", "=1+1", "+1", "-1", "@a", "\ta", "'", "'=1", "''", "it's", `a "b", c`, "a\nb", "ü",
	}
	for _, test := range []struct {
		reversible bool
		want       string
	}{
		{false, ",a,'=1+1,'+1,'-1,'@a,'\ta,','=1,'',it's,\"a \"\"b\"\", c\",\"a\r\nb\",ü\r\n"},
		{true, ",a,'=1+1,'+1,'-1,'@a,'\ta,'',''=1,''',it's,\"a \"\"b\"\", c\",\"a\r\nb\",ü\r\n"},
	} {
		var text bytes.Buffer
		w := sheet.NewWriter(&text, test.reversible)
		if err := w.Write(slices.Clone(cells)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil || text.String() != test.want {
			t.Errorf("reversible %t: %q, %v; want %q", test.reversible, &text, err, test.want)
		}
		if !test.reversible {
			continue
		}
		row, err := csv.NewReader(&text).Read()
		if err != nil {
			t.Fatal(err)
		}
		for i, cell := range row {
			if got := sheet.Plain(cell); got != cells[i] {
				t.Errorf("cell %q became %q", cells[i], got)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{"'": "'", "'tis": "'tis", "'=1": "=1", "=1": "=1"} {
		if got := sheet.Plain(cell); got != want {
			t.Errorf("%q became %q, want %q", cell, got, want)
		}
	}
}
