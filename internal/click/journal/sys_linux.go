package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocate gives a new file its size and its space on disk, so that no write to the mapping can
// fail for lack of space.
func allocate(f *os.File, size int64) error {
	err := retryEINTR(func() error { return unix.Fallocate(int(f.Fd()), 0, 0, size) })
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return writeZeros(f, size)
	}
	return err
}

// datasync waits until the file's content is on disk. It skips modification times, which don't
// matter here, to save a write.
func datasync(f *os.File) error {
	return retryEINTR(func() error { return unix.Fdatasync(int(f.Fd())) })
}

func retryEINTR(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
