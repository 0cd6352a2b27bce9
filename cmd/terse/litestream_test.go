package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"terse/internal/tests/doctest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/tersetest"
)

// litestream builds the real program. Its module file is not ours, so that we have none of its
// dependencies.
func litestream(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "litestream")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w",
		"-o", path, "github.com/benbjohnson/litestream/cmd/litestream")
	build.Dir = filepath.Join("testdata", "litestream")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("build Litestream: %v\n%s", err, out)
		}
		t.Skipf("SKIPPED: a server beside Litestream is not tested: %v\n%s", err, out)
	}
	return path
}

// replicating runs Litestream beside a server until stop is called. It moves the write-ahead log as
// often as it can.
func replicating(t *testing.T, program, database, replica string) (stop func()) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "litestream.yml")
	must(t, os.WriteFile(config, fmt.Appendf(nil, `dbs:
  - path: %s
    min-checkpoint-page-count: 20
    checkpoint-interval: 100ms
    monitor-interval: 50ms
    replica:
      type: file
      path: %s
      sync-interval: 50ms
`, database, replica), 0o600))
	var log output
	beside := exec.CommandContext(t.Context(), program, "replicate", "-config", config)
	beside.Stdout, beside.Stderr = &log, &log
	must(t, beside.Start())
	ended := make(chan error, 1)
	go func() { ended <- beside.Wait() }()
	await(t, "Litestream to replicate", func() bool {
		return strings.Contains(log.String(), "replicating to") || len(ended) > 0
	})
	return func() {
		t.Helper()
		must(t, beside.Process.Signal(syscall.SIGTERM))
		if err := <-ended; err != nil || strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("Litestream: %v\n%s", err, log.String())
		}
	}
}

// Litestream copies the database to a replica while links are created and clicks are counted, and
// neither disturbs the other. What is restored has all that the server had, and is replicated, too.
func TestLitestream(t *testing.T) {
	longtest.Only(t)
	ours := tersetest.Binary(t)
	programs := map[string]string{"terse": ours, "litestream": litestream(t)}
	folder, replica := t.TempDir(), t.TempDir()
	dir := filepath.Join(folder, "data")
	i := startProcess(t, dir)
	stop := replicating(t, programs["litestream"], filepath.Join(dir, "terse.db"), replica)

	i.choose(t, "abc", "https://example.com/")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	client := plain(t, 4)
	var load sync.WaitGroup
	for range 4 {
		load.Go(func() {
			for ctx.Err() == nil {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, i.url+"/abc",
					http.NoBody)
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := client.Do(req)
				if err != nil || resp.StatusCode != http.StatusFound {
					t.Errorf("a redirect: %v, %v", resp, err)
					return
				}
				_ = resp.Body.Close()
			}
		})
	}
	for n := range 400 {
		i.shorten(t, "https://example.com/"+strings.Repeat("x", 1000))
		if n%200 == 0 {
			done(t, onData(t, dir, "backup", filepath.Join(t.TempDir(), "backup.db")))
		}
	}
	cancel()
	load.Wait()
	want := i.totals(t)
	i.stop(t) // before Litestream, as the document says
	stop()
	if strings.Contains(i.log.String(), `"level":"ERROR"`) {
		t.Error(i.log)
	}

	blocks := doctest.Blocks(t, "../../docs/backup.md", "## Litestream", "sh")
	script := strings.ReplaceAll(blocks[1], "/srv/replica", replica)
	inShell(t, folder, script, programs)
	again := startProcess(t, dir)
	if got := again.totals(t); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	stop = replicating(t, programs["litestream"], filepath.Join(dir, "terse.db"), replica)
	again.choose(t, "more", "https://example.com/")
	want = again.totals(t)
	again.stop(t)
	stop()
	must(t, os.Remove(filepath.Join(folder, "links.db")))
	inShell(t, folder, script, programs)
	if got := startProcess(t, dir).totals(t); got != want {
		t.Errorf("restored once more: %s, want %s", got, want)
	}
}
