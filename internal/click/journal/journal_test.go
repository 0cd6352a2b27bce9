package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
)

var discard = slog.New(slog.DiscardHandler)

func at(pos int64) func(string) (int64, error) {
	return func(string) (int64, error) { return pos, nil }
}

// click returns the n-th of a series of clicks, all different.
func click(tb testing.TB, n int) terse.Click {
	tb.Helper()
	code, err := terse.ParseCode(fmt.Sprintf("code-%d", n))
	if err != nil {
		tb.Error(err)
	}
	c := terse.Click{
		Link: terse.LinkID(n + 1), Code: code, Time: int64(n) * 1000,
		Values: terse.Values{terse.ByCountry: "DE"},
	}
	if n%3 != 0 {
		c.Values[terse.ByReferrer] = "https://news.example/" + strings.Repeat("x", n%50)
	}
	return c
}

// readSome returns what Read appends, with its texts.
func readSome(ctx context.Context, j *Journal, limit int) (
	clicks []terse.Click, from, to int64, err error,
) {
	dst := NewClicks(0)
	from, to, err = j.Read(ctx, dst, limit)
	for i := range dst.List {
		clicks = append(clicks, dst.Click(i))
	}
	return clicks, from, to, err
}

func open(tb testing.TB, opts Options, pos int64) *Journal {
	tb.Helper()
	if opts.Logger == nil {
		opts.Logger = discard
	}
	if opts.Dir == "" {
		opts.Dir = tb.TempDir()
	}
	j, err := Open(opts, at(pos))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := j.Close(); err != nil {
			tb.Error(err)
		}
	})
	return j
}

// run starts the background work and ends it before the journal is closed.
func run(tb testing.TB, j *Journal) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- j.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			tb.Error(err)
		}
	})
}

func appendAll(tb testing.TB, j *Journal, from, to int) {
	tb.Helper()
	for n := from; n < to; n++ {
		c := click(tb, n)
		if err := j.Append(&c); err != nil {
			tb.Error(err)
			return
		}
	}
}

// readAll reads and releases until nothing is left, and checks that positions are contiguous.
func readAll(tb testing.TB, j *Journal, pos int64) (all []terse.Click, end int64) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for j.Stats().Backlog > 0 {
		clicks, from, to, err := readSome(ctx, j, 1000)
		if err != nil {
			tb.Fatal(err)
		}
		if from != pos || to <= from || len(clicks) > 1000 {
			tb.Fatalf("read %d clicks from %d to %d, want from %d", len(clicks), from, to, pos)
		}
		pos, all = to, append(all, clicks...)
		j.Release(to)
	}
	return all, pos
}

func want(tb testing.TB, from, to int) (all []terse.Click) {
	tb.Helper()
	for n := from; n < to; n++ {
		all = append(all, click(tb, n))
	}
	return all
}

func diff(tb testing.TB, got, want []terse.Click) {
	tb.Helper()
	if d := cmp.Diff(want, got, cmp.AllowUnexported(terse.Code{})); d != "" {
		tb.Error(d)
	}
}

func files(tb testing.TB, dir string) []string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

// copyDir copies a journal as the death of its process would leave it.
func copyDir(tb testing.TB, dir string) string {
	tb.Helper()
	to := tb.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		tb.Fatal(err)
	}
	return to
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Sync: time.Millisecond}, 0)
	run(t, j)
	if got := j.Stats(); got != (Stats{}) {
		t.Errorf("fresh journal: %+v", got)
	}
	appendAll(t, j, 0, 2500)
	if s := j.Stats(); s.Appended != 2500 || s.Backlog <= 0 {
		t.Errorf("after 2500 clicks: %+v", s)
	}
	got, _ := readAll(t, j, 0)
	diff(t, got, want(t, 0, 2500))
}

