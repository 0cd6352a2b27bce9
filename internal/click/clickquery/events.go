package clickquery

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
	"terse/internal/move/sheet"
)

// Bounds of events.
const (
	defaultEvents = 100
	maxEvents     = 1000 // on a page
	// maxStreamed is the number of events read at a time for a stream: a few megabytes.
	maxStreamed = 4096
)

// Events is a question about single clicks.
type Events struct {
	terse.EventQuery
	Format string // "json", "ndjson" or "csv"
	// Host returns the host that answers show for a domain, "" for the default one.
	Host func(terse.Domain) string
	// Several says that there are several domains, so that CSV has a column of them.
	Several bool
}

// Page returns a page of the events of a link, or of all links. If finding them takes longer than
// until, the page has the events found so far.
func (q *Events) Page(
	ctx context.Context, store terse.Clicks, link terse.LinkRef, until time.Time,
) (api.Events, error) {
	result, ask := api.Events{Events: []api.Event{}}, q.EventQuery
	for {
		page, err := store.Events(ctx, link, ask)
		if err != nil {
			return result, fmt.Errorf("events: %w", err)
		}
		for i := range page.Events {
			result.Events = append(result.Events, q.eventOf(&page.Events[i], link))
		}
		if page.Next == nil {
			return result, nil
		}
		if ask.Limit -= len(page.Events); ask.Limit <= 0 || time.Now().After(until) {
			result.NextCursor = formatEventMark(page.Next)
			return result, nil
		}
		ask.After = page.Next
	}
}

func (q *Events) eventOf(e *terse.Event, link terse.LinkRef) api.Event {
	if link == terse.AllLinks {
		link = e.Link
	}
	return EventOf(e, link, q.Host)
}

// EventOf returns an event of a link as answers have it. host returns the host that they show for a
// domain, "" for the default one.
func EventOf(e *terse.Event, link terse.LinkRef, host func(terse.Domain) string) api.Event {
	at := time.UnixMicro(e.Time).UTC()
	return api.NewEvent(at, link.Code.Text(), host(link.Code.Domain()), e.Count,
		func(name string) string {
			if d := byName[name]; d != terse.ByAlias {
				return e.Values.Of(d)
			}
			return e.Values[terse.ByAlias]
		})
}

// ParseEvents parses the query string of a URL. An empty parameter counts as missing.
func ParseEvents(query string) (q Events, err error) {
	query = strings.Clone(query) // a stream outlives the request
	if q.Range, _, _, err = ParseRange(query); err != nil {
		return q, err
	}
	values, _ := url.ParseQuery(query) // ParseRange refuses malformed ones
	if q.Filter, err = Owners.parseFilter(values); err != nil {
		return q, err
	}
	q.Format = paramOr(values, "format", "json")
	if q.Format != "json" && q.Format != "ndjson" && q.Format != "csv" {
		return q, terse.Invalidf("format", "format must be json, ndjson or csv")
	}
	if q.Limit, err = parseEventLimit(paramOr(values, "limit", ""), q.Format); err != nil {
		return q, err
	}
	if cursor := paramOr(values, "cursor", ""); cursor != "" {
		if q.After = parseEventMark(cursor); q.After == nil {
			return q, terse.Invalidf("cursor", "cursor must be the next_cursor of events")
		}
	}
	return q, nil
}

// paramOr returns the first value of a parameter, or otherwise if there is none.
func paramOr(values url.Values, name, otherwise string) string {
	if given := nonEmpty(values[name]); len(given) > 0 {
		return given[0]
	}
	return otherwise
}

// parseEventLimit returns how many events are asked for. For a stream, 0 means all.
func parseEventLimit(text, format string) (int, error) {
	stream := format != "json"
	if text == "" && stream {
		return 0, nil
	}
	if text == "" {
		return defaultEvents, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case stream && (err != nil || n < 1):
		return 0, terse.Invalidf("limit", "limit must be at least 1")
	case err != nil || n < 1 || n > maxEvents && !stream:
		return 0, terse.Invalidf("limit", "limit must be 1 to %d", maxEvents)
	}
	return n, nil
}

