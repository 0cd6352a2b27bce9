package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/tests/longtest"
)

// lookUpAllTheTime looks links up from several goroutines until stop is called.
func lookUpAllTheTime(t *testing.T, s *sqlite.Store, c terse.Code) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				if _, err := s.Link(context.Background(), c); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	return func() {
		cancel()
		wg.Wait()
	}
}

// Look-ups see all that was acknowledged.
func TestLookUpsSeeOwnWrites(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer s.Close()
	defer lookUpAllTheTime(t, s, create(t, s, "always").Code)()
	for i := range 100 {
		link := create(t, s, fmt.Sprintf("code%d", i))
		if found, err := s.Link(t.Context(), link.Code); err != nil || found != link {
			t.Fatalf("%v, %v after it was created", found, err)
		}
		must(t, s.Delete(t.Context(), me, link))
		if _, err := s.Link(t.Context(), link.Code); !errors.Is(err, terse.ErrNotFound) {
			t.Fatalf("%v after it was deleted", err)
		}
	}
}

// They see what others write, and do not keep them from a checkpoint.
func TestLookUpsSeeOthersWrites(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	link := create(t, s, "always")
	stop := lookUpAllTheTime(t, s, link.Code)
	byHand(t, path, "UPDATE links SET url = 'https://other.example/'")
	for began := time.Now(); link.URL != "https://other.example/"; time.Sleep(time.Millisecond) {
		var err error
		link, err = s.Link(t.Context(), link.Code)
		must(t, err)
		if time.Since(began) > time.Minute {
			t.Fatal("the change is not seen after a minute")
		}
	}
	stop()
	for began := time.Now(); queryByHand(
		t, path, "PRAGMA wal_checkpoint(TRUNCATE)") != 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("no checkpoint for a minute after the last look-up")
		}
	}
}

// They do not let the write-ahead log grow without bound.
func TestLogIsBoundedWhileLinksAreLookedUp(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	defer lookUpAllTheTime(t, s, create(t, s, "always").Code)()
	for round, written := 0, int64(0); ; round++ {
		createLong(t, s, round, 50)
		written += 64 * 50 * 8000
		info, err := os.Stat(path + "-wal")
		must(t, err)
		if info.Size() < written*9/10 {
			return // it began again
		}
		// On a busy machine a look-up may be under way at each commit for a while.
		if round == 9 {
			t.Fatalf("the log has %d bytes after %d were written", info.Size(), written)
		}
	}
}

// Another program, as one that replicates the database, may checkpoint it while links are looked up
// and our writer is busy, as with a batch of clicks that waits for the write lock.
func TestOthersCheckpoint(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	link := create(t, s, "abc")
	other, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	other.SetBusyTimeout(10 * time.Second) // after which a checkpoint fails
	release := s.TakeWriter()
	stop := lookUpAllTheTime(t, s, link.Code)
	for range 2 {
		for _, mode := range []string{"FULL", "RESTART", "TRUNCATE"} {
			must(t, sqlitex.ExecuteTransient(other, "UPDATE links SET url = url || 'x'", nil))
			stmt, err := other.Prepare("PRAGMA wal_checkpoint(" + mode + ")")
			must(t, err)
			_, err = stmt.Step()
			must(t, err)
			if stmt.ColumnBool(0) {
				t.Errorf("%s: the store was in the way", mode)
			}
			must(t, stmt.Reset())
		}
	}
	stop()
	release()
	must(t, other.Close())
	must(t, s.Close())
}
