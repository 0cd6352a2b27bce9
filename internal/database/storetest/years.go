package storetest

import (
	"fmt"
	"testing"

	"terse"
)

// PastDays returns the past of a link whose clicks were dropped on so many days, which end before
// spring. Each day has a few values of every dimension.
func PastDays(link terse.LinkRef, days int) terse.Past {
	p := terse.Past{Link: link}
	const clicks, values = 12, 3
	for i := range days {
		day := terse.PastDay{
			Day: springDay - terse.Day(days-i), Clicks: clicks, Visitors: clicks / 2,
		}
		for d := range terse.NumDimensions {
			if d == terse.ByReferrerHost { // it is not stored
				continue
			}
			counts := terse.PastCounts{Dimension: d}
			for k := range values {
				v := terse.PastValue{
					Clicks: clicks / values, People: clicks / values, Firsts: clicks / values / 2,
				}
				switch d {
				case terse.ByVisitor:
					v.Value = [...]string{terse.Person, terse.Bot, terse.Prefetch}[k]
				case terse.ByCountry:
					v.Value = countryOf(k).String()
				case terse.ByReferrer:
					v.Value = referrerOf(i%20 + k)
				default:
					v.Value = fmt.Sprint(d, i%20+k)
				}
				counts.Values = append(counts.Values, v)
			}
			day.Counts = append(day.Counts, counts)
		}
		p.Days = append(p.Days, terse.PastDayAdded{PastDay: day})
	}
	return p
}

// AddPast adds the past of links, in as many calls as that takes.
func AddPast(tb testing.TB, s terse.Archive, past ...terse.Past) {
	tb.Helper()
	for len(past) > 0 {
		added, err := s.AddPast(tb.Context(), past)
		if err != nil {
			tb.Fatal(err)
		}
		past = nil
		for _, a := range added {
			if a.Rest != nil {
				past = append(past, *a.Rest)
			}
		}
	}
}

// addYears: ten years of a link's dropped days are imported at once, and again.
func addYears(t *testing.T, s Store) {
	link := create(t, s, "link")
	past := []terse.Past{PastDays(link.Ref(), 3650)}
	var clicks int64
	for _, day := range past[0].Days {
		clicks += day.Clicks
	}
	added, known := mustAdd(t, s, past)
	wantEqual(t, "added clicks", added, clicks)
	wantEqual(t, "known clicks", known, 0)
	added, known = mustAdd(t, s, past)
	wantEqual(t, "clicks added again", added, 0)
	wantEqual(t, "known clicks", known, clicks)
	total, err := s.Clicks(t.Context(), link.Ref())
	must(t, err)
	wantEqual(t, "clicks", total.Clicks, clicks)
	wantEqual(t, "days", len(pastOf(t, s, terse.Identity)[link.Code].Days), len(past[0].Days))
}
