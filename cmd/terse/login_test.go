package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/cli"
)

// home is the environment of a user with a home folder of their own and no settings.
func home(t *testing.T) (environ []string, file string) {
	t.Helper()
	dir := t.TempDir()
	return []string{"XDG_CONFIG_HOME=" + dir, "HOME=" + dir},
		filepath.Join(dir, "terse", "login.json")
}

func TestLogin(t *testing.T) {
	t.Parallel()
	i := start(t)
	environ, file := home(t)

	s := onTerminal(t, 200, environ, "login")
	s.await(t, "Server (http://localhost:8080): ")
	s.answer(t, i.url)
	s.await(t, "Token: ")
	s.answer(t, testToken)
	text, code := s.end(t)
	if code != cli.ExitOK || !strings.Contains(
		text, "Logged in to "+i.url+". The token is kept in "+file+".\n") ||
		strings.Contains(text, testToken) {
		t.Fatalf("login: %d %q", code, text)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its file: %v %v", info.Mode(), err)
	}
	s = onTerminal(t, 200, environ, "login", "http://127.0.0.1:1")
	s.await(t, "Token: ")
	s.cancel()
	if text, code := s.end(t); code != cli.ExitFailure ||
		!strings.Contains(text, "Not logged in.") ||
		!s.echoes(t) {
		t.Errorf("interrupted: %d %q, echo %t", code, text, s.echoes(t))
	}
	if r := command(t, environ, "", "create", "https://example.com/"); r.code != cli.ExitOK {
		t.Errorf("create: %+v", r)
	}
	if r := command(t, append(environ, "TERSE_TOKEN=wrong"), "", "list"); r.code != cli.ExitDenied {
		t.Errorf("TERSE_TOKEN does not win: %+v", r)
	}

	// The token is not for another server.
	other := start(t)
	if r := command(t, append(environ, "TERSE_URL="+other.url), "",
		"list"); r.code != cli.ExitUsage ||
		!strings.Contains(r.err, "No token for "+other.url) {
		t.Errorf("another server: %+v", r)
	}
	if r := command(t, append(environ, "TERSE_URL="+other.url, "TERSE_TOKEN="+testToken), "",
		"list"); r.code != cli.ExitOK {
		t.Errorf("another server with its token: %+v", r)
	}

	if r := command(t, environ, "", "logout"); r.code != cli.ExitOK || r.out != "Logged out.\n" {
		t.Errorf("logout: %+v", r)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file after logout: %v", err)
	}
	if r := command(t, environ, "", "logout"); r.code != cli.ExitOK || r.out != "Not logged in.\n" {
		t.Errorf("logout again: %+v", r)
	}
}

func TestLoginIsCheckedFirst(t *testing.T) {
	t.Parallel()
	i := start(t)
	environ, file := home(t)
	for name, tt := range map[string]struct {
		url, stdin string
		code       int
	}{
		"a wrong token":  {i.url, "wrong\n", cli.ExitDenied},
		"no token":       {i.url, "", cli.ExitFailure},
		"no such server": {"http://127.0.0.1:1", testToken, cli.ExitUnreachable},
		"no URL":         {"sho.rt", testToken, cli.ExitUsage},
	} {
		if r := command(t, environ, tt.stdin, "login", tt.url); r.code != tt.code {
			t.Errorf("%s: %+v, want %d", name, r, tt.code)
		}
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a login that failed was kept: %v", err)
	}
	if r := command(t, append(environ, "TERSE_TOKEN=x"), testToken+"\n", "login",
		i.url+"/"); r.code != cli.ExitOK || !strings.Contains(r.err,
		"TERSE_TOKEN is set and wins") {
		t.Errorf("by a pipe: %+v", r)
	}
	if r := command(t, environ, "", "list"); r.code != cli.ExitOK {
		t.Errorf("list: %+v", r)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := command(t, environ, "", "list"); r.code != cli.ExitUsage ||
		!strings.Contains(r.err, file) {
		t.Errorf("a damaged file: %+v", r)
	}
	if r := command(t, append(environ, "TERSE_URL="+i.url, "TERSE_TOKEN="+testToken), "",
		"list"); r.code != cli.ExitOK {
		t.Errorf("variables win over a damaged file: %+v", r)
	}
	if r := command(t, environ, testToken, "login", i.url); r.code != cli.ExitOK {
		t.Errorf("log in over a damaged file: %+v", r)
	}
}
