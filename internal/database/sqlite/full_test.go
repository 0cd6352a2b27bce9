package sqlite

import (
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
)

// A write that the disk refuses is an error, and harms no other.
func TestFull(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	limit := func(pages string) {
		t.Helper()
		limit := func(w *writer) error { return w.exec("PRAGMA max_page_count = " + pages) }
		if err := s.write(t.Context(), limit); err != nil {
			t.Fatal(err)
		}
	}
	create := func() error {
		_, err := s.Create(t.Context(), terse.Caller{}, terse.NewLink{
			Code: terse.NewCode(false), URL: terse.URL("https://example.org/" +
				strings.Repeat("x", 8000)), CreatedBy: "me",
		})
		return err
	}
	limit("30")
	created := int64(0)
	for err = create(); err == nil && created < 100; err = create() {
		created++
	}
	if err == nil {
		t.Fatal("more is written than there is room for")
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	limit("1000000")
	if err := create(); err != nil {
		t.Error(err)
	}
	if page, err := s.Links(t.Context(), terse.LinkQuery{Owner: "me", Limit: 1}); err != nil ||
		page.Total != created+1 {
		t.Errorf("%d links, %v, want %d", page.Total, err, created+1)
	}
}

// After a transaction that the disk refused, Check writes until that succeeds, for only that tells
// whether the disk still refuses; and it does not otherwise.
func TestCheckWritesAfterRefusal(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	defer s.Close()
	must(t, s.Check(t.Context()))
	w := <-s.writer // and nobody else writes
	defer func() { s.writer <- w }()
	other, err := openConn(t.Context(), s.path, readerCacheKiB)
	must(t, err)
	defer other.Close()
	version := func() int64 {
		n, err := query.Int(other, "PRAGMA data_version")
		must(t, err)
		return n
	}
	transact := func(f func() error) (wrote bool, err error) {
		before := version()
		err = w.transact(t.Context(), f)
		return version() != before, err
	}
	if _, err := transact(func() error { return sqlite.ResultFull.ToError() }); err == nil {
		t.Error("a refused transaction succeeds")
	}
	for _, step := range []struct {
		name   string
		run    func() error
		writes bool
	}{
		{"nothing", func() error { return nil }, false},
		{"Check after a refusal", w.checkWrite, true},
		{"Check", w.checkWrite, false},
	} {
		if wrote, err := transact(step.run); err != nil || wrote != step.writes {
			t.Errorf("%s: %v, writes: %v", step.name, err, wrote)
		}
	}
}

// Close does what waits for the writer, however much that is.
func TestCloseDoesWhatWaits(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	w := <-s.writer
	var waiting []*write
	for range maxWaiting - 100 { // what runs in the background may wait, too
		waiting = append(waiting, &write{
			run:  func(*writer) error { return nil },
			done: make(chan struct{}),
		})
		must(t, s.submit(t.Context(), waiting[len(waiting)-1]))
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	<-s.closing
	s.writer <- w
	must(t, <-closed)
	for i, op := range waiting {
		if err := s.answerOfClosed(op); err != nil {
			t.Fatalf("write %d: %v", i, err)
		}
	}
}
