// Package sources reads links and clicks of other products: a file for each product, and what they
// have in common here. A product's reader hands each link and then its clicks to an Out, which
// makes them lines of package archive. It asks no store: the importer judges the lines, cuts what
// is too long, and names what it leaves out. A reader only names what the product has and this one
// has not.
//
// Texts are read by the server and the command line, everything else by the command line only: the
// server fetches nothing and opens no database of others.
package sources

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
	"terse/internal/move/archive"
	"terse/internal/move/archive/sources/database"
)

// valid returns a text as valid UTF-8.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// folded returns a text as one line, with single blanks.
func folded(text string) string { return strings.Join(strings.Fields(valid(text)), " ") }

// clearFirst ends what is said of totals that a richer source of the product has in detail.
const clearFirst = "Clear these clicks before you import from there, or they count twice"

// Options say how a source is read.
type Options struct {
	// OnlyHost, if set, is the host of the links that are read. Without it, of links of several
	// hosts that have one code on one domain, the first is read.
	OnlyHost string
	// Domains say on which domain links are to be; nil: all on the default one.
	Domains *Domains
	// Zone is that of times that name none, where people have to say it; nil: UTC.
	Zone *time.Location
	// ForwardQuery and ForwardPath are set on each link: some products do it without saying so.
	ForwardQuery, ForwardPath bool
	// CreateFile creates a temporary file, which is gone when it is closed, for what has to be
	// sorted.
	CreateFile func() (archive.File, error)
}

// Link is a link of another product. Fields that are zero are not known.
type Link struct {
	// Host is where the link is; empty for a product with one host.
	Host string
	Code string // its address there; not always one that is allowed here
	URL  string
	// LinkOptions are what the product says of the link.
	api.LinkOptions
	Created, Updated time.Time
	// SaysQuery and SaysPath say that ForwardQuery and ForwardPath are the link's own, whatever the
	// Options say.
	SaysQuery, SaysPath bool
	PasswordHash        string // argon2id or bcrypt
	ClicksUsed          int64  // of MaxClicks
	// Clicks is the total. What it exceeds the clicks that follow by is undated.
	Clicks int64
}

// Click is a click, or Count equal ones; 0 means 1.
type Click struct {
	Time  time.Time
	Count int64
	terse.Values
	// UserAgent fills dimensions that have no value, and is not kept.
	UserAgent string
}

// errYearOne is an end in the year 1, as of software whose zero time is that. Here no time is zero,
// so that the link would be open.
var errYearOne = errors.New("the year 1 is no time")

// Out takes what a reader finds, in the order of its calls. Their errors mean that nothing more is
// wanted: a reader returns them.
type Out struct {
	options Options
	yield   func(*archive.Line, error) bool

	number int64 // of the record: a link, or one that is none
	line   archive.Line
	text   archive.Builder
	notes  []error         // of the link to come
	once   map[string]bool // whether it was said with a link
	hosts  Hosts

	in      bool // a link is there to have clicks
	link    Link // the last one, without its options
	clicked int64
}

// errEnough says that the lines are not read any more.
var errEnough = errors.New("nothing more is read")

// emit hands the line over.
func (o *Out) emit() error {
	if !o.yield(&o.line, nil) {
		return errEnough
	}
	return nil
}

// begin makes the line one of the record.
func (o *Out) begin() { o.line = archive.Line{Number: o.number, Fields: o.line.Fields[:0]} }

// Note says what of the next link is left out or changed, and why. The text begins with the name of
// the link's field.
func (o *Out) Note(format string, args ...any) {
	o.notes = append(o.notes, fmt.Errorf(format, args...))
}

// Late is a Note about the last link. There should be few of one link.
func (o *Out) Late(format string, args ...any) error {
	if !o.in {
		return nil
	}
	o.begin()
	o.line.Notes = []error{fmt.Errorf(format, args...)}
	return o.emit()
}

