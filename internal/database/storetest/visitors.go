package storetest

import (
	"fmt"
	"hash/fnv"
	"sync"
	"testing"
	"time"

	"terse"
)

var visitorTests = storeTests{
	"a day has one key until it is over":                  visitorKeys,
	"of concurrent callers all get one key":               visitorKeyRace,
	"journals agree on first clicks":                      visitorsRace,
	"who clicks before a clear is a visitor after it":     visitorsClear,
	"a code that is used again has no visitors":           visitorsOfUsedCode,
	"late clicks find the visitors of their day":          visitorsMidnight,
	"days begin and end while clicks are counted":         visitorsChurn,
	"a journal that is never heard of does not keep them": visitorsDeadJournal,
}

var springDay = terse.DayOf(spring.UnixMicro())

// visits returns n clicks of people on links on a day. None of these people has clicked before.
func (j *journal) visits(links []terse.Link, n, people int, day terse.Day) []terse.Click {
	clicks := j.clicks(links, n, time.UnixMicro(day.Start()), 24*time.Hour)
	for i := range clicks {
		c := &clicks[i]
		if person := j.rng.IntN(people + 1); person > 0 { // 0 is a bot
			c.Visitor, c.Values[terse.ByVisitor] = hashOf(person, c.Link, day), terse.Person
		}
	}
	return clicks
}

// hashOf is a keyed hash of a person.
func hashOf(person int, link terse.LinkID, day terse.Day) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, person, link, day)
	return max(h.Sum64()*0x9E3779B97F4A7C15, 1)
}

// visit counts a batch, including its visitors.
func (j *journal) visit(clicks []terse.Click) {
	j.t.Helper()
	for _, c := range clicks {
		if j.seen[c.Visitor] {
			c.Visitor = 0
		} else if c.Visitor != 0 {
			j.seen[c.Visitor] = true
		}
		j.counted[c.Link] = append(j.counted[c.Link], c)
	}
	j.feed(clicks)
}

// know makes all people known on springDay, so that none of their further clicks is a first.
func (j *journal) know(links []terse.Link, people int) {
	for person := range people + 1 {
		for _, link := range links {
			j.seen[hashOf(person, link.ID, springDay)] = true
		}
	}
}

// keep makes a store keep the visitors of days.
func keep(t *testing.T, s Store, days ...terse.Day) {
	t.Helper()
	for _, day := range days {
		_, err := s.VisitorKey(t.Context(), day)
		must(t, err)
	}
}

func visitorKeys(t *testing.T, s Store) {
	key := func(day terse.Day) terse.VisitorKey {
		t.Helper()
		key, err := s.VisitorKey(t.Context(), day)
		must(t, err)
		if key == (terse.VisitorKey{}) {
			t.Errorf("the key of %v is no key", day)
		}
		return key
	}
	wantOver := func(days ...terse.Day) {
		t.Helper()
		for _, day := range days {
			if key, err := s.VisitorKey(t.Context(), day); key != (terse.VisitorKey{}) {
				t.Errorf("the key of %v is still there", day)
			} else {
				wantError(t, fmt.Sprint("key of ", day), err, terse.ErrNotFound)
			}
		}
	}
	first, second := key(springDay), key(springDay+1)
	if first == second || key(springDay) != first || key(springDay+1) != second {
		t.Error("a day has not its own key")
	}
	must(t, s.EndDays(t.Context(), "j", springDay, false))
	wantEqual(t, "key of today", key(springDay), first)
	must(t, s.EndDays(t.Context(), "j", springDay+1, false))
	wantOver(springDay)
	wantEqual(t, "key of today", key(springDay+1), second)
	key(springDay + 2)
	wantOver(springDay)
	key(springDay + 5) // a few days were skipped
	wantOver(springDay+1, springDay+3)
	must(t, s.EndDays(t.Context(), "j", springDay+6, true))
	wantOver(springDay+1, springDay+2, springDay+5)
}

func visitorKeyRace(t *testing.T, s Store) {
	keys := make(chan terse.VisitorKey, 8)
	together(cap(keys), func(int) {
		key, err := s.VisitorKey(t.Context(), springDay)
		if err != nil {
			t.Error(err)
		}
		keys <- key
	})
	want := <-keys
	for len(keys) > 0 {
		wantEqual(t, "key", <-keys, want)
	}
}

