package main

import (
	"strings"
	"testing"

	"terse/internal/cli"
	"terse/internal/tests/foreign"
)

// as runs a command with another token.
func (i *instance) as(t *testing.T, token string, args ...string) result {
	t.Helper()
	return command(t, append(i.environ(), "TERSE_TOKEN="+token), "", args...)
}

// wantOut checks that a command is done, and what it prints: whole lines, or their beginnings where
// the text ends in an ellipsis.
func wantOut(t *testing.T, r result, lines ...string) {
	t.Helper()
	got := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if r.out == "" {
		got = nil
	}
	ok := r.code == cli.ExitOK && r.err == "" && len(got) == len(lines)
	for k := 0; ok && k < len(lines); k++ {
		start, cut := strings.CutSuffix(lines[k], "…")
		ok = got[k] == lines[k] || cut && strings.HasPrefix(got[k], start)
	}
	if !ok {
		t.Errorf("%d %s\n%s\nwant\n%s", r.code, r.err, r.out, strings.Join(lines, "\n"))
	}
}

// wantRefusal checks that a command fails, and says why in one line.
func wantRefusal(t *testing.T, r result, code int, said string) {
	t.Helper()
	if r.code != code || r.out != "" || !strings.Contains(r.err, said) || lineCount(r.err) != 1 {
		t.Errorf("%d %q %s, want %d and %q", r.code, r.out, r.err, code, said)
	}
}

func TestAccountsOnTheCommandLine(t *testing.T) {
	foreign.Skip(t, "it lists all users")
	t.Parallel()
	i := start(t)
	wantOut(t, i.command(t, "me"), "identity\tauthenticated-user", "role\tadmin",
		"via\ta token of the server's settings")

	made := i.command(t, "token", "create", "deploy", "--identity", "ci", "--expires", "30d")
	token := strings.TrimSpace(made.out)
	if made.code != cli.ExitOK || made.err != "" || !strings.HasPrefix(token, "terse_") {
		t.Fatalf("create a token: %d %q %s", made.code, made.out, made.err)
	}
	wantOut(t, i.as(t, token, "me"), "identity\tci", "role\teditor",
		"via\tthe token \"deploy\", until …")
	if r := i.as(t, token, "create", "https://example.com/"); r.code != cli.ExitOK {
		t.Errorf("create a link: %d %s", r.code, r.err)
	}
	hint := token[len(token)-4:]
	wantOut(t, i.command(t, "token", "list"))
	wantOut(t, i.command(t, "token", "list", "--owner", "ci"), "deploy\tci\teditor\t"+hint+"\t…")
	wantOut(t, i.command(t, "token", "list", "--owner", "*"), "deploy\tci\teditor\t"+hint+"\t…")
	wantOut(t, i.command(t, "user", "list"), "authenticated-user\tadmin\t\t0\t0\t…",
		"ci\tadmin\t\t1\t1\t…")

	wantRefusal(t, i.as(t, token, "user", "list"), cli.ExitDenied,
		"Not allowed: needs the role auditor. terse me says which one you have.")
	wantRefusal(t, i.as(t, token, "token", "create", "more"), cli.ExitDenied,
		"a token cannot manage tokens")
	wantRefusal(t, i.command(t, "token", "create", "deploy", "--identity", "ci"), cli.ExitFailure,
		`A token named "deploy" already exists.`)
	wantRefusal(t, i.command(t, "token", "create", "x", "--identity", "A B"), cli.ExitFailure,
		"--identity must be that of a user")
	wantRefusal(t, i.command(t, "user", "edit", "authenticated-user", "--disable"),
		cli.ExitFailure, "authenticated-user can't be changed")
	wantRefusal(t, i.command(t, "token", "create", "past", "--expires", "2020-01-01"),
		cli.ExitFailure, "--expires must be in the future.")
	wantRefusal(t, i.command(t, "token", "delete", "deploy", "--yes"), cli.ExitNotFound, "No token")
	wantRefusal(t, i.command(t, "user", "edit", "ci"), cli.ExitUsage, "--role")
	wantRefusal(t, i.command(t, "user", "edit", "nobody", "--disable"), cli.ExitNotFound,
		`No user "nobody"`)

	wantOut(t, i.command(t, "user", "edit", "ci", "--role", "viewer"), "ci\tviewer\t")
	wantOut(t, i.as(t, token, "me"), "identity\tci", "role\tviewer", "via\t…")
	wantOut(t, i.command(t, "user", "edit", "ci", "--disable"), "ci\tviewer\tdisabled")
	wantRefusal(t, i.as(t, token, "me"), cli.ExitDenied, "refuses the token")
	wantOut(t, i.command(t, "user", "edit", "ci", "--enable"), "ci\tviewer\t")
	wantOut(t, i.command(t, "user", "sign-out", "ci"), "Signed out ci")

	wantOut(t, i.command(t, "token", "delete", "deploy", "--owner", "ci", "--yes"),
		"Deleted deploy")
	wantRefusal(t, i.as(t, token, "me"), cli.ExitDenied, "refuses the token")
	wantRefusal(t, i.command(t, "user", "delete", "ci", "--yes"), cli.ExitFailure,
		"ci still owns 1 link. --move-to says who gets the links.")
	wantOut(t, i.command(t, "user", "delete", "ci", "--move-to", "authenticated-user", "--yes"),
		"Deleted ci")
	wantOut(t, i.command(t, "user", "list"), "authenticated-user\tadmin\t\t1\t0\t…")
}

// A token deletes itself, and no other.
func TestATokenDeletesItself(t *testing.T) {
	t.Parallel()
	i := start(t)
	create := func(name string) string {
		return strings.TrimSpace(i.command(t, "token", "create", name, "--identity", "ci").out)
	}
	leaked, _ := create("leaked"), create("other")
	wantRefusal(t, i.as(t, leaked, "token", "delete", "other", "-y"), cli.ExitDenied,
		"a token cannot manage tokens")
	wantOut(t, i.as(t, leaked, "token", "delete", "leaked", "-y"), "Deleted leaked")
	wantRefusal(t, i.as(t, leaked, "me"), cli.ExitDenied, "refuses the token")
}

// People see headings, and are told that a token is shown only now.
func TestAccountsOnATerminal(t *testing.T) {
	t.Parallel()
	i := start(t)
	made := i.onTerminal(t, 120, "token", "create", "laptop")
	if !strings.Contains(made.out, "terse_") ||
		!strings.Contains(made.out, "It is shown only now.") {
		t.Errorf("create a token: %q", made.out)
	}
	for _, args := range []string{"token list", "user list"} {
		got := i.onTerminal(t, 120, strings.Fields(args)...)
		if lines := strings.Split(got.out, "\n"); got.code != cli.ExitOK ||
			!strings.Contains(lines[0], "IDENTITY") || !strings.Contains(got.out, "1 ") ||
			!strings.HasPrefix(lines[0], "\x1b[2m") {
			t.Errorf("%s: %d %q", args, got.code, got.out)
		}
	}
	for args, says := range map[string]string{
		"token list": "1 token of yours", "token list --owner *": "1 token\x1b",
		"tag list": "No tags.", "list": "No links yet.", "list --owner *": "Nobody has links yet.",
		"list --owner authenticated-user": "authenticated-user has no links.",
	} {
		if got := i.onTerminal(t, 120, strings.Fields(args)...); !strings.Contains(got.out, says) {
			t.Errorf("%s: %q lacks %q", args, got.out, says)
		}
	}
}
