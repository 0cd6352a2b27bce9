package sqlite_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"terse/internal/sqlite"
	"terse/internal/storetest"
)

// Statistics stay what they were in a database of the version that knew countries, referrers and
// rules only, and go on.
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
}
