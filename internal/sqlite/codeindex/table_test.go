package codeindex

import (
	"math/rand/v2"
	"sync"
	"testing"

	"terse"
	"terse/internal/longtest"
)

// A table has what was added, with the highest ID, and few others even when it is full. Very few
// codes share what the table keeps of them, and then have the higher ID of the two.
func TestTable(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	const asked, adders = 1_000_000, 4
	table := newTable(50_000)
	codes := map[terse.Code]terse.LinkID{}
	for full := false; !full; {
		code, id := terse.NewCode(), rand.N[terse.LinkID](1<<idBits-1)+1
		full = table.add(code, id)
		codes[code] = id
	}
	if len(codes) < 59_000 || table.add(terse.NewCode(), 1) {
		t.Errorf("full after %d codes, or twice", len(codes))
	}
	var wg sync.WaitGroup
	for i := range terse.LinkID(adders) {
		wg.Go(func() {
			for code, id := range codes {
				table.add(code, max(0, id-i)) // all but one are older
			}
		})
	}
	wg.Wait()
	shared := 0 // codes that the table takes for another one
	for code, want := range codes {
		id, found := table.find(code)
		if !found || id < want {
			t.Fatalf("%v: %d, %v instead of %d", code, id, found, want)
		}
		if id > want {
			shared++
		}
	}
	if shared > len(codes)/10_000 {
		t.Errorf("%d of %d codes have another's ID", shared, len(codes))
	}
	passed := 0
	for range asked {
		if _, found := table.find(terse.NewCode()); found {
			passed++
		}
	}
	if passed > asked/100_000 {
		t.Errorf("%d of %d other codes pass", passed, asked)
	}
}

// An ID that has no room in a table is not told, and a table that nothing more goes into denies
// nothing.
func TestTableBounds(t *testing.T) {
	t.Parallel()
	table := newTable(0)
	far := terse.NewCode()
	table.add(far, 1<<idBits)
	if id, found := table.find(far); !found || id != 0 {
		t.Errorf("ID beyond the bound: %d, %v", id, found)
	}
	for range len(table.slots) {
		table.add(terse.NewCode(), 1)
	}
	for range 1000 {
		if id, found := table.find(terse.NewCode()); !found || id != 0 {
			t.Fatalf("overfull: %d, %v", id, found)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	const links = 10_000_000
	table := newTable(links)
	codes := make([]terse.Code, links)
	for i := range codes {
		codes[i] = terse.NewCode()
		table.add(codes[i], terse.LinkID(i+1))
	}
	for name, known := range map[string]bool{"known": true, "unknown": false} {
		b.Run(name, func(b *testing.B) {
			some := make([]terse.Code, 1<<16)
			for i := range some {
				if some[i] = terse.NewCode(); known {
					some[i] = codes[rand.IntN(links)]
				}
			}
			n := 0
			for b.Loop() {
				table.find(some[n&(1<<16-1)])
				n++
			}
		})
	}
}
