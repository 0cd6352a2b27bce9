package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/sqlite"
	"terse/internal/storetest"
)

// awaitLoss returns what Watch ends with, which says so in a few words.
func awaitLoss(t *testing.T, s *sqlite.Store, words string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Watch(ctx, nil, func() {}); err == nil || !strings.Contains(err.Error(), words) {
		t.Fatalf("Watch ends with %v, want that the database was %s", err, words)
	}
}

// A store whose files were taken away, or written to past SQLite, ends: it says why, and neither
// reads nor writes any more.
func TestFilesAreLost(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil func(t *testing.T, path, backup string)
		words string
		// A store that is opened then has the link from before the backup, and the one after it.
		// A shorter file is opened in another process, see cmd/terse.
		opens, base, later bool
	}{
		"deleted": {func(t *testing.T, path, _ string) {
			must(t, os.Remove(path))
		}, "removed or replaced", true, false, false},
		"replaced by a backup": {func(t *testing.T, path, backup string) {
			must(t, os.Rename(backup, path))
		}, "removed or replaced", true, true, false},
		"replaced by an empty file": {func(t *testing.T, path, _ string) {
			must(t, os.WriteFile(path+".new", nil, 0o600))
			must(t, os.Rename(path+".new", path))
		}, "removed or replaced", true, false, false},
		"moved away and back": {func(t *testing.T, path, _ string) {
			must(t, os.Rename(path, path+".away"))
			for began := time.Now(); ; time.Sleep(time.Millisecond) {
				if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
					break // what the log had is in the file that was moved
				}
				if time.Since(began) > time.Minute {
					t.Fatal("the log still has what is in no file")
				}
			}
			must(t, os.Rename(path+".away", path+".back"))
			must(t, os.Rename(path+".back", path))
		}, "removed or replaced", true, true, true},
		"without its log": {func(t *testing.T, path, _ string) {
			must(t, os.Remove(path+"-wal"))
		}, "left without its write-ahead log", true, true, true},
		"cut off": {func(t *testing.T, path, _ string) {
			must(t, os.Truncate(path, 4096-512))
		}, "cut off or overwritten", false, false, false},
		"emptied": {func(t *testing.T, path, _ string) {
			must(t, os.Truncate(path, 0))
		}, "cut off or overwritten", false, false, false},
		"overwritten by a backup": {func(t *testing.T, path, backup string) {
			copyFile(t, backup, path)
		}, "cut off or overwritten", false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, backup := filepath.Join(t.TempDir(), "terse.db"),
				filepath.Join(t.TempDir(), "backup.db")
			s := openAt(t, path)
			create(t, s, "base")
			byHand(t, path, "VACUUM INTO '"+backup+"'")
			must(t, os.Chmod(backup, 0o600))
			create(t, s, "later")
			must(t, s.Check(t.Context()))
			tc.spoil(t, path, backup)
			if _, err := s.Create(t.Context(), newLink(t, "lost")); err == nil {
				t.Error("Create succeeds")
			}
			awaitLoss(t, s, tc.words)
			if s.Check(t.Context()) == nil {
				t.Error("Check succeeds")
			}
			if _, err := s.Link(t.Context(), code(t, "base")); err == nil {
				t.Error("Link succeeds")
			}
			must(t, s.Close())
			if !tc.opens {
				if info, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("SQLite would read the log with another database: %v, %v", info, err)
				}
				return
			}
			s = openAt(t, path)
			defer s.Close()
			for c, want := range map[string]bool{
				"base": tc.base, "later": tc.later, "lost": false,
			} {
				if _, err := s.Link(t.Context(), code(t, c)); (err == nil) != want {
					t.Errorf("%s is found: %v, want %v", c, err == nil, want)
				}
			}
			create(t, s, "again")
		})
	}
}

// A page that was moved from the log to the file, and is not there any more, is missed, although
// the log still has it: SQLite does not read it there.
func TestMovedPageIsLost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	byHand(t, path, "VACUUM") // all of it goes through the log
	must(t, s.Check(t.Context()))
	keepLog(t, path)
	byHand(t, path, "INSERT INTO link_ranges VALUES ('other', 0, 0, 0, 0)",
		"PRAGMA wal_checkpoint(PASSIVE)")
	must(t, s.Check(t.Context()))
	info, err := os.Stat(path)
	must(t, err)
	must(t, os.Truncate(path, info.Size()-4096))
	awaitLoss(t, s, "cut off or overwritten")
	must(t, s.Close())
}