// spare returns a time of the next link in a column. One that can't be read is left out, with a
// note.
func (o *Out) spare(r *database.Row, field string, column int) time.Time {
	at, err := r.SpareTime(column)
	if err != nil {
		o.Note("%s was left out: %v", field, err)
	}
	return at
}

// Once is a Note that is true of many links, and said with the first of them that is read.
func (o *Out) Once(text string) {
	if _, known := o.once[text]; !known {
		o.once[text] = false
	}
}

// noOwner says that the product has an owner of the next link.
func (o *Out) noOwner() { o.Once("created_by: the owners of links are not kept") }

// takeNotes returns the notes of the link that begins.
func (o *Out) takeNotes() (notes []error) {
	for _, text := range slices.Sorted(maps.Keys(o.once)) {
		if !o.once[text] {
			notes = append(notes, errors.New(text))
			o.once[text] = true
		}
	}
	notes = append(notes, o.notes...)
	o.notes = nil
	return notes
}

// Fail says why a record is no link. field may be empty.
func (o *Out) Fail(code, field string, err error) error { return o.failAt("", code, field, err) }

// failAt is Fail for a code on a domain.
func (o *Out) failAt(domain, code, field string, err error) error {
	if err := o.end(); err != nil {
		return err
	}
	o.number++
	o.begin()
	o.notes = nil
	o.line.Err = &archive.LineError{Domain: domain, Code: code, Field: field, Err: err}
	return o.emit()
}

// Wants reports whether a link is at a host of which links are read. A reader need not ask what
// else there is about one that is not.
func (o *Out) Wants(l Link) bool {
	return o.options.only(l.Host)
}

// only reports whether links at a host are read.
func (o Options) only(host string) bool {
	if o.OnlyHost == "" || host == o.OnlyHost {
		return true
	}
	one, ok := HostName(host)
	other, _ := HostName(o.OnlyHost)
	return ok && one == other
}

// Link begins a link. The notes since the last one are about it.
func (o *Out) Link(l Link) error {
	if err := o.end(); err != nil {
		return err
	}
	if !o.Wants(l) {
		o.number++
		o.notes = nil
		return nil
	}
	domain, strange := o.options.Domains.Of(l.Host)
	if other, err := o.otherHost(l, domain); err != nil {
		return err
	} else if other != "" {
		return o.failAt(domain, l.Code, "short_code",
			fmt.Errorf("short_code %w", AtOther(other, l.Host)))
	}
	if strange && l.Host != kuttDefault { // which is the name of no host
		o.Once(Strange(l.Host, domain) + ", as all from there are")
	}
	if l.Clicks > terse.MaxOwnerClicks { // they would be lines without end
		return o.Fail(l.Code, "clicks", fmt.Errorf("%d clicks are more than %d", l.Clicks,
			int64(terse.MaxOwnerClicks)))
	}
	o.number++
	o.begin()
	o.line.Notes = o.takeNotes()
	o.in, o.clicked = true, 0
	o.link = Link{Created: l.Created, Clicks: l.Clicks}
	if err := o.build(l, domain); err != nil {
		return fmt.Errorf("link %q: %w", l.Code, err)
	}
	o.text.Fill(&o.line)
	return o.emit()
}

// otherHost returns the host of a link before that has the code of a link at another host, or "".
func (o *Out) otherHost(l Link, domain string) (string, error) {
	if o.options.OnlyHost != "" {
		return "", nil
	}
	return o.hosts.Other(l.Host, domain, l.Code)
}

