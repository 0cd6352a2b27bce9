// Package journal keeps clicks in append-only, memory-mapped files until the store has counted
// them.
//
// Once Append returns, a click survives the death of the process, because the dirty pages of a
// mapping belong to the kernel. Once synced, at most Options.Sync and two syncs later, it survives
// the death of the machine. Clicks are read back in order with their positions. A store that saves
// the position together with its counts counts each click exactly once.
//
// A click is a record in a preallocated file. Append reserves space with one atomic addition,
// copies the record, and publishes it by storing its header. Each record has a checksum: recovery
// skips torn ones and finds every record after them. A record names its link by ID and code, so a
// code that is used again inherits no clicks.
//
// The directory names its database. With another one it does not open as long as it has clicks that
// are not counted. Once a UTC day is over and counted, new clicks go to another file, and the old
// one is deleted with the hashes of that day's visitors (Rotate).
//
// It knows clicks and files, and must not know stores, HTTP or settings. Only one process uses a
// directory at a time. The files are on a local file system of a Unix machine. They are written
// through memory, so a failing disk ends the process (SIGBUS). docs/format/journal.md describes the
// format byte by byte.
package journal

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"terse"
)

// ErrFull means that there is no room for another segment: the click is lost.
var ErrFull = errors.New("journal: no room for another segment")

// ErrClosed means that Append was called after Close.
var ErrClosed = errors.New("journal: closed")

// For retryFull after a segment could not be created, Append returns ErrFull without trying again,
// so that a full disk costs redirects nothing.
const retryFull = time.Second

// Options configure a Journal.
type Options struct {
	Dir string // created with mode 0700 if missing
	// The name of the database that counts the clicks. Open fails with ErrOtherDatabase if the
	// directory has clicks of another one. "": it is not checked.
	Database string
	// size of a file, 4096 to 1 GiB, rounded up to whole pages; 0: 16 MiB, 200,000 to 300,000
	// clicks
	SegmentBytes int64
	// a sync begins this long after a click, or when the previous sync ends; 0: only for Commit
	Sync   time.Duration
	Logger *slog.Logger
}

// Stats are figures for metrics and the readiness detail.
type Stats struct {
	Appended   int64 // clicks appended since Open
	Lost       int64 // clicks refused with ErrFull since Open
	Backlog    int64 // bytes that are not released, 0 if the store has everything
	Damaged    int64 // bytes that recovery skipped since Open
	SyncErrors int64 // failed syncs since Open
	Full       bool  // the last attempt to create a segment failed: clicks are or soon will be lost
}

// Journal is an open journal. Append and Stats may be called from many goroutines; Read,
// ResumeAt and Release from one at a time.
type Journal struct {
	id         string
	dir        string
	size       int64 // of a new segment
	interval   time.Duration
	log        *slog.Logger
	lock       *os.File // holds the directory's lock while it is open
	newSegment segmentMaker
	syncFile   func(*os.File) error // datasync; tests simulate a slow disk

	current atomic.Pointer[segment] // where Append writes
	waiting atomic.Bool             // the reader sleeps, or is about to
	dirty   atomic.Bool             // something was published since the last sync began
	// when to try again to create a segment (Unix nanoseconds), 0 if none is missing
	retryAt atomic.Int64

	wake      chan struct{} // to the reader
	dirtied   chan struct{} // to Run: the first click since a sync began
	wantSpare chan struct{} // to Run: the spare has been used

	rotating sync.Mutex // guards the change of current, and:
	spare    *segment   // created ahead, follows current
	closed   bool

	syncing    sync.Mutex // held during a sync; guards mappings against release, segment.file, and:
	unsynced   *segment   // the first segment that may hold unsynced records
	syncFailed bool       // the last sync failed, and the failure was logged

	grouping sync.Mutex // guards group
	group    *group     // the Commits that wait for the next sync

	// Owned by the reader: one goroutine at a time.
	oldest  *segment // the first segment that is not released
	reading *segment
	offset  int64  // in reading
	to      int64  // position that the last Read returned, initially the store's
	kept    int64  // position of the last Release, initially the store's
	passed  int64  // highest position that Read returned
	content []byte // of the recovered segment that is being read
	found   int64  // clicks read from it
	skipped int64  // damaged bytes in it
	gaps    int64  // places where some were skipped
	zeros   int64  // zero bytes just before offset in it
	inGap   bool   // other bytes before offset were skipped

	released atomic.Int64
	damaged  atomic.Int64
	syncErrs atomic.Int64
	lost     atomic.Int64

	_        [64]byte // every Append writes appended: it gets its own cache line
	appended atomic.Int64
	_        [56]byte
}

// Open recovers the directory. It calls position once, with the journal's ID, to learn where to
// continue reading: the position up to which the store has counted, 0 for an unknown journal.
// Segments wholly before it are deleted. A directory that names no database, or has no clicks, gets
// Options.Database. Open succeeds even without room for a segment: Append then
// fails with ErrFull until there is room.
func Open(opts Options, position func(id string) (int64, error)) (*Journal, error) {
	return openOn(opts, makeSegment, position)
}

// segmentMaker is makeSegment. Tests simulate a full or slow disk.
type segmentMaker func(dir string, base, size int64) (*segment, error)

