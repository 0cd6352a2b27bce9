package importer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
	"terse/internal/click/retention"
	"terse/internal/link/manage"
	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/table"
	"terse/internal/text/jsonbody"
)

const (
	// batchLinks bounds the links that are worked through together.
	batchLinks = 512
	// batchBytes bounds what a batch keeps of links and clicks. The clicks of one link may exceed
	// it; then that link is the last of its batch.
	batchBytes = 16 << 20
	// storeTime bounds a call of the store. Only the import waits for it.
	storeTime = time.Minute
	// maxNotes bounds the different notes about a link.
	maxNotes = 20
	// maxShown is how many links Request.ShowLinks shows: as many as people look at.
	maxShown = 5
)

// clicksTo says where the clicks of a link go.
type clicksTo uint8

const (
	skipped   clicksTo = iota // nowhere
	toStore                   // to the link in the store
	toNowhere                 // to a link that would be created: all would be added
)

// task is a link line under way.
type task struct {
	link      manage.Imported
	owner     string // to whom it is to belong
	restored  terse.Restored
	lastClick time.Time
	lines     *keptLines // about its days and clicks; nil: none
	notes     map[string]int
	more      int // notes beyond maxNotes

	tries  int
	secret secret
	// firstResult is the result of a link that was overwritten without all of its aliases, and
	// will be tried once more.
	firstResult string
	settled     bool // result and ref are final
	result      api.ImportResult
	ref         terse.LinkRef
	created     time.Time // when the link was, if it is there
	clicksGo    clicksTo
	skipped     int64 // clicks
	// skippedDays are the days whose dropped clicks the store has skipped.
	skippedDays []terse.Day
}

func (t *task) note(text string) {
	if t.notes == nil {
		t.notes = map[string]int{}
	}
	if _, ok := t.notes[text]; !ok && len(t.notes) == maxNotes {
		t.more++
		return
	}
	t.notes[text]++
}

func (t *task) failed() bool { return t.result.Result == "failed" }

func (t *task) settle(result, problem string) {
	t.settled = true
	t.result.Result, t.result.Error = result, problem
}

// keep returns the kept lines of a task.
func (t *task) keep(i *Importer) *keptLines {
	if t.lines == nil {
		t.lines = i.newKeptLines()
	}
	return t.lines
}

// clicks returns how many clicks the lines of a task have.
func (t *task) clicks() int64 {
	if t.lines == nil {
		return 0
	}
	return t.lines.clicks
}

// job is an import that is running.
type job struct {
	Request
	importer *Importer
	now      time.Time
	cutoff   int64 // clicks before are counted with their day
	emit     func([]any) error
	results  []any // that were not sent
	texts    texts
	text     []byte // of the line under way
	summary  api.ImportSummary
	format   string // the name of the one that the body has
	noted    bool   // the audit says that there is an import
	shown    int    // links whose results say what they are
	shownTo  int64  // the line of the last of them

	isTrial     bool                  // it is about the first rows of a table only
	targets     int64                 // rows with a target
	owners      map[string]error      // of known identities: why links can't belong to them, or nil
	planned     map[string]terse.Link // what a dry run would have created, by Naming.Key
	plannedSize int                   // bytes of it, and of grown
	grown       map[terse.LinkID]terse.EncodedOptions
	tried       map[terse.LinkRef]*terse.Tried // what a dry run would have added
	triedRoom   int                            // see maxTried

	batch   []*task
	bytes   int
	current *task // what lines belong to; nil: to none
}

// errStopped ends an import between two batches, or while the body is read.
var errStopped = errors.New("the import was stopped")

