package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/cli"
	"terse/internal/click/journal"
	"terse/internal/tests/pgtest"
)

// refusal starts a server that is to refuse, and returns what it says.
func refusal(t *testing.T, dir string, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told, done := &output{}, make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve"}, environFor(dir, env), nil, &output{}, told)
	}()
	await(t, "the server to end, or to listen",
		func() bool { return len(done) > 0 || listens.MatchString(told.String()) })
	cancel()
	if code := <-done; code != cli.ExitFailure {
		t.Errorf("exit code %d, want %d: %s", code, cli.ExitFailure, told)
	}
	return told.String()
}

// leaveClicks visits a server and kills it until the journal has records: a start may drop the
// first ones once they are counted, with the visitors of the day before. It returns how many clicks
// there were.
func leaveClicks(t *testing.T, dir string, env ...string) (clicks int64) {
	t.Helper()
	await(t, "clicks that stay in the journal", func() bool {
		i := startProcess(t, dir, env...)
		i.visitor(t)("abc", 1)
		clicks++
		i.kill()
		return errors.Is(journal.CheckDatabase(journalIn(dir), "none"), journal.ErrOtherDatabase)
	})
	return clicks
}

// Clicks in a journal are counted by the database that has their links, once, and by no other one,
// whose links with the same codes and IDs are others.
func TestJournalOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	inFolder := func(*testing.T) string { return "" } // terse.db
	elsewhere := func(t *testing.T) string { return filepath.Join(t.TempDir(), "links.db") }
	shared := func(t *testing.T) string { return pgtest.URL(t) }
	for name, kinds := range map[string][2]func(*testing.T) string{
		"SQLite, PostgreSQL":     {inFolder, shared},
		"PostgreSQL, SQLite":     {shared, inFolder},
		"two of PostgreSQL":      {shared, shared},
		"two of SQLite":          {inFolder, elsewhere},
		"two of SQLite, outside": {elsewhere, elsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first := "DATABASE_URL=" + kinds[0](t)
			second := "DATABASE_URL=" + kinds[1](t)
			if second == "DATABASE_URL=" { // not in the folder of the first one, for its links
				seed := startIn(t, dir)
				seed.choose(t, "abc", "https://other.example/")
				seed.stop(t)
				must(t, os.RemoveAll(journalIn(dir)))
			} else {
				seed := start(t, second)
				seed.choose(t, "abc", "https://other.example/")
				seed.stop(t)
			}
			i := startIn(t, dir, first)
			i.choose(t, "abc", "https://example.com/")
			i.stop(t)
			clicks := leaveClicks(t, dir, first)
			said := refusal(t, dir, second)
			for _, want := range []string{
				"another database", "former DATABASE_URL", "move " + journalIn(dir) + " away",
			} {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q: %s", want, said)
				}
			}
			i = startIn(t, dir, first)
			if n := i.counted(t, "abc"); n != clicks {
				t.Errorf("%d clicks with the former database, want %d", n, clicks)
			}
			i.stop(t)
			must(t, os.Rename(journalIn(dir), filepath.Join(dir, "moved")))
			i = startIn(t, dir, second)
			i.visitor(t)("abc", 1)
			if n := i.counted(t, "abc"); n != 1 {
				t.Errorf("%d clicks with the new database, want 1", n)
			}
		})
	}
}

// A journal without clicks belongs to the database that it is opened with next.
func TestJournalIsTakenOver(t *testing.T) {
	t.Parallel()
	dir, shared := t.TempDir(), "DATABASE_URL="+pgtest.URL(t)
	startIn(t, dir).stop(t)
	doctor := &setUp{dir: dir}
	if said := doctor.diagnose(t, shared)["database"]; !strings.HasPrefix(said, "ok: ") {
		t.Errorf("a journal without clicks: %s", said)
	}
	i := startIn(t, dir, shared)
	i.choose(t, "abc", "https://example.com/")
	i.stop(t)
	clicks := leaveClicks(t, dir, shared)
	refusal(t, dir)
	want(t, doctor.diagnose(t), "database", "", "fail: "+journalIn(dir),
		"its clicks are of another database", "Start once with the former DATABASE_URL")
	i = startIn(t, dir, shared)
	if n := i.counted(t, "abc"); n != clicks {
		t.Errorf("%d clicks, want %d", n, clicks)
	}
	if said := doctor.diagnose(t, shared)["database"]; !strings.HasPrefix(said, "ok: ") ||
		strings.Contains(said, "fail: ") {
		t.Errorf("beside the server: %s", said)
	}
}

// A journal of a version that did not note whose clicks it has belongs to the database that it is
// opened with.
func TestJournalOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := startIn(t, dir)
	i.choose(t, "abc", "https://example.com/")
	i.stop(t)
	clicks := leaveClicks(t, dir)
	must(t, os.Remove(filepath.Join(journalIn(dir), "database")))
	i = startIn(t, dir)
	if n := i.counted(t, "abc"); n != clicks {
		t.Errorf("%d clicks, want %d", n, clicks)
	}
	i.stop(t)
	leaveClicks(t, dir)
	refusal(t, dir, "DATABASE_URL="+filepath.Join(t.TempDir(), "other.db"))
}

// A database is the same one on another server, under another name, and in a folder that was moved.
func TestSameDatabaseElsewhere(t *testing.T) {
	t.Parallel()
	dir, shared := t.TempDir(), pgtest.URL(t)
	i := startIn(t, dir, "DATABASE_URL="+shared)
	i.choose(t, "abc", "https://example.com/")
	i.stop(t)
	clicks := leaveClicks(t, dir, "DATABASE_URL="+shared)
	address, err := url.Parse(shared)
	must(t, err)
	name := strings.TrimPrefix(address.Path, "/")
	pgtest.Exec(t, strings.Replace(shared, "/"+name, "/postgres", 1),
		"CREATE DATABASE "+name+"_copy TEMPLATE "+name)
	copied := strings.Replace(shared, "/"+name, "/"+name+"_copy", 1)
	t.Cleanup(func() {
		pgtest.Exec(t, shared, "DROP DATABASE "+name+"_copy WITH (FORCE)")
	})
	i = startIn(t, dir, "DATABASE_URL="+copied)
	if n := i.counted(t, "abc"); n != clicks {
		t.Errorf("%d clicks in the copy, want %d", n, clicks)
	}

	dir = filepath.Join(t.TempDir(), "before")
	i = startIn(t, dir)
	i.choose(t, "abc", "https://example.com/")
	i.stop(t)
	clicks = leaveClicks(t, dir)
	moved := filepath.Join(t.TempDir(), "after")
	must(t, os.Rename(dir, moved))
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(moved, link))
	i = startIn(t, link, "DATABASE_URL=sqlite:"+filepath.Join(moved, "terse.db"))
	if n := i.counted(t, "abc"); n != clicks {
		t.Errorf("%d clicks in the moved folder, want %d", n, clicks)
	}
}
