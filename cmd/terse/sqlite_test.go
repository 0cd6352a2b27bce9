package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/foreign"
)

// openByHand opens a server's database as an operator's shell does.
func openByHand(t *testing.T, path string) *sqlite.Conn {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	must(t, err)
	t.Cleanup(func() { must(t, conn.Close()) })
	conn.SetBusyTimeout(time.Minute)
	return conn
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// visitor returns what asks for a code n times over one connection, and returns the last answer.
func (i *instance) visitor(t *testing.T) func(code string, n int) (status int, location string) {
	t.Helper()
	client := plain(t, 1)
	return func(code string, n int) (int, string) {
		t.Helper()
		var last *http.Response
		for range n {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, i.url+"/"+code,
				http.NoBody)
			must(t, err)
			last, err = client.Do(req)
			must(t, err)
			_, err = io.Copy(io.Discard, last.Body)
			must(t, errors.Join(err, last.Body.Close()))
		}
		return last.StatusCode, last.Header.Get("Location")
	}
}

// choose creates a link with a code.
func (i *instance) choose(t *testing.T, code, url string) {
	t.Helper()
	_, err := i.client().Create(t.Context(), api.CreateRequest{OriginalURL: url, ShortCode: &code})
	must(t, err)
}

// counted returns how many clicks a code has when all are counted.
func (i *instance) counted(t *testing.T, code string) int64 {
	t.Helper()
	i.drain(t)
	stats, err := i.client().Stats(t.Context(), code, api.Range{})
	must(t, err)
	return stats.TotalClicks
}

// Rows that an operator changes by SQL are what redirects go by soon after, cached or not.
func TestRedirectsFollowOtherPrograms(t *testing.T) {
	t.Parallel()
	i := start(t)
	visit := i.visitor(t)
	conn := openByHand(t, filepath.Join(i.dir, "terse.db"))
	by := func(sql string) {
		t.Helper()
		must(t, sqlitex.ExecuteScript(conn, sql, nil))
	}
	for _, code := range []string{"changed", "chosen-anew", "deleted"} {
		i.choose(t, code, "https://old.example/"+code)
		if status, location := visit(code, 3); location != "https://old.example/"+code {
			t.Fatalf("%s at first: %d %s", code, status, location)
		}
	}
	leads := func(code, url string) {
		t.Helper()
		await(t, code+" to lead to "+url, func() bool {
			_, location := visit(code, 1)
			return location == url
		})
	}

	by("UPDATE links SET url = 'https://new.example/' WHERE code = 'changed'")
	leads("changed", "https://new.example/")
	by(`DELETE FROM links WHERE code = 'chosen-anew';
		INSERT INTO links (code, url, created_at, created_by)
		VALUES ('chosen-anew', 'https://new.example/', 0, 'authenticated-user')`)
	leads("chosen-anew", "https://new.example/")
	before := i.counted(t, "chosen-anew")
	visit("chosen-anew", 5)
	if n := i.counted(t, "chosen-anew"); n != before+5 {
		t.Errorf("%d clicks of the code that was chosen anew after %d, want 5 more", n, before)
	}
	by("DELETE FROM links WHERE code = 'deleted'")
	await(t, "404 for the deleted code", func() bool {
		status, _ := visit("deleted", 1)
		return status == http.StatusNotFound
	})
}

// Others may keep the write lock after they have changed a link: redirects do not wait for the end
// of that.
func TestRedirectsFollowWhileOthersWrite(t *testing.T) {
	t.Parallel()
	i := start(t)
	visit := i.visitor(t)
	path := filepath.Join(i.dir, "terse.db")
	i.choose(t, "changed", "https://old.example/")
	visit("changed", 1)
	conn := openByHand(t, path)
	must(t, sqlitex.ExecuteScript(conn, "UPDATE links SET url = 'https://new.example/'", nil))
	must(t, sqlitex.ExecuteTransient(conn, "BEGIN IMMEDIATE", nil))
	await(t, "the new URL", func() bool {
		_, location := visit("changed", 1)
		return location == "https://new.example/"
	})
	must(t, sqlitex.ExecuteTransient(conn, "ROLLBACK", nil))
}

