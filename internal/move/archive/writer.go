package archive

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
)

// chunk is how many bytes a writer collects before it writes them.
const chunk = 32 << 10

// ExportOptions are the parts of an export. All are required unless their comment says otherwise.
type ExportOptions struct {
	terse.ExportQuery
	WithoutClicks bool   // with links only, and without days
	Generator     string // for example "terse 1.2.0"
	BaseURL       string // for example "https://s.example"
	// Host returns the host that lines name for a domain, "" for the default one.
	Host   func(terse.Domain) string
	Logger *slog.Logger
}

// Exporter is the part of a store that exports need. See terse.Archive.
type Exporter interface {
	Export(ctx context.Context, q terse.ExportQuery, begin func(links, clicks int64) error,
		each func(terse.Exported) error, share func(terse.Shared, terse.URL) error) error
}

// WriteLines writes all links of an owner with their clicks, in one snapshot of the store. After an
// error, what was written is of no use.
func WriteLines(ctx context.Context, store Exporter, to io.Writer, o ExportOptions) error {
	w := writer{to: to}
	var links, clicks int64
	err := store.Export(ctx, o.ExportQuery, func(allLinks, allClicks int64) error {
		if o.WithoutClicks {
			allClicks = 0
		}
		return w.line(Export{
			Type: TypeExport, Version: Version, CreatedAt: api.Instant{Time: time.Now()},
			Generator: o.Generator, BaseURL: o.BaseURL, Links: allLinks, Clicks: allClicks,
		})
	}, func(e terse.Exported) error {
		links++
		err := w.line(linkOf(e, o))
		if err == nil && !o.WithoutClicks {
			err = w.past(e, &clicks)
		}
		if err != nil {
			return fmt.Errorf("link %s: %w", e.Link.Code, err)
		}
		return nil
	}, func(s terse.Shared, url terse.URL) error { return w.line(shareOf(s, url, o)) })
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := w.line(End{TypeEnd, links, clicks}); err != nil {
		return err
	}
	return w.flush(1)
}

// writer writes lines, some together.
type writer struct {
	to  io.Writer
	buf []byte
}

// past writes the days and clicks of a link, and adds up how many clicks these are.
func (w *writer) past(e terse.Exported, sum *int64) error {
	return e.Past(func(day terse.PastDay) error {
		*sum += day.Clicks
		w.buf = appendDay(w.buf, day)
		return w.flush(chunk)
	}, func(click terse.PastClick) error {
		*sum += click.Count
		w.buf = AppendClick(w.buf, &click)
		return w.flush(chunk)
	})
}

func (w *writer) line(line any) (err error) {
	if w.buf, err = appendLine(w.buf, line); err != nil {
		return err
	}
	return w.flush(chunk)
}

