package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"terse"
)

// pastOf returns what an export has of the clicks of an owner's links, by their codes.
func pastOf(t *testing.T, s Store, owner string) map[terse.Code]terse.Past {
	t.Helper()
	all := map[terse.Code]terse.Past{}
	must(t, s.Export(t.Context(), terse.ExportQuery{Owner: owner},
		func(int64, int64) error { return nil },
		func(e terse.Exported) error {
			p := terse.Past{Link: e.Link.Ref(), LastClick: e.Link.LastClick}
			err := e.Past(func(d terse.PastDay) error {
				p.Days = append(p.Days, terse.PastDayAdded{PastDay: d})
				return nil
			}, func(c terse.PastClick) error {
				p.Clicks = append(p.Clicks, c)
				return nil
			})
			all[e.Link.Code] = withDays(p)
			return err
		}, nil))
	return all
}

// withDays adds the days of the clicks of a Past.
func withDays(p terse.Past) terse.Past {
	dropped := p.Days
	p.Days = nil
	for i := range p.Clicks {
		c := &p.Clicks[i]
		day := terse.DayOf(c.Time)
		for len(dropped) > 0 && dropped[0].Day <= day {
			p.Days, dropped = append(p.Days, dropped[0]), dropped[1:]
		}
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].Day != day {
			p.Days = append(p.Days, terse.PastDayAdded{PastDay: terse.PastDay{Day: day}})
		}
		p.Days[len(p.Days)-1].ClickFirsts += c.Firsts
	}
	p.Days = append(p.Days, dropped...)
	return p
}

// WholePast calls add, which is AddPast or TryPast of a store, until nothing is left.
func WholePast(past []terse.Past, add func([]terse.Past) ([]terse.PastAdded, error)) (
	all []terse.PastAdded, err error,
) {
	all, past = make([]terse.PastAdded, len(past)), slices.Clone(past)
	place := make([]int, len(past))
	for i := range place {
		place[i] = i
	}
	for len(past) > 0 {
		added, err := add(past)
		if err != nil {
			return nil, err
		}
		more := 0
		for i := range added {
			to, one := &all[place[i]], &added[i]
			to.Added, to.Known = to.Added+one.Added, to.Known+one.Known
			to.Skipped += one.Skipped
			to.SkippedDays = append(to.SkippedDays, one.SkippedDays...)
			if one.Rest != nil {
				past[more], place[more] = *one.Rest, place[i]
				more++
			}
		}
		past = past[:more]
	}
	return all, nil
}

func addPast(t *testing.T, s Store, past ...terse.Past) ([]terse.PastAdded, error) {
	return WholePast(past, func(past []terse.Past) ([]terse.PastAdded, error) {
		return s.AddPast(t.Context(), past)
	})
}

// mustAdd adds clicks of the past, and returns how many are new, and how many are known.
func mustAdd(t *testing.T, s Store, past []terse.Past) (added, known int64) {
	t.Helper()
	all, err := addPast(t, s, past...)
	must(t, err)
	for i := range past {
		added, known = added+all[i].Added, known+all[i].Known
		if all[i].Skipped > 0 {
			t.Errorf("of the past of link %d: %+v", past[i].Link.ID, all[i])
		}
	}
	return added, known
}

