package clickstore

import (
	"math/rand/v2"
	"testing"
)

func TestTotals(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var want, got totals
		for i := range want.clicks {
			if rng.IntN(3) == 0 {
				continue
			}
			want.eras[i] = uint32(rng.IntN(3))
			if want.clicks[i] = rng.Int64N(1 << rng.IntN(40)); want.clicks[i] > 0 {
				want.people[i] = rng.Int64N(want.clicks[i] + 1)
				want.last[i] = rng.Int64N(1<<52) - 1<<51
			}
		}
		row := want.append(nil)
		if err := got.parse(row); err != nil || got != want {
			t.Fatalf("%d bytes, error %v", len(row), err)
		}
	}
}

func FuzzTotals(f *testing.F) {
	t := totals{}
	t.clicks[3], t.last[3], t.eras[255] = 7, -1, 1
	f.Add(t.append(nil))
	f.Fuzz(func(t *testing.T, row []byte) {
		var got, again totals
		if got.parse(row) != nil {
			return
		}
		if err := again.parse(got.append(nil)); err != nil || again != got {
			t.Errorf("%v", err)
		}
	})
}
