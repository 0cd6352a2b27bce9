package clickstore

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// AddPast tops up clicks of the past: see terse.Archive. It adds at most 1,048,576 single clicks,
// and leaves the visitors of the open days alone.
func (c *Counter) AddPast(past []terse.Past) ([]terse.PastAdded, error) {
	if len(past) > maxBatch {
		return nil, fmt.Errorf("more than %d links of the past", maxBatch)
	}
	order := make([]uint64, 0, len(past))
	for i := range past {
		if link := past[i].Link.ID; isLink(link) {
			order = append(order, uint64(link)<<maxBatchBits|uint64(i))
		}
	}
	slices.Sort(order)
	for i := range order[min(1, len(order)):] {
		if order[i]>>inLink == order[i+1]>>inLink {
			return nil, errors.New("a link of the past is there twice")
		}
	}
	if _, err := c.learn(order); err != nil {
		return nil, fmt.Errorf("look up links: %w", err)
	}
	a := &adding{
		Counter: c, past: past, added: make([]terse.PastAdded, len(past)), room: maxBatch,
		selector: clickblock.NewSelector(&terse.ClickFilter{}, nil),
		owners:   map[OwnerID]*ownerPast{},
	}
	for i := range past {
		if !isLink(past[i].Link.ID) {
			a.added[i].Skipped = clicksOf(&past[i])
		}
	}
	for len(order) > 0 {
		n, err := c.prefetch(order, nil)
		if err != nil {
			return nil, err
		}
		if err := a.regions(order[:n]); err != nil {
			return nil, err
		}
		order = order[n:]
	}
	return a.added, a.countOwners()
}

// clicksOf returns how many clicks a Past has.
func clicksOf(p *terse.Past) (n int64) {
	for i := range p.Days {
		n += p.Days[i].Clicks
	}
	for i := range p.Clicks {
		n += p.Clicks[i].Count
	}
	return n
}

// adding is an AddPast under way.
type adding struct {
	*Counter
	past  []terse.Past
	added []terse.PastAdded
	room  int64 // how many single clicks may still be added

	lines   []addedLine // of links whose owners do not have them yet
	owners  map[OwnerID]*ownerPast
	changed bool // the totals of the bucket under way
	values  int  // how many values the dropped days of owners have in memory

	// Of the link under way.
	link     terse.LinkID
	days     []pastDay
	clicks   []pastClick
	selector *clickblock.Selector
	found    []terse.PastClick
	grown    grown
}

// addedLine is equal single clicks that are added.
type addedLine struct {
	clickblock.Click // its Offset is that in the region
	n, firsts        int64
	owner            OwnerID
}

// grown is what a link or an owner gets.
type grown struct {
	sum  clickblock.Sum
	last int64 // the time of the latest click, if there are clicks
	some bool
}

func (g *grown) add(sum clickblock.Sum, last int64) {
	g.sum.Add(sum)
	if !g.some || last > g.last {
		g.last, g.some = last, true
	}
}

// addTo adds to the totals of the link at an offset.
func (g *grown) addTo(t *totals, offset int) {
	if !g.some {
		return
	}
	if t.clicks[offset] == 0 || g.last > t.last[offset] {
		t.last[offset] = g.last
	}
	t.clicks[offset] += g.sum.Clicks
	t.people[offset] = min(max(t.people[offset]+g.sum.People, 0), t.clicks[offset])
}

