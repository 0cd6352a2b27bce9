package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

func countBusy(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	j.compareRanges(links[0])
	for i := range 12 {
		j.add(j.clicks(links, 1<<i, spring.Add(time.Duration(i)*5*time.Hour), 6*time.Hour))
		j.compareRanges(links[0])
	}
	j.add(j.clicks(links, 10_000, spring, 12*time.Hour))
	j.compareRanges(links[0])
	j.compareList()
	between, err := terse.ParseTimeRange("2026-03-29T00:00:00.0000001Z",
		"2026-03-29T00:00:00.0000002Z")
	must(t, err)
	j.compare(links[0], between)
}

// countQuiet has few clicks a day over years, in batches that are out of order.
func countQuiet(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	for i := range 150 {
		j.add(j.clicks(links, 301, spring, 1100*24*time.Hour))
		if i%40 == 0 {
			j.compareRanges(links[0])
		}
	}
	j.compareRanges(links[0])
	j.compareList()
}

// countFew has so few clicks in each batch that a store may keep them together until there are
// more.
func countFew(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 2)
	for i := range 300 {
		j.add(j.clicks(links[:1+i%2], 1+i%17, spring, 40*24*time.Hour))
		if i%60 == 50 {
			j.compareRanges(links[0])
		}
	}
	j.compareRanges(links...)
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

func countMixed(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 300)
	for i := range 8 {
		from := spring.Add(time.Duration(i) * 20 * time.Hour)
		clicks := j.clicks(links, 700, from, 50*time.Hour)
		clicks = append(clicks, j.clicks(links[:2], 6000, from, 50*time.Hour)...)
		clicks = append(clicks, j.clicks(links[:10], 2000, from, 300*24*time.Hour)...)
		j.addShuffled(clicks)
	}
	for i := 0; i < len(links); i += 1 + i/4 {
		j.compareRanges(links[i])
	}
	j.compareList()
}

