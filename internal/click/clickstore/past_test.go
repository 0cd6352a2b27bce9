package clickstore_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/clickstore"
	"terse/internal/database/storetest/memrows"
)

// addPast adds random clicks of the past to some links, and compares what became of them.
func (m *model) addPast() {
	m.t.Helper()
	var past []terse.Past
	var want []terse.PastAdded
	var then []func()
	for _, i := range m.rng.Perm(len(m.ids))[:1+m.rng.IntN(len(m.ids))] {
		p := m.past(m.ids[i])
		added, do := p.added()
		past, want, then = append(past, p.Past), append(want, added), append(then, do)
	}
	if m.rng.IntN(4) == 0 {
		unknown := terse.Past{
			Link: terse.LinkRef{ID: m.nextID + 1, Code: m.code()},
			Days: []terse.PastDayAdded{{PastDay: terse.PastDay{Day: 9, Clicks: 7}}},
		}
		past, want = append(past, unknown), append(want, terse.PastAdded{Skipped: 7})
	}
	tried := m.addAll(past, m.bound, true)
	for i := range tried {
		tried[i].Tried = terse.Tried{}
	}
	if diff := gocmp.Diff(want, tried); diff != "" {
		m.t.Fatalf("tried (-want +got):\n%s", diff)
	}
	got := m.addAll(past, m.bound, false)
	if diff := gocmp.Diff(want, got); diff != "" {
		m.t.Fatalf("added (-want +got):\n%s", diff)
	}
	for _, do := range then {
		do()
	}
}

// past is a Past of a link, with the dropped clicks that its counts are of.
type past struct {
	terse.Past
	m       *model
	dropped map[terse.Day][]naive
}

// of returns what the link has of a day: single clicks, dropped ones, and other visitors.
func (p *past) of(of terse.Day) (single, dropped, visitors []naive) {
	for _, c := range p.m.clicks {
		switch {
		case c.Link != p.Link.ID || c.gone || terse.DayOf(c.Time) != of:
		case c.visitor:
			visitors = append(visitors, c)
		case c.dropped:
			dropped = append(dropped, c)
		default:
			single = append(single, c)
		}
	}
	return single, dropped, visitors
}

// past makes a Past of a link, which has some of it already.
func (m *model) past(id terse.LinkID) *past {
	codes := m.links.All[id].Codes
	p := &past{m: m, dropped: map[terse.Day][]naive{}}
	p.Link = terse.LinkRef{ID: id, Code: codes[m.rng.IntN(len(codes))]}
	has := m.where(func(c *naive) bool { return c.Link == id && !c.gone })
	at := func() int64 {
		if len(has) > 0 && m.rng.IntN(3) > 0 {
			return has[m.rng.IntN(len(has))].Time
		}
		return m.now - m.rng.Int64N(70*day)
	}
	days := map[terse.Day]bool{}
	for range 1 + m.rng.IntN(3) {
		days[terse.DayOf(at())] = true
	}
	for _, of := range slices.Sorted(maps.Keys(days)) {
		p.addDay(of)
	}
	if m.rng.IntN(2) == 0 {
		p.LastClick = time.UnixMicro(at())
	}
	return p
}

