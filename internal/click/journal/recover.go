package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"terse/internal/durable"
)

// open locks the directory, refuses one of another database, recovers its segments, and begins a
// new one after them.
//
// A process never writes to another's segments, nor at positions that the store has counted, even
// if it starts on an old copy of the directory.
func (j *Journal) open(database string, position func(id string) (int64, error)) error {
	if err := durable.MkdirAll(j.dir, 0o700); err != nil {
		return err
	}
	var err error
	if j.lock, err = lockDir(j.dir); err != nil {
		return err
	}
	if database != "" {
		if err := j.belong(database); err != nil {
			return err
		}
	}
	names, err := segments(j.dir)
	if err != nil {
		return err
	}
	if err := j.identify(len(names) == 0); err != nil {
		return err
	}
	pos, err := position(j.id)
	if err != nil {
		return fmt.Errorf("position of journal %s: %w", j.id, err)
	}
	if pos < 0 || pos > 1<<62 {
		return fmt.Errorf("position of journal %s is %d", j.id, pos)
	}
	return j.begin(names, pos)
}

// begin builds the chain of segments and places the reader at the store's position.
func (j *Journal) begin(names []string, pos int64) error {
	var chain []*segment
	base := (pos + wordBytes - 1) &^ (wordBytes - 1)
	for _, name := range names {
		s, end, err := j.recoverSegment(name, pos)
		if err != nil {
			return fmt.Errorf("recover %s: %w", name, err)
		}
		base = max(base, end)
		if s != nil {
			chain = append(chain, s)
		}
	}
	live, err := j.newSegment(j.dir, base, j.size)
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		// A running server goes on redirecting on a full disk, so a start must not fail, either.
		live = fullSegment(base)
		j.noRoom(err)
	} else if err != nil {
		return err
	}
	chain = append(chain, live)
	for i, s := range chain[1:] {
		chain[i].next.Store(s)
	}
	j.current.Store(live)
	j.unsynced, j.oldest, j.reading = live, chain[0], chain[0]
	j.offset = j.offsetIn(chain[0], pos)
	j.to, j.kept, j.passed = pos, pos, pos
	j.released.Store(chain[0].base + j.offset)
	if first := chain[0].base; pos < first && pos > 0 {
		j.log.Warn("click journal: begins behind what the store has counted", "counted_to", pos,
			"begins_at", first)
	}
	notify(j.wantSpare)
	return nil
}

// Trim frees disk space that an earlier process allocated in a directory and did not use. Something
// else may need it before the journal can be opened.
func Trim(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, idFile)); errors.Is(err, os.ErrNotExist) {
		return nil // there was no journal
	}
	lock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	names, err := segments(dir)
	for _, name := range names {
		err = errors.Join(err, trimFile(filepath.Join(dir, name)))
	}
	return err
}

// trimFile trims a segment, unless its format is unknown.
func trimFile(path string) error {
	f, s, err := openSegment(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := readHeader(f, s); err != nil {
		return nil // Open decides what to do with it
	}
	_, err = trim(f, s)
	return err
}

// idFile holds the journal's ID, and the lock.
const idFile = "id"

// lockDir opens the file with the ID, and locks it against other processes until it is closed or
// the process dies.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, idFile), os.O_RDWR|unix.O_NOFOLLOW|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("in use by another process: %w", err), f.Close())
	}
	return f, nil
}

// identify reads the ID, or creates it in a directory without segments. Segments under a new ID
// would be counted twice.
func (j *Journal) identify(fresh bool) error {
	b, err := io.ReadAll(io.LimitReader(j.lock, 64))
	if err != nil {
		return err
	}
	j.id = strings.TrimSpace(string(b))
	if uuid.Validate(j.id) == nil {
		return nil
	}
	if !fresh {
		return errors.New(
			"there are segments, but the file named id does not hold the journal's ID: restore " +
				"it, or move the segments away")
	}
	j.id = uuid.NewString()
	if err := j.lock.Truncate(0); err != nil {
		return err
	}
	if _, err := j.lock.WriteAt([]byte(j.id+"\n"), 0); err != nil {
		return err
	}
	return errors.Join(j.lock.Sync(), durable.SyncDir(j.dir))
}

