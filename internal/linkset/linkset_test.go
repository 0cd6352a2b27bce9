package linkset

import (
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

// TestMostClicked compares the first links with a sort of all links.
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
			clicks[number][i] = int64(rand.IntN(20))
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
	slices.SortFunc(all, func(r, s Ranked) int {
		if r.Before(s) {
			return -1
		}
		return 1
	})
	totals := func(f func(int64, []int64)) error {
		for number := int64(19); number >= 0; number-- {
			if clicks[number] != nil {
				f(number*size, clicks[number])
			}
		}
		return nil
	}
	for _, most := range []int{1, 10, 300, 20_000} {
		for _, after := range []int{0, 50, len(all) - 20} {
			found, err := of.MostClicked(all[after], most, totals)
			want := all[after+1 : min(after+1+most, len(all))]
			if err != nil || !slices.Equal(found, want) {
				t.Errorf("%d after the first %d: %v, want %v", most, after, found, want)
			}
		}
	}
	if found, err := (Set{}).MostClicked(all[0], 10, totals); len(found) > 0 || err != nil {
		t.Errorf("found %v in no links, %v", found, err)
	}
}
