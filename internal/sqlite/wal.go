package sqlite

import "golang.org/x/sys/unix"

// walState is what every commit changes of the write-ahead log's file, whoever commits. To ask for it costs half a
// microsecond. Two commits in the same tick of the kernel's clock may look like one when the file does not grow; what
// that hides is found within watchInterval.
type walState struct{ size, changed int64 } // bytes, nanoseconds since 1970

// walNow returns the state of the log, which is no commit's when there is no file.
func (s *Store) walNow() walState {
	var stat unix.Stat_t
	if err := unix.Stat(s.walPath, &stat); err != nil {
		return walState{-1, -1}
	}
	return walState{stat.Size, stat.Mtim.Nano()}
}

// walSeen returns the state that the log had after the last commit of ours, when nobody else had written before it.
func (f *files) walSeen() walState {
	if f == nil || f.wal == nil {
		return walState{}
	}
	return walState{f.wal.Size(), f.wal.ModTime().UnixNano()}
}
