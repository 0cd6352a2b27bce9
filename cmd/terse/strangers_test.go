package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"terse/api"
	"terse/internal/tests/longtest"
)

const (
	// strangers is how many connections one client may have by default.
	strangers = 1024
	// strangersMemory bounds what they may take, whatever is sent on them, beyond what they take
	// while they send nothing, in bytes: 64 KiB each.
	strangersMemory = strangers * 64 << 10
)

// sent is a request, and the status of its answer.
type sent struct {
	name, request string
	status        int
}

const formType = " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"

// posted returns a request whose body has a length.
func posted(target string, length int, body string) string {
	return fmt.Sprintf("POST %s%sContent-Length: %d\r\n\r\n%s", target, formType, length, body)
}

// inChunks returns a request whose body is one chunk, and what follows that.
func inChunks(target string, length int, chunk, rest string) string {
	return fmt.Sprintf("POST %s%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s%s",
		target, formType, length, chunk, rest)
}

// aForm returns a form with as many fields as fit into its length.
func aForm(length int) string { return strings.Repeat("a&", length/2) }

// someOf returns as much of something as fits into the header of a request.
func someOf(what string) string { return strings.Repeat(what, 15<<10/len(what)) }

// namesOf returns what someOf does with names that differ, in place of %s.
func namesOf(what string) string {
	var all strings.Builder
	for n := 0; all.Len() < 15<<10; n++ {
		fmt.Fprintf(&all, what, strconv.FormatInt(int64(n+36*36), 36))
	}
	return all.String()
}

// TestStrangersTakeLittleMemory has a client send what costs most to read on all connections that
// it may have. The server's memory stays within a bound, and another client gets in with a password
// meanwhile.
func TestStrangersTakeLittleMemory(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux's /proc")
	}
	const large = 1 << 20
	for name, kinds := range map[string][]sent{
		"forms": {
			{"a form", posted("/nosuchcode", large, aForm(large)), 413},
		},
		"announced forms": {
			{"an announced form", posted("/nosuchcode", large, ""), 413},
		},
		"what is refused": {
			{"a form in chunks", inChunks("/nosuchcode", large, aForm(large), "\r\n0"), 413},
			{"a small form", posted("/nosuchcode", 4096, aForm(4096)), 405},
			{"a sign-in", posted("/ui/session", large, aForm(large)), 413},
			{"a sign-in in chunks", inChunks("/ui/session", large, aForm(large), ""), 413},
			{"a link", posted("/api/urls", large, aForm(large)), 401},
			{"a link in chunks", inChunks("/api/urls", large, aForm(large), ""), 401},
			{"operations", posted("/api/bulk", 8*large, "a"), 401},
			{"too many operations", posted("/api/bulk", 9*large, ""), 401},
			{"fields", "GET /nosuchcode HTTP/1.1\r\n" + someOf("a:\r\n"), 431},
			{"names of trailer fields", "POST /nosuchcode HTTP/1.1\r\nHost: x\r\nTrailer: a" +
				namesOf(",%s") + "\r\nTransfer-Encoding: chunked\r\n\r\n", 431},
			{"cookies", "GET /ui/nothing HTTP/1.1\r\nHost: x\r\nCookie: " + someOf("a;") +
				"\r\n\r\n", 404},
		},
		"what does not arrive": {
			{"half a form", posted("/locked", 4096, aForm(4000)), 408},
			{"half a chunk", inChunks("/locked", 4096, aForm(4000), ""), 408},
			{"half a link", posted("/api/urls", 4096, aForm(4000)), 408},
			{"half a header", "GET /nosuchcode HTTP/1.1\r\nA: " + someOf("a"), 408},
			{"trailer fields", inChunks("/locked", 0, "", someOf("a:\r\n")), 400},
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := startProcess(t, t.TempDir())
			i.lock(t, "locked", "the right password")
			quiet := i.crowd(t, strangers)
			before := i.memory(t, "VmRSS")
			quiet.leave()
			await(t, "the quiet ones to be gone", func() bool {
				return i.metric(t, "terse_http_connections") < 10
			})
			i.forgetPeak(t)
			loud := i.crowd(t, strangers)
			loud.send(t, kinds)
			i.unlock(t, "locked", "the right password")
			loud.wait()
			grown := i.memory(t, "VmHWM") - before
			t.Logf("%d MiB, %d KiB each", grown>>20, grown/strangers>>10)
			if grown > strangersMemory {
				t.Errorf("%d connections took %d MiB, more than %d",
					strangers, grown>>20, strangersMemory>>20)
			}
		})
	}
}

// lock makes a link with a password.
func (i *instance) lock(t *testing.T, code, password string) {
	t.Helper()
	if _, err := i.client().Create(t.Context(), api.CreateRequest{
		OriginalURL: "https://example.com/", ShortCode: &code, Password: password,
	}); err != nil {
		t.Fatal(err)
	}
}

// unlock opens a link with its password.
func (i *instance) unlock(t *testing.T, code, password string) {
	t.Helper()
	resp, err := plain(t, 1).PostForm(i.url+"/"+code, url.Values{"password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		t.Errorf("the right password was answered with %d", resp.StatusCode)
	}
}

// memory returns what the kernel calls so of a process's memory, in bytes.
func (i *instance) memory(t *testing.T, what string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", i.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(status), what+":")
	kib, err := strconv.Atoi(strings.Fields(line)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// forgetPeak has the kernel forget how much memory a process has had, VmHWM.
func (i *instance) forgetPeak(t *testing.T) {
	t.Helper()
	name := fmt.Sprintf("/proc/%d/clear_refs", i.cmd.Process.Pid)
	if err := os.WriteFile(name, []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// crowd is connections of one client, which is another than that of a test's other requests.
type crowd struct {
	conns   []*net.TCPConn
	working sync.WaitGroup
}

// crowd returns connections once the server has all of them.
func (i *instance) crowd(t *testing.T, n int) *crowd {
	t.Helper()
	c := &crowd{}
	t.Cleanup(c.leave)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 3)}}
	for range n {
		conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(i.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		c.conns = append(c.conns, conn.(*net.TCPConn))
	}
	await(t, "the crowd to be let in", func() bool {
		return i.metric(t, "terse_http_connections") >= float64(n)
	})
	return c
}

func (c *crowd) leave() {
	for _, conn := range c.conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	c.conns = nil
}

// send has the connections send requests, all kinds as often, and reads the answers.
func (c *crowd) send(t *testing.T, kinds []sent) {
	t.Helper()
	for n, conn := range c.conns {
		kind := kinds[n%len(kinds)]
		_ = conn.SetDeadline(time.Now().Add(time.Minute)) // for a broken server
		// The server may answer before it has read all.
		c.working.Go(func() { _, _ = io.WriteString(conn, kind.request) })
		c.working.Go(func() {
			resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
			if err != nil {
				t.Errorf("%s: %v", kind.name, err)
			} else if resp.StatusCode != kind.status {
				t.Errorf("%s: %d, want %d", kind.name, resp.StatusCode, kind.status)
			}
			_ = conn.Close() // ends the other one
		})
	}
}

func (c *crowd) wait() { c.working.Wait() }
