package ranges

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPack(t *testing.T) {
	t.Parallel()
	for range 100 {
		var want, got [size]int64
		for i := range rand.IntN(size + 1) {
			want[i] = rand.Int64() >> rand.IntN(64)
		}
		got[size-1] = 7 // left over
		packed := pack(&want)
		if err := unpack(packed, &got); err != nil || got != want {
			t.Fatalf("%v: unpacked %v, %v", want, got, err)
		}
	}
	var clicks [size]int64
	for _, damaged := range [][]byte{{0x80}, make([]byte, size+1)} {
		if err := unpack(damaged, &clicks); err == nil {
			t.Errorf("unpacked %v", damaged)
		}
	}
}

// TestDivide wants the parts of a span to have all links of ranges that are not whole.
func TestDivide(t *testing.T) {
	t.Parallel()
	for range 1000 {
		var owned []Range
		made := map[int64][2]int64{}
		for i := range int64(rand.IntN(8)) {
			first := rand.Int64N(100)
			owned = append(owned, Range{i, fewLinks / 2, first, first + rand.Int64N(20)})
			made[i] = [2]int64{owned[i].First, owned[i].Last}
		}
		from, to := rand.Int64N(120), rand.Int64N(120)
		if rand.IntN(4) == 0 {
			from, to = math.MinInt64, math.MaxInt64
		}
		whole, spans := Divide(owned, from, to)
		for _, r := range whole {
			if r.First < from || to < r.Last {
				t.Fatalf("%+v is whole in %d to %d", r, from, to)
			}
			delete(made, r.Number)
		}
		for _, m := range made {
			for _, at := range m {
				found := 0
				for _, s := range spans {
					if s.From <= at && at <= s.To {
						found++
					}
				}
				if want := from <= at && at <= to; found > 1 || want != (found == 1) {
					t.Fatalf("%v in %d to %d: %d is found %d times in %v", owned, from, to, at,
						found, spans)
				}
			}
		}
	}
}
