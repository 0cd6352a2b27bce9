package clickstore_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/clickstore"
	"terse/internal/database/storetest/memrows"
	"terse/internal/link/linkset"
)

// naive is equal clicks as the model keeps them.
type naive struct {
	terse.Click
	sum     clickblock.Sum
	owner   clickstore.OwnerID
	era     uint32
	dropped bool // by the retention, or untracked
	hidden  bool // its values are unknown
	gone    bool // cleared, or its link was deleted; the owner keeps it

	counted bool  // of the past: its values are known only as counts, and its time is the day's
	linkAt  int64 // the last time that it may have as far as the link knows
	ownerAt int64 // the same for the owner
	visitor bool  // they are no clicks, but visitors of the day
}

// numbered returns equal clicks. Bots are not visitors.
func numbered(c terse.Click, clicks, firsts int64) naive {
	n := naive{Click: c, sum: clickblock.Sum{Clicks: clicks, People: clicks, Firsts: firsts}}
	if c.Values[terse.ByVisitor] == terse.Bot {
		n.sum.People, n.sum.Firsts = 0, 0
	}
	return n
}

// number returns a number of equal clicks. Their sum stays far below terse.MaxOwnerClicks.
func (m *model) number() int64 {
	var all int64
	for i := range m.clicks {
		all += m.clicks[i].sum.Clicks
	}
	numbers := []int64{1, 1, 1, 2, 63, 64, 65, 1e9, clickblock.MaxEqual, clickblock.MaxEqual + 1}
	if all > terse.MaxOwnerClicks/10 {
		numbers = numbers[:7]
	}
	return numbers[m.rng.IntN(len(numbers))]
}

// model runs random operations on a clickstore.Counter over rows in memory, and keeps all clicks in
// a list, equal ones with their number.
type model struct {
	t       testing.TB
	rng     *rand.Rand
	counter *clickstore.Counter
	reader  *clickstore.PastReader
	rows    *memrows.Rows
	links   *memrows.Links
	moved   map[terse.LinkID]bool // links that had another owner
	keep    bool                  // no link gets another owner

	triedRows *memrows.Rows // where what is only tried was added

	eras   map[terse.LinkID]uint32
	clicks []naive
	seen   map[visit]bool
	lasts  map[terse.LinkID]int64 // times of last clicks that totals keep, owners' too
	ids    []terse.LinkID
	nextID terse.LinkID
	now    int64

	countries []string // that are asked about
}

type visit struct {
	link terse.LinkID
	day  terse.Day
	hash uint64
}

var (
	spring    = time.Date(2026, 3, 28, 20, 0, 0, 0, time.UTC).UnixMicro()
	springDay = terse.DayOf(spring)
)

const day = int64(24 * time.Hour / time.Microsecond)

func newModel(t testing.TB, seed uint64) *model {
	m := &model{
		t: t, rng: rand.New(rand.NewPCG(seed, 7)),
		counter: clickstore.NewTightCounter(), rows: memrows.New(),
		reader: clickstore.NewPastReader(),
		links:  memrows.NewLinks(), moved: map[terse.LinkID]bool{},
		eras: map[terse.LinkID]uint32{},
		seen: map[visit]bool{}, lasts: map[terse.LinkID]int64{}, nextID: 1, now: spring,
		countries: []string{"XX", "DE", "FR"},
	}
	m.links.Owners = []string{terse.Identity, "2", terse.AllOwners, "4", "5"}
	for range 3 {
		m.create()
	}
	return m
}

func (m *model) code() terse.Code {
	code, err := terse.ParseCode([]byte(fmt.Sprintf("c%06d", m.rng.IntN(1_000_000))))
	if err != nil {
		m.t.Fatal(err)
	}
	return code
}

// The owners of the model's links: two that are not joined to the others, and two that are. In
// questions, everyone stands for them all.
var owners = []clickstore.OwnerID{1, 2, 4, 5}

const (
	others   clickstore.OwnerID = 3
	everyone clickstore.OwnerID = -1
)

// owner returns one of the owners.
func (m *model) owner() clickstore.OwnerID { return owners[m.rng.IntN(len(owners))] }

// asked returns one of the owners, or everyone.
func (m *model) asked() clickstore.OwnerID {
	if m.rng.IntN(3) == 0 {
		return everyone
	}
	return m.owner()
}

// allOf returns the links that stand for all links of an owner, or of everyone.
func allOf(owner clickstore.OwnerID) []terse.LinkID {
	if owner == everyone {
		return memrows.UpTo(others)
	}
	return clickstore.LinksOf(owner)
}

