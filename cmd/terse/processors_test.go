package main

import (
	"runtime"
	"testing"
)

// Whoever starts a server in this process has a loop and two of the runtime's processors for each
// processor, however often.
func TestLoopsAndProcessorsFitTogether(t *testing.T) {
	t.Parallel()
	start(t)
	start(t)
	if loops, procs := fastLoops(), runtime.GOMAXPROCS(0); procs != 2*loops+1 {
		t.Errorf("%d loops with %d processors", loops, procs)
	}
}
