// Package archtest checks the project's import rules. It contains only tests.
package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	root  = "terse"
	rooms = root + "/internal/"

	// fastPath is a package that can be deleted in one commit.
	fastPath = rooms + "visit/server/fastpath"
)

// floors are the folders of internal that have rooms and are none. Any other folder is a room.
var floors = []string{"click", "database", "link", "move", "tests", "text", "visit"}

// mayImport lists the only imports allowed between rooms. Tests may import anything.
var mayImport = map[string][]string{
	"acmetest": {"freeport"},
	"archive": {
		"address", "jsonbody", "manage", "password", "retention", "sheet", "useragent", "visible",
		"weburl",
	},
	"auth":       {"durable"},
	"backup":     {"durable", "sqlite"}, // backups are of SQLite databases only
	"blocked":    {"weburl"},
	"certs":      {"durable"},
	"cli":        {"archive", "durable", "qr", "sheet", "visible", "weburl"},
	"clickblock": {"referrer"},
	"clickquery": {"sheet"},
	"clickstore": {"clickblock", "linkset", "visitors"},
	"daykey":     {"visitors"},
	"derive":     {"linkset"},
	"hookstore":  {"clickblock", "follow", "linkset"},
	"hosts":      {"weburl"},
	"httpapi": {
		"accept", "archive", "auth", "clickquery", "hosts", "jsonbody", "manage", "weburl",
	},
	"ingest":  {"journal", "yield"},
	"journal": {"durable"},
	"list":    {"linkset", "searchtext"},
	"manage":  {"address", "hosts", "jsonbody", "weburl"},
	"qr":      {"weburl"},
	"redirect": {
		"address", "blocked", "hosts", "password", "qr", "recent", "useragent", "visible",
		"weburl",
	},
	"server": {"logging", "redirect"},
	"sqlite": {"clickstore", "derive", "follow", "hookstore", "linkset", "list", "yield"},
	"storetest": {
		"clickblock", "clickstore", "derive", "follow", "linkset", "longtest", "referrer",
	},
	"postgres":  {"clickstore", "derive", "follow", "hookstore", "linkset", "list"},
	"useragent": {"recent"},
	"web":       {"accept", "weburl"},
	"webhooks":  {"weburl"},
}

// mayBeUnsafe lists the only packages that may import unsafe.
var mayBeUnsafe = []string{rooms + "click/journal", rooms + "visit/redirect/ring", fastPath}

// belowSQLite lists the packages of this module that packages below the SQLite store may import.
// They do not know the store: they are given a connection.
var belowSQLite = map[string][]string{
	rooms + "database/sqlite/query": {},
	rooms + "database/sqlite/rows": {
		root, rooms + "click/clickstore", rooms + "database/sqlite/query", rooms + "click/yield",
	},
	rooms + "database/sqlite/record": {
		root, rooms + "link/follow", rooms + "link/linkset", rooms + "database/sqlite/query",
	},
}

// The data plane must not import any of unreachable, even indirectly, and must not import any of
// notImported directly.
var (
	dataPlane = []string{
		fastPath, rooms + "visit/redirect", rooms + "visit/redirect/ring",
		rooms + "visit/redirect/language",
		rooms + "visit/redirect/urls",
		rooms + "click/journal", rooms + "visit/ratelimit", rooms + "visit/unknown",
		rooms + "visit/geo", rooms + "visit/useragent", rooms + "visit/password",
		rooms + "visit/qr", rooms + "visit/recent",
		rooms + "text/visible", rooms + "link/weburl", rooms + "link/address",
		rooms + "link/blocked",
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
	list.Dir = "../../.."
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
	rooms + "database/postgres/rows": {root, rooms + "click/clickstore"},
	rooms + "database/postgres/links": {
		root, rooms + "link/follow", rooms + "link/linkset", rooms + "database/postgres/rows",
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
		if len(all[path].imports) == 0 {
			t.Errorf("no package %s", path)
		}
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
	case imported == fastPath && path != rooms+"visit/server":
		return "only the server has a fast path, so that it can be deleted"
	case path == fastPath && ours(imported) && imported != rooms+"visit/redirect":
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

// TestFolders: who opens internal for the first time sees few folders.
func TestFolders(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) > 16 {
		t.Errorf("internal has %d folders", len(folders))
	}
}

// roomOf returns the room that contains a package. ok is false outside of internal.
func roomOf(path string) (room string, ok bool) {
	path, ok = strings.CutPrefix(path, rooms)
	room, rest, _ := strings.Cut(path, "/")
	if slices.Contains(floors, room) {
		room, _, _ = strings.Cut(rest, "/")
	}
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
