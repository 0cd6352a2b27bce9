package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
)

// Bounds of events.
const (
	usualEvents = 100
	maxEvents   = 1000 // on a page
	// maxStreamed is how many are read at once for a stream: a few megabytes.
	maxStreamed = 4096
)

// eventsQuery is what a request asks of single clicks.
type eventsQuery struct {
	terse.EventQuery
	format string // "json", "ndjson" or "csv"
}

// events serves GET /api/urls/{shortCode}/events.
func (s *service) events(w http.ResponseWriter, r *http.Request, identity string) error {
	q, err := parseEventsQuery(r.URL.RawQuery, false)
	if err != nil {
		return err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	return s.answerEvents(w, r, link.Ref(), q)
}

// allEvents serves GET /api/events.
func (s *service) allEvents(w http.ResponseWriter, r *http.Request, identity string) error {
	q, err := parseEventsQuery(r.URL.RawQuery, true)
	if err != nil {
		return err
	}
	q.Owner = identity
	return s.answerEvents(w, r, terse.AllLinks, q)
}

func (s *service) answerEvents(w http.ResponseWriter, r *http.Request, link terse.LinkRef,
	q eventsQuery,
) error {
	if q.format == "json" {
		ctx, cancel := s.storeContext(r)
		defer cancel()
		page, err := s.eventsPage(ctx, link, q.EventQuery)
		if err != nil {
			return err
		}
		return respond(w, r, http.StatusOK, page)
	}
	stream := &eventStream{store: s.Store, timeout: s.StoreTimeout, link: link, query: q.EventQuery}
	w.Header().Set("Content-Type", "application/x-ndjson")
	stream.encode = stream.encodeLines
	if q.format == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		stream.encode = stream.encodeCells
		stream.encodeRow(append([]string{"time", "short_code"}, api.Dimensions()...))
	}
	if r.Method == http.MethodHead {
		return nil
	}
	return stream.send(w)
}

// eventsPage returns a page. When looking for its events takes long, it has those that were found.
func (s *service) eventsPage(ctx context.Context, link terse.LinkRef, q terse.EventQuery) (
	api.Events, error,
) {
	result := api.Events{Events: []api.Event{}}
	until := time.Now().Add(s.StoreTimeout / 2)
	for left := q.Limit; ; {
		q.Limit = left
		page, err := s.Store.Events(ctx, link, q)
		if err != nil {
			return result, fmt.Errorf("events: %w", err)
		}
		for i := range page.Events {
			result.Events = append(result.Events, eventOf(&page.Events[i], link))
		}
		if page.Next == nil {
			return result, nil
		}
		if left -= len(page.Events); left <= 0 || time.Now().After(until) {
			result.NextCursor = formatEventMark(page.Next)
			return result, nil
		}
		q.After = page.Next
	}
}

func eventOf(e *terse.Event, link terse.LinkRef) api.Event {
	if link == terse.AllLinks {
		link = e.Link
	}
	return api.NewEvent(time.UnixMicro(e.Time).UTC(), link.Code.String(), func(name string) string {
		return e.Values.Of(byName[name])
	})
}

// parseEventsQuery returns what a query asks for. An empty parameter is as good as none.
func parseEventsQuery(query string, tags bool) (q eventsQuery, err error) {
	query = strings.Clone(query) // a stream outlives the request
	if q.Range, _, _, err = parseRange(query); err != nil {
		return q, err
	}
	values, _ := url.ParseQuery(query) // parseRange has refused what can't be read
	if q.Filter, err = owners.parseFilter(values); err != nil {
		return q, err
	}
	q.format = first(values, "format", "json")
	if q.format != "json" && q.format != "ndjson" && q.format != "csv" {
		return q, invalid("format must be json, ndjson or csv")
	}
	if q.Limit, err = parseEventLimit(first(values, "limit", ""), q.format); err != nil {
		return q, err
	}
	if cursor := first(values, "cursor", ""); cursor != "" {
		if q.After = parseEventMark(cursor); q.After == nil {
			return q, invalid("cursor must be the next_cursor of events")
		}
	}
	if tags {
		q.Tags, err = parseTags(nonEmpty(values["tag"]))
	}
	return q, err
}

// first returns the first value of a parameter, or another one when there is none.
func first(values url.Values, name, otherwise string) string {
	if given := nonEmpty(values[name]); len(given) > 0 {
		return given[0]
	}
	return otherwise
}