// isOf reports whether the clicks count for an owner, or for everyone.
func (c *naive) isOf(owner clickstore.OwnerID) bool { return owner == everyone || c.owner == owner }

// single asks about a single link, or about the link of an owner.
func single(link terse.LinkID) clickstore.Asked {
	return clickstore.Asked{Links: []terse.LinkID{link}}
}

func (m *model) create() {
	m.nextID += terse.LinkID(1 + m.rng.IntN(2)*m.rng.IntN(5000))
	m.links.All[m.nextID] = &memrows.Link{
		Codes: []terse.Code{m.code()}, Owner: m.owner(),
	}
	m.ids = append(m.ids, m.nextID)
}

// transact runs an operation in a transaction, which is sometimes aborted at one of its writes.
func (m *model) transact(do func(*clickstore.Counter) error) {
	m.t.Helper()
	for aborted := m.rng.IntN(4) == 0; ; aborted = false {
		rows := m.rows.Clone()
		rows.Writes, rows.FailAfter = 0, -1
		if aborted {
			rows.FailAfter = m.rng.IntN(12)
		}
		undo := m.links.Begin()
		err := m.counter.Begin(rows, m.links, []terse.Day{springDay, springDay + 1},
			time.UnixMicro(m.now))
		if err == nil {
			err = do(m.counter)
		}
		m.counter.End(err == nil)
		if err == nil {
			m.rows = rows
			return
		}
		undo()
		if !aborted || !errors.Is(err, memrows.ErrFailed) {
			m.t.Fatal(err)
		}
	}
}

func (m *model) step() {
	i := m.rng.IntN(len(m.ids))
	id := m.ids[i]
	link := m.links.All[id]
	switch m.rng.IntN(24) {
	case 0:
		link.Deleted = true
		m.links.Bury(id, true)
		m.forget(id)
		m.ids = slices.Delete(m.ids, i, i+1)
		m.create()
	case 1:
		m.transact(func(c *clickstore.Counter) error {
			_, err := c.Clear(id)
			return err
		})
		m.eras[id]++
		m.forget(id)
	case 2:
		link.Codes = append([]terse.Code{m.code()}, link.Codes...)
		m.links.Bury(id, false)
	case 3:
		if m.keep {
			break
		}
		link.Owner, m.moved[id] = m.owner(), true
		m.links.Bury(id, false)
	case 4, 5:
		m.drop(m.now - m.rng.Int64N(5*day))
	case 6:
		m.create()
	case 7: // another process
		m.counter = clickstore.NewTightCounter()
	case 8, 9:
		m.addPast()
	default:
		m.count([]int{1, 5, 30, 200}[m.rng.IntN(4)])
	}
	m.now += m.rng.Int64N(day / 4)
}

func (m *model) forget(id terse.LinkID) {
	for i := range m.clicks {
		if m.clicks[i].Link == id {
			m.clicks[i].gone = true
		}
	}
	delete(m.lasts, id)
	maps.DeleteFunc(m.seen, func(v visit, _ bool) bool { return v.link == id })
}

func (m *model) drop(before int64) {
	var place clickstore.DropPlace
	for done := false; !done; {
		m.transact(func(c *clickstore.Counter) (err error) {
			place, done, err = c.Drop(place, before)
			return err
		})
		if m.rng.IntN(4) == 0 {
			m.wantWhileDropping(m.asked())
		}
	}
	for i := range m.clicks {
		if m.clicks[i].Time < before {
			m.clicks[i].dropped = true
		}
	}
}

