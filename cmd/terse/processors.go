package main

import (
	"runtime"
	"sync"
)

// fastLoops returns how many loops of the fast path serve redirects, one for each processor of the
// process, and gives the runtime enough processors (P) for them. Both numbers are decided only
// here, once in a process.
//
// Each loop keeps one P, and everything else shares as many, so the kernel decides between
// redirects and the rest: it divides time more finely than the runtime. One more P stays idle.
// While a P is idle, the runtime's monitor does not retake Ps from threads in system calls, and
// need not wake every 20 µs. The price is that the runtime does not notice when a container's CPU
// limit changes.
var fastLoops = sync.OnceValue(func() int {
	n := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(2*n + 1)
	return n
})

// questionsAtOnce returns how many questions about clicks are answered at a time: half the number
// of processors, so that redirects and counting keep the other half.
func questionsAtOnce() int { return max(1, fastLoops()/2) }
