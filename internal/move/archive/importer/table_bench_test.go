package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"terse/internal/move/archive/importer"
)

// BenchmarkTable reads the rows of a table, without a store.
func BenchmarkTable(b *testing.B) {
	i := newImporter(b, nil, nil)
	var text strings.Builder
	text.WriteString("Short link,Destination URL,Title,Tags,Created at,Clicks\n")
	for n := range b.N {
		fmt.Fprintf(&text, "https://go.example/c%d,https://example.com/some/page/%d,"+
			"Page number %d,\"shop, a%d\",2026-01-%02d 09:30:%02d,%d\n", n, n, n, n%50, 1+n%28,
			n%60, n%3)
	}
	body, err := i.Receive(b.Context(), strings.NewReader(text.String()), "")
	if err != nil {
		b.Fatal(err)
	}
	defer body.Close()
	b.ReportAllocs()
	b.ResetTimer()
	r := importer.Request{Format: "csv", Guess: true}
	if err := i.Check(b.Context(), body, r); err != nil {
		b.Fatal(err)
	}
}