// addDay adds a random day.
func (p *past) addDay(of terse.Day) {
	m := p.m
	added := terse.PastDayAdded{PastDay: terse.PastDay{Day: of, Visitors: m.rng.Int64N(3)}}
	single, dropped, visitors := p.of(of)
	lines := map[int64]map[terse.Values]int64{}
	line := func(at int64, values terse.Values) {
		if lines[at] == nil {
			lines[at] = map[terse.Values]int64{}
		}
		lines[at][values] += m.number()
	}
	for _, c := range single {
		if m.rng.IntN(3) == 0 {
			if line(c.Time, c.Values); m.rng.IntN(3) == 0 { // as many as there are, or one more
				lines[c.Time][c.Values] = c.sum.Clicks + m.rng.Int64N(2)
			}
		}
		if m.rng.IntN(8) == 0 {
			line(c.Time, m.values())
		}
	}
	for range m.rng.IntN(6) {
		line(of.Start()+m.rng.Int64N(4)*day/4, m.values())
	}
	for _, at := range slices.Sorted(maps.Keys(lines)) {
		for values, n := range lines[at] {
			click := terse.PastClick{Time: at, Values: values, Count: n}
			if values[terse.ByVisitor] != terse.Bot {
				click.Firsts = m.rng.Int64N(n + 1)
			}
			p.Clicks = append(p.Clicks, click)
			added.ClickFirsts += click.Firsts
		}
	}
	// What another owner's counts have of the link is not replaced.
	moved := m.moved[p.Link.ID] && len(dropped)+len(visitors) > 0
	if n := m.rng.IntN(20); n > 0 && m.rng.IntN(2) == 0 && !moved {
		for range n {
			c := numbered(terse.Click{Values: m.values()}, m.number(), int64(m.rng.IntN(4)/3))
			c.dropped, c.counted = true, true
			p.dropped[of] = append(p.dropped[of], c)
		}
		visitors := added.Visitors
		added.PastDay = dayOf(of, p.dropped[of])
		added.Visitors += visitors
	}
	p.Days = append(p.Days, added)
}

// dayOf returns a day with dropped clicks.
func dayOf(of terse.Day, dropped []naive) terse.PastDay {
	past := terse.PastDay{Day: of}
	sums := [terse.NumDimensions]map[string]clickblock.Sum{}
	for i := range dropped {
		sum := dropped[i].sum
		past.Clicks += sum.Clicks
		past.Visitors += sum.Firsts
		values := dropped[i].Values
		clickblock.Derive(&values)
		for d := range terse.NumDimensions {
			if value := values.Of(d); value != d.Unknown() && sum.Clicks > 0 {
				if sums[d] == nil {
					sums[d] = map[string]clickblock.Sum{}
				}
				add(sums[d], value, sum)
			}
		}
	}
	for d := range terse.NumDimensions {
		if sums[d] == nil {
			continue
		}
		counts := terse.PastCounts{Dimension: d}
		for _, value := range slices.Sorted(maps.Keys(sums[d])) {
			sum := sums[d][value]
			counts.Values = append(counts.Values, terse.PastValue{
				Value: value, Clicks: sum.Clicks, People: sum.People, Firsts: sum.Firsts,
			})
		}
		past.Counts = append(past.Counts, counts)
	}
	return past
}

// added returns what becomes of the Past, and what to do with the list of clicks then.
func (p *past) added() (out terse.PastAdded, do func()) {
	var more []naive
	replaced := map[terse.Day]bool{}
	hasDropped := false
	for _, d := range p.Days {
		single, dropped, visitors := p.of(d.Day)
		firsts, skipped := firstsOf(visitors), false
		for i := range dropped {
			firsts += dropped[i].sum.Firsts
		}
		fresh, claimed, known := p.singles(d.Day, single)
		out.Added += clicksOf(fresh)
		out.Known += known
		has := clicksOf(dropped)
		switch {
		case len(single) > 0:
			if there := has + clicksOf(single) - claimed; d.Clicks > there {
				out.Known += there
				out.Skipped += d.Clicks - there
				out.SkippedDays, skipped = append(out.SkippedDays, d.Day), true
			} else {
				out.Known += d.Clicks
			}
		case d.Clicks > has:
			out.Known += has
			out.Added += d.Clicks - has
			replaced[d.Day] = true
			counted := p.counted(d.Day, dropped)
			less := firstsOf(counted)
			firsts = max(firsts, min(d.Visitors, d.Clicks))
			has = d.Clicks
			more = append(more, counted...)
			more = append(more, p.visitors(d.Day, firsts-less)...)
		default:
			out.Known += d.Clicks
		}
		hasDropped = hasDropped || has > 0 && d.Day == terse.DayOf(p.LastClick.UnixMicro())
		all, want := has+clicksOf(single)+clicksOf(fresh), d.ClickFirsts
		if !skipped {
			want += d.Visitors
		}
		firsts += firstsOf(single) + firstsOf(fresh)
		more = append(more, fresh...)
		more = append(more, p.visitors(d.Day, min(want, all)-firsts)...)
	}
	if _, dropped, _ := p.of(terse.DayOf(p.LastClick.UnixMicro())); len(dropped) > 0 {
		hasDropped = true
	}
	total, err := clickstore.TotalOf(p.m.rows, p.Link.ID)
	p.m.must(err)
	isLater := !p.LastClick.IsZero() &&
		(total.Clicks == 0 || p.LastClick.UnixMicro() > total.Last)
	return out, func() { p.apply(more, replaced, hasDropped && isLater) }
}

