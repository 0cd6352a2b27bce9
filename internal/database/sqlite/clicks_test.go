package sqlite_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
)

// spread feeds a store clicks of many links, a few each, and counts them the naive way.
type spread struct {
	t       *testing.T
	links   int64
	path    string
	store   *sqlite.Store
	rng     *rand.Rand
	from    int64 // time of the first clicks: all come when the store has been opened
	batches int64
	counted map[terse.LinkID][]terse.Click
	all     int64
}

// manyLinks are in many buckets.
const manyLinks = 17_000

// newSpread creates that many links.
func newSpread(t *testing.T, links int64) *spread {
	s, path := openSpread(t, int(links), 1)
	return &spread{
		t: t, links: links, path: path, store: s, rng: rand.New(rand.NewPCG(1, 2)),
		from: time.Now().UnixMicro(), counted: map[terse.LinkID][]terse.Click{},
	}
}

func (s *spread) link(id terse.LinkID) terse.Link {
	return terse.Link{ID: id, Code: storetest.SeededCode(s.t, int(id))}
}

// click returns a click of a link, after those of all batches before.
func (s *spread) click(id terse.LinkID) terse.Click {
	return terse.Click{
		Link: id, Code: s.link(id).Code, Time: s.from + s.batches*3_600_000_000 +
			s.rng.Int64N(7_200_000_000),
		Values: terse.Values{terse.ByCountry: terse.Country{
			'A' + byte(s.rng.IntN(5)),
			'X',
		}.String(), terse.ByReferrer: fmt.Sprintf("https://site%d.example/",
			s.rng.IntN(30))},
	}
}

// add adds n clicks on links, and on some that never existed.
func (s *spread) add(n int) {
	s.t.Helper()
	clicks := make([]terse.Click, n)
	for i := range clicks {
		clicks[i] = s.click(1 + terse.LinkID(s.rng.Int64N(s.links+200)))
	}
	s.addThese(clicks)
}

func (s *spread) addThese(clicks []terse.Click) {
	s.t.Helper()
	for _, c := range clicks {
		if _, gone := s.counted[c.Link]; int64(c.Link) <= s.links &&
			!(gone && s.counted[c.Link] == nil) {
			s.counted[c.Link] = append(s.counted[c.Link], c)
			s.all++
		}
	}
	must(s.t, s.store.AddClicks(s.t.Context(), storetest.Batch("j", s.batches, clicks...)))
	s.batches++
}

// remove deletes a link, whose clicks are not counted from then on.
func (s *spread) remove(id terse.LinkID) {
	s.t.Helper()
	must(s.t, s.store.Delete(s.t.Context(), me, s.link(id)))
	s.counted[id] = nil
}

func (s *spread) compare(id terse.LinkID) {
	s.t.Helper()
	want := storetest.WantSeries(s.counted[id], terse.SeriesQuery{Range: terse.AllTime})
	got, err := s.store.Series(s.t.Context(), s.link(id).Ref(),
		terse.SeriesQuery{Range: terse.AllTime})
	must(s.t, err)
	if !reflect.DeepEqual(got, want) {
		s.t.Errorf("link %d has %+v, want %+v", id, got, want)
	}
	if clicks, err := s.store.Clicks(s.t.Context(), s.link(id).Ref()); err != nil ||
		clicks.Clicks != want.Total {
		s.t.Errorf("link %d has %d clicks, %v, want %d", id, clicks.Clicks, err, want.Total)
	}
}

// compareAll compares the counts of all links, the links with most clicks, a whole list, and what
// an operator sees.
func (s *spread) compareAll() {
	s.t.Helper()
	all, err := s.store.Series(s.t.Context(), terse.AllLinks, storetest.AllTime)
	must(s.t, err)
	if all.Total != s.all {
		s.t.Errorf("all links have %d clicks, want %d", all.Total, s.all)
	}
	clicked := maps.Clone(s.counted)
	maps.DeleteFunc(clicked,
		func(_ terse.LinkID, clicks []terse.Click) bool { return len(clicks) == 0 })
	ids := slices.SortedFunc(maps.Keys(clicked), func(a, b terse.LinkID) int {
		return cmp.Or(cmp.Compare(len(s.counted[b]), len(s.counted[a])), cmp.Compare(b, a))
	})
	most, err := s.store.Links(s.t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Limit: 100,
		Order: terse.MostClickedFirst,
	})
	must(s.t, err)
	for i, link := range most.Links[:min(len(most.Links), len(ids))] {
		if link.ID != ids[i] || link.Clicks != int64(len(s.counted[ids[i]])) {
			s.t.Errorf("link %d is number %d with %d clicks, want %d with %d", link.ID, i,
				link.Clicks, ids[i], len(s.counted[ids[i]]))
		}
	}
	newest, _, err := list(s.t, s.store, terse.Identity, int(s.links), 0)
	must(s.t, err)
	kept := int64(0)
	for _, link := range newest {
		if kept += link.Clicks; link.Clicks != int64(len(s.counted[link.ID])) {
			s.t.Errorf("link %d has %d clicks in the list, want %d", link.ID, link.Clicks,
				len(s.counted[link.ID]))
		}
	}
	for range 100 {
		if id := 1 + terse.LinkID(s.rng.Int64N(s.links)); s.counted[id] != nil {
			s.compare(id)
		}
	}
}

