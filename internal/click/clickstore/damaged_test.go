package clickstore_test

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"terse"
	"terse/internal/click/clickstore"
)

// A click that no visit can make is counted with what an answer can have of it.
func TestValuesAndTimesAreMadeValid(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	id := m.ids[0]
	link := m.links.All[id]
	for _, at := range []int64{math.MinInt64, -1 << 61, spring, 1 << 61, math.MaxInt64} {
		c := terse.Click{Link: id, Code: link.Codes[0], Time: at}
		c.Values[terse.ByCountry] = "\xff\xfe"
		c.Values[terse.ByCampaign] = "a\xc3("
		c.Values[terse.ByReferrer] = strings.Repeat("x", terse.MaxValueBytes+1)
		batch := terse.ClicksOf(c)
		m.transact(func(c *clickstore.Counter) error {
			_, err := c.Add(&batch, false)
			return err
		})
	}
	for _, of := range []terse.LinkID{id, link.Owner.Link()} {
		series, err := clickstore.Series(m.rows, single(of),
			terse.SeriesQuery{Range: terse.AllTime})
		m.must(err)
		for d, by := range series.By {
			for value := range by {
				if !utf8.ValidString(value) || len(value) > terse.MaxValueBytes {
					t.Errorf("%v %q", terse.Dimension(d), value)
				}
			}
		}
		page, err := clickstore.Events(m.rows, clickstore.Asked{
			Links: []terse.LinkID{of}, Exist: func(ids []terse.LinkID) ([]terse.LinkRef, error) {
				return []terse.LinkRef{{ID: ids[0]}}, nil
			},
		}, terse.EventQuery{Range: terse.AllTime, Limit: 10})
		m.must(err)
		listed := int64(0)
		for _, e := range page.Events {
			listed += e.Count
		}
		if series.Total != 5 || listed != 5 {
			t.Errorf("%d clicks, and %d in events, want 5", series.Total, listed)
		}
		for _, e := range page.Events {
			if _, err := time.UnixMicro(e.Time).UTC().MarshalText(); err != nil {
				t.Error(err)
			}
		}
	}
}
