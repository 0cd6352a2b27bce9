package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"terse"
)

// questions is the number of a store's answers that are compared with the model's.
const questions = 150

// modelSeed returns the seed of a run: always the same unless TERSE_TEST_SEED is set. Then every
// run of a process has another seed, so that `go test -count=67` asks 10,050 questions.
func modelSeed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("TERSE_TEST_SEED")
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	must(t, err)
	seed += modelRuns.Add(1)
	t.Log("seed", seed)
	return seed
}

var modelRuns atomic.Uint64

// model computes the answers of a store the naive way, from a list of all clicks.
type model struct {
	dropping
	links []terse.Link
	seen  map[visit]bool
	days  map[terse.Day]bool // days whose visitors are kept
}

type visit struct {
	link terse.LinkID
	who  uint64
}

// everything runs all operations that change statistics, in random order, and compares answers.
func everything(t *testing.T, s Store) {
	m := &model{
		dropping: dropping{journal: newJournal(t, s)}, seen: map[visit]bool{},
		days: map[terse.Day]bool{springDay: true, springDay + 1: true},
	}
	m.rng = rand.New(rand.NewPCG(modelSeed(t), 3))
	keep(t, s, springDay, springDay+1)
	for i := range 4 {
		m.links = append(m.links, m.create(fmt.Sprint("model", i)))
	}
	for asked := range questions {
		if asked%10 == 0 {
			m.step()
		}
		m.ask()
	}
}

// modelOwners are the owners of the model's links, but for the last, who has none.
var modelOwners = []string{terse.Identity, terse.Identity, "somebody", "another", "nobody"}

func (m *model) create(code string) terse.Link {
	m.t.Helper()
	l := newLink(m.t, code)
	l.CreatedBy = modelOwners[m.rng.IntN(len(modelOwners)-1)]
	return mustCreate(m.t, m.store, l)
}

// step runs a random operation, mostly counting clicks.
func (m *model) step() {
	i := m.rng.IntN(len(m.links))
	link := m.links[i]
	switch m.rng.IntN(16) {
	case 0:
		must(m.t, m.store.Delete(m.t.Context(), me, link))
		m.forget(link)
		m.links[i] = m.create(link.Code.String()) // inherits nothing
	case 1:
		must(m.t, m.store.ClearClicks(m.t.Context(), me, link.Ref()))
		m.forget(link)
	case 2: // its clicks stay with the owner for whom they were counted
		link.CreatedBy = modelOwners[m.rng.IntN(len(modelOwners)-1)]
		m.links[i] = update(m.t, m.store, link)
	case 3, 4:
		m.drop(spring.Add(time.Duration(m.rng.Int64N(int64(4 * 24 * time.Hour)))))
	default:
		m.count([]int{1, 20, 300, 3000, 9000}[m.rng.IntN(5)])
	}
}

// forget removes a link from the model; the totals of its owner keep its clicks.
func (m *model) forget(link terse.Link) {
	for i := range m.clicks {
		if m.clicks[i].Link == link.ID {
			m.clicks[i].cleared = true
		}
	}
	for v := range m.seen {
		if v.link == link.ID {
			delete(m.seen, v)
		}
	}
}

// count counts a batch with clicks of a few days, and others of many days.
func (m *model) count(n int) {
	span := []time.Duration{time.Hour, 40 * time.Hour, 90 * 24 * time.Hour}[m.rng.IntN(3)]
	clicks := m.journal.clicks(m.links[:1+m.rng.IntN(len(m.links))], n, spring, span)
	for i := range clicks {
		c := &clicks[i]
		switch m.rng.IntN(8) {
		case 0:
			c.Untracked, c.Values = true, terse.Values{}
		case 1, 2, 3, 4:
			if c.Values[terse.ByVisitor] != terse.Bot { // as in the redirect
				c.Visitor = hashOf(m.rng.IntN(400), c.Link, terse.DayOf(c.Time))
			}
		}
	}
	owners := map[terse.LinkID]string{}
	for _, link := range m.links {
		owners[link.ID] = link.CreatedBy
	}
	for _, c := range clicks {
		who := visit{c.Link, c.Visitor}
		known := c.Visitor != 0 && m.days[terse.DayOf(c.Time)] && !m.seen[who]
		if m.seen[who] = true; !known {
			c.Visitor = 0
		}
		m.clicks = append(m.clicks, counted{
			Click: c, owner: owners[c.Link], gone: c.Untracked,
		})
	}
	m.feed(clicks)
}

// ask compares one answer.
func (m *model) ask() {
	m.t.Helper()
	ref := terse.AllLinks
	if n := m.rng.IntN(len(m.links) + 1); n > 0 {
		ref = m.links[n-1].Ref()
	}
	owner := append(modelOwners, terse.AllOwners)[m.rng.IntN(len(modelOwners)+1)]
	own, clicks := m.those(func(c *counted) bool {
		is := c.owner == owner || owner == terse.AllOwners
		return ref == terse.AllLinks && is || c.Link == ref.ID && !c.cleared
	})
	q := ever
	if len(clicks) > 0 {
		q = m.query(clicks)
	}
	q.Owner = owner
	m.wantAnswer(ref, q, own)
}

// answer counts the naive way: a dropped click counts at the beginning of its UTC day.
func answer(clicks []counted, q terse.SeriesQuery) terse.Series {
	const none = math.MinInt64
	last := int64(none)
	first, end := q.Range.Micros()
	days := map[terse.Day]bool{}
	for _, c := range clicks {
		if c.gone {
			day, at := terse.DayOf(c.Time), c.Time
			if c.Untracked { // its time of day is unknown
				at = (day + 1).Start() - 1
			}
			if days[day] = true; day <= terse.DayOf(end) {
				last = max(last, at)
			}
		}
	}
	filtered := asksForSome(q)
	switch {
	case filtered && last != none:
		first = max(first, last+1)
	case first <= end && !filtered:
		for _, day := range []terse.Day{terse.DayOf(first), terse.DayOf(end)} {
			if days[day] {
				first, end = min(first, day.Start()), max(end, (day+1).Start()-1)
			}
		}
	}
	plain := make([]terse.Click, 0, len(clicks))
	for _, c := range clicks {
		if c.gone {
			c.Time = terse.DayOf(c.Time).Start()
		}
		if !c.gone || !filtered {
			plain = append(plain, c.Click)
		}
	}
	q.Range = terse.Between(first, end)
	return WantSeries(plain, q)
}
