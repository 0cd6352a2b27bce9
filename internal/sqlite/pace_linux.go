package sqlite

import (
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"terse/internal/polite"
)

// paceBytes is how much SQLite writes before requests may go first. A commit of many pages, and moving the write-ahead log
// into the database, would otherwise keep a core for milliseconds.
const paceBytes = 128 << 10

// pace has SQLite write through politeWrite, in the whole process.
var pace = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	name, err := libc.CString("pwrite")
	if err != nil {
		return err
	}
	defer libc.Xfree(tls, name)
	vfs := lib.Xsqlite3_vfs_find(tls, 0)
	// The library keeps functions as the addresses of their descriptors.
	write := struct {
		f func(*libc.TLS, int32, uintptr, libc.Tsize_t, libc.Toff_t) libc.Tssize_t
	}{politeWrite}
	set := struct{ address uintptr }{(*(**lib.Tsqlite3_vfs)(unsafe.Pointer(&vfs))).FxSetSystemCall}
	code := (*(*func(tls *libc.TLS, vfs, name, f uintptr) int32)(unsafe.Pointer(&set)))(tls, vfs, name, *(*uintptr)(unsafe.Pointer(&write)))
	if code != lib.SQLITE_OK {
		return errors.New("SQLite lets nobody pace its writes")
	}
	return nil
})

// written is how many bytes SQLite wrote.
var written atomic.Int64

// politeWrite is pwrite(2) that lets requests go first now and then. What was written is sent to the disk then, without
// waiting for it, so that the sync that follows need not do that in one go.
func politeWrite(tls *libc.TLS, fd int32, from uintptr, n libc.Tsize_t, at libc.Toff_t) libc.Tssize_t {
	done := libc.Xpwrite(tls, fd, from, n, at)
	if done > 0 && written.Add(int64(n))%paceBytes < int64(n) {
		// The page at the end, which the next write may fill, stays. A matter of speed only.
		_ = unix.SyncFileRange(int(fd), 0, (at+libc.Toff_t(n))&^4095, unix.SYNC_FILE_RANGE_WRITE)
		polite.Yield()
	}
	return done
}
