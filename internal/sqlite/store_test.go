package sqlite_test

import (
	"path/filepath"
	"testing"

	"terse"
	"terse/internal/sqlite"
	"terse/internal/storetest"
)

func open(t *testing.T) terse.Store {
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) { storetest.Run(t, open) }
