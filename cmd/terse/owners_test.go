package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/cli"
	"terse/internal/tests/foreign"
)

// ofOthers is an import of links of other owners, which have equal URLs and tags.
const ofOthers = `{"type":"link","short_code":"mine","original_url":"https://example.com/",` +
	`"tags":["news"]}
{"type":"link","short_code":"built","original_url":"https://example.com/","created_by":"ci",` +
	`"tags":["NEWS"]}
{"type":"click","time":"2026-01-02T03:04:05Z","country":"DE"}
{"type":"link","short_code":"shipped","original_url":"https://example.com/",` +
	`"created_by":"deploy"}
`

// commands runs commands, each of which must succeed and print what it says.
func (i *instance) commands(t *testing.T, all ...[2]string) {
	t.Helper()
	for _, c := range all {
		r := i.command(t, strings.Fields(c[0])...)
		if r.code != cli.ExitOK || !strings.Contains(r.out, c[1]) {
			t.Errorf("terse %s: %+v, want %q", c[0], r, c[1])
		}
	}
}

// With --owner, commands are about the links of others.
func TestCommandsForOthers(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists all links")
	i := start(t)
	file := filepath.Join(t.TempDir(), "others.ndjson")
	if err := os.WriteFile(file, []byte(ofOthers), 0o600); err != nil {
		t.Fatal(err)
	}
	i.commands(t, [2]string{"import --owner keep --dry-run terse " + file, "3 created"},
		[2]string{"import --owner keep terse " + file, "3 created"})
	for _, command := range []string{
		"show built", "stats built", "edit built --title a", "delete --yes built", "history built",
		"show --owner deploy built", "show --owner ci mine",
	} {
		if r := i.command(t, strings.Fields(command)...); r.code != cli.ExitDenied {
			t.Errorf("terse %s: %+v", command, r)
		}
	}
	for _, command := range []string{"list", "tag list", "overview", "events", "export -"} {
		if r := i.command(t, strings.Fields(command)...); r.code != cli.ExitOK ||
			strings.Contains(r.out, "built") || strings.Contains(r.out, "NEWS") {
			t.Errorf("terse %s: %+v", command, r)
		}
		r := i.command(t, append(strings.Fields(command), "--owner", "nobody")...)
		if r.code == cli.ExitOK || !strings.Contains(r.err, "Unknown owner.") {
			t.Errorf("terse %s --owner nobody: %+v", command, r)
		}
	}
	i.commands(t,
		[2]string{"list --owner ci", "built"}, [2]string{"show --owner ci built", "ci"},
		[2]string{"stats --owner ci built", "1"}, [2]string{"tag list --owner ci", "NEWS"},
		[2]string{"overview --owner ci", "built"}, [2]string{"events --owner ci", "DE"},
		[2]string{"events --owner ci built", "DE"}, [2]string{"export --owner ci -", "built"},
		[2]string{"edit --owner ci built --title Built", "Built"},
		[2]string{"history --owner ci built", "Built"},
		[2]string{"tag add --owner ci more built", "more"},
		[2]string{"tag rename --owner ci more less", "less"},
		[2]string{"list --owner * --sort oldest", "shipped"},
		[2]string{"tag list --owner *", "2"},
		[2]string{"edit --owner ci built --give-to deploy", "deploy"},
		[2]string{"show --owner * built", "deploy"},
		[2]string{"clear --yes --owner deploy built", "built"},
		[2]string{"delete --yes --owner deploy built", "built"},
		[2]string{"list --owner deploy", "shipped"},
		[2]string{"list", "mine"},
	)
}

// What is exported of all owners belongs to them where it is imported to keep them, also in the
// data of a server that is stopped.
func TestOwnersAreKept(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it exports all links")
	i := start(t)
	dir, other := t.TempDir(), t.TempDir()
	lines, all := filepath.Join(dir, "lines.ndjson"), filepath.Join(dir, "all.ndjson")
	again, table := filepath.Join(dir, "again.ndjson"), filepath.Join(dir, "all.csv")
	if err := os.WriteFile(lines, []byte(ofOthers), 0o600); err != nil {
		t.Fatal(err)
	}
	i.commands(t, [2]string{"import --owner keep terse " + lines, "3 created"},
		[2]string{"export --owner * " + all, "3 links, 1 click"},
		[2]string{"export --owner * " + table, "3 links"},
		[2]string{"import --data-dir " + other + " --owner keep terse " + all, "3 created"},
		[2]string{"export --data-dir " + other + " --owner * " + again, "3 links, 1 click"},
		[2]string{"export --data-dir " + other + " --owner ci -", "built"},
	)
	if exported(t, all) != exported(t, again) {
		t.Errorf("%s\nbecame\n%s", exported(t, all), exported(t, again))
	}
	for _, command := range []string{
		"import --owner nobody terse ", "import --owner * terse ",
		"import --data-dir " + other + " --owner nobody terse ",
		"import --data-dir " + other + " --owner * terse ",
	} {
		if r := i.command(t, strings.Fields(command+all)...); r.code == cli.ExitOK ||
			!strings.Contains(strings.ToLower(r.err), "owner") {
			t.Errorf("terse %s: %+v", command, r)
		}
	}
	third := t.TempDir()
	i.commands(t,
		[2]string{"import --data-dir " + third + " --owner keep csv " + table, "3 created"},
		[2]string{"export --data-dir " + third + " --owner ci -", "built"},
		[2]string{"export --data-dir " + third + " --owner deploy -", "shipped"},
	)
}