// After a backup was put back under a running server, what it does not have is unknown, and no
// click is counted for the link that has the ID of another one from before.
func TestABackupIsPutBack(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it knows the IDs of all links")
	for name, put := range map[string]func(t *testing.T, backup, path string){
		"restored into the file": func(t *testing.T, backup, path string) {
			t.Helper()
			restore, err := sqlite.NewBackup(openByHand(t, path), "main", openByHand(t, backup),
				"main")
			must(t, err)
			for more := true; more; {
				if more, err = restore.Step(-1); sqlite.ErrCode(
					err).ToPrimary() == sqlite.ResultBusy {
					more, err = true, nil
				}
				must(t, err)
			}
			must(t, restore.Close())
		},
		"put in the file's place": func(t *testing.T, backup, path string) {
			t.Helper()
			must(t, os.Rename(backup, path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t)
			visit := i.visitor(t)
			path, backup := filepath.Join(i.dir, "terse.db"), filepath.Join(i.dir, "backup.db")
			i.choose(t, "base", "https://base.example/")
			must(t, sqlitex.Execute(openByHand(t, path), "VACUUM INTO ?",
				&sqlitex.ExecOptions{Args: []any{backup}}))
			i.choose(t, "lost", "https://lost.example/")
			visit("lost", 3)
			if n := i.counted(t, "lost"); n != 3 {
				t.Fatalf("%d clicks before", n)
			}

			put(t, backup, path)
			visit("lost", 20) // some are answered from the cache
			i.choose(t, "other", "https://other.example/")
			for n := range 5 {
				if status, location := visit("other", 1); location != "https://other.example/" {
					t.Errorf("the new link: %d %s", status, location)
				}
				visit("lost", 1+n)
			}
			await(t, "404 for the link that is lost", func() bool {
				status, _ := visit("lost", 1)
				return status == http.StatusNotFound
			})
			if n := i.counted(t, "other"); n != 5 {
				t.Errorf("%d clicks of the link with the ID of the lost one, want 5", n)
			}
			if status, _ := visit("base", 1); status != http.StatusFound {
				t.Errorf("the link in the backup: %d", status)
			}
			links, err := i.client().List(t.Context(), 10, 0)
			must(t, err)
			if newest := links.URLs[0]; links.Total != 2 || newest.ID != 2 ||
				newest.ShortCode != "other" {
				t.Errorf("%d links, the newest is %v: no ID was given out again", links.Total,
					newest)
			}
		})
	}
}

// A SQLite database has one server, however its path is spelled, and any number of other programs.
func TestOneServerADatabase(t *testing.T) {
	t.Parallel()
	first := startProcess(t, t.TempDir())
	path := filepath.Join(first.dir, "terse.db")
	first.choose(t, "abc", "https://example.com/")

	links := t.TempDir()
	must(t, os.Symlink(first.dir, filepath.Join(links, "folder")))
	must(t, os.Symlink(path, filepath.Join(links, "file.db")))
	for _, spelled := range []string{
		path, filepath.Dir(path) + "/./../" + filepath.Base(first.dir) + "//terse.db",
		filepath.Join(links, "folder", "terse.db"), filepath.Join(links, "file.db"),
	} {
		var told bytes.Buffer
		// for a server that is not refused
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		env := environFor(t.TempDir(), []string{"DATABASE_URL=" + spelled})
		code := run(ctx, []string{"serve"}, env, nil, io.Discard, &told)
		cancel()
		want := fmt.Sprintf("%s is in use by another terse server (process %d)",
			spelled, first.cmd.Process.Pid)
		if code != cli.ExitFailure || !strings.Contains(told.String(), want) {
			t.Errorf("%s: exit code %d, told %q, want %q", spelled, code, told.String(), want)
		}
	}
	conn := openByHand(t, path)
	must(t, sqlitex.ExecuteScript(conn, "UPDATE links SET url = 'https://new.example/'", nil))

	first.kill()
	second := startProcess(t, t.TempDir(), "DATABASE_URL="+filepath.Join(links, "file.db"))
	if _, location := second.visitor(t)("abc", 1); location != "https://new.example/" {
		t.Errorf("after a kill the link leads to %q", location)
	}
}

// TestDBTimeout has another program write to the database for longer than a server waits that is
// not told otherwise: one that is waits for it.
func TestDBTimeout(t *testing.T) {
	t.Parallel()
	const usual = 5 * time.Second
	i := start(t, "DB_TIMEOUT=5m")
	conn := openByHand(t, filepath.Join(i.dir, "terse.db"))
	must(t, sqlitex.ExecuteTransient(conn, "BEGIN IMMEDIATE", nil))
	created := make(chan answer, 1)
	go func() {
		created <- i.do(t, "POST /api/urls", `{"original_url":"https://example.com/"}`,
			authorized())
	}()
	select {
	case got := <-created:
		t.Fatalf("while the database is locked: %s", got.Status)
	case <-time.After(usual + time.Second):
	}
	must(t, sqlitex.ExecuteTransient(conn, "ROLLBACK", nil))
	if got := <-created; got.StatusCode != http.StatusCreated {
		t.Errorf("afterwards: %s", got.Status)
	}
}
