package auth_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"terse"
	"terse/internal/auth"
)

func newTokens(t testing.TB, tokens ...string) *auth.Tokens {
	t.Helper()
	set, err := auth.NewTokens(tokens)
	if err != nil {
		t.Fatalf("NewTokens: %v", err)
	}
	return set
}

// closed is a Gate that must not ask a store.
func closed(t testing.TB, tokens ...string) *auth.Gate {
	t.Helper()
	return auth.NewGate(auth.Options{Tokens: newTokens(t, tokens...)})
}

var ofSettings = terse.Caller{
	Identity: terse.Identity, Role: terse.Admin, Via: terse.ViaAuthTokens,
}

func TestBearer(t *testing.T) {
	t.Parallel()
	gate := closed(t, "first-token", "second", "a,b:c=")
	const (
		missing = "Unauthorized: missing authorization header"
		format  = "Unauthorized: invalid authorization format"
		unknown = "Unauthorized: invalid token"
	)
	for _, tt := range []struct {
		name    string
		headers []string
		want    string // the error's text; empty: authenticated
	}{
		{"first of several", []string{"Bearer first-token"}, ""},
		{"second of several", []string{"Bearer second"}, ""},
		{"punctuation", []string{"Bearer a,b:c="}, ""},
		{"absent", nil, missing},
		{"absent, but listed", []string{}, missing},
		{"empty", []string{""}, missing},
		{"other scheme", []string{"Basic first-token"}, format},
		{"lower-case scheme", []string{"bearer first-token"}, format},
		{"upper-case scheme", []string{"BEARER first-token"}, format},
		{"no scheme", []string{"first-token"}, format},
		{"no token", []string{"Bearer"}, format},
		{"no token, a space", []string{"Bearer "}, format},
		{"two spaces", []string{"Bearer  first-token"}, format},
		{"a tab", []string{"Bearer\tfirst-token"}, format},
		{"a space before", []string{" Bearer first-token"}, format},
		{"a space after", []string{"Bearer first-token "}, format},
		{"two tokens", []string{"Bearer first-token second"}, format},
		{"several headers", []string{"Bearer first-token", "Bearer first-token"}, format},
		{"several headers, one empty", []string{"", "Bearer first-token"}, format},
		{"several empty headers", []string{"", ""}, format},
		{"unknown", []string{"Bearer third"}, unknown},
		{"other case", []string{"Bearer SECOND"}, unknown},
		{"prefix", []string{"Bearer first"}, unknown},
		{"longer", []string{"Bearer first-token-"}, unknown},
		{"not ASCII", []string{"Bearer sécond"}, unknown},
		{"all at once", []string{"Bearer first-token,second"}, unknown},
		{"very long", []string{"Bearer " + strings.Repeat("x", 1<<16)}, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			caller, err := gate.Bearer(tt.headers)
			if tt.want == "" {
				if err != nil || caller != ofSettings {
					t.Errorf("Bearer = %+v, %v, want %+v", caller, err, ofSettings)
				}
				return
			}
			var known auth.Error
			if !errors.As(err, &known) || known.Error() != tt.want || caller != (terse.Caller{}) {
				t.Errorf("Bearer = %+v, %v, want %q", caller, err, tt.want)
			}
		})
	}
}

func TestNewTokensRefusesWhatCanNotBeSent(t *testing.T) {
	t.Parallel()
	for _, tokens := range [][]string{
		nil,
		{},
		{""},
		{"good", "has space"},
		{"has\ttab"},
		{"has\nnewline"},
		{"sécond"},
		{"\x7f"},
	} {
		set, err := auth.NewTokens(tokens)
		if err == nil || set != nil {
			t.Errorf("NewTokens(%q) = %v, %v, want an error", tokens, set, err)
			continue
		}
		for _, token := range tokens {
			if token != "" && strings.Contains(err.Error(), token) {
				t.Errorf("the error shows a token: %v", err)
			}
		}
	}
	if _, err := auth.NewTokens([]string{"good", "has space"}); err == nil ||
		!strings.Contains(err.Error(), "2 of 2") {
		t.Errorf("the error does not say which token: %v", err)
	}
}

