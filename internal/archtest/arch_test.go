// Package archtest checks the project's import rules. It contains only tests.
package archtest

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	root  = "terse"
	rooms = root + "/internal/"

	// fastPath is a package that can be deleted in one commit.
	fastPath = rooms + "server/fastpath"
)

// mayImport lists the only imports allowed between the rooms, the packages directly below internal.
// Tests may import anything.
var mayImport = map[string][]string{
	"archive": {
		"address", "jsonbody", "manage", "password", "retention", "sheet", "useragent", "weburl",
	},
	"auth":       {"durable"},
	"backup":     {"durable", "sqlite"}, // backups are of SQLite databases only
	"cli":        {"archive", "durable", "qr", "sheet", "visible"},
	"clickblock": {"referrer"},
	"clickquery": {"sheet"},
	"clickstore": {"clickblock", "linkset", "visitors"},
	"daykey":     {"visitors"},
	"derive":     {"linkset"},
	"httpapi":    {"accept", "archive", "auth", "clickquery", "jsonbody", "manage", "weburl"},
	"ingest":     {"journal", "yield"},
	"journal":    {"durable"},
	"list":       {"linkset", "searchtext"},
	"manage":     {"address", "jsonbody", "weburl"},
	"qr":         {"weburl"},
	"redirect":   {"address", "password", "qr", "recent", "useragent", "visible", "weburl"},
	"server":     {"logging", "redirect"},
	"sqlite":     {"clickstore", "derive", "follow", "linkset", "list", "yield"},
	"storetest":  {"clickblock", "clickstore", "derive", "follow", "longtest", "referrer"},
	"postgres":   {"clickstore", "derive", "follow", "linkset", "list"},
	"useragent":  {"recent"},
	"web":        {"accept", "weburl"},
}

// mayBeUnsafe lists the only packages that may import unsafe.
var mayBeUnsafe = []string{rooms + "journal", rooms + "redirect/ring", fastPath}

// belowSQLite lists the packages of this module that packages below the SQLite store may import.
// They do not know the store: they are given a connection.
var belowSQLite = map[string][]string{
	rooms + "sqlite/query": {},
	rooms + "sqlite/rows": {
		root, rooms + "clickstore", rooms + "sqlite/query", rooms + "yield",
	},
	rooms + "sqlite/record": {
		root, rooms + "follow", rooms + "linkset", rooms + "sqlite/query",
	},
}

// The data plane must not import any of unreachable, even indirectly, and must not import any of
// notImported directly.
var (
	dataPlane = []string{
		fastPath, rooms + "redirect", rooms + "redirect/ring", rooms + "redirect/language",
		rooms + "redirect/urls",
		rooms + "journal", rooms + "ratelimit", rooms + "unknown",
		rooms + "geo", rooms + "useragent", rooms + "password", rooms + "qr", rooms + "recent",
		rooms + "visible", rooms + "weburl", rooms + "address",
	}
	unreachable = []string{
		"database/sql", "zombiezen.com/go/sqlite", "modernc.org/sqlite",
		"github.com/jackc/pgx/v5", "html/template", "text/template",
	}
	notImported = []string{"encoding/json", "github.com/go-json-experiment/json"}
)

type pkg struct {
	standard bool
	imports  []string
}

// packages returns the module's packages and all their dependencies, by import path.
func packages(t *testing.T) map[string]pkg {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		`{{.ImportPath}} {{.Standard}} {{join .Imports " "}}`, "./...")
	list.Dir = "../.."
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	all := map[string]pkg{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		all[fields[0]] = pkg{standard: fields[1] == "true", imports: fields[2:]}
	}
	return all
}

// belowPostgres lists the packages of this module that packages below the PostgreSQL store may
// import. They do not know the store: they are given a transaction.
var belowPostgres = map[string][]string{
	rooms + "postgres/rows": {root, rooms + "clickstore"},
	rooms + "postgres/links": {
		root, rooms + "follow", rooms + "linkset", rooms + "postgres/rows",
	},
}

func ours(path string) bool { return path == root || strings.HasPrefix(path, root+"/") }

func TestImports(t *testing.T) {
	t.Parallel()
	all := packages(t)
	if len(all[root].imports) == 0 {
		t.Fatalf("no package %s", root)
	}
	for path, p := range all {
		if !ours(path) {
			continue
		}
		for _, imported := range p.imports {
			if why := refused(path, imported, all[imported].standard); why != "" {
				t.Errorf("%s imports %s: %s", path, imported, why)
			}
		}
	}
	for _, path := range dataPlane {
		reach(t, all, []string{path}, map[string]bool{})
	}
}

// refused returns why a package must not import another directly, "" if it may.
func refused(path, imported string, standard bool) string {
	room, inside := roomOf(path)
	other, sibling := roomOf(imported)
	below, listed := belowSQLite[path]
	switch {
	case path == root && !standard:
		return "the domain stands on the standard library alone"
	case inside && sibling && room != other && !slices.Contains(mayImport[room], other):
		return "rooms do not know each other"
	case inside && strings.HasPrefix(imported, root+"/cmd/"):
		return "arrows point down"
	case imported == "unsafe" && inside && !slices.Contains(mayBeUnsafe, path):
		return "unsafe is for memory maps and system calls on the data plane"
	case imported == fastPath && path != rooms+"server":
		return "only the server has a fast path, so that it can be deleted"
	case path == fastPath && ours(imported) && imported != rooms+"redirect":
		return "the fast path knows its host by an interface"
	case listed && ours(imported) && !slices.Contains(below, imported):
		return "what is below the SQLite store does not know it"
	case imported == root+"/api" && inside && room != "httpapi" &&
		room != "clickquery" && room != "cli" && room != "archive":
		return "the wire contract is the control plane's, the archive's and its client's"
	case slices.Contains(dataPlane, path) && slices.Contains(notImported, imported):
		return "the data plane encodes no JSON"
	}
	if below, listed := belowPostgres[path]; listed && ours(imported) &&
		!slices.Contains(below, imported) {
		return "what is below the PostgreSQL store knows nothing of it"
	}
	return ""
}

// roomOf returns the room that contains a package. ok is false outside of internal.
func roomOf(path string) (room string, ok bool) {
	room, ok = strings.CutPrefix(path, rooms)
	room, _, _ = strings.Cut(room, "/")
	return room, ok
}

// reach walks all dependencies of a chain's last package.
func reach(t *testing.T, all map[string]pkg, chain []string, seen map[string]bool) {
	t.Helper()
	path := chain[len(chain)-1]
	if seen[path] {
		return
	}
	seen[path] = true
	if slices.Contains(unreachable, path) {
		t.Errorf("the data plane reaches %s", strings.Join(chain, " → "))
	}
	for _, imported := range all[path].imports {
		reach(t, all, append(slices.Clone(chain), imported), seen)
	}
}
