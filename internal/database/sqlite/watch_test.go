package sqlite_test

import (
	"path/filepath"
	"testing"

	"terse/internal/database/sqlite"
)

// watch returns a channel that gets something whenever Watch calls all, and has had the first call,
// which is about what was there at the start.
func watch(t *testing.T, s *sqlite.Store) <-chan struct{} {
	t.Helper()
	told := make(chan struct{}, 100)
	go func() { _ = s.Watch(t.Context(), nil, func() { told <- struct{}{} }) }()
	<-told
	return told
}

const insertByHand = `INSERT INTO links (code, url, created_at, created_by)
	VALUES ('by-hand', 'https://example.org/', 0, 'me')`

// Watch reports others' writes, even if they are checkpointed at once, but not the store's own
// writes.
func TestWatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	told := watch(t, s)
	create(t, s, "ours")
	must(t, s.Check(t.Context()))
	if len(told) > 0 {
		t.Error("told of a write of the store's")
	}
	byHand(t, path, insertByHand)
	<-told
	byHand(t, path, "UPDATE links SET url = 'https://example.com/'", "VACUUM",
		"PRAGMA wal_checkpoint(TRUNCATE)")
	<-told
}

// Others may keep the write lock after they have added a link, while a write of ours waits for it:
// Watch tells of the link all the same.
func TestWatchWhileOthersWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	told := watch(t, s)
	release := s.TakeWriter()
	byHand(t, path, insertByHand)
	unlock := lock(t, path)
	created := make(chan error)
	go func() {
		_, err := s.Create(t.Context(), me, newLink(t, "ours"))
		created <- err
	}()
	release()
	<-told
	unlock()
	must(t, <-created)
}
