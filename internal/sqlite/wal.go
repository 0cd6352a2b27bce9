package sqlite

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// walIndex is the index of the write-ahead log, which lies in memory that is shared by all who have the database
// open: https://sqlite.org/walformat.html#the_wal_index_file_format. It is only read.
type walIndex struct {
	// fd is open for as long as any connection of ours is: to close it drops all locks that SQLite holds on the file (POSIX).
	fd     int
	memory []byte // what lies beyond the frames of a header may not be there
}

// walHeader is a header of the index. Each commit writes a new one, whoever commits.
type walHeader struct {
	Version   uint32 // of the index's format
	_         [2]uint32
	IsInit    uint8 // 0 until the index is built
	_         uint8
	PageBytes uint16 // as the next, 0 when the log is empty
	Frames    uint32 // of the log, up to the last commit
	_         uint32
	_         [2]uint32
	Log       uint64 // the log's salt: another one each time that it begins anew
	State     walState
}

// walVersion is the only version of the index's format. SQLite opens no other one either.
const walVersion = 3007000

// walState is a header's checksum. 0 means that it is not known.
type walState uint64

// The index has two copies of the header, and then blocks of the numbers of the pages in the log's frames, with hash tables of those.
const (
	walHeaderBytes = unsafe.Sizeof(walHeader{})
	walBlockBytes  = 32 << 10
	walBlockFrames = 4096
	walFirstPages  = 136 // the first block begins with the headers, and has so many frames less
	walFirstFrames = walBlockFrames - walFirstPages/4
	walSlotsAt     = 16 << 10
	walSlots       = 8192
	// Of a log that is longer than 256 MiB only SQLite can tell what is in it. It begins anew after 16 MiB when nothing is in the way.
	walBlocks = 16
)

// mapWALIndex returns the index of a database that is open already. With an error it may return one to close.
func mapWALIndex(path string) (*walIndex, error) {
	fd, err := unix.Open(path+"-shm", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open index of the write-ahead log: %w", err)
	}
	x := &walIndex{fd: fd}
	if x.memory, err = unix.Mmap(fd, 0, walBlocks*walBlockBytes, unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return x, fmt.Errorf("map index of the write-ahead log: %w", err)
	}
	// Some may still read it after close.
	runtime.AddCleanup(x, func(memory []byte) { _ = unix.Munmap(memory) }, x.memory)
	return x, nil
}

// close is called when all connections are closed.
func (x *walIndex) close() {
	_ = unix.Close(x.fd) // was only read from
}

// state returns the state of the header's copy that is written first.
func (x *walIndex) state() walState {
	defer runtime.KeepAlive(x) // and its memory
	at := walHeaderBytes + unsafe.Offsetof(walHeader{}.State)
	return walState(atomic.LoadUint64((*uint64)(unsafe.Pointer(&x.memory[at]))))
}

// header returns the header, unless a new one is being written or its format is another one.
func (x *walIndex) header() (h walHeader, ok bool) {
	defer runtime.KeepAlive(x)
	copies := (*[2][walHeaderBytes / 8]uint64)(unsafe.Pointer(unsafe.SliceData(x.memory)))
	words := (*[walHeaderBytes / 8]uint64)(unsafe.Pointer(&h))
	for i := range words {
		words[i] = atomic.LoadUint64(&copies[0][i])
	}
	for i := range words { // this copy is written before the other
		if atomic.LoadUint64(&copies[1][i]) != words[i] {
			return walHeader{}, false
		}
	}
	return h, h.IsInit != 0 && h.Version == walVersion
}

// moved returns how many frames of the log are in the database file, too.
func (x *walIndex) moved() uint32 {
	defer runtime.KeepAlive(x)
	return atomic.LoadUint32((*uint32)(unsafe.Pointer(&x.memory[2*walHeaderBytes])))
}

// frame returns the last frame of the log that has a page, 0 when there is none, unless the log is too long. While others
// write it may be wrong; then the state is another one afterwards.
func (x *walIndex) frame(h *walHeader, page uint32) (frame uint32, ok bool) {
	defer runtime.KeepAlive(x)
	if h.Frames > walFirstFrames+(walBlocks-1)*walBlockFrames {
		return 0, false
	}
	for block := (int(h.Frames) + walFirstPages/4 - 1) / walBlockFrames; block >= 0; block-- {
		memory := x.memory[block*walBlockBytes:][:walBlockBytes]
		pages, slots, before := memory[:walSlotsAt], memory[walSlotsAt:], uint32(block*walBlockFrames-walFirstPages/4)
		if block == 0 {
			pages, before = pages[walFirstPages:], 0
		}
		// The slots of a page are in the order of its frames.
		for slot, probes := page*383%walSlots, 0; probes < walSlots; slot, probes = (slot+1)%walSlots, probes+1 {
			n := uint32(binary.NativeEndian.Uint16(slots[slot*2:]))
			if n == 0 {
				break
			}
			if at := (n - 1) * 4; before+n <= h.Frames && int(at) < len(pages) && binary.NativeEndian.Uint32(pages[at:]) == page {
				frame = before + n
			}
		}
		if frame != 0 {
			break
		}
	}
	return frame, true
}
