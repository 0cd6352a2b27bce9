package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"terse/internal/durable"
)

// ErrOtherDatabase means that a journal has clicks on links of another database.
var ErrOtherDatabase = errors.New("its clicks are of another database")

// DatabaseFile is the file that names the database whose clicks the journal has.
const DatabaseFile = "database"

// maxDatabase is more than the longest path of a file takes.
const maxDatabase = 8 << 10

// CheckDatabase returns ErrOtherDatabase if the segments in a directory have records, and another
// database counts them. It changes nothing, and the journal may be in use.
func CheckDatabase(dir, database string) error {
	_, err := checkDatabase(dir, database)
	return err
}

// checkDatabase is CheckDatabase. It also returns the database that the directory names, "" if it
// names none: an earlier version made it.
func checkDatabase(dir, database string) (named string, err error) {
	f, err := os.OpenFile(filepath.Join(dir, DatabaseFile), os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxDatabase))
	if err != nil {
		return "", err
	}
	named = strings.TrimSuffix(string(content), "\n")
	if named == database {
		return named, nil
	}
	if records, err := haveRecords(dir); err != nil || !records {
		return named, err
	}
	return named, fmt.Errorf("%w: %q, not %q", ErrOtherDatabase, named, database)
}

// haveRecords reports whether a segment in a directory may have a record, counted or not.
func haveRecords(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if _, ok := parseBase(e.Name()); !ok || !e.Type().IsRegular() {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, e.Name()), os.O_RDONLY|unix.O_NOFOLLOW, 0)
		if err != nil {
			return false, err
		}
		info, err := f.Stat()
		used := int64(0)
		if err == nil {
			used, err = usedBytes(f, info.Size())
		}
		if err = errors.Join(err, f.Close()); err != nil || used > headerBytes {
			return err == nil, err
		}
	}
	return false, nil
}

// belong notes which database the journal belongs to, before it gets a click. The name has a file
// of its own, so that a process that dies leaves either the former name or the new one.
func (j *Journal) belong(database string) error {
	named, err := checkDatabase(j.dir, database)
	if err != nil || named == database {
		return err
	}
	path := filepath.Join(j.dir, DatabaseFile)
	err = writeDurably(path, database+"\n")
	if named == "" && (errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)) {
		// A start on a full disk must not fail. The next one tries again.
		j.log.Warn("click journal: no room to note which database it belongs to", "error", err)
		return nil
	}
	return err
}

// writeDurably replaces the content of a file, completely or not at all.
func writeDurably(path, content string) error {
	tmp := path + ".tmp"
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return durable.SyncDir(filepath.Dir(path))
}
