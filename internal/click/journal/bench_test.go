package journal

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"terse"
)

// drain reads and releases in the background, as the ingest does, until the benchmark ends.
func drain(b *testing.B, j *Journal) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		dst := NewClicks(0)
		for {
			dst.Reset()
			_, to, err := j.Read(ctx, dst, 1<<18)
			if err != nil {
				return
			}
			j.Release(to)
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	b.Cleanup(func() { cancel(); <-done })
}

// BenchmarkAppend appends without a break, with sync and reader beside it: it is bound by
// the disk, which gets hundreds of megabytes a second, not by what one Append costs.
func BenchmarkAppend(b *testing.B) {
	j := open(b, Options{Sync: 100 * time.Millisecond}, 0)
	run(b, j)
	drain(b, j)
	c := click(b, 10)
	b.ReportAllocs()
	for b.Loop() {
		if err := j.Append(&c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendCost appends without syncing or reading: what a redirect pays.
func BenchmarkAppendCost(b *testing.B) {
	j := open(b, Options{SegmentBytes: 1 << 30, Sync: time.Hour}, 0)
	c := click(b, 10)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if err := j.Append(&c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendPerson appends what is known of a person's click, to the same place each time: the
// disk and the kernel have no part in it.
func BenchmarkAppendPerson(b *testing.B) {
	j := open(b, Options{Sync: time.Hour}, 0)
	c := click(b, 10)
	c.Visitor = 1 << 60
	for d, value := range map[terse.Dimension]string{
		terse.ByBrowser: "Chrome", terse.ByOS: "Windows", terse.ByDevice: "desktop",
		terse.ByLanguage: "de", terse.ByVisitor: "person",
	} {
		c.Values[d] = value
	}
	s := j.current.Load()
	start := s.tail.Load()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		s.tail.Store(start)
		if err := j.Append(&c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendParallel(b *testing.B) {
	j := open(b, Options{Sync: 100 * time.Millisecond}, 0)
	run(b, j)
	drain(b, j)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c := click(b, 10)
		for pb.Next() {
			if err := j.Append(&c); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkCommit64 is 64 callers that each wait until their click is on disk.
func BenchmarkCommit64(b *testing.B) {
	j := open(b, Options{}, 0)
	run(b, j)
	drain(b, j)
	todo := make(chan struct{}, 1024)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			c := click(b, 10)
			for range todo {
				if err := errors.Join(j.Append(&c), j.Commit()); err != nil {
					b.Error(err)
				}
			}
		})
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		todo <- struct{}{}
	}
	close(todo)
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "clicks/s")
}

// BenchmarkRead reads batches of 10,000 clicks; one operation is one click.
func BenchmarkRead(b *testing.B) {
	const batch = 10_000
	j := open(b, Options{SegmentBytes: 64 << 20, Sync: time.Hour}, 0)
	appendAll(b, j, 0, batch)
	dst := NewClicks(batch)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += batch {
		j.offset = headerBytes
		dst.Reset()
		if _, _, err := j.Read(b.Context(), dst, batch); err != nil || len(dst.List) != batch {
			b.Fatal(len(dst.List), err)
		}
	}
}