// countMany has more links than a store handles at a time. Every tenth of them was never created,
// and some links after them have many clicks.
func countMany(t *testing.T, s Store) {
	j := newJournal(t, s)
	var links, made []terse.Link
	for i := range 2600 {
		links = append(links, terse.Link{ID: 1_000_000, Code: code(t, fmt.Sprintf("link%d", i))})
	}
	together(20, func(from int) {
		for i := from; i < len(links); i += 20 {
			if i%10 == 0 {
				continue
			}
			link, err := s.Create(t.Context(), me, newLink(t, links[i].Code.String()))
			if err != nil {
				t.Error(err)
			}
			links[i] = link
		}
	})
	for i, link := range links {
		if i%10 > 0 {
			made = append(made, link)
		}
	}
	warm, hot := create(t, s, "warm"), create(t, s, "xhot")
	for range 6 {
		clicks := slices.Concat(j.clicks([]terse.Link{warm}, 10, spring, 300*24*time.Hour),
			j.clicks([]terse.Link{hot}, 600, spring, 300*24*time.Hour))
		for i := range links {
			clicks = append(clicks, j.clicks(links[i:i+1], 1, spring, time.Hour)...)
		}
		j.addShuffled(clicks)
		delete(j.counted, 1_000_000)
	}
	for i := 0; i < len(made); i += 100 {
		j.compareEver(made[i])
	}
	j.compareRanges(warm, hot)
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

// countAlike has links whose codes begin or end alike, some of maximum length, and codes that are
// prefixes of others. Clicks of a reused code are mixed with late ones of the link that had it
// before, and with clicks that have a link's ID and nearly its code.
func countAlike(t *testing.T, s Store) {
	j := newJournal(t, s)
	var links []terse.Link
	for _, c := range []string{
		"campaign-2026-summer", "campaign-2026-winter", "campaign-2026", "campaign", "campaign-",
		"campaigN", "Campaign", "campaigm", "campaign_",
		"abc", "abcd", "abc-", "---", "___", "-__", "cab",
	} {
		links = append(links, create(t, s, c))
	}
	old := links[1]
	must(t, s.Delete(t.Context(), me, old))
	links[1] = create(t, s, old.Code.String())
	bystander := create(t, s, "campaign-2026-autumn")
	stale := terse.Link{ID: bystander.ID, Code: code(t, "campaign-2026-autumm")}
	for i := range 6 {
		j.add(j.clicks(append(links, old, stale), 400+3000*(i%2),
			spring.Add(time.Duration(i)*time.Hour), 50*time.Hour))
		delete(j.counted, old.ID)
		delete(j.counted, stale.ID)
	}
	j.compareRanges(append(links, bystander)...)
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

// countByIDAndCode mixes clicks of links with stale ones, which have a link's ID and another code,
// as after a backup was restored. Neither kind makes the store drop or count the other, whichever
// comes first in a batch.
func countByIDAndCode(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 6)
	stale := make([]terse.Link, len(links))
	for i, link := range links {
		stale[i] = terse.Link{ID: link.ID, Code: code(t, fmt.Sprint("stale", i%2))}
	}
	one := func(link terse.Link) terse.Click {
		return j.clicks([]terse.Link{link}, 1, spring, time.Hour)[0]
	}
	for range 3 {
		j.addMixed(links, []terse.Click{one(stale[0]), one(links[0]), one(links[0])})
		j.addMixed(links, []terse.Click{one(links[1]), one(stale[1]), one(links[1]), one(stale[1])})
		j.addMixed(links, []terse.Click{
			one(stale[2]), one(links[3]), one(stale[3]), one(links[2]),
			one(stale[2]), one(links[3]),
		})
		j.addMixed(links, j.clicks(append(stale[:5:5], links[:5]...), 300, spring, time.Hour))
	}
	// The last link had stale clicks before any of its own, and so will the links created next.
	last := links[len(links)-1]
	j.addMixed(links, []terse.Click{one(stale[5])})
	for i := range terse.LinkID(3) {
		j.addMixed(links, []terse.Click{
			one(terse.Link{ID: last.ID + 1 + i, Code: stale[0].Code}),
			one(last),
		})
	}
	for i := range 3 {
		links = append(links, create(t, s, fmt.Sprint("next", i)))
		j.addMixed(links, []terse.Click{one(links[len(links)-1])})
	}
	j.compareEver(links...)
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

func countLate(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	for i := range 6 {
		j.add(j.clicks(links, 2000, spring.Add(time.Duration(i)*24*time.Hour), 24*time.Hour))
		j.add(j.clicks(links, 3, spring, 24*time.Hour))
		j.compareRanges(links[0])
	}
	j.add(j.clicks(links, 2000, spring, 24*time.Hour))
	j.compareRanges(links[0])
}

// countEdges has clicks only at the first and last microseconds of days.
func countEdges(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	day := terse.DayOf(spring.UnixMicro())
	for range 4 {
		clicks := j.clicks(links, 900, spring, time.Hour)
		for i := range clicks {
			clicks[i].Time = (day + terse.Day(j.rng.IntN(4))).Start() - 2 + int64(j.rng.IntN(4))
		}
		j.add(clicks)
		for a := terse.Day(-1); a < 5; a++ {
			for _, off := range []int64{-3, -2, -1, 0, 1, 2} {
				first := (day + a).Start() + off
				j.compare(links[0], timeRange(t, first, first+1))
				j.compare(links[0], timeRange(t, first, (day+a+1).Start()-1))
				j.compare(links[0], timeRange(t, first, (day+a+2).Start()+off))
			}
		}
	}
}

func countOdd(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	longest := "https://example.org/" + strings.Repeat("x", terse.MaxReferrerBytes-20)
	referrers := []string{
		terse.DirectReferrer, terse.OtherValue, "/", "//", "https://", "http://", "https://www.",
		"https:///", "https://www./",
		"http://ä.example/\u2028", "HTTP://UPPER.example", "https://www.example.org/a/", longest,
		longest[:200],
	}
	times := []int64{
		0, 1, -1, -86_400_000_000, -86_400_000_001,
		time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC).UnixMicro(), spring.UnixMicro(),
	}
	for range 8 {
		clicks := j.clicks(links, 400, spring, time.Hour)
		for i := range clicks {
			clicks[i].Values[terse.ByReferrer] = referrers[j.rng.IntN(len(referrers))]
			clicks[i].Time = times[j.rng.IntN(len(times))]
			if i%7 == 0 {
				clicks[i].Values[terse.ByCountry] = terse.UnknownCountry.String()
			}
		}
		j.add(clicks)
		j.compareEver(links[0])
		for _, at := range times[:5] {
			j.compare(links[0], timeRange(t, at, at+1))
			j.compare(links[0], timeRange(t, at, spring.UnixMicro()))
			j.compare(links[0], timeRange(t, at-1, at))
		}
	}
}

// countLong has referrers so long that few clicks make a large row, and then so many of them that a
// store handles the batch in parts.
func countLong(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 2)
	add := func(batch int, clicks []terse.Click) {
		for k := range clicks {
			clicks[k].Values[terse.ByReferrer] = fmt.Sprintf("https://example.org/%d-%d-%s", batch,
				k, strings.Repeat("x", 900))
		}
		j.add(clicks)
	}
	for i := range 25 {
		add(i, j.clicks(links[:1], 3*i, spring, 100*24*time.Hour))
	}
	j.compareRanges(links[0])
	none := []terse.Link{{ID: links[1].ID + 1000, Code: code(t, "none")}}
	add(25, slices.Concat(j.clicks(none, 10, spring, time.Hour),
		j.clicks(links[:1], 5000, spring, 100*24*time.Hour),
		j.clicks(links[1:], 1000, spring, 100*24*time.Hour)))
	delete(j.counted, none[0].ID)
	j.compareEver(links...)
	all := seriesOf(t, s, terse.AllLinks, AllTime)
	wantEqual(t, "clicks of all links", all.Total, int64(len(j.all())))
}

