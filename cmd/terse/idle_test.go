package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/tests/longtest"
)

const (
	idlers = 8000
	// idleMemory bounds what one idle connection takes, in bytes.
	idleMemory = 32 << 10
	// restMemory bounds what is left of all of them when they are closed: what the process keeps
	// for the next burst (memorySlack), and half of that for the kernel's way to count.
	restMemory = memorySlack + memorySlack/2
)

// TestIdleConnectionsTakeLittleMemory measures the process while connections of each kind wait for
// their next request, and after they were closed: then it has given the memory back. One of each
// kind does not hold up a stop.
func TestIdleConnectionsTakeLittleMemory(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux's /proc")
	}
	i := startProcess(t, t.TempDir(), "MAX_CONNS_PER_CLIENT=0")
	i.shortenAs(t, "launch", "https://example.com/")
	kinds := []sent{
		{"the fast path", "GET /launch HTTP/1.1\r\nHost: x\r\n\r\n", 302},
		{
			"the API", "GET /api/urls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + testToken +
				"\r\n\r\n", 200,
		},
		{"a form", posted("/launch", 4000, aForm(4000)), 405},
	}
	for _, kind := range kinds {
		i.idle(t, 100, kind).leave() // what each kind needs once is not what connections take
	}
	// Without the pages of files, such as the program's own, which the kernel maps as it likes.
	before := i.memory(t, "RssAnon")
	for _, kind := range kinds {
		c := i.idle(t, idlers, kind)
		each := (i.memory(t, "RssAnon") - before) / idlers
		t.Logf("%s: %d bytes each of %v", kind.name, each, i.metric(t, "terse_http_connections"))
		if each > idleMemory {
			t.Errorf("%s: %d bytes each, want at most %d", kind.name, each, idleMemory)
		}
		c.leave()
		await(t, "the idle ones to be gone", func() bool {
			return i.metric(t, "terse_http_connections") < 10
		})
	}
	await(t, "their memory to be given back", func() bool {
		return i.memory(t, "RssAnon") < before+restMemory
	})
	for _, kind := range kinds {
		i.idle(t, 1, kind)
	}
	if code := i.stop(t); code != 0 || strings.Contains(i.log.String(), "still under way") {
		t.Errorf("exit code %d with connections that wait:\n%s", code, i.log)
	}
}

// idle returns connections each of which has sent a request, and got the answer. Some are opened at
// a time, so that the first ones have not waited for too long when the last one is there.
func (i *instance) idle(t *testing.T, n int, kind sent) *crowd {
	t.Helper()
	c := &crowd{conns: make([]*net.TCPConn, n)}
	t.Cleanup(c.leave)
	var next atomic.Int64
	for range min(n, 16) {
		c.working.Go(func() {
			for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
				conn, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
				if err != nil {
					t.Error(err)
					return
				}
				c.conns[k] = conn.(*net.TCPConn)
				if err := kind.ask(conn); err != nil {
					t.Errorf("%s: %v", kind.name, err)
					return
				}
			}
		})
	}
	c.wait()
	if t.Failed() {
		t.FailNow()
	}
	return c
}

// ask sends the request on a connection, and reads the answer.
func (s sent) ask(conn net.Conn) error {
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // for a broken server
	if _, err := io.WriteString(conn, s.request); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil {
		return err
	}
	if resp.StatusCode != s.status {
		return fmt.Errorf("status %d, want %d", resp.StatusCode, s.status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
