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

	"terse/api"
	"terse/internal/longtest"
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

// Litestream copies the database to a replica while links are created and clicks are counted.
// Neither disturbs the other, although Litestream moves the write-ahead log as often as it can.
// What it restores has all that the server had.
func TestLitestream(t *testing.T) {
	longtest.Only(t)
	program := litestream(t)
	dir, replica := t.TempDir(), t.TempDir()
	i := startProcess(t, dir)
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
`, filepath.Join(dir, "terse.db"), replica), 0o600))
	var log output
	beside := exec.CommandContext(t.Context(), program, "replicate", "-config", config)
	beside.Stdout, beside.Stderr = &log, &log
	must(t, beside.Start())
	ended := make(chan error, 1)
	go func() { ended <- beside.Wait() }()
	await(t, "Litestream to replicate", func() bool {
		return strings.Contains(log.String(), "snapshot complete") || len(ended) > 0
	})

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
		if _, err := i.client().Create(t.Context(), api.CreateRequest{
			OriginalURL: "https://example.com/" + strings.Repeat("x", 1000),
		}); err != nil {
			t.Fatal(err)
		}
		if n%200 == 0 {
			done(t, onData(t, dir, "backup", filepath.Join(t.TempDir(), "backup.db")))
		}
	}
	cancel()
	load.Wait()
	want := i.totals(t)
	i.stop(t) // the database is closed before Litestream is
	must(t, beside.Process.Signal(syscall.SIGTERM))
	if err := <-ended; err != nil {
		t.Errorf("Litestream: %v\n%s", err, log.String())
	}
	if strings.Contains(i.log.String(), `"level":"ERROR"`) || strings.Contains(log.String(),
		"level=ERROR") {
		t.Errorf("the server:\n%s\nLitestream:\n%s", i.log, log.String())
	}

	file := filepath.Join(t.TempDir(), "restored.db")
	restore := exec.CommandContext(t.Context(), program, "restore", "-o", file, "file://"+replica)
	if out, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	empty := t.TempDir()
	done(t, onData(t, empty, "restore", file))
	if got := startIn(t, empty).totals(t); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