// Few clicks of each of many links are counted, while links are deleted: all counts stay right, and
// an answer reads a bounded number of new clicks.
func TestSpread(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	s := newSpread(t, manyLinks)
	compacted := false
	for i := range 40 {
		s.add(2000)
		if n := queryByHand(t, s.path, `SELECT max(n) FROM (
			SELECT count(*) AS n FROM level0 GROUP BY id >> 24)`); n > 64 {
			t.Errorf("a region has %d runs", n)
		}
		compacted = compacted ||
			queryByHand(t, s.path, "SELECT count(*) FROM level1 WHERE id >= 0") > 0
		if i%10 == 5 {
			for id := range terse.LinkID(20) {
				s.remove(1 + id*799 + terse.LinkID(i))
			}
		}
		if i%8 == 7 {
			s.compareAll()
		}
	}
	if !compacted {
		t.Error("no region was compacted")
	}
}

// Old clicks of links whose IDs are far apart are all dropped, those that came last, too.
func TestDropOfManyRegions(t *testing.T) {
	t.Parallel()
	const links, apart = 150, 4096
	s, path := openSpread(t, links, apart)
	clicks := make([]terse.Click, links)
	for i := range clicks {
		clicks[i] = terse.Click{
			Link: terse.LinkID((i + 1) * apart), Code: storetest.SeededCode(t, i+1),
			Time: int64(i%2) * 1_000_000,
		}
	}
	must(t, s.AddClicks(t.Context(), storetest.Batch("j", 0, clicks...)))
	must(t, s.DropClicks(t.Context(), time.UnixMicro(1)))
	if n := queryByHand(t, path,
		"SELECT count(DISTINCT a) FROM dropped_counts WHERE a > 0"); n != 75 {
		t.Errorf("clicks of %d links are dropped, want 75", n)
	}
	if n := queryByHand(t, path, "SELECT count(*) FROM level0 WHERE first = 0"); n != 0 {
		t.Errorf("%d blocks have old clicks", n)
	}
	events, err := s.Events(t.Context(), terse.AllLinks, terse.EventQuery{
		Owner: terse.Identity, Range: terse.AllTime, Limit: links,
	})
	must(t, err)
	if len(events.Events) != 75 {
		t.Errorf("%d clicks are left, want 75", len(events.Events))
	}
}

// A link that was looked up is not looked for again when its clicks are counted, but when it may
// have been deleted.
func TestKnownLinks(t *testing.T) {
	t.Parallel()
	s := newSpread(t, 300)
	for id := range terse.LinkID(100) {
		_, err := s.store.Link(t.Context(), s.link(1+id*3).Code)
		must(t, err)
	}
	s.remove(1)
	byHand(t, s.path, "DELETE FROM links WHERE id = 4")
	s.counted[4] = nil
	var clicks []terse.Click
	for id := range terse.LinkID(100) {
		clicks = append(clicks, s.click(1+id*3))
	}
	s.addThese(clicks)
	s.addThese(slices.Clone(clicks))
	s.remove(7)
	byHand(t, s.path, "DELETE FROM links WHERE id = 10")
	s.counted[10] = nil
	s.addThese(slices.Clone(clicks))
	s.compareAll()
}

// The clicks of a bucket's links are counted for the owner of each, also where all links are looked
// up together.
func TestKnownOwners(t *testing.T) {
	t.Parallel()
	s := newSpread(t, 300)
	byHand(t, s.path, "UPDATE links SET created_by = 'somebody' WHERE id % 3 = 1",
		"UPDATE links SET created_by = 'nobody' WHERE id % 3 = 2", "DELETE FROM links WHERE id = 9")
	want := map[string]int64{terse.Identity: 0, "somebody": 0, "nobody": 0}
	for range 2 {
		var clicks []terse.Click
		for id := range terse.LinkID(100) {
			switch click := s.click(1 + id); {
			case click.Link%3 == 2: // nobody's are not clicked
			case click.Link%3 == 1:
				want["somebody"]++
				clicks = append(clicks, click)
			default:
				if click.Link != 9 {
					want[terse.Identity]++
				}
				clicks = append(clicks, click)
			}
		}
		s.addThese(clicks)
	}
	for owner, n := range want {
		q := storetest.AllTime
		q.Owner = owner
		series, err := s.store.Series(t.Context(), terse.AllLinks, q)
		must(t, err)
		if series.Total != n {
			t.Errorf("%d clicks are counted for %s, want %d", series.Total, owner, n)
		}
	}
}

// A failed batch leaves nothing behind that the next one would count.
func TestFailedBatch(t *testing.T) {
	t.Parallel()
	s := newSpread(t, 300)
	s.addThese([]terse.Click{s.click(1), s.click(2)})
	byHand(t, s.path, "CREATE TABLE saved AS SELECT * FROM totals",
		"UPDATE totals SET value = x'0203' WHERE id < 0") // which are read last
	failing := storetest.Batch("j", s.batches, s.click(1))
	if err := s.store.AddClicks(t.Context(), failing); err == nil {
		t.Error("AddClicks succeeds")
	}
	byHand(t, s.path, "REPLACE INTO totals SELECT * FROM saved", "DROP TABLE saved")
	s.addThese([]terse.Click{s.click(400)}) // of no link
	s.compareAll()
}

// After a backup is restored, IDs are assigned again: an older click belongs to the link of its
// code, or to none.
func TestKnownLinksSince(t *testing.T) {
	t.Parallel()
	s := newSpread(t, 300)
	_, err := s.store.Link(t.Context(), s.link(7).Code)
	must(t, err)
	stale := terse.Click{Link: 7, Code: code(t, "stale"), Time: s.from - 3_600_000_000}
	must(t, s.store.AddClicks(t.Context(), storetest.Batch("j2", 0, stale)))
	s.compare(7)
	all, err := s.store.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	if all.Total != 0 {
		t.Errorf("%d clicks of all links", all.Total)
	}
}
