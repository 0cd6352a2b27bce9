package ring

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

func newKey() Key { return Key{rand.Uint64(), rand.Uint64()} }

func version(c *Cache) *Version {
	v := c.Version()
	return &v
}

// TestRingCacheAgainstAMap does random things to a cache that is too small for them. What it
// has must be what was put last; what was put last must be there unless newer records had
// to take its room.
func TestRingCacheAgainstAMap(t *testing.T) {
	t.Parallel()
	const budget = 64 * 4096
	ring := New(budget)
	keys := make([]Key, 5000)
	for i := range keys {
		keys[i] = newKey()
	}
	model := map[Key][]byte{}
	fresh := map[Key]bool{}
	kept := 0
	for n := range 200_000 {
		key := keys[rand.IntN(len(keys))]
		if n%50_000 == 49_999 {
			ring.Invalidate()
			clear(fresh)
		}
		switch rand.IntN(4) {
		case 0:
			to := append(fmt.Append(nil, n), make([]byte, rand.IntN(200))...)
			ring.Put(key, to, version(ring))
			model[key], fresh[key] = to, true
			if got, _, ok := ring.Get(nil, key); !ok || !bytes.Equal(got, to) {
				t.Fatal("what was just put is not there")
			}
		case 1:
			ring.Drop(key)
			delete(model, key)
		default:
			got, stale, ok := ring.Get(make([]byte, 0, 100), key)
			want, exists := model[key]
			if ok && (!exists || !bytes.Equal(got, want)) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if ok && stale == fresh[key] {
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
	var keys []Key
	for n := range 100_000 {
		keys = append(keys, newKey())
		ring.Put(keys[n], fmt.Append(nil, n), version(ring))
	}
	for n, key := range keys[len(keys)-5000:] {
		got, _, ok := ring.Get(nil, key)
		if !ok || string(got) != fmt.Sprint(len(keys)-5000+n) {
			t.Fatalf("one of the newest is gone: %v %v", got, ok)
		}
	}
}

func TestTableLeavesOutWhatIsTooLong(t *testing.T) {
	t.Parallel()
	ring, key := New(1<<20), newKey()
	ring.Put(key, []byte("old"), version(ring))
	ring.Put(key, make([]byte, 1<<20), version(ring))
	if _, _, ok := ring.Get(nil, key); ok {
		t.Error("an old target is answered")
	}
}

// TestTableRefusesWhatAChangeOvertook puts answers that the store gave before a change.
func TestTableRefusesWhatAChangeOvertook(t *testing.T) {
	t.Parallel()
	ring, key := New(1<<20), newKey()
	for name, change := range map[string]func(){
		"drop": func() { ring.Drop(key) }, "invalidate": ring.Invalidate,
	} {
		before := ring.Version()
		change()
		ring.Put(key, nil, &before)
		if got, _, ok := ring.Get(nil, key); ok {
			t.Errorf("%s: %v is answered", name, got)
		}
	}
}

func TestTableInParallel(t *testing.T) {
	t.Parallel()
	ring := New(1 << 20)
	keys := make([]Key, 1000)
	for i := range keys {
		keys[i] = newKey()
	}
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for range 20_000 {
				i := rand.IntN(len(keys))
				switch rand.IntN(8) {
				case 0:
					location := fmt.Appendf(nil, "https://example.com/%d", i)
					ring.Put(keys[i], location, version(ring))
				case 1:
					ring.Drop(keys[i])
				default:
					got, _, ok := ring.Get(nil, keys[i])
					if ok && string(got) != fmt.Sprintf("https://example.com/%d", i) {
						t.Errorf("key %d leads to %v", i, got)
						return
					}
				}
			}
		})
	}
	running.Wait()
}

// BenchmarkTable looks up random keys out of 100,000.
func BenchmarkTable(b *testing.B) {
	ring := New(256 << 20)
	keys := make([]Key, 100_000)
	for i := range keys {
		keys[i] = newKey()
		location := []byte("https://example.com/some/longer/path/100000?utm_source=x")
		ring.Put(keys[i], location, version(ring))
	}
	scratch := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := ring.Get(scratch, keys[rand.IntN(len(keys))]); !ok {
			b.Fatal("gone")
		}
	}
}
