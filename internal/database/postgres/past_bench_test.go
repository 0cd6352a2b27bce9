package postgres_test

import (
	"testing"

	"terse/internal/database/storetest"
)

// BenchmarkPastDays imports ten years of the dropped days of a link, each time of another one. The
// floor is 10 s.
func BenchmarkPastDays(b *testing.B) {
	_, s := openSeeded(b, 1000)
	for i := 1; b.Loop(); i++ {
		link, err := s.Link(b.Context(), storetest.SeededCode(b, i))
		must(b, err)
		storetest.AddPast(b, s, storetest.PastDays(link.Ref(), 3650))
	}
}
