package clickstore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/clickstore"
	"terse/internal/database/storetest/memrows"
)

// BenchmarkSeries asks about a link with 10,000,000 clicks of a year.
func BenchmarkSeries(b *testing.B) {
	rows := memrows.New()
	yearOfClicks(b, rows, 5, 27_400)
	benchmarkSeries(b, rows, single(5))
}

// BenchmarkSeriesOfOwners asks about all owners. Either one has all clicks, or it has half of them,
// and those that are joined have the others: the dearest that there is. The bar is twice the time
// of one.
func BenchmarkSeriesOfOwners(b *testing.B) {
	for _, owners := range []clickstore.OwnerID{1, 2} {
		b.Run(fmt.Sprint("links=", owners), func(b *testing.B) {
			rows, all := memrows.New(), memrows.UpTo(owners)
			for _, link := range all {
				yearOfClicks(b, rows, link, 27_400/int(owners))
			}
			benchmarkSeries(b, rows, clickstore.Asked{
				Links: all, Exist: func(ids []terse.LinkID) (refs []terse.LinkRef, _ error) {
					for _, id := range ids {
						refs = append(refs, terse.LinkRef{ID: id})
					}
					return refs, nil
				},
			})
		})
	}
}

const yearDays = 365

func benchmarkSeries(b *testing.B, rows *memrows.Rows, asked clickstore.Asked) {
	b.Helper()
	usual := terse.SeriesQuery{Range: terse.AllTime}
	for d := range terse.NumDimensions {
		usual.Without[d] = d.Unasked()
	}
	people, filters := usual, usual
	people.People = true
	people.Filter[terse.ByVisitor].Not = []string{terse.Bot}
	filters.Range = terse.Between(springDay.Start()+day/2, (springDay+yearDays).Start()-day/2)
	filters.Filter[terse.ByCountry].Only = []string{"AA", "BB"}
	filters.Filter[terse.ByBrowser].Not = []string{"Chrome"}
	edges := usual
	edges.Range = filters.Range
	for _, bb := range []struct {
		name string
		q    terse.SeriesQuery
	}{
		{"all time", usual},
		{"all maps", terse.SeriesQuery{Range: terse.AllTime}},
		{"people", people},
		{"range", edges},
		{"two filters", filters},
		{"by hour", terse.SeriesQuery{
			Range: terse.AllTime, Intervals: terse.Intervals{Unit: terse.Hourly},
		}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := clickstore.Series(rows, asked, bb.q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("events", func(b *testing.B) {
		q := terse.EventQuery{Range: terse.AllTime, Limit: 1000}
		for b.Loop() {
			page, err := clickstore.Events(rows, asked, q)
			if q.After = page.Next; err != nil || len(page.Events) == 0 {
				b.Fatal(err)
			}
		}
	})
}

// yearOfClicks adds rows of a link whose days are counted. Months that are over are summed.
func yearOfClicks(b *testing.B, rows *memrows.Rows, id terse.LinkID, perDay int) {
	b.Helper()
	p, rng := clickblock.NewPacker(), rand.New(rand.NewPCG(1, 2))
	put := func(t clickstore.Table, a, key int64, s clickstore.Span, v []byte) {
		if err := rows.Put(t, clickstore.Key{A: a, B: key}, s, v); err != nil {
			b.Fatal(err)
		}
	}
	one := func(values ...string) string { return values[rng.IntN(len(values))] }
	var made []terse.Click
	for range 10_000 {
		made = append(made, terse.Click{Values: terse.Values{
			terse.ByCountry:  fmt.Sprintf("%c%[1]c", 'A'+rng.IntN(26)),
			terse.ByReferrer: fmt.Sprintf("https://site%.0f.example/", rng.ExpFloat64()*60),
			terse.ByBrowser:  one("", "Chrome", "Chrome", "Safari", "Firefox", "Edge"),
			terse.ByOS:       one("", "Android", "iOS", "Windows", "macOS"),
			terse.ByDevice:   one("desktop", "mobile"), terse.ByLanguage: one("en", "de", "fr"),
			terse.ByVisitor: one(terse.Person, terse.Person, terse.Bot),
		}})
	}
	batch := terse.ClicksOf(made...)
	p.Begin(&batch)
	clicks := make([]clickblock.Click, perDay)
	var month clickblock.Head
	sums := map[terse.Dimension][][]byte{}
	for d := springDay; d < springDay+yearDays; d++ {
		for i := range clicks {
			clicks[i] = p.New(&batch.List[rng.IntN(len(made))], 0)
			clicks[i].Time, clicks[i].First = d.Start()+rng.Int64N(day), rng.IntN(2) == 0
			if clickstore.IsOwner(id) {
				clicks[i].IDs[clickblock.ByLink] = p.LinkID(clickblock.Link{ID: 5})
			}
		}
		clickblock.Sort(clicks)
		for _, of := range clickblock.Stored {
			pieces, err := p.Count(of, nil, nil, clicks)
			if err != nil {
				b.Fatal(err)
			}
			for i, piece := range pieces {
				key := clickstore.PieceKey(of, d, i)
				put(clickstore.Days, int64(id), key, clickstore.Span{}, piece)
			}
			if sums[of], err = clickblock.Merge(sums[of], pieces); err != nil {
				b.Fatal(err)
			}
		}
		h := clickblock.Head{Sum: p.SumOf(clicks)}
		put(clickstore.Days, int64(id), clickstore.HeadKey(d), clickstore.Span{}, h.Append(nil))
		month.Add(h.Sum)
		month.Days = append(month.Days, clickblock.DaySum{Day: d, Sum: h.Sum})
		if m := terse.MonthOf(d); m < terse.MonthOf(d+1) {
			key := clickstore.HeadKey(terse.Day(m))
			put(clickstore.Months, int64(id), key, clickstore.Span{}, month.Append(nil))
			for of, pieces := range sums {
				for i, piece := range pieces {
					key := clickstore.PieceKey(of, terse.Day(m), i)
					put(clickstore.Months, int64(id), key, clickstore.Span{}, piece)
				}
			}
			month = clickblock.Head{}
			clear(sums)
		}
		for i := 0; i < perDay; i += clickblock.MaxClicks {
			some := clicks[i:min(i+clickblock.MaxClicks, perDay)]
			put(clickstore.Level2, int64(id), clickstore.BlockKey(d, int64(i/clickblock.MaxClicks)),
				clickstore.SpanOf(some), p.Pack(some))
		}
	}
	put(clickstore.Totals, clickstore.BucketOf(id), 0, clickstore.Span{},
		clickstore.OneTotal(id, yearDays*int64(perDay), (springDay+yearDays).Start()))
}
