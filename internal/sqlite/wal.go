package sqlite

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// walIndex is the header of the write-ahead log's index, which lies in memory that is shared by all who have the database
// open: https://sqlite.org/walformat.html#the_wal_index_header.
type walIndex struct {
	// fd is open for as long as any connection of ours is: to close it drops all locks that SQLite holds on the file (POSIX).
	fd     int
	header []byte
}

// walState is the header's checksum. Each commit changes it, whoever commits. 0 means that it is not known.
type walState uint64

const (
	walHeaderBytes = 48
	walChecksumAt  = 40
)

// mapWALIndex returns the index of a database that is open already. With an error it may return one to close.
func mapWALIndex(path string) (*walIndex, error) {
	fd, err := unix.Open(path+"-shm", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open index of the write-ahead log: %w", err)
	}
	x := &walIndex{fd: fd}
	if x.header, err = unix.Mmap(fd, 0, walHeaderBytes, unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return x, fmt.Errorf("map index of the write-ahead log: %w", err)
	}
	// Some may still ask for the state after close.
	runtime.AddCleanup(x, func(header []byte) { _ = unix.Munmap(header) }, x.header)
	return x, nil
}

// close is called when all connections are closed.
func (x *walIndex) close() {
	if x != nil {
		_ = unix.Close(x.fd) // was only read from
	}
}

func (x *walIndex) state() walState {
	if x == nil || x.header == nil {
		return 0
	}
	defer runtime.KeepAlive(x) // and its memory
	return walState(atomic.LoadUint64((*uint64)(unsafe.Pointer(&x.header[walChecksumAt]))))
}

// walNow returns the state of the log.
func (s *Store) walNow() walState { return s.wal.Load().state() }
