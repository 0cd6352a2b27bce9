package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"terse/internal/cli"
)

// smallDisk mounts a disk of 48 MiB: room for two segments of the journal and the database. A
// journal whose last segment is full heals when there is room for another one beside it.
func smallDisk(t *testing.T) string {
	t.Helper()
	return diskOf(t, "48m")
}

// diskOf mounts a disk of a size.
func diskOf(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	switch err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); {
	case errors.Is(err, unix.EPERM):
		t.Skip("SKIPPED: a start on a full disk is not tested; only root may mount a small one")
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillDisk writes to a file until there is no room left, not for a byte.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 1<<20); len(block) > 0; {
		switch _, err := f.Write(block); {
		case errors.Is(err, unix.ENOSPC):
			block = block[:len(block)/2]
		case err != nil:
			t.Fatal(err)
		}
	}
}

// visit asks for a code n times, with long referrers, and returns how many were answered.
func (i *instance) visit(t *testing.T, code string, n int) {
	t.Helper()
	client := plain(t, 8)
	defer client.CloseIdleConnections()
	var visitors sync.WaitGroup
	for v := range 8 {
		visitors.Go(func() {
			for k := range n / 8 {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, i.url+"/"+code,
					http.NoBody)
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Referer", fmt.Sprintf("https://r.example/%d/%s", k%4,
					strings.Repeat("x", 1000)))
				resp, err := client.Do(req)
				if err != nil || resp.StatusCode != http.StatusFound {
					t.Errorf("visitor %d: %v", v, err)
					return
				}
				_ = resp.Body.Close()
			}
		})
	}
	visitors.Wait()
}

// visitUntilLost fills the disk and visits a link until clicks are lost, and returns how many
// times. Counting the clicks from before the start may free the room of a segment, so the disk is
// filled again until that is used up.
func (i *instance) visitUntilLost(t *testing.T, code, filler string) (answered int) {
	t.Helper()
	for n := 8; n <= 32<<10; n *= 2 { // of 1 KiB each: more than the disk
		fillDisk(t, filler)
		i.visit(t, code, n)
		answered += n
		if i.metric(t, "terse_clicks_lost_total") > 0 {
			return answered
		}
	}
	t.Fatal("no click is lost on a full disk")
	return 0
}

// A server that is started on a full disk redirects, whatever ended the one before it. Its clicks
// are lost and counted as lost; those from before are counted, and all is well once there is room.
func TestStartOnFullDisk(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, *instance){
		"killed":  func(_ *testing.T, i *instance) { i.kill() },
		"stopped": func(t *testing.T, i *instance) { i.stop(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := smallDisk(t)
			dir, filler := filepath.Join(disk, "data"), filepath.Join(disk, "filler")
			env := []string{"LOG_LEVEL=warn", "SHUTDOWN_TIMEOUT=2s"}
			i := startProcess(t, dir, env...)
			code := i.shorten(t, "https://example.com/")
			i.visit(t, code, 800)
			fillDisk(t, filler)
			end(t, i)
			fillDisk(t, filler)

			i = startProcess(t, dir, env...)
			answered, lost := 800+80+i.visitUntilLost(t, code, filler), 0
			ready := i.do(t, "GET /ready?verbose", "", authorized())
			if !strings.Contains(ready.body, "no room on the disk") {
				t.Errorf("/ready?verbose: %d %s", ready.StatusCode, ready.body)
			}
			i.logLines(t, "no room for another segment")

			if name == "killed" { // again, when the journal has nothing left to give back
				lost += int(i.metric(t, "terse_clicks_lost_total"))
				end(t, i)
				fillDisk(t, filler)
				i = startProcess(t, dir, env...)
				answered += i.visitUntilLost(t, code, filler)
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			verbose := i.readiness(t)
			await(t, "room to be noticed", func() bool { return verbose() == readyBody })
			i.visit(t, code, 80)
			i.drain(t)
			lost += int(i.metric(t, "terse_clicks_lost_total"))
			if n := i.clicks(t, code, int64(answered-lost)).TotalClicks; n != int64(answered-lost) {
				t.Errorf("%d clicks of %d, and %d lost", n, answered, lost)
			}
		})
	}
}

// Where even SQLite has no room to open its database, the error says what is wrong.
func TestNoRoomForTheDatabase(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	dir := filepath.Join(disk, "data")
	startIn(t, dir).stop(t)
	// which would give back room
	if err := os.RemoveAll(filepath.Join(dir, "journal")); err != nil {
		t.Fatal(err)
	}
	fillDisk(t, filepath.Join(disk, "filler"))
	var told output
	if code := run(t.Context(), []string{"serve"}, environFor(dir, nil), nil, &output{},
		&told); code != cli.ExitFailure ||
		!strings.Contains(told.String(), "(the disk of "+dir+" is full)") {
		t.Errorf("exit code %d: %s", code, &told)
	}
}
