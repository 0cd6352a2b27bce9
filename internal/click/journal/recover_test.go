package journal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/durable"
)

// crashed returns a copy of a journal of n clicks as its process's death leaves it, with
// the offsets of the records in its one segment.
func crashed(tb testing.TB, n int) (dir, file string, offsets []int64) {
	tb.Helper()
	j := open(tb, Options{SegmentBytes: 1 << 20, Sync: time.Hour}, 0)
	for i := range n {
		offsets = append(offsets, j.current.Load().written())
		appendAll(tb, j, i, i+1)
	}
	dir = copyDir(tb, j.dir)
	return dir, files(tb, dir)[0], offsets
}

// edit changes a file in place.
func edit(tb testing.TB, name string, change func(b []byte) []byte) {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, change(b), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// One damaged record hides no other.
func TestDamage(t *testing.T) {
	t.Parallel()
	const n, hit = 100, 50
	for name, damage := range map[string]func(record []byte, salt uint32){
		"hole":           func(r []byte, _ uint32) { clear(r) },
		"not published":  func(r []byte, _ uint32) { clear(r[:8]) },
		"bit in header":  func(r []byte, _ uint32) { r[1] ^= 4 },
		"bit in length":  func(r []byte, _ uint32) { r[4] ^= 1 },
		"length is huge": func(r []byte, _ uint32) { r[4], r[5] = 255, 255 },
		"bit in payload": func(r []byte, _ uint32) { r[12] ^= 128 },
		"unknown version": func(r []byte, salt uint32) {
			r[6] = 9
			h := binary.NativeEndian.Uint64(r)
			binary.NativeEndian.PutUint32(r, checksum(salt, uint32(h>>32), r[8:8+payloadLength(h)]))
		},
		"noise": func(r []byte, _ uint32) {
			for i := range r {
				r[i] = byte(i * 37)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file, offsets := crashed(t, n)
			edit(t, file, func(b []byte) []byte {
				damage(b[offsets[hit]:offsets[hit+1]], binary.NativeEndian.Uint32(b[12:]))
				return b
			})
			var logged strings.Builder
			j := open(t, Options{
				Dir: dir, Sync: time.Hour,
				Logger: slog.New(slog.NewTextHandler(&logged, nil)),
			}, 0)
			got, _ := readAll(t, j, 0)
			diff(t, got, append(want(t, 0, hit), want(t, hit+1, n)...))
			if d := j.Stats().Damaged; d != offsets[hit+1]-offsets[hit] {
				t.Errorf("%d bytes are said to be damaged, want %d", d, offsets[hit+1]-offsets[hit])
			}
			if strings.Count(logged.String(), "\n") != 1 {
				t.Errorf("logged:\n%s", &logged)
			}
		})
	}
}

func TestTornEnds(t *testing.T) {
	t.Parallel()
	for cut := range int64(80) {
		dir, file, offsets := crashed(t, 10)
		edit(t, file, func(b []byte) []byte { return b[:offsets[9]+cut] })
		j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
		got, pos := readAll(t, j, 0)
		if len(got) != 10 {
			diff(t, got, want(t, 0, 9))
		}
		appendAll(t, j, 20, 21)
		got, _ = readAll(t, j, pos)
		diff(t, got, want(t, 20, 21))
	}
}

func TestBadHeader(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(b []byte) []byte{
		"empty":      func([]byte) []byte { return nil },
		"short":      func(b []byte) []byte { return b[:20] },
		"not a one":  func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) },
		"other name": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := open(t, Options{SegmentBytes: 4096, Sync: time.Hour}, 0)
			appendAll(t, j, 0, 300)
			dir := copyDir(t, j.dir)
			bad := files(t, dir)[0]
			if damage == nil {
				if err := os.Rename(bad, filepath.Join(dir,
					fmt.Sprintf("%016x", 8)+suffix)); err != nil {
					t.Fatal(err)
				}
				bad = filepath.Join(dir, fmt.Sprintf("%016x", 8)+suffix)
			} else {
				edit(t, bad, damage)
			}
			k := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
			got, _ := readAll(t, k, 0)
			first := int(got[0].Link) - 1
			if first == 0 || first > 100 {
				t.Errorf("the other segments begin at click %d", first)
			}
			diff(t, got, want(t, first, 300))
			if _, err := os.Stat(bad + ".damaged"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A segment whose head is damaged is read by its records.
func TestDamagedHead(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(head []byte){
		"magic":    func(h []byte) { h[0] ^= 1 },
		"version":  func(h []byte) { h[8] ^= 2 },
		"salt":     func(h []byte) { h[13] ^= 16 },
		"base":     func(h []byte) { h[16] ^= 128 },
		"checksum": func(h []byte) { h[24] ^= 1 },
		"all":      func(h []byte) { clear(h) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const n, hit = 100, 50
			dir, file, offsets := crashed(t, n)
			edit(t, file, func(b []byte) []byte {
				damage(b[:headerBytes])
				clear(b[offsets[hit]:offsets[hit+1]])
				return b
			})
			var logged strings.Builder
			j := open(t, Options{
				Dir: dir, Sync: time.Hour,
				Logger: slog.New(slog.NewTextHandler(&logged, nil)),
			}, 0)
			got, _ := readAll(t, j, 0)
			diff(t, got, append(want(t, 0, hit), want(t, hit+1, n)...))
			for _, part := range []string{"records=99", "clicks=99", "lost_at_least=1"} {
				if !strings.Contains(logged.String(), part) {
					t.Errorf("no %s in\n%s", part, &logged)
				}
			}
		})
	}
}

func TestOtherFormats(t *testing.T) {
	t.Parallel()
	for want, change := range map[error]func(b []byte){
		errNewFormat: func(b []byte) { b[8]++ },
		errEarlier:   func(b []byte) { copy(b, "terseclk") },
	} {
		dir, file, _ := crashed(t, 1)
		edit(t, file, func(b []byte) []byte {
			change(b)
			binary.NativeEndian.PutUint32(b[headerSummed:],
				crc32.Checksum(b[:headerSummed], castagnoli))
			return b
		})
		if _, err := Open(Options{Dir: dir, Logger: discard}, at(0)); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

func TestLeftovers(t *testing.T) {
	t.Parallel()
	dir, file, _ := crashed(t, 5)
	half := filepath.Join(dir, fmt.Sprintf("%016x", 1<<20)+suffix+".tmp")
	if err := os.WriteFile(half, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half-made segment: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() > 8192 {
		t.Errorf("the unused part is kept: %v %v", info, err)
	}
	got, _ := readAll(t, j, 0)
	diff(t, got, want(t, 0, 5))
}

// Processes that die young, with a store that is down, fill no disk.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for n := range 10 {
		j := open(t, Options{Dir: dir, SegmentBytes: 1 << 20, Sync: time.Hour}, 0)
		j.rotating.Lock()
		j.prepare()
		j.rotating.Unlock()
		appendAll(t, j, n, n+1)
		dir = copyDir(t, dir)
	}
	j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	if n := len(files(t, dir)); n != 11 {
		t.Errorf("%d segments", n)
	}
	got, _ := readAll(t, j, 0)
	diff(t, got, want(t, 0, 10))
}

// A live segment that goes bad stops the reader, not Append; the next start reads on.
func TestLiveDamage(t *testing.T) {
	t.Parallel()
	j := open(t, Options{Sync: time.Hour}, 0)
	appendAll(t, j, 0, 10)
	off := j.current.Load().written()
	appendAll(t, j, 10, 20)
	j.current.Load().data[off+20] ^= 1
	clicks, _, pos, err := readSome(t.Context(), j, 100)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, clicks, want(t, 0, 10))
	if _, from, to, err := readSome(t.Context(), j, 100); err == nil || from != pos || to != pos {
		t.Errorf("read over damage from %d to %d: %v", from, to, err)
	}
	k := open(t, Options{Dir: copyDir(t, j.dir), Sync: time.Hour}, pos)
	got, _ := readAll(t, k, pos)
	diff(t, got, want(t, 11, 20))
}

func TestUnreadableSegment(t *testing.T) {
	t.Parallel()
	dir, file, _ := crashed(t, 5)
	j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := readSome(t.Context(), j, 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("read of a file that is gone: %v", err)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	got, _ := readAll(t, j, 0)
	diff(t, got, want(t, 0, 5))
}

const killedDir = "TERSE_TEST_JOURNAL_DIR"

// TestKilled kills a process in the middle of its appends: all acknowledged clicks survive.
func TestKilled(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(killedDir); dir != "" {
		appendUntilKilled(t, dir)
		return
	}
	dir := t.TempDir()
	acknowledged := make(map[int]bool)
	for round := range 3 {
		for _, n := range killOne(t, dir, round) {
			acknowledged[n] = true
		}
	}
	j := open(t, Options{Dir: dir, Sync: time.Hour}, 0)
	got, _ := readAll(t, j, 0)
	seen := make(map[int]bool)
	for _, c := range got {
		n := int(c.Link) - 1
		if seen[n] || c != click(t, n) {
			t.Fatalf("click %d twice or changed: %+v", n, c)
		}
		seen[n] = true
	}
	for n := range acknowledged {
		if !seen[n] {
			t.Errorf("acknowledged click %d is lost", n)
		}
	}
	t.Logf("%d acknowledged, %d found", len(acknowledged), len(got))
}

// killOne starts the test binary as a child and kills it after some thousand clicks. It
// returns the clicks that the child acknowledged.
func killOne(t *testing.T, dir string, round int) (acknowledged []int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilled$")
	child.Env = append(os.Environ(), killedDir+"="+dir,
		"TERSE_TEST_FIRST="+strconv.Itoa(round*1_000_000))
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			break // the last line, cut off by the kill
		}
		if acknowledged = append(acknowledged, n); len(acknowledged) == 3000 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || len(acknowledged) < 3000 {
		t.Fatalf("child ended by itself after %d clicks: %v", len(acknowledged), err)
	}
	return acknowledged
}

// appendUntilKilled is the child: 8 goroutines append small segments full and tell each
// click after Append returned.
func appendUntilKilled(t *testing.T, dir string) {
	first, err := strconv.Atoi(os.Getenv("TERSE_TEST_FIRST"))
	if err != nil {
		t.Fatal(err)
	}
	j, err := Open(Options{Dir: dir, SegmentBytes: 16 << 10, Sync: time.Hour, Logger: discard},
		at(0))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100_000 {
				n := first + g*100_000 + i
				c := click(t, n)
				if err := j.Append(&c); err != nil {
					t.Error(err)
				}
				// One write of a line is atomic in a pipe, and the last one may be cut off at its
				// end only.
				if _, err := io.WriteString(os.Stdout, strconv.Itoa(n)+"\n"); err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
}

// FuzzRecord decodes any bytes without a panic, and encoded clicks unchanged.
func FuzzRecord(f *testing.F) {
	f.Add([]byte{}, int64(1), int64(2), "abc", "DE", "https://news.example/")
	f.Add(bytes.Repeat([]byte{1}, 60), int64(-1), int64(1)<<62, "aaaaaaaaaaaaaaaaaaaa", "XX",
		"direct")
	f.Fuzz(func(t *testing.T, payload []byte, micros, link int64, code, country, ref string) {
		var numbered terse.NumberedClick
		_ = decode(payload, &numbered, NewClicks(0))
		decoded := func(payload []byte) (terse.Click, error) {
			clicks := NewClicks(0)
			err := decode(payload, &numbered, clicks)
			clicks.List = append(clicks.List, numbered)
			return clicks.Click(0), err
		}

		k, err := terse.ParseCode(code)
		if err != nil || ref == terse.DirectReferrer || len(ref) > terse.MaxReferrerBytes {
			return
		}
		in := terse.Click{
			Link: terse.LinkID(link), Code: k, Time: micros,
			Values: terse.Values{
				terse.ByCountry:  terse.ParseCountry(country).String(),
				terse.ByReferrer: ref,
				terse.ByBrowser:  []string{"", "Chrome", "a browser"}[len(ref)%3],
			},
			Visitor: uint64(link) & 7, Untracked: micros&1 > 0,
		}
		b := appendPayload(nil, &in)
		if c, err := decoded(b); err != nil || c != in {
			t.Errorf("%+v became %+v: %v", in, c, err)
		}
		// A field of a later version is skipped.
		b = append(append(b, 77, byte(len(country)%100)), make([]byte, len(country)%100)...)
		if c, err := decoded(b); err != nil || c != in {
			t.Errorf("with an unknown field %+v became %+v: %v", in, c, err)
		}
	})
}

// FuzzSegment recovers a segment with anything in it, and loses no record around that.
func FuzzSegment(f *testing.F) {
	f.Add([]byte{}, uint16(0))
	f.Add(bytes.Repeat([]byte{0xFF}, 100), uint16(3))
	f.Add(make([]byte, 100), uint16(8))
	f.Fuzz(func(t *testing.T, noise []byte, where uint16) {
		if len(noise) > 1<<16 {
			return
		}
		const salt = 12345
		data := make([]byte, headerBytes)
		var kept int
		put := func(n int) {
			c := click(t, n)
			payload := appendPayload(nil, &c)
			data = binary.NativeEndian.AppendUint64(data, header(salt, payload))
			data = append(data, payload...)
			data = append(data, make(
				[]byte, recordBytes(len(payload))-wordBytes-int64(len(payload)))...)
			kept++
		}
		for n := range 10 {
			if n == int(where%10) {
				data = append(data, noise...)
				data = append(data, make([]byte, -len(data)&7)...)
			}
			put(n)
		}
		last := &segment{live: true, size: headerBytes, data: make([]byte, headerBytes)}
		last.tail.Store(headerBytes)
		s := &segment{size: int64(len(data)), salt: salt, data: data}
		s.next.Store(last)
		j := &Journal{reading: s, offset: headerBytes, log: discard}
		clicks := NewClicks(0)
		err := j.fill(clicks, 1000)
		if err != nil || j.reading != last {
			t.Fatalf("%v, at %d of %d", err, j.offset, len(data))
		}
		next := 0
		for i := range clicks.List {
			if next < 10 && clicks.Click(i) == click(t, next) {
				next++
			}
		}
		if next != kept {
			t.Errorf("%d of %d records found", next, kept)
		}
	})
}

// The names of everything that Open creates are on disk when it returns.
func TestNamesAreDurable(t *testing.T) {
	root := t.TempDir()
	onDisk := map[string]bool{root: true} // what a loss of power would leave
	defer durable.Observe(func(dir string) {
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Error(err)
		}
		for _, name := range names {
			onDisk[name] = true
		}
	})()
	open(t, Options{Dir: filepath.Join(root, "new", "journal"), Sync: time.Hour}, 0)
	created := 0
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if created++; !onDisk[path] {
			t.Errorf("a loss of power takes away %s", path)
		}
		return err
	})
	if err != nil || created != 5 { // with root, new, journal: id and a segment
		t.Errorf("%d files: %v", created, err)
	}
}
