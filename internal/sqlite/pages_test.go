package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/sqlite"
)

// waitAtOnce waits until a link is found without SQLite.
func waitAtOnce(t *testing.T, s *sqlite.Store, c terse.Code) terse.Link {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if link, ok := s.LinkAtOnce(c); ok {
			return link
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%v is not found without SQLite after a minute", c)
		}
	}
}

// linksByHand returns all links, as SQLite has them.
func linksByHand(t *testing.T, path string) (links []terse.Link) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadOnly)
	must(t, err)
	must(t, sqlitex.ExecuteTransient(conn, "SELECT id, code, url, created_at, created_by FROM links", &sqlitex.ExecOptions{
		ResultFunc: func(stmt *driver.Stmt) error {
			links = append(links, terse.Link{
				ID: terse.LinkID(stmt.ColumnInt64(0)), Code: code(t, stmt.ColumnText(1)), URL: terse.URL(stmt.ColumnText(2)),
				CreatedAt: time.UnixMicro(stmt.ColumnInt64(3)).UTC(), CreatedBy: stmt.ColumnText(4),
			})
			return nil
		},
	}))
	must(t, conn.Close())
	return links
}

// Without SQLite the same links are found as with it: in the database and in the log, in trees of one page and of many, wherever
// rows and pages were moved, and whatever numbers and texts the rows have.
func TestLinkAtOnce(t *testing.T) { //nolint:tparallel // each step goes on where the one before ended
	t.Parallel()
	const longest = 4000 // of a URL whose row goes into a page
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	links, ours := 0, 0
	fill := func(t *testing.T, apart int) {
		var all strings.Builder
		for range 3000 {
			links++
			fmt.Fprintf(&all, ",(%d,'code-%d','https://example.org/%s',%d,'%s')", 1000+links*apart, links, strings.Repeat("é", random.IntN(longest/2)/(1+random.IntN(100))),
				random.Int64()>>random.IntN(64)*int64(1-2*random.IntN(2)), strings.Repeat("me", random.IntN(3)))
		}
		byHand(t, path, "INSERT INTO links (id, code, url, created_at, created_by) VALUES "+all.String()[1:])
	}
	compare := func(t *testing.T) {
		ours++
		last := create(t, s, fmt.Sprintf("ours-%d", ours)).Code // and what the others wrote is seen
		for _, want := range linksByHand(t, path) {
			waitAtOnce(t, s, last)
			if len(want.URL) <= longest {
				if link := waitAtOnce(t, s, want.Code); link != want {
					t.Fatalf("%+v instead of %+v", link, want)
				}
			} else if link, ok := s.LinkAtOnce(want.Code); ok {
				t.Fatalf("%+v is in one page", link)
			}
			if link, err := s.Link(t.Context(), want.Code); err != nil || link != want {
				t.Fatalf("%+v, %v instead of %+v", link, err, want)
			}
		}
	}
	create(t, s, "first")
	compare(t)
	for _, step := range []struct {
		name string
		do   func(t *testing.T)
	}{
		{"numbers", func(t *testing.T) {
			byHand(t, path, `INSERT INTO links (code, url, created_at, created_by) WITH n(i) AS (VALUES (0), (1), (-1), (127), (-128), (128), (32767), (-32769),
				(8388607), (-8388609), (2147483647), (-2147483649), (140737488355327), (-140737488355329), (9223372036854775807), (-9223372036854775807))
				SELECT 'number' || row_number() OVER (), '', i, '' FROM n`)
		}},
		{"filled", func(t *testing.T) { fill(t, 7) }},
		{"checkpoint", func(t *testing.T) { byHand(t, path, "PRAGMA wal_checkpoint(PASSIVE)") }},
		{"far apart", func(t *testing.T) { fill(t, 1_000_003) }},
		{"deleted", func(t *testing.T) { byHand(t, path, "DELETE FROM links WHERE id % 3 = 0") }},
		{"too long for a page", func(t *testing.T) {
			byHand(t, path, fmt.Sprintf("UPDATE links SET url = '%s' WHERE id %% 100 = 1", strings.Repeat("x", 5000)))
		}},
		{"VACUUM", func(t *testing.T) { byHand(t, path, "VACUUM") }},
		{"the log begins anew", func(t *testing.T) {
			for began := time.Now(); queryByHand(t, path, "PRAGMA wal_checkpoint(TRUNCATE)") != 0; time.Sleep(time.Millisecond) {
				if time.Since(began) > time.Minute {
					t.Fatal("no checkpoint for a minute")
				}
			}
		}},
		{"other pages", func(t *testing.T) {
			byHand(t, path, "CREATE TABLE other (a)", "DROP TABLE other", "UPDATE links SET url = url || 'x'")
		}},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.do(t)
			compare(t)
		})
	}
}

