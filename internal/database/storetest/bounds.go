package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

// countTagged counts the links of a tag after their clicks were dropped.
func countTagged(t *testing.T, s Store) {
	d := &dropping{journal: newJournal(t, s)}
	links := d.create(3)
	for _, link := range links[:2] {
		updateTo(t, s, link, terse.LinkOptions{Tags: []string{"news"}})
	}
	d.add(d.journal.clicks(links, 300, spring, 10*24*time.Hour))
	for _, days := range []int{0, 4, 20} {
		d.drop(spring.AddDate(0, 0, days))
		for tag, of := range map[string][]terse.Link{"news": links[:2], "none": nil} {
			want := int64(0)
			for _, link := range of {
				want += seriesOf(t, s, link.Ref(), ever).Total
			}
			q := AllTime
			q.Some.Tags = []string{tag}
			got := seriesOf(t, s, terse.AllLinks, q)
			wantEqual(t, "clicks of the tag "+tag, got.Total, want)
			sum := int64(0)
			for _, n := range got.By[terse.ByCountry] {
				sum += n
			}
			wantEqual(t, "clicks of its countries", sum, want)
		}
	}
}

// countManyBytes has values on a day that exceed the bound of bytes, but not that of their number.
func countManyBytes(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	for range 2 { // the same names are kept
		day := linked(FullDay(terse.DayOf(spring.UnixMicro())), links[0])
		for some := range slices.Chunk(day, 1000) { // of 2 KB each
			j.add(some)
		}
	}
	got := seriesOf(t, s, links[0].Ref(), ever)
	wantEqual(t, "clicks", got.Total, 2*FullDayClicks)
	for _, d := range []terse.Dimension{
		terse.BySource, terse.ByMedium, terse.ByCampaign, terse.ByReferrer,
	} {
		bytes, sum := 0, int64(0)
		for value, n := range got.By[d] {
			sum += n
			if value != terse.OtherValue {
				bytes += len(value)
				wantEqual(t, "clicks of a value", n, 2)
			}
		}
		wantEqual(t, d.String()+": clicks", sum, 2*FullDayClicks)
		if bytes > terse.MaxDayBytes || bytes < terse.MaxDayBytes-terse.MaxValueBytes {
			t.Errorf("%s: %d bytes of values", d, bytes)
		}
		if got.By[d][terse.OtherValue] == 0 {
			t.Errorf("%s: no other", d)
		}
	}
	// A short value that still fits is kept after a long one that does not.
	short := terse.Click{Time: spring.UnixMicro()}
	short.Values[terse.BySource] = strings.Repeat("a", 40)
	j.add(linked([]terse.Click{short}, links[0]))
	if got := seriesOf(t, s, links[0].Ref(), ever); got.By[terse.BySource][short.Values.Of(
		terse.BySource)] != 1 {
		t.Error("a value that fits is not kept")
	}
}

// countEarly counts untracked clicks with times that only a wrong clock has.
func countEarly(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	j.add(linked([]terse.Click{
		{Time: -1, Untracked: true},
		{Time: -400 * 24 * time.Hour.Microseconds(), Untracked: true},
		{Time: 0, Untracked: true},
	}, links[0]))
	for _, ref := range []terse.LinkRef{links[0].Ref(), terse.AllLinks} {
		got := seriesOf(t, s, ref, AllTime)
		wantEqual(t, "clicks", got.Total, 3)
		wantEqual(t, "their days", got.ByInterval, map[int64]int64{0: 3})
	}
}

// linked assigns clicks to a link.
func linked(clicks []terse.Click, link terse.Link) []terse.Click {
	for i := range clicks {
		clicks[i].Link, clicks[i].Code = link.ID, link.Code
	}
	return clicks
}
