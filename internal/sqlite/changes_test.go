package sqlite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/record"
	"terse/internal/storetest"
)

// changesLinks finds a statement that changes links, but not one that changes link_ranges.
var changesLinks = regexp.MustCompile(
	`(?is)(\bINTO|\bUPDATE(\s+OR\s+\w+)?|\bDELETE\s+FROM)\s+links\b`)

// Every statement that changes links is a record.Change, which only Writer.Change runs: so all that
// remembers codes is told.
func TestLinksAreChangedInOnePlace(t *testing.T) {
	t.Parallel()
	changes, files := 0, token.NewFileSet()
	must(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		must(t, err)
		file, err := parser.ParseFile(files, path, source, 0)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if typ, ok := n.Type.(*ast.Ident); ok && typ.Name == "Change" {
					changes++
					return false
				}
			case *ast.BasicLit:
				// Nobody remembers by a code whether its link has ended.
				if n.Kind == token.STRING && changesLinks.MatchString(n.Value) &&
					!strings.Contains(n.Value, "SET ended = ?") {
					t.Errorf("%s is no record.Change: %s", files.Position(n.Pos()), n.Value)
				}
			}
			return true
		})
		return nil
	}))
	if changes < 2 {
		t.Errorf("%d statements change links, there are at least two", changes)
	}
}

// What remembers codes is told of each change of a link before that is acknowledged: a code that a
// link has is not denied, and a click counts when its link has its code now.
func TestChangedLinksAreKnown(t *testing.T) {
	t.Parallel()
	const rename record.Change = "UPDATE links SET code = ? WHERE id = ?"
	s, batches := openTemp(t), int64(0)
	code := func(s string) terse.Code {
		c, err := terse.ParseCode(s)
		must(t, err)
		return c
	}
	for began := time.Now(); !s.Absent(code("new")); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("no index after a minute")
		}
	}
	counts := func(link terse.LinkRef, want bool) {
		t.Helper()
		must(t, s.AddClicks(t.Context(), terse.ClickBatch{
			Journal: "j", From: batches, To: batches + 1,
			Clicks: terse.ClicksOf([]terse.Click{{Link: link.ID, Code: link.Code}}...),
			GiveUp: func(int) {},
		}))
		batches++
		clicks, err := s.Clicks(t.Context(), link)
		if counted := err == nil && clicks.Clicks > 0; counted != want {
			t.Errorf("link %d %v has %d clicks, %v", link.ID, link.Code, clicks.Clicks, err)
		}
		if want && s.Absent(link.Code) {
			t.Errorf("%v is denied", link.Code)
		}
	}
	before := terse.LinkRef{ID: 1, Code: code("old")}
	after := terse.LinkRef{ID: 1, Code: code("new")}
	counts(before, false)
	link, err := s.Create(t.Context(),
		terse.NewLink{
			Code: before.Code, URL: "https://example.org/", CreatedBy: terse.Identity,
		})
	must(t, err)
	if link.Ref() != before {
		t.Fatalf("the first link is %+v", link)
	}
	counts(before, true)
	must(t, s.write(t.Context(), func(w *writer) error {
		_, err := w.links.Change(rename, after, func(stmt *sqlite.Stmt) {
			stmt.BindText(1, after.Code.String())
			stmt.BindInt64(2, int64(after.ID))
		})
		return err
	}))
	counts(before, false)
	counts(after, true)
	must(t, s.Delete(t.Context(), terse.Link{ID: after.ID, Code: after.Code}))
	counts(after, false)
	all, err := s.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	if err != nil || all.Total != 3 { // one came by the code that the link had before
		t.Errorf("%d clicks of all links, %v, want 3", all.Total, err)
	}
}
