package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/pgtest"
)

// TestNodes has two nodes on one database: what one makes and deletes the other sees, and clicks of
// both are counted together.
func TestNodes(t *testing.T) {
	t.Parallel()
	tryNodes(t, pgtest.URL(t))
}

// TestNodesBehindPooler is the same through a pooler in session mode.
func TestNodesBehindPooler(t *testing.T) {
	t.Parallel()
	tryNodes(t, pgtest.StartPooler(t, pgtest.URL(t), "pool_mode = session").URL())
}

// TestPoolerIsRefused starts a node behind a pooler that nodes cannot use.
func TestPoolerIsRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.StartPooler(t, pgtest.URL(t), "pool_mode = transaction").URL()
	url = strings.Replace(url, "postgres@", "postgres:hidden-secret@", 1)
	var told bytes.Buffer
	env := environFor(t.TempDir(), []string{"DATABASE_URL=" + url})
	code := run(t.Context(), []string{"serve"}, env, nil, io.Discard, &told)
	for _, want := range []string{"DATABASE_URL", "transaction", "session mode"} {
		if code != 1 || !strings.Contains(told.String(), want) ||
			strings.Contains(told.String(), "hidden-secret") {
			t.Errorf("exit code %d, want 1 and a word of %q: %s", code, want, &told)
		}
	}
}

func tryNodes(t *testing.T, url string) {
	t.Helper()
	url = "DATABASE_URL=" + url
	a, b := start(t, url), start(t, url)
	code := a.shorten(t, "https://example.com/")
	// What b remembers of the code, if anything, is that there is no such link, and for half a
	// second.
	await(t, "the other node to redirect",
		func() bool { return b.do(t, "GET /"+code, "").StatusCode == http.StatusFound })
	for range 10 {
		for _, node := range []*instance{a, b} {
			if got := node.do(t, "GET /"+code, ""); got.StatusCode != http.StatusFound {
				t.Fatalf("a redirect: %s", got.Status)
			}
		}
	}
	if stats := a.clicks(t, code, 21); stats.TotalClicks != 21 {
		t.Errorf("%d clicks, want 21", stats.TotalClicks)
	}
	if err := a.client().Delete(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	await(t, "the other node to see that the link is gone",
		func() bool { return b.do(t, "GET /"+code, "").StatusCode == http.StatusNotFound })
	if got := b.do(t, "GET /ready", ""); got.StatusCode != http.StatusOK {
		t.Errorf("ready: %s %s", got.Status, got.body)
	}
	if page, err := b.client().List(t.Context(), 0, 0); err != nil || page.Total != 0 ||
		len(page.URLs) != 0 {
		t.Errorf("the list of the other node: %+v %v", page, err)
	}
}

// TestOneNodePerJournal starts a second node with a copy of the first one's data folder.
func TestOneNodePerJournal(t *testing.T) {
	t.Parallel()
	url := "DATABASE_URL=" + pgtest.URL(t)
	a := start(t, url)
	copied := filepath.Join(t.TempDir(), "copy")
	await(t, "a copy during which no segment got its final name", func() bool {
		_ = os.RemoveAll(copied)
		return os.CopyFS(copied, os.DirFS(a.dir)) == nil
	})
	var told bytes.Buffer
	if code := run(t.Context(), []string{"serve"}, environFor(copied, []string{url}), nil,
		io.Discard, &told); code == 0 || !strings.Contains(told.String(), "another node") {
		t.Errorf("exit code %d: %s", code, &told)
	}
	if code := a.stop(t); code != 0 {
		t.Errorf("the first one ended with %d", code)
	}
	startIn(t, copied, url)
}

// A start waits for PostgreSQL as long as START_TIMEOUT says, and no longer.
func TestStartTimeout(t *testing.T) {
	t.Parallel()
	env := environFor(t.TempDir(), []string{
		"DATABASE_URL=postgres://127.0.0.1:1/terse",
		"START_TIMEOUT=100ms",
	})
	var told output
	began := time.Now()
	if code := run(t.Context(), []string{"serve"}, env, nil, &told,
		&told); code != cli.ExitFailure ||
		!strings.Contains(told.String(), "open the database") {
		t.Errorf("exit code %d: %s", code, &told)
	}
	if took := time.Since(began); took < 100*time.Millisecond || took > 20*time.Second {
		t.Errorf("it gave up after %s", took)
	}

	settings := parseServe(t, []string{"START_TIMEOUT=1h"})
	if unset := parseServe(t, nil); settings.startTimeout != time.Hour ||
		unset.startTimeout != 30*time.Second {
		t.Errorf("START_TIMEOUT=1h is %s, by itself it is %s", settings.startTimeout,
			unset.startTimeout)
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"postgres://terse:hidden-secret@127.0.0.1:1/terse?connect_timeout=1",
		"postgres://terse:hidden-secret@127.0.0.1:x/terse",
		"postgres://127.0.0.1:1/terse?password=hidden-secret&pool_max_conns=x",
	} {
		var told bytes.Buffer
		env := append(environFor(t.TempDir(), []string{"DATABASE_URL=" + url}), "LOG_LEVEL=debug")
		// it would wait for the database
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if code := run(ctx, []string{"serve"}, env, nil, &told, &told); code == 0 ||
			strings.Contains(told.String(), "hidden-secret") {
			t.Errorf("exit code %d: %s", code, &told)
		}
	}
}

// TestPostgresAway stops the database under a node and starts it again.
func TestPostgresAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	node := start(t, "DATABASE_URL="+server.URL("postgres"))
	code := node.shorten(t, "https://example.com/")
	redirect := func() {
		t.Helper()
		if got := node.do(t, "GET /"+code, ""); got.StatusCode != http.StatusFound {
			t.Fatalf("a redirect: %s", got.Status)
		}
	}
	redirect()
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		redirect() // from the cache
	}
	if got := node.do(t, "GET /ready", ""); got.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("ready: %s", got.Status)
	}
	if got := node.do(t, "POST /api/urls", `{"original_url":"https://example.com/"}`,
		authorized()); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("a new link: %s %s", got.Status, got.body)
	}
	if got := node.do(t, "GET /not-cached", ""); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("a link that is not cached: %s", got.Status)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the node to be ready",
		func() bool { return node.do(t, "GET /ready", "").StatusCode == http.StatusOK })
	redirect()
	if stats := node.clicks(t, code, 22); stats.TotalClicks != 22 {
		t.Errorf("%d clicks, want 22", stats.TotalClicks)
	}
	if _, err := node.client().Create(t.Context(),
		api.CreateRequest{OriginalURL: "https://example.com/2"}); err != nil {
		t.Error(err)
	}
}
