package journal

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A start on a full disk keeps the clicks in files, reports lost new clicks, and recovers by
// itself.
func TestOpenOnFullDisk(t *testing.T) {
	t.Parallel()
	for _, kept := range []int{0, 100} {
		t.Run(fmt.Sprint(kept, " clicks"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if kept > 0 {
				dir, _, _ = crashed(t, kept)
			}
			var hasRoom atomic.Bool
			var logged strings.Builder
			j, err := openOn(Options{
				Dir: dir, SegmentBytes: 4096, Sync: time.Millisecond,
				Logger: slog.New(slog.NewTextHandler(&logged, nil)),
			},
				func(dir string, base, size int64) (*segment, error) {
					if !hasRoom.Load() {
						return nil, fmt.Errorf("make segment: %w", syscall.ENOSPC)
					}
					return makeSegment(dir, base, size)
				}, at(0))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := j.Close(); err != nil {
					t.Error(err)
				}
			})
			run(t, j)
			loseOne(t, j, 1)
			got, pos := readAll(t, j, 0)
			diff(t, got, want(t, 0, kept))
			if err := j.Commit(); err != nil {
				t.Error(err)
			}
			loseOne(t, j, 2)

			hasRoom.Store(true)
			for j.Stats().Full {
				time.Sleep(time.Millisecond)
			}
			appendAll(t, j, kept, 500)
			got, _ = readAll(t, j, pos)
			diff(t, got, want(t, kept, 500))
			if s := j.Stats(); s.Backlog != 0 || s.Lost != 2 || s.Appended != int64(500-kept) ||
				s.SyncErrors != 0 {
				t.Errorf("after there was room: %+v", s)
			}
			if n := strings.Count(logged.String(), "\n"); n != 2 {
				t.Errorf("%d log lines, want 2:\n%s", n, &logged)
			}
		})
	}
}

func loseOne(t *testing.T, j *Journal, lost int64) {
	t.Helper()
	c := click(t, 0)
	if err := j.Append(&c); !errors.Is(err, ErrFull) {
		t.Errorf("append on a full disk: %v", err)
	}
	if s := j.Stats(); !s.Full || s.Lost != lost || s.Appended != 0 || s.Backlog < 0 {
		t.Errorf("on a full disk: %+v", s)
	}
}

// A start fails for any reason other than lack of space, because the operator has to fix it.
func TestOpenFails(t *testing.T) {
	t.Parallel()
	_, err := openOn(Options{Dir: t.TempDir(), Logger: discard},
		func(string, int64, int64) (*segment, error) {
			return nil, syscall.EACCES
		}, at(0))
	if !errors.Is(err, syscall.EACCES) {
		t.Error(err)
	}
}

// Trim frees only space that was allocated but not used.
func TestTrim(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := errors.Join(Trim(filepath.Join(dir, "none")), Trim(dir)); err != nil {
		t.Errorf("without a journal: %v", err)
	}
	j := open(t, Options{SegmentBytes: 1 << 20, Sync: time.Hour}, 0)
	j.rotating.Lock()
	j.prepare()
	j.rotating.Unlock()
	appendAll(t, j, 0, 100)
	if err := Trim(j.dir); err == nil {
		t.Error("trimmed under a process that writes")
	}
	dir = copyDir(t, j.dir)
	damaged := filepath.Join(dir, fmt.Sprintf("%016x", 1<<30)+suffix)
	if err := os.WriteFile(damaged, make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Trim(dir); err != nil {
		t.Fatal(err)
	}
	left := map[int64]int{}
	for _, name := range files(t, dir) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		left[info.Size()>>14]++ // in 16 KiB
	}
	if left[0] != 3 {
		t.Errorf("files of %v times 16 KiB are left", left)
	}
	k := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	got, _ := readAll(t, k, 0)
	diff(t, got, want(t, 0, 100))
}