func clicksOf(some []naive) (n int64) {
	for i := range some {
		n += some[i].sum.Clicks
	}
	return n
}

func firstsOf(some []naive) (n int64) {
	for i := range some {
		n += some[i].sum.Firsts
	}
	return n
}

// singles returns the single clicks of a day that are added, how many of those that are there the
// Past claims, and how many of its own are known.
func (p *past) singles(of terse.Day, there []naive) (fresh []naive, claimed, known int64) {
	var lines []terse.PastClick
	for _, c := range p.Clicks {
		if terse.DayOf(c.Time) == of {
			lines = append(lines, c)
		}
	}
	slices.SortFunc(lines, func(a, b terse.PastClick) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time),
			cmp.Compare(clickblock.Hash(&a.Values), clickblock.Hash(&b.Values)))
	})
	room, total := map[int64]int64{}, map[int64]int64{}
	for _, c := range lines {
		total[c.Time] += c.Count
	}
	for at, n := range total {
		has := int64(0)
		for _, c := range there {
			if c.Time == at {
				has += c.sum.Clicks
			}
		}
		room[at] = max(n-has, 0)
		claimed += min(n, has)
	}
	known = claimed
	for _, isNew := range []bool{true, false} {
		for _, c := range lines {
			var has, firsts int64
			for i := range there {
				if there[i].Time == c.Time && there[i].Values == c.Values {
					has += there[i].sum.Clicks
					firsts += there[i].sum.Firsts
				}
			}
			if isNew != (has == 0) {
				continue
			}
			n := min(max(c.Count-has, 0), room[c.Time])
			room[c.Time] -= n
			if n > 0 {
				firsts = min(max(c.Firsts-firsts, 0), n)
				click := terse.Click{Time: c.Time, Values: c.Values}
				fresh = append(fresh, p.naive(click, n, firsts))
			}
		}
	}
	return fresh, claimed, known
}

// naive returns equal clicks of the link.
func (p *past) naive(c terse.Click, clicks, firsts int64) naive {
	c.Link = p.Link.ID
	n := numbered(c, clicks, firsts)
	n.owner, n.era = p.m.links.All[c.Link].Owner, p.m.eras[c.Link]
	return n
}

// counted returns the dropped clicks of a day, which replace others.
func (p *past) counted(of terse.Day, others []naive) (all []naive) {
	end := (of + 1).Start() - 1
	last, ownerAt := end, of.Start()
	if at := p.LastClick.UnixMicro(); !p.LastClick.IsZero() && at > of.Start() {
		last = min(last, at)
	}
	for _, c := range p.Clicks {
		if terse.DayOf(c.Time) == of {
			last = min(last, c.Time-1)
		}
	}
	for _, c := range others {
		switch {
		case c.counted:
			last, ownerAt = max(last, c.linkAt), max(ownerAt, c.ownerAt)
		case c.Untracked:
			last, ownerAt = end, end
		default:
			last, ownerAt = max(last, c.Time), max(ownerAt, c.Time)
		}
	}
	for _, d := range p.dropped[of] {
		c := p.naive(d.Click, d.sum.Clicks, d.sum.Firsts)
		c.Time, c.linkAt, c.ownerAt = of.Start(), last, ownerAt
		c.dropped, c.counted = true, true
		all = append(all, c)
	}
	return all
}