func openOn(opts Options, newSegment segmentMaker,
	position func(string) (int64, error),
) (*Journal, error) {
	if opts.SegmentBytes == 0 {
		opts.SegmentBytes = defaultSegment
	}
	if opts.SegmentBytes < minSegment || opts.SegmentBytes > maxSegment || opts.Sync < 0 {
		return nil, fmt.Errorf(
			"journal: open %s: segments of %d bytes or a sync every %s are out of bounds", opts.Dir,
			opts.SegmentBytes, opts.Sync)
	}
	j := &Journal{
		dir:        opts.Dir,
		size:       (opts.SegmentBytes + minSegment - 1) &^ (minSegment - 1),
		interval:   opts.Sync,
		log:        opts.Logger,
		newSegment: newSegment,
		syncFile:   datasync,
		wake:       make(chan struct{}, 1),
		dirtied:    make(chan struct{}, 1),
		wantSpare:  make(chan struct{}, 1),
	}
	if err := j.open(opts.Database, position); err != nil {
		if j.lock != nil {
			err = errors.Join(err, j.lock.Close())
		}
		return nil, fmt.Errorf("journal: open %s: %w", opts.Dir, err)
	}
	return j, nil
}

// ID identifies the journal to the store. It is random, created once and kept in the directory.
func (j *Journal) ID() string { return j.id }

// Append appends a click. When it returns, the click survives the death of the process, and after
// Commit that of the machine. It fails with ErrFull if there is no room on disk, and with ErrClosed
// after Close.
func (j *Journal) Append(c *terse.Click) error {
	var room [usualPayload]byte
	payload := appendPayload(room[:0], c)
	bytes := recordBytes(len(payload))
	for {
		s := j.current.Load()
		off := s.tail.Add(bytes) - bytes
		if off+bytes <= s.size {
			s.put(off, payload)
			break
		}
		if off <= s.size { // true for exactly one: the first record that does not fit
			s.end.Store(off)
		}
		if err := j.rotate(s); err != nil {
			return err
		}
	}
	j.appended.Add(1)
	if j.waiting.Load() && j.waiting.CompareAndSwap(true, false) {
		notify(j.wake)
	}
	if j.interval > 0 && !j.dirty.Load() && j.dirty.CompareAndSwap(false, true) {
		notify(j.dirtied)
	}
	return nil
}

// notify sends without blocking: one pending signal is enough.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// rotate appends the spare after a full segment, unless another goroutine did.
func (j *Journal) rotate(full *segment) error {
	if t := j.retryAt.Load(); t != 0 && time.Now().UnixNano() < t {
		j.lost.Add(1)
		return ErrFull
	}
	j.rotating.Lock()
	defer j.rotating.Unlock()
	switch {
	case j.closed:
		return ErrClosed
	case j.current.Load() != full:
		return nil
	case !j.prepare():
		j.lost.Add(1)
		return ErrFull
	}
	j.useSpare(full)
	return nil
}

// useSpare appends the spare after a full segment. The caller holds rotating.
func (j *Journal) useSpare(full *segment) {
	full.next.Store(j.spare)
	j.current.Store(j.spare)
	j.spare = nil
	notify(j.wantSpare)
}

// Rotate starts a new segment, so that the current one is removed as soon as its clicks are
// released. It does nothing if the current segment has no clicks. If there is no room for another
// segment, it fails with ErrFull and changes nothing.
func (j *Journal) Rotate() error {
	j.rotating.Lock()
	defer j.rotating.Unlock()
	s := j.current.Load()
	switch {
	case j.closed:
		return ErrClosed
	case s.tail.Load() == headerBytes:
		return nil
	case !j.prepare():
		return ErrFull
	}
	if off := s.tail.Add(s.size) - s.size; off <= s.size { // like a record that does not fit
		s.end.Store(off)
	}
	j.useSpare(s)
	if j.waiting.CompareAndSwap(true, false) {
		notify(j.wake)
	}
	return nil
}

// prepare creates the spare if there is none, and reports whether there is one now. The caller
// holds rotating. It logs when failures begin and when they are over.
func (j *Journal) prepare() bool {
	if j.spare != nil {
		return true
	}
	current := j.current.Load()
	s, err := j.newSegment(j.dir, current.base+current.size, j.size)
	if err != nil {
		j.noRoom(err)
		return false
	}
	if j.retryAt.Swap(0) != 0 {
		j.log.Info("click journal: there is room again", "lost", j.lost.Load())
	}
	j.spare = s
	return true
}

// noRoom records that a segment could not be created.
func (j *Journal) noRoom(err error) {
	if j.retryAt.Swap(time.Now().Add(retryFull).UnixNano()) == 0 {
		j.log.Error("click journal: no room for another segment; "+
			"redirects go on, their clicks are lost once the current segment is full", "error", err)
	}
}

// Stats returns the journal's figures.
func (j *Journal) Stats() Stats {
	released := j.released.Load() // first, so that the end is not before it
	current := j.current.Load()
	return Stats{
		Appended:   j.appended.Load(),
		Lost:       j.lost.Load(),
		Backlog:    current.base + current.written() - released,
		Damaged:    j.damaged.Load(),
		SyncErrors: j.syncErrs.Load(),
		Full:       j.retryAt.Load() != 0,
	}
}

// Close syncs and closes the journal. Call it after the last Append, Read, ResumeAt, Release and
// Run have returned; a later Append fails with ErrClosed. The next Open finds all clicks that were
// not released.
func (j *Journal) Close() error {
	j.rotating.Lock()
	defer j.rotating.Unlock()
	if j.closed {
		return nil
	}
	j.closed = true
	errs := []error{j.sync()}
	j.syncing.Lock()
	defer j.syncing.Unlock()
	last := j.current.Load()
	j.current.Store(&segment{base: last.base + last.written()}) // without room
	for s := j.oldest; s != nil; s = s.next.Load() {
		errs = append(errs, s.release())
	}
	if j.spare != nil {
		errs = append(errs, j.spare.release(), os.Remove(j.spare.path))
	}
	j.unsynced = nil
	return errors.Join(append(errs, j.lock.Close())...)
}
