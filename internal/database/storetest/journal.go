package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"terse"
)

// spring is the time of most clicks in the tests.
var spring = time.Date(2026, 3, 28, 21, 0, 0, 0, time.UTC)

// journal feeds clicks to a store, and counts them the naive way.
type journal struct {
	t        *testing.T
	store    Store
	name     string
	owner    string // of the links that are asked about together
	position int64
	lost     int // clicks of links that do not exist
	rng      *rand.Rand
	counted  map[terse.LinkID][]terse.Click
	created  map[terse.LinkID]time.Time
	seen     map[uint64]bool // the visitors of links and days; counted has only firsts
}

func newJournal(t *testing.T, s Store) *journal {
	return &journal{
		t: t, store: s, name: "journal", owner: terse.Identity, rng: rand.New(rand.NewPCG(1, 2)),
		counted: map[terse.LinkID][]terse.Click{}, created: map[terse.LinkID]time.Time{},
		seen: map[uint64]bool{},
	}
}

// newJournalOf also creates links.
func newJournalOf(t *testing.T, s Store, links int) (*journal, []terse.Link) {
	t.Helper()
	j := newJournal(t, s)
	return j, j.create(links)
}

// create creates links, not in the order of their times, as an import does.
func (j *journal) create(n int) []terse.Link {
	j.t.Helper()
	links := make([]terse.Link, n)
	for i := range links {
		l := newLink(j.t, fmt.Sprintf("link%d", i))
		l.CreatedAt = spring.Add(-time.Duration(i*37%101) * time.Minute)
		links[i] = mustCreate(j.t, j.store, l)
		j.created[links[i].ID] = l.CreatedAt
	}
	return links
}

// clicks returns n random clicks of links.
func (j *journal) clicks(links []terse.Link, n int, from time.Time,
	span time.Duration,
) []terse.Click {
	clicks := make([]terse.Click, n)
	for i := range clicks {
		link := links[j.rng.IntN(len(links))]
		clicks[i] = terse.Click{
			Link: link.ID, Code: link.Code,
			Time: from.UnixMicro() + j.rng.Int64N(span.Microseconds()),
			Values: terse.Values{
				terse.ByCountry:  terse.Country{'A' + byte(j.rng.IntN(5)), 'X'}.String(),
				terse.ByReferrer: j.referrer(),
			},
		}
		if j.rng.IntN(3) > 0 { // the others have default values
			Person(j.rng, &clicks[i].Values)
		}
	}
	return clicks
}

func (j *journal) referrer() string {
	switch n := j.rng.IntN(40); n {
	case 0:
		return terse.OtherValue
	case 1, 2, 3:
		return terse.DirectReferrer
	default:
		return fmt.Sprintf("https://site%d.example/", n)
	}
}

// note counts clicks.
func (j *journal) note(clicks []terse.Click) {
	for _, c := range clicks {
		j.counted[c.Link] = append(j.counted[c.Link], c)
	}
}

// add counts a batch, and adds it to the store.
func (j *journal) add(clicks []terse.Click) {
	j.t.Helper()
	j.note(clicks)
	j.feed(clicks)
}

func (j *journal) addShuffled(clicks []terse.Click) {
	j.t.Helper()
	j.rng.Shuffle(len(clicks), func(a, b int) { clicks[a], clicks[b] = clicks[b], clicks[a] })
	j.add(clicks)
}

// feed adds a batch to the store, which may reorder it.
func (j *journal) feed(clicks []terse.Click) {
	j.t.Helper()
	to := j.position + 1 + j.rng.Int64N(1000)
	must(j.t, j.store.AddClicks(j.t.Context(), terse.ClickBatch{
		Journal: j.name, From: j.position,
		To: to, Clicks: terse.ClicksOf(clicks...), GiveUp: func(lost int) { j.lost += lost },
	}))
	j.position = to
}

// want counts the naive way.
func (j *journal) want(link terse.Link, r terse.TimeRange) terse.Series {
	return WantSeries(j.counted[link.ID], terse.SeriesQuery{Range: r})
}

func (j *journal) compare(link terse.Link, r terse.TimeRange) {
	j.t.Helper()
	got := seriesOf(j.t, j.store, link.Ref(), terse.SeriesQuery{Range: r})
	first, last := r.Micros()
	wantEqual(j.t, fmt.Sprintf("statistics from %d to %d", first, last), got, j.want(link, r))
}

// compareEver compares all time.
func (j *journal) compareEver(links ...terse.Link) {
	j.t.Helper()
	for _, link := range links {
		j.compare(link, terse.AllTime)
	}
}

// compareRanges compares all time, and ranges whose ends are at clicks and days, or one microsecond
// off.
func (j *journal) compareRanges(links ...terse.Link) {
	j.t.Helper()
	for _, link := range links {
		j.compareEver(link)
		for range 12 {
			a, b := j.edge(link), j.edge(link)
			if a != b {
				j.compare(link, timeRange(j.t, min(a, b), max(a, b)))
			}
		}
	}
}

// edge returns a time at or beside a click of a link, or the beginning of its day.
func (j *journal) edge(link terse.Link) int64 {
	clicks := j.counted[link.ID]
	if len(clicks) == 0 {
		return 0
	}
	at := clicks[j.rng.IntN(len(clicks))].Time
	if j.rng.IntN(2) == 0 {
		at = terse.DayOf(at).Start()
	}
	return at + int64(j.rng.IntN(3)) - 1
}

// compareList compares the clicks in the list with those counted.
func (j *journal) compareList() {
	j.t.Helper()
	links, _ := list(j.t, j.store, terse.Identity, 1000, 0)
	for _, link := range links {
		wantEqual(j.t, fmt.Sprintf("clicks of link %v in the list", link.Code), link.Clicks,
			int64(len(j.counted[link.ID])))
	}
}

// addMixed is add for clicks that may belong to none of the links.
func (j *journal) addMixed(links []terse.Link, clicks []terse.Click) {
	j.t.Helper()
	for _, link := range links {
		for _, c := range clicks {
			if c.Link == link.ID && c.Code == link.Code {
				j.counted[link.ID] = append(j.counted[link.ID], c)
			}
		}
	}
	j.feed(clicks)
}

// wantSums checks that every map adds up to the total.
func wantSums(t *testing.T, s terse.Series) {
	t.Helper()
	for d := range terse.NumDimensions {
		wantEqual(t, "sum by "+d.String(), sumOf(s.By[d]), s.Total)
	}
	wantEqual(t, "sum of the intervals", sumOf(s.ByInterval), s.Total)
}

func sumOf[K comparable](counts map[K]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