// A long log has several blocks in its index.
func TestLinkAtOnceInLongLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	links := []terse.Link{create(t, s, "first")}
	keepLog(t, path)
	for s.LogFrames() < 9000 {
		links = append(links, create(t, s, fmt.Sprintf("code-%d", len(links))))
		createLong(t, s, len(links), 8)
	}
	for _, want := range links {
		if link := waitAtOnce(t, s, want.Code); link != want {
			t.Fatalf("%+v instead of %+v", link, want)
		}
	}
}

// While links come and go, and the log begins anew again and again, only what there is is found.
func TestLinkAtOnceMeanwhile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	const kept = 500
	var links [kept]terse.Link
	for i := range links {
		links[i] = create(t, s, fmt.Sprintf("kept-%d", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var atOnce atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for ctx.Err() == nil {
				want := links[rand.IntN(kept)]
				if link, ok := s.LinkAtOnce(want.Code); ok {
					atOnce.Add(1)
					if link != want {
						t.Errorf("%+v instead of %+v", link, want)
						return
					}
				}
				if link, err := s.Link(ctx, want.Code); ctx.Err() == nil && (err != nil || link != want) {
					t.Errorf("%+v, %v instead of %+v", link, err, want)
					return
				}
			}
		})
	}
	wg.Go(func() {
		defer cancel()
		for i, begun := 0, 0; begun < 3 && ctx.Err() == nil; i++ {
			before := s.LogFrames()
			gone := create(t, s, "gone")
			createLong(t, s, i, 8)
			if link := waitAtOnce(t, s, gone.Code); link != gone {
				t.Errorf("%+v instead of %+v", link, gone)
			}
			must(t, s.Delete(ctx, gone))
			if link, ok := s.LinkAtOnce(gone.Code); ok {
				t.Errorf("%+v is found after it was deleted", link)
			}
			byHand(t, path, "PRAGMA wal_checkpoint(PASSIVE)")
			if s.LogFrames() < before {
				begun++
			}
		}
	})
	wg.Wait()
	if atOnce.Load() == 0 {
		t.Error("no link was found without SQLite")
	}
}

// Databases with pages or texts of another kind, which an operator may have made from a dump, are left to SQLite.
func TestOtherPages(t *testing.T) {
	t.Parallel()
	for _, pragma := range []string{"page_size = 8192", "page_size = 1024", "encoding = 'UTF-16le'"} {
		t.Run(pragma, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			byHand(t, path, "PRAGMA "+pragma, "CREATE TABLE made (a)", "DROP TABLE made")
			s := openAt(t, path)
			defer s.Close()
			want := create(t, s, "first")
			waitAbsent(t, s, "unknown", true)
			if link, ok := s.LinkAtOnce(want.Code); ok {
				t.Errorf("%+v is found without SQLite", link)
			}
			if link, err := s.Link(t.Context(), want.Code); err != nil || link != want {
				t.Errorf("%+v, %v instead of %+v", link, err, want)
			}
		})
	}
}

// Damaged pages, and pages of other things, are never more than no link.
func FuzzPages(f *testing.F) {
	path := filepath.Join(f.TempDir(), "terse.db")
	s := openAt(f, path)
	for i := range 200 {
		create(f, s, fmt.Sprintf("code-%d", i))
	}
	must(f, s.Close())
	database, err := os.ReadFile(path)
	must(f, err)
	for ; len(database) >= 4096; database = database[4096:] {
		f.Add(database[:4096], int64(len(database)%250))
	}
	f.Fuzz(func(t *testing.T, page []byte, id int64) {
		page = append(page, make([]byte, 4096)...)[:4096]
		if child, link, ok := sqlite.InPage(page, terse.LinkID(id)); ok && child == 0 && page[0] != 5 && (link.ID != terse.LinkID(id) || link.Code == terse.Code{}) {
			t.Errorf("%+v", link)
		}
	})
}
