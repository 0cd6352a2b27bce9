package ingest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"terse"
	"terse/internal/click/journal"
	"terse/internal/database/sqlite"
)

// node is a journal, its ingester and the SQLite store, as the service wires them.
type node struct {
	*Ingester
	journal *journal.Journal
	store   *sqlite.Store
}

func openNode(tb testing.TB, dir string, sync time.Duration) *node {
	tb.Helper()
	log := slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(tb.Context(), sqlite.Options{
		Path:   filepath.Join(dir, "terse.db"),
		Logger: log,
	})
	if err != nil {
		tb.Fatal(err)
	}
	j, err := journal.Open(journal.Options{
		Dir:          filepath.Join(dir, "journal"),
		SegmentBytes: 1 << 20, Sync: sync, Logger: log,
	},
		func(id string) (int64, error) { return store.JournalPosition(tb.Context(), id) })
	if err != nil {
		tb.Fatal(err)
	}
	return &node{
		New(Options{Journal: j, Store: store, Logger: log, Timeout: 5 * time.Second}), j,
		store,
	}
}

func (n *node) close(tb testing.TB) {
	tb.Helper()
	if err := errors.Join(n.journal.Close(), n.store.Close()); err != nil {
		tb.Error(err)
	}
}

// link returns the link of a code, made when it is missing.
func (n *node) link(tb testing.TB, code string) terse.Link {
	tb.Helper()
	c, err := terse.ParseCode(code)
	if err != nil {
		tb.Fatal(err)
	}
	l, err := n.store.Link(tb.Context(), c)
	if errors.Is(err, terse.ErrNotFound) {
		l, err = n.store.Create(tb.Context(), terse.Caller{}, terse.NewLink{
			Code: c, URL: "https://example.com/",
			CreatedBy: terse.Identity,
		})
	}
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

const killedDir = "TERSE_TEST_INGEST_DIR"

// TestKilled kills the process while clicks are appended and ingested. Every click has a
// referrer of its own, so that the statistics tell which were counted, and how often.
func TestKilled(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(killedDir); dir != "" {
		appendUntilKilled(t, dir)
		return
	}
	dir := t.TempDir()
	acknowledged := make(map[string]bool)
	for range 4 {
		killOne(t, dir, acknowledged)
	}
	n := openNode(t, dir, time.Hour)
	defer n.close(t)
	if err := n.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats, err := n.store.Series(t.Context(), n.link(t, "kill").Ref(),
		terse.SeriesQuery{Range: terse.AllTime})
	if err != nil {
		t.Fatal(err)
	}
	for r, times := range stats.By[terse.ByReferrer] {
		if times != 1 {
			t.Errorf("%s was counted %d times", r, times)
		}
	}
	for r := range acknowledged {
		if stats.By[terse.ByReferrer][r] == 0 {
			t.Errorf("%s was acknowledged and is lost", r)
		}
	}
	t.Logf("%d acknowledged, %d counted", len(acknowledged), stats.Total)
}

// killOne starts the test binary as a child, and kills it when it has acknowledged some
// clicks; that moment falls anywhere into the child's transactions.
func killOne(t *testing.T, dir string, acknowledged map[string]bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilled$")
	child.Env = append(os.Environ(), killedDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	const enough = 1500
	n := 0
	for lines := bufio.NewReader(out); ; n++ {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // a line that the kill cut off is no acknowledgement
		}
		acknowledged[line[:len(line)-1]] = true
		if n == enough {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || n < enough {
		t.Fatalf("child ended by itself after %d clicks: %v", n, err)
	}
}

// appendUntilKilled is the child: it ingests without pauses while it appends.
func appendUntilKilled(t *testing.T, dir string) {
	n := openNode(t, dir, time.Millisecond)
	l := n.link(t, "kill")
	go func() {
		for {
			if err := n.try(context.Background()); err != nil {
				t.Error(err)
			}
		}
	}()
	for i := range 2000 {
		r := fmt.Sprintf("https://%d.example/%d", os.Getpid(), i)
		if err := n.journal.Append(&terse.Click{
			Link: l.ID, Code: l.Code,
			Time: time.Now().UnixMicro(), Values: terse.Values{
				terse.ByCountry: terse.UnknownCountry.String(), terse.ByReferrer: r,
			},
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stdout.WriteString(r + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Minute) // for the kill
}

// BenchmarkIngest10000 appends and ingests 10,000 clicks of 1,000 links, over the SQLite store.
func BenchmarkIngest10000(b *testing.B) {
	const clicks, links = 10_000, 1_000
	n := openNode(b, b.TempDir(), 100*time.Millisecond)
	defer n.close(b)
	var known [links]terse.Link
	for i := range known {
		known[i] = n.link(b, "link-"+strconv.Itoa(i))
	}
	start := time.Now().UnixMicro()
	b.ReportAllocs()
	for b.Loop() {
		for i := range clicks {
			l := known[i*7919%links]
			if err := n.journal.Append(&terse.Click{
				Link: l.ID, Code: l.Code,
				Time: start + int64(i), Values: terse.Values{
					terse.ByCountry:  "DE",
					terse.ByReferrer: "https://news.example/",
				},
			}); err != nil {
				b.Fatal(err)
			}
		}
		if err := n.Drain(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(clicks*float64(b.N)/b.Elapsed().Seconds(), "clicks/s")
}
