package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"terse"
	"terse/internal/move/archive"
)

const (
	// partClicks bounds the clicks that are passed to AddPast, but for those of one instant.
	partClicks = 1 << 15
	// partBytes bounds their texts, and those of counts.
	partBytes = 8 << 20
	// dayBytes is added to the texts of a day with counts, for which a store writes some 30 rows.
	// So a call has at most a thousand of such days.
	dayBytes = 8 << 10
	// maxInstant bounds the different clicks of a link at one instant.
	maxInstant = 1 << 16
)

// clickBatch collects parts of links, and adds them to the store.
type clickBatch struct {
	job    *job
	past   []terse.Past
	of     []part
	clicks int
	bytes  int
}

// part says which task a terse.Past belongs to, and from which lines it comes.
type part struct {
	*task
	lines []lineOf // in order
}

// lineOf is the first line of an instant, or of a day.
type lineOf struct {
	at    int64
	isDay bool
	line  int64
}

// links adds the clicks of links. An error ends the import.
func (a *clickBatch) links(ctx context.Context, tasks []*task) error {
	for _, t := range tasks {
		if t.lines == nil || t.clicksGo == skipped {
			continue
		}
		a.job.skipUndated(t)
		if err := a.link(ctx, t); err != nil {
			return err
		}
	}
	return a.flush(ctx)
}

// link adds the clicks of a link.
func (a *clickBatch) link(ctx context.Context, t *task) error {
	b := &builder{clickBatch: a, ctx: ctx, task: t, past: terse.Past{Link: t.ref}}
	if t.clicksGo == toNowhere {
		b.past.Link.ID = 0 // see terse.Archive.TryPast
	}
	var err error
	if n := t.lines.undated; n > 0 {
		undated := appendClick(nil, t.result.Line, &terse.PastClick{Count: n})
		first, _ := archive.ClickTimes(a.job.now)
		at := max(t.created.UnixMicro(), first.UnixMicro())
		err = noRoom(t.lines.Add(at, isClick, undated))
		if errors.Is(err, ErrNoRoom) {
			t.settle("failed", noRoomForLink+" for its lines")
			return nil
		}
	}
	if err == nil {
		err = t.lines.Each(b.take)
	}
	if err == nil {
		err = b.endDay()
	}
	if err == nil {
		err = b.send()
	}
	if errors.Is(err, errLinkFailed) {
		err = nil
	}
	return err
}

// skipUndated skips the clicks without a time of a link that claims to be created later than clicks
// can be. Any time for them would change from day to day, so another import would add them again.
func (j *job) skipUndated(t *task) {
	_, last := archive.ClickTimes(j.now)
	if t.lines.undated == 0 || !t.created.After(last) {
		return
	}
	t.note("clicks without a time were skipped: the link was created in the future")
	t.skipped += t.lines.undated
	t.lines.clicks -= t.lines.undated
	t.lines.undated = 0
}

// errLinkFailed ends the work on the clicks of a link.
var errLinkFailed = errors.New("the clicks of a link could not be added")

// add adds a link's clicks, or a part of them.
func (a *clickBatch) add(ctx context.Context, past terse.Past, of part, bytes int) error {
	if slices.ContainsFunc(a.past, func(p terse.Past) bool { return p.Link == past.Link }) {
		if err := a.flush(ctx); err != nil {
			return err
		}
	}
	if first := &past.Days[0]; first.Continued && slices.Contains(of.skippedDays, first.Day) {
		first.Visitors = 0
	}
	a.past, a.of = append(a.past, past), append(a.of, of)
	a.clicks, a.bytes = a.clicks+len(past.Clicks), a.bytes+bytes
	if a.clicks >= partClicks || a.bytes >= partBytes {
		return a.flush(ctx)
	}
	return nil
}

