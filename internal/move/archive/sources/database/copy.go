package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// maxCopied bounds the copy of a database, in bytes. It is the bound of an import, too.
const maxCopied = 16 << 30

// copies is how often a database is copied at most. A server may write meanwhile; then the copy is
// made again, after pauses that grow to 2.5 seconds in all.
const copies = 8

// tick is how long a file may be written again with the time of change that it has already.
const tick = 20 * time.Millisecond

// The files of a database: itself, its write-ahead log, and the journal of a transaction.
var suffixes = []string{"", "-wal", "-journal"}

var (
	errBusy = errors.New("it is being written all the time: stop its server meanwhile, " +
		"or import a backup of it")
	errJournal = errors.New("a transaction was not finished, and its journal lies beside it: " +
		"stop the server of the database and start it once, or import a backup")
)

// copyDatabase copies a database as it was at one instant, with what its log has. Nothing is
// written beside the original, nor locked there.
func copyDatabase(ctx context.Context, path, to string) error {
	path, err := filepath.EvalSymlinks(path) // the log is beside the file itself
	if err != nil {
		return err
	}
	for n := range copies {
		if n > 0 {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(tick << (n - 1)):
			}
		}
		var before, after state
		if before, err = stateOf(path); err != nil {
			return err
		}
		if before.journal {
			err = errJournal
			continue
		}
		err = errBusy
		if time.Since(before.newest) < tick {
			continue
		}
		for i, suffix := range suffixes[:2] {
			info, to := before.files[i], filepath.Join(to, "copy"+suffix)
			if info == nil {
				err = os.RemoveAll(to)
			} else {
				err = copyFile(ctx, path+suffix, to, info.Size())
			}
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		if after, err = stateOf(path); err != nil {
			return err
		}
		if slices.EqualFunc(before.files, after.files, same) {
			return nil
		}
		err = errBusy
	}
	return err
}

// state is that of the files of a database.
type state struct {
	files   []os.FileInfo // nil for one that is not there
	newest  time.Time
	journal bool // a transaction is being written, or was never finished
}

func stateOf(path string) (s state, err error) {
	var size int64
	for _, suffix := range suffixes {
		info, err := os.Stat(path + suffix)
		if err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			return s, err
		}
		s.files = append(s.files, info)
		if err != nil {
			s.files[len(s.files)-1] = nil
			continue
		}
		if !info.Mode().IsRegular() {
			return s, fmt.Errorf("%s is no regular file", path+suffix)
		}
		if size += info.Size(); size > maxCopied {
			return s, fmt.Errorf("it has more than %d GiB", maxCopied>>30)
		}
		if s.newest.Before(info.ModTime()) {
			s.newest = info.ModTime()
		}
	}
	if s.files[2] != nil {
		s.journal, err = isHot(path + suffixes[2])
	}
	return s, err
}

// isHot reports whether a journal is one of a transaction: it is deleted, emptied or overwritten
// with zero bytes at the end of each. It is not played back here, since it may name other files.
func isHot(journal string) (bool, error) {
	f, err := os.Open(journal)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	var first [1]byte
	if n, err := f.Read(first[:]); n == 0 {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return false, err
	}
	return first[0] != 0, nil
}

func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// copyFile copies a file that is so long. Whether it still is, its state says later.
func copyFile(ctx context.Context, from, to string, size int64) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	const part = 64 << 20
	for ; err == nil && ctx.Err() == nil && size > 0; size -= part {
		_, err = io.CopyN(out, in, min(part, size))
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, out.Close(), context.Cause(ctx))
}
