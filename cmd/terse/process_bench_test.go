package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/tests/redistest"
)

// BenchmarkStart starts the real binary on 1,000,000 links and reports the time to its
// first answered redirect, and what it occupies when idle. Each link has a row as the
// interface would have written it.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	seedLinks(b, dir, 1_000_000)
	var rss int64
	for b.Loop() {
		began := time.Now()
		i := startProcess(b, dir)
		code, n := "code0000500000", 0
		for ; n == 0 || !i.redirects(b, code); n++ {
		}
		took := time.Since(began)
		b.ReportMetric(float64(took.Microseconds())/1000, "ms/first-redirect")
		rss = i.rss(b)
		i.kill()
	}
	b.ReportMetric(float64(rss)/(1<<20), "MiB-idle")
}

// BenchmarkClickVisible reports how long after its redirect a click is in the statistics of
// an idle server.
func BenchmarkClickVisible(b *testing.B) {
	i := startProcess(b, b.TempDir())
	code := i.shorten(b, "https://example.com/")
	var n int64
	for b.Loop() {
		i.redirects(b, code)
		n++
		i.clicks(b, code, n)
	}
	i.stop(b)
}

// BenchmarkSoak keeps the real binary under full load with random unknown codes and random
// client addresses from a trusted proxy, and reports how its memory went: run it with
// -benchtime 5m.
func BenchmarkSoak(b *testing.B) {
	i := startProcess(b, b.TempDir(), "TRUSTED_PROXIES=127.0.0.1",
		"REDIRECT_RATE_LIMIT_PER_MINUTE=120", "LOG_LEVEL=warn")
	ctx, cancel := context.WithCancel(b.Context())
	var load sync.WaitGroup
	var answered atomic.Int64
	for range 32 {
		load.Go(func() { i.scan(ctx, b, &answered) })
	}
	var samples []int64
	began := time.Now()
	for b.Loop() {
		time.Sleep(100 * time.Millisecond)
		samples = append(samples, i.rss(b))
	}
	took := time.Since(began)
	cancel()
	load.Wait()
	for n, part := range []string{"1st", "2nd", "3rd", "4th", "5th"} {
		fifth := samples[n*len(samples)/5 : max(n*len(samples)/5+1, (n+1)*len(samples)/5)]
		var most int64
		for _, s := range fifth {
			most = max(most, s)
		}
		b.ReportMetric(float64(most)/(1<<20), "MiB-"+part+"-fifth")
	}
	b.ReportMetric(float64(answered.Load())/took.Seconds(), "answers/s")
	i.stop(b)
}

// BenchmarkRateLimits redirects clients whose budgets this node counts alone, or shares through
// Redis: one client with a high limit, 8192 clients, and many who come once. It reports how often
// Redis could not be asked.
func BenchmarkRateLimits(b *testing.B) {
	for _, clients := range []struct {
		name, limit string
		mask        uint64
	}{{"one", "1000000000", 0}, {"8192", "1000000000", 1<<13 - 1}, {"new", "120", 1<<63 - 1}} {
		for _, where := range []string{"alone", "shared"} {
			b.Run(clients.name+"/"+where, func(b *testing.B) {
				env := []string{
					"TRUSTED_PROXIES=127.0.0.1", "LOG_LEVEL=warn",
					"REDIRECT_RATE_LIMIT_PER_MINUTE=" + clients.limit,
				}
				if where == "shared" {
					env = append(env, "REDIS_URL="+redistest.Start(b).URL())
				}
				i := startProcess(b, b.TempDir(), env...)
				code := i.shorten(b, "https://example.com/")
				if where == "shared" {
					await(b, "Redis",
						func() bool { return i.metric(b, "terse_ratelimit_shared") == 1 })
				}
				b.SetParallelism(16)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) { i.follow(b, code, clients.mask, pb) })
				b.StopTimer()
				if where == "shared" {
					b.ReportMetric(i.metric(b, "terse_ratelimit_shared_failures_total")/float64(
						b.N), "failures/op")
				}
				i.stop(b)
			})
		}
	}
}

// follow redirects random clients out of those that a mask leaves.
func (i *instance) follow(b *testing.B, code string, mask uint64, pb *testing.PB) {
	c, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
	if err != nil {
		b.Error(err)
		return
	}
	defer c.Close()
	in := bufio.NewReader(c)
	request := make([]byte, 0, 256)
	for pb.Next() {
		r := rand.Uint64() & mask
		request = fmt.Appendf(request[:0],
			"GET /%s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %d.%d.%d.%d\r\n\r\n", code, byte(r),
			byte(r>>8), byte(r>>16), byte(r>>24))
		if _, err := c.Write(request); err != nil {
			b.Error(err)
			return
		}
		if status, err := readAnswer(in); err != nil || status != "302" {
			b.Errorf("status %s, %v", status, err)
			return
		}
	}
}

// scan asks for a new unknown code from a new address each time.
func (i *instance) scan(ctx context.Context, b *testing.B, answered *atomic.Int64) {
	c, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
	if err != nil {
		b.Error(err)
		return
	}
	defer c.Close()
	in := bufio.NewReader(c)
	request := make([]byte, 0, 256)
	for ctx.Err() == nil {
		r := rand.Uint64()
		request = fmt.Appendf(request[:0],
			"GET /%s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %d.%d.%d.%d\r\n\r\n",
			terse.NewCode(false), byte(r), byte(r>>8), byte(r>>16), byte(r>>24))
		if _, err := c.Write(request); err != nil {
			b.Error(err)
			return
		}
		if status, err := readAnswer(in); err != nil || status != "404" {
			b.Errorf("status %s, %v", status, err)
			return
		}
		answered.Add(1)
	}
}

// readAnswer reads a response and returns its status.
func readAnswer(in *bufio.Reader) (status string, err error) {
	length := 0
	for n := 0; ; n++ {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case n == 0 && len(line) >= len("HTTP/1.1 200"):
			status = string(line[len("HTTP/1.1 "):len("HTTP/1.1 200")])
		case len(line) == 0:
			_, err = in.Discard(length)
			return status, err
		case bytes.HasPrefix(line, []byte("Content-Length: ")):
			if length, err = strconv.Atoi(string(line[len("Content-Length: "):])); err != nil {
				return "", err
			}
		}
	}
}

func (i *instance) redirects(b *testing.B, code string) bool {
	c, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
	if err != nil {
		return false
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /"+code+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		b.Fatal(err)
	}
	status, err := readAnswer(bufio.NewReader(c))
	if err == nil && status != "302" {
		b.Fatalf("%s was answered with %s", code, status)
	}
	return err == nil
}

// rss returns what of the process is in memory, in bytes.
func (i *instance) rss(b *testing.B) int64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", i.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return kib << 10
}

// seedLinks makes a data folder with n links, code0000000000 on, in one transaction.
func seedLinks(b *testing.B, dir string, n int) {
	b.Helper()
	startProcess(b, dir).stop(b) // makes the schema
	conn, err := sqlite.OpenConn(filepath.Join(dir, "terse.db"), sqlite.OpenReadWrite)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	err = sqlitex.Execute(conn,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
		INSERT INTO links (code, url, created_at, created_by)
		SELECT printf('code%010d', i), 'https://example.com/some/longer/path/' || i, i, ? FROM n`,
		&sqlitex.ExecOptions{Args: []any{n, terse.Identity}})
	if err != nil {
		b.Fatal(err)
	}
}
