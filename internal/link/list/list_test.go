package list

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/internal/link/linkset"
	"terse/internal/link/searchtext"
)

// memory is a Snapshot of links in memory.
type memory struct {
	owner  string
	owners map[string][]terse.Link // in the order of their IDs
	// options, and the stored statuses of links, by ID.
	options map[terse.LinkID]terse.LinkOptions
	kept    map[terse.LinkID]terse.Status
	// totals of links, also of deleted ones.
	totals  map[terse.LinkID]terse.LinkClicks
	deleted []int64
	// vague is by how much the bounds of ranges are too wide: deletes leave them as they are.
	vague int64
	read  int // rows that were read
}

func newMemory() *memory {
	return &memory{
		owner: terse.Identity, owners: map[string][]terse.Link{},
		options: map[terse.LinkID]terse.LinkOptions{}, kept: map[terse.LinkID]terse.Status{},
		totals: map[terse.LinkID]terse.LinkClicks{},
	}
}

func (m *memory) add(t *testing.T, link terse.Link, o terse.LinkOptions, kept time.Time) {
	t.Helper()
	text, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	link.Options, m.options[link.ID] = text, o
	m.kept[link.ID] = o.Status(kept, link.Used)
	m.totals[link.ID] = terse.LinkClicks{
		Clicks: link.Clicks, People: link.People,
		Last: start.Add(time.Duration(link.ID%100) * 6 * time.Hour),
	}
	m.owners[link.CreatedBy] = append(m.owners[link.CreatedBy], link)
}

func (m *memory) links() []terse.Link { return m.owners[m.owner] }

// in returns the links of a range.
func (m *memory) in(number int64) []terse.Link {
	at := func(id int64) int {
		i, _ := slices.BinarySearchFunc(m.links(), id,
			func(l terse.Link, id int64) int { return cmp.Compare(int64(l.ID), id) })
		return i
	}
	return m.links()[at(number<<linkset.RangeBits):at((number+1)<<linkset.RangeBits)]
}

func (m *memory) those(f func(terse.Link) bool) (those linkset.Set) {
	for _, link := range m.links() {
		if f(link) {
			those = those.With(int64(link.ID))
		}
	}
	return those
}

func (m *memory) status(l terse.Link, now time.Time) terse.Status {
	o := m.options[l.ID]
	return o.Status(now, l.Used)
}

func (m *memory) Ranges() (ranges []Range, err error) {
	for _, link := range m.links() {
		number, at := int64(link.ID)>>linkset.RangeBits, link.CreatedAt.UnixMicro()
		if len(ranges) == 0 || ranges[len(ranges)-1].Number != number {
			ranges = append(ranges, Range{number, 0, at - m.vague, at + m.vague})
		}
		r := &ranges[len(ranges)-1]
		r.Links, r.First, r.Last = r.Links+1, min(r.First, at), max(r.Last, at)
	}
	return ranges, nil
}

// At finds links by their codes.
func (m *memory) At(address string) (int64, error) {
	for _, links := range m.owners {
		for _, l := range links {
			if l.Code.String() == address {
				return int64(l.ID), nil
			}
		}
	}
	return 0, terse.ErrNotFound
}

func (m *memory) OnDomain(d terse.Domain) (linkset.Set, error) {
	return m.those(func(l terse.Link) bool {
		on := l.Code.Domain()
		return on != terse.DefaultDomain && (on == d || d == terse.DefaultDomain)
	}), nil
}

func (m *memory) Tagged(tag string) (linkset.Set, error) {
	return m.those(func(l terse.Link) bool {
		return slices.Contains(m.options[l.ID].Tags, tag)
	}), nil
}

func (m *memory) WithStatus(status terse.Status) (linkset.Set, error) {
	return m.those(func(l terse.Link) bool { return m.kept[l.ID] == status }), nil
}

func (m *memory) Archived() (linkset.Set, error) {
	return m.those(func(l terse.Link) bool { return m.options[l.ID].Archived }), nil
}

func (m *memory) Changing(now time.Time, f func(int64, terse.Status)) error {
	for _, l := range m.links() {
		if status := m.status(l, now); m.kept[l.ID] != status || l.ID%50 == 0 {
			f(int64(l.ID), status)
		}
	}
	return nil
}