// Run imports a body that Check has accepted. It calls emit first with the api.ImportColumns of a
// table, then with an api.ImportResult for each link, after its commit, and for each other line
// that failed, and last with an api.ImportEnd. It ends early when emit or the store fails, or when
// ctx ends: then after the batch, or before it hashes a password. An import that ends early has no
// api.ImportEnd, and its body should be sent again.
func (i *Importer) Run(ctx context.Context, b *Body, r Request, emit func([]any) error) error {
	j := &job{
		Request: r, importer: i, now: time.Now(), cutoff: math.MinInt64, emit: emit, texts: texts{},
		planned: map[string]terse.Link{}, tried: map[terse.LinkRef]*terse.Tried{},
		triedRoom: maxTried,
	}
	switch {
	case i.CountsOnly:
		j.cutoff = math.MaxInt64
	case i.Retention > 0:
		j.cutoff = retention.Cutoff(j.now, i.Retention).UnixMicro()
	}
	defer func() {
		for _, t := range j.batch {
			if t.lines != nil {
				t.lines.remove()
			}
		}
	}()
	err := b.lines(ctx, r, func(format *formats.Format, source archive.Source) error {
		j.format = format.Name
		if rows, ok := source.(*table.Reader); ok {
			return emit([]any{columnsOf(rows)})
		}
		return nil
	}, func(line *archive.Line) error { return j.line(ctx, line) })
	if err == nil {
		err = j.work(ctx)
	}
	if err == nil {
		err = j.workTargets(ctx, b)
	}
	if err == nil {
		err = emit([]any{api.ImportEnd{Summary: j.summary}})
	}
	return err
}

// maxResults bounds the results of lines that wait for those of their links.
const maxResults = 1000

// result keeps a result until send sends it.
func (j *job) result(r api.ImportResult) error {
	if j.results = append(j.results, r); len(j.results) < maxResults {
		return nil
	}
	return j.send()
}

func (j *job) send() error {
	if len(j.results) == 0 {
		return nil
	}
	err := j.emit(j.results)
	j.results = j.results[:0]
	return err
}

// line handles the next line.
func (j *job) line(ctx context.Context, line *archive.Line) error {
	if line.Err != nil {
		j.current = nil
		return j.failUnread(line)
	}
	if line.Type == archive.TypeShare {
		return j.shareLine(ctx, line)
	}
	if j.current == later && line.Type != archive.TypeLink {
		return nil
	}
	switch line.Type {
	case archive.TypeLink:
		if len(j.batch) >= batchLinks || j.bytes >= batchBytes {
			if err := j.work(ctx); err != nil {
				return err
			}
		}
		j.current = j.parse(line)
		if j.targetsLater(j.current) {
			j.current = later
			return nil
		}
		j.noteAll(line.Notes)
		j.batch = append(j.batch, j.current)
		j.bytes += 2*len(line.Text) + linkBytes
		return nil
	case archive.TypeExport, archive.TypeEnd:
		j.current = nil
		return nil
	case archive.TypeDay, archive.TypeCounts, archive.TypeClick:
		if j.current == nil {
			return j.failLine(line.Number, "there is no link line above this one")
		}
		return j.keepLine(line)
	case "":
		if len(line.Notes) > 0 {
			j.noteAll(line.Notes)
			return nil
		}
		return j.failLine(line.Number, "type is required")
	}
	if j.current != nil {
		j.current.note("a line was dropped: type " + jsonbody.Quote(line.Type) + " is not known")
	}
	return nil
}

// noteAll adds the notes of a line to its link.
func (j *job) noteAll(notes []error) {
	if j.current == nil {
		return
	}
	for _, note := range notes {
		j.current.note(note.Error())
	}
}

// later is the current task below a row with a target, which workTargets handles.
var later = &task{}

// linkBytes is what a link takes in memory beside its text.
const linkBytes = 1 << 10

// parse returns the task of a link line. If it fails, that is settled.
func (j *job) parse(line *archive.Line) *task {
	t := &task{result: api.ImportResult{Line: line.Number}}
	read, err := line.Link(j.now)
	t.result.ShortCode = read.ShortCode
	if err == nil {
		t.owner, err = j.ownerOf(&read)
	}
	fields := jsonbody.Members{}
	for _, f := range read.Options {
		if manage.IsOption(f.Name) {
			fields[f.Name] = slices.Clone(f.Value)
		} else {
			t.note("field " + jsonbody.Quote(f.Name) + " was dropped: it is not known")
		}
	}
	for _, note := range read.Notes {
		t.note(note)
	}
	if err == nil {
		t.link, err = j.importer.Manager.ParseImported(manage.ImportOptions{
			Domain: read.Domain, Address: read.ShortCode, URL: read.OriginalURL,
			CreatedAt: read.CreatedAt, Hash: read.PasswordHash, Part: read.Part,
		}, fields)
	}
	for _, note := range t.link.Notes {
		t.note(note)
	}
	t.result.Domain = j.importer.Manager.Hosts.Table().Shown(t.link.Domain)
	t.link.Notes = nil
	t.restored, t.lastClick = read.Restored, read.LastClick
	if j.shows(line.Number) {
		t.result.Link = &api.ImportedLink{
			ShortCode: read.ShortCode, Domain: read.Domain, OriginalURL: read.OriginalURL,
			CreatedAt: read.CreatedAt,
		}
		// ParseImported has cut the title. The error of one that is no text is that of the link.
		_ = json.Unmarshal(fields["title"], &t.result.Link.Title)
	}
	if err == nil && t.link.Target != "" {
		err = t.parseTarget()
	}
	if err != nil {
		t.settle("failed", err.Error())
	}
	return t
}

