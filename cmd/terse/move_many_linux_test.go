package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/tersetest"
)

// maxMoving bounds the memory of an importing or exporting process, and of its server.
const maxMoving = 300 << 20

// TestMoveMany imports many links and clicks into a server, and exports them, while visitors are
// redirected.
func TestMoveMany(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	moveMany(t, 1_000_000, 20_000_000, nil)
}

func TestMoveManyOnPostgres(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	moveMany(t, 1_000_000, 20_000_000, []string{"DATABASE_URL=" + pgtest.URL(t)})
}

func moveMany(t *testing.T, links, clicks int, env []string) {
	i := startProcess(t, t.TempDir(), env...)
	code := i.shorten(t, "https://example.com/visited")
	end := make(chan struct{})
	visits := i.visitUntil(t, code, end)

	began := time.Now()
	source, sink := io.Pipe()
	go func() { sink.CloseWithError(writeMany(sink, links, clicks)) }()
	i.move(t, source, "import", "terse", "-")
	t.Logf("imported %d links with %d clicks in %v", links, clicks, time.Since(began))

	file := filepath.Join(t.TempDir(), "export.ndjson.gz")
	began = time.Now()
	i.move(t, nil, "export", file)
	t.Logf("exported them in %v", time.Since(began))

	began = time.Now()
	told := i.move(t, nil, "import", "terse", file)
	t.Logf("imported them again in %v", time.Since(began))
	if strings.Contains(told, "created") || strings.Contains(told, "added") {
		t.Errorf("a second import says %q", told)
	}
	close(end)
	if n := <-visits; n == 0 {
		t.Error("nobody was redirected meanwhile")
	}
	used := memoryOf(t, i.cmd.Process.Pid, "VmHWM")
	if t.Logf("the server used %d MiB", used>>20); used > maxMoving {
		t.Errorf("that is more than %d MiB", maxMoving>>20)
	}
}

// move runs a command of the program, and returns what it told. It checks its memory.
func (i *instance) move(t *testing.T, in io.Reader, args ...string) string {
	t.Helper()
	path := tersetest.Binary(t)
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), "TERSE_URL="+i.url, "TERSE_TOKEN="+testToken)
	cmd.Dir, cmd.Stdin = t.TempDir(), in
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &told, &told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var used int64
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %v\n%s", args, err, &told)
			}
			if t.Logf("%v used %d MiB", args[:2], used>>20); used > maxMoving {
				t.Errorf("that is more than %d MiB", maxMoving>>20)
			}
			return told.String()
		case <-time.After(50 * time.Millisecond):
			// What the kernel says of a process that has ended includes its parent before exec.
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			if m := highWater.FindSubmatch(status); err == nil && m != nil {
				kib, _ := strconv.ParseInt(string(m[1]), 10, 64) // digits
				used = kib << 10
			}
		}
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+([0-9]+) kB`)

// visitUntil follows a link until the end, and returns how often.
func (i *instance) visitUntil(t *testing.T, code string, end <-chan struct{}) <-chan int {
	visits, client := make(chan int, 1), plain(t, 1)
	go func() {
		n := 0
		for {
			select {
			case <-end:
				visits <- n
				return
			case <-time.After(time.Millisecond):
			}
			resp, err := client.Get(i.url + "/" + code)
			if err != nil || resp.StatusCode != http.StatusFound {
				t.Errorf("a visit while links are moved: %v, %v", resp, err)
				visits <- n
				return
			}
			_ = resp.Body.Close()
			n++
		}
	}()
	return visits
}

// writeMany writes an export of links. A tenth of the clicks are one link's.
func writeMany(to io.Writer, links, clicks int) error {
	w, random := bufio.NewWriterSize(to, 1<<16), rand.New(rand.NewPCG(1, 2))
	fmt.Fprintf(w, `{"type":"export","version":1,"links":%d,"clicks":%d}`+"\n", links, clicks)
	countries := []string{"DE", "US", "FR", "IN", "BR"}
	first := time.Now().Add(-400 * 24 * time.Hour).UTC()
	stamp := func(at time.Time) string { return at.Format("2006-01-02T15:04:05.000000Z") }
	for l := range links {
		fmt.Fprintf(w, `{"type":"link","short_code":"m%07d","original_url":"https://a.example/%d",`+
			`"created_at":%q,"title":"Page %d","tags":["t%d"]}`+"\n", l, l,
			stamp(first), l, l%100)
		n := clicks * 9 / 10 / links
		if l == links/2 {
			n = clicks/10 + clicks*9/10%links
		}
		step := 399 * 24 * time.Hour / time.Duration(n+1)
		for c := range n {
			fmt.Fprintf(w, `{"type":"click","time":%q,"firsts":1,"country":%q,"browser":"Firefox",`+
				`"device":"desktop","visitor":"person","referrer":"https://news.example/%d"}`+"\n",
				stamp(first.Add(step*time.Duration(c))), countries[random.IntN(len(countries))],
				random.IntN(20))
		}
	}
	fmt.Fprintf(w, `{"type":"end","links":%d,"clicks":%d}`+"\n", links, clicks)
	return w.Flush()
}
