package sqlite_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"terse"
	"terse/internal/sqlite"
	"terse/internal/storetest"
)

// Statistics stay what they were in a database of the version that knew countries, referrers and
// rules only, and go on. So do searches, which read it after all migrations.
func TestDatabaseOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	packed, err := os.Open("testdata/earlier.db.gz")
	must(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	must(t, err)
	path := filepath.Join(t.TempDir(), "terse.db")
	file, err := os.Create(path)
	must(t, err)
	_, err = io.Copy(file, unpacked)
	must(t, err)
	must(t, file.Close())
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	storetest.CheckEarlier(t, s)
	finds := func(word string, want int64) {
		t.Helper()
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Limit: 10, Search: terse.Search{{word}},
		})
		must(t, err)
		if page.Total != want {
			t.Errorf("%d links have %q, want %d", page.Total, word, want)
		}
	}
	finds("earlier", 3)
	code, err := terse.ParseCode("earlier1")
	must(t, err)
	link, err := s.Link(t.Context(), code)
	must(t, err)
	link.URL = "https://later.example/"
	link = update(t, s, link)
	finds("earlier", 3)
	finds("later.example", 1)
	must(t, s.Delete(t.Context(), link))
	finds("earlier", 2)
}
