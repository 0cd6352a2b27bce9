package ring

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"terse"
)

// TestRingCacheAgainstAMap does random things to a cache that is too small for them. What it
// has must be what was put last; what was put last must be there unless newer records had
// to take its room.
func TestRingCacheAgainstAMap(t *testing.T) {
	t.Parallel()
	const budget = 64 * 4096
	ring := New(budget)
	codes := make([]terse.Code, 5000)
	for i := range codes {
		codes[i] = terse.NewCode(false)
	}
	model := map[terse.Code][]byte{}
	fresh := map[terse.Code]bool{}
	kept := 0
	for n := range 200_000 {
		code := codes[rand.IntN(len(codes))]
		if n%50_000 == 49_999 {
			ring.Invalidate()
			clear(fresh)
		}
		switch rand.IntN(4) {
		case 0:
			to := append(fmt.Append(nil, n), make([]byte, rand.IntN(200))...)
			ring.Put(code, to, ring.Version(code))
			model[code], fresh[code] = to, true
			if got, _, ok := ring.Get(nil, code); !ok || !bytes.Equal(got, to) {
				t.Fatal("what was just put is not there")
			}
		case 1:
			ring.Drop(code)
			delete(model, code)
		default:
			got, stale, ok := ring.Get(make([]byte, 0, 100), code)
			want, exists := model[code]
			if ok && (!exists || !bytes.Equal(got, want)) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if ok && stale == fresh[code] {
				t.Fatalf("stale is %t", stale)
			}
			if ok {
				kept++
			}
		}
	}
	if kept < 10_000 {
		t.Errorf("only %d hits", kept)
	}
	for i := range ring.shards {
		s := &ring.shards[i]
		used := 0
		for _, slot := range s.slots {
			if slot != 0 {
				used++
			}
		}
		if used != s.used || s.head > s.size || s.end > s.size {
			t.Errorf("shard %d: %d slots used of %d counted, head %d, end %d of %d", i, used,
				s.used, s.head, s.end, s.size)
		}
	}
}

func TestTableKeepsTheNewest(t *testing.T) {
	t.Parallel()
	ring := New(1 << 20)
	var codes []terse.Code
	for n := range 100_000 {
		codes = append(codes, terse.NewCode(false))
		ring.Put(codes[n], fmt.Append(nil, n), ring.Version(codes[n]))
	}
	for n, code := range codes[len(codes)-5000:] {
		got, _, ok := ring.Get(nil, code)
		if !ok || string(got) != fmt.Sprint(len(codes)-5000+n) {
			t.Fatalf("one of the newest is gone: %v %v", got, ok)
		}
	}
}

func TestTableLeavesOutWhatIsTooLong(t *testing.T) {
	t.Parallel()
	ring, code := New(1<<20), terse.NewCode(false)
	ring.Put(code, []byte("old"), ring.Version(code))
	ring.Put(code, make([]byte, 1<<20), ring.Version(code))
	if _, _, ok := ring.Get(nil, code); ok {
		t.Error("an old target is answered")
	}
}

// TestTableRefusesWhatAChangeOvertook puts answers that the store gave before a change.
func TestTableRefusesWhatAChangeOvertook(t *testing.T) {
	t.Parallel()
	ring, code := New(1<<20), terse.NewCode(false)
	for name, change := range map[string]func(){
		"drop": func() { ring.Drop(code) }, "invalidate": ring.Invalidate,
	} {
		before := ring.Version(code)
		change()
		ring.Put(code, nil, before)
		if got, _, ok := ring.Get(nil, code); ok {
			t.Errorf("%s: %v is answered", name, got)
		}
	}
}

func TestTableInParallel(t *testing.T) {
	t.Parallel()
	ring := New(1 << 20)
	codes := make([]terse.Code, 1000)
	for i := range codes {
		codes[i] = terse.NewCode(false)
	}
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for range 20_000 {
				i := rand.IntN(len(codes))
				switch rand.IntN(8) {
				case 0:
					location := fmt.Appendf(nil, "https://example.com/%d", i)
					ring.Put(codes[i], location, ring.Version(codes[i]))
				case 1:
					ring.Drop(codes[i])
				default:
					got, _, ok := ring.Get(nil, codes[i])
					if ok && string(got) != fmt.Sprintf("https://example.com/%d", i) {
						t.Errorf("code %d leads to %v", i, got)
						return
					}
				}
			}
		})
	}
	running.Wait()
}

// BenchmarkTable looks up random codes out of 100,000.
func BenchmarkTable(b *testing.B) {
	ring := New(256 << 20)
	codes := make([]terse.Code, 100_000)
	for i := range codes {
		codes[i] = terse.NewCode(false)
		location := []byte("https://example.com/some/longer/path/100000?utm_source=x")
		ring.Put(codes[i], location, ring.Version(codes[i]))
	}
	scratch := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := ring.Get(scratch, codes[rand.IntN(len(codes))]); !ok {
			b.Fatal("gone")
		}
	}
}
