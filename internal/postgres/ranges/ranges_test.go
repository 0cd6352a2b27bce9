package ranges

import (
	"math"
	"math/rand/v2"
	"slices"
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
		most, err := unpack(packed, &got)
		if err != nil || got != want || most != slices.Max(want[:]) {
			t.Fatalf("%v: unpacked %v, most %d, %v", want, got, most, err)
		}
	}
	var clicks [size]int64
	for _, damaged := range [][]byte{{0x80}, make([]byte, size+1)} {
		if _, err := unpack(damaged, &clicks); err == nil {
			t.Errorf("unpacked %v", damaged)
		}
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	ids := []int64{1, 63, 64, 1023, 1024, 5000, 5001}
	s := SetOf(ids)
	if got := slices.Sorted(slices.Values(s.IDs())); !slices.Equal(got, ids) || s.Count() != 7 {
		t.Errorf("%v, %d of them, want %v", got, s.Count(), ids)
	}
	t2 := Set{}
	t2.AddRange(0, 63)
	t2.AddRange(4, 5000)
	both := slices.Sorted(slices.Values(s.And(t2).IDs()))
	if want := []int64{1, 63, 5000}; !slices.Equal(both, want) {
		t.Errorf("in both sets: %v, want %v", both, want)
	}
	if n := t2.AddFrom(s, map[int64]bool{0: true}); n != 4 || t2.Count() != 64+2+905 {
		t.Errorf("%d added, %d then", n, t2.Count())
	}
}

// TestTop compares the links that come first with all that are sorted.
func TestTop(t *testing.T) {
	t.Parallel()
	var clicks [size]int64
	links := &Words{}
	var all []Clicks
	for i := range clicks {
		clicks[i] = int64(rand.IntN(20))
		if rand.IntN(3) > 0 {
			links.toggle(int64(i))
			all = append(all, Clicks{3<<rangeBits + int64(i), clicks[i]})
		}
	}
	slices.SortFunc(all, func(c, d Clicks) int {
		if c.before(d) {
			return -1
		}
		return 1
	})
	for _, most := range []int{1, 10, 300, 2000} {
		found := top{after: all[50], most: most}
		found.add(3, links, &clicks, 19)
		found.cut()
		if want := all[51:min(51+most, len(all))]; !slices.Equal(found.links, want) {
			t.Errorf("the first %d: %v, want %v", most, found.links, want)
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
		whole, partly, spans := Divide(owned, from, to)
		for _, r := range whole {
			if r.First < from || to < r.Last || partly[r.Number] {
				t.Fatalf("%+v is whole in %d to %d", r, from, to)
			}
			delete(made, r.Number)
		}
		for number, m := range made {
			for _, at := range m {
				found := 0
				for _, s := range spans {
					if partly[number] && s.From <= at && at <= s.To {
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