// build makes the text the link's line.
func (o *Out) build(l Link, domain string) error {
	l.ForwardQuery = l.ForwardQuery || o.options.ForwardQuery && !l.SaysQuery
	l.ForwardPath = l.ForwardPath || o.options.ForwardPath && !l.SaysPath
	b := &o.text
	b.Begin(archive.TypeLink)
	b.AddBool("part", true)
	b.AddString("short_code", valid(l.Code))
	if domain != "" {
		b.AddString("domain", domain)
	}
	b.AddString("original_url", valid(l.URL))
	for _, t := range []struct {
		name string
		time.Time
	}{
		{"created_at", l.Created},
		{"updated_at", l.Updated},
		{"starts_at", l.StartsAt},
		{"expires_at", l.ExpiresAt},
	} {
		if !t.IsZero() {
			b.AddTime(t.name, t.Time)
		}
	}
	for _, t := range []struct{ name, text string }{
		{"title", folded(l.Title)},
		{"note", valid(l.Note)},
		{"expired_url", valid(l.ExpiredURL)},
		{"password_hash", valid(l.PasswordHash)},
	} {
		if t.text != "" {
			b.AddString(t.name, t.text)
		}
	}
	for _, t := range []struct {
		name  string
		texts []string
	}{{"tags", l.Tags}, {"aliases", l.Aliases}} {
		if len(t.texts) > 0 {
			texts := make([]string, len(t.texts))
			for i, text := range t.texts {
				texts[i] = folded(text)
			}
			b.AddStrings(t.name, texts)
		}
	}
	for _, t := range []struct {
		name string
		is   bool
	}{
		{"disabled", l.Disabled},
		{"archived", l.Archived},
		{"forward_query", l.ForwardQuery},
		{"forward_path", l.ForwardPath},
	} {
		if t.is {
			b.AddBool(t.name, true)
		}
	}
	if l.MaxClicks > 0 {
		b.AddInt("max_clicks", l.MaxClicks)
		b.AddInt("clicks_used", l.ClicksUsed)
	}
	if l.RedirectStatus != 0 {
		b.AddInt("redirect_status", int64(l.RedirectStatus))
	}
	if len(l.Rules) > 0 {
		rules, err := json.Marshal(l.Rules)
		if err != nil {
			return fmt.Errorf("rules: %w", err)
		}
		b.Add("rules", rules)
	}
	b.End()
	return nil
}

// Click adds clicks of the last link. Those of a link that was not read are passed over.
func (o *Out) Click(c Click) error {
	if !o.in {
		return nil
	}
	c.Count = max(c.Count, 1)
	o.clicked += c.Count
	for ; c.Count > archive.MaxCount; c.Count -= archive.MaxCount {
		rest := c
		rest.Count = archive.MaxCount
		if err := o.click(rest); err != nil {
			return err
		}
	}
	return o.click(c)
}

func (o *Out) click(c Click) error {
	b := &o.text
	b.Begin(archive.TypeClick)
	if !c.Time.IsZero() {
		b.AddTime("time", c.Time)
	}
	if c.Count > 1 {
		b.AddInt("count", c.Count)
	}
	for d := range terse.NumDimensions {
		if c.Values[d] != "" {
			b.AddString(d.String(), valid(c.Values[d]))
		}
	}
	if c.UserAgent != "" {
		b.AddString("user_agent", valid(c.UserAgent))
	}
	b.End()
	o.begin()
	b.Fill(&o.line)
	return o.emit()
}

// end ends the last link: clicks without a time stand where it was created.
func (o *Out) end() error {
	if !o.in {
		return nil
	}
	rest := o.link.Clicks - o.clicked
	if rest > 0 {
		at := o.link.Created
		if at.Year() < 2000 { // no click can be there: without a time the importer finds one
			at = time.Time{}
		}
		if err := o.Click(Click{Time: at, Count: rest}); err != nil {
			return err
		}
	}
	o.in = false
	return nil
}

// Read returns a source of what read hands to an Out.
func Read(o Options, read func(*Out) error) archive.Source { return &source{o, read} }

type source struct {
	options Options
	read    func(*Out) error
}

// Lines implements archive.Source.
func (s *source) Lines() iter.Seq2[*archive.Line, error] {
	return func(yield func(*archive.Line, error) bool) {
		out := &Out{options: s.options, yield: yield, once: map[string]bool{}}
		err := s.read(out)
		if err == nil {
			err = out.end()
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}