// A file that others write by SQLite alone is not lost, however much of it changes, and whether
// they move the log into it at once or later.
func TestOthersGrowAndShrink(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	other, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	other.SetBusyTimeout(time.Minute)
	for i, sql := range []string{
		"CREATE TABLE large AS WITH RECURSIVE n(i) AS " +
			"(SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000) SELECT randomblob(1000) FROM n",
		"PRAGMA wal_checkpoint(PASSIVE)", "DROP TABLE large", "PRAGMA wal_checkpoint(TRUNCATE)",
		"VACUUM", "SELECT 1", "PRAGMA wal_checkpoint(RESTART)", "SELECT 1",
	} {
		must(t, sqlitex.ExecuteTransient(other, sql, nil))
		must(t, s.Check(t.Context()))
		if i%2 == 1 {
			create(t, s, strings.Repeat("x", 3+i))
		}
	}
	must(t, other.Close())
	must(t, s.Check(t.Context()))
}

// putBack puts a backup back while the database is in use, and returns the store to go on with: as
// the shell's .restore, page by page through SQLite, or as a file in the place of the other.
var putBack = map[string]func(t *testing.T, s *sqlite.Store, backup, path string) *sqlite.Store{
	"restored": func(t *testing.T, s *sqlite.Store, backup, path string) *sqlite.Store {
		from, err := driver.OpenConn(backup, driver.OpenReadOnly)
		must(t, err)
		to, err := driver.OpenConn(path, driver.OpenReadWrite)
		must(t, err)
		restore, err := driver.NewBackup(to, "main", from, "main")
		must(t, err)
		for more := true; more; {
			more, err = restore.Step(-1)
			if driver.ErrCode(err).ToPrimary() == driver.ResultBusy {
				more, err = true, nil
			}
			must(t, err)
		}
		must(t, restore.Close())
		must(t, to.Close())
		must(t, from.Close())
		return s
	},
	"replaced": func(t *testing.T, s *sqlite.Store, backup, path string) *sqlite.Store {
		must(t, os.Rename(backup, path))
		awaitLoss(t, s, "removed or replaced")
		must(t, s.Close())
		return openAt(t, path)
	},
}

// A backup that was put back gives IDs out again. Clicks of the links that it does not have are
// counted for nobody, and those of the links that have their IDs now are.
func TestClicksAfterPuttingBack(t *testing.T) {
	t.Parallel()
	for name, put := range putBack {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, backup := filepath.Join(t.TempDir(), "terse.db"),
				filepath.Join(t.TempDir(), "backup.db")
			s := openAt(t, path)
			create(t, s, "base")
			byHand(t, path, "VACUUM INTO '"+backup+"'")
			must(t, os.Chmod(backup, 0o600))
			lost := create(t, s, "lost")
			count(t, s, "before", click(lost), click(lost))
			must(t, s.Check(t.Context()))
			s = put(t, s, backup, path)
			count(t, s, "between", click(lost))
			other := create(t, s, "other")
			if other.ID != lost.ID {
				t.Fatalf("%s: ID %d is given out instead of %d", name, other.ID, lost.ID)
			}
			count(t, s, "after", click(lost), click(other), click(lost), click(other))
			for link, want := range map[terse.LinkRef]int64{other.Ref(): 2, terse.AllLinks: 2} {
				if got, err := s.Series(t.Context(), link,
					storetest.AllTime); err != nil || got.Total != want {
					t.Errorf("%s: %d clicks of %q, %v, want %d",
						name, got.Total, link.Code, err, want)
				}
			}
			must(t, s.Close())
		})
	}
}

func click(link terse.Link) terse.Click {
	return terse.Click{
		Link: link.ID, Code: link.Code, Time: time.Now().UnixMicro(),
	}
}

// count adds clicks as the only batch of a journal.
func count(t *testing.T, s *sqlite.Store, journal string, clicks ...terse.Click) {
	t.Helper()
	must(t, s.AddClicks(t.Context(), storetest.Batch(journal, 0, clicks...)))
}
