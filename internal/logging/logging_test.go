package logging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func request() *Request {
	return &Request{
		Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), ID: []byte("id-1"),
		Method: []byte("GET"), Path: []byte("/abc"),
		Status: 302, Size: 0, Duration: 1500 * time.Microsecond,
	}
}

func TestAccessLineHasExactlyTheNamedFields(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	sink := NewSink(&out)
	NewAccess(sink, slog.LevelInfo, JSON).Log(request())
	sink.Flush()
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %q", err, out.String())
	}
	want := map[string]any{
		"time": "2026-01-02T03:04:05Z", "level": "INFO", "msg": "request", "request_id": "id-1",
		"method": "GET", "path": "/abc", "status": 302.0, "size": 0.0, "duration": 1.5,
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s = %v, want %v", k, got[k], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("fields %v, want those of %v", got, want)
	}
}

func TestAccessLineNamesAHost(t *testing.T) {
	t.Parallel()
	r := request()
	r.Host = []byte("go.example\"x")
	for format, want := range map[Format]string{
		JSON: `"method":"GET","host":"go.example\"x","path":"/abc"`, Pretty: `"go.example\"x"`,
	} {
		var out bytes.Buffer
		sink := NewSink(&out)
		NewAccess(sink, slog.LevelInfo, format).Log(r)
		sink.Flush()
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, &out)
		}
	}
}

func TestHostilePathsStayOneJSONLine(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/\"}\n{\"x\":\"", "/\\", "/\x00\x1f\x7f", "/\xff\xfe",
		"/é漢\u2028",
	} {
		var out bytes.Buffer
		sink := NewSink(&out)
		r := request()
		r.Path = []byte(path)
		NewAccess(sink, slog.LevelInfo, JSON).Log(r)
		sink.Flush()
		var got struct{ Path string }
		if err := json.Unmarshal(out.Bytes(), &got); err != nil ||
			strings.Count(out.String(), "\n") != 1 {
			t.Errorf("path %q made %q: %v", path, out.String(), err)
		}
		if want := strings.ToValidUTF8(path, "\uFFFD"); len(path) > 3 && got.Path != want &&
			path != "/\xff\xfe" {
			t.Errorf("path = %q, want %q", got.Path, want)
		}
	}
}

// TestNoLogDeceivesWhoReadsIt logs each character that changes how text looks, as a path and as an
// attribute, in both formats.
func TestNoLogDeceivesWhoReadsIt(t *testing.T) {
	t.Parallel()
	deceiving := []rune{
		0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D,
		0x202E, 0x2066, 0x2067, 0x2068, 0x2069,
	}
	for c := rune(0x80); c <= 0x9F; c++ {
		deceiving = append(deceiving, c)
	}
	for _, c := range deceiving {
		path := "/é" + string(c) + "漢"
		for _, format := range []Format{JSON, Pretty} {
			var out bytes.Buffer
			sink := NewSink(&out)
			r := request()
			r.Path = []byte(path)
			NewAccess(sink, slog.LevelInfo, format).Log(r)
			New(sink, slog.LevelInfo, format).Info("record", "path", path, "error",
				errors.New(path))
			sink.Flush()
			if bytes.ContainsRune(out.Bytes(), c) ||
				!strings.Contains(out.String(), fmt.Sprintf(`\u%04x`, c)) {
				t.Errorf("%s: %U is in %q", format, c, out.String())
			}
			for line := range strings.Lines(out.String()) {
				var got struct{ Path string }
				if err := json.Unmarshal([]byte(line), &got); format == JSON &&
					(err != nil || got.Path != path) {
					t.Errorf("%q: %v, want the path %q", line, err, path)
				}
			}
		}
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{JSON, Pretty} {
		var out bytes.Buffer
		sink := NewSink(&out)
		access := NewAccess(sink, slog.LevelWarn, format)
		access.Log(request())
		sink.Flush()
		if out.Len() != 0 {
			t.Errorf("%s: a 302 was logged at level warn: %q", format, out.String())
		}
		failed := request()
		failed.Status = 500
		access.Log(failed)
		sink.Flush()
		if !strings.Contains(out.String(), "500") {
			t.Errorf("%s: a 500 was not logged at level warn", format)
		}
	}
}

func TestPrettyHasTheNamedFields(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	sink := NewSink(&out)
	NewAccess(sink, slog.LevelInfo, Pretty).Log(request())
	sink.Flush()
	for _, field := range []string{"request_id", "method", "path", "status", "size", "duration"} {
		if !strings.Contains(out.String(), field) {
			t.Errorf("no %s in %q", field, out.String())
		}
	}
}

// stuck blocks its first write until it is released.
type stuck struct {
	release, entered chan struct{}
	bytes.Buffer
}

func (s *stuck) Write(p []byte) (int, error) {
	select {
	case s.entered <- struct{}{}:
	default:
	}
	<-s.release
	return s.Buffer.Write(p)
}

func TestAStuckDestinationDropsLinesAndSaysSo(t *testing.T) {
	t.Parallel()
	out := &stuck{release: make(chan struct{}), entered: make(chan struct{}, 1)}
	sink := NewSink(out)
	line := []byte(strings.Repeat("x", 1023) + "\n")
	_, _ = sink.Write(line)
	flushed := make(chan struct{})
	go func() { sink.Flush(); close(flushed) }()
	<-out.entered
	for range maxBuffered/len(line) + 10 {
		_, _ = sink.Write(line)
	}
	if sink.Dropped() != 10 {
		t.Errorf("dropped %d lines, want 10", sink.Dropped())
	}
	close(out.release)
	<-flushed
	sink.Flush()
	if !strings.Contains(out.String(), `"lines":10`) {
		t.Error("the log does not say how many lines were dropped")
	}
}

func TestRunFlushesByItselfAndAtTheEnd(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	sink := NewSink(w)
	go func() { _ = sink.Run(t.Context()) }()
	New(sink, slog.LevelInfo, JSON).Info("hello")
	line := make([]byte, 1024)
	n, err := r.Read(line)
	if err != nil || !strings.Contains(string(line[:n]), "hello") {
		t.Errorf("read %q, %v", line[:n], err)
	}
	_ = r.Close()
}

func TestAccessDoesNotAllocate(t *testing.T) {
	sink := NewSink(io.Discard)
	access := NewAccess(sink, slog.LevelInfo, JSON)
	r := request()
	for range 2 {
		for range 1000 {
			access.Log(r)
		}
		sink.Flush()
	}
	if n := testing.AllocsPerRun(1000, func() { access.Log(r) }); n > 0 {
		t.Errorf("%v allocations a line", n)
	}
}

func BenchmarkAccess(b *testing.B) {
	sink := NewSink(io.Discard)
	access := NewAccess(sink, slog.LevelInfo, JSON)
	r := request()
	for _, host := range []string{"", "go.example"} {
		b.Run("host="+host, func(b *testing.B) {
			r.Host = []byte(host)
			b.ReportAllocs()
			for i := range b.N {
				access.Log(r)
				if i%4096 == 0 {
					sink.Flush()
				}
			}
		})
	}
}