// visitors returns visitors of a day without clicks.
func (p *past) visitors(of terse.Day, n int64) (all []naive) {
	if n > 0 {
		c := p.naive(terse.Click{Time: of.Start()}, 0, n)
		c.dropped, c.visitor = true, true
		all = append(all, c)
	}
	return all
}

// apply adds to the list of clicks, in place of what there is of some dropped days.
func (p *past) apply(more []naive, replaced map[terse.Day]bool, hasLast bool) {
	m, owner := p.m, p.m.links.All[p.Link.ID].Owner
	of := []terse.LinkID{p.Link.ID, owner.Link()}
	if owner > others {
		of = append(of, others.Link())
	}
	keep := func(at int64) {
		for _, link := range of {
			if last, some := m.lasts[link]; !some || at > last {
				m.lasts[link] = at
			}
		}
	}
	m.clicks = slices.DeleteFunc(m.clicks, func(c naive) bool {
		gone := c.Link == p.Link.ID && c.dropped && !c.gone && replaced[terse.DayOf(c.Time)]
		if gone && !c.visitor {
			keep(c.last())
		}
		return gone
	})
	m.clicks = append(m.clicks, more...)
	if hasLast {
		keep(p.LastClick.UnixMicro())
	}
}

// read reads the past of a link.
func (m *model) read(id terse.LinkID) (p terse.Past) {
	m.t.Helper()
	p.Link = terse.LinkRef{ID: id, Code: m.links.All[id].Codes[0]}
	days := map[terse.Day]*terse.PastDayAdded{}
	day := func(of terse.Day) *terse.PastDayAdded {
		if days[of] == nil {
			days[of] = &terse.PastDayAdded{PastDay: terse.PastDay{Day: of}}
		}
		return days[of]
	}
	before := terse.Day(-1)
	m.must(m.reader.Read(&strictReader{rows: m.rows}, id, func(d terse.PastDay) error {
		if d.Day <= before || p.Clicks != nil {
			m.t.Errorf("%v of link %d comes too late", d.Day, id)
		}
		before, day(d.Day).PastDay = d.Day, d
		return nil
	}, func(c terse.PastClick) error {
		p.Clicks = append(p.Clicks, c)
		day(terse.DayOf(c.Time)).ClickFirsts += c.Firsts
		return nil
	}))
	for _, of := range slices.Sorted(maps.Keys(days)) {
		p.Days = append(p.Days, *days[of])
	}
	total, err := clickstore.TotalOf(m.rows, id)
	m.must(err)
	p.LastClick = total.Of(p.Link).Last
	return p
}

// wantPast compares the past of all links with the list of clicks. Nothing of it is new.
func (m *model) wantPast() {
	m.t.Helper()
	var all []terse.Past
	var known []terse.PastAdded
	for _, id := range m.ids {
		got := m.read(id)
		want := terse.Past{Link: got.Link, LastClick: got.LastClick}
		days, dropped := map[terse.Day]*terse.PastDayAdded{}, map[terse.Day][]naive{}
		var single []naive
		for _, c := range m.where(func(c *naive) bool { return c.Link == id && !c.gone }) {
			of := terse.DayOf(c.Time)
			days[of] = &terse.PastDayAdded{PastDay: terse.PastDay{Day: of}}
			if c.dropped {
				dropped[of] = append(dropped[of], c)
			} else {
				single = append(single, c)
			}
		}
		for of := range dropped {
			days[of].PastDay = dayOf(of, dropped[of])
		}
		want.Clicks = linesOf(single)
		for _, line := range want.Clicks {
			days[terse.DayOf(line.Time)].ClickFirsts += line.Firsts
		}
		for _, of := range slices.Sorted(maps.Keys(days)) {
			want.Days = append(want.Days, *days[of])
		}
		if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(terse.Code{})); diff != "" {
			m.t.Errorf("past of link %d (-want +got):\n%s", id, diff)
		}
		all = append(all, got)
		total, err := clickstore.TotalOf(m.rows, id)
		m.must(err)
		known = append(known, terse.PastAdded{Known: total.Clicks})
	}
	m.transact(func(*clickstore.Counter) error { return nil }) // deletes links
	before := m.rows
	m.transact(func(c *clickstore.Counter) error {
		none.begin(c)
		added, err := c.AddPast(all)
		if diff := gocmp.Diff(known, added); err == nil && diff != "" {
			m.t.Errorf("added again (-want +got):\n%s", diff)
		}
		return err
	})
	if !m.rows.Equal(before) {
		m.t.Error("rows have changed")
	}
}

