package main

import "testing"

// TestMemoryIsGivenBackAfterABurst is not parallel: memory is the process'.
func TestMemoryIsGivenBackAfterABurst(t *testing.T) {
	var m memory
	m.look()
	m.look() // nothing is collected in between, so that this releases
	_, before := heldMemory()
	burst := make([][]byte, 100)
	for i := range burst {
		burst[i] = make([]byte, 1<<20)
		burst[i][0] = 1
	}
	if _, held := heldMemory(); held < before+90<<20 { // some fits into what was free
		t.Fatalf("%d MiB before a burst of 100, %d after it", before>>20, held>>20)
	}
	clear(burst)
	for range 3 { // others may make the runtime collect
		m.look()
	}
	if _, held := heldMemory(); held > before+memorySlack {
		t.Errorf("%d MiB before a burst, %d after it", before>>20, held>>20)
	}
}
