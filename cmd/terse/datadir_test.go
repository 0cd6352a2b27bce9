package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/durable"
)

// What the first start and `terse token` create is there after a loss of power: the names of the
// files, of their folders, and of the folders' parents. SQLite syncs the folder of its files
// itself.
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
	token := filepath.Join(root, "other", "token")
	var out, problem bytes.Buffer
	if code := run(t.Context(), []string{"token", "--data-dir", token}, nil, nil, &out,
		&problem); code != 0 || out.Len() == 0 {
		t.Fatalf("token: %d %s", code, &problem)
	}
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
	// root, new, server, token, journal, its ID and segment; other, token, and the token in it.
	if err != nil || created != 10 {
		t.Errorf("%d names: %v", created, err)
	}
}
