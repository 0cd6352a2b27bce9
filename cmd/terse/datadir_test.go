package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/durable"
)

// What the first start creates is there after a loss of power: the names of the files, of their
// folders, and of the folders' parents. SQLite syncs the folder of its files itself.
func TestNamesAreDurable(t *testing.T) { // not parallel: Observe sees the syncs of one test
	root := t.TempDir()
	onDisk := map[string]bool{root: true} // what a loss of power would leave
	defer durable.Observe(func(dir string) {
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range names {
			onDisk[name] = true
		}
	})()

	server := filepath.Join(root, "new", "server")
	startIn(t, server, "AUTH_TOKENS").stop(t)
	created := 0
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		name := entry.Name()
		if strings.HasPrefix(name, "terse.db") || name == "lock" {
			return err
		}
		if created++; !onDisk[path] {
			t.Errorf("a loss of power takes away %s", path)
		}
		return err
	})
	// root, new, server, token, journal, its ID and segment.
	if err != nil || created != 7 {
		t.Errorf("%d names: %v", created, err)
	}
}