func TestUnusualReferrers(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Sync: time.Hour}, 0)
	long := strings.Repeat("a", terse.MaxReferrerBytes)
	for _, r := range []string{"", "direct", "x", long, long + "a"} {
		c := click(t, 0)
		c.Values[terse.ByReferrer] = r
		if err := j.Append(&c); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := readAll(t, j, 0)
	var referrers []string
	for _, c := range got {
		referrers = append(referrers, c.Values.Of(terse.ByReferrer))
	}
	if d := cmp.Diff([]string{"direct", "direct", "x", long, "direct"}, referrers); d != "" {
		t.Error(d)
	}
}

func TestRotationUnder64Goroutines(t *testing.T) {
	t.Parallel()
	const callers, each = 64, 300
	j := open(t, Options{SegmentBytes: 8192, Sync: time.Millisecond}, 0)
	run(t, j)
	var wg sync.WaitGroup
	for g := range callers {
		wg.Go(func() {
			for i := range each {
				c := click(t, g*each+i)
				if err := j.Append(&c); err != nil {
					t.Error(err)
				}
			}
		})
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	seen := make(map[terse.LinkID]terse.Click)
	last := make([]terse.LinkID, callers)
	for pos := int64(0); len(seen) < callers*each; {
		clicks, from, to, err := readSome(ctx, j, 500)
		if err != nil || from != pos {
			t.Fatalf("from %d, want %d: %v", from, pos, err)
		}
		for _, c := range clicks {
			g := int(c.Link-1) / each
			if _, twice := seen[c.Link]; twice || c.Link <= last[g] {
				t.Fatalf("click %d twice or out of order", c.Link)
			}
			seen[c.Link], last[g] = c, c.Link
		}
		j.Release(to)
		pos = to
	}
	wg.Wait()
	for id, c := range seen {
		if c != click(t, int(id)-1) {
			t.Fatalf("click %d is %+v", id, c)
		}
	}
	if s := j.Stats(); s.Backlog != 0 || s.Lost != 0 || s.SyncErrors != 0 || s.Damaged != 0 {
		t.Errorf("%+v", s)
	}
	if n := len(files(t, j.dir)); n > 3 {
		t.Errorf("%d segments are left", n)
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var pos int64
	var id string
	for round := range 4 {
		j := open(t, Options{Dir: dir, SegmentBytes: 4096, Sync: time.Hour}, pos)
		if id == "" {
			id = j.ID()
		}
		if j.ID() != id {
			t.Fatalf("ID %q, was %q", j.ID(), id)
		}
		if round > 0 { // what the last round left
			var got []terse.Click
			got, pos = readAll(t, j, pos)
			diff(t, got, want(t, round*1000-500, round*1000))
		}
		appendAll(t, j, round*1000, round*1000+500)
		var got []terse.Click
		got, pos = readAll(t, j, pos)
		diff(t, got, want(t, round*1000, round*1000+500))
		appendAll(t, j, round*1000+500, round*1000+1000)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(&terse.Click{}); !errors.Is(err, ErrClosed) {
			t.Fatalf("append to a closed journal: %v", err)
		}
	}
	j := open(t, Options{Dir: dir, Sync: time.Hour}, pos+1<<30)
	if s := j.Stats(); s.Backlog != 0 {
		t.Errorf("the store has everything, but %+v", s)
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("counted segments are left: %q", left)
	}
}

// An older copy of a journal must not write where the store believes that it has counted.
func TestOlderCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir, SegmentBytes: 4096, Sync: time.Hour}, 0)
	appendAll(t, j, 0, 10)
	old := copyDir(t, dir)
	appendAll(t, j, 10, 500)
	_, pos := readAll(t, j, 0)

	k := open(t, Options{Dir: old, SegmentBytes: 4096, Sync: time.Hour}, pos)
	appendAll(t, k, 1000, 1010)
	got, _ := readAll(t, k, pos)
	diff(t, got, want(t, 1000, 1010))
}

func TestOlderStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir, SegmentBytes: 4096, Sync: time.Hour}, 0)
	appendAll(t, j, 0, 500)
	ctx := t.Context()
	_, _, middle, err := readSome(ctx, j, 7)
	if err != nil {
		t.Fatal(err)
	}
	// Nothing is released: the store may come back to what it knew.
	k := open(t, Options{Dir: copyDir(t, dir), SegmentBytes: 4096, Sync: time.Hour}, middle)
	got, _ := readAll(t, k, middle)
	diff(t, got, want(t, 7, 500))
}

