package main

import (
	"errors"
	"net/netip"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// answerAlways sends an answer for each read on any connection to an address.
func answerAlways(addr string, answer []byte) error {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	listener, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(unix.Bind(listener, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}), unix.Listen(listener, connections)); err != nil {
		return err
	}
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	watch := func(fd int, events uint32) error {
		return unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)})
	}
	if err := watch(listener, unix.EPOLLIN); err != nil {
		return err
	}
	var events [connections]unix.EpollEvent
	var in [4096]byte
	// The runtime is not told of the system calls, as in the server's loops. What does not succeed is told by the next read.
	for {
		n, _, _ := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(&events)), connections, patience, 0, 0)
		if int(n) <= 0 {
			runtime.Gosched() // to what ends the process
		}
		for i := range max(int(n), 0) {
			fd := int(events[i].Fd)
			if fd == listener {
				if fd, _, err = unix.Accept4(listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC); err != nil {
					return err
				}
				if err := errors.Join(unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1), watch(fd, unix.EPOLLIN|unix.EPOLLET)); err != nil {
					return err
				}
			} else if n, errno := transfer(unix.SYS_RECVFROM, fd, in[:]); n > 0 {
				_, _ = transfer(unix.SYS_SENDTO, fd, answer)
			} else if errno != unix.EAGAIN {
				_ = unix.Close(fd)
			}
		}
	}
}

// patience is how many milliseconds to wait for a request.
const patience = 100

func transfer(call uintptr, fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := unix.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	return int(n), errno
}
