package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryInterval is how often memory use is checked.
	memoryInterval = 10 * time.Second
	// memorySlack is how much memory use may grow after a release before the next.
	memorySlack = 16 << 20
	// collectPercent is GOGC: how much may be allocated between garbage collections, in percent of
	// the memory in use. With Go's default of 100, a server with 1,000,000 links takes 10 MiB more
	// and saves no CPU.
	collectPercent = 75
)

// memory returns memory to the system after a burst of requests. The runtime does so only after
// garbage collections, and an idle process has one every two minutes.
type memory struct {
	cycles uint64 // garbage collections so far
	least  uint64 // smallest memory use since the last release, in bytes
}

func (n *node) openMemory(context.Context) (work, error) {
	return work{run: (&memory{}).run}, nil
}

// run checks memory use until ctx ends. A GOGC set by the operator stays.
func (m *memory) run(ctx context.Context) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
	tick := time.NewTicker(memoryInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			m.look()
		}
	}
}

// look releases memory if use has grown by more than memorySlack and no garbage collection ran
// since the last look. A busy server collects all the time and is left to the runtime.
func (m *memory) look() {
	cycles, held := heldMemory()
	busy := cycles != m.cycles
	m.cycles, m.least = cycles, min(m.least, held)
	if busy || held <= m.least+memorySlack {
		return
	}
	runtime.GC() // the contents of pools survive one collection
	debug.FreeOSMemory()
	m.cycles, m.least = heldMemory()
}

// heldMemory returns the number of garbage collections so far, and the memory that the runtime
// holds from the system in bytes.
func heldMemory() (cycles, held uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64() - samples[2].Value.Uint64()
}
