package sqlite_test

import (
	"path/filepath"
	"testing"

	"terse/internal/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	})
}

func TestReopen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	storetest.RunReopen(t, func(t *testing.T) storetest.Store { return openAt(t, path) })
}