func TestResumeAt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir, SegmentBytes: 4096, Sync: time.Hour}, 0)
	appendAll(t, j, 0, 200)
	k := open(t, Options{Dir: copyDir(t, dir), SegmentBytes: 4096, Sync: time.Hour}, 0)
	appendAll(t, k, 200, 400)
	ends := map[int64]int{0: 0} // position to the clicks before it
	for n := 0; n < 400; {
		clicks, _, to, err := readSome(t.Context(), k, 30)
		if err != nil {
			t.Fatal(err)
		}
		n += len(clicks)
		ends[to] = n
	}
	last := k.to
	for to, n := range ends {
		if err := k.ResumeAt(to); err != nil {
			t.Fatal(err)
		}
		for got := n; got < 400; {
			clicks, _, _, err := readSome(t.Context(), k, 1000)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, clicks, want(t, got, got+len(clicks)))
			got += len(clicks)
		}
	}
	for _, to := range []int64{-1, last + 8} {
		if err := k.ResumeAt(to); err == nil {
			t.Errorf("resumed at %d", to)
		}
	}
	k.Release(last)
	if s := k.Stats(); s.Backlog != 0 {
		t.Errorf("%+v", s)
	}
}

// A store that lost its latest transactions is behind what was released. What the files still hold
// is read again.
func TestResumeAtReleased(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Dir: t.TempDir(), SegmentBytes: 4096, Sync: time.Hour}, 0)
	appendAll(t, j, 0, 500)
	_, _, middle, err := readSome(t.Context(), j, 480)
	if err != nil {
		t.Fatal(err)
	}
	j.Release(middle)
	_, end := readAll(t, j, middle)
	for _, pos := range []int64{middle, 0} {
		if err := j.ResumeAt(pos); err != nil {
			t.Fatal(err)
		}
		if j.Stats().Backlog == 0 {
			t.Error("there is no backlog")
		}
		got, to := readAll(t, j, pos)
		if to != end || len(got) < 20 {
			t.Errorf("read %d clicks to %d, want to %d", len(got), to, end)
		}
		diff(t, got, want(t, 500-len(got), 500))
	}
	appendAll(t, j, 500, 700)
	got, _ := readAll(t, j, end)
	diff(t, got, want(t, 500, 700))
}

func TestReadWaits(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Sync: time.Hour}, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := readSome(ctx, j, 1); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for n := range 100 {
		go appendAll(t, j, n, n+1)
		clicks, _, _, err := readSome(context.Background(), j, 10)
		if err != nil {
			t.Fatal(err)
		}
		diff(t, clicks, want(t, n, n+1))
	}
}

