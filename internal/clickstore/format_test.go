package clickstore

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/doctest"
	clickblock "terse/internal/newblock"
)

const (
	countsPage = "../../docs/format/counts.md"
)

func TestFormatOfTotals(t *testing.T) {
	t.Parallel()
	const heading = "### Example: totals"
	var page []struct {
		Offset int       `json:"offset"`
		Clicks int64     `json:"clicks"`
		People int64     `json:"people"`
		Last   time.Time `json:"last"`
		Era    uint32    `json:"era"`
	}
	doctest.JSON(t, countsPage, heading, &page)
	row := doctest.Hex(t, countsPage, heading)
	var want, got totals
	for _, link := range page {
		i := link.Offset
		want.clicks[i], want.people[i], want.eras[i] = link.Clicks, link.People, link.Era
		if !link.Last.IsZero() {
			want.last[i] = link.Last.UnixMicro()
		}
	}
	doctest.SameBytes(t, want.append(nil), row)
	if err := got.parse(row); err != nil || got != want {
		t.Errorf("decoded to other totals, or an error: %v", err)
	}
	row[0]++
	if err := got.parse(row); err != clickblock.ErrDamaged {
		t.Errorf("another version: %v", err)
	}
}

func TestFormatOfOpenMonths(t *testing.T) {
	t.Parallel()
	const heading = "### Example: open months"
	var page []string
	doctest.JSON(t, countsPage, heading, &page)
	row := doctest.Hex(t, countsPage, heading)
	var want []terse.Month
	for _, name := range page {
		want = append(want, terse.MonthOf(dayNamed(t, name+"-01")))
	}
	doctest.SameBytes(t, appendMonths(nil, want), row)
	got, err := parseMonths(row)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	row[0]++
	if _, err := parseMonths(row); err != clickblock.ErrDamaged {
		t.Errorf("another version: %v", err)
	}
}

func dayNamed(t *testing.T, name string) terse.Day {
	t.Helper()
	at, err := time.Parse(time.DateOnly, name)
	if err != nil {
		t.Fatal(err)
	}
	return terse.DayOf(at.UnixMicro())
}
