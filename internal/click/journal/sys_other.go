//go:build unix && !linux

package journal

import "os"

// allocate gives a new file its size and its space on disk, so that no write to the mapping can
// fail for lack of space.
func allocate(f *os.File, size int64) error { return writeZeros(f, size) }

// datasync waits until the file's content is on disk.
func datasync(f *os.File) error { return f.Sync() }
