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

	"terse"
	"terse/internal/sqlite"
)

// lookUpAllTheTime looks links up from several goroutines, so that their transactions are hardly ever ended, until
// stop is called.
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

// Transactions that look-ups leave open hide nothing that was acknowledged.
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
		must(t, s.Delete(t.Context(), link))
		if _, err := s.Link(t.Context(), link.Code); !errors.Is(err, terse.ErrNotFound) {
			t.Fatalf("%v after it was deleted", err)
		}
	}
}

// Nor do they hide for long what others write, nor keep them from a checkpoint.
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
	for began := time.Now(); queryByHand(t, path, "PRAGMA wal_checkpoint(TRUNCATE)") != 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("no checkpoint for a minute after the last look-up")
		}
	}
}

// Nor do they let the write-ahead log grow without bound.
func TestLogIsBoundedWhileLinksAreLookedUp(t *testing.T) {
	t.Parallel()
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
			return // it began anew
		}
		// On a busy machine a look-up may be under way at each commit for a while.
		if round == 9 {
			t.Fatalf("the log has %d bytes after %d were written", info.Size(), written)
		}
	}
}
