package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/sqlite"
	"terse/internal/storetest"
)

// waitAbsent waits until Absent says what it should of a code.
func waitAbsent(t testing.TB, s *sqlite.Store, c string, want bool) {
	t.Helper()
	for began := time.Now(); s.Absent(code(t, c)) != want; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%s: still not %v after a minute", c, want)
		}
	}
}

// What others write into the database is found soon, and what is not there is denied again.
func TestAbsentOfOthers(t *testing.T) {
	t.Parallel()
	const insert = `INSERT INTO links (code, url, created_at, created_by)
		VALUES ('by-hand', 'https://example.org/', 0, 'me')`
	for name, write := range map[string]func(t *testing.T, path string){
		"insert": func(t *testing.T, path string) { byHand(t, path, insert) },
		"change": func(t *testing.T, path string) {
			byHand(t, path, "UPDATE links SET code = "+
				"'by-hand'")
		},
		"insert and VACUUM": func(t *testing.T, path string) {
			byHand(t, path, insert, "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
		},
		"replaced file": func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "other.db")
			must(t, openAt(t, other).Close())
			byHand(t, other, insert)
			must(t, os.Rename(other, path))
		},
		"no code": func(t *testing.T, path string) {
			byHand(t, path,
				`INSERT INTO links (code, url, created_at, created_by)
				VALUES ('?', 'https://example.org/', 0, 'me')`, insert)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			s := openAt(t, path)
			defer s.Close()
			create(t, s, "before")
			waitAbsent(t, s, "by-hand", true)
			if _, err := s.Link(t.Context(), code(t, "by-hand")); !errors.Is(err,
				terse.ErrNotFound) {
				t.Error(err)
			}
			write(t, path)
			if name != "replaced file" { // which is opened soon
				if _, err := s.Link(t.Context(), code(t, "by-hand")); err != nil {
					t.Errorf("not found after it was written: %v", err)
				}
			}
			waitAbsent(t, s, "by-hand", false)
			waitAbsent(t, s, "unknown", true)
			if s.Absent(code(t, "by-hand")) {
				t.Error("denied when the codes are known again")
			}
			if _, err := s.Link(t.Context(), code(t, "by-hand")); err != nil {
				t.Error(err)
			}
		})
	}
}

// Others may keep the write lock after they have added a link, while a write of ours waits for it:
// their link is not denied, and Watch tells of it.
func TestAbsentWhileOthersWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	waitAbsent(t, s, "by-hand", true)
	told := make(chan struct{}, 100)
	go func() { _ = s.Watch(t.Context(), nil, func() { told <- struct{}{} }) }()
	<-told // of all that was there at the start
	release := s.TakeWriter()
	byHand(t, path,
		`INSERT INTO links (code, url, created_at, created_by)
		VALUES ('by-hand', 'https://example.org/', 0, 'me')`)
	unlock := lock(t, path)
	created := make(chan error)
	go func() {
		_, err := s.Create(t.Context(), newLink(t, "ours"))
		created <- err
	}()
	release()
	waitAbsent(t, s, "by-hand", false)
	<-told
	unlock()
	must(t, <-created)
}

// What others commit just before we write is seen when we do: nobody need wait for the next look.
func TestAbsentAfterOwnWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	waitAbsent(t, s, "by-hand", true)
	byHand(t, path,
		`INSERT INTO links (code, url, created_at, created_by)
		VALUES ('by-hand', 'https://example.org/', 0, 'me')`)
	create(t, s, "ours")
	if s.Absent(code(t, "by-hand")) {
		t.Error("denied after a write of ours")
	}
}

// Our own writes leave the codes known; while the file is away they are not, nor when the store is
// closed.
func TestAbsentStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	waitAbsent(t, s, "unknown", true)
	for i := range 50 {
		link := create(t, s, fmt.Sprintf("code%d", i))
		must(t, s.AddClicks(t.Context(),
			storetest.Batch("j", int64(i), slowClicks(link, 10, 10)...)))
		if i%2 == 0 {
			must(t, s.Delete(t.Context(), link))
		}
		if !s.Absent(code(t, "unknown")) {
			t.Fatalf("the codes were forgotten at write %d", i)
		}
	}
	must(t, os.Rename(path, path+".away"))
	waitAbsent(t, s, "unknown", false)
	must(t, os.Rename(path+".away", path))
	must(t, s.Check(t.Context()))
	must(t, s.Close())
	if s.Absent(code(t, "unknown")) {
		t.Error("a closed store knows codes")
	}
}

// The table grows with the links: unknown codes are denied when there are more than it was made
// for, and no link ever is.
func TestAbsentGrows(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer s.Close()
	waitAbsent(t, s, "unknown", true)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for k := range 50 {
				c := fmt.Sprintf("c-%d-%d", i, k)
				create(t, s, c)
				if s.Absent(code(t, c)) {
					t.Errorf("%s is denied", c)
				}
			}
		})
	}
	wg.Wait()
	const asked = 1000
	denied := 0
	for began := time.Now(); denied < asked*98/100; time.Sleep(time.Millisecond) {
		denied = 0
		for range asked {
			if s.Absent(terse.NewCode()) {
				denied++
			}
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%d of %d unknown codes are denied", denied, asked)
		}
	}
	for i := range 64 {
		for k := range 50 {
			if c := fmt.Sprintf("c-%d-%d", i, k); s.Absent(code(t, c)) {
				t.Errorf("%s is denied afterwards", c)
			}
		}
	}
}

// A look-up that knows a link's ID finds what there is now: not a deleted link, the new one when
// its code was chosen again, and the right one of two whose codes others exchanged.
func TestLinkByKnownID(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	waitAbsent(t, s, "unknown", true)
	one, other := create(t, s, "one"), create(t, s, "other")
	wantID := func(c string, want terse.LinkID) {
		t.Helper()
		if link, err := s.Link(t.Context(), code(t, c)); err != nil || link.ID != want ||
			link.Code != code(t, c) {
			t.Errorf("%s: %+v, %v instead of %d", c, link, err, want)
		}
	}
	wantID("one", one.ID)
	byHand(t, path, "UPDATE links SET code = 'third' WHERE code = 'one'",
		"UPDATE links SET code = 'one' WHERE code = 'other'",
		"UPDATE links SET code = 'other' WHERE code = 'third'")
	wantID("one", other.ID)
	wantID("other", one.ID)
	waitAbsent(t, s, "third", true)
	must(t, s.Delete(t.Context(), terse.Link{ID: other.ID, Code: code(t, "one")}))
	if _, err := s.Link(t.Context(), code(t, "one")); !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	wantID("one", create(t, s, "one").ID)
}
