package journal

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Run syncs, and creates the next segment ahead of time, until ctx ends. It returns nil. Without
// Run, segments are created when they are needed, and only Close and Commit sync.
func (j *Journal) Run(ctx context.Context) error {
	var segments sync.WaitGroup
	segments.Go(func() { j.createAhead(ctx) }) // in its own goroutine: it waits for the disk, too
	j.syncOnTime(ctx)
	segments.Wait()
	return nil
}

// syncOnTime begins each sync Options.Sync after the oldest unsynced click, or when the previous
// sync ends if that is later. So a click is on disk after Options.Sync and the duration of one
// sync, or after the duration of two.
func (j *Journal) syncOnTime(ctx context.Context) {
	var due <-chan time.Time
	over, busy := make(chan bool, 1), false // over: a sync has ended, and whether it succeeded
	for {
		begin := due
		if busy {
			begin = nil
		}
		select {
		case <-ctx.Done():
			if busy {
				<-over
			}
			return
		case <-j.dirtied:
			due = time.After(j.interval)
		case <-begin:
			due, busy = nil, true
			// in its own goroutine, so that the clock can start for new clicks
			go func() { over <- j.sync() == nil }()
		case synced := <-over:
			if busy = false; !synced { // already logged and counted
				due = time.After(max(j.interval, retryFull))
			}
		}
	}
}

// createAhead creates a new spare each time the last one was used.
func (j *Journal) createAhead(ctx context.Context) {
	var retry <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.wantSpare:
		case <-retry:
		}
		retry = j.prepareAhead()
	}
}

// prepareAhead creates the spare. If that fails, it returns a timer for the next try.
func (j *Journal) prepareAhead() <-chan time.Time {
	j.rotating.Lock()
	defer j.rotating.Unlock()
	if j.closed || j.prepare() {
		return nil
	}
	return time.After(retryFull)
}

// group is the calls of Commit that wait for the same sync.
type group struct {
	done chan struct{}
	err  error // set before done is closed
}

// Commit returns when a sync that began after the call has ended: every click appended before the
// call then survives the death of the machine. If it fails, the clicks still count unless the
// machine dies. The call that opens a group leads it: it waits for the sync under way, closes the
// group, and syncs for all.
func (j *Journal) Commit() error {
	j.grouping.Lock()
	g, leads := j.group, false
	if g == nil {
		g, leads = &group{done: make(chan struct{})}, true
		j.group = g
	}
	j.grouping.Unlock()
	if !leads {
		<-g.done
		return g.err
	}
	j.syncing.Lock()
	defer j.syncing.Unlock()
	runtime.Gosched() // callers released by the last sync may come back and join
	j.grouping.Lock()
	j.group = nil
	j.grouping.Unlock()
	g.err = j.syncAll()
	close(g.done)
	return g.err
}

// sync waits until everything published so far is on disk.
func (j *Journal) sync() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	return j.syncAll()
}

// syncAll is sync for a caller that holds syncing. It logs when failures begin and when they are
// over.
func (j *Journal) syncAll() error {
	j.dirty.Store(false) // before the sync: anything published from now on needs another one
	for s := j.unsynced; s != nil; {
		next := s.next.Load()
		done := next != nil && s.complete() // before the sync, which then covers every record
		if err := j.syncSegment(s); err != nil {
			return j.syncFailure(fmt.Errorf("journal: sync %s: %w", s.path, err))
		}
		if done && s == j.unsynced {
			j.unsynced = next
			j.forget(s)
		}
		s = next
	}
	if j.syncFailed {
		j.syncFailed = false
		j.log.Info("click journal: syncing works again")
	}
	return nil
}

func (j *Journal) syncSegment(s *segment) error {
	if s.file == nil { // see fullSegment
		return nil
	}
	return j.syncFile(s.file)
}

func (j *Journal) syncFailure(err error) error {
	j.dirty.Store(true)
	j.syncErrs.Add(1)
	if !j.syncFailed {
		j.syncFailed = true
		j.log.Error("click journal: the machine's death would lose clicks", "error", err)
	}
	return err
}

// forget releases the file descriptor and the pages of a segment that is full and on disk. So a
// long backlog does not make a large process.
func (j *Journal) forget(s *segment) {
	if !s.live {
		return
	}
	if err := s.closeFile(); err != nil {
		j.log.Warn("click journal: segment not closed", "segment", s.path, "error", err)
	}
	j.letGo(s, s.size)
}

// letGo releases the memory of the first n bytes of a live segment, which are whole pages
// (MADV_DONTNEED). They stay in the kernel's page cache, and are mapped again when they are read.
func (j *Journal) letGo(s *segment, n int64) {
	if n == 0 {
		return
	}
	if err := unix.Madvise(s.data[:n], unix.MADV_DONTNEED); err != nil {
		j.log.Warn("click journal: memory not let go", "segment", s.path, "error", err)
	}
}
