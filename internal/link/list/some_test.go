package list

import (
	"slices"
	"testing"

	"terse"
	"terse/internal/link/linkset"
)

// halves is a Snapshot of links with some IDs, of which those that are even are on domain 1.
type halves struct {
	Snapshot

	ids  []int64 // in order
	read int
}

func (h *halves) Ranges() (ranges []Range, err error) {
	for _, id := range h.ids {
		number := id >> linkset.RangeBits
		if n := len(ranges); n == 0 || ranges[n-1].Number != number {
			ranges = append(ranges, Range{Number: number})
		}
		ranges[len(ranges)-1].Links++
	}
	return ranges, nil
}

func (h *halves) OnDomain(terse.Domain) (there linkset.Set, err error) {
	for _, id := range h.ids {
		if id%2 == 0 {
			there = there.With(id)
		}
	}
	return there, nil
}

func (h *halves) Between(first, last int64, _ bool, f func(*Row) error) error {
	for _, id := range h.ids {
		if first <= id && id <= last {
			h.read++
			if err := f(&Row{ID: id}); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestSomeOnTheDefaultDomain: the links on no other domain are found without a look at those of
// full ranges.
func TestSomeOnTheDefaultDomain(t *testing.T) {
	t.Parallel()
	h := &halves{}
	var want []int64
	partly := 0
	for id := range int64(200 * linkset.RangeSize) {
		number := id >> linkset.RangeBits
		switch {
		case number%10 > 0 && number%50 < 40 && id&1023 == 7, number%7 == 3: // gaps
			continue
		case number%10 > 0 && number%50 < 40:
			partly++
		}
		h.ids = append(h.ids, id)
		if id%2 == 1 {
			want = append(want, id)
		}
	}
	got, err := Some(h, &terse.SomeLinks{Domain: new(terse.DefaultDomain)})
	if err != nil || !slices.Equal(got.IDs(), want) {
		t.Errorf("%d links, want %d, %v", got.Count(), len(want), err)
	}
	if h.read != partly {
		t.Errorf("%d links were read, want %d", h.read, partly)
	}
}
