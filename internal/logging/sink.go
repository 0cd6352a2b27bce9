// Package logging writes the log: structured records through log/slog, and one line per
// request appended by hand, because every redirect writes one.
//
// It decides nothing about what is logged, and never makes a request wait for the
// place that the log goes to.
package logging

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"terse/internal/yield"
)

const (
	// flushInterval is the longest time a line waits in memory.
	flushInterval = 100 * time.Millisecond
	// flushBytes wakes the writer before the interval ends. With 64 KiB the writes of a busy server
	// kept the runtime's watch over system calls awake, which cost 2 % of the CPU.
	flushBytes = 512 << 10
	// writeBytes are written at once: some kernels keep the core until it is done.
	writeBytes = 64 << 10
	// maxBuffered bounds what may wait while the log's destination is slow or stuck:
	// about 16,000 lines.
	maxBuffered = 4 << 20
)

// Sink buffers whole lines for a writer. Lines that come while maxBuffered bytes wait are
// dropped and counted: a log that is not read must not stop the service.
type Sink struct {
	out  io.Writer
	wake chan struct{}

	mu      sync.Mutex // guards what follows
	buf     []byte
	spare   []byte
	dropped int64 // since the last line that says so
	total   int64

	writing sync.Mutex // held while writing to out, so that lines keep their order; guards yielder
	yielder yield.Yielder
}

// NewSink returns a Sink in front of out. Run writes what it holds.
func NewSink(out io.Writer) *Sink {
	return &Sink{out: out, wake: make(chan struct{}, 1)}
}

// Write takes one whole line. It never fails and never blocks on the destination.
func (s *Sink) Write(line []byte) (int, error) {
	s.Append(func(b []byte) []byte { return append(b, line...) })
	return len(line), nil
}

// Append adds the line that format appends to its argument.
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

// Dropped returns how many lines were dropped so far.
func (s *Sink) Dropped() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Run writes the lines out until ctx ends, and then what is left.
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

// Flush writes what is buffered now.
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
		// There is no one left to tell when the log itself can't be written.
		_, _ = s.out.Write(part)
		s.yielder.Yield()
	}
	s.mu.Lock()
	s.spare = full[:0]
	s.mu.Unlock()
}
