package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"terse"
)

// spring is when most clicks of the tests are.
var spring = time.Date(2026, 3, 28, 21, 0, 0, 0, time.UTC)

// journal feeds a store, and counts what it feeds the naive way.
type journal struct {
	t        *testing.T
	store    terse.Store
	name     string
	position int64
	rng      *rand.Rand
	counted  map[terse.LinkID][]terse.Click
}

func newJournal(t *testing.T, s terse.Store) *journal {
	return &journal{
		t: t, store: s, name: "journal", rng: rand.New(rand.NewPCG(1, 2)),
		counted: map[terse.LinkID][]terse.Click{},
	}
}

func (j *journal) create(n int) []terse.Link {
	j.t.Helper()
	links := make([]terse.Link, n)
	for i := range links {
		links[i] = create(j.t, j.store, fmt.Sprintf("link%d", i))
	}
	return links
}

// clicks returns n random clicks of some links.
func (j *journal) clicks(links []terse.Link, n int, from time.Time,
	span time.Duration,
) []terse.Click {
	clicks := make([]terse.Click, n)
	for i := range clicks {
		link := links[j.rng.IntN(len(links))]
		clicks[i] = terse.Click{
			Link: link.ID, Code: link.Code, Time: from.UnixMicro() +
				j.rng.Int64N(span.Microseconds()),
			Values: terse.Values{terse.ByCountry: terse.Country{
				'A' + byte(j.rng.IntN(5)),
				'X',
			}.String(), terse.ByReferrer: j.referrer()},
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

// add counts a batch, and gives it to the store.
func (j *journal) add(clicks []terse.Click) {
	j.t.Helper()
	for _, c := range clicks {
		j.counted[c.Link] = append(j.counted[c.Link], c)
	}
	j.feed(clicks)
}

// feed gives a batch to the store, which may reorder it.
func (j *journal) feed(clicks []terse.Click) {
	j.t.Helper()
	to := j.position + 1 + j.rng.Int64N(1000)
	must(j.t, j.store.AddClicks(j.t.Context(), terse.ClickBatch{
		Journal: j.name, From: j.position,
		To: to, Clicks: clicks,
	}))
	j.position = to
}

// want counts the naive way.
func (j *journal) want(link terse.Link, r terse.TimeRange) terse.Series {
	return wantSeries(j.counted[link.ID], terse.SeriesQuery{Range: r})
}

func (j *journal) compare(link terse.Link, r terse.TimeRange) {
	j.t.Helper()
	got, err := j.store.Series(j.t.Context(), link.Ref(), terse.SeriesQuery{Range: r})
	must(j.t, err)
	first, last := r.Micros()
	wantEqual(j.t, fmt.Sprintf("statistics from %d to %d", first, last), got, j.want(link, r))
}

// compareRanges compares all time, and ranges whose ends lie at, and one microsecond beside, clicks
// and days.
func (j *journal) compareRanges(link terse.Link) {
	j.t.Helper()
	j.compare(link, terse.AllTime)
	clicks := j.counted[link.ID]
	if len(clicks) == 0 {
		return
	}
	end := func() int64 {
		at := clicks[j.rng.IntN(len(clicks))].Time
		if j.rng.IntN(2) == 0 {
			at = terse.DayOf(at).Start()
		}
		return at + int64(j.rng.IntN(3)) - 1
	}
	for range 12 {
		a, b := end(), end()
		if a != b {
			j.compare(link, timeRange(j.t, min(a, b), max(a, b)))
		}
	}
}

// compareList compares the clicks of the list with those that were counted.
func (j *journal) compareList() {
	j.t.Helper()
	links, _, err := list(j.t.Context(), j.store, terse.Identity, 1000, 0)
	must(j.t, err)
	for _, link := range links {
		wantEqual(j.t, fmt.Sprintf("clicks of link %v in the list", link.Code), link.Clicks,
			int64(len(j.counted[link.ID])))
	}
}

func countBusy(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(1)
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

// countQuiet has few clicks a day over years, in batches that are not in order.
func countQuiet(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(1)
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
// many.
func countFew(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(2)
	for i := range 300 {
		j.add(j.clicks(links[:1+i%2], 1+i%17, spring, 40*24*time.Hour))
		if i%60 == 50 {
			j.compareRanges(links[0])
		}
	}
	j.compareRanges(links[0])
	j.compareRanges(links[1])
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

func countMixed(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(300)
	for i := range 8 {
		from := spring.Add(time.Duration(i) * 20 * time.Hour)
		clicks := j.clicks(links, 700, from, 50*time.Hour)
		clicks = append(clicks, j.clicks(links[:2], 6000, from, 50*time.Hour)...)
		clicks = append(clicks, j.clicks(links[:10], 2000, from, 300*24*time.Hour)...)
		j.rng.Shuffle(len(clicks), func(a, b int) { clicks[a], clicks[b] = clicks[b], clicks[a] })
		j.add(clicks)
	}
	for i := 0; i < len(links); i += 1 + i/4 {
		j.compareRanges(links[i])
	}
	j.compareList()
}

// countMany has more links than a store looks at in one go, of which each tenth was never made, and
// some with many clicks behind them.
func countMany(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	var links, made []terse.Link
	for i := range 2600 {
		links = append(links, terse.Link{ID: 1_000_000, Code: code(t, fmt.Sprintf("link%d", i))})
	}
	var creating sync.WaitGroup
	for from := range 20 {
		creating.Go(func() {
			for i := from; i < len(links); i += 20 {
				if i%10 == 0 {
					continue
				}
				link, err := s.Create(t.Context(), newLink(t, links[i].Code.String()))
				if err != nil {
					t.Error(err)
				}
				links[i] = link
			}
		})
	}
	creating.Wait()
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
		j.rng.Shuffle(len(clicks), func(a, b int) { clicks[a], clicks[b] = clicks[b], clicks[a] })
		j.add(clicks)
		delete(j.counted, 1_000_000)
	}
	for i := 0; i < len(made); i += 100 {
		j.compare(made[i], terse.AllTime)
	}
	j.compareRanges(warm)
	j.compareRanges(hot)
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

// countAlike has links whose codes begin or end alike, also when they are as long as codes get, and
// codes that begin others. Clicks of a code that was chosen anew are mixed with late ones of the
// link that had it before, and with those that have a link's ID and nearly its code.
func countAlike(t *testing.T, s terse.Store) {
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
	must(t, s.Delete(t.Context(), old.Ref()))
	links[1] = create(t, s, old.Code.String())
	bystander := create(t, s, "campaign-2026-autumn")
	stale := terse.Link{ID: bystander.ID, Code: code(t, "campaign-2026-autumm")}
	for i := range 6 {
		j.add(j.clicks(append(links, old, stale), 400+3000*(i%2),
			spring.Add(time.Duration(i)*time.Hour), 50*time.Hour))
		delete(j.counted, old.ID)
		delete(j.counted, stale.ID)
	}
	for _, link := range append(links, bystander) {
		j.compareRanges(link)
	}
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

// countByIDAndCode mixes clicks of links with stale ones, which have a link's ID and another code,
// as after a backup was put back. Neither makes the store drop or count the other, whichever comes
// first in a batch.
func countByIDAndCode(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(6)
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
	// The last link had stale clicks before it had any of its own, and so will those that are
	// created next.
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
	for _, link := range links {
		j.compare(link, terse.AllTime)
	}
	j.compareList()
	j.compareSeries(terse.AllLinks, j.all())
}

// addMixed is add for clicks some of which are of none of the links.
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

func countLate(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(1)
	for i := range 6 {
		j.add(j.clicks(links, 2000, spring.Add(time.Duration(i)*24*time.Hour), 24*time.Hour))
		j.add(j.clicks(links, 3, spring, 24*time.Hour))
		j.compareRanges(links[0])
	}
	j.add(j.clicks(links, 2000, spring, 24*time.Hour))
	j.compareRanges(links[0])
}

// countEdges has clicks at the first and last microseconds of days only.
func countEdges(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(1)
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

func countOdd(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(1)
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
		j.compare(links[0], terse.AllTime)
		for _, at := range times[:5] {
			j.compare(links[0], timeRange(t, at, at+1))
			j.compare(links[0], timeRange(t, at, spring.UnixMicro()))
			j.compare(links[0], timeRange(t, at-1, at))
		}
	}
}

// countLong has referrers so long that few clicks make a large row, and then so many of them that a
// store looks at the batch in parts.
func countLong(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(2)
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
	for _, link := range links {
		j.compare(link, terse.AllTime)
	}
	all, err := s.Series(t.Context(), terse.AllLinks, terse.SeriesQuery{Range: terse.AllTime})
	must(t, err)
	wantEqual(t, "clicks of all links", all.Total, int64(len(j.all())))
}

// countManyReferrers has 10,000 referrers and some more on a day, the last of them one by one, and
// 500 on the next. The first ones keep their names.
func countManyReferrers(t *testing.T, s terse.Store) {
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
	for _, r := range []terse.TimeRange{
		terse.AllTime,
		timeRange(t, day.UnixMicro(), day.Add(24*time.Hour).UnixMicro()-1),
		timeRange(t, day.UnixMicro()+1, day.Add(24*time.Hour).UnixMicro()-1),
		timeRange(t, noon, day.Add(30*time.Hour).UnixMicro()),
	} {
		got, err := s.Series(t.Context(), link.Ref(), terse.SeriesQuery{Range: r})
		must(t, err)
		wantSums(t, got)
		want := j.want(link, r)
		wantEqual(t, "total", got.Total, want.Total)
		if n := len(got.By[terse.ByReferrer]); n > terse.MaxReferrersPerDay+1 {
			t.Errorf("%d referrers", n)
		}
		for name, n := range got.By[terse.ByReferrer] {
			if name != terse.OtherValue && n > want.By[terse.ByReferrer][name] {
				t.Errorf("%s was counted %d times, it occurs %d times", name, n,
					want.By[terse.ByReferrer][name])
			}
		}
	}
	got, err := s.Series(t.Context(), link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	must(t, err)
	wantEqual(t, "other", got.By[terse.ByReferrer][terse.OtherValue], 2*more)
}

// wantSums wants every map to add up to the total.
func wantSums(t *testing.T, s terse.Series) {
	t.Helper()
	for name, counts := range map[string]map[string]int64{
		"countries": s.By[terse.ByCountry],
		"referrers": s.By[terse.ByReferrer],
	} {
		wantEqual(t, "sum of the "+name, sumOf(counts), s.Total)
	}
	wantEqual(t, "sum of the intervals", sumOf(s.ByInterval), s.Total)
}

func sumOf[K comparable](counts map[K]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// countSnapshot reads while batches of equal size are added: an answer has whole batches only.
func countSnapshot(t *testing.T, s terse.Store) {
	var last int64
	countWhileAdding(t, s, func(got terse.Series, _, _ int64) {
		wantSums(t, got)
		if got.Total%addedAtOnce != 0 || got.Total < last {
			t.Fatalf("%d clicks after %d, in batches of %d", got.Total, last, addedAtOnce)
		}
		last = got.Total
	})
}

// countPosition compares answers with the journal's position.
func countPosition(t *testing.T, s terse.Store) {
	countWhileAdding(t, s, func(got terse.Series, before, after int64) {
		if got.Total < before*addedAtOnce || got.Total > after*addedAtOnce {
			t.Fatalf("%d clicks between the positions %d and %d, in batches of %d",
				got.Total, before, after, addedAtOnce)
		}
	})
}

const addedAtOnce = 330

// countWhileAdding calls check for statistics of a link, between two positions of the journal whose
// batches are added meanwhile, and in the end when all are.
func countWhileAdding(t *testing.T, s terse.Store,
	check func(got terse.Series, before, after int64),
) {
	t.Helper()
	const batches = 60
	j := newJournal(t, s)
	link := j.create(1)[0]
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range int64(batches) {
			clicks := j.clicks([]terse.Link{link}, addedAtOnce, spring, 40*24*time.Hour)
			batch := terse.ClickBatch{Journal: "j", From: i, To: i + 1, Clicks: clicks}
			if err := s.AddClicks(t.Context(), batch); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		before, err := s.JournalPosition(t.Context(), "j")
		must(t, err)
		got, err := s.Series(t.Context(), link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
		must(t, err)
		after, err := s.JournalPosition(t.Context(), "j")
		must(t, err)
		check(got, before, after)
		if !running {
			wantEqual(t, "clicks", got.Total, batches*addedAtOnce)
		}
	}
}

func positionConflict(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(1)
	early := terse.ClickBatch{
		Journal: j.name, From: 1, To: 2,
		Clicks: j.clicks(links, 10, spring, time.Hour),
	}
	if err := s.AddClicks(t.Context(), early); err == nil {
		t.Error("the first batch of a journal is counted from 1 on")
	}
	j.add(j.clicks(links, 10, spring, time.Hour))
	for _, from := range []int64{0, j.position - 1, j.position + 1} {
		clicks := j.clicks(links, 10, spring, time.Hour)
		if err := s.AddClicks(t.Context(), terse.ClickBatch{
			Journal: j.name, From: from,
			To: from + 9, Clicks: clicks,
		}); err == nil {
			t.Errorf("a batch from %d is counted at position %d", from, j.position)
		}
	}
	at, err := s.JournalPosition(t.Context(), j.name)
	must(t, err)
	wantEqual(t, "position", at, j.position)
	j.compare(links[0], terse.AllTime)
	j.add(j.clicks(links, 10, spring, time.Hour))
	j.compare(links[0], terse.AllTime)
}

// batchRace: 4 callers add the same batches at the same time, and others of journals of their own
// in between.
func batchRace(t *testing.T, s terse.Store) {
	const callers, batches = 4, 25
	j := newJournal(t, s)
	links := j.create(2)
	for i := range int64(batches) {
		clicks, counted := j.clicks(links, 40, spring, 48*time.Hour),
			make(chan []terse.Click, 2*callers)
		var wg sync.WaitGroup
		for caller := range callers {
			for _, name := range []string{j.name, fmt.Sprint("own", caller)} {
				batch := terse.ClickBatch{
					Journal: name, From: i, To: i + 1,
					Clicks: slices.Clone(clicks),
				}
				wg.Go(func() {
					if err := s.AddClicks(t.Context(), batch); err == nil {
						counted <- clicks
					} else if batch.Journal != j.name {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		wantEqual(t, "batches counted", len(counted), callers+1)
		for range len(counted) {
			for _, c := range <-counted {
				j.counted[c.Link] = append(j.counted[c.Link], c)
			}
		}
	}
	j.compareRanges(links[0])
	j.compareRanges(links[1])
	j.compareSeries(terse.AllLinks, j.all())
	j.compareList()
}

func positions(t *testing.T, s terse.Store) {
	for name, to := range map[string]int64{"a": 7, "b": 1 << 60} {
		at, err := s.JournalPosition(t.Context(), name)
		must(t, err)
		wantEqual(t, "position of a new journal", at, 0)
		must(t, s.AddClicks(t.Context(), terse.ClickBatch{Journal: name, To: to}))
		at, err = s.JournalPosition(t.Context(), name)
		must(t, err)
		wantEqual(t, "position", at, to)
	}
}

func unknownLinks(t *testing.T, s terse.Store) {
	j := newJournal(t, s)
	links := j.create(2)
	unknown := terse.Link{ID: links[1].ID + 1000, Code: code(t, "unknown")}
	// A link that has no clicks yet takes those of its own code only.
	stale := terse.Link{ID: links[1].ID, Code: code(t, "stale")}
	none := terse.Link{ID: -1, Code: stale.Code}
	huge := terse.Link{ID: math.MaxInt64, Code: stale.Code}
	// A large ID that ends like one with clicks.
	alike := terse.Link{ID: links[0].ID + 1<<52, Code: links[0].Code}
	j.add(j.clicks([]terse.Link{unknown, stale, none, huge, alike, links[0]}, 3000, spring,
		time.Hour))
	delete(j.counted, stale.ID)
	j.compare(links[0], terse.AllTime)
	j.compare(links[1], terse.AllTime)
	j.compareList()
	at, err := s.JournalPosition(t.Context(), j.name)
	must(t, err)
	wantEqual(t, "position", at, j.position)
}
