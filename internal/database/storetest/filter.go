package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"terse"
)

// filtered reports, the naive way, whether a filter lets a link through.
func filtered(t *testing.T, l terse.Link, f terse.LinkFilter) bool {
	t.Helper()
	o, err := l.Options.Decode()
	if err != nil {
		o = terse.LinkOptions{}
	}
	for _, tag := range f.Tags {
		if !slices.ContainsFunc(o.Tags,
			func(has string) bool { return terse.FoldTag(has) == terse.FoldTag(tag) }) {
			return false
		}
	}
	for _, address := range f.Addresses {
		if !slices.Contains(l.Addresses(), address) {
			return false
		}
	}
	return (f.Domain == nil || l.Code.Domain() == *f.Domain) &&
		(f.Archived == nil || o.Archived == *f.Archived) &&
		(f.Status == "" || o.Status(f.Now, l.Used) == f.Status) &&
		!l.CreatedAt.Before(f.CreatedAfter) &&
		(f.CreatedBefore.IsZero() || !l.CreatedAt.After(f.CreatedBefore))
}

// shelf is many links of two owners with random options.
type shelf struct {
	t       *testing.T
	store   Store
	journal *journal
	rng     *rand.Rand
	links   []terse.Link
}

// hours returns a time at most n hours before or after spring, seldom at the same microsecond.
func (s *shelf) hours(n int) time.Time {
	at := spring.Add(time.Duration(s.rng.IntN(2*n+1)-n) * time.Hour)
	return at.Add(time.Duration(s.rng.IntN(3)-1) * time.Microsecond)
}

func (s *shelf) options() (o terse.LinkOptions) {
	if s.rng.IntN(4) == 0 {
		return o
	}
	for _, tag := range []string{"common", "Half", "rare", "ÄÖ"} {
		most := map[string]int{"common": 10, "Half": 5, "rare": 1, "ÄÖ": 3}[tag]
		if s.rng.IntN(11) < most {
			o.Tags = append(o.Tags, tag)
		}
	}
	if s.rng.IntN(3) == 0 {
		o.Title = []string{"Some <b>Title</b>", "ÜBER alles", "rare \"thing\""}[s.rng.IntN(3)]
	}
	if s.rng.IntN(3) == 0 {
		o.StartsAt = s.hours(20)
	}
	if s.rng.IntN(3) == 0 {
		o.ExpiresAt = s.hours(20)
		if !o.StartsAt.Before(o.ExpiresAt) {
			o.StartsAt = time.Time{}
		}
	}
	if s.rng.IntN(4) == 0 {
		o.MaxClicks = 1 + s.rng.Int64N(2)
	}
	o.Disabled = s.rng.IntN(6) == 0
	o.Archived = s.rng.IntN(3) == 0
	return o
}

func (s *shelf) create(n int) {
	for range n {
		l := newLink(s.t, fmt.Sprintf("Code%d", len(s.links)))
		o := s.options()
		if len(s.links)%3 == 0 {
			o.Aliases = []string{fmt.Sprint("docs/", len(s.links))}
		}
		l.CreatedAt, l.Options = s.hours(12), encoded(s.t, o)
		l.Code = l.Code.On(pick(s.rng, 0, 0, 0, 0, 3, terse.MaxDomain))
		switch s.rng.IntN(12) {
		case 0, 1:
			l.CreatedBy = "somebody"
		case 2:
			l.CreatedBy = "another"
		}
		s.links = append(s.links, mustCreate(s.t, s.store, l))
	}
}

// click counts clicks, some of them untracked, or within a microsecond of midnight.
func (s *shelf) click() {
	clicks := s.journal.clicks(s.links[:len(s.links)/2], 2*len(s.links), spring, time.Hour)
	for i := range clicks {
		c := &clicks[i]
		switch day := springDay + terse.Day(s.rng.IntN(7)-3); s.rng.IntN(4) {
		case 0:
			c.Time = day.Start() + int64(s.rng.IntN(3)-1)
		case 1:
			c.Time = day.Start() + s.rng.Int64N((24 * time.Hour).Microseconds())
			c.Untracked, c.Values = true, terse.Values{}
		}
	}
	s.journal.add(clicks)
	s.journal.fillClicks(s.links)
}

// unused reports, the naive way, whether a link is older than a day and has no click since.
func (s *shelf) unused(l terse.Link, day terse.Day) bool {
	isOlder := terse.DayOf(l.CreatedAt.UnixMicro()) < day
	return isOlder && !slices.ContainsFunc(s.journal.counted[l.ID],
		func(c terse.Click) bool { return terse.DayOf(c.Time) >= day })
}

// change takes from, changes, clears and deletes some links.
func (s *shelf) change() {
	for i := range s.links {
		link := &s.links[i]
		switch s.rng.IntN(5) {
		case 0:
			if s.store.Take(s.t.Context(), link.Ref()) == nil {
				link.Used = find(s.t, s.store, link.Code).Used
			}
		case 1:
			clicks := link.Clicks
			*link = updateTo(s.t, s.store, *link, s.options())
			link.Clicks = clicks
		case 2:
			switch s.rng.IntN(4) {
			case 0:
				must(s.t, s.store.Delete(s.t.Context(), me, *link))
				link.CreatedBy = ""
			case 1:
				must(s.t, s.store.ClearClicks(s.t.Context(), me, link.Ref()))
				delete(s.journal.counted, link.ID)
				link.Clicks = 0
			}
		}
	}
	s.links = slices.DeleteFunc(s.links, func(l terse.Link) bool { return l.CreatedBy == "" })
}

