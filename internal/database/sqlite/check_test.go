package sqlite_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
)

// Check fails while something is wrong with the file, so do writes, and both succeed again
// afterwards.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		mend  func(t *testing.T, path string)
		keeps bool // the link that was created before is there afterwards
	}{
		{"moved away and back", func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".away"))
		}, func(t *testing.T, path string) {
			must(t, os.Rename(path+".away", path))
		}, true},
		{"replaced by garbage, then by a copy", func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".away"))
			must(t, os.WriteFile(path, make([]byte, 8192), 0o600))
		}, func(t *testing.T, path string) {
			copyFile(t, path+".away", path+".new")
			must(t, os.Rename(path+".new", path))
		}, true},
		{"replaced by an empty file, then by a new database", func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".away"))
			must(t, os.WriteFile(path, nil, 0o600))
		}, func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "other.db")
			must(t, openAt(t, other).Close())
			must(t, os.Rename(other, path))
		}, false},
		{"truncated and restored", func(t *testing.T, path string) {
			copyFile(t, path, path+".copy")
			must(t, os.Truncate(path, 4096))
		}, func(t *testing.T, path string) {
			copyFile(t, path+".copy", path)
		}, true},
		{"emptied and restored", func(t *testing.T, path string) {
			copyFile(t, path, path+".copy")
			must(t, os.Truncate(path, 0))
		}, func(t *testing.T, path string) {
			copyFile(t, path+".copy", path)
		}, true},
		{"read-only", func(t *testing.T, path string) {
			must(t, os.Chmod(path, 0o400))
		}, func(t *testing.T, path string) {
			must(t, os.Chmod(path, 0o600))
		}, true},
		{"write-ahead log removed", func(t *testing.T, path string) {
			for os.Mkdir(path+"-wal", 0o700) != nil { // the store may make a new one
				must(t, os.Rename(path+"-wal", path+"-away"))
			}
		}, func(t *testing.T, path string) {
			must(t, os.Remove(path+"-wal"))
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			s := openAt(t, path)
			defer s.Close()
			create(t, s, "before")
			must(t, s.Close()) // so that it is in the file itself
			s = openAt(t, path)
			defer s.Close()
			must(t, s.Check(t.Context()))
			tc.spoil(t, path)
			if err := s.Check(t.Context()); err == nil {
				t.Fatal("Check succeeds")
			}
			if _, err := s.Create(t.Context(), me, newLink(t, "lost")); err == nil {
				t.Fatal("Create succeeds")
			}
			tc.mend(t, path)
			must(t, s.Check(t.Context()))
			create(t, s, "after")
			must(t, s.Close())

			s = openAt(t, path)
			defer s.Close()
			if _, err := s.Link(t.Context(), code(t, "after")); err != nil {
				t.Error(err)
			}
			if _, err := s.Link(t.Context(), code(t, "before")); (err == nil) != tc.keeps {
				t.Errorf("the first link: %v", err)
			}
		})
	}
}

// Another process that holds the write lock fails Check by its deadline.
func TestCheckLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	unlock := lock(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Check(ctx); err == nil {
		t.Error("Check succeeds while another holds the lock")
	}
	if ctx.Err() == nil {
		t.Error("Check did not wait for the lock")
	}
	unlock()
	must(t, s.Check(t.Context()))
}

// A store whose links can't be read is not well.
func TestCheckReads(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	must(t, s.Check(t.Context()))
	byHand(t, path, "ALTER TABLE links RENAME TO hidden")
	if err := s.Check(t.Context()); err == nil {
		t.Error("a store without links is ready")
	}
	byHand(t, path, "ALTER TABLE hidden RENAME TO links")
	must(t, s.Check(t.Context()))
}

// A file that was made smaller by VACUUM is not a broken one, nor when the database's last pages
// are only in the log afterwards.
func TestCheckVacuum(t *testing.T) {
	t.Parallel()
	const random = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 300) " +
		"SELECT randomblob(1000) FROM n"
	for name, then := range map[string][]string{
		"":           nil,
		"and growth": {"CREATE TABLE large AS " + random},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			s := openAt(t, path)
			defer s.Close()
			byHand(t, path, "CREATE TABLE large AS "+random, "INSERT INTO large "+random,
				"PRAGMA wal_checkpoint(TRUNCATE)")
			must(t, s.Check(t.Context()))
			byHand(t, path, append([]string{
				"DROP TABLE large", "VACUUM",
				"PRAGMA wal_checkpoint(TRUNCATE)",
			}, then...)...)
			must(t, s.CheckFiles()) // as Check does during a write
			must(t, s.Check(t.Context()))
			create(t, s, "after")
			must(t, s.Check(t.Context()))
		})
	}
}

// What was moved from the log to the file, and is not there any more, is missed, although the log
// still has it: SQLite does not read it there.
func TestCheckMissesWhatWasMoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	byHand(t, path, "VACUUM") // all of it goes through the log
	must(t, s.Check(t.Context()))
	keepLog(t, path)
	byHand(t, path, "INSERT INTO link_ranges VALUES ('other', 0, 0, 0, 0)",
		"PRAGMA wal_checkpoint(PASSIVE)")
	must(t, s.Check(t.Context()))
	info, err := os.Stat(path)
	must(t, err)
	must(t, os.Truncate(path, info.Size()-4096))
	if err := s.Check(t.Context()); err == nil {
		t.Error("a page is missing, and Check succeeds")
	}
}

// list returns a page of the newest links.
func list(t *testing.T, s terse.Links, owner string, limit,
	offset int,
) ([]terse.Link, int64, error) {
	t.Helper()
	page, err := s.Links(t.Context(), terse.LinkQuery{Owner: owner, Limit: limit, Offset: offset})
	return page.Links, page.Total, err
}

func openAt(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	must(t, err)
	return s
}

func code(t testing.TB, s string) terse.Code {
	t.Helper()
	c, err := terse.ParseCode(s)
	must(t, err)
	return c
}

func newLink(t testing.TB, s string) terse.NewLink {
	return terse.NewLink{Code: code(t, s), URL: "https://example.org/", CreatedBy: terse.Identity}
}

func create(t testing.TB, s terse.Links, c string) terse.Link {
	t.Helper()
	l, err := s.Create(context.Background(), me, newLink(t, c))
	must(t, err)
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copyFile writes into a file that exists. It is another process that does: to open and close the
// file in this one would drop SQLite's locks.
func copyFile(t testing.TB, from, to string) {
	t.Helper()
	must(t, exec.Command("cp", from, to).Run())
}
