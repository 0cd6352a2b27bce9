package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/database/sqlite/query"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openTemp(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// The engine is the one that it says, and has no bug that corrupts databases with a write-ahead
// log: a commit between two checkpoints did so before 3.51.3 (https://sqlite.org/wal.html).
func TestEngineVersion(t *testing.T) {
	t.Parallel()
	s := openTemp(t)
	must(t, s.read(t.Context(), func(conn *sqlite.Conn) error {
		stmt, err := conn.Prepare("SELECT sqlite_version()")
		must(t, err)
		version, err := sqlitex.ResultText(stmt)
		must(t, err)
		if version != EngineVersion {
			t.Errorf("the engine is %s, EngineVersion is %s", version, EngineVersion)
		}
		return nil
	}))
	const least = 3_051_003
	if sqlite.VersionNumber < least {
		t.Errorf("SQLite %s is older than 3.51.3", EngineVersion)
	}
}

// A commit is synced before it is acknowledged (FULL, which is 2). What a loss of power would take
// can't be seen otherwise.
func TestCommitsAreSynced(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	defer s.Close()
	must(t, s.write(t.Context(), func(w *writer) error {
		if level, err := query.Int(w.conn, "PRAGMA synchronous"); err != nil || level != 2 {
			t.Errorf("synchronous is %d, %v", level, err)
		}
		return nil
	}))
}

// What is under way when its context ends is interrupted, and the connection is of use afterwards.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	defer s.Close()
	const long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) " +
		"SELECT count(*) FROM n"
	for name, run := range map[string]func(context.Context, func(*sqlite.Conn) error) error{
		"read": s.read, "snapshot": s.snapshot,
		"write": func(ctx context.Context, f func(*sqlite.Conn) error) error {
			return s.writeAlone(ctx, func(w *writer) error { return f(w.conn) })
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := run(ctx, func(conn *sqlite.Conn) error {
			cancel()
			_, err := query.Int(conn, long)
			return err
		})
		if err = translate(ctx, err, "count"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", name, err)
		}
		must(t, run(t.Context(), checkRead))
	}
}