// regions adds to the links of whole regions.
func (a *adding) regions(order []uint64) error {
	for len(order) > 0 {
		n := sameAs(order, inRegion)
		if err := a.region(int64(order[0]>>inRegion), order[:n]); err != nil {
			return err
		}
		order = order[n:]
		if a.packer.Full() {
			if err := a.countOwners(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *adding) region(region int64, order []uint64) error {
	from := len(a.lines)
	for len(order) > 0 {
		n := sameAs(order, inBucket)
		bucket := int64(order[0] >> inBucket)
		if err := a.totals.read(a.rows, bucket); err != nil {
			return err
		}
		a.changed = false
		for _, number := range order[:n] {
			if err := a.addLink(int(number % maxBatch)); err != nil {
				return fmt.Errorf("past of link %d: %w", number>>inLink, err)
			}
		}
		if a.changed {
			if err := a.putTotals(bucket); err != nil {
				return err
			}
		}
		order = order[n:]
	}
	a.fresh = a.fresh[:0]
	for i := range a.lines[from:] {
		line := &a.lines[from+i]
		click := line.Click
		click.IDs[clickblock.ByLink] = 0
		a.fresh = line.repeat(a.fresh, click)
	}
	return a.addRuns(Level0, region, a.fresh)
}

// repeat appends a click as often as the line has it.
func (l *addedLine) repeat(clicks []clickblock.Click, click clickblock.Click) []clickblock.Click {
	for i := range l.n {
		click.First = i < l.firsts
		clicks = append(clicks, click)
	}
	return clicks
}

// pastDay is a day of the link under way.
type pastDay struct {
	*terse.PastDayAdded
	from, to int            // its clicks among those of the Past
	single   clickblock.Sum // the single clicks that the link has
	claimed  int64          // those of them that clicks of the Past claim
	head     clickblock.Head
	skipped  bool // its dropped clicks, in part at least
}

// pastClick is a click of the Past.
type pastClick struct {
	*terse.PastClick
	hash          uint64
	known, firsts int64 // what the link has of it
	there         int64 // of the first click of an instant: how many the link has at that instant
}

// addLink adds to a link, whose bucket's totals are in a.totals.
func (a *adding) addLink(i int) error {
	p, out := &a.past[i], &a.added[i]
	known := a.cache.of(p.Link.ID)
	if known == nil || p.Link.Code != known.code &&
		!slices.Contains(a.cache.former[p.Link.ID], p.Link.Code) {
		out.Skipped = clicksOf(p)
		return nil
	}
	a.link, a.grown = p.Link.ID, grown{}
	if err := a.begin(p); err != nil {
		return err
	}
	offset := offsetOf(a.link)
	if a.totals.clicks[offset] > 0 {
		if err := a.compare(); err != nil {
			return err
		}
	}
	link := clickblock.Link{ID: a.link, Era: a.totals.eras[offset]}
	for k := range a.days {
		if err := a.addDay(&a.days[k], known.owner, link, p, out); err != nil {
			return fmt.Errorf("%v: %w", a.days[k].Day, err)
		}
		if out.More {
			break
		}
	}
	if err := a.addLastClick(p, out); err != nil {
		return err
	}
	if a.grown.some {
		a.changed = true
		a.grown.addTo(&a.totals, offset)
		a.owner(known.owner).add(a.grown.sum, a.grown.last)
	}
	if a.values > maxGrownValues {
		return a.growOwners()
	}
	return nil
}

// begin sets the days and clicks of the link under way.
func (a *adding) begin(p *terse.Past) error {
	a.days, a.clicks = a.days[:0], slices.Grow(a.clicks[:0], len(p.Clicks))
	for i := range p.Clicks {
		if i > 0 && p.Clicks[i].Time < p.Clicks[i-1].Time {
			return errors.New("the clicks are not in order of time")
		}
		a.clicks = append(a.clicks, pastClick{PastClick: &p.Clicks[i]})
	}
	to := 0
	for k := range p.Days {
		day := pastDay{PastDayAdded: &p.Days[k], from: to}
		if k > 0 && day.Day <= p.Days[k-1].Day {
			return errors.New("the days are not in order")
		}
		for to < len(p.Clicks) && dayOf(p.Clicks[to].Time) == day.Day {
			to++
		}
		day.to = to
		a.days = append(a.days, day)
	}
	if to < len(p.Clicks) {
		return errors.New("a click has no day")
	}
	return nil
}

// dayAt returns one of the days of the link under way, or nil.
func (a *adding) dayAt(day terse.Day) *pastDay {
	k, found := slices.BinarySearchFunc(a.days, day, func(d pastDay, day terse.Day) int {
		return cmp.Compare(d.Day, day)
	})
	if !found {
		return nil
	}
	return &a.days[k]
}

// compare finds out what the link has of the days and clicks of the Past.
func (a *adding) compare() error {
	if len(a.days) == 0 {
		return nil
	}
	for i := range a.clicks {
		a.clicks[i].hash = clickblock.Hash(&a.clicks[i].Values)
	}
	slices.SortFunc(a.clicks, func(x, y pastClick) int { return x.compare(y.Time, y.hash) })
	days := dayRange{a.days[0].Day, a.days[len(a.days)-1].Day}
	within := Span{days.from.Start(), (days.to + 1).Start() - 1}
	if err := a.prefetchOf(days); err != nil {
		return err
	}
	for _, t := range []Table{Days, Dropped} {
		heads := countsBetween(t, a.link, headColumn, days.from, days.to)
		if err := a.rows.Scan(heads, Always, func(b int64, _ Span, v []byte) error {
			of, _ := ofKey(b)
			day := a.dayAt(terse.Day(of))
			if day == nil {
				return nil
			}
			h, err := clickblock.ParseHead(v)
			if t == Days {
				day.single = h.Sum
			} else {
				day.head = h
			}
			return err
		}); err != nil {
			return err
		}
	}
	if err := eachWithoutCounts(a.rows, a.link, within, func(v []byte, _ Span, offset int) error {
		return a.compareBlock(v, offset, within, true)
	}); err != nil {
		return err
	}
	return a.compareDays(days)
}

// prefetchOf announces the rows that compare reads.
func (a *adding) prefetchOf(days dayRange) error {
	values := []Range{
		looseOf(a.link), openOf(a.link),
		countsBetween(Days, a.link, headColumn, days.from, days.to),
		countsBetween(Dropped, a.link, headColumn, days.from, days.to),
	}
	for _, runs := range runsOf(a.link) {
		values = append(values, runs.Range)
	}
	return a.rows.Prefetch(values, []Range{blocksOf(a.link, days)})
}

// compareDays reads the blocks of counted days in which clicks of the Past may be.
func (a *adding) compareDays(days dayRange) error {
	var keys []Key
	err := a.rows.Sizes(blocksOf(a.link, days), func(b int64, at Span, _ int) error {
		if i := a.search(at.First, 0); i < len(a.clicks) && a.clicks[i].Time <= at.Last {
			keys = append(keys, Key{int64(a.link), b})
		}
		return nil
	})
	for some := range slices.Chunk(keys, fetchedAtOnce) {
		var blocks []Range
		for _, key := range some {
			blocks = append(blocks, Range{Level2, key.A, key.B, key.B})
		}
		if err == nil {
			err = a.rows.Prefetch(blocks, nil)
		}
		for _, key := range some {
			if err == nil {
				err = a.rows.Get(Level2, key, func(v []byte) error {
					return a.compareBlock(v, -1, Always, false)
				})
			}
		}
	}
	return err
}

// fetchedAtOnce bounds the blocks that are prefetched together, to a few MiB.
const fetchedAtOnce = 64

// compareBlock compares the clicks of a block with those of the Past. It adds them to their days if
// they are in no counts.
func (a *adding) compareBlock(v []byte, offset int, within Span, withoutCounts bool) error {
	n, err := a.selector.Open(v, offset, within.First, within.Last)
	if n == 0 || err != nil {
		return err
	}
	times, err := a.selector.Times()
	if err != nil {
		return err
	}
	people, err := a.selector.People(false)
	if err != nil {
		return err
	}
	var chosen []uint16
	var day *pastDay
	for _, i := range a.selector.Chosen() {
		at := times[i]
		if withoutCounts {
			if day == nil || day.Day != dayOf(at) {
				day = a.dayAt(dayOf(at))
			}
			if day != nil {
				day.single.Add(people.Of(i))
			}
		}
		if k := a.search(at, 0); k < len(a.clicks) && a.clicks[k].Time == at {
			chosen = append(chosen, i)
		}
	}
	a.selector.Choose(chosen)
	if len(chosen) == 0 {
		return nil
	}
	if a.found, err = appendPast(a.found[:0], a.selector); err != nil {
		return err
	}
	for i := range a.found {
		f := &a.found[i]
		a.clicks[a.search(f.Time, 0)].there++
		hash := clickblock.Hash(&f.Values)
		k := a.search(f.Time, hash)
		if k < len(a.clicks) && a.clicks[k].compare(f.Time, hash) == 0 {
			a.clicks[k].known++
			a.clicks[k].firsts += f.Firsts
		}
	}
	return nil
}

func (c *pastClick) compare(at int64, hash uint64) int {
	return cmp.Or(cmp.Compare(c.Time, at), cmp.Compare(c.hash, hash))
}

// search returns the first click of the Past that is not before a time and hash.
func (a *adding) search(at int64, hash uint64) int {
	k, _ := slices.BinarySearchFunc(a.clicks, at, func(c pastClick, at int64) int {
		if c.compare(at, hash) < 0 {
			return -1
		}
		return 1
	})
	return k
}

// instant returns how many of sorted clicks are of the first one's instant, and how many clicks
// they stand for.
func instant(clicks []pastClick) (n int, sum int64) {
	for n < len(clicks) && clicks[n].Time == clicks[0].Time {
		sum += clicks[n].Count
		n++
	}
	return n, sum
}

// addDay adds a day of the Past.
func (a *adding) addDay(day *pastDay, owner OwnerID, link clickblock.Link, p *terse.Past,
	out *terse.PastAdded,
) error {
	clicks, before := a.clicks[day.from:day.to], day.head
	for rest := clicks; len(rest) > 0; {
		n, sum := instant(rest)
		day.claimed += min(sum, rest[0].there)
		rest = rest[n:]
	}
	if day.Clicks > 0 {
		if err := a.addCounts(day, owner, p, out); err != nil {
			return err
		}
	}
	for rest := clicks; len(rest) > 0 && !out.More; {
		n, sum := instant(rest)
		a.addInstant(rest[:n], sum, day, owner, link, out)
		rest = rest[n:]
	}
	if !day.Continues && !out.More {
		day.addVisitors()
	}
	if day.head.Sum == before.Sum {
		return nil
	}
	if err := putHead(a.Counter, Dropped, a.link, day.Day, day.head); err != nil {
		return err
	}
	if err := a.openMonth(a.link, terse.MonthOf(day.Day)); err != nil {
		return err
	}
	sum := day.head.Sum
	sum.Sub(before.Sum)
	if sum.Clicks > 0 {
		a.grown.add(clickblock.Sum{Clicks: sum.Clicks, People: sum.People}, day.Day.Start())
	}
	of := a.owner(owner).day(day.Day)
	of.sum.Add(sum)
	addSum(of.links, link, sum)
	a.values++
	return nil
}

// addInstant adds clicks of one instant, of which there are sum in the Past.
func (a *adding) addInstant(clicks []pastClick, sum int64, day *pastDay, owner OwnerID,
	link clickblock.Link, out *terse.PastAdded,
) {
	most := max(sum-clicks[0].there, 0)
	out.Known += sum - most
	if most > a.room {
		most, out.More = a.room, true
	}
	for _, isNew := range []bool{true, false} { // first those whose values the link lacks
		for i := range clicks {
			c := &clicks[i]
			n := min(max(c.Count-c.known, 0), most)
			if n == 0 || isNew != (c.known == 0) {
				continue
			}
			most -= n
			a.room -= n
			out.Added += n
			line := addedLine{Click: a.packer.Make(c.Time, &c.Values), n: n, owner: owner}
			line.IDs[clickblock.ByLink] = a.packer.LinkID(link)
			line.Offset = offsetInRegion(a.link)
			line.firsts = min(max(c.Firsts-c.firsts, 0), n)
			a.lines = append(a.lines, line)
			single := clickblock.Sum{Clicks: n, People: n, Firsts: line.firsts}
			if line.Bot() {
				single.People = 0
			}
			day.single.Add(single)
			a.grown.add(single, c.Time)
		}
	}
}

// addVisitors adds the visitors of a day that it has not got by its clicks. A visitor has clicked
// at least once.
func (day *pastDay) addVisitors() {
	want := day.ClickFirsts
	if !day.skipped {
		want += day.Visitors
	}
	want = min(want, day.single.Clicks+day.head.Clicks)
	day.head.Firsts += max(want-day.single.Firsts-day.head.Firsts, 0)
}

// addCounts adds the dropped clicks of a day. If the link has single clicks of that day, the same
// clicks may be among both, so none are added.
func (a *adding) addCounts(day *pastDay, owner OwnerID, p *terse.Past,
	out *terse.PastAdded,
) error {
	if day.single.Clicks > 0 {
		known := min(day.Clicks, day.head.Clicks+day.single.Clicks-day.claimed)
		out.Known += known
		if known < day.Clicks {
			out.Skipped += day.Clicks - known
			out.SkippedDays = append(out.SkippedDays, day.Day)
			day.skipped = true
		}
		return nil
	}
	known := min(day.Clicks, day.head.Clicks)
	out.Known += known
	if known == day.Clicks {
		return nil
	}
	out.Added += day.Clicks - known
	last := (day.Day + 1).Start() - 1
	if at := p.LastClick.UnixMicro(); !p.LastClick.IsZero() && at > day.Day.Start() {
		last = min(last, at)
	}
	if day.from < day.to { // the retention drops what is before the single clicks
		last = min(last, a.clicks[day.from].Time-1)
	}
	if day.head.Clicks == 0 || last > day.head.Last {
		day.head.Last = last
	}
	return a.replaceCounts(day, a.owner(owner).day(day.Day))
}

// replaceCounts replaces the counts of a dropped day of the link, and adds the difference to those
// of its owner.
func (a *adding) replaceCounts(day *pastDay, of *ownerDay) error {
	var by [terse.NumDimensions]map[string]clickblock.Sum
	for d := range by {
		by[d] = map[string]clickblock.Sum{}
	}
	for _, counts := range day.Counts {
		for _, v := range counts.Values {
			sum := clickblock.Sum{Clicks: v.Clicks, People: v.People, Firsts: v.Firsts}
			if counts.Dimension == terse.ByVisitor {
				if sum.People = v.Clicks; v.Value == terse.Bot {
					sum.People = 0
				}
			}
			addSum(by[counts.Dimension], v.Value, sum)
		}
	}
	had := day.head.Clicks > 0
	day.head.Sum = clickblock.Sum{
		Clicks: day.Clicks,
		People: day.Clicks - min(by[terse.ByVisitor][terse.Bot].Clicks, day.Clicks),
		Firsts: max(day.head.Firsts, min(day.Visitors, day.Clicks)),
	}
	for _, d := range clickblock.Stored {
		if had {
			before, err := a.pieces(Dropped, a.link, columnOf(d), day.Day)
			if err != nil {
				return err
			}
			if err := a.grow(of, d, before, -1); err != nil {
				return err
			}
			if err := a.rows.Delete(
				countsBetween(Dropped, a.link, columnOf(d), day.Day, day.Day)); err != nil {
				return err
			}
		}
		pieces, err := clickblock.Adjust(d, day.head.Sum, nil, by[d])
		if err != nil {
			return err
		}
		if err := putPieces(a.Counter, Dropped, a.link, columnOf(d), day.Day, pieces); err != nil {
			return err
		}
		if err := a.grow(of, d, pieces, 1); err != nil {
			return err
		}
	}
	return nil
}

// grow adds counts of a link to what its owner gets, or subtracts them if sign is -1.
func (a *adding) grow(of *ownerDay, d terse.Dimension, pieces [][]byte, sign int64) error {
	if len(pieces) == 0 {
		return nil
	}
	if of.values[d] == nil {
		of.values[d] = map[string]clickblock.Sum{}
	}
	before := len(of.values[d])
	err := clickblock.EachValue(d, pieces, func(text string, sum clickblock.Sum) {
		addSum(of.values[d], text, clickblock.Sum{
			Clicks: sign * sum.Clicks, People: sign * sum.People, Firsts: sign * sum.Firsts,
		})
	})
	a.values += len(of.values[d]) - before
	return err
}

// addLastClick keeps the time of the last click if it was dropped, as it may have been.
func (a *adding) addLastClick(p *terse.Past, out *terse.PastAdded) error {
	offset, at := offsetOf(a.link), p.LastClick.UnixMicro()
	if p.LastClick.IsZero() || out.More || a.grown.some && at <= a.grown.last ||
		a.totals.clicks[offset] > 0 && at <= a.totals.last[offset] {
		return nil
	}
	var h clickblock.Head
	if day := a.dayAt(dayOf(at)); day != nil {
		h = day.head
	} else if a.totals.clicks[offset] > 0 {
		var err error
		if h, err = head(a.rows, Dropped, a.link, dayOf(at)); err != nil {
			return err
		}
	}
	if h.Clicks > 0 {
		a.grown.add(clickblock.Sum{}, at)
	}
	return nil
}

// ownerPast is what all links of an owner get.
type ownerPast struct {
	grown
	days map[terse.Day]*ownerDay
}

// ownerDay is what a dropped day of all links of an owner gets.
type ownerDay struct {
	sum    clickblock.Sum
	values [terse.NumDimensions]map[string]clickblock.Sum
	links  map[clickblock.Link]clickblock.Sum
}

// maxGrownValues bounds the values and links of dropped days of owners that are in memory.
const maxGrownValues = 1 << 17

func (a *adding) owner(id OwnerID) *ownerPast {
	of := a.owners[id]
	if of == nil {
		of = &ownerPast{days: map[terse.Day]*ownerDay{}}
		a.owners[id] = of
	}
	return of
}

func (o *ownerPast) day(day terse.Day) *ownerDay {
	of := o.days[day]
	if of == nil {
		of = &ownerDay{links: map[clickblock.Link]clickblock.Sum{}}
		o.days[day] = of
	}
	return of
}

// countOwners adds to the links of owners what their links got. No one uses the packed clicks
// afterwards, so it resets the packer.
func (a *adding) countOwners() error {
	if err := a.growOwners(); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(a.owners)) {
		all, offset := id.Link(), offsetOf(id.Link())
		if err := a.totals.read(a.rows, BucketOf(all)); err != nil {
			return err
		}
		a.owners[id].addTo(&a.totals, offset)
		if err := a.putTotals(BucketOf(all)); err != nil {
			return err
		}
		a.fresh = a.fresh[:0]
		for i := range a.lines {
			if line := &a.lines[i]; line.owner == id {
				click := line.Click
				click.Offset = uint16(offset)
				a.fresh = line.repeat(a.fresh, click)
			}
		}
		if err := a.addRuns(Level1, BucketOf(all), a.fresh); err != nil {
			return fmt.Errorf("all links of owner %d: %w", id, err)
		}
	}
	a.lines = a.lines[:0]
	clear(a.owners)
	a.packer.Reset()
	return nil
}

// growOwners adds to the dropped days of the links of owners.
func (a *adding) growOwners() error {
	for _, id := range slices.Sorted(maps.Keys(a.owners)) {
		days := a.owners[id].days
		for _, day := range slices.Sorted(maps.Keys(days)) {
			if err := a.growDay(id.Link(), day, days[day]); err != nil {
				return fmt.Errorf("%v of all links of owner %d: %w", day, id, err)
			}
		}
		clear(days)
	}
	a.values = 0
	return nil
}

// growDay adds to a dropped day of the link of an owner.
func (a *adding) growDay(all terse.LinkID, day terse.Day, of *ownerDay) error {
	h, err := head(a.rows, Dropped, all, day)
	if err != nil {
		return err
	}
	if h.Sum.Add(of.sum); of.sum.Clicks > 0 {
		h.Last = max(h.Last, day.Start()) // other links may have single clicks of the day
	}
	h.Sum = h.Sum.Valid()
	// Where clicks of people become clicks of bots, no value may keep more than there are.
	shrinks := min(of.sum.People, of.sum.Clicks-of.sum.People, of.sum.Firsts) < 0
	for _, d := range clickblock.Stored {
		if len(of.values[d]) == 0 && !shrinks {
			continue
		}
		before, err := a.pieces(Dropped, all, columnOf(d), day)
		if err != nil {
			return err
		}
		pieces, err := clickblock.Adjust(d, h.Sum, before, of.values[d])
		if err != nil {
			return fmt.Errorf("counts by %v: %w", d, err)
		}
		if err := a.rows.Delete(countsBetween(Dropped, all, columnOf(d), day, day)); err != nil {
			return err
		}
		if err := putPieces(a.Counter, Dropped, all, columnOf(d), day, pieces); err != nil {
			return err
		}
	}
	before, err := a.pieces(Dropped, all, linksColumn, day)
	if err != nil {
		return err
	}
	pieces, err := clickblock.AdjustLinks(before, of.links)
	if err != nil {
		return err
	}
	if err := a.rows.Delete(countsBetween(Dropped, all, linksColumn, day, day)); err != nil {
		return err
	}
	if err := putPieces(a.Counter, Dropped, all, linksColumn, day, pieces); err != nil {
		return err
	}
	if err := putHead(a.Counter, Dropped, all, day, h); err != nil {
		return err
	}
	return a.openMonth(all, terse.MonthOf(day))
}