// flush adds the collected parts, in as many transactions as the store wants. Others may use the
// store in between.
func (a *clickBatch) flush(ctx context.Context) error {
	past, of := a.past, a.of
	a.past, a.of, a.clicks, a.bytes = nil, nil, 0, 0
	for len(past) > 0 {
		if ctx.Err() != nil {
			return errStopped
		}
		if a.job.DryRun {
			for i := range past {
				past[i].Tried = *a.job.triedOf(past[i].Link)
			}
		}
		added, err := a.job.addPast(ctx, past)
		if err != nil {
			return a.job.failClicks(of, err)
		}
		more := 0
		for i := range added {
			if a.job.DryRun {
				tried := a.job.triedOf(past[i].Link)
				a.job.triedRoom = tried.Add(added[i].Tried, a.job.triedRoom)
			}
			if err := a.job.added(&of[i], &added[i]); err != nil {
				return err
			}
			if rest := added[i].Rest; rest != nil {
				past[more], of[more] = *rest, of[i]
				more++
			}
		}
		past, of = past[:more], of[:more]
	}
	return nil
}

// added adds up what became of the clicks of a part.
func (j *job) added(of *part, done *terse.PastAdded) error {
	t := of.task
	t.result.ClicksAdded += done.Added
	t.result.ClicksKnown += done.Known
	t.skipped += done.Skipped
	t.skippedDays = append(append(t.skippedDays, done.SkippedDays...), done.RefusedDays...)
	for _, day := range done.SkippedDays {
		t.note(fmt.Sprintf("counts of %s were skipped: it has single clicks", day))
	}
	for _, day := range done.RefusedDays {
		if err := j.refuse(of, day.Start(), true); err != nil {
			return err
		}
	}
	for _, at := range slices.Compact(done.Refused) {
		if err := j.refuse(of, at, false); err != nil {
			return err
		}
	}
	return nil
}

// refuse fails the line of an instant or a day.
func (j *job) refuse(of *part, at int64, isDay bool) error {
	line := of.result.Line
	for _, l := range of.lines {
		if l.at == at && l.isDay == isDay {
			line = l.line
			break
		}
	}
	return j.failLine(line, fmt.Sprintf("all links together would have more than %d clicks",
		int64(terse.MaxOwnerClicks)))
}

// builder makes parts of the kept lines of a link.
type builder struct {
	*clickBatch
	ctx   context.Context //nolint:containedctx // for the time of one call
	task  *task
	past  terse.Past
	lines []lineOf
	size  int // of past, in bytes

	day     terse.Day
	in      bool  // a day
	listed  bool  // in past.Days, or in those of an earlier part
	head    bool  // there was a day line
	line    int64 // its first one
	clicks  int64
	extra   int64 // visitors beyond those of click lines
	dropped dropped

	at      int64 // the instant of clicks
	from    int64 // its first line
	instant []terse.PastClick
	index   map[terse.Values]int // in instant; nil while it has few
}

// take handles the next kept line.
func (b *builder) take(at int64, kind uint8, text []byte) error {
	day := terse.DayOf(at)
	if b.in && day != b.day {
		if err := b.endDay(); err != nil {
			return err
		}
	}
	d := &decoder{text: text, texts: b.job.texts}
	line := d.number()
	if !b.in {
		b.day, b.in, b.listed, b.head, b.clicks, b.extra = day, true, false, false, 0, 0
		b.line = line
		b.dropped.reset()
	}
	switch kind {
	case isDay:
		if b.head {
			return b.job.failLine(line, "the day "+day.String()+" is there twice")
		}
		b.head, b.clicks, b.extra = true, d.number(), d.number()
	case isCounts:
		return b.counts(line, d)
	case isClick:
		return b.click(line, at, d)
	}
	return nil
}