// shows reports whether the result of a link line says what the link is. Rows with a target are
// read twice.
func (j *job) shows(line int64) bool {
	if j.ShowLinks && j.shown < maxShown && line > j.shownTo {
		j.shown, j.shownTo = j.shown+1, line
	}
	return line <= j.shownTo
}

// keepLine keeps a day, counts or click line of the current link.
func (j *job) keepLine(line *archive.Line) error {
	t := j.current
	at, of, clicks, text, err := j.encode(t, line)
	if err != nil {
		return j.failLine(line.Number, err.Error())
	}
	t.keep(j.importer).clicks += clicks
	if t.settled || text == nil || t.link.Target != "" {
		return nil
	}
	j.bytes += len(text) + archive.EntryBytes
	err = noRoom(t.lines.Add(at, of, text))
	if errors.Is(err, ErrNoRoom) {
		t.lines.remove()
		t.settle("failed", noRoomForLink+" for its lines")
		return nil
	}
	return err
}

// encode returns what to keep of a line, and how many clicks it has.
func (j *job) encode(t *task, line *archive.Line) (
	at int64, of uint8, clicks int64, text []byte, err error,
) {
	var notes []string
	switch line.Type {
	case archive.TypeDay:
		day, err := line.Day(j.now)
		if err != nil {
			return 0, 0, 0, nil, err
		}
		at, of, clicks, notes = day.Day.Start(), isDay, day.Clicks, day.Notes
		text = appendDay(j.text[:0], line.Number, day.Clicks, day.Visitors)
	case archive.TypeCounts:
		counts, err := line.Counts(j.now)
		if err != nil {
			return 0, 0, 0, nil, err
		}
		at, of, notes = counts.Day.Start(), isCounts, counts.Notes
		if _, derived := counts.Dimension.From(); !derived && len(counts.Values) > 0 {
			text = appendCounts(j.text[:0], line.Number, counts.PastCounts)
		}
	default:
		click, err := line.Click(j.now)
		if err != nil {
			return 0, 0, 0, nil, err
		}
		if click.Undated {
			t.keep(j.importer).undated += click.Count
			if click.Values != (terse.Values{}) {
				t.note("values were dropped: a click without a time has none")
			}
			return 0, isClick, click.Count, nil, nil
		}
		j.derive(t, &click)
		at, of, clicks, notes = click.Time, isClick, click.Count, click.Notes
		text = appendClick(j.text[:0], line.Number, &click.PastClick)
		if click.Firsts > 0 && at >= j.cutoff {
			t.keep(j.importer).addFirsts(terse.DayOf(at), click.Firsts)
		}
	}
	for _, note := range notes {
		t.note(note)
	}
	if text != nil {
		j.text = text
	}
	return at, of, clicks, text, nil
}

// derive fills in the values that follow from the visitor's user agent and address.
func (j *job) derive(t *task, click *archive.ClickLine) {
	set := func(d terse.Dimension, value string) {
		if click.Values[d] == "" && value != d.Unknown() {
			click.Values[d] = value
		}
	}
	if click.UserAgent != "" {
		agent := j.importer.agents.Identify([]byte(click.UserAgent))
		set(terse.ByBrowser, agent.Browser)
		set(terse.ByOS, agent.OS)
		set(terse.ByDevice, agent.Device)
		if agent.Bot {
			set(terse.ByVisitor, terse.Bot)
		} else {
			set(terse.ByVisitor, terse.Person)
		}
	}
	if click.Address == "" {
		return
	}
	address, err := netip.ParseAddr(strings.TrimSpace(click.Address))
	if err != nil {
		t.note("address was dropped: it is not an IP address")
		return
	}
	country, region, city := j.importer.Place(address.Unmap().WithZone(""))
	set(terse.ByCountry, country.String())
	if click.Values[terse.ByCountry] == country.String() {
		set(terse.ByRegion, region)
		set(terse.ByCity, city)
	}
}

