package sqlite

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// readCached reads all of buf if the kernel has it in memory. The runtime is not told of the call, because it does not wait: to
// tell it takes a quarter of the time, and has the runtime's monitor look all the time whether it does.
func readCached(fd int, buf []byte, at int64) bool {
	to := unix.Iovec{Base: unsafe.SliceData(buf)}
	to.SetLen(len(buf))
	n, _, _ := unix.RawSyscall6(unix.SYS_PREADV2, uintptr(fd), uintptr(unsafe.Pointer(&to)), 1, uintptr(at), uintptr(at>>32), unix.RWF_NOWAIT)
	return int(n) == len(buf)
}