func TestEqualReferrersAreOneText(t *testing.T) {
	j := open(t, Options{Sync: time.Hour}, 0)
	for range 1000 {
		appendAll(t, j, 40, 41)
	}
	dst := NewClicks(1000)
	allocs := testing.AllocsPerRun(1, func() {
		j.offset = headerBytes
		dst.Reset()
		if _, _, err := j.Read(context.Background(), dst, 1000); err != nil ||
			len(dst.List) != 1000 {
			t.Error(len(dst.List), err)
		}
	})
	if allocs > 10 {
		t.Errorf("%v allocations for 1000 equal referrers", allocs)
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	var logged strings.Builder
	j := open(t, Options{
		SegmentBytes: 4096, Sync: time.Hour,
		Logger: slog.New(slog.NewTextHandler(&logged, nil)),
	}, 0)
	noRoom := true
	j.newSegment = func(dir string, base, size int64) (*segment, error) {
		if noRoom {
			return nil, errors.New("no space left on device")
		}
		return makeSegment(dir, base, size)
	}
	kept := 0
	for lost := 0; lost < 1000; {
		c := click(t, kept)
		switch err := j.Append(&c); {
		case err == nil:
			kept++
		case errors.Is(err, ErrFull):
			lost++
		default:
			t.Fatal(err)
		}
	}
	if s := j.Stats(); !s.Full || s.Lost != 1000 || s.Appended != int64(kept) {
		t.Errorf("%d kept: %+v", kept, s)
	}
	got, pos := readAll(t, j, 0) // a full journal can be emptied
	diff(t, got, want(t, 0, kept))

	noRoom = false
	j.retryAt.Store(1) // the second is over
	appendAll(t, j, 5000, 5100)
	got, _ = readAll(t, j, pos)
	diff(t, got, want(t, 5000, 5100))
	if s := j.Stats(); s.Full || s.Lost != 1000 {
		t.Errorf("after there was room again: %+v", s)
	}
	if n := strings.Count(logged.String(), "\n"); n != 2 {
		t.Errorf("%d log lines, want 2:\n%s", n, &logged)
	}
}

func TestFullDiskAhead(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Sync: time.Hour}, 0)
	tried := make(chan struct{})
	var once sync.Once
	j.newSegment = func(dir string, base, size int64) (*segment, error) {
		first := false
		once.Do(func() { first = true; close(tried) })
		if first {
			return nil, errors.New("no space left on device")
		}
		return makeSegment(dir, base, size)
	}
	run(t, j)
	<-tried
	for j.Stats().Full || len(files(t, j.dir)) < 2 { // Run tries again by itself
		time.Sleep(time.Millisecond)
	}
}

func TestRealFullDisk(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	j := open(t, Options{Dir: dir, SegmentBytes: 4096, Sync: time.Hour}, 0)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	var err error
	for n := 0; n < 1000 && err == nil; n++ {
		c := click(t, n)
		err = j.Append(&c)
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("append without a directory: %v", err)
	}
}

func TestSync(t *testing.T) {
	t.Parallel()
	j := open(t, Options{SegmentBytes: 4096, Sync: time.Millisecond}, 0)
	run(t, j)
	appendAll(t, j, 0, 1000)
	for { // full segments are let go, the rest is clean
		j.syncing.Lock()
		synced := j.unsynced == j.current.Load() && !j.dirty.Load()
		j.syncing.Unlock()
		if synced {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if j.reading.file != nil {
		t.Error("a full segment on disk keeps its file descriptor")
	}
	got, _ := readAll(t, j, 0)
	diff(t, got, want(t, 0, 1000))
}

func TestCommit(t *testing.T) {
	t.Parallel()
	j := open(t, Options{SegmentBytes: 16 << 10}, 0) // and without Run
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for n := range 20 {
				appendAll(t, j, g*20+n, g*20+n+1)
				if err := j.Commit(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if j.group != nil || j.unsynced != j.current.Load() {
		t.Error("something waits for a sync after the last Commit returned")
	}
	got, _ := readAll(t, j, 0)
	if len(got) != 64*20 {
		t.Errorf("%d clicks", len(got))
	}
}

func TestSyncFails(t *testing.T) {
	t.Parallel()
	var logged strings.Builder
	j := open(t, Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))}, 0)
	good := j.unsynced.file
	r, w, err := os.Pipe() // can't be synced
	if err != nil {
		t.Fatal(err)
	}
	j.unsynced.file = w
	c := click(t, 1)
	for range 3 {
		if err := errors.Join(j.Append(&c), j.Commit()); err == nil {
			t.Error("commit succeeded without a sync")
		}
	}
	j.unsynced.file = good
	if err := errors.Join(j.Append(&c), j.Commit(), r.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if s := j.Stats(); s.SyncErrors != 3 {
		t.Errorf("%+v", s)
	}
	if n := strings.Count(logged.String(), "\n"); n != 2 {
		t.Errorf("%d log lines, want 2:\n%s", n, &logged)
	}
}

func TestSyncIsTriedAgain(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Sync: time.Millisecond}, 0)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	good := j.unsynced.file
	j.unsynced.file = w
	run(t, j)
	appendAll(t, j, 0, 1)
	for j.Stats().SyncErrors == 0 {
		time.Sleep(time.Millisecond)
	}
	j.syncing.Lock()
	j.unsynced.file = good
	j.syncing.Unlock()
	for j.dirty.Load() {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Error(err)
	}
}