// failLine reports a line that failed.
func (j *job) failLine(line int64, problem string) error {
	j.summary.LinesFailed++
	return j.result(api.ImportResult{Line: line, Result: "failed", Error: problem})
}

// failUnread reports a line that can't be read, with what is known of it.
func (j *job) failUnread(line *archive.Line) error {
	r := api.ImportResult{Line: line.Number, Result: "failed", Error: line.Err.Error()}
	if known, ok := errors.AsType[*archive.LineError](line.Err); ok {
		r.ShortCode, r.Domain = known.Code, known.Domain
	}
	j.summary.LinesFailed++
	return j.result(r)
}

// work settles the batch, adds its clicks and sends its results.
func (j *job) work(ctx context.Context) error {
	batch := j.batch
	defer func() {
		for _, t := range batch {
			if t.lines != nil {
				t.lines.remove()
			}
		}
	}()
	j.batch, j.bytes, j.current = nil, 0, nil
	if ctx.Err() != nil {
		return errStopped
	}
	if err := j.settleLinks(ctx, batch); err != nil {
		return err
	}
	clicks := &clickBatch{job: j}
	if err := clicks.links(ctx, batch); err != nil {
		return err
	}
	for _, t := range batch {
		if err := j.report(t); err != nil {
			return err
		}
	}
	return j.send()
}

// report sends the result of a link.
func (j *job) report(t *task) error {
	switch t.clicksGo {
	case skipped:
		t.skipped += t.clicks()
	}
	s := &j.summary
	for text, times := range t.notes {
		if times > 1 {
			text = fmt.Sprintf("%s (%d times)", text, times)
		}
		t.result.Notes = append(t.result.Notes, text)
	}
	slices.Sort(t.result.Notes)
	if t.more > 0 {
		t.result.Notes = append(t.result.Notes, fmt.Sprintf("and %d more", t.more))
	}
	switch t.result.Result {
	case "created":
		s.Created++
	case "updated":
		s.Updated++
	case "unchanged":
		s.Unchanged++
	case "renamed":
		s.Renamed++
	case "skipped":
		s.Skipped++
	default:
		s.Failed++
	}
	s.ClicksAdded += t.result.ClicksAdded
	s.ClicksKnown += t.result.ClicksKnown
	s.ClicksSkipped += t.skipped
	return j.result(t.result)
}

// addPast adds clicks to the store. A dry run only asks what would be added.
func (j *job) addPast(ctx context.Context, past []terse.Past) ([]terse.PastAdded, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	if j.DryRun {
		return j.importer.Store.TryPast(ctx, past)
	}
	added, err := j.importer.Store.AddPast(ctx, past)
	if j.noted || !slices.ContainsFunc(added, func(a terse.PastAdded) bool { return a.Added > 0 }) {
		return added, err
	}
	// There are clicks of links that are as they were. An import that dies here is not noted.
	if err := j.importer.Store.Note(ctx, j.Caller, j.noteworthy()); err != nil {
		return added, err
	}
	j.noted = true
	return added, nil
}

// noteworthy is what the audit says of an import. The command line sends a large one in parts, each
// as an import of its own.
func (j *job) noteworthy() terse.Noted {
	return terse.Noted{
		Action: terse.ActionImport, Target: j.Caller.Others(),
		Details: map[string]any{"format": j.format}, Once: true,
	}
}

const noRoomForLink = "no room on the server's disk"

// failClicks fails links whose clicks the store did not add because the disk is full. Any other
// error ends the import.
func (j *job) failClicks(parts []part, err error) error {
	if !errors.Is(err, terse.ErrNoRoom) {
		return fmt.Errorf("add clicks: %w", err)
	}
	j.importer.Logger.Error("import clicks", slog.String("request_id", j.Caller.RequestID),
		slog.Any("error", err))
	for _, t := range parts {
		t.settle("failed", noRoomForLink+" for its clicks")
	}
	return nil
}
