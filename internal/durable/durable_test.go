package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"terse/internal/durable"
)

// Each new folder's parent is synced, after the folder was created and before the next one is.
func TestMkdirAll(t *testing.T) {
	root := t.TempDir()
	path := func(names ...string) string {
		return filepath.Join(append([]string{root}, names...)...)
	}
	var synced []string
	stop := durable.Observe(func(dir string) {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s was synced with %v in it: %v", dir, entries, err)
		}
		synced = append(synced, dir)
	})
	defer stop()
	for range 2 { // the second time all is there
		if err := durable.MkdirAll(path("a", "b", "c")+"/", 0o700); err != nil {
			t.Fatal(err)
		}
		if want := []string{root, path("a"), path("a", "b")}; !slices.Equal(synced, want) {
			t.Errorf("synced %q, want %q", synced, want)
		}
	}
	if info, err := os.Stat(path("a", "b", "c")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestMkdirAllRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	var synced []string
	defer durable.Observe(func(dir string) { synced = append(synced, dir) })()
	if err := durable.MkdirAll("a/b", 0o700); err != nil ||
		!slices.Equal(synced, []string{".", "a"}) {
		t.Errorf("synced %q: %v", synced, err)
	}
}

func TestMkdirAllRefuses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), ""} {
		var pathErr *os.PathError
		if err := durable.MkdirAll(dir, 0o700); !errors.As(err, &pathErr) {
			t.Errorf("%q: %v", dir, err)
		}
	}
	if err := durable.SyncDir(file + "-none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
