package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	engine "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

// A backup ends while clicks are counted and links are created. The copy opens, is whole, and has
// one state, with all that was acknowledged before. It is larger than what is copied at a time.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	path, backup := filepath.Join(t.TempDir(), "terse.db"), filepath.Join(t.TempDir(), "copy.db")
	s := openAt(t, path)
	links, batch := []terse.Link{}, []terse.Click{}
	for i := range 1000 {
		link := newLink(t, fmt.Sprint("before", i))
		link.URL += terse.URL(strings.Repeat("x", 5000))
		made, err := s.Create(t.Context(), me, link)
		must(t, err)
		links, batch = append(links, made), append(batch, click(made))
	}
	count(t, s, "before", batch...)
	ctx, cancel := context.WithCancel(t.Context())
	var load sync.WaitGroup
	load.Go(func() {
		for at := int64(0); ctx.Err() == nil; at++ {
			err := s.AddClicks(t.Context(), storetest.Batch("load", at, batch...))
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	load.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			_, err := s.Create(t.Context(), me, newLink(t, fmt.Sprint("during", i)))
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	before, err := s.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	must(t, os.WriteFile(backup, nil, 0o600))
	held, err := sqlite.Backup(t.Context(), path, backup)
	must(t, err)
	cancel()
	load.Wait()
	must(t, s.Close())

	if found, err := sqlite.Inspect(t.Context(), backup, true); err != nil || found != held {
		t.Errorf("the copy has %+v, %v, the snapshot %+v", found, err, held)
	}
	restored := openAt(t, backup)
	for _, link := range links {
		found, err := restored.Link(t.Context(), link.Code)
		if err != nil || found != link {
			t.Fatalf("%v, %v, want %v", found, err, link)
		}
	}
	after, err := restored.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	if after.Total != held.Clicks || after.Total < before.Total || after.Total%1000 != 0 {
		t.Errorf("%d clicks in the copy, %d in the snapshot; %d were counted before, 1000 at a "+
			"time", after.Total, held.Clicks, before.Total)
	}
	page, err := restored.Links(t.Context(), terse.LinkQuery{Owner: terse.Identity, Limit: 1})
	must(t, err)
	if page.Total != held.Links {
		t.Errorf("%d links in the copy, %d in the snapshot", page.Total, held.Links)
	}
	must(t, restored.Close())
}

// Clicks of a deleted link are not of a link, even before they are deleted themselves.
func TestContentsWithoutDeletedLinks(t *testing.T) {
	t.Parallel()
	path, backup := filepath.Join(t.TempDir(), "terse.db"), filepath.Join(t.TempDir(), "copy.db")
	s := openAt(t, path)
	defer s.Close()
	kept, deleted := create(t, s, "kept"), create(t, s, "deleted")
	count(t, s, "j", click(kept), click(deleted), click(deleted))
	must(t, s.Delete(t.Context(), me, deleted))
	must(t, os.WriteFile(backup, nil, 0o600))
	held, err := sqlite.Backup(t.Context(), path, backup)
	want := sqlite.Contents{Links: 1, Clicks: 1, Newest: held.Newest}
	if err != nil || held != want {
		t.Errorf("%+v, %v, want %+v", held, err, want)
	}
}

// What is damaged, cut off, no database, another program's or a later version's is refused.
func TestInspectRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	for i := range 200 {
		link := newLink(t, fmt.Sprint("link", i))
		link.URL += terse.URL(strings.Repeat("x", 3000))
		_, err := s.Create(t.Context(), me, link)
		must(t, err)
	}
	must(t, s.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		want   string
	}{
		"whole":         {func(b []byte) []byte { return b }, ""},
		"empty":         {func([]byte) []byte { return nil }, "empty"},
		"no database":   {func(b []byte) []byte { return b[4096:] }, "not an SQLite database"},
		"cut off":       {func(b []byte) []byte { return b[:len(b)/2] }, "damaged or cut off"},
		"in its middle": {func(b []byte) []byte { return zero(b, len(b)/2) }, "damaged"},
		"its last page": {func(b []byte) []byte { return zero(b, len(b)-4096) }, "damaged"},
		"a later one":   {func(b []byte) []byte { b[60+3] = 99; return b }, "later version"},
		"another's":     {func(b []byte) []byte { b[68] = 1; return b }, "another program"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a b%3f.db")
			must(t, os.WriteFile(file, c.change(append([]byte(nil), whole...)), 0o600))
			held, err := sqlite.Inspect(t.Context(), file, true)
			switch {
			case c.want == "" && (err != nil || held.Links != 200):
				t.Errorf("%+v, %v", held, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// zero overwrites a page with zeros.
func zero(b []byte, at int) []byte {
	clear(b[at&^4095:][:4096])
	return b
}

// TestPlainMemoryOfManyLinks: to say how many clicks links have, a backup and an export keep less
// than the ID of each link.
func TestPlainMemoryOfManyLinks(t *testing.T) { // not parallel: it measures
	const links = 200_000
	s, path := openSpread(t, links, 1)
	stop := errors.New("stop")
	for what, f := range map[string]func() int64{
		"an export": func() (n int64) {
			err := s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
				func(links, _ int64) error {
					n = links
					return stop
				}, nil, nil)
			if !errors.Is(err, stop) {
				t.Error(err)
			}
			return n
		},
		"a backup": func() int64 {
			backup := filepath.Join(t.TempDir(), "copy.db")
			must(t, os.WriteFile(backup, nil, 0o600))
			held, err := sqlite.Backup(t.Context(), path, backup)
			must(t, err)
			return held.Links
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := f()
		runtime.ReadMemStats(&after)
		bytes := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s of %d links: %d bytes", what, n, bytes)
		if n != links || bytes > 4*links {
			t.Errorf("%s of %d links allocates %d bytes", what, n, bytes)
		}
	}
}

// TestExportLog: an export is cut off when the write-ahead log has become too long, which can't be
// emptied meanwhile, and the next one begins.
func TestExportLog(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	t.Cleanup(func() { must(t, s.Close()) })
	s.BoundExportLog(1 << 20)
	_, err := s.Create(t.Context(), me, newLink(t, "first"))
	must(t, err)
	begin := func(int64, int64) error { return nil }
	err = s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		begin, func(e terse.Exported) error {
			for i := 0; ; i++ { // until the next read fails
				link := newLink(t, fmt.Sprint("link", i))
				link.URL += terse.URL(strings.Repeat("x", 8000))
				if _, err := s.Create(t.Context(), me, link); err != nil {
					return err
				}
				if err := e.Past(nil, nil); err != nil {
					return err
				}
			}
		}, nil)
	if err == nil || !strings.Contains(err.Error(), "write-ahead log is longer than 4 GiB") {
		t.Errorf("an export beside a log that grows: %v", err)
	}
	s.BoundExportLog(1 << 40)
	must(t, s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		begin,
		func(terse.Exported) error { return nil }, nil))
}

// What acts by itself in a database is this program's, or the database is refused, by whatever way
// it comes.
func TestForeignTriggers(t *testing.T) {
	t.Parallel()
	for sql, named := range map[string]string{
		"CREATE TRIGGER mine AFTER INSERT ON links BEGIN " +
			"UPDATE links SET url = 'https://evil.example/'; END": "trigger mine",
		"DROP TRIGGER link_buried; CREATE TRIGGER link_buried AFTER DELETE ON links BEGIN " +
			"DELETE FROM links; END": "trigger link_buried",
		"CREATE VIEW mine AS SELECT 1":                                               "view mine",
		"CREATE TABLE _litestream_seq (id, seq)":                                     "",
		"CREATE INDEX mine ON links (created_at)":                                    "",
		"CREATE TABLE mine (x); DROP TABLE mine":                                     "",
		"CREATE TRIGGER a AFTER INSERT ON links BEGIN SELECT 1; END; DROP TRIGGER a": "",
	} {
		path := filepath.Join(t.TempDir(), "terse.db")
		store, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		must(t, err)
		must(t, store.Close())
		conn, err := engine.OpenConn(path, engine.OpenReadWrite)
		must(t, err)
		must(t, sqlitex.ExecuteScript(conn, sql, nil))
		must(t, conn.Close())
		_, inspected := sqlite.Inspect(t.Context(), path, false)
		_, _, examined := sqlite.SchemaOf(path)
		again, opened := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		if opened == nil {
			must(t, again.Close())
		}
		for _, err := range []error{inspected, examined, opened} {
			if (err == nil) != (named == "") || err != nil && !strings.Contains(err.Error(),
				"it has a "+named+" that is not terse's") {
				t.Errorf("%s: %v", sql, err)
			}
		}
	}
}