// flush writes what was collected, if there is enough.
func (w *writer) flush(enough int) error {
	if len(w.buf) < enough {
		return nil
	}
	_, err := w.to.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

func appendLine(b []byte, line any) ([]byte, error) {
	text, err := json.Marshal(line, json.Deterministic(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return b, fmt.Errorf("encode a line: %w", err)
	}
	return append(append(b, text...), '\n'), nil
}

// linkOf returns the line of a link. If its options can't be read, the line is that of a disabled
// link: to its visitors it is closed.
func linkOf(e terse.Exported, o ExportOptions) Link {
	link := e.Link
	line := Link{
		Type: TypeLink, ShortCode: link.Code.Text(), Domain: o.Host(link.Code.Domain()),
		OriginalURL: string(link.URL),
		CreatedAt:   api.Instant{Time: link.CreatedAt}, CreatedBy: link.CreatedBy,
		UpdatedAt: api.Instant{Time: link.UpdatedAt}, History: changes(e.History),
		ClickCount: link.Clicks, LastClickedAt: api.Instant{Time: link.LastClick},
	}
	line.Share = e.Share.String()
	if link.Options == "" {
		return line
	}
	options, damaged := link.Options.Decode()
	if damaged == nil {
		damaged = json.Unmarshal([]byte(link.Options), &line.LinkOptions,
			jsontext.AllowDuplicateNames(true))
	}
	if damaged != nil {
		o.Logger.Warn("link has damaged options: exported as disabled",
			"short_code", link.Code.Text(), "error", damaged)
		line.LinkOptions = api.LinkOptions{Disabled: true}
		return line
	}
	line.PasswordHash = options.Password
	if options.MaxClicks > 0 {
		line.ClicksUsed = &link.Used
	}
	return line
}

// shareOf returns the line of a share. url is that of the link that it shows.
func shareOf(s terse.Shared, url terse.URL, o ExportOptions) Share {
	line := Share{
		Type: TypeShare, Share: s.Share.String(), Tag: s.Target.Tag, Title: s.Title,
		CreatedAt: api.Instant{Time: s.CreatedAt}, CreatedBy: s.Target.Owner,
		ExpiresAt: api.Instant{Time: s.ExpiresAt}, PasswordHash: s.Password,
	}
	if s.Target.IsLink() {
		code := s.Target.Link.Code
		line.ShortCode, line.OriginalURL = code.Text(), string(url)
		line.Domain = o.Host(code.Domain())
	}
	line.Overview = line.ShortCode == "" && line.Tag == ""
	return line
}

// appendDay appends the line of a day and those of its counts.
func appendDay(b []byte, day terse.PastDay) []byte {
	date := day.Day.String()
	b = append(append(b, `{"type":"day","date":"`...), date...)
	b = append(b, '"')
	b = appendCount(b, "visitors", day.Visitors)
	b = appendCount(b, "clicks", day.Clicks)
	b = append(b, '}', '\n')
	for _, counts := range day.Counts {
		for values := counts.Values; len(values) > 0; {
			some := values[:min(len(values), MaxCounts)]
			b = appendCounts(b, date, counts.Dimension, some)
			values = values[len(some):]
		}
	}
	return b
}

func appendCounts(b []byte, date string, of terse.Dimension, values []terse.PastValue) []byte {
	b = append(append(b, `{"type":"counts","date":"`...), date...)
	b = append(append(b, `","dimension":"`...), of.String()...)
	b = append(b, `","counts":`...)
	b = appendValues(b, values, func(v *terse.PastValue) int64 { return v.Clicks })
	people, visitors := false, false
	for i := range values {
		people = people || values[i].People != values[i].Clicks
		visitors = visitors || values[i].Firsts > 0
	}
	if people {
		b = append(b, `,"people":`...)
		b = appendValues(b, values, func(v *terse.PastValue) int64 { return v.People })
	}
	if visitors {
		b = append(b, `,"visitors":`...)
		b = appendValues(b, values, func(v *terse.PastValue) int64 { return v.Firsts })
	}
	return append(b, '}', '\n')
}

// appendValues appends an object of the counts that are not 0.
func appendValues(b []byte, values []terse.PastValue, of func(*terse.PastValue) int64) []byte {
	b = append(b, '{')
	start := len(b)
	for i := range values {
		n := of(&values[i])
		if n == 0 {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = appendQuoted(b, values[i].Value)
		b = strconv.AppendInt(append(b, ':'), n, 10)
	}
	return append(b, '}')
}

// AppendClick appends the line of a click, or as many as MaxCount requires. firsts of each is at
// most its count.
func AppendClick(b []byte, click *terse.PastClick) []byte {
	line := *click
	for line.Count > MaxCount {
		some := line
		some.Count, some.Firsts = MaxCount, min(line.Firsts, MaxCount)
		b = appendClick(b, &some)
		line.Count, line.Firsts = line.Count-some.Count, line.Firsts-some.Firsts
	}
	return appendClick(b, &line)
}

func appendClick(b []byte, click *terse.PastClick) []byte {
	b = append(b, `{"type":"click","time":"`...)
	b = time.UnixMicro(click.Time).UTC().AppendFormat(b, api.EventTime)
	b = append(b, '"')
	if click.Count > 1 {
		b = appendCount(b, "count", click.Count)
	}
	b = appendCount(b, "firsts", click.Firsts)
	for d := range terse.NumDimensions {
		value := click.Values[d]
		if value == "" || value == d.Unknown() {
			continue
		}
		if _, derived := d.From(); derived {
			continue
		}
		b = append(append(b, `,"`...), d.String()...)
		b = appendQuoted(append(b, `":`...), value)
	}
	return append(b, '}', '\n')
}

// appendCount appends a member of an object, unless n is 0.
func appendCount(b []byte, name string, n int64) []byte {
	if n == 0 {
		return b
	}
	b = append(append(b, `,"`...), name...)
	return strconv.AppendInt(append(b, `":`...), n, 10)
}

// appendQuoted appends a JSON string.
func appendQuoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text) // fails only for invalid UTF-8, which values never are
	return b
}
