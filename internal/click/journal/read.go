package journal

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"terse"
)

// maxRead bounds the bytes that one Read decodes, and thus the memory of its values.
const maxRead = 32 << 20

// NewClicks returns memory for Read, with room for n clicks.
func NewClicks(n int) *terse.NumberedClicks { return terse.NewClicks(n, words[:]...) }

// Read waits until there is something to read. It appends the clicks between the positions from and
// to, in order, to dst, which must come from NewClicks: at most limit clicks or 32 MiB of journal.
// The next Read continues at to.
//
// There may be no clicks even if to is greater than from: damage was skipped, or a segment of an
// earlier process ended. The error is the context's, or reports an unreadable file; then the next
// Read tries again.
func (j *Journal) Read(ctx context.Context, dst *terse.NumberedClicks, limit int) (
	from, to int64, err error,
) {
	start, before := j.reading, len(dst.List)
	for {
		err = j.fill(dst, before+limit)
		if len(dst.List) > before || j.reading != start {
			from, j.to = j.to, j.reading.base+j.offset
			j.passed = max(j.passed, j.to)
			return from, j.to, nil // an error will occur again
		}
		if err == nil {
			err = j.wait(ctx)
		}
		if err != nil {
			return j.to, j.to, err
		}
	}
}

// wait returns when something was published. It may also return spuriously.
func (j *Journal) wait(ctx context.Context) error {
	j.waiting.Store(true)
	defer j.waiting.Store(false)
	if j.ready() { // published before waiting was set, so without a wake-up
		return nil
	}
	select {
	case <-j.wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ready reports whether there may be something after the reader's offset.
func (j *Journal) ready() bool {
	s := j.reading
	return s.next.Load() != nil || j.offset+wordBytes <= s.size &&
		atomic.LoadUint64(s.word(j.offset)) != 0
}

// fill appends what can be read now, until there are most clicks.
func (j *Journal) fill(clicks *terse.NumberedClicks, most int) error {
	var click terse.NumberedClick
	for budget := int64(maxRead); len(clicks.List) < most && budget > 0; {
		s := j.reading
		if j.atEnd(s) {
			next := s.next.Load()
			if next == nil {
				break
			}
			j.leave(s)
			j.reading, j.offset = next, headerBytes
			continue
		}
		if err := j.load(s); err != nil {
			return err
		}
		n, ok := s.record(j.offset, &click, clicks)
		switch {
		case ok:
			clicks.List = append(clicks.List, click)
			j.found++
			j.endGap()
		case s.live && n == 0: // not published yet
			return nil
		// only broken memory or disk can cause this; the next start searches for later records
		case s.live:
			return fmt.Errorf("journal: read %s: no valid record at %d", s.path, j.offset)
		case n == 0: // free, or a hole left by the process's death, followed by other records
			n = wordBytes
			j.zeros += n
		default:
			j.skipped, j.zeros, j.inGap = j.skipped+j.zeros+n, 0, true
		}
		j.offset += n
		budget -= n
	}
	return nil
}

// endGap notes that a click follows what was skipped.
func (j *Journal) endGap() {
	if j.inGap || j.zeros > 0 {
		j.gaps++
	}
	j.skipped, j.zeros, j.inGap = j.skipped+j.zeros, 0, false
}

// atEnd reports whether no record can follow in a segment.
func (j *Journal) atEnd(s *segment) bool {
	if s.live {
		end := s.end.Load()
		return end != 0 && j.offset >= end || j.offset >= s.size
	}
	return j.offset+wordBytes > s.size
}

// record reads the record at an offset, and reports whether it is a click. n is the distance to the
// next record, 0 if no header was published.
func (s *segment) record(off int64, c *terse.NumberedClick, clicks *terse.NumberedClicks) (
	n int64, ok bool,
) {
	h := atomic.LoadUint64(s.word(off))
	if h == 0 {
		return 0, false
	}
	payload, whole := payloadAt(s.salt, h, s.data[off:])
	if !whole {
		return wordBytes, false
	}
	return recordBytes(len(payload)), version(h) == recordVersion &&
		decode(payload, c, clicks) == nil
}

// load reads a recovered segment into memory, one segment at a time. So a bad disk causes an error
// here, not a signal.
func (j *Journal) load(s *segment) error {
	if s.data != nil {
		return nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return fmt.Errorf("journal: read: %w", err)
	}
	defer f.Close() // only read
	if int64(cap(j.content)) < s.size {
		j.content = make([]byte, s.size)
	}
	if _, err := io.ReadFull(f, j.content[:s.size]); err != nil {
		return fmt.Errorf("journal: read %s: %w", s.path, err)
	}
	s.data = j.content[:s.size]
	return nil
}

// leave finishes reading a segment.
func (j *Journal) leave(s *segment) {
	if s.live {
		return
	}
	s.data = nil
	if s.next.Load().live {
		j.content = nil
	}
	if j.inGap {
		j.gaps++
	}
	if j.skipped > 0 {
		j.damaged.Add(j.skipped)
		j.log.Warn("click journal: skipped what was damaged or not written to its end", "segment",
			s.path, "bytes", j.skipped, "clicks", j.found, "lost_at_least", j.gaps)
	}
	j.beginSegment()
}

// beginSegment forgets what was counted of the segment before.
func (j *Journal) beginSegment() {
	j.found, j.skipped, j.gaps, j.zeros, j.inGap = 0, 0, 0, 0, false
}

// ResumeAt sets the position of the next Read: one that Read returned, or the position at Open. Use
// it with the store's position after an AddClicks whose outcome is unknown.
//
// The store is behind the last Release only if it lost transactions: a replica took over, or a
// backup was restored. Clicks after the position are then uncounted, so everything that is still in
// the files is read again.
func (j *Journal) ResumeAt(to int64) error {
	if to < 0 || to > j.passed {
		return fmt.Errorf("journal: resume at %d: what was read ends at %d", to, j.passed)
	}
	if !j.reading.live {
		j.reading.data = nil
	}
	s := j.oldest
	for next := s.next.Load(); next != nil && to >= s.base+s.size; next = s.next.Load() {
		s = next
	}
	j.reading, j.offset, j.to = s, j.offsetIn(s, to), to
	j.beginSegment()
	if to < j.kept {
		j.log.Warn("click journal: the store is behind what it had counted; what is still there "+
			"is counted again", "counted_to", to, "before", j.kept, "begins_at", s.base)
		j.kept = to
		j.released.Store(s.base + j.offset)
	}
	return nil
}

// offsetIn returns the first offset in a segment where a record at or after a position can be.
func (j *Journal) offsetIn(s *segment, pos int64) int64 {
	return max(headerBytes, (pos-s.base+wordBytes-1)&^(wordBytes-1))
}

// Release declares that everything before a position is in the store. It deletes the segments
// wholly before it, and releases the pages before it. The position must be one that Read returned.
func (j *Journal) Release(to int64) {
	j.kept = to
	// initially it is after a header, where no record can be
	j.released.Store(max(j.released.Load(), to))
	for j.oldest != j.reading && j.oldest.base+j.oldest.size <= to {
		s := j.oldest
		j.oldest = s.next.Load()
		if err := j.drop(s); err != nil { // the next Open deletes it
			j.log.Warn("click journal: counted segment not deleted", "segment", s.path, "error",
				err)
		}
	}
	if s := j.oldest; s.live {
		j.letGo(s, max(0, to-s.base)&^(minSegment-1))
	}
}

// drop unmaps and deletes a segment. The reader has left it, so only the sync can still be using
// it.
func (j *Journal) drop(s *segment) error {
	j.syncing.Lock()
	if j.unsynced == s {
		j.unsynced = s.next.Load()
	}
	err := s.release()
	j.syncing.Unlock()
	if s.path == "" { // it never had a file
		return err
	}
	if rmErr := remove(s.path, s.size); rmErr != nil {
		return rmErr
	}
	return err
}

// remove deletes a file step by step: deleting a whole segment at once would occupy a core for
// milliseconds.
func remove(path string, size int64) error {
	const step = 2 << 20
	for size -= step; size > 0 && os.Truncate(path, size) == nil; {
		size -= step
	}
	return os.Remove(path)
}
