package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

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
	// root, new, server, token, journal, its ID, database and segment.
	if err != nil || created != 8 {
		t.Errorf("%d names: %v", created, err)
	}
}

// A lock or a report that is a link leads to a file that somebody else chose. Nothing is written to
// it.
func TestRootWritesIntoNoForeignFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root may be led astray")
	}
	i := start(t)
	i.choose(t, "abc", "https://example.com/")
	file := filepath.Join(t.TempDir(), "backup.db")
	done(t, onData(t, i.dir, "backup", file))
	lines := filepath.Join(t.TempDir(), "lines")
	must(t, os.WriteFile(lines,
		[]byte(`{"type":"link","short_code":"bad","original_url":"nonsense"}`), 0o600))
	const stranger = 65532
	for name, run := range map[string]func(dir, path string){
		"lock":          func(dir, _ string) { onData(t, dir, "restore", file) },
		"terse.db.lock": func(dir, _ string) { onData(t, dir, "restore", file) },
		"picture.svg":   func(_, path string) { i.command(t, "qr", "abc", "--output", path) },
		"report.csv": func(_, path string) {
			i.command(t, "import", "terse", lines, "--report", path)
		},
	} {
		for _, link := range []string{"symbolic", "hard"} {
			dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
			must(t, os.WriteFile(victim, []byte("precious"), 0o600))
			must(t, os.Chown(dir, stranger, stranger))
			path := filepath.Join(dir, name)
			if link == "symbolic" {
				must(t, os.Symlink(victim, path))
				must(t, os.Lchown(path, stranger, stranger))
			} else if must(t, os.Link(victim, path)); !strings.HasSuffix(name, "lock") {
				continue // Linux lets nobody but its owner do that
			}
			run(dir, path)
			var info unix.Stat_t
			must(t, unix.Stat(victim, &info))
			if b, _ := os.ReadFile(victim); string(b) != "precious" || info.Uid != 0 {
				t.Errorf("%s, %s: %q, of %d", name, link, b, info.Uid)
			}
		}
	}
}