// countManyReferrers has a few more than 10,000 referrers on a day, the last of them one by one,
// and 500 on the next. The first ones keep their names.
func countManyReferrers(t *testing.T, s Store) {
	j := newJournal(t, s)
	link := j.create(1)[0]
	const more = 700
	day := spring.Truncate(24 * time.Hour)
	referrer := func(i int) string { return fmt.Sprintf("https://%d.example/", i) }
	for at := 0; at < terse.MaxReferrersPerDay+more; {
		size := 1
		if at < terse.MaxReferrersPerDay+more-20 {
			size = min(1+j.rng.IntN(3000), terse.MaxReferrersPerDay+more-20-at)
		}
		clicks := j.clicks([]terse.Link{link}, 2*size, day, 24*time.Hour)
		for i := range clicks {
			clicks[i].Values[terse.ByReferrer] = referrer(at + i/2)
		}
		j.add(clicks)
		at += size
	}
	clicks := j.clicks([]terse.Link{link}, 500, day.Add(24*time.Hour), 24*time.Hour)
	for i := range clicks {
		clicks[i].Values[terse.ByReferrer] = referrer(i)
	}
	j.add(clicks)
	noon := day.Add(12 * time.Hour).UnixMicro()
	for i, r := range []terse.TimeRange{
		terse.AllTime,
		timeRange(t, day.UnixMicro(), day.Add(24*time.Hour).UnixMicro()-1),
		timeRange(t, day.UnixMicro()+1, day.Add(24*time.Hour).UnixMicro()-1),
		timeRange(t, noon, day.Add(30*time.Hour).UnixMicro()),
	} {
		got := seriesOf(t, s, link.Ref(), terse.SeriesQuery{Range: r})
		wantSums(t, got)
		want := j.want(link, r)
		wantEqual(t, "total", got.Total, want.Total)
		// A range that cuts the day may name values that are other for the whole day.
		if n := len(got.By[terse.ByReferrer]); i == 1 && n > terse.MaxReferrersPerDay+1 {
			t.Errorf("%d referrers", n)
		}
		for name, n := range got.By[terse.ByReferrer] {
			if name != terse.OtherValue && n > want.By[terse.ByReferrer][name] {
				t.Errorf("%s was counted %d times, it occurs %d times", name, n,
					want.By[terse.ByReferrer][name])
			}
		}
	}
	got := seriesOf(t, s, link.Ref(), ever)
	wantEqual(t, "other", got.By[terse.ByReferrer][terse.OtherValue], 2*more)
}

// lastClick: clicks arrive in any order. Of an untracked one only the day is known.
func lastClick(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 2)
	midnight := time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC)
	want := func(what string, link terse.Link, at time.Time) {
		t.Helper()
		clicks, err := s.Clicks(t.Context(), link.Ref())
		must(t, err)
		wantEqual(t, "last click "+what, clicks.Last, at)
	}
	click := func(at time.Time, untracked bool, kind string) {
		c := terse.Click{
			Link: links[0].ID, Code: links[0].Code, Time: at.UnixMicro(), Untracked: untracked,
		}
		if !untracked {
			c.Values[terse.ByVisitor] = kind
		}
		j.add([]terse.Click{c})
	}
	want("without clicks", links[0], time.Time{})
	click(midnight.Add(time.Hour), false, terse.Person)
	want("of a person", links[0], midnight.Add(time.Hour))
	click(midnight.Add(3*time.Hour+time.Microsecond), false, terse.Bot)
	want("of a bot", links[0], midnight.Add(3*time.Hour+time.Microsecond))
	click(midnight.Add(2*time.Hour), false, terse.Person)
	click(midnight.AddDate(0, -2, 0), false, terse.Person)
	click(midnight.AddDate(0, 0, -1), true, "")
	want("before late ones", links[0], midnight.Add(3*time.Hour+time.Microsecond))
	must(t, s.DropClicks(t.Context(), midnight.AddDate(0, 0, 1)))
	want("that was dropped", links[0], midnight.Add(3*time.Hour+time.Microsecond))
	click(midnight.AddDate(0, 0, 3).Add(5*time.Hour), true, "")
	want("that is untracked", links[0], midnight.AddDate(0, 0, 3))
	want("of another link", links[1], time.Time{})
	must(t, s.ClearClicks(t.Context(), me, links[0].Ref()))
	want("of a cleared link", links[0], time.Time{})
	click(midnight.Add(time.Minute), false, terse.Bot)
	want("since it was cleared", links[0], midnight.Add(time.Minute))
}
