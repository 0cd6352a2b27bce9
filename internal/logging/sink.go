// Package logging writes the log: structured records through log/slog, and one line per request
// formatted by hand, because every redirect writes one.
//
// It does not decide what is logged, and never makes a request wait for the log's destination.
package logging

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

const (
	// flushInterval bounds how long a line waits in memory.
	flushInterval = 100 * time.Millisecond
	// flushBytes wakes the writer before the interval ends. With 64 KiB, a busy server's writes
	// kept the runtime's system call monitor awake, which cost 2 % of the CPU.
	flushBytes = 512 << 10
	// writeBytes bounds one write, because some kernels keep the core until it is done.
	writeBytes = 64 << 10
	// maxBuffered bounds the lines that wait while the log's destination is slow or stuck: about
	// 16,000.
	maxBuffered = 4 << 20
)

// Sink buffers whole lines for a writer. While maxBuffered bytes wait, new lines are dropped and
// counted: a log that nobody reads must not stop the service.
type Sink struct {
	out  io.Writer
	wake chan struct{}

	mu      sync.Mutex // guards the fields below
	buf     []byte
	spare   []byte
	dropped int64 // since the last line that reported drops
	total   int64

	writing sync.Mutex // held while writing to out, so that lines keep their order
}

// NewSink returns a Sink for out. Run writes its lines.
func NewSink(out io.Writer) *Sink {
	return &Sink{out: out, wake: make(chan struct{}, 1)}
}

// Write buffers one whole line. It never fails or waits for the destination.
func (s *Sink) Write(line []byte) (int, error) {
	s.Append(func(b []byte) []byte { return append(b, line...) })
	return len(line), nil
}

// Append buffers the line that format appends to its argument.
func (s *Sink) Append(format func([]byte) []byte) {
	s.mu.Lock()
	before := len(s.buf)
	if before >= maxBuffered {
		s.dropped++
		s.total++
		s.mu.Unlock()
		return
	}
	s.buf = format(s.buf)
	full := before < flushBytes && len(s.buf) >= flushBytes
	s.mu.Unlock()
	if full {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// Dropped returns how many lines have been dropped.
func (s *Sink) Dropped() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Run writes the lines until ctx ends, and then the rest.
func (s *Sink) Run(ctx context.Context) error {
	tick := time.NewTicker(flushInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			s.Flush()
			return nil
		case <-tick.C:
		case <-s.wake:
		}
		s.Flush()
	}
}

// Flush writes the lines that are buffered now.
func (s *Sink) Flush() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	full, dropped := s.buf, s.dropped
	s.buf, s.spare, s.dropped = s.spare[:0], nil, 0
	s.mu.Unlock()
	if dropped > 0 {
		full = fmt.Appendf(full, `{"time":%q,"level":"WARN",`+
			`"msg":"log lines dropped: the destination was too slow","lines":%d}`+"\n",
			time.Now().UTC().Format(time.RFC3339Nano), dropped)
	}
	for part := range slices.Chunk(full, writeBytes) {
		// Nobody can be told if the log itself can't be written.
		_, _ = s.out.Write(part)
	}
	s.mu.Lock()
	s.spare = full[:0]
	s.mu.Unlock()
}