// movePast: the clicks of an export are there once after it was imported twice. Then both have the
// same statistics, whatever happens afterwards.
func movePast(t *testing.T, s Store) {
	keep(t, s, springDay, springDay+1)
	j := newJournal(t, s)
	var links, copies []terse.Link
	var clicks int64
	both := func(n int, from time.Time, span time.Duration, busy int) (all, copied []terse.Click) {
		all = j.clicks(links[:busy], n, from, span)
		for i := range all {
			switch c := &all[i]; {
			case j.rng.IntN(9) == 0:
				c.Untracked, c.Values = true, terse.Values{}
			case c.Values[terse.ByVisitor] != terse.Bot && j.rng.IntN(2) == 0:
				c.Visitor = hashOf(j.rng.IntN(400), c.Link, terse.DayOf(c.Time))
			}
			copied = append(copied, all[i])
			for k := range links {
				if links[k].ID == all[i].Link {
					copied[i].Link, copied[i].Code = copies[k].ID, copies[k].Code
				}
			}
		}
		clicks += int64(n)
		return all, copied
	}
	for i := range 4 {
		links = append(links, create(t, s, fmt.Sprint("from", i)))
		to := newLink(t, fmt.Sprint("to", i))
		to.CreatedBy = "somebody"
		copies = append(copies, mustCreate(t, s, to))
	}
	busy, _ := both(9000, spring, 30*time.Hour, 1)
	j.feed(busy)
	quiet, _ := both(6000, spring, 60*24*time.Hour, 3)
	j.feed(quiet)
	must(t, s.DropClicks(t.Context(), spring.Add(3*24*time.Hour+time.Hour)))
	rare, _ := both(500, spring.Add(4*24*time.Hour), 24*time.Hour, 4)
	j.feed(rare)

	original := pastOf(t, s, terse.Identity)
	moved := func() (all []terse.Past) {
		for i := range links {
			p := original[links[i].Code]
			p.Link = copies[i].Ref()
			all = append(all, p)
		}
		return all
	}
	added, known := mustAdd(t, s, moved())
	wantEqual(t, "added clicks", added, clicks)
	wantEqual(t, "known clicks", known, 0)
	compare := func() {
		t.Helper()
		original = pastOf(t, s, terse.Identity)
		got := pastOf(t, s, "somebody")
		for i := range links {
			want := original[links[i].Code]
			want.Link = copies[i].Ref()
			wantEqual(t, "the past of a copy", got[copies[i].Code], want)
			compareSame(j, links[i].Ref(), copies[i].Ref())
		}
		compareSame(j, terse.AllLinks, terse.AllLinks)
	}
	compare()
	for _, past := range [][]terse.Past{moved(), moved(), slices.Collect(maps.Values(original))} {
		added, known = mustAdd(t, s, past)
		wantEqual(t, "added clicks", added, 0)
		wantEqual(t, "known clicks", known, clicks)
	}
	compare()
	// Visitors of these days were not known before.
	later, copied := both(3000, spring.Add(10*24*time.Hour), 20*24*time.Hour, 4)
	j.feed(later)
	j.feed(copied)
	compare()
	must(t, s.DropClicks(t.Context(), spring.Add(20*24*time.Hour)))
	compare()
}

// compareSame compares statistics of links of two owners, or of all their links.
func compareSame(j *journal, a, b terse.LinkRef) {
	j.t.Helper()
	for range 12 {
		q := terse.SeriesQuery{
			Range: terse.AllTime, VisitorsBy: true, People: true, Owner: terse.Identity,
			Intervals: terse.Intervals{Unit: terse.IntervalUnit(j.rng.IntN(4))},
		}
		if j.rng.IntN(2) == 0 {
			from := spring.Add(time.Duration(j.rng.IntN(60*24)) * time.Hour).UnixMicro()
			q.Range = terse.Between(from, from+(20*24*time.Hour).Microseconds())
		}
		if j.rng.IntN(3) == 0 {
			q.Filter[terse.ByVisitor].Not = []string{terse.Bot}
		}
		want := seriesOf(j.t, j.store, a, q)
		q.Owner = "somebody"
		got := seriesOf(j.t, j.store, b, q)
		wantEqual(j.t, fmt.Sprintf("%+v of links %d and %d", q, a.ID, b.ID), got, want)
	}
}

// addPastTogether: of several that add the same at once, one adds each click.
func addPastTogether(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 3)
	var past []terse.Past
	for i := range links {
		p := terse.Past{Link: links[i].Ref()}
		for k := range 500 {
			p.Clicks = append(p.Clicks, terse.PastClick{
				Time: spring.UnixMicro() + int64(k), Count: int64(1 + i), Firsts: 1,
			})
		}
		past = append(past, withDays(p))
	}
	var added [4]int64
	together(len(added), func(i int) { added[i], _ = mustAdd(t, s, past) })
	wantEqual(t, "added clicks", added[0]+added[1]+added[2]+added[3], 500*(1+2+3))
	got := seriesOf(t, s, terse.AllLinks, terse.SeriesQuery{Range: ever.Range, Owner: j.owner})
	wantEqual(t, "clicks", got.Total, 500*(1+2+3))
	wantEqual(t, "visitors", got.Visitors, 3*500)
}

// addPastOfNone: clicks of links that do not exist are skipped, and what is in no order is refused.
func addPastOfNone(t *testing.T, s Store) {
	link, gone := create(t, s, "link"), create(t, s, "gone")
	must(t, s.Delete(t.Context(), me, gone))
	of := func(link terse.LinkRef) terse.Past {
		return terse.Past{
			Link:   link,
			Days:   []terse.PastDayAdded{{PastDay: terse.PastDay{Day: springDay, Clicks: 5}}},
			Clicks: []terse.PastClick{{Time: springDay.Start() + 7, Count: 2}},
		}
	}
	other := link.Ref()
	other.Code = code(t, "other")
	unknown := terse.LinkRef{ID: gone.ID + 9, Code: code(t, "unknown")}
	none := terse.LinkRef{ID: -1, Code: code(t, "none")}
	past := []terse.Past{of(gone.Ref()), of(unknown), of(none), of(other)}
	for _, p := range past {
		got, err := addPast(t, s, p)
		must(t, err)
		wantEqual(t, "of no link", got, []terse.PastAdded{{Skipped: 7}})
	}
	for name, spoil := range map[string]func(*terse.Past){
		"a click without a day": func(p *terse.Past) { p.Days = nil },
		"days in no order":      func(p *terse.Past) { p.Days = append(p.Days, p.Days...) },
		"clicks in no order": func(p *terse.Past) {
			p.Clicks = append(p.Clicks, terse.PastClick{Time: p.Clicks[0].Time - 1, Count: 1})
		},
	} {
		p := of(link.Ref())
		if spoil(&p); errOf(addPast(t, s, p)) == nil {
			t.Error(name, "is accepted")
		}
	}
	if errOf(addPast(t, s, of(link.Ref()), of(link.Ref()))) == nil {
		t.Error("a link that is there twice is accepted")
	}
	wantEqual(t, "clicks", seriesOf(t, s, link.Ref(), ever).Total, 0)
	got, err := addPast(t, s, of(link.Ref()))
	must(t, err)
	wantEqual(t, "of the link", got, []terse.PastAdded{{Added: 7}})
	wantEqual(t, "clicks", seriesOf(t, s, link.Ref(), ever).Total, 7)
}

