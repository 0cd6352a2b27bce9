package sqlite

import (
	"path/filepath"
	"strings"
	"testing"

	"terse"
)

// A write that the disk refuses is an error, harms no other, and makes Check write until that goes well again.
func TestFull(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	limit := func(pages string) {
		t.Helper()
		if err := s.write(t.Context(), func(w *writer) error { return w.exec("PRAGMA max_page_count = " + pages) }); err != nil {
			t.Fatal(err)
		}
	}
	create := func() error {
		_, err := s.Create(t.Context(), terse.NewLink{
			Code: terse.NewCode(), URL: terse.URL("https://example.org/" + strings.Repeat("x", 8000)), CreatedBy: "me",
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
	refused := s.walNow()
	if err := create(); err == nil {
		t.Fatal("it is written later")
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if s.walNow() == refused {
		t.Error("Check did not write")
	}
	limit("1000000")
	if err := create(); err != nil {
		t.Error(err)
	}
	if page, err := s.Links(t.Context(), terse.LinkQuery{Owner: "me", Limit: 1}); err != nil || page.Total != created+1 {
		t.Errorf("%d links, %v, want %d", page.Total, err, created+1)
	}
}