// filter returns a random filter.
func (s *shelf) filter() (f terse.LinkFilter) {
	f.Now = s.hours(25)
	if s.rng.IntN(3) > 0 {
		all := []string{"COMMON", "half", "Rare", "äö", "none", "common"}
		for range 1 + s.rng.IntN(2) {
			f.Tags = append(f.Tags, all[s.rng.IntN(len(all))])
		}
	}
	if s.rng.IntN(8) == 0 {
		kind := pick(s.rng, "Code", "docs/", terse.MaxDomain.Key("Code"))
		f.Addresses = []string{fmt.Sprint(kind, s.rng.IntN(400))}
	}
	if s.rng.IntN(3) > 0 {
		f.Status = terse.Statuses[s.rng.IntN(len(terse.Statuses))]
	}
	if s.rng.IntN(3) == 0 {
		f.CreatedAfter = s.hours(12)
	}
	if s.rng.IntN(3) == 0 {
		f.CreatedBefore = s.hours(12)
	}
	if s.rng.IntN(2) == 0 {
		f.Archived = new(s.rng.IntN(2) == 0)
	}
	if s.rng.IntN(2) == 0 {
		f.Domain = new(pick[terse.Domain](s.rng, 0, 0, 3, 4, terse.MaxDomain))
	}
	if s.rng.IntN(2) == 0 {
		f.UnusedSince = new(springDay + terse.Day(s.rng.IntN(8)-3))
	}
	return f
}

// compare lists a query's links, page by page and at an offset.
func (s *shelf) compare(q terse.LinkQuery) {
	s.t.Helper()
	what := fmt.Sprintf("%+v", q)
	want := []terse.Link{}
	for _, l := range listed(s.links, q) {
		day := q.Filter.UnusedSince
		if filtered(s.t, l, q.Filter) && (day == nil || s.unused(l, *day)) {
			want = append(want, l)
		}
	}
	got, total := pages(s.t, s.store, q)
	wantEqual(s.t, what, append([]terse.Link{}, got...), want)
	wantEqual(s.t, "total of "+what, total, int64(len(want)))
	if q.Search != nil || q.Order == terse.MostClickedFirst {
		return
	}
	q.Offset = s.rng.IntN(len(want) + 2)
	page := pageOf(s.t, s.store, q)
	from := min(q.Offset, len(want))
	wantEqual(s.t, fmt.Sprintf("%s from %d", what, q.Offset), append([]terse.Link{}, page.Links...),
		want[from:min(from+q.Limit, len(want))])
	wantEqual(s.t, "total of it", page.Total, int64(len(want)))
}

func listFiltered(t *testing.T, store Store) {
	s := &shelf{
		t: t, store: store, journal: newJournal(t, store), rng: rand.New(rand.NewPCG(5, 6)),
	}
	s.create(400)
	searches := []terse.Search{
		nil, nil, nil,
		{{"code1"}},
		{{"some <b>t"}, {"title"}},
		{{"über", "nothing"}},
		{{"half"}, {"code"}},
		{{"äö"}, {"\"thing\""}},
		{{"nothing"}},
	}
	for range 4 {
		s.click()
		s.change()
		for range 60 {
			s.compare(terse.LinkQuery{
				Owner: pick(s.rng, terse.Identity, terse.Identity, terse.AllOwners,
					terse.AllOwners, "somebody", "nobody"),
				Order: terse.LinkOrder(s.rng.IntN(3)), Limit: 20 + s.rng.IntN(300),
				Search: searches[s.rng.IntN(len(searches))], Filter: s.filter(),
			})
		}
	}
	filters := []terse.LinkFilter{
		{Archived: new(true)},
		{Archived: new(false)},
		{Domain: new(terse.DefaultDomain)},
		{Domain: new(terse.MaxDomain)},
	}
	for _, status := range terse.Statuses {
		filters = append(filters, terse.LinkFilter{Status: status, Now: spring})
	}
	for _, filter := range filters {
		q := terse.LinkQuery{Owner: terse.Identity, Limit: 30, Filter: filter}
		s.compare(q)
		if pageOf(t, store, q).Total == 0 {
			t.Errorf("no link is %+v", filter)
		}
	}
}

// searchTotal: beyond MaxSearchTotal, each page of a search has a lower bound of the total.
func searchTotal(t *testing.T, s Store) {
	const more = 7
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		for i := range terse.MaxSearchTotal + more {
			n := newLink(t, fmt.Sprint("link", i))
			n.Options = encoded(t, terse.LinkOptions{Title: fmt.Sprint("found ", i%2)})
			if _, err := tx.Create(t.Context(), me, n); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, order := range orders {
		q := terse.LinkQuery{
			Owner: terse.Identity, Order: order, Limit: 300, Search: terse.Search{{"found"}},
		}
		n := 0
		for first := true; first || q.After != nil; first = false {
			page := pageOf(t, s, q)
			n += len(page.Links)
			wantEqual(t, "total", page.Total, terse.MaxSearchTotal)
			wantEqual(t, "is a bound", page.AtLeast, true)
			q.After = page.Next
		}
		wantEqual(t, "found", n, terse.MaxSearchTotal+more)
		q.Search = terse.Search{{"found"}, {"found 1"}}
		page := pageOf(t, s, q)
		wantEqual(t, "total of half", page.Total, (terse.MaxSearchTotal+more)/2)
		wantEqual(t, "half is a bound", page.AtLeast, false)
	}
}