// linesOf returns single clicks of a link as the reader does.
func linesOf(single []naive) (lines []terse.PastClick) {
	slices.SortStableFunc(single, func(a, b naive) int {
		for d := range terse.NumDimensions {
			order := strings.Compare(a.Values.Of(d), b.Values.Of(d))
			if a.Time == b.Time && order != 0 {
				return order
			}
		}
		return cmp.Compare(a.Time, b.Time)
	})
	for i := range single {
		c := &single[i]
		last := len(lines) - 1
		if last < 0 || lines[last].Time != c.Time || lines[last].Values != c.Values {
			lines = append(lines, terse.PastClick{Time: c.Time, Values: c.Values})
			last++
		}
		lines[last].Count += c.sum.Clicks
		lines[last].Firsts += c.sum.Firsts
	}
	return lines
}

// move adds the past of all links to an empty model, in parts.
func (m *model) move() *model {
	m.t.Helper()
	to := newModel(m.t, m.rng.Uint64())
	to.ids, to.nextID, to.now, to.countries = m.ids, m.nextID, m.now, m.countries
	to.links.All = map[terse.LinkID]*memrows.Link{}
	var first, second []terse.Past
	for _, id := range m.ids {
		link := m.links.All[id]
		to.links.All[id] = &memrows.Link{Codes: link.Codes, Owner: link.Owner}
		p := m.read(id)
		a, b := m.parts(p)
		first, second = append(first, a), append(second, b)
		of := &past{Past: p, m: to, dropped: map[terse.Day][]naive{}}
		visitors := map[terse.Day]int64{}
		for _, c := range m.where(func(c *naive) bool { return c.Link == id && !c.gone }) {
			day := terse.DayOf(c.Time)
			switch {
			case c.visitor:
				visitors[day] += c.sum.Firsts
			case c.dropped:
				of.dropped[day] = append(of.dropped[day], c)
			default:
				click := terse.Click{Time: c.Time, Values: c.Values}
				to.clicks = append(to.clicks, of.naive(click, c.sum.Clicks, c.sum.Firsts))
			}
		}
		for day := range of.dropped {
			to.clicks = append(to.clicks, of.counted(day, nil)...)
		}
		for day, n := range visitors {
			to.clicks = append(to.clicks, of.visitors(day, n)...)
		}
		if len(of.dropped[terse.DayOf(p.LastClick.UnixMicro())]) > 0 {
			of.apply(nil, nil, true)
		}
	}
	for _, part := range [][]terse.Past{first, second} {
		to.transact(func(c *clickstore.Counter) error {
			none.begin(c)
			_, err := c.AddPast(part)
			return err
		})
	}
	to.audit()
	to.wantPast()
	return to
}

// parts parts a Past between two instants.
func (m *model) parts(p terse.Past) (first, second terse.Past) {
	at := m.rng.IntN(len(p.Clicks) + 1)
	for at > 0 && at < len(p.Clicks) && p.Clicks[at].Time == p.Clicks[at-1].Time {
		at--
	}
	first, second = p, p
	first.Clicks, second.Clicks = p.Clicks[:at], p.Clicks[at:]
	first.Days, second.Days = nil, nil
	for _, d := range p.Days {
		switch {
		case at == len(p.Clicks) || d.Day < terse.DayOf(p.Clicks[at].Time):
			first.Days = append(first.Days, d)
		case at > 0 && d.Day == terse.DayOf(p.Clicks[at-1].Time):
			d.Continues = true
			first.Days = append(first.Days, d)
			d.Continues, d.Continued, d.Clicks, d.Counts = false, true, 0, nil
			second.Days = append(second.Days, d)
		default:
			second.Days = append(second.Days, d)
		}
	}
	return first, second
}