func FuzzAuthorization(f *testing.F) {
	for _, s := range []string{
		"", "Bearer", "Bearer ", "Bearer secret", "bearer secret",
		"Bearer  secret", "Basic c2VjcmV0", "Bearer \xff", "Bearer secret ",
	} {
		f.Add(s, "", false)
		f.Add(s, s, true)
	}
	gate := closed(f, "secret")
	f.Fuzz(func(t *testing.T, first, second string, both bool) {
		headers := []string{first}
		if both {
			headers = append(headers, second)
		}
		caller, err := gate.Bearer(headers)
		if good := !both && first == "Bearer secret"; good != (err == nil) ||
			good != (caller == ofSettings) {
			t.Fatalf("Bearer(%q) = %+v, %v", headers, caller, err)
		}
		var known auth.Error
		if err != nil && !errors.As(err, &known) {
			t.Fatalf("Bearer(%q): an error that is not for callers: %v", headers, err)
		}
	})
}

func TestGenerateToken(t *testing.T) {
	t.Parallel()
	token := auth.GenerateToken()
	if len(token) != 43 || strings.Trim(
		token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		t.Errorf("GenerateToken() = %d characters %q", len(token), token)
	}
	if token == auth.GenerateToken() {
		t.Error("two tokens are the same")
	}
	if _, err := closed(t, token).Bearer([]string{"Bearer " + token}); err != nil {
		t.Errorf("a generated token is refused: %v", err)
	}
}

func TestTokenFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	token, created, err := auth.LoadOrCreateToken(dir)
	if err != nil || !created || len(token) != 43 {
		t.Fatalf("first call: %q, %v, %v", token, created, err)
	}
	info, err := os.Stat(filepath.Join(dir, "token"))
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has mode %v, %v, want 0600", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind in the directory: %v, %v", entries, err)
	}
	again, created, err := auth.LoadOrCreateToken(dir)
	if err != nil || created || again != token {
		t.Errorf("second call: %q, %v, %v, want %q", again, created, err, token)
	}
}

func TestTokenFileIsMadeOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	tokens, news := make([]string, 8), make([]bool, 8)
	for i := range tokens {
		wg.Go(func() {
			var err error
			if tokens[i], news[i], err = auth.LoadOrCreateToken(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	made := 0
	for i := range tokens {
		if tokens[i] != tokens[0] {
			t.Errorf("callers got different tokens %q and %q", tokens[0], tokens[i])
		}
		if news[i] {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d callers made the token", made)
	}
}

func TestTokenFileRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, content string
		mode          os.FileMode
		want          string
	}{
		{"empty", "", 0o600, "is empty"},
		{"white space", " \n", 0o600, "is empty"},
		{"two tokens", "one\ntwo\n", 0o600, "does not hold one token"},
		{"not text", "\x00\x01", 0o600, "does not hold one token"},
		{"too large", strings.Repeat("a", 5000), 0o600, "does not hold one token"},
		{
			"too large with a token in front", "token" + strings.Repeat("\n", 5000), 0o600,
			"does not hold one token",
		},
		{"readable by the group", "token\n", 0o640, "open to other users (mode 0640)"},
		{"readable by all", "token\n", 0o604, "open to other users (mode 0604)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "token")
			if err := os.WriteFile(path, []byte(tt.content), tt.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tt.mode); err != nil {
				t.Fatal(err)
			}
			token, created, err := auth.LoadOrCreateToken(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) ||
				!strings.Contains(err.Error(), path) || token != "" || created {
				t.Errorf("LoadOrCreateToken = %q, %v, %v, want an error with %q", token, created,
					err, tt.want)
			}
			if content, _ := os.ReadFile(path); string(content) != tt.content {
				t.Error("the file was replaced")
			}
		})
	}
}

func TestTokenFileKeepsOnesOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte("my-own\r\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	if token, created, err := auth.LoadOrCreateToken(dir); token != "my-own" || created ||
		err != nil {
		t.Errorf("LoadOrCreateToken = %q, %v, %v", token, created, err)
	}
}

func TestTokenFileNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, _, err := auth.LoadOrCreateToken(filepath.Join(dir, "absent")); err == nil {
		t.Error("an absent directory is accepted")
	}
	if err := os.Mkdir(filepath.Join(dir, "token"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := auth.LoadOrCreateToken(dir); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory as the file: %v", err)
	}
}
