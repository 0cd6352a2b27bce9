package visitors

import (
	"errors"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"terse"
)

// firsts counts the firsts of n visitors of a link, some of whom return.
func firsts(b *Bucket, rng *rand.Rand, offset uint8, n int) (sum int) {
	hashes := make([]uint64, 0, n)
	for range n {
		hashes = append(hashes, rng.Uint64())
		again := hashes[rng.IntN(len(hashes))]
		for _, hash := range []uint64{hashes[len(hashes)-1], again} {
			if b.First(offset, hash) {
				sum++
			}
		}
	}
	return sum
}

func TestExact(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 100, maxExact} {
		rng := rand.New(rand.NewPCG(uint64(n), 0))
		b := &Bucket{}
		for offset := range 256 {
			if got := firsts(b, rng, uint8(offset), n); got != n {
				t.Fatalf("%d firsts of %d visitors", got, n)
			}
		}
	}
}

// The standard error of a day is at most 0.5 %, over many days of each size.
func TestEstimate(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ visitors, days int }{
		{maxExact + 1, 100},
		{3000, 100},
		{10_000, 100},
		{50_000, 60},
		{100_000, 60},
		{300_000, 40},
		{1_000_000, 20},
	} {
		squares, sum := 0.0, 0.0
		for day := range size.days {
			rng := rand.New(rand.NewPCG(uint64(day), uint64(size.visitors)))
			off := float64(firsts(&Bucket{}, rng, 7, size.visitors))/float64(size.visitors) - 1
			squares, sum = squares+off*off, sum+off
		}
		deviation, mean := math.Sqrt(squares/float64(size.days)), sum/float64(size.days)
		t.Logf("%d visitors: standard error %.3f %%, mean %+.3f %%", size.visitors,
			100*deviation, 100*mean)
		if deviation > 0.005 {
			t.Errorf("%d visitors: standard error %.2f %%", size.visitors, 100*deviation)
		}
	}
}

// log keeps what a Bucket saves.
type log [][]byte

