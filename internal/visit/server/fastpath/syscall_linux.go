package fastpath

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// read and write are system calls that can't block, so that the runtime need not be told. On
// sockets recvfrom and sendto do the same as read and write, with less around it.

func read(fd int, b []byte) (int, syscall.Errno) { return transfer(unix.SYS_RECVFROM, fd, b) }

func write(fd int, b []byte) (int, syscall.Errno) { return transfer(unix.SYS_SENDTO, fd, b) }

func transfer(call uintptr, fd int, b []byte) (int, syscall.Errno) {
	for {
		n, _, errno := unix.RawSyscall6(call, uintptr(fd),
			uintptr(unsafe.Pointer(unsafe.SliceData(b))),
			uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}
