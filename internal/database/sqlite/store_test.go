package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

func TestStore(t *testing.T) { storetest.Run(t, openEmpty) }

func TestPlainStore(t *testing.T) { storetest.RunPlain(t, openEmpty) }

// openEmpty opens a store on a new database, and notes its statements.
func openEmpty(t *testing.T) storetest.Store {
	t.Helper()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	t.Cleanup(func() {
		ran.add(s.Statements())
		must(t, s.Close())
	})
	return s
}

func TestIgnoreCase(t *testing.T) {
	t.Parallel()
	open := func(path string) (*sqlite.Store, error) {
		return sqlite.Open(t.Context(), sqlite.Options{Path: path, IgnoreCase: true})
	}
	storetest.RunIgnoringCase(t, func(t *testing.T) storetest.Store {
		s, err := open(filepath.Join(t.TempDir(), "terse.db"))
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	})
	path := filepath.Join(t.TempDir(), "clashes.db")
	s := openAt(t, path)
	storetest.Clash(t, s)
	must(t, s.Close())
	_, err := open(path)
	storetest.WantClashes(t, err)
}

func TestReopen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	storetest.RunReopen(t, func(t *testing.T) storetest.Store { return openAt(t, path) })
}

// openSeeing opens a store that adds an effect to what follows from changes.
func openSeeing(t *testing.T) (s *sqlite.Store, seen func() []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terse.db")
	s, err := sqlite.Open(t.Context(), sqlite.WithRule(
		sqlite.Options{Path: path, Timeout: time.Minute}, storetest.Seen))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	byHand(t, path, "CREATE TABLE seen (what TEXT) STRICT")
	return s, func() []string { return textsByHand(t, path, "SELECT what FROM seen") }
}

// TestAccountEffects adds an effect to what follows from changes of users, tokens and sessions.
func TestAccountEffects(t *testing.T) {
	t.Parallel()
	s, seen := openSeeing(t)
	storetest.AccountEffects(t, s, seen)
}

// TestEffects adds an effect to what follows from changes of links.
func TestEffects(t *testing.T) {
	t.Parallel()
	s, seen := openSeeing(t)
	storetest.Effects(t, s, seen, func() error {
		_, err := s.MoveDue(t.Context())
		return err
	})
}
