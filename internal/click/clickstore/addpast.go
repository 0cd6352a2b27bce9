package clickstore

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"terse"
	"terse/internal/click/clickblock"
)

// AddPast tops up clicks of the past: see terse.Archive. It leaves the visitors of the open days
// alone.
func (c *Counter) AddPast(past []terse.Past) ([]terse.PastAdded, error) {
	return c.addPast(past, false)
}

// TryPast returns what AddPast would. It never parts an instant, because only an added part shows
// what is left. The transaction must be undone.
func (c *Counter) TryPast(past []terse.Past) ([]terse.PastAdded, error) {
	return c.addPast(past, true)
}

func (c *Counter) addPast(past []terse.Past, tries bool) ([]terse.PastAdded, error) {
	began := c.limits.now()
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
	if err := c.findOthers(); err != nil {
		return nil, err
	}
	a := &pastAdder{
		Counter: c, past: past, added: make([]terse.PastAdded, len(past)),
		tries: tries, room: c.limits.pastAtOnce, began: began,
		selector: clickblock.NewSelector(&terse.ClickFilter{}, nil),
		owners:   map[OwnerID]*ownerPast{},
	}
	for i := range past {
		switch {
		case isLink(past[i].Link.ID):
		case tries && past[i].Link.ID == 0:
			if err := a.tryNew(i); err != nil {
				return nil, err
			}
		default:
			a.added[i].Skipped = clicksOf(&past[i])
		}
	}
	for len(order) > 0 && !a.over() {
		n, err := c.prefetch(order, nil)
		if err != nil {
			return nil, err
		}
		if err := a.regions(order[:n]); err != nil {
			return nil, err
		}
		order = order[n:]
	}
	a.leave(order)
	return a.added, a.countOwners()
}

// tryNew tries to add to a link that does not exist yet.
func (a *pastAdder) tryNew(i int) error {
	if a.over() {
		rest := a.past[i]
		a.added[i].Rest = &rest
		return nil
	}
	a.Past, a.out, a.grown = &a.past[i], &a.added[i], grown{}
	a.owner, a.of = 0, []*ownerPast{{days: map[terse.Day]*ownerDay{}}}
	if err := a.begin(); err != nil {
		return err
	}
	return a.addDays()
}

// over reports whether the transaction should end: it has done something, and has reached a bound.
func (a *pastAdder) over() bool {
	return a.did && (a.room <= 0 || a.limits.now().Sub(a.began) >= a.limits.pastTime)
}

// leave leaves links to the next call.
func (a *pastAdder) leave(order []uint64) {
	for _, number := range order {
		rest := a.past[number%maxBatch]
		a.added[number%maxBatch].Rest = &rest
	}
}

// clicksOf returns how many clicks a Past has that were not reported.
func clicksOf(p *terse.Past) (n int64) {
	n = -p.Reported
	for i := range p.Days {
		n += p.Days[i].Clicks
	}
	for i := range p.Clicks {
		n += p.Clicks[i].Count
	}
	return n
}

// pastAdder is an AddPast under way.
type pastAdder struct {
	*Counter
	past  []terse.Past
	added []terse.PastAdded
	tries bool
	began time.Time
	room  int64 // how many clicks may still be added to blocks
	did   bool  // something

	lines   []addedLine // of links whose owners do not have them yet
	owners  map[OwnerID]*ownerPast
	changed bool // the totals of the bucket under way
	values  int  // how many values the dropped days of owners have in memory

	// Of the link under way.
	*terse.Past
	out      *terse.PastAdded
	link     clickblock.Link
	owner    OwnerID
	of       []*ownerPast // of the owner, and of the others if it is joined
	days     []pastDay
	clicks   []pastClick
	selector *clickblock.Selector
	found    []terse.PastClick
	grown    grown
	parted   bool // an instant, by a bound
}

// addedLine is equal single clicks that are added.
type addedLine struct {
	clickblock.Click // its Offset is that in the region
	n, firsts        int64
	owner            OwnerID
}

