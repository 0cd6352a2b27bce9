package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/longtest"
	"terse/internal/pgtest"
	"terse/internal/storetest"
)

// What the migration makes of days is what counting makes of them; damaged sums are not passed
// over; a link that is deleted leaves none.
func TestMonths(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	s := open(t, url)
	link := storetest.CheckMonths(t, s, func(link terse.LinkID) int64 {
		return int64(count(t, url, fmt.Sprintf(
			"SELECT count(counts) FROM click_months WHERE link_id = %d", link)))
	})
	total := func() int64 {
		series, err := s.Series(t.Context(), link.Ref(), storetest.AllTime)
		must(t, err)
		return series.Total
	}
	const keys = "SELECT sum(month * (link_id + 1)) FROM click_months"
	before, clicks := count(t, url, keys), total()
	pgtest.Exec(t, url, "DROP TABLE click_months")
	migration, err := os.ReadFile("schema/0004_click_months.sql")
	must(t, err)
	pgtest.Exec(t, url, string(migration))
	if after := count(t, url, keys); before != after || total() != clicks {
		t.Errorf("the migration makes other months: %d, want %d", after, before)
	}
	pgtest.Exec(t, url, `UPDATE click_months SET counts = '\x0102'`)
	if _, err := s.Series(t.Context(), link.Ref(), storetest.AllTime); !errors.Is(err,
		clickblock.ErrDamaged) {
		t.Errorf("damaged months: %v", err)
	}
	must(t, s.Delete(t.Context(), link))
	wantCount(t, url, orphans, 0)
}

// TestMonthsOfNodes has two nodes count, of which one has months added up that the other has not.
// Ranges cut days beside such months.
func TestMonthsOfNodes(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	s := open(t, url)
	link := create(t, s, "link")
	src, clicks := 0, []terse.Click(nil)
	add := func(journal string, from, batches int) {
		for n := range batches {
			day := time.Date(2027, 1, 1+from+n, 0, 0, 0, 0, time.UTC).UnixMicro()
			batch := make([]terse.Click, 300)
			for i := range batch {
				batch[i] = terse.Click{
					Link: link.ID, Code: link.Code, Time: day + int64(i)*280_000_000,
				}
				batch[i].Values[terse.ByCountry] = []string{"DE", "FR", "US"}[src%3]
				src++
			}
			clicks = append(clicks, batch...)
			addClicks(t, s, journal, int64(n), batch...)
		}
	}
	add("a", 0, 400)
	add("b", 80, 20)
	const summed = "SELECT count(counts) FROM click_months WHERE code = '*%s'"
	for journal, want := range map[string]int{"a": 13, "b": 1} {
		if n := count(t, url, fmt.Sprintf(summed, journal)); n != want {
			t.Errorf("%d months of %s are added up, want %d", n, journal, want)
		}
	}
	at := func(month, day, hour int) int64 {
		return time.Date(2027, time.Month(month), day, hour, 0, 0, 0, time.UTC).UnixMicro()
	}
	for name, r := range map[string]terse.TimeRange{
		"all time":     terse.AllTime,
		"some months":  terse.Between(at(2, 4, 12), at(11, 9, 12)),
		"whole months": terse.Between(at(2, 1, 0), at(5, 1, 0)-1),
		"months alone": terse.Between(at(5, 31, 12), at(12, 1, 12)),
	} {
		q := terse.SeriesQuery{Range: r, Owner: terse.Identity}
		want := storetest.WantSeries(clicks, q)
		for _, of := range []terse.LinkRef{link.Ref(), terse.AllLinks} {
			got, err := s.Series(t.Context(), of, q)
			must(t, err)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s of %v: %d clicks, want %d", name, of, got.Total, want.Total)
			}
		}
	}
}
