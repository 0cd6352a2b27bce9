package main

import (
	"runtime"
	"sync"
)

// fastLoops returns how many loops of the fast path serve redirects, one for each processor that
// the process has, and gives the runtime processors (P) enough for them. All that is decided of the
// two is decided here, once in a process.
//
// Each loop keeps one P, and all the rest has as many: so the kernel, which shares out time in
// finer pieces than the runtime, decides between redirects and everything else. One spare P stays
// idle. While a P is idle, the runtime's monitor does not retake Ps from threads in system calls,
// and need not wake every 20 µs. The price is that the runtime does not follow a container's CPU
// limit when it changes.
var fastLoops = sync.OnceValue(func() int {
	n := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(2*n + 1)
	return n
})

// questionsAtOnce returns how many questions about clicks are answered at a time: by half of the
// processors, so that redirects, and the counting of clicks, keep the other half.
func questionsAtOnce() int { return max(1, fastLoops()/2) }
