package journal

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"terse/internal/durable"
)

const (
	segmentMagic   = "tersejnl"
	earlierMagic   = "terseclk" // of versions before the first release
	segmentVersion = 1
	headerBytes    = 64
	headerSummed   = 8 + 4 + 4 + 8 // bytes of the header that the checksum after them covers
	suffix         = ".clicks"

	defaultSegment = 16 << 20
	minSegment     = 4096    // a page; holds the longest record
	maxSegment     = 1 << 30 // bounds what recovery reads into memory
)

// These errors stop Open: the clicks are intact, but this program can't read them.
var (
	errNewFormat = errors.New(
		"written by another version of this program, in a format that this one does not know")
	errEarlier = errors.New("written by a version before the first release, in a format that " +
		"this one can't read: move the journal's folder away to start with a new one")
)

// These errors mean that a segment is damaged, or none.
var (
	errDamagedHead = errors.New("no valid header")
	errOtherBase   = errors.New("the name and the header differ on where it begins")
)

// segment is one file of the journal: the positions from base to base+size. Offsets are relative to
// base.
//
// A live segment was created by this process and is mapped into memory. Appenders reserve a range
// by adding to tail, fill it, publish it by an atomic store of its header word, and never touch it
// again. The reader passes only published ranges, and the segment is unmapped only when the reader
// has passed all of it, up to end, and will not return. After that nothing touches the mapping: an
// appender that still holds the pointer finds tail, which is in Go's memory, beyond size. The sync
// also reads the mapping; the lock Journal.syncing keeps it from being unmapped meanwhile.
type segment struct {
	base int64
	size int64
	salt uint32
	live bool
	path string
	// live: the mapping; recovered: the content while the reader is in it
	data []byte
	next atomic.Pointer[segment] // the segment after it
	// offset after the last record, 0 while more may follow
	end atomic.Int64

	file    *os.File // live: to sync; nil once all is on disk. Guarded by Journal.syncing.
	checked int64    // how far complete has checked. Guarded by Journal.syncing.

	_    [64]byte     // every Append writes tail: it gets its own cache line
	tail atomic.Int64 // offset of the next free byte; beyond size when the segment is full
	_    [56]byte
}

// makeSegment creates a live segment in a directory. It is on disk when makeSegment returns.
func makeSegment(dir string, base, size int64) (_ *segment, err error) {
	s := &segment{base: base, size: size, live: true, checked: headerBytes}
	s.path = filepath.Join(dir, fmt.Sprintf("%016x", base)+suffix)
	defer func() {
		if err != nil {
			err = fmt.Errorf("journal: make segment %s: %w", s.path, err)
		}
	}()
	// A segment gets its final name only when it has a header.
	tmp := s.path + ".tmp"
	s.file, err = os.OpenFile(tmp, os.O_RDWR|unix.O_NOFOLLOW|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.file.Close(), os.Remove(tmp))
		}
	}()
	if err := s.fill(); err != nil {
		return nil, err
	}
	s.data, err = unix.Mmap(int(s.file.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(tmp, s.path); err != nil {
		return nil, errors.Join(err, unix.Munmap(s.data))
	}
	tmp = s.path
	if err := durable.SyncDir(dir); err != nil {
		return nil, errors.Join(err, unix.Munmap(s.data))
	}
	s.tail.Store(headerBytes)
	return s, nil
}

// fullSegment returns a segment without a file, for a full disk. It has no room: the first Append
// asks for the next segment.
func fullSegment(base int64) *segment {
	s := &segment{base: base, size: headerBytes, checked: headerBytes}
	s.tail.Store(headerBytes)
	s.end.Store(headerBytes)
	return s
}

// fill allocates the file and writes its header.
func (s *segment) fill() error {
	if err := allocate(s.file, s.size); err != nil {
		return err
	}
	var salt [4]byte
	_, _ = rand.Read(salt[:]) // never fails: crypto/rand ends the process instead
	s.salt = binary.NativeEndian.Uint32(salt[:])
	if _, err := s.file.WriteAt(segmentHeader(s.salt, s.base), 0); err != nil {
		return err
	}
	return s.file.Sync()
}

// segmentHeader returns the header of the segment that begins at base.
func segmentHeader(salt uint32, base int64) []byte {
	h := make([]byte, headerBytes)
	copy(h, segmentMagic)
	binary.NativeEndian.PutUint32(h[8:], segmentVersion)
	binary.NativeEndian.PutUint32(h[12:], salt)
	binary.NativeEndian.PutUint64(h[16:], uint64(base))
	binary.NativeEndian.PutUint32(h[headerSummed:], crc32.Checksum(h[:headerSummed], castagnoli))
	return h
}

// writeZeros allocates space on file systems without fallocate.
func writeZeros(f *os.File, size int64) error {
	zeros := make([]byte, 64<<10)
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return nil
}

// parseBase returns the base from a segment's file name.
func parseBase(name string) (int64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok || len(digits) != 16 {
		return 0, false
	}
	base, err := strconv.ParseInt(digits, 16, 64)
	return base, err == nil && base >= 0 && base%wordBytes == 0
}

// parseHeader returns the salt from the header of the segment that begins at base.
func parseHeader(h []byte, base int64) (salt uint32, err error) {
	switch {
	case len(h) >= headerBytes && string(h[:8]) == earlierMagic:
		return 0, errEarlier
	case len(h) < headerBytes || string(h[:8]) != segmentMagic,
		binary.NativeEndian.Uint32(h[headerSummed:]) != crc32.Checksum(h[:headerSummed],
			castagnoli):
		return 0, errDamagedHead
	case binary.NativeEndian.Uint32(h[8:]) != segmentVersion:
		return 0, errNewFormat
	case int64(binary.NativeEndian.Uint64(h[16:])) != base:
		return 0, errOtherBase
	}
	return binary.NativeEndian.Uint32(h[12:]), nil
}

// word returns the header word at an offset. Other goroutines may write it.
func (s *segment) word(off int64) *uint64 {
	// aligned: a mapping begins at a page, offsets are multiples of 8
	return (*uint64)(unsafe.Pointer(&s.data[off : off+wordBytes][0]))
}

// put writes and publishes a record into a reserved range.
func (s *segment) put(off int64, payload []byte) {
	written := s.data[off+wordBytes : off+wordBytes+int64(len(payload))]
	copy(written, payload)
	atomic.StoreUint64(s.word(off), header(s.salt, written))
}

// written returns the offset after the last reserved record.
func (s *segment) written() int64 {
	if end := s.end.Load(); end != 0 {
		return end
	}
	return min(s.tail.Load(), s.size)
}

// complete reports whether the segment is full and every record in it is published.
func (s *segment) complete() bool {
	end := s.end.Load()
	for s.checked < end {
		h := atomic.LoadUint64(s.word(s.checked))
		if h == 0 {
			return false
		}
		s.checked += recordBytes(payloadLength(h))
	}
	return end != 0
}

// release unmaps a live segment and closes its file, once. It does not clear data: the appenders'
// last access is ordered before this through the mapping itself, where the race detector can't see
// it.
func (s *segment) release() error {
	if !s.live {
		return nil
	}
	return errors.Join(unix.Munmap(s.data), s.closeFile())
}

func (s *segment) closeFile() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}
