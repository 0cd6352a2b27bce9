package journal

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"terse"
)

// After Rotate nothing remains of counted clicks and their visitors.
func TestRotate(t *testing.T) {
	t.Parallel()
	const hash = 0x1234_5678_9abc_def0
	j := open(t, Options{}, 0)
	run(t, j)
	left := func() (n int) {
		for _, name := range files(t, j.dir) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n += bytes.Count(content, binary.NativeEndian.AppendUint64(nil, hash))
		}
		return n
	}
	for n := range 10 {
		c := click(t, n)
		c.Visitor = hash
		if err := j.Append(&c); err != nil {
			t.Fatal(err)
		}
	}
	clicks, end := readAll(t, j, 0)
	if len(clicks) != 10 || left() != 10 {
		t.Fatalf("%d clicks, %d hashes in the files", len(clicks), left())
	}
	for range 3 { // the second one has nothing to do
		if err := j.Rotate(); err != nil {
			t.Fatal(err)
		}
	}
	if clicks, end = readAll(t, j, end); len(clicks) > 0 || left() > 0 {
		t.Errorf("%d clicks, %d hashes in the files after Rotate", len(clicks), left())
	}
	if base := j.current.Load().base; base != j.size {
		t.Errorf("the current segment begins at %d, want %d", base, j.size)
	}
	appendAll(t, j, 10, 20)
	clicks, _ = readAll(t, j, end)
	diff(t, clicks, want(t, 10, 20))
}

// No click is lost or read twice while segments are changed, and a reader that waits goes on.
func TestRotateWhileAppending(t *testing.T) {
	t.Parallel()
	const appenders, each = 4, 3000
	j := open(t, Options{}, 0)
	run(t, j)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var working sync.WaitGroup
	for a := range appenders {
		working.Go(func() { appendAll(t, j, a*each, (a+1)*each) })
	}
	working.Go(func() {
		for range 20 {
			if err := j.Rotate(); err != nil {
				t.Error(err)
			}
		}
	})
	seen := map[terse.LinkID]int{}
	for n := 0; n < appenders*each; {
		clicks, _, to, err := readSome(ctx, j, 1000)
		if err != nil {
			t.Fatal(n, err)
		}
		for _, c := range clicks {
			seen[c.Link]++
		}
		n += len(clicks)
		j.Release(to)
	}
	working.Wait()
	if _, _, _, err := readSome(ended(), j, 1); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if len(seen) != appenders*each {
		t.Errorf("%d clicks, want %d, each once", len(seen), appenders*each)
	}
}

// ended returns a context that is over.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Without room for another segment the current one stays, and takes clicks.
func TestRotateWithoutRoom(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	made := 0
	j, err := openOn(Options{Dir: t.TempDir(), SegmentBytes: minSegment, Logger: discard},
		func(dir string, base, size int64) (*segment, error) {
			if made++; made > 1 {
				return nil, full
			}
			return makeSegment(dir, base, size)
		}, at(0))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, j, 0, 5)
	if err := j.Rotate(); !errors.Is(err, ErrFull) {
		t.Errorf("Rotate: %v", err)
	}
	j.retryAt.Store(0)
	appendAll(t, j, 5, 10)
	clicks, _ := readAll(t, j, 0)
	diff(t, clicks, want(t, 0, 10))
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if err := j.Rotate(); !errors.Is(err, ErrClosed) {
		t.Errorf("Rotate after Close: %v", err)
	}
}
