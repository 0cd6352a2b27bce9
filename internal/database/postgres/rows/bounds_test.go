package rows

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSet compares sets with lists of what was added, at both ends of the numbers.
func TestSet(t *testing.T) {
	ends := []int64{
		math.MinInt64, math.MinInt64 + 1, -1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 12,
		math.MaxInt64 - 1, math.MaxInt64,
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var s set
		has := map[int64]bool{} // those of ends; numbers between two of them are in if both are
		for range rng.IntN(8) {
			i := rng.IntN(len(ends))
			k := min(i+rng.IntN(4), len(ends)-1)
			s.add(bounds{ends[i], ends[k]})
			for _, n := range ends[i : k+1] {
				has[n] = true
			}
		}
		for i, b := range s {
			if b.from > b.to || i > 0 && (s[i-1].to >= b.from || s[i-1].to+1 == b.from) {
				t.Fatalf("%v is not sorted, or not merged", s)
			}
		}
		for i, from := range ends {
			if is := s.has(bounds{from, from}); is != has[from] {
				t.Fatalf("%v has %d: %t", s, from, is)
			}
			some := false
			for _, to := range ends[i:] {
				some = some || has[to]
				if s.overlaps(bounds{from, to}) != some {
					t.Fatalf("%v overlaps %d to %d: %t", s, from, to, !some)
				}
			}
		}
	}
}
