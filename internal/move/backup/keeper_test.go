package backup

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terse/internal/database/sqlite"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newDatabase makes an empty database.
func newDatabase(t testing.TB) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "terse.db")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	must(t, err)
	must(t, s.Close())
	return path
}

// keeping runs a keeper of 3 backups, one every 6 hours, until the test ends.
func keeping(t *testing.T, dir, database string) *Keeper {
	t.Helper()
	k, err := New(Options{
		Dir: dir, Database: database, Interval: 6 * time.Hour, Keep: 3,
		Logger: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		must(t, <-ended)
	})
	return k
}

// filesIn are the names of the files in a folder, times without their date.
func filesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, strings.Replace(entry.Name(), "terse-20000101T", "", 1))
	}
	return fmt.Sprint(names)
}

// later lets time pass, and then what is due happen.
func later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Backups are made at intervals. Those that are too many are deleted, and nothing else.
func TestKeeper(t *testing.T) {
	t.Parallel()
	database, dir := newDatabase(t), t.TempDir()
	for _, name := range []string{
		"another.db", "terse-20000101T000000Z.db.bak", "terse-20009999T000000Z.db",
		"terse-19990101T000000Z.db", "terse-19990101T000000Z.db.part",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	const others = "000000Z.db.bak terse-20009999T000000Z.db"
	synctest.Test(t, func(t *testing.T) { // which begins at midnight of 2000-01-01
		k := keeping(t, dir, database)
		later(time.Second)
		if got, want := filesIn(t, dir), "[another.db terse-19990101T000000Z.db 000000Z.db "+
			others+"]"; got != want {
			t.Errorf("at once: %s, want %s", got, want)
		}
		later(6*time.Hour - 2*time.Second)
		if s := k.Stats(); s.Last.Unix() != time.Now().Add(-6*time.Hour+time.Second).Unix() ||
			s.Bytes == 0 || s.Err != nil || s.Failures != 0 {
			t.Errorf("%+v", s)
		}
		later(time.Second)
		if got, want := filesIn(t, dir), "[another.db terse-19990101T000000Z.db 000000Z.db "+
			strings.Replace(others, " ", " 060000Z.db ", 1)+"]"; got != want {
			t.Errorf("after an interval: %s, want %s", got, want)
		}
		later(18 * time.Hour)
		if got, want := filesIn(t, dir), "[another.db 000000Z.db.bak 120000Z.db 180000Z.db "+
			"terse-20000102T000000Z.db terse-20009999T000000Z.db]"; got != want {
			t.Errorf("after a day: %s, want %s", got, want)
		}
		if warning := k.Warning(time.Now()); warning != "" {
			t.Error(warning)
		}
	})
}

// A backup that fails is tried again a minute later. Meanwhile none is deleted. After two intervals
// there is a warning that says why.
func TestKeeperFails(t *testing.T) {
	t.Parallel()
	database, dir := newDatabase(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		k := keeping(t, dir, database)
		later(18*time.Hour + time.Second)
		must(t, os.Rename(database, database+".away"))
		later(12*time.Hour - 3*time.Second)
		if s := k.Stats(); s.Err == nil || s.Failures != 6*60 || k.Warning(time.Now()) != "" {
			t.Errorf("%+v, warning %q", s, k.Warning(time.Now()))
		}
		later(3 * time.Second)
		if got := k.Warning(time.Now()); got !=
			"backup: none was made for 12h0m1s: there is no database at "+database {
			t.Error(got)
		}
		if got := filesIn(t, dir); got != "[060000Z.db 120000Z.db 180000Z.db]" {
			t.Error(got)
		}
		must(t, os.Rename(database+".away", database))
		later(time.Minute)
		if s := k.Stats(); s.Err != nil || time.Since(s.Last) > time.Minute ||
			k.Warning(time.Now()) != "" {
			t.Errorf("%+v, warning %q", s, k.Warning(time.Now()))
		}
	})
}

// A new keeper continues with the backups that are there. One that was made while the clock was
// wrong does not keep it from making others, and is not taken for an old one.
func TestKeeperContinues(t *testing.T) {
	t.Parallel()
	database, dir := newDatabase(t), t.TempDir()
	for _, name := range []string{"terse-19991231T210000Z.db", "terse-20380101T000000Z.db"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("abc"), 0o600))
	}
	synctest.Test(t, func(t *testing.T) {
		k := keeping(t, dir, database)
		later(3*time.Hour - time.Second)
		if s := k.Stats(); s.Bytes != 3 || time.Since(s.Last) != 6*time.Hour-time.Second {
			t.Errorf("%+v", s)
		}
		later(24 * time.Hour)
		if got := filesIn(t, dir); got !=
			"[090000Z.db 150000Z.db 210000Z.db terse-20380101T000000Z.db]" {
			t.Error(got)
		}
	})
}

// A backup whose context ends leaves nothing, and takes nothing away.
func TestMakeIsInterrupted(t *testing.T) {
	t.Parallel()
	database, dir := newDatabase(t), t.TempDir()
	file := filepath.Join(dir, "backup.db")
	must(t, os.WriteFile(file, []byte("old"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Make(ctx, database, file, true); err == nil {
		t.Error("it succeeds")
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "old" || filesIn(t, dir) !=
		"[backup.db]" {
		t.Errorf("%q, %v, %s", b, err, filesIn(t, dir))
	}
}
