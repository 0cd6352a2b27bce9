package fastpath

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// job is requests of a connection that have to wait, with the answers that precede theirs. The
// limiter has admitted the first one.
type job struct {
	c   *conn
	in  []byte
	out []byte
	o   outcome
}

// held is answers that are sent when their clicks are on disk.
type held struct {
	c        *conn
	from, to int // in loop.answers
	rest     []byte
	o        outcome
}

// sendHeld commits clicks, and sends the answers that waited for that. Nothing else could be
// answered meanwhile.
func (l *loop) sendHeld() {
	for len(l.held) > 0 {
		l.s.opts.Host.Commit()
		held, answers := l.held, l.answers
		l.held, l.answers = nil, nil
		for i := range held {
			h := &held[i]
			h.c.held = false
			if l.finish(h.c, answers[h.from:h.to], h.rest, h.o) {
				l.receive(h.c, true) // what came meanwhile
			}
		}
		if len(l.held) == 0 {
			clear(held)
			l.held = held[:0]
			if cap(answers) <= keptHeld {
				l.answers = answers[:0]
			}
		}
	}
}

// diskRead reports whether the process has read from a disk since the last call. If not, a long
// wait most likely means that the kernel ran others on the core.
func (l *loop) diskRead() bool {
	before := l.usage.Inblock
	err := unix.Getrusage(unix.RUSAGE_SELF, &l.usage)
	return err != nil || l.usage.Inblock != before
}

// slowBudget is the time that the loop has lost to look-ups that waited for a disk, less a
// twentieth of the time since, which it may lose. Beyond maxSlow, goroutines do the look-ups.
type slowBudget struct {
	time  time.Duration
	since time.Time
}

// maxSlow is how long a loop may be held up before it lets goroutines wait.
const maxSlow = 200 * time.Millisecond

func (b *slowBudget) at(now time.Time) time.Duration { return max(0, b.time-now.Sub(b.since)/20) }

func (b *slowBudget) add(now time.Time, took time.Duration) {
	b.time, b.since = b.at(now)+took, now
}

// giveJobs hands requests that have to wait to goroutines.
func (l *loop) giveJobs() {
	if len(l.jobs)+len(l.apart) == 0 {
		return
	}
	atOnce := jobsAtOnce
	if l.s.opts.RemoteLinks {
		atOnce = 1 // so that all are asked for together
	}
	l.jobs = l.start(l.jobs, atOnce)
	l.apart = l.start(l.apart, 1)
	// Let them begin; otherwise a thread that runs keeps its core for milliseconds.
	_, _, _ = unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
}

// start starts a goroutine for each atOnce jobs, and returns the emptied list.
func (l *loop) start(all []job, atOnce int) []job {
	for part := range slices.Chunk(all, atOnce) {
		jobs := slices.Clone(part)
		l.s.running.Go(func() { l.work(jobs) })
	}
	clear(all)
	return all[:0]
}

// work answers requests one after another, commits their clicks together, and sends the answers.
func (l *loop) work(jobs []job) {
	r := &responder{s: l.s, now: time.Now()}
	for i := range jobs {
		j := &jobs[i]
		j.in, j.o = r.serve(j.c, j.in, 0, true)
		j.out = append(j.out, r.out...)
		j.c.used = r.now
	}
	l.s.opts.Host.Commit()
	for i := range jobs {
		j := &jobs[i]
		if l.finish(j.c, j.out, j.in, j.o) {
			l.giveBack(j.c)
		}
	}
}

// giveBack returns a connection to its loop. The kernel does not report again what arrived
// meanwhile.
func (l *loop) giveBack(c *conn) {
	if !c.owner.CompareAndSwap(ownedByJob, ownedByLoop) {
		c.owner.Store(ownedByLoop)
		l.later(c)
	} else if l.s.stopping.Load() {
		l.awake()
	}
}

// later makes the loop read from a connection after the others.
func (l *loop) later(c *conn) {
	l.mu.Lock()
	l.back = append(l.back, c)
	l.mu.Unlock()
	l.awake()
}
