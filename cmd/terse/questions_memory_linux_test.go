package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// maxQuestion is how much more memory a process may have than before it answered a stranger about
// one day, at its values' highest number and full length: 22 MiB of them. They are in memory twice,
// as the database has them and numbered, and the runtime adds what it has not collected yet.
const maxQuestion = 128 << 20

// TestMemoryOfAQuestion measures a process, while it answers one stranger.
func TestMemoryOfAQuestion(t *testing.T) {
	longtest.Only(t)
	for _, database := range []string{"SQLite", "PostgreSQL"} {
		t.Run(database, func(t *testing.T) {
			dir := t.TempDir()
			var env []string
			if database == "PostgreSQL" {
				env = append(env, "DATABASE_URL="+pgtest.URL(t))
			}
			fillDay(t, dir, env)
			i := startProcess(t, dir, env...)
			path, _ := i.shareOf(t, "launch")
			pid := i.cmd.Process.Pid
			before := memoryOf(t, pid, "VmRSS")
			for _, query := range []string{"", "&limit=1"} {
				// 5 resets the highest memory use, VmHWM (proc(5), clear_refs).
				reset := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
				if reset != nil {
					t.Skip("the kernel does not tell how much memory was used: ", reset)
				}
				a := i.do(t, "GET "+path+"/clicks?by=source,medium,campaign,referrer_host"+query,
					"")
				took := memoryOf(t, pid, "VmHWM") - before
				t.Logf("a question of %s%s took %d MiB beyond %d", database, query, took>>20,
					before>>20)
				if a.StatusCode != http.StatusOK || len(a.body) == 0 || took > maxQuestion {
					t.Errorf("%d, %d bytes, with %d MiB", a.StatusCode, len(a.body), took>>20)
				}
			}
		})
	}
}

// fillDay makes a link, and a day of clicks with as many values as there may be.
func fillDay(t *testing.T, dir string, env []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var store storetest.Store
	var err error
	if len(env) == 0 {
		store, err = sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	} else {
		store, err = postgres.Open(ctx, postgres.Options{
			URL: env[0][len("DATABASE_URL="):], Timeout: time.Minute, // on a busy machine
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	code, err := terse.ParseCode("launch")
	if err != nil {
		t.Fatal(err)
	}
	link, err := store.Create(ctx, terse.Caller{}, terse.NewLink{
		Code: code, URL: "https://example.com/", CreatedBy: terse.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	clicks := storetest.FullDay(terse.DayOf(time.Now().UnixMicro()) - 1)
	for i := range clicks {
		clicks[i].Link, clicks[i].Code = link.ID, link.Code
	}
	err = store.AddClicks(ctx, terse.ClickBatch{
		Journal: "filled", To: 1, Clicks: terse.ClicksOf(clicks...),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// memoryOf returns what the kernel says of a process, in bytes.
func memoryOf(t *testing.T, pid int, name string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(name + `:\s+([0-9]+) kB`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in %s", name, text)
	}
	kib, err := strconv.ParseInt(string(m[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
