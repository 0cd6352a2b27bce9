package journal

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// mapped returns how many KiB of a journal's files are in the process's memory.
func mapped(t *testing.T, dir string) (kib int) {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	for of := range strings.SplitSeq(string(smaps), dir) {
		_, rss, is := strings.Cut(of, "\nRss:")
		if !strings.HasPrefix(of, "/") || !is {
			continue
		}
		var n int
		if _, err := fmt.Sscan(rss, &n); err != nil {
			t.Fatal(err)
		}
		kib += n
	}
	return kib
}

// Counted clicks leave the process's memory before their segment is full, and can be read again.
func TestReleasedPagesLeave(t *testing.T) {
	t.Parallel()
	const clicks = 5000
	dir := t.TempDir()
	j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	appendAll(t, j, 0, clicks)
	if kib := mapped(t, dir); kib < 300 {
		t.Errorf("%d KiB of %d clicks before", kib, clicks)
	}
	readAll(t, j, 0)
	if kib := mapped(t, dir); kib > 100 {
		t.Errorf("%d KiB after", kib)
	}
	appendAll(t, j, clicks, clicks+500)
	if err := j.ResumeAt(0); err != nil {
		t.Fatal(err)
	}
	got, _ := readAll(t, j, 0)
	diff(t, got, want(t, 0, clicks+500))
}
