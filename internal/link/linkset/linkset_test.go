package linkset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSet compares sets with sorted slices.
func TestSet(t *testing.T) {
	t.Parallel()
	some := func() (ids []int64) {
		for id := range int64(4 * RangeSize) {
			if id>>8%3 != 1 && rand.IntN(50) == 0 {
				ids = append(ids, id)
			}
		}
		return ids
	}
	for range 50 {
		a, b := some(), some()
		shuffled := slices.Clone(a)
		rand.Shuffle(len(a), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		s, u := Of(shuffled), Of(slices.Clone(b))
		var both, rest, inRange []int64
		for _, id := range a {
			if _, found := slices.BinarySearch(b, id); found {
				both = append(both, id)
			} else {
				rest = append(rest, id)
			}
			if id>>RangeBits == 1 {
				inRange = append(inRange, id)
			}
			if !s.Has(id) || s.Has(id+1) && !slices.Contains(a, id+1) {
				t.Fatalf("%d: %v has %d, and %v the next", id, a, id, s.Has(id+1))
			}
		}
		all := append(slices.Clone(rest), b...)
		slices.Sort(all)
		for name, c := range map[string]struct {
			got  Set
			want []int64
		}{
			"all": {s, a}, "and": {s.And(u), both}, "without": {s.Without(u), rest},
			"or": {s.Or(u), all}, "without none": {s.Without(nil), a}, "or none": {s.Or(nil), a},
			"range": {s.InRange(1), inRange}, "in range": {s.And(OfRange(1)), inRange},
		} {
			got := c.got.IDs()
			if !slices.Equal(got, c.want) || int(c.got.Count()) != len(c.want) {
				t.Fatalf("%s of %v and %v: %v, want %v", name, a, b, got, c.want)
			}
		}
	}
}

// TestMostClicked compares the links with the most clicks with a sort of all links.
func TestMostClicked(t *testing.T) {
	t.Parallel()
	const size = 256
	clicks := map[int64][]int64{}
	var of Set
	var all []Ranked
	for number := range int64(20) {
		if rand.IntN(2) == 0 {
			clicks[number] = make([]int64, size)
		}
		for i := range clicks[number] {
			clicks[number][i] = max(0, rand.Int64N(40)-10)
		}
		for id := number * size; id < (number+1)*size; id++ {
			if rand.IntN(3) > 0 && number%7 != 2 {
				r := Ranked{ID: id}
				if clicks[number] != nil {
					r.Key = clicks[number][id%size]
				}
				of, all = of.With(id), append(all, r)
			}
		}
	}
	slices.SortFunc(all, byClicks)
	totals := func(f func(int64, []int64)) error {
		for number := int64(19); number >= 0; number-- {
			if clicks[number] != nil {
				f(number*size, clicks[number])
			}
		}
		return nil
	}
	with := func(clicks int64) (some Set) {
		for _, r := range slices.Backward(all) {
			if r.Key == clicks {
				some = some.With(r.ID)
			}
		}
		return some
	}
	for _, most := range []int{1, 2, 10, 300, 20_000} {
		for _, bound := range []int64{math.MaxInt64, 100, 29, 17, 1, 0} {
			want := MostClicked{Bound: with(bound)}
			for _, r := range all {
				if r.Key < bound {
					want.Links = append(want.Links, r)
				}
			}
			if len(want.Links) >= most {
				want.Clicks = want.Links[most-1].Key
				want.Links = slices.DeleteFunc(want.Links,
					func(r Ranked) bool { return r.Key <= want.Clicks })
				want.Equal = with(want.Clicks)
			}
			got, err := of.MostClicked(bound, most, totals)
			if err != nil || !slices.Equal(got.Links, want.Links) || got.Clicks != want.Clicks ||
				!slices.Equal(got.Equal, want.Equal) || !slices.Equal(got.Bound, want.Bound) {
				t.Errorf("%d below %d: %v, want %v", most, bound, got, want)
			}
		}
	}
	if got, err := (Set{}).MostClicked(5, 10, totals); len(got.Links) > 0 || err != nil {
		t.Errorf("found %v in no links, %v", got, err)
	}
}
