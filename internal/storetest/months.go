package storetest

import (
	"testing"
	"time"

	"terse"
)

// CheckMonths wants an empty store to add up the counts of months that are over, once a later day
// begins, and to forget the sums of months of which a day changes. summed returns how many months
// of a link are added up in the database. The link that is returned has two of them, and a third
// that is not over.
func CheckMonths(t *testing.T, s Store, summed func(terse.LinkID) int64) terse.Link {
	t.Helper()
	j, links := newJournalOf(t, s, 1)
	link := links[0].Ref()
	start := time.Date(2027, 12, 20, 0, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return start.AddDate(0, 0, n) }
	add := func(n int) { // so many that they are counted on their day at once
		j.add(j.clicks(links, 4200, day(n), 24*time.Hour))
	}
	want := func(when string, months int64) {
		t.Helper()
		wantEqual(t, "months that are added up "+when, summed(link.ID), months)
		wantEqual(t, "clicks "+when, seriesOf(t, s, link, ever).Total,
			int64(len(j.counted[link.ID])))
	}
	for n := range 10 {
		add(4 * n)
	}
	want("in the second", 1)
	must(t, s.ClearClicks(t.Context(), link))
	j.counted[link.ID] = nil
	want("after clicks were cleared", 0)
	for n := range 25 { // up to 2028-03-25
		add(4 * n)
	}
	want("in the fourth", 3)
	j.compareSeries(link, j.counted[link.ID])
	add(32)
	want("after late clicks", 2)
	add(96)
	want("after clicks of no new day", 2)
	add(97)
	want("on the next day", 3)
	j.compareSeries(link, j.counted[link.ID])
	must(t, s.DropClicks(t.Context(), day(4)))
	want("after a whole day was dropped", 2)
	add(98)
	want("when another day has begun", 3)
	must(t, s.DropClicks(t.Context(), day(8).Add(12*time.Hour)))
	want("after clicks of a day were dropped", 2)
	add(99)
	want("when yet another day has begun", 3)
	must(t, s.DropClicks(t.Context(), day(12)))
	want("after all of a month were dropped", 2)
	add(100)
	want("when nothing is left to add up", 2)
	return links[0]
}
