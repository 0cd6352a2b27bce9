package httpapi

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/klauspost/compress/zstd"

	"terse"
	"terse/internal/move/archive"
	"terse/internal/text/accept"
)

// Bounds of an export, which holds a snapshot of the store as long as it is under way.
const (
	exportTime = 6 * time.Hour
	// stallTime is how long its reader may take nothing of it.
	stallTime = time.Minute
	// exportPart is how many bytes the reader has to take within stallTime.
	exportPart = 16 << 10
)

// underWayError says what the caller may have only one of at a time.
type underWayError string

func (e underWayError) Error() string { return string(e) + " of yours is under way" }

// alone reserves the one place that an identity has for requests of a kind, such as "an export".
func (s *service) alone(kind string, by terse.Caller) (release func(), err error) {
	key := terse.AnswerKey(sha256.Sum256([]byte(kind + "\n" + by.Identity)))
	if !s.underWay.take(key) {
		return nil, underWayError(kind)
	}
	return func() { s.underWay.release(key) }, nil
}

// write writes an export, as archive.WriteLines does.
type write func(context.Context, archive.Exporter, io.Writer, archive.ExportOptions) error

// exportForms are the formats of an export: how it is written, and its media type.
var exportForms = map[string]struct {
	write       write
	contentType string
}{
	"ndjson": {archive.WriteLines, "application/x-ndjson"},
	"csv":    {archive.WriteCSV, "text/csv; charset=utf-8"},
}