// counts handles a counts line.
func (b *builder) counts(line int64, d *decoder) error {
	of := d.dimension()
	var values []terse.PastValue
	var clicks, firsts int64
	for len(d.text) > 0 {
		v := terse.PastValue{Value: d.string(), Clicks: d.number()}
		v.People, v.Firsts = d.number(), d.number()
		values, clicks, firsts = append(values, v), clicks+v.Clicks, firsts+v.Firsts
	}
	sum := &b.dropped.lines[of]
	switch {
	case !b.head:
		return b.job.failLine(line, "there is no line of the day "+b.day.String())
	case sum.Clicks+clicks > b.clicks:
		return b.job.failLine(line, fmt.Sprintf("counts of %s are more than the clicks of %s",
			of, b.day))
	case sum.Firsts+firsts > b.extra:
		return b.job.failLine(line, fmt.Sprintf("visitors of %s are more than those of %s", of,
			b.day))
	}
	sum.Clicks, sum.Firsts = sum.Clicks+clicks, sum.Firsts+firsts
	for _, v := range values {
		b.dropped.add(of, v)
	}
	return nil
}

// click handles a click line.
func (b *builder) click(line, at int64, d *decoder) error {
	click := terse.PastClick{Time: at, Count: d.number(), Firsts: d.number()}
	for len(d.text) > 0 {
		of := d.dimension()
		click.Values[of] = d.string()
	}
	if at < b.job.cutoff {
		b.drop(&click)
		return nil
	}
	if len(b.instant) > 0 && b.at != at {
		if err := b.endInstant(); err != nil {
			return err
		}
	}
	if len(b.instant) == 0 {
		b.at, b.from = at, line
	}
	same := -1
	if b.index != nil {
		if i, ok := b.index[click.Values]; ok {
			same = i
		}
	} else {
		same = slices.IndexFunc(b.instant, func(c terse.PastClick) bool {
			return c.Values == click.Values
		})
	}
	switch {
	case same >= 0:
		b.instant[same].Count += click.Count
		b.instant[same].Firsts += click.Firsts
		return nil
	case len(b.instant) == maxInstant:
		return b.job.failLine(line, fmt.Sprintf("there are more than %d different clicks at %s",
			maxInstant, time.UnixMicro(at).UTC().Format(time.RFC3339Nano)))
	}
	b.instant = append(b.instant, click)
	switch {
	case b.index != nil:
		b.index[click.Values] = len(b.instant) - 1
	case len(b.instant) == few:
		b.index = make(map[terse.Values]int, 2*few)
		for i, c := range b.instant {
			b.index[c.Values] = i
		}
	}
	return nil
}

// few bounds the clicks of an instant that are compared one by one.
const few = 16

// drop counts a click with its day.
func (b *builder) drop(click *terse.PastClick) {
	b.clicks += click.Count
	b.extra += click.Firsts
	people := click.Count
	if click.Values[terse.ByVisitor] == terse.Bot {
		people = 0
	}
	for d, value := range click.Values {
		if value != "" {
			b.dropped.add(terse.Dimension(d), terse.PastValue{
				Value: value, Clicks: click.Count, People: people, Firsts: click.Firsts,
			})
		}
	}
	if at := time.UnixMicro(click.Time).UTC(); !b.job.importer.CountsOnly &&
		at.After(b.past.LastClick) {
		b.past.LastClick = at
	}
}

// endInstant adds the clicks of an instant to the part.
func (b *builder) endInstant() error {
	if len(b.past.Clicks) > 0 && len(b.past.Clicks)+len(b.instant) > partClicks ||
		b.size > partBytes {
		if err := b.sendBefore(); err != nil {
			return err
		}
	}
	b.list()
	b.past.Clicks = append(b.past.Clicks, b.instant...)
	b.lines = append(b.lines, lineOf{at: b.at, line: b.from})
	for i := range b.instant {
		b.size += clickBytes
		for _, value := range b.instant[i].Values {
			b.size += len(value)
		}
	}
	b.instant, b.index = b.instant[:0], nil
	return nil
}

// clickBytes is the size of a terse.PastClick without its texts.
const clickBytes = 256