func (l *log) save(t *testing.T, b *Bucket) {
	t.Helper()
	err := b.Save(func(seq int, chunk []byte) error {
		if seq > len(*l) || len(chunk) > maxChunk {
			t.Fatalf("chunk %d of %d bytes, after %d", seq, len(chunk), len(*l))
		}
		*l = append((*l)[:seq], slices.Clone(chunk))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (l *log) load(t *testing.T, b *Bucket) *Bucket {
	t.Helper()
	for i, chunk := range (*l)[min(b.Seq(), len(*l)):] {
		if err := b.Load(b.Seq()+min(i, 1), chunk); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// Three nodes decide the same as one that never forgets: one reads what the others have saved, one
// all of it each time.
func TestLog(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	var l log
	alone, keeps := &Bucket{}, [2]*Bucket{{}, {}}
	for batch := range 200 {
		node := &Bucket{}
		if at := rng.IntN(3); at < 2 {
			node = keeps[at]
		}
		l.load(t, node)
		for range rng.IntN(2000) {
			// A link with very many visitors, one with some, and many with few.
			offset, hash := uint8(rng.IntN(256)), rng.Uint64N(1<<20)*0x9E3779B97F4A7C15
			switch rng.IntN(3) {
			case 0:
				offset, hash = 0, rng.Uint64()
			case 1:
				offset, hash = 1, rng.Uint64N(4000)*0x9E3779B97F4A7C15
			}
			want := alone.First(offset, hash)
			if got := node.First(offset, hash); got != want {
				t.Fatalf("batch %d: first of link %d is %t, want %t", batch, offset, got, want)
			}
		}
		l.save(t, node)
	}
	if alone.sketch(0) == nil || alone.sketch(1) == nil || alone.sketch(2) != nil {
		t.Error("sets are not as large as they should be")
	}
}

// TestGrowsUnnoticed: the visitor who turns a set into a sketch need not be in the log.
func TestGrowsUnnoticed(t *testing.T) {
	t.Parallel()
	b := &Bucket{}
	for n := range uint64(maxExact) {
		b.First(7, n<<48|1<<16) // of a high rank in each register
	}
	if b.First(7, 1<<47) || b.sketch(7) == nil { // of the lowest rank in the first register
		t.Fatal("the visitor was counted, or the set did not grow")
	}
	b.First(8, 1) // so that there is something to save
	var l log
	l.save(t, b)
	others := &Bucket{}
	for _, chunk := range l {
		if err := others.Copy(chunk, 8); err != nil {
			t.Fatal(err)
		}
	}
	for _, again := range []*Bucket{l.load(t, &Bucket{}), others} {
		if s := again.sketch(7); s == nil || *s != *b.sketch(7) {
			t.Error("another sketch was read")
		}
	}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	var l log
	b := &Bucket{}
	known := map[uint8][]uint64{}
	for offset, n := range map[uint8]int{0: 10, 1: 3000, 2: 3000, 3: 50} {
		for range n {
			hash := rng.Uint64()
			known[offset] = append(known[offset], hash)
			b.First(offset, hash)
		}
	}
	l.save(t, b)
	for _, gone := range []uint8{0, 1} {
		b = &Bucket{}
		for _, chunk := range l {
			if err := b.Copy(chunk, gone); err != nil {
				t.Fatal(err)
			}
		}
		l = nil
		l.save(t, b)
		b = l.load(t, &Bucket{})
	}
	for offset, hashes := range known {
		again := 0
		for _, hash := range hashes {
			if b.First(offset, hash) {
				again++
			}
		}
		// A sketch may owe some firsts.
		if want := len(hashes); offset < 2 && again < want*99/100 || offset >= 2 && again > 20 {
			t.Errorf("%d firsts of link %d, of %d visitors", again, offset, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	var l log
	b := &Bucket{}
	firsts(b, rand.New(rand.NewPCG(1, 1)), 5, 2500)
	l.save(t, b)
	last := l[len(l)-1]
	for n := range last {
		before := l[:len(l)-1]
		b := before.load(t, &Bucket{})
		whole := n > 1 && n%keyBytes == len(last)%keyBytes
		err := b.Load(b.Seq()+1, last[:n])
		if (err == nil) != whole && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	if err := new(Bucket).Load(0, last); !errors.Is(err, ErrDamaged) {
		t.Errorf("a chunk without those before it: %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte{1, 0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{1, 1, 5, 200, 1})
	f.Fuzz(func(t *testing.T, chunk []byte) {
		b := &Bucket{}
		if err := b.Load(0, chunk); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		if err := new(Bucket).Copy(chunk, 5); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		b.First(1, 2)
		if err := b.Save(func(int, []byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
	})
}

// A Cache is bounded, and has what it was given last.
func TestCache(t *testing.T) {
	t.Parallel()
	var c Cache
	rng := rand.New(rand.NewPCG(1, 1))
	kept := map[ID][]uint64{}
	for i := range int64(100) {
		b := &Bucket{}
		b.First(100, rng.Uint64())
		for offset := range 20 {
			for range maxExact + 1 {
				b.First(uint8(offset), rng.Uint64())
			}
		}
		id := ID{Day: terse.Day(i % 2), Bucket: i}
		c.Keep(id, b)
		kept[id] = b.exact.keys
		if c.Get(id) != b {
			t.Fatalf("bucket %d is not kept", i)
		}
		if c.Trim(); c.bytes > maxCache {
			t.Fatalf("bucket %d, %d bytes", i, c.bytes)
		}
	}
	c.WipeBut([]terse.Day{1})
	for id := range c.buckets {
		if id.Day == 0 {
			t.Error("a set of a day that is over")
		}
	}
	for id, keys := range kept {
		if has := slices.Max(keys) != 0; has != (c.Get(id) != nil) {
			t.Errorf("bucket %v: hashes in memory: %t", id, has)
		}
	}
	c.Clear()
	if c.bytes != 0 || c.Get(ID{1, 99}) != nil {
		t.Error("something is left")
	}
}

func TestHash(t *testing.T) {
	type visit struct {
		key         byte
		addr, agent string
		link        terse.LinkID
	}
	hash := func(v visit) uint64 {
		return Hash(terse.VisitorKey{v.key}, netip.MustParseAddr(v.addr), []byte(v.agent), v.link)
	}
	v := visit{1, "192.0.2.1", "Mozilla", 7}
	seen := map[uint64]visit{}
	for _, v := range []visit{
		v,
		{2, v.addr, v.agent, v.link},
		{1, "192.0.2.2", v.agent, v.link},
		{1, "c000:201::", v.agent, v.link},
		{1, "2001:db8::", v.agent, v.link},
		{1, "2001:db8:0:1::", v.agent, v.link},
		{1, v.addr, "Mozillb", v.link},
		{1, v.addr, "", v.link},
		{1, v.addr, v.agent, 8},
	} {
		if before, ok := seen[hash(v)]; ok || hash(v) == 0 {
			t.Errorf("%v and %v have one hash", v, before)
		}
		seen[hash(v)] = v
	}
	same := [][2]string{
		{"192.0.2.1", "::ffff:192.0.2.1"},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"},
	}
	for _, pair := range same {
		a, b := v, v
		a.addr, b.addr = pair[0], pair[1]
		if hash(a) != hash(b) {
			t.Errorf("%s and %s are two visitors", pair[0], pair[1])
		}
	}
	addr, agent := netip.MustParseAddr("2001:db8::1"), []byte("Mozilla/5.0")
	if n := testing.AllocsPerRun(100, func() {
		Hash(terse.VisitorKey{1}, addr, agent, v.link)
	}); n > 0 {
		t.Errorf("Hash allocates %v times", n)
	}
}

func BenchmarkHash(b *testing.B) {
	addr, agent := netip.MustParseAddr("2001:db8::1"), make([]byte, 120)
	b.ReportAllocs()
	for b.Loop() {
		Hash(terse.VisitorKey{1}, addr, agent, 1)
	}
}

func BenchmarkFirst(b *testing.B) {
	for name, visitors := range map[string]int{
		"exact": maxExact, "10000": 10_000, "1000000": 1_000_000,
	} {
		b.Run(name, func(b *testing.B) {
			hashes := make([]uint64, visitors)
			for i := range hashes {
				hashes[i] = rand.Uint64()
			}
			bucket := &Bucket{}
			for b.Loop() {
				bucket.First(1, hashes[rand.N(len(hashes))])
			}
		})
	}
}