// export serves GET /api/export.
func (s *service) export(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	options := archive.ExportOptions{
		ExportQuery: terse.ExportQuery{Owner: by.Asks(), Domain: domainOf(r)},
		Generator:   s.Generator, BaseURL: s.BaseURL, Host: s.shownDomain, Logger: s.Logger,
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return terse.Invalidf("", "malformed query string")
	}
	switch query.Get("clicks") {
	case "", "true":
	case "false":
		options.WithoutClicks = true
	default:
		return terse.Invalidf("clicks", "clicks must be true or false")
	}
	format := "ndjson"
	if asked := query.Get("format"); asked != "" {
		format = asked
	}
	form, ok := exportForms[format]
	if !ok {
		return terse.Invalidf("format", "format must be ndjson or csv")
	}
	coding := accept.Coding(r.Header, "zstd", "gzip")
	begin := func() {
		w.Header().Set("Content-Type", form.contentType)
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="terse-%s.%s"`,
			time.Now().UTC().Format(time.DateOnly), format))
		w.Header().Add("Vary", "Accept-Encoding")
		if coding != "" {
			w.Header().Set("Content-Encoding", coding)
		}
	}
	release, err := s.alone("an export", by)
	if err != nil {
		return err
	}
	defer release()
	if r.Method == http.MethodHead { // whether there would be an export
		begin()
		return nil
	}
	most := cmp.Or(s.exportTime, exportTime)
	tooLong := fmt.Errorf("it took longer than %v", most)
	ctx, cancel := context.WithTimeoutCause(r.Context(), most, tooLong)
	defer cancel()
	pages := newPages(ctx, func(ctx context.Context, to io.Writer) error {
		return form.write(ctx, s.Store, to, options)
	}, coding)
	defer pages.stop()

	page, err := s.nextPage(ctx, pages, false)
	if err == nil {
		err = s.noteExport(ctx, by, format, &options)
	}
	if err != nil {
		return err
	}
	begin()
	for page != nil {
		if err = s.sendPart(w, page); err == nil {
			page, err = s.nextPage(ctx, pages, true)
		}
		if err != nil {
			if errors.Is(context.Cause(ctx), tooLong) {
				err = tooLong
			}
			s.Logger.Warn("an export was cut off",
				"request_id", r.Header.Get("X-Request-ID"), "error", err)
			panic(http.ErrAbortHandler) // so that the client does not take a part for the whole
		}
	}
	return nil
}

// noteExport notes an export that begins. On a full disk the log does: the export may be what frees
// it.
func (s *service) noteExport(
	ctx context.Context, by terse.Caller, format string, options *archive.ExportOptions,
) error {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	details := map[string]any{"format": format, "clicks": !options.WithoutClicks}
	if options.Domain != nil {
		details["domain"] = s.rowOf(*options.Domain).Host
	}
	err := s.Store.Note(ctx, by, terse.Noted{
		Action: terse.ActionExport, Target: by.Others(), Details: details,
	})
	if errors.Is(err, terse.ErrNoRoom) {
		s.Logger.Error("an export is not in the audit", "by", by.Identity,
			"request_id", by.RequestID, "error", err)
		return nil
	}
	return err
}

// nextPage makes the next page of an export when it is its turn. After the last page it is nil. An
// export that has begun waits for its turns as long as it takes.
func (s *service) nextPage(ctx context.Context, pages *pages, begun bool) (page []byte, err error) {
	for {
		asked := false
		err = s.questions.ask(ctx, func(turn context.Context) (err error) {
			asked = true
			page, err = pages.next(turn)
			return err
		})
		if asked || err == nil || !begun {
			return page, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second): // the queue may be full
		}
	}
}

// sendPart sends a part of an answer that its reader has to take in time.
func (s *service) sendPart(w http.ResponseWriter, text []byte) error {
	client := http.NewResponseController(w)
	for len(text) > 0 {
		part := text[:min(len(text), exportPart)]
		// Not supported in some tests.
		_ = client.SetWriteDeadline(time.Now().Add(cmp.Or(s.stallTime, stallTime)))
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("send an export: %w", err)
		}
		text = text[len(part):]
	}
	if err := client.Flush(); err != nil {
		return fmt.Errorf("send an export: %w", err)
	}
	return nil
}

// pages are the parts of a text that is written by a function in steps: whenever it has written a
// part, it waits until the next one is wanted.
type pages struct {
	cancel     context.CancelFunc // ends writing with an error
	pull       func() ([]byte, error, bool)
	stop       func()
	compressor compressor
	compressed bytes.Buffer
}

// compressor is a gzip.Writer or zstd.Encoder.
type compressor interface {
	io.WriteCloser
	Flush() error
}

// newPages returns the pages of what write writes, compressed unless coding is "". write has
// returned when stop has.
func newPages(ctx context.Context, write func(context.Context, io.Writer) error, coding string,
) *pages {
	ctx, cancel := context.WithCancel(ctx)
	p := &pages{cancel: cancel}
	pull, stop := iter.Pull2(func(yield func([]byte, error) bool) {
		err := write(ctx, writerFunc(func(text []byte) (int, error) {
			if !yield(text, nil) {
				return 0, errStopped
			}
			return len(text), nil
		}))
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	})
	p.pull = pull
	p.stop = func() {
		cancel()
		stop()
	}
	switch coding {
	case "gzip":
		p.compressor, _ = gzip.NewWriterLevel(&p.compressed, gzip.BestSpeed) // a valid level
	case "zstd":
		// The options are valid. One goroutine, and 1 MiB of memory that refers to what was sent.
		p.compressor, _ = zstd.NewWriter(&p.compressed, zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	}
	return p
}

// errStopped ends the writing of pages that nobody wants.
var errStopped = errors.New("stopped")

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// next returns the next page, valid until the next call, or nil after the last one. When turn ends
// before, writing fails.
func (p *pages) next(turn context.Context) (page []byte, err error) {
	end := context.AfterFunc(turn, p.cancel)
	text, err, more := p.pull()
	if inTime := end(); err == nil && !inTime {
		err = turn.Err()
	}
	if err != nil || p.compressor == nil {
		return text, err
	}
	p.compressed.Reset()
	if more {
		_, err = p.compressor.Write(text)
		err = errors.Join(err, p.compressor.Flush())
	} else {
		err = p.compressor.Close()
		p.compressor = nil
	}
	return p.compressed.Bytes(), err
}