// rows returns rows in an order different from that of a list.
func (m *memory) rows(links []terse.Link, texts bool, f func(*Row) error) error {
	links = slices.Clone(links)
	rand.Shuffle(len(links), func(i, k int) { links[i], links[k] = links[k], links[i] })
	m.read += len(links)
	for _, l := range links {
		row := Row{ID: int64(l.ID), CreatedAt: l.CreatedAt.UnixMicro()}
		if texts {
			row.Code, row.URL = []byte(l.Code.String()), []byte(l.URL)
			row.Options = []byte(l.Options)
		}
		if err := f(&row); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Between(first, last int64, texts bool, f func(*Row) error) error {
	var links []terse.Link
	for _, link := range m.links() {
		if id := int64(link.ID); first <= id && id <= last {
			links = append(links, link)
		}
	}
	return m.rows(links, texts, f)
}

func (m *memory) ByID(ids []int64, texts bool, f func(*Row) error) error {
	links, _ := m.Read(ids)
	return m.rows(links, texts, f)
}

func (m *memory) InOrder(order terse.LinkOrder, after linkset.Ranked, skip int64, most int) (
	behind []terse.Link, err error,
) {
	for _, l := range sorted(m.links(), order, nil) {
		l.Clicks = 0
		r := inOrder(linkset.Ranked{ID: int64(l.ID), Key: l.CreatedAt.UnixMicro()}, order)
		if inOrder(after, order).Before(r) {
			behind = append(behind, l)
		}
	}
	behind = behind[min(skip, int64(len(behind))):]
	behind = behind[:min(most, len(behind))]
	m.read += len(behind)
	return behind, nil
}

func (m *memory) Read(ids []int64) (links []terse.Link, err error) {
	for _, id := range ids {
		for _, l := range m.in(id >> linkset.RangeBits) {
			if int64(l.ID) == id {
				l.Clicks, l.People = 0, 0
				links = append(links, l)
			}
		}
	}
	return links, nil
}

func (m *memory) Totals(ranges []int64, f func(int64, Counts)) error {
	if !slices.IsSortedFunc(ranges, func(a, b int64) int { return cmp.Compare(b, a) }) {
		return fmt.Errorf("ranges are not descending: %v", ranges)
	}
	for _, number := range ranges {
		var clicks, people, last [linkset.RangeSize]int64
		for i := range clicks {
			total := m.totals[terse.LinkID(number<<linkset.RangeBits)+terse.LinkID(i)]
			clicks[i], people[i], last[i] = total.Clicks, total.People, total.Last.UnixMicro()
		}
		for at := int64(linkset.RangeSize) - 256; at >= 0; at -= 256 {
			if slices.Max(clicks[at:at+256]) > 0 {
				f(number<<linkset.RangeBits+at, Counts{
					Clicks: clicks[at : at+256], People: people[at : at+256],
					Last: last[at : at+256],
				})
			}
		}
	}
	return nil
}

func (m *memory) Deleted() (linkset.Set, error) { return linkset.Of(slices.Clone(m.deleted)), nil }

func (m *memory) Shared() (shared []int64, err error) {
	for owner, links := range m.owners {
		for _, l := range links {
			if owner != m.owner {
				shared = append(shared, int64(l.ID)>>linkset.RangeBits)
			}
		}
	}
	slices.Sort(shared)
	return slices.Compact(shared), nil
}

// Within reports the clicks of links with an even ID, for any range.
func (m *memory) Within(_ terse.TimeRange, people bool, f func(id, clicks, people int64)) error {
	for _, l := range m.links() {
		if n := within(l); people {
			f(int64(l.ID), n, n/2)
		} else {
			f(int64(l.ID), n, 0)
		}
	}
	return nil
}

func within(l terse.Link) int64 { return l.Clicks * (1 - int64(l.ID)&1) }

// sorted sorts links the naive way.
func sorted(links []terse.Link, order terse.LinkOrder, clicks func(terse.Link) int64) []terse.Link {
	links = slices.Clone(links)
	slices.SortFunc(links, func(a, b terse.Link) int {
		switch order {
		case terse.OldestFirst:
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		case terse.MostClickedFirst:
			return cmp.Or(cmp.Compare(clicks(b), clicks(a)), b.CreatedAt.Compare(a.CreatedAt),
				cmp.Compare(b.ID, a.ID))
		default:
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		}
	})
	return links
}

// listed returns what a query lists, the naive way.
func (m *memory) listed(q terse.LinkQuery) []terse.Link {
	first, last := q.Filter.Made()
	links := slices.DeleteFunc(slices.Clone(m.links()), func(l terse.Link) bool {
		at := l.CreatedAt.UnixMicro()
		for _, tag := range q.Filter.Tags {
			if !slices.Contains(m.options[l.ID].Tags, terse.FoldTag(tag)) {
				return true
			}
		}
		if day := q.Filter.UnusedSince; day != nil {
			of := m.totals[l.ID]
			if terse.DayOf(at) >= *day ||
				of.Clicks > 0 && terse.DayOf(of.Last.UnixMicro()) >= *day {
				return true
			}
		}
		for _, address := range q.Filter.Addresses {
			if l.Code.String() != address {
				return true
			}
		}
		return at < first || last < at ||
			q.Filter.Archived != nil && *q.Filter.Archived != m.options[l.ID].Archived ||
			q.Filter.Status != "" && q.Filter.Status != m.status(l, q.Filter.Now) ||
			q.Search != nil && !q.Search.Finds(searchtext.Append(nil, l.Code.String(),
				string(l.URL), []byte(l.Options)))
	})
	clicks := func(l terse.Link) int64 { return l.Clicks }
	if q.Within != (terse.TimeRange{}) {
		for i := range links {
			if links[i].PeriodClicks = within(links[i]); q.People {
				links[i].PeriodPeople = links[i].PeriodClicks / 2
			}
		}
		clicks = func(l terse.Link) int64 { return l.PeriodClicks }
		if q.People {
			clicks = func(l terse.Link) int64 { return l.PeriodPeople }
		}
	}
	return sorted(links, q.Order, clicks)
}

// start is about when links are made.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// farAway is later than any day in a query.
var farAway = start.AddDate(1, 0, 0)

// randomLinks makes links of two owners, with holes between their IDs, in some order of time.
func randomLinks(t *testing.T, rng *rand.Rand, n int) *memory {
	t.Helper()
	m := newMemory()
	m.vague = rng.Int64N(4)
	id, disorder := rng.Int64N(3000)-1000, []int64{0, 30, 3000, 100_000}[rng.IntN(4)]
	others := []int{0, 1, 1000}[rng.IntN(3)]          // how many of 4,000
	archived := []int{0, 1, 50, 99, 100}[rng.IntN(5)] // in percent
	for i := range n {
		id += 1 + rng.Int64N(4)*rng.Int64N(4)*rng.Int64N(30)
		code, err := terse.ParseCode(fmt.Sprintf("code%d", i))
		if err != nil {
			t.Fatal(err)
		}
		o := terse.LinkOptions{Disabled: rng.IntN(9) == 0, MaxClicks: rng.Int64N(3)}
		o.Archived = rng.IntN(100) < archived
		for tag, of := range map[string]int{"half": 2, "few": 200} {
			if rng.IntN(of) == 0 {
				o.Tags = append(o.Tags, tag)
			}
		}
		if rng.IntN(3) == 0 {
			o.ExpiresAt = start.Add(time.Duration(rng.IntN(20)-10) * time.Second)
		}
		link := terse.Link{
			ID: terse.LinkID(id), Code: code, CreatedBy: terse.Identity,
			URL:  terse.URL(fmt.Sprintf("https://example.org/%d", rng.IntN(50))),
			Used: rng.Int64N(2), Clicks: max(0, rng.Int64N(40)-30) * rng.Int64N(3),
			CreatedAt: start.Add(time.Duration(i/3) * time.Microsecond).
				Add(time.Duration(rng.Int64N(disorder+1)) * time.Microsecond),
		}
		if rng.IntN(4000) < others {
			link.CreatedBy = "other"
		}
		m.add(t, link, o, start.Add(time.Duration(rng.IntN(2))*5*time.Second))
		if rng.IntN(20) == 0 {
			id++
			m.totals[terse.LinkID(id)] = terse.LinkClicks{Clicks: 1, Last: farAway}
			m.deleted = append(m.deleted, id)
		}
	}
	return m
}

// TestPage compares pages with a naive sort of random links, over many ranges of IDs.
func TestPage(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 12 {
		m := randomLinks(t, rng, 1+rng.IntN(1000))
		for range 25 {
			m.owner = []string{terse.Identity, "other", "nobody"}[max(0, rng.IntN(5)-2)]
			q := randomQuery(rng)
			bounds := Bounds{ByTime: 1 + rng.IntN(1500), ByClicks: 50 + rng.IntN(500)}
			if err := m.compare(q, bounds); err != nil {
				t.Fatalf("seed %d: %+v: %v", seed, q, err)
			}
		}
	}
}

func randomQuery(rng *rand.Rand) (q terse.LinkQuery) {
	q.Owner, q.Order, q.Limit = terse.Identity, terse.LinkOrder(rng.IntN(3)), 10+rng.IntN(200)
	q.Filter.Now = start.Add(time.Duration(rng.IntN(20)-10) * time.Second)
	switch rng.IntN(5) {
	case 0:
		q.Search = terse.Search{{fmt.Sprint(rng.IntN(30))}}
	case 1:
		q.Search = terse.Search{{"example"}, {"/7", "code3"}}
	}
	for range max(0, rng.IntN(12)-9) {
		q.Filter.Addresses = append(q.Filter.Addresses, fmt.Sprint("code", rng.IntN(40)))
	}
	for _, tag := range []string{"Half", "few", "none"} {
		if rng.IntN(4) == 0 {
			q.Filter.Tags = append(q.Filter.Tags, tag)
		}
	}
	if rng.IntN(2) == 0 {
		q.Filter.Status = terse.Statuses[rng.IntN(len(terse.Statuses))]
	}
	if rng.IntN(3) == 0 {
		q.Filter.CreatedAfter = start.Add(time.Duration(rng.IntN(500)) * time.Microsecond)
	}
	if rng.IntN(3) == 0 {
		q.Filter.CreatedBefore = start.Add(time.Duration(rng.IntN(3000)) * time.Microsecond)
	}
	if rng.IntN(2) == 0 {
		q.Filter.UnusedSince = new(terse.DayOf(start.UnixMicro()) + terse.Day(rng.IntN(28)-1))
	}
	if rng.IntN(2) == 0 {
		q.Filter.Archived = new(rng.IntN(3) == 0)
	}
	if q.Order == terse.MostClickedFirst && rng.IntN(3) == 0 {
		q.Within, q.People = terse.Between(1, 2), rng.IntN(2) == 0
	}
	return q
}

// compare reads a whole list page by page, and a page from its middle.
func (m *memory) compare(q terse.LinkQuery, bounds Bounds) error {
	want := m.listed(q)
	var got []terse.Link
	var last terse.LinkPage
	for pages := 0; pages == 0 || q.After != nil; pages++ {
		page, err := Page(m, q, bounds)
		switch {
		case err != nil:
			return err
		case pages > 4000:
			return errors.New("it has no end")
		case len(page.Links) > q.Limit, page.Next != nil && q.Search == nil &&
			len(page.Links) < q.Limit:
			return fmt.Errorf("a page has %d links", len(page.Links))
		case !page.AtLeast && page.Total != int64(len(want)),
			page.AtLeast && (q.Search == nil || page.Total > int64(len(want))):
			return fmt.Errorf("total %d (at least: %v), want %d", page.Total, page.AtLeast,
				len(want))
		}
		got, last = append(got, page.Links...), page
		q.After = page.Next
	}
	if last.AtLeast {
		return errors.New("the last page does not know the total")
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%d links, want %d, or in another order", len(got), len(want))
	}
	if q.Search != nil || q.Order == terse.MostClickedFirst {
		return nil
	}
	for _, q.Offset = range []int{1, len(want) / 2, len(want), len(want) + 3000} {
		page, err := Page(m, q, bounds)
		if err != nil {
			return err
		}
		from := min(q.Offset, len(want))
		if !slices.Equal(page.Links, want[from:min(from+q.Limit, len(want))]) {
			return fmt.Errorf("other links from %d on", q.Offset)
		}
	}
	return nil
}

// TestFewAreRead: the cost of a page depends on its own links, not on the number of all links.
func TestFewAreRead(t *testing.T) {
	t.Parallel()
	m, shuffled := newMemory(), newMemory()
	for i := range 50_000 {
		link := terse.Link{
			ID: terse.LinkID(i), CreatedBy: terse.Identity, Clicks: int64(i % 77),
			CreatedAt: start.Add(time.Duration(i) * time.Microsecond),
		}
		o := terse.LinkOptions{Tags: []string{"tag"}, Archived: i%10 > 0}
		m.add(t, link, o, start)
		link.CreatedAt = start.Add(time.Duration(i*7919%50_000) * time.Microsecond)
		shuffled.add(t, link, o, start)
	}
	const others = "others in another order"
	for name, q := range map[string]terse.LinkQuery{
		"tag":    {Filter: terse.LinkFilter{Tags: []string{"tag"}}},
		"offset": {Filter: terse.LinkFilter{Tags: []string{"tag"}}, Offset: 40_000},
		"active": {Filter: terse.LinkFilter{Status: terse.Active, Now: start}},
		"clicks": {Order: terse.MostClickedFirst},
		"none":   {Order: terse.MostClickedFirst, After: &terse.LinkMark{Key: 1}},
		"unused": {Filter: terse.LinkFilter{UnusedSince: new(terse.DayOf(start.UnixMicro()) + 9)}},
		"others": {Filter: terse.LinkFilter{Archived: new(false)}},
		others:   {Filter: terse.LinkFilter{Archived: new(false)}},
		"oldest " + others: {
			Filter: terse.LinkFilter{Archived: new(false)}, Order: terse.OldestFirst,
		},
		"search": {Search: terse.Search{{"nothing"}}},
	} {
		m := m
		if strings.HasSuffix(name, others) {
			m = shuffled
		}
		q.Limit, m.read = 100, 0
		if _, err := Page(m, q, Bounds{3000, 3000}); err != nil {
			t.Fatal(err)
		}
		if m.read > 5000 {
			t.Errorf("%s: %d rows are read for a page of 100", name, m.read)
		}
	}
}

// TestEqualLinks: the newest of very many links without clicks are found in whatever order IDs are,
// even if all newer links have clicks.
func TestEqualLinks(t *testing.T) {
	t.Parallel()
	for _, clicked := range []int{0, 100, 4500} {
		m := newMemory()
		for i := range 6000 {
			age := i * 7919 % 6007 // shuffled
			m.add(t, terse.Link{
				ID: terse.LinkID(i), CreatedBy: terse.Identity,
				Clicks:    int64(max(0, age-6007+clicked)),
				CreatedAt: start.Add(time.Duration(age/3) * time.Microsecond),
			}, terse.LinkOptions{}, start)
		}
		q := terse.LinkQuery{Owner: terse.Identity, Order: terse.MostClickedFirst, Limit: 1500}
		if err := m.compare(q, Usual); err != nil {
			t.Errorf("%d with clicks: %v", clicked, err)
		}
	}
}

// TestClock: a pass moves all links that are due, in parts. It begins when the next status changes,
// or a minute after the last one, even after an error.
func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		due, fails := 1800, true
		next, passes := int64(math.MaxInt64), []time.Duration{}
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		clock := NewClock()
		go clock.Run(ctx, slog.New(slog.DiscardHandler),
			func(_ context.Context, most int) (int, int64, error) {
				passes = append(passes, time.Since(began))
				if fails {
					fails = false
					return 0, 0, errors.New("not now")
				}
				moved := min(due, most)
				due -= moved
				return moved, next, nil
			})
		after := func(d time.Duration) int64 { return began.Add(d).UnixMicro() }
		wait := func(until time.Duration, want ...time.Duration) {
			t.Helper()
			time.Sleep(time.Until(began.Add(until)))
			synctest.Wait()
			if !slices.Equal(passes, want) || due != 0 {
				t.Errorf("passes after %v, want %v; %d are due", passes, want, due)
			}
			passes = nil
		}
		const second, minute = time.Second, time.Minute
		wait(2*minute, second, second+minute, second+minute, second+minute, second+minute)
		clock.Expect(after(150 * second))
		clock.Expect(after(140 * second))
		clock.Expect(after(time.Hour))
		next = after(150*second + time.Microsecond)
		wait(145*second, 140*second)
		next = math.MaxInt64
		wait(170*second, 150*second+time.Microsecond)
		next = after(0) // the clock was set back, or a link stays due
		clock.Expect(after(172 * second))
		wait(175*second-1, 172*second, 173*second, 174*second)
		cancel()
		synctest.Wait()
	})
}