// pastOfEqualClicks: equal clicks count as many, wherever they lie, and however they are divided.
func pastOfEqualClicks(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	to := newLink(t, "copy")
	to.CreatedBy = "somebody"
	copied := mustCreate(t, s, to)
	values := terse.Values{terse.ByCountry: "DE", terse.ByVisitor: terse.Person}
	at := spring.UnixMicro()
	one := terse.PastClick{Time: at, Values: values, Count: 1}
	more := terse.PastClick{Time: at, Values: values, Count: 2_500_000_001, Firsts: 1_500_000_000}
	bots := terse.PastClick{Time: at + 1, Count: 64}
	bots.Values[terse.ByVisitor] = terse.Bot
	past := func(link terse.Link, clicks ...terse.PastClick) terse.Past {
		return withDays(terse.Past{Link: link.Ref(), Clicks: clicks})
	}
	for _, add := range []struct {
		clicks []terse.PastClick
		added  int64
	}{
		{[]terse.PastClick{one}, 1},
		{[]terse.PastClick{more, bots}, more.Count + bots.Count - 1},
		{[]terse.PastClick{more, bots}, 0},
		{[]terse.PastClick{one}, 0},
	} {
		added, known := mustAdd(t, s, []terse.Past{past(links[0], add.clicks...)})
		sum := int64(0)
		for _, c := range add.clicks {
			sum += c.Count
		}
		wantEqual(t, "added clicks", added, add.added)
		wantEqual(t, "known clicks", known, sum-add.added)
	}
	all := []terse.PastClick{more, bots}
	wantEqual(t, "the past", pastOf(t, s, j.owner)[links[0].Code].Clicks, all)
	added, _ := mustAdd(t, s, []terse.Past{past(copied, all...)})
	wantEqual(t, "clicks added to the copy", added, more.Count+bots.Count)
	added, _ = mustAdd(t, s, []terse.Past{past(copied, all...)})
	wantEqual(t, "clicks added again", added, 0)

	total := more.Count + bots.Count
	want := func(when string) {
		t.Helper()
		for owner, link := range map[string]terse.LinkRef{
			j.owner: links[0].Ref(), "somebody": copied.Ref(),
		} {
			for _, of := range []terse.LinkRef{link, terse.AllLinks} {
				got := seriesOf(t, s, of, terse.SeriesQuery{
					Range: terse.AllTime, Owner: owner, People: true, VisitorsBy: true, Top: 1,
				})
				wantEqual(t, when+", clicks", got.Total, total)
				wantEqual(t, when+", people", got.People, more.Count)
				wantEqual(t, when+", visitors", got.Visitors, more.Firsts)
				wantEqual(t, when+", clicks by country", got.By[terse.ByCountry],
					map[string]int64{"DE": more.Count, "XX": bots.Count})
				if of == terse.AllLinks {
					wantEqual(t, when+", top", got.Top[0].Clicks, total)
				}
			}
		}
	}
	want("as single clicks")
	for owner, link := range map[string]terse.LinkRef{
		j.owner: links[0].Ref(), "somebody": copied.Ref(),
	} {
		for _, of := range []terse.LinkRef{link, terse.AllLinks} {
			q := terse.EventQuery{Range: terse.AllTime, Owner: owner, Limit: 1}
			var counts []int64
			for {
				page, err := s.Events(t.Context(), of, q)
				must(t, err)
				for _, e := range page.Events {
					counts = append(counts, e.Count)
				}
				if q.After = page.Next; q.After == nil {
					break
				}
			}
			wantEqual(t, "counts of events", counts, []int64{bots.Count, more.Count})
		}
	}
	must(t, s.DropClicks(t.Context(), spring.Add(48*time.Hour)))
	want("as counts")
}