// formatEventMark encodes a mark as a cursor, with a checksum: at most 42 bytes, which are 56
// characters, and none that a visitor chose.
func formatEventMark(mark *terse.EventMark) string {
	b := binary.AppendVarint(nil, mark.Time)
	b = binary.AppendVarint(b, int64(mark.Link))
	b = binary.LittleEndian.AppendUint64(b, mark.Hash)
	b = binary.AppendVarint(b, mark.Rank)
	return base64.RawURLEncoding.EncodeToString(
		binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// parseEventMark is the reverse of formatEventMark. It returns nil for an invalid cursor.
func parseEventMark(cursor string) *terse.EventMark {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	n := len(b) - crc32.Size
	if err != nil || n < 0 || binary.LittleEndian.Uint32(b[n:]) != crc32.ChecksumIEEE(b[:n]) {
		return nil
	}
	mark, b, ok := &terse.EventMark{}, b[:n], true
	number := func() int64 {
		value, n := binary.Varint(b)
		if n <= 0 {
			ok, b = false, nil
			return 0
		}
		b = b[n:]
		return value
	}
	mark.Time, mark.Link = number(), terse.LinkID(number())
	if len(b) < 8 {
		return nil
	}
	mark.Hash, b = binary.LittleEndian.Uint64(b), b[8:]
	mark.Rank = number()
	if !ok || len(b) > 0 || mark.Link < 0 || mark.Rank < 0 {
		return nil
	}
	return mark
}

// Turn waits for a turn and runs a question in it, with a context that ends with the turn.
type Turn func(ctx context.Context, question func(context.Context) error) error

// Stream is an answer of any length. It is read from the store while it is sent: page by page, each
// from its own snapshot.
type Stream struct {
	store  terse.Clicks
	turn   Turn
	link   terse.LinkRef
	query  Events // Limit: how many remain; 0: all
	encode func([]terse.Event) error
	buf    bytes.Buffer  // to be sent next
	rows   *sheet.Writer // writes to buf
	ended  bool

	contentType string
}

// NewStream returns all events of a link, or of all links, in the query's format, which is not
// JSON. It asks the store page by page, each in its own turn, so that it holds no turn while it
// waits for its reader.
func NewStream(store terse.Clicks, turn Turn, link terse.LinkRef, q Events) *Stream {
	s := &Stream{store: store, turn: turn, link: link, query: q}
	s.encode, s.contentType = s.encodeLines, "application/x-ndjson"
	if q.Format == "csv" {
		s.encode, s.contentType = s.encodeCells, "text/csv; charset=utf-8"
		s.rows = sheet.NewWriter(&s.buf, false)
		names := append([]string{"time", "short_code"}, columns...)
		names = append(names, "count")
		if q.Several {
			names = append(names, "domain")
		}
		_ = s.rows.Write(names) // to memory
	}
	return s
}

// ContentType returns the media type of the stream.
func (e *Stream) ContentType() string { return e.contentType }

// Read implements io.Reader.
func (e *Stream) Read(p []byte) (int, error) {
	for e.buf.Len() == 0 {
		if e.ended {
			return 0, io.EOF
		}
		if err := e.Next(context.Background()); err != nil {
			return 0, err
		}
	}
	return e.buf.Read(p)
}

// Next reads the next page into memory. Read calls it when it needs a page. Call it once before the
// answer begins, to learn whether the store fails.
func (e *Stream) Next(ctx context.Context) error { return e.turn(ctx, e.next) }

func (e *Stream) next(ctx context.Context) error {
	q := e.query.EventQuery
	if q.Limit == 0 || q.Limit > maxStreamed {
		q.Limit = maxStreamed
	}
	page, err := e.store.Events(ctx, e.link, q)
	if err != nil {
		return fmt.Errorf("stream events: %w", err)
	}
	if e.query.Limit > 0 {
		e.query.Limit -= len(page.Events)
		e.ended = e.query.Limit == 0
	}
	e.query.After = page.Next
	e.ended = e.ended || page.Next == nil
	return e.encode(page.Events)
}

// columns are the dimensions that events in CSV have.
var columns = api.EventColumns()

func (e *Stream) encodeLines(events []terse.Event) error {
	for i := range events {
		if err := json.MarshalWrite(&e.buf, e.query.eventOf(&events[i], e.link)); err != nil {
			return fmt.Errorf("encode event: %w", err)
		}
		e.buf.WriteByte('\n')
	}
	return nil
}

// encodeCells encodes events as CSV (RFC 4180).
func (e *Stream) encodeCells(events []terse.Event) error {
	row := make([]string, 2+len(columns)+1, 2+len(columns)+2)
	for i := range events {
		code := events[i].Link.Code
		if e.link != terse.AllLinks {
			code = e.link.Code
		}
		row[0] = time.UnixMicro(events[i].Time).UTC().Format(api.EventTime)
		row[1] = code.Text()
		for n, name := range columns {
			row[2+n] = events[i].Values.Of(byName[name])
		}
		row[2+len(columns)] = strconv.FormatInt(events[i].Count, 10)
		cells := row
		if e.query.Several {
			cells = append(cells, e.query.Host(code.Domain()))
		}
		_ = e.rows.Write(cells) // to memory
	}
	return e.rows.Flush()
}
