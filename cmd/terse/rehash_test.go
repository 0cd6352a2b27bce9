package main

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"terse"
	"terse/internal/database/sqlite"
)

// TestOldHashesAreReplaced follows a link whose password was hashed by another program: it works,
// and the first right one has it hashed anew.
func TestOldHashesAreReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hash, err := bcrypt.GenerateFromPassword([]byte("right"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	options := terse.LinkOptions{Title: "t", Password: string(hash)}
	text, err := options.Encode()
	if err != nil {
		t.Fatal(err)
	}
	code, err := terse.ParseCode("locked")
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Create(t.Context(), terse.Caller{}, terse.NewLink{
		Code: code, URL: "https://example.com/", CreatedBy: terse.Identity, Options: text,
	}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	i := startIn(t, dir)
	for _, try := range []struct {
		password string
		status   int
	}{{"wrong", 403}, {"right", 302}, {"right", 302}, {"wrong", 403}} {
		if a := i.do(t, "GET /locked", "", "X-Link-Password: "+try.password); a.StatusCode !=
			try.status {
			t.Errorf("%s: %d, want %d", try.password, a.StatusCode, try.status)
		}
	}
	i.stop(t)
	store, err = sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	link, err := store.Link(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := link.Options.Decode()
	if err != nil || kept.Title != "t" || !strings.HasPrefix(kept.Password, "$argon2id$") {
		t.Errorf("%+v %v", kept, err)
	}
	better := kept.Password
	err = replaceHash(t.Context(), store, link.Ref(), string(hash), "another")
	if again, readErr := store.Link(t.Context(), code); err != terse.ErrChanged || readErr != nil ||
		again.Options != link.Options {
		t.Errorf("another hash than the one that was checked is replaced: %v %v", err, readErr)
	}
	if err := replaceHash(t.Context(), store, link.Ref(), better, "another"); err != nil {
		t.Error(err)
	}
}