// Not in parallel: a test that starts a process lends it the locks of all journals for a moment.
func TestOpenRefuses(t *testing.T) {
	refused := func(want string, opts Options, position func(string) (int64, error)) {
		t.Helper()
		opts.Logger = discard
		if j, err := Open(opts, position); err == nil {
			t.Errorf("opened, want %q: %v", want, j.Close())
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	dir := t.TempDir()
	refused("out of bounds", Options{Dir: dir, SegmentBytes: 1}, at(0))
	refused("out of bounds", Options{Dir: dir, Sync: -1}, at(0))
	refused("is -8", Options{Dir: dir}, at(-8))
	refused("unexpected EOF", Options{Dir: dir}, func(string) (int64, error) {
		return 0, io.ErrUnexpectedEOF
	})
	refused("not a directory", Options{Dir: "/dev/null"}, at(0))

	j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	refused("another process", Options{Dir: dir}, at(0))
	appendAll(t, j, 0, 1)
	other := copyDir(t, dir)
	if err := os.Remove(filepath.Join(other, "id")); err != nil {
		t.Fatal(err)
	}
	refused("restore it", Options{Dir: other}, at(0))
}

func TestDirIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for _, name := range append(files(t, dir), filepath.Join(dir, "id")) {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	j := open(t, Options{Sync: time.Hour}, 0)
	c := click(t, 40)
	if n := testing.AllocsPerRun(1000, func() {
		if err := j.Append(&c); err != nil {
			t.Error(err)
		}
	}); n > 0 {
		t.Errorf("Append allocates %v times", n)
	}
}

// Where the file system can't allocate, zeros do it.
func TestWriteZeros(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "zeros"))
	if err != nil {
		t.Fatal(err)
	}
	const size = 100_000
	if err := errors.Join(writeZeros(f, size), f.Close()); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(f.Name()); err != nil || string(b) != strings.Repeat("\x00", size) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

// The payload of a record must not change: the journal of an earlier program is read.
func TestPayloadBytesStay(t *testing.T) {
	t.Parallel()
	c := click(t, 7)
	c.Values[terse.ByReferrer] = "https://a.b/"
	b := appendPayload(nil, &c)
	if want := "DE\x01\x0chttps://a.b/"; string(b[8+8+16:]) != want {
		t.Errorf("payload ends with %q, want %q", b[8+8+16:], want)
	}
	c.Values[terse.ByBrowser], c.Visitor = "Firefox", 1
	before := len(b)
	b = appendPayload(nil, &c)
	if want := "\x85\x10\x7f\x08\x01\x00\x00\x00\x00\x00\x00\x00"; string(b[before:]) != want &&
		binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		t.Errorf("payload ends with %q, want %q", b[before:], want)
	}
	const first107 = 0x4dda8d52
	if sum := crc32.ChecksumIEEE([]byte(strings.Join(words[:107], " "))); sum != first107 {
		t.Errorf("the first words were changed: %#x, %q", sum, words)
	}
}

// A person's click adds little beside the texts that visitors send.
func TestPayloadIsSmall(t *testing.T) {
	t.Parallel()
	c := click(t, 7)
	c.Values[terse.ByReferrer] = "https://a.b/"
	before := len(appendPayload(nil, &c))
	c.Visitor = 1 << 60
	for d, value := range map[terse.Dimension]string{
		terse.ByBrowser: "Samsung Internet", terse.ByOS: "Android", terse.ByDevice: "mobile",
		terse.ByLanguage: "de", terse.ByVisitor: "person",
	} {
		c.Values[d] = value
	}
	if n := len(appendPayload(nil, &c)) - before; n > 24 {
		t.Errorf("%d more bytes, want at most 24", n)
	}
}
