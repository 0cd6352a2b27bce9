package sqlite

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// files tell the database's open files from others at their path, and notice when the database file
// was written to, or cut off, past SQLite.
type files struct {
	path string
	// database is open for longer than the connections: to close it drops all locks that SQLite
	// holds on the file (POSIX).
	database      *os.File
	opened, walOf os.FileInfo // of database, and of its write-ahead log
	last          content     // of database, when it was known to be SQLite's
}

// content shows whether the database file was written to: each page that SQLite adds, drops or
// takes from its list of free ones changes the header, and so does a copy that VACUUM INTO made.
type content struct {
	size   int64
	header [100]byte
}

// What ends the store: it follows no other file.
var (
	errMoved       = errors.New("removed or replaced")
	errLogMoved    = errors.New("left without its write-ahead log")
	errOverwritten = errors.New("cut off or overwritten")
)

var errReadOnly = errors.New("the database file is read-only")

func openFiles(path string) (*files, error) {
	database, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &files{path: path, database: database}, nil
}

// identify remembers the files that the connections have opened.
func (f *files) identify() (err error) {
	if f.opened, err = f.database.Stat(); err != nil {
		return err
	}
	if f.walOf, err = os.Stat(f.path + "-wal"); err != nil {
		return err
	}
	f.last, err = f.look()
	return err
}

// look returns the content of the database file. It fails when the files at the path are not the
// open ones.
func (f *files) look() (now content, err error) {
	database, err := f.at(f.path, f.opened, errMoved)
	if err != nil {
		return now, err
	}
	if database.Mode().Perm()&0o222 == 0 {
		return now, errReadOnly
	}
	if _, err := f.at(f.path+"-wal", f.walOf, errLogMoved); err != nil {
		return now, err
	}
	now.size = database.Size()
	if _, err = f.database.ReadAt(now.header[:], 0); errors.Is(err, io.EOF) {
		err = nil // it is shorter
	}
	return now, err
}

// at returns what is at a path, and fails with moved when that is not what was opened.
func (f *files) at(path string, opened os.FileInfo, moved error) (os.FileInfo, error) {
	now, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, opened) {
		return nil, moved
	}
	return now, err
}

// dropLog removes our write-ahead log when SQLite would apply it to another database: to one that
// lies where ours was, or that was written over ours.
func (f *files) dropLog(overwritten bool) error {
	now, err := os.Stat(f.path)
	if err != nil || os.SameFile(now, f.opened) && !overwritten {
		return nil
	}
	if _, err := f.at(f.path+"-wal", f.walOf, errLogMoved); err != nil {
		return nil // it is another one's
	}
	return errors.Join(os.Remove(f.path+"-wal"), os.Remove(f.path+"-shm"))
}