// parseEventLimit returns how many events are asked for; of a stream 0 means all.
func parseEventLimit(text, format string) (int, error) {
	stream := format != "json"
	if text == "" && stream {
		return 0, nil
	}
	if text == "" {
		return usualEvents, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case stream && (err != nil || n < 1):
		return 0, invalid("limit must be at least 1")
	case err != nil || n < 1 || n > maxEvents && !stream:
		return 0, invalid("limit must be 1 to %d", maxEvents)
	}
	return n, nil
}

func parseTags(given []string) (tags []string, err error) {
	for _, tag := range given {
		if tag, err = parseTag(tag); err != nil {
			return nil, err
		}
		tags = append(tags, tag)
	}
	if len(tags) > terse.MaxTags {
		return nil, invalid("at most %d tags", terse.MaxTags)
	}
	return tags, nil
}

// formatEventMark returns a mark for the client to give back, with a checksum.
func formatEventMark(mark *terse.EventMark) string {
	b := binary.AppendVarint(nil, mark.Time)
	b = binary.AppendVarint(b, mark.Rank)
	b = append(b, mark.Journal...)
	return base64.RawURLEncoding.EncodeToString(
		binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// parseEventMark returns the mark of a cursor, or nil.
func parseEventMark(cursor string) *terse.EventMark {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	n := len(b) - crc32.Size
	if err != nil || n < 0 || binary.LittleEndian.Uint32(b[n:]) != crc32.ChecksumIEEE(b[:n]) {
		return nil
	}
	var mark terse.EventMark
	b = b[:n]
	for _, number := range []*int64{&mark.Time, &mark.Rank} {
		value, n := binary.Varint(b)
		if n <= 0 || value < 0 && number == &mark.Rank {
			return nil
		}
		*number, b = value, b[n:]
	}
	mark.Journal = string(b)
	return &mark
}

// eventStream is an answer of any length, which is read from the store while it is sent: a piece at
// a time, each from a snapshot of its own.
type eventStream struct {
	store   terse.Store
	timeout time.Duration
	link    terse.LinkRef
	query   terse.EventQuery // Limit: how many are left; 0: all
	encode  func([]terse.Event) error
	buf     bytes.Buffer // what is to be sent next
	rows    *csv.Writer  // into it
	ended   bool
}

// send sends the stream. A server that sends answers when they are complete takes it as its body.
func (e *eventStream) send(w http.ResponseWriter) error {
	if server, ok := w.(interface{ SendStream(body io.Reader) }); ok {
		server.SendStream(e)
		return nil
	}
	_, err := io.Copy(w, e)
	return err
}

// Read implements io.Reader.
func (e *eventStream) Read(p []byte) (int, error) {
	for e.buf.Len() == 0 {
		if e.ended {
			return 0, io.EOF
		}
		if err := e.next(); err != nil {
			return 0, err
		}
	}
	return e.buf.Read(p)
}

// next reads the next piece.
func (e *eventStream) next() error {
	ctx, cancel := context.WithTimeout(context.Background(), e.timeout)
	defer cancel()
	q := e.query
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

func (e *eventStream) encodeLines(events []terse.Event) error {
	for i := range events {
		if err := json.MarshalWrite(&e.buf, eventOf(&events[i], e.link)); err != nil {
			return fmt.Errorf("encode event: %w", err)
		}
		e.buf.WriteByte('\n')
	}
	return nil
}

// encodeCells encodes events as RFC 4180 has it.
func (e *eventStream) encodeCells(events []terse.Event) error {
	row := make([]string, 2+terse.NumDimensions)
	for i := range events {
		code := events[i].Link.Code
		if e.link != terse.AllLinks {
			code = e.link.Code
		}
		row[0] = time.UnixMicro(events[i].Time).UTC().Format(api.EventTime)
		row[1] = code.String()
		for d := range terse.NumDimensions {
			row[2+d] = events[i].Values.Of(d)
		}
		e.encodeRow(row)
	}
	e.rows.Flush()
	return nil
}

// encodeRow encodes cells, so that no spreadsheet takes one that a visitor made up for a formula.
func (e *eventStream) encodeRow(cells []string) {
	for i, cell := range cells {
		if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			cells[i] = "'" + cell
		}
	}
	if e.rows == nil {
		e.rows = csv.NewWriter(&e.buf)
		e.rows.UseCRLF = true
	}
	_ = e.rows.Write(cells) // to memory
}