// visitorsExact: links with few visitors and many, on two days, in batches of all sizes.
func visitorsExact(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 30)
	j.visit(j.visits(links, 100, 20, springDay)) // no key, no visitors
	for id, clicks := range j.counted {
		for i := range clicks {
			j.counted[id][i].Visitor = 0
		}
	}
	clear(j.seen)
	keep(t, s, springDay, springDay+1)
	for batch := range 40 {
		day := springDay + terse.Day(j.rng.IntN(2))
		j.visit(j.visits(links, 1+j.rng.IntN(400), 100, day))
		j.visit(j.visits(links[:2], 1+j.rng.IntN(400), 1900, springDay))
		if batch == 20 {
			j.compareEach(links[:1])
		}
	}
	j.compareEach(links[:4])
}

// visitorsRace: several journals have clicks of the same people.
func visitorsRace(t *testing.T, s Store) {
	const journals, batches, people = 4, 15, 300
	keep(t, s, springDay)
	j, links := newJournalOf(t, s, 20)
	var wg sync.WaitGroup
	for n := range journals {
		own := newJournal(t, s)
		own.name = fmt.Sprint("journal", n)
		for range n {
			own.rng.Uint64()
		}
		clicks := own.visits(links, batches*300, people, springDay)
		j.note(clicks)
		wg.Go(func() {
			for i := range batches {
				own.feed(clicks[i*300 : (i+1)*300])
			}
		})
	}
	wg.Wait()
	all := int64(0)
	for _, link := range links {
		seen := map[uint64]bool{0: true}
		for _, c := range j.counted[link.ID] {
			seen[c.Visitor] = true
		}
		got := seriesOf(t, s, link.Ref(), ever)
		wantEqual(t, "visitors", got.Visitors, int64(len(seen)-1))
		all += got.Visitors
	}
	got := seriesOf(t, s, terse.AllLinks, AllTime)
	wantEqual(t, "visitors of all links", got.Visitors, all)
}

func visitorsMany(t *testing.T, s Store) {
	const people, batches = 20_000, 20
	keep(t, s, springDay)
	j, links := newJournalOf(t, s, 2)
	person := 0
	for range batches {
		clicks := j.clicks(links[:1], people/batches, spring, time.Minute)
		for i := range clicks {
			person++
			clicks[i].Visitor = hashOf(person, clicks[i].Link, springDay)
			clicks[i].Values[terse.ByVisitor] = terse.Person
		}
		j.feed(clicks)
		j.feed(j.visits(links[1:], 30, 100, springDay))
	}
	got := seriesOf(t, s, links[0].Ref(), ever)
	if off := float64(got.Visitors)/people - 1; off < -0.02 || off > 0.02 {
		t.Errorf("%d visitors of %d", got.Visitors, people)
	}
	wantEqual(t, "clicks", got.Total, people)
}

func visitorsAgain(t *testing.T, s Store) {
	keep(t, s, springDay)
	j, links := newJournalOf(t, s, 3)
	for range 5 {
		clicks := j.visits(links, 50, 30, springDay)
		batch := Batch(j.name, j.position, clicks...)
		j.visit(clicks)
		batch.To = j.position
		if err := s.AddClicks(t.Context(), batch); err == nil {
			t.Error("a batch is counted again")
		}
	}
	j.compareEach(links)
}

func visitorsClear(t *testing.T, s Store) {
	keep(t, s, springDay, springDay+1)
	j, links := newJournalOf(t, s, 4)
	batch := func() {
		j.visit(j.visits(links[:3], 300, 60, springDay))
		j.visit(j.visits(links[:3], 300, 60, springDay+1))
		j.visit(j.visits(links[3:], 3000, 100_000, springDay))
	}
	batch()
	for _, link := range []terse.Link{links[0], links[3], links[0]} {
		must(t, s.ClearClicks(t.Context(), me, link.Ref()))
		for person := range 100_001 {
			delete(j.seen, hashOf(person, link.ID, springDay))
			delete(j.seen, hashOf(person, link.ID, springDay+1))
		}
		j.counted[link.ID] = nil
		batch()
		for _, link := range links[:3] {
			j.compareSeries(link.Ref(), j.counted[link.ID])
		}
	}
	got := seriesOf(t, s, links[3].Ref(), ever)
	if got.Total != 6000 || got.Visitors < 5700 || got.Visitors > 6000 {
		t.Errorf("%d visitors of %d clicks", got.Visitors, got.Total)
	}
}