// grown is the clicks that a link or an owner gets.
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
func (a *pastAdder) regions(order []uint64) error {
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

func (a *pastAdder) region(region int64, order []uint64) error {
	from := len(a.lines)
	for len(order) > 0 {
		n := sameAs(order, inBucket)
		if a.over() {
			a.leave(order[:n])
			order = order[n:]
			continue
		}
		bucket := int64(order[0] >> inBucket)
		if err := a.totals.read(a.rows, bucket); err != nil {
			return err
		}
		a.changed = false
		for some := range slices.Chunk(order[:n], fetchedAtOnce) {
			if err := a.prefetchLinks(some); err != nil {
				return err
			}
			for k, number := range some {
				if a.over() {
					a.leave(some[k:])
					break
				}
				if err := a.addLink(int(number % maxBatch)); err != nil {
					return fmt.Errorf("past of link %d: %w", number>>inLink, err)
				}
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
		a.addFresh(line, click)
	}
	return a.addRuns(Level0, region, a.fresh)
}

// addFresh adds the clicks of a line to the fresh ones: nearly always one that stands for all.
func (a *pastAdder) addFresh(line *addedLine, click clickblock.Click) {
	for n, firsts := line.n, line.firsts; n > 0; {
		clicks := min(n, clickblock.MaxEqual)
		a.packer.Number(&click, clicks, min(firsts, clicks))
		a.fresh = append(a.fresh, click)
		n, firsts = n-clicks, max(firsts-clicks, 0)
	}
}

// inBlocks returns how many clicks of blocks stand for n equal ones.
func inBlocks(n int64) int64 { return (n + clickblock.MaxEqual - 1) / clickblock.MaxEqual }

// pastDay is a day of the link under way.
type pastDay struct {
	*terse.PastDayAdded
	from, to int            // its clicks among those of the Past
	single   clickblock.Sum // the single clicks that the link has
	claimed  int64          // those of them that clicks of the Past claim
	head     clickblock.Head
	skipped  bool // its dropped clicks, in part at least, so its visitors, too
	begun    bool // its dropped clicks are done
}

// pastClick is a click of the Past.
type pastClick struct {
	*terse.PastClick
	hash          uint64
	known, firsts int64 // what the link has of it
	atInstant     int64 // of the first click of an instant: how many clicks the link has there
}

// addLink adds to a link, whose bucket's totals are in a.totals.
func (a *pastAdder) addLink(i int) error {
	a.Past, a.out, a.grown = &a.past[i], &a.added[i], grown{}
	known := a.cache.of(a.Link.ID)
	if known == nil || a.Link.Code != known.code &&
		!slices.Contains(a.cache.former[a.Link.ID], a.Link.Code) {
		a.out.Skipped = clicksOf(a.Past)
		return nil
	}
	offset := offsetOf(a.Link.ID)
	if err := a.findOwners(known.owner); err != nil {
		return err
	}
	a.owner, a.link = known.owner, clickblock.Link{ID: a.Link.ID, Era: a.totals.eras[offset]}
	if err := a.begin(); err != nil {
		return err
	}
	if a.totals.clicks[offset] > 0 {
		if err := a.compare(); err != nil {
			return err
		}
	}
	if err := a.addDays(); err != nil {
		return err
	}
	if err := a.addLastClick(); err != nil {
		return err
	}
	if a.grown.some {
		a.changed = true
		a.grown.addTo(&a.totals, offset)
		for _, of := range a.of {
			of.add(a.grown.sum, a.grown.last)
		}
	}
	if a.values > maxGrownValues {
		return a.growOwners()
	}
	return nil
}

// addDays adds the days of the link under way.
func (a *pastAdder) addDays() error {
	for k := 0; k < len(a.days) && a.out.Rest == nil; k++ {
		if a.over() {
			a.leaveFrom(&a.days[k], a.days[k].from, a.reported(&a.days[k]))
			break
		}
		if err := a.addDay(&a.days[k]); err != nil {
			return fmt.Errorf("%v: %w", a.days[k].Day, err)
		}
	}
	return nil
}

// begin sets the days and clicks of the link under way.
func (a *pastAdder) begin() error {
	p := a.Past
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

// reported returns how many clicks of the first instant of a day were reported.
func (a *pastAdder) reported(day *pastDay) int64 {
	if day.from > 0 {
		return 0
	}
	return a.Reported
}

// leaveFrom leaves the rest of the link, from a click of a day on, to the next call. reported is
// how many clicks of its instant were reported.
func (a *pastAdder) leaveFrom(day *pastDay, click int, reported int64) {
	rest := *a.Past
	for k := range rest.Days {
		if &rest.Days[k] == day.PastDayAdded {
			rest.Days = rest.Days[k:]
			break
		}
	}
	rest.Clicks, rest.Reported = rest.Clicks[click:], reported
	if day.begun {
		rest.Days = slices.Clone(rest.Days)
		first := &rest.Days[0]
		first.Clicks, first.Counts, first.Continued = 0, nil, true
		if day.skipped {
			first.Visitors = 0
		}
	}
	a.out.Rest = &rest
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
func (a *pastAdder) addDay(day *pastDay) error {
	clicks := a.clicks[day.from:day.to]
	if a.tries {
		day.single.Clicks += a.Tried.Days[day.Day]
		day.head.Clicks += a.Tried.Dropped[day.Day]
		for i := range clicks {
			if i == 0 || clicks[i].Time != clicks[i-1].Time {
				clicks[i].atInstant += a.Tried.Instants[clicks[i].Time]
			}
		}
	}
	before, reported := day.head, a.reported(day)
	for rest := clicks; len(rest) > 0; {
		n, sum := instant(rest)
		day.claimed += min(sum, rest[0].atInstant)
		rest = rest[n:]
	}
	if day.Clicks > 0 {
		if err := a.addCounts(day); err != nil {
			return err
		}
	}
	day.begun, a.did = true, a.did || day.Clicks > 0
	for rest := clicks; len(rest) > 0; {
		at := day.to - len(rest)
		if a.over() {
			a.leaveFrom(day, at, reported)
			break
		}
		n, sum := instant(rest)
		if reported = a.addInstant(rest[:n], sum, reported, day); a.parted {
			a.parted = false
			a.leaveFrom(day, at, reported)
			break
		}
		rest, reported, a.did = rest[n:], 0, true
	}
	a.did = true
	if !day.Continues && a.out.Rest == nil {
		day.addVisitors()
	}
	if day.head.Sum == before.Sum {
		return nil
	}
	if err := putHead(a.Counter, Dropped, a.Link.ID, day.Day, day.head); err != nil {
		return err
	}
	if err := a.openMonth(a.Link.ID, terse.MonthOf(day.Day)); err != nil {
		return err
	}
	sum := day.head.Sum
	sum.Sub(before.Sum)
	if sum.Clicks > 0 {
		a.grown.add(clickblock.Sum{Clicks: sum.Clicks, People: sum.People}, day.Day.Start())
	}
	for _, o := range a.of {
		of := o.day(day.Day)
		of.sum.Add(sum)
		addSum(of.links, a.link, sum)
		a.values++
	}
	return nil
}

// addInstant adds the clicks of one instant. sum is how many the Past has of them, and reported is
// how many of these earlier calls have reported. It returns how many are reported now. If a bound
// leaves some of them, it sets parted: the next call finds those that were added, and continues
// with the others in the same order.
func (a *pastAdder) addInstant(clicks []pastClick, sum, reported int64, day *pastDay) int64 {
	most := max(sum-clicks[0].atInstant, 0)
	known := sum - most
	a.out.Known += max(known-reported, 0)
	reported = max(known, reported)
	for _, isNew := range []bool{true, false} { // first those whose values the link lacks
		for i := range clicks {
			c := &clicks[i]
			n := min(max(c.Count-c.known, 0), most)
			if n == 0 || isNew != (c.known == 0) {
				continue
			}
			if !a.tries && (a.over() || inBlocks(n) > a.room && a.room < a.limits.pastAtOnce) {
				a.parted = true
				return reported
			}
			a.did = true
			most -= n
			reported += n
			if !a.fits(n) {
				a.out.Refused = append(a.out.Refused, c.Time)
				continue
			}
			a.out.Added += n
			if a.tries {
				tried(&a.out.Tried.Instants, c.Time, n)
				tried(&a.out.Tried.Days, day.Day, n)
			}
			a.addClick(c, n, day)
		}
	}
	return reported
}

// tried adds to a map of a terse.Tried.
func tried[K comparable](to *map[K]int64, key K, n int64) {
	if *to == nil {
		*to = map[K]int64{}
	}
	(*to)[key] += n
}

// fits reports whether the owner of the link, and the others together, may have so many more
// clicks.
func (a *pastAdder) fits(n int64) bool {
	for _, of := range a.of {
		if of.had+of.sum.Clicks+a.grown.sum.Clicks > terse.MaxOwnerClicks-n {
			return false
		}
	}
	return true
}

// addClick adds n clicks that are equal to one of the Past.
func (a *pastAdder) addClick(c *pastClick, n int64, day *pastDay) {
	a.room -= inBlocks(n)
	line := addedLine{Click: a.packer.Make(c.Time, &c.Values), n: n, owner: a.owner}
	line.IDs[clickblock.ByLink] = a.packer.LinkID(a.link)
	line.Offset = offsetInRegion(a.Link.ID)
	single := clickblock.Sum{Clicks: n}
	if !line.Bot() { // bots are not visitors
		line.firsts = min(max(c.Firsts-c.firsts, 0), n)
		single.People, single.Firsts = n, line.firsts
	}
	a.lines = append(a.lines, line)
	day.single.Add(single)
	a.grown.add(single, c.Time)
}

// addLastClick sets the time of the last click, if that may have been a dropped one.
func (a *pastAdder) addLastClick() error {
	offset, at := offsetOf(a.Link.ID), a.LastClick.UnixMicro()
	if a.LastClick.IsZero() || a.out.Rest != nil || a.grown.some && at <= a.grown.last ||
		a.totals.clicks[offset] > 0 && at <= a.totals.last[offset] {
		return nil
	}
	var h clickblock.Head
	if day := a.dayAt(dayOf(at)); day != nil {
		h = day.head
	} else if a.totals.clicks[offset] > 0 {
		var err error
		if h, err = head(a.rows, Dropped, a.Link.ID, dayOf(at)); err != nil {
			return err
		}
	}
	if h.Clicks > 0 {
		a.grown.add(clickblock.Sum{}, at)
	}
	return nil
}

// countOwners adds to the links of owners, and of the others, what their links got. No one uses the
// packed clicks afterwards, so it resets the packer.
func (a *pastAdder) countOwners() error {
	if err := a.growOwners(); err != nil {
		return err
	}
	lines := map[OwnerID][]int{} // their places
	for i := range a.lines {
		owner := a.lines[i].owner
		lines[owner] = append(lines[owner], i)
		if a.isJoined(owner) {
			lines[a.others] = append(lines[a.others], i)
		}
	}
	owners := slices.DeleteFunc(slices.Sorted(maps.Keys(a.owners)),
		func(id OwnerID) bool { return !a.owners[id].some })
	for some := range slices.Chunk(owners, ownersAtOnce) {
		if err := a.prefetchOwners(some); err != nil {
			return err
		}
		for _, id := range some {
			if err := a.countOwner(id, lines[id]); err != nil {
				return fmt.Errorf("all links of owner %d: %w", id, err)
			}
		}
	}
	a.lines = a.lines[:0]
	clear(a.owners)
	a.packer.Reset()
	return nil
}

// countOwner is countOwners for one of them, with the places of its lines.
func (a *pastAdder) countOwner(id OwnerID, lines []int) error {
	all, offset := id.Link(), offsetOf(id.Link())
	if err := a.totals.read(a.rows, BucketOf(all)); err != nil {
		return err
	}
	a.owners[id].addTo(&a.totals, offset)
	if err := a.putTotals(BucketOf(all)); err != nil {
		return err
	}
	a.fresh = a.fresh[:0]
	for _, i := range lines {
		click := a.lines[i].Click
		click.Offset = uint16(offset)
		a.addFresh(&a.lines[i], click)
	}
	return a.addRuns(Level1, BucketOf(all), a.fresh)
}