// segments returns the file names of the segments in order, and deletes segments that an earlier
// process created only partly.
func segments(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir) // sorted by name, which is by base
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix+".tmp") {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
		if _, ok := parseBase(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// recoverSegment returns a segment of an earlier process, and the position of its end. It returns
// nil if the segment holds nothing after pos and was deleted, or if it can't be read and was put
// aside.
func (j *Journal) recoverSegment(name string, pos int64) (s *segment, end int64, err error) {
	f, s, err := openSegment(filepath.Join(j.dir, name))
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	base := s.base
	end = base + (s.size+wordBytes-1)&^(wordBytes-1)
	s.salt, err = readHeader(f, s)
	if errors.Is(err, errNewFormat) || errors.Is(err, errEarlier) {
		return nil, 0, err
	}
	if errors.Is(err, errDamagedHead) {
		if found, searchErr := j.readWithoutHead(f, s); searchErr != nil || found {
			err = searchErr
		}
	}
	if errors.Is(err, errDamagedHead) || errors.Is(err, errOtherBase) {
		j.log.Error("click journal: segment put aside; it has no records that can be read",
			"segment", s.path, "bytes", s.size, "error", err)
		return nil, end, os.Rename(s.path, s.path+".damaged")
	} else if err != nil {
		return nil, 0, err
	}
	used, err := trim(f, s)
	if err != nil {
		return nil, 0, err
	}
	if base+used <= pos || used <= headerBytes {
		return nil, 0, os.Remove(s.path)
	}
	// The process that wrote it may have died before its sync.
	return s, end, datasync(f)
}

// readWithoutHead looks for the records of a segment whose head is damaged, and reports whether it
// has some. They are then read as those of any other segment.
func (j *Journal) readWithoutHead(f *os.File, s *segment) (found bool, err error) {
	salt, records, err := searchSalt(f, s)
	if err != nil || records == 0 {
		return false, err
	}
	s.salt = salt
	j.log.Warn("click journal: the head of a segment is damaged; it is read by its records",
		"segment", s.path, "records", records)
	return true, nil
}

// openSegment opens the file of an earlier process's segment.
func openSegment(path string) (*os.File, *segment, error) {
	base, _ := parseBase(filepath.Base(path))
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, &segment{base: base, size: info.Size(), path: path}, nil
}

// readHeader reads the salt.
func readHeader(f *os.File, s *segment) (uint32, error) {
	if s.size > maxSegment {
		return 0, fmt.Errorf("%d bytes are too many", s.size)
	}
	var h [headerBytes]byte
	if _, err := f.ReadAt(h[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	return parseHeader(h[:], s.base)
}

// trim cuts off zeros that were allocated but not used. Otherwise they would fill the disk when a
// server restarts often. It returns the offset after the last non-zero byte.
func trim(f *os.File, s *segment) (used int64, err error) {
	if used, err = usedBytes(f, s.size); err != nil {
		return 0, err
	}
	// The last record may itself end in zeros.
	if size := (used + recordBytes(maxPayload)) &^ (wordBytes - 1); size < s.size {
		s.size = size
		return used, f.Truncate(size)
	}
	return used, nil
}

// usedBytes returns the offset after the last non-zero byte of a file.
func usedBytes(f io.ReaderAt, size int64) (used int64, err error) {
	buf, zeros := make([]byte, 64<<10), make([]byte, 64<<10)
	for used = size; used > 0; {
		start := max(0, used-int64(len(buf)))
		b := buf[:used-start]
		if _, err := f.ReadAt(b, start); err != nil {
			return 0, err
		}
		if !bytes.Equal(b, zeros[:len(b)]) {
			return start + int64(len(bytes.TrimRight(b, "\x00"))), nil
		}
		used = start
	}
	return 0, nil
}