func visitorsOfUsedCode(t *testing.T, s Store) {
	keep(t, s, springDay)
	j := newJournal(t, s)
	before := j.create(1)[0]
	clicks := j.visits([]terse.Link{before}, 200, 50, springDay)
	j.feed(clicks)
	must(t, s.Delete(t.Context(), me, before))
	link := create(t, s, before.Code.String())
	for i := range clicks {
		clicks[i].Link = link.ID
	}
	j.visit(clicks)
	j.compareSeries(link.Ref(), j.counted[link.ID])
	series := seriesOf(t, s, terse.AllLinks, AllTime)
	wantEqual(t, "visitors of all links", series.Visitors,
		2*WantSeries(j.counted[link.ID], ever).Visitors)
}

// visitorsMidnight: a journal is done with a day, another is not, because the database was away.
func visitorsMidnight(t *testing.T, s Store) {
	keep(t, s, springDay, springDay+1)
	early, late := newJournal(t, s), newJournal(t, s)
	early.name, late.name = "early", "late"
	late.seen, late.counted = early.seen, early.counted
	late.rng.Uint64()
	for _, j := range []*journal{early, late} {
		must(t, s.EndDays(t.Context(), j.name, springDay, true))
	}
	links := early.create(2)
	for _, j := range []*journal{early, late} {
		j.visit(j.visits(links, 500, 100, springDay))
	}
	must(t, s.EndDays(t.Context(), early.name, springDay+1, false))
	must(t, s.EndDays(t.Context(), early.name, springDay+1, true))
	must(t, s.EndDays(t.Context(), late.name, springDay+1, false))
	for _, j := range []*journal{early, late, early} {
		j.visit(j.visits(links, 200, 100, springDay))
		j.visit(j.visits(links, 200, 100, springDay+1))
	}
	early.compareEach(links)

	// Now no click waits. One that still arrives is not a first.
	must(t, s.EndDays(t.Context(), late.name, springDay+1, true))
	early.know(links, 100)
	for _, j := range []*journal{early, late} {
		j.visit(j.visits(links, 200, 100, springDay))
		j.visit(j.visits(links, 200, 100, springDay+1))
	}
	early.compareEach(links)
	keep(t, s, springDay+2)
	early.visit(early.visits(links, 500, 100, springDay+2))
	late.visit(late.visits(links, 500, 100, springDay+2))
	early.compareEach(links)
}

// visitorsDeadJournal: hashes that wait for a journal that does not come back are deleted two days
// later.
func visitorsDeadJournal(t *testing.T, s Store) {
	keep(t, s, springDay)
	must(t, s.EndDays(t.Context(), "dead", springDay, true))
	must(t, s.EndDays(t.Context(), "alive", springDay, true))
	j, links := newJournalOf(t, s, 3)
	j.visit(j.visits(links, 200, 50, springDay))
	keep(t, s, springDay+1)
	must(t, s.EndDays(t.Context(), "alive", springDay+1, true))
	j.visit(j.visits(links, 200, 50, springDay))
	j.compareEach(links)
	keep(t, s, springDay+2)
	j.know(links, 50)
	j.visit(j.visits(links, 200, 50, springDay))
	j.visit(j.visits(links, 200, 50, springDay+2))
	j.compareEach(links)
}

// visitorsChurn: days begin and end, and links are cleared, while journals are counted.
func visitorsChurn(t *testing.T, s Store) {
	const journals, batches = 3, 12
	links := newJournal(t, s).create(20)
	keep(t, s, springDay, springDay+1)
	var wg sync.WaitGroup
	for n := range journals {
		own := newJournal(t, s)
		own.name = fmt.Sprint("journal", n)
		wg.Go(func() {
			for i := range batches {
				day := springDay + terse.Day(i/4)
				own.feed(own.visits(links, 200, 50, day))
				own.feed(own.visits(links, 200, 50, max(day-1, springDay)))
				if err := s.EndDays(t.Context(), own.name, day, i%4 == 3); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for range 2 * batches {
			if err := s.ClearClicks(t.Context(), me, links[0].Ref()); err != nil {
				t.Error(err)
			}
		}
		keep(t, s, springDay+2)
	})
	wg.Wait()
	got := seriesOf(t, s, terse.AllLinks, AllTime)
	wantEqual(t, "clicks", got.Total, journals*batches*400)
}
