package redirect

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
	ring := newRingCache(budget)
	codes := make([]terse.Code, 5000)
	for i := range codes {
		codes[i] = terse.NewCode()
	}
	model := map[terse.Code]entry{}
	fresh := map[terse.Code]bool{}
	kept := 0
	for n := range 200_000 {
		code := codes[rand.IntN(len(codes))]
		if n%50_000 == 49_999 {
			ring.invalidate()
			clear(fresh)
		}
		switch rand.IntN(4) {
		case 0:
			to := entry{number: uint64(n + 1), bytes: bytes.Repeat([]byte{byte(n)},
				rand.IntN(200))}
			ring.put(code, to, ring.version(code))
			model[code], fresh[code] = to, true
			if got, ok := ring.get(code, nil); !ok || got.number != to.number {
				t.Fatal("what was just put is not there")
			}
		case 1:
			ring.drop(code)
			delete(model, code)
		default:
			got, ok := ring.get(code, make([]byte, 0, 100))
			want, exists := model[code]
			if ok && (!exists || got.number != want.number || !bytes.Equal(got.bytes, want.bytes)) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if ok && got.stale == fresh[code] {
				t.Fatalf("stale is %t", got.stale)
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
	ring := newRingCache(MinCacheBytes)
	var codes []terse.Code
	for n := range 100_000 {
		codes = append(codes, terse.NewCode())
		to := entry{number: uint64(n + 1), bytes: []byte("https://example.com/")}
		ring.put(codes[n], to, ring.version(codes[n]))
	}
	for n, code := range codes[len(codes)-5000:] {
		if got, ok := ring.get(code, nil); !ok || got.number != uint64(len(codes)-5000+n+1) {
			t.Fatalf("one of the newest is gone: %v %v", got, ok)
		}
	}
}

func TestTableLeavesOutWhatIsTooLong(t *testing.T) {
	t.Parallel()
	ring, code := newRingCache(MinCacheBytes), terse.NewCode()
	ring.put(code, entry{number: 1, bytes: []byte("old")}, ring.version(code))
	ring.put(code, entry{number: 1, bytes: make([]byte, MinCacheBytes)}, ring.version(code))
	if _, ok := ring.get(code, nil); ok {
		t.Error("an old entry is answered")
	}
}

// TestTableRefusesWhatAChangeOvertook puts answers that the store gave before a change.
func TestTableRefusesWhatAChangeOvertook(t *testing.T) {
	t.Parallel()
	ring, code := newRingCache(MinCacheBytes), terse.NewCode()
	for name, change := range map[string]func(){
		"drop": func() { ring.drop(code) }, "invalidate": ring.invalidate,
	} {
		before := ring.version(code)
		change()
		ring.put(code, entry{number: 1}, before)
		if got, ok := ring.get(code, nil); ok {
			t.Errorf("%s: %v is answered", name, got)
		}
	}
}

func TestTableInParallel(t *testing.T) {
	t.Parallel()
	ring := newRingCache(MinCacheBytes)
	codes := make([]terse.Code, 1000)
	for i := range codes {
		codes[i] = terse.NewCode()
	}
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for range 20_000 {
				i := rand.IntN(len(codes))
				switch rand.IntN(8) {
				case 0:
					location := fmt.Appendf(nil, "https://example.com/%d", i)
					to := entry{number: uint64(i + 1), bytes: location}
					ring.put(codes[i], to, ring.version(codes[i]))
				case 1:
					ring.drop(codes[i])
				default:
					if got, ok := ring.get(codes[i], nil); ok &&
						(got.number != uint64(i+1) ||
							string(got.bytes) != fmt.Sprintf("https://example.com/%d", i)) {
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
	ring := newRingCache(256 << 20)
	codes := make([]terse.Code, 100_000)
	for i := range codes {
		codes[i] = terse.NewCode()
		location := []byte("https://example.com/some/longer/path/100000?utm_source=x")
		ring.put(codes[i], entry{number: 1, bytes: location}, ring.version(codes[i]))
	}
	scratch := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := ring.get(codes[rand.IntN(len(codes))], scratch); !ok {
			b.Fatal("gone")
		}
	}
}
