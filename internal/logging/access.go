package logging

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Request is what the log has of one request (contract: Cross-cutting behaviour, 2).
type Request struct {
	Time     time.Time // when it was answered
	ID       []byte    // for example a UUID
	Method   []byte
	Host     []byte // that the request names; empty: it is not logged
	Path     []byte // without the query, which may be private
	Status   int
	Size     int // bytes of the answer's body
	Duration time.Duration
}

// Access logs requests, at level info, or error if the answer was a 5xx.
type Access struct {
	sink   *Sink
	level  slog.Level
	pretty *slog.Logger // nil in format JSON
}

// NewAccess returns an Access that writes to the sink.
func NewAccess(sink *Sink, level slog.Level, format Format) *Access {
	a := &Access{sink: sink, level: level}
	if format == Pretty {
		a.pretty = New(sink, level, Pretty)
	}
	return a
}

// Log writes a request's line. It retains no memory of r, and does not allocate in format JSON.
func (a *Access) Log(r *Request) {
	level := slog.LevelInfo
	if r.Status >= 500 {
		level = slog.LevelError
	}
	if level < a.level {
		return
	}
	if a.pretty != nil {
		attrs := []slog.Attr{
			slog.String("request_id", string(r.ID)), slog.String("method", string(r.Method)),
			slog.String("path", string(r.Path)),
			slog.Int("status", r.Status), slog.Int("size", r.Size),
			slog.Float64("duration", milliseconds(r.Duration)),
		}
		if len(r.Host) > 0 {
			attrs = slices.Insert(attrs, 2, slog.String("host", string(r.Host)))
		}
		a.pretty.LogAttrs(context.Background(), level, "request", attrs...)
		return
	}
	a.sink.Append(func(b []byte) []byte { return appendJSON(b, r, level) })
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func appendJSON(b []byte, r *Request, level slog.Level) []byte {
	b = append(b, `{"time":"`...)
	b = r.Time.AppendFormat(b, time.RFC3339Nano)
	if level == slog.LevelError {
		b = append(b, `","level":"ERROR","msg":"request","request_id":`...)
	} else {
		b = append(b, `","level":"INFO","msg":"request","request_id":`...)
	}
	b = appendQuoted(b, r.ID)
	b = append(b, `,"method":`...)
	b = appendQuoted(b, r.Method)
	if len(r.Host) > 0 {
		b = append(b, `,"host":`...)
		b = appendQuoted(b, r.Host)
	}
	b = append(b, `,"path":`...)
	b = appendQuoted(b, r.Path)
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(r.Status), 10)
	b = append(b, `,"size":`...)
	b = strconv.AppendInt(b, int64(r.Size), 10)
	b = append(b, `,"duration":`...)
	b = strconv.AppendFloat(b, milliseconds(r.Duration), 'f', -1, 64)
	return append(b, '}', '\n')
}

// appendQuoted appends s as a JSON string (RFC 8259, 7). It replaces invalid UTF-8 by U+FFFD and
// escapes deceptive characters.
func appendQuoted(b, s []byte) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
			i++
		case c < ' ' || c == 0x7F:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			i++
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, n := utf8.DecodeRune(s[i:])
			b = appendVisible(b, r)
			i += n
		}
	}
	return append(b, '"')
}