// list puts the day into the part.
func (b *builder) list() {
	if b.listed {
		return
	}
	b.listed = true
	day := terse.PastDayAdded{
		PastDay:     terse.PastDay{Day: b.day, Clicks: b.clicks, Visitors: b.extra},
		ClickFirsts: b.task.lines.firsts[b.day],
	}
	day.Counts, b.size = b.dropped.counts(), b.size+b.dropped.size
	if day.Clicks > 0 {
		b.size += dayBytes
	}
	b.past.Days = append(b.past.Days, day)
	b.lines = append(b.lines, lineOf{at: b.day.Start(), isDay: true, line: b.line})
}

// endDay ends the day.
func (b *builder) endDay() error {
	if !b.in {
		return nil
	}
	if len(b.instant) > 0 {
		if err := b.endInstant(); err != nil {
			return err
		}
	}
	b.list()
	b.in = false
	if len(b.past.Clicks) >= partClicks || b.size >= partBytes {
		return b.send()
	}
	return nil
}

// sendBefore sends the part without the instant under way. More of its day may follow.
func (b *builder) sendBefore() error {
	if !b.listed {
		return b.send()
	}
	last := &b.past.Days[len(b.past.Days)-1]
	last.Continues = true
	next := *last
	if err := b.send(); err != nil {
		return err
	}
	next.Clicks, next.Counts, next.Continued, next.Continues = 0, nil, true, false
	b.past.Days = append(b.past.Days, next)
	return nil
}

// send hands the part over.
func (b *builder) send() error {
	if len(b.past.Days) == 0 {
		return nil
	}
	if last := b.task.lastClick; last.After(b.past.LastClick) {
		b.past.LastClick = last
	}
	past, of, size := b.past, part{b.task, b.lines}, b.size
	b.past, b.lines, b.size = terse.Past{Link: past.Link}, nil, 0
	if err := b.add(b.ctx, past, of, size); err != nil {
		return err
	}
	if b.task.failed() {
		return errLinkFailed
	}
	return nil
}

// dropped counts the dropped clicks of a day.
type dropped struct {
	lines [terse.NumDimensions]terse.PastValue // sums of counts lines
	of    [terse.NumDimensions]map[string]terse.PastValue
	bytes [terse.NumDimensions]int // of names
	size  int                      // of all, in bytes
}

func (d *dropped) reset() {
	for of := range d.of {
		if d.of[of] != nil {
			*d = dropped{}
			return
		}
	}
}

// add adds clicks with a value. Values beyond the bounds of a day are OtherValue.
func (d *dropped) add(of terse.Dimension, v terse.PastValue) {
	sum, ok := d.of[of][v.Value]
	if !ok {
		if d.of[of] == nil {
			d.of[of] = map[string]terse.PastValue{}
		}
		if v.Value != terse.OtherValue && (len(d.of[of]) >= of.MaxValues() ||
			d.bytes[of]+len(v.Value) > terse.MaxDayBytes) {
			v.Value = terse.OtherValue
			sum = d.of[of][v.Value]
		} else {
			d.bytes[of] += len(v.Value)
			d.size += len(v.Value) + valueBytes
		}
	}
	sum.Value = v.Value
	sum.Clicks, sum.People = sum.Clicks+v.Clicks, sum.People+v.People
	sum.Firsts += v.Firsts
	d.of[of][v.Value] = sum
}

// valueBytes is the size of a terse.PastValue without its text.
const valueBytes = 64

// counts returns the counts in their order.
func (d *dropped) counts() (all []terse.PastCounts) {
	for of, values := range d.of {
		if len(values) > 0 {
			all = append(all, terse.PastCounts{
				Dimension: terse.Dimension(of),
				Values: slices.SortedFunc(maps.Values(values), func(a, b terse.PastValue) int {
					return cmp.Compare(a.Value, b.Value)
				}),
			})
		}
	}
	return all
}