// wantWhileDropping compares the answer about tagged links of an owner with all of their clicks.
// Between a link's turn and its owner's in a pass of the retention, values may be unknown.
func (m *model) wantWhileDropping(owner clickstore.OwnerID) {
	m.t.Helper()
	var tagged []int64
	for _, id := range m.ids {
		is := owner == everyone || m.links.All[id].Owner == owner && !m.moved[id]
		if is && m.rng.IntN(3) > 0 {
			tagged = append(tagged, int64(id))
		}
	}
	var want, people int64
	values := [terse.NumDimensions]map[string]int64{}
	for d := range values {
		values[d] = map[string]int64{}
	}
	for _, c := range m.clicks {
		if c.gone || c.visitor || !slices.Contains(tagged, int64(c.Link)) {
			continue
		}
		of := c.Values
		clickblock.Derive(&of)
		want, people = want+c.sum.Clicks, people+c.sum.People
		for d := range terse.NumDimensions {
			values[d][of.Of(d)] += c.sum.Clicks
		}
	}
	got, err := clickstore.Series(m.rows, clickstore.Asked{
		Links: allOf(owner), Tagged: linkset.Of(tagged),
	}, terse.SeriesQuery{
		Range: terse.AllTime, Some: terse.SomeLinks{Tags: []string{"tag"}}, People: true,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	if got.Total != want || got.People != people {
		m.t.Fatalf("%d clicks, %d of people, of links %v; want %d, %d", got.Total, got.People,
			tagged, want, people)
	}
	for d := range terse.NumDimensions {
		var sum int64
		for value, n := range got.By[d] {
			if sum += n; n > values[d][value] && value != d.Unknown() {
				m.t.Fatalf("%d clicks by %v %q, want %d at most", n, d, value, values[d][value])
			}
		}
		if got.By[d] != nil && sum != want {
			m.t.Fatalf("%d clicks by %v, want %d", sum, d, want)
		}
	}
}

func (m *model) count(n int) {
	some := 1 + m.rng.IntN(len(m.ids))
	span := []int64{day / 24, 2 * day, 70 * day}[m.rng.IntN(3)]
	var clicks []terse.Click
	for range n {
		c := terse.Click{Link: m.ids[m.rng.IntN(some)], Time: m.now - m.rng.Int64N(span)}
		codes := m.links.All[c.Link].Codes
		c.Code = codes[m.rng.IntN(len(codes))]
		switch m.rng.IntN(12) {
		case 0:
			c.Untracked = true
		case 1: // of a link that is none, or never had the code
			c.Code = m.code()
		default:
			c.Values = m.values()
			if c.Values[terse.ByVisitor] != terse.Bot && m.rng.IntN(2) == 0 {
				c.Visitor = uint64(1+m.rng.IntN(20))<<40 | uint64(c.Link)
			}
		}
		if len(clicks) > 0 && m.rng.IntN(4) == 0 {
			c.Time = clicks[len(clicks)-1].Time
		}
		clicks = append(clicks, c)
	}
	m.transact(func(c *clickstore.Counter) error {
		batch := terse.ClicksOf(clicks...)
		lost, err := c.Add(&batch, false)
		if lost > 0 {
			m.t.Errorf("%d clicks are lost", lost)
		}
		return err
	})
	// Firsts are decided bucket by bucket, within a bucket in the order of the batch.
	slices.SortStableFunc(clicks, func(x, y terse.Click) int {
		return cmp.Compare(clickstore.BucketOf(x.Link), clickstore.BucketOf(y.Link))
	})
	for _, c := range clicks {
		link := m.links.All[c.Link]
		if !slices.Contains(link.Codes, c.Code) {
			continue
		}
		v := visit{c.Link, terse.DayOf(c.Time), c.Visitor >> 16} // as package visitors has it
		known := c.Visitor != 0 && !c.Untracked && c.Values[terse.ByVisitor] != terse.Bot &&
			(v.day == springDay || v.day == springDay+1)
		counted := numbered(c, 1, 0)
		counted.owner, counted.era, counted.dropped = link.Owner, m.eras[c.Link], c.Untracked
		if known && !m.seen[v] {
			counted.sum.Firsts = 1
		}
		m.clicks = append(m.clicks, counted)
		if known {
			m.seen[v] = true
		}
	}
}

func (m *model) values() (v terse.Values) {
	if m.rng.IntN(3) == 0 {
		v[terse.ByReferrer] = fmt.Sprintf("https://r%d.example/", m.rng.IntN(5))
	}
	v[terse.ByCountry] = []string{"", "DE", "FR"}[m.rng.IntN(3)]
	v[terse.ByVisitor] = []string{"", terse.Bot, terse.Person, terse.Prefetch}[m.rng.IntN(4)]
	return v
}

// TestModel runs 5,000 random sequences of operations.
func TestModel(t *testing.T) {
	t.Parallel()
	sequences := 5_000
	if testing.Short() {
		sequences = 300
	}
	for seed := range uint64(sequences) {
		runModel(t, seed, 12)
		if t.Failed() {
			t.Fatal("seed ", seed)
		}
	}
}

func runModel(t testing.TB, seed uint64, steps int) {
	m := newModel(t, seed)
	for range steps {
		m.step()
	}
	m.audit()
	m.wantPast()
}

func FuzzModel(f *testing.F) {
	f.Add(uint64(1), uint8(40))
	f.Fuzz(func(t *testing.T, seed uint64, steps uint8) { runModel(t, seed, int(steps)) })
}

// audit compares all rows with the list of clicks.
func (m *model) audit() {
	m.t.Helper()
	all := map[terse.LinkID][]naive{}
	for _, c := range m.clicks {
		if !c.gone {
			all[c.Link] = append(all[c.Link], c)
		}
		all[c.owner.Link()] = append(all[c.owner.Link()], c)
		if c.owner > others {
			all[others.Link()] = append(all[others.Link()], c)
		}
	}
	for _, id := range m.ids {
		if all[id] == nil {
			all[id] = []naive{}
		}
	}
	for link, clicks := range all {
		m.auditLink(link, clicks)
	}
}

// text is what must be kept of a click, except for folded values.
func (c *naive) text(owner bool) string {
	text := fmt.Sprint(c.Time)
	for d := range terse.NumDimensions {
		if d != terse.ByReferrerHost {
			text += " " + c.Values.Of(d)
		}
	}
	if owner {
		text += fmt.Sprint(" of ", c.Link, c.era)
	}
	return text
}

func (m *model) auditLink(link terse.LinkID, clicks []naive) {
	m.t.Helper()
	single := map[string]clickblock.Sum{}
	var total clickstore.Total
	days := map[terse.Day]clickblock.Sum{}
	for _, c := range clicks {
		sum := c.sum
		at := c.last()
		if sum.Clicks > 0 && (total.Clicks == 0 || at > total.Last) {
			total.Last = at
		}
		total.Clicks += sum.Clicks
		total.People += sum.People
		if !c.dropped {
			add(single, c.text(clickstore.IsOwner(link)), c.sum)
			continue
		}
		of := days[clickstore.DayOf(c.Time)]
		of.Add(sum)
		days[clickstore.DayOf(c.Time)] = of
	}
	if last, some := m.lasts[link]; some {
		total.Last = max(total.Last, last)
	}
	total.Era = m.eras[link]
	got, err := clickstore.TotalOf(m.rows, link)
	if err != nil || got != total {
		m.t.Errorf("totals of %d are %+v, want %+v (%v)", link, got, total, err)
	}
	if diff := gocmp.Diff(single, m.singleClicks(link)); diff != "" {
		m.t.Errorf("single clicks of %d (-want +got):\n%s", link, diff)
	}
	gotDays := map[terse.Day]clickblock.Sum{}
	m.each(clickstore.Every(clickstore.Dropped, int64(link)), func(b int64, v []byte) error {
		if clickstore.ColumnAt(b) != clickstore.HeadColumn {
			return nil
		}
		h, err := clickblock.ParseHead(v)
		day, _ := clickstore.OfKey(b)
		gotDays[terse.Day(day)] = h.Sum
		return err
	})
	if !maps.Equal(gotDays, days) {
		m.t.Errorf("dropped of %d: %v, want %v", link, gotDays, days)
	}
	m.auditCounts(link)
}

// last is the time that totals keep of a click.
func (c *naive) last() int64 {
	if c.Untracked {
		return clickstore.DayOf(c.Time).Start()
	}
	return c.Time
}

// each calls f for all rows of a range.
func (m *model) each(r clickstore.Range, f func(b int64, v []byte) error) {
	m.t.Helper()
	m.must(m.rows.Scan(r, clickstore.Always, func(b int64, _ clickstore.Span, v []byte) error {
		return f(b, v)
	}))
}

func (m *model) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// Levels stay within their bounds, also when values are long.
func TestBoundsOfLevels(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	m.counter = clickstore.NewCounter()
	long := strings.Repeat("x", 1000)
	for range 3 {
		var clicks []terse.Click
		for i := range 3000 {
			c := terse.Click{Link: m.ids[m.rng.IntN(2)], Time: m.now - m.rng.Int64N(40*day)}
			c.Code = m.links.All[c.Link].Codes[0]
			c.Values[terse.ByReferrer] = fmt.Sprint(i, long)
			clicks = append(clicks, c)
		}
		m.transact(func(c *clickstore.Counter) error {
			batch := terse.ClicksOf(clicks...)
			_, err := c.Add(&batch, false)
			return err
		})
		var all []terse.LinkID
		for _, owner := range append(owners, others) {
			all = append(all, owner.Link())
		}
		for _, link := range append(all, m.ids...) {
			for name, of := range clickstore.Bounds(link) {
				size := 0
				m.must(m.rows.Sizes(of.Range, func(_ int64, _ clickstore.Span, bytes int) error {
					size += bytes
					return nil
				}))
				if size > of.Bytes {
					t.Errorf("%d bytes in %s of %d, more than %d", size, name, link, of.Bytes)
				}
			}
		}
	}
}

// singleClicks reads the clicks of a link from all levels.
func (m *model) singleClicks(link terse.LinkID) map[string]clickblock.Sum {
	m.t.Helper()
	texts := map[string]clickblock.Sum{}
	p := clickblock.NewPacker()
	read := func(t clickstore.Table, a int64, offset int) {
		all, always := clickstore.Every(t, a), clickstore.Always
		m.must(m.rows.Scan(all, always, func(_ int64, s clickstore.Span, v []byte) error {
			clicks, err := p.Unpack(nil, v)
			if err == nil && clickstore.SpanOf(clicks) != s {
				m.t.Errorf("a block from %v has the span %v", clickstore.SpanOf(clicks), s)
			}
			for i := range clicks {
				if offset < 0 || int(clicks[i].Offset) == offset {
					add(texts, m.textOf(p, link, &clicks[i]), p.SumOf(clicks[i:i+1]))
				}
			}
			return err
		}))
	}
	read(clickstore.Level0, clickstore.RegionOf(link), int(clickstore.OffsetInRegion(link)))
	read(clickstore.Level1, clickstore.BucketOf(link), clickstore.OffsetOf(link))
	read(clickstore.Level2, int64(link), -1)
	return texts
}

func (m *model) textOf(p *clickblock.Packer, link terse.LinkID, click *clickblock.Click) string {
	c := naive{Click: terse.Click{Time: click.Time}}
	for _, d := range clickblock.Stored {
		c.Values[d] = p.Text(d, click.IDs[d])
	}
	if clickstore.IsOwner(link) {
		of := p.LinkOf(click)
		c.Link, c.era = of.ID, of.Era
	}
	return c.text(clickstore.IsOwner(link))
}

// auditCounts compares the counts of days with their blocks, and those of months with their days.
func (m *model) auditCounts(link terse.LinkID) {
	m.t.Helper()
	p := clickblock.NewPacker()
	want, months := map[string]clickblock.Sum{}, map[string]clickblock.Sum{}
	m.each(clickstore.Every(clickstore.Level2, int64(link)), func(b int64, v []byte) error {
		clicks, err := p.Unpack(nil, v)
		day := terse.Day(b >> clickstore.BlockBits)
		if day == clickstore.LooseDay {
			return err
		}
		for i := range clicks {
			sum := p.SumOf(clicks[i : i+1])
			add(want, fmt.Sprintf("%v head", day), sum)
			for _, d := range clickblock.Stored {
				if value := p.Text(d, clicks[i].IDs[d]); value != d.Unknown() {
					add(want, fmt.Sprintf("%v %v %s", day, d, value), sum)
				}
			}
		}
		return err
	})
	day := func(of int) string { return fmt.Sprint(terse.Day(of)) }
	got := m.countsIn(clickstore.Days, link, day)
	if !maps.Equal(got, want) {
		m.t.Errorf("counts of %d: %v, want %v", link, got, want)
	}
	month := func(of int) string { return fmt.Sprint(terse.MonthOf(terse.Day(of))) }
	for _, t := range []clickstore.Table{clickstore.Days, clickstore.Dropped} {
		for name, sum := range m.countsIn(t, link, month) {
			add(months, name, sum)
		}
	}
	itself := func(of int) string { return fmt.Sprint(of) }
	for name, sum := range m.countsIn(clickstore.Months, link, itself) {
		if months[name] != sum {
			m.t.Errorf("month %s of %d: %v, want %v", name, link, sum, months[name])
		}
	}
}

func add[K comparable](sums map[K]clickblock.Sum, name K, sum clickblock.Sum) {
	before := sums[name]
	before.Add(sum)
	sums[name] = before
}

// countsIn reads all counts of a link but those by link.
func (m *model) countsIn(t clickstore.Table, link terse.LinkID, of func(int) string) (
	sums map[string]clickblock.Sum,
) {
	m.t.Helper()
	sums = map[string]clickblock.Sum{}
	all := clickstore.Range{Table: t, A: int64(link), To: 1 << 60}
	m.each(all, func(b int64, v []byte) error {
		day, _ := clickstore.OfKey(b)
		switch col := clickstore.ColumnAt(b); col {
		case clickstore.HeadColumn:
			h, err := clickblock.ParseHead(v)
			add(sums, of(day)+" head", h.Sum)
			return err
		case clickstore.LinksColumn:
			return nil
		default:
			d, _ := terse.DimensionOf(uint64(col))
			return clickblock.EachValue(d, [][]byte{v}, func(value string, sum clickblock.Sum) {
				add(sums, fmt.Sprintf("%s %v %s", of(day), d, value), sum)
			})
		}
	})
	return sums
}
