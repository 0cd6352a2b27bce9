package redis_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"terse/internal/tests/redistest"
	"terse/internal/visit/ratelimit/redis"
)

// patience is how long something may take that should come at once: then it is wrong, not slow.
const patience = 60 * time.Second

// do runs commands with a deadline that a server reaches only if it is never going to answer.
func do(t testing.TB, c *redis.Client, commands ...[]string) ([]redis.Reply, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return c.Do(ctx, commands...)
}

func connect(t testing.TB, url string) *redis.Client {
	t.Helper()
	server, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.New(server)
	t.Cleanup(client.Close)
	return client
}

func TestParseURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"redis://localhost", "rediss://user:secret@host:1/2", "redis://host/",
		"redis://:secret@host",
		"unix:///run/redis.sock", "unix:///run/redis.sock?db=3", "valkey://[::1]:6379",
		"valkeys://host",
	} {
		if _, err := redis.ParseURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{
		"", "localhost:6379", "http://user:secret@host", "redis://user:secret@host/x",
		"redis://user:secret@ho st", "unix://", "redis://", "redis:host", "unix://host/path",
		"redis://host/1/2", "redis://host/-1", "redis://secret@host?addr=b:6379",
		"redis://secret@host?master_set=m", "redis://secret@host:port",
	} {
		_, err := redis.ParseURL(url)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestRealServer has what a real server answers, and signs in to it.
func TestRealServer(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t).URL()
	c := connect(t, url)
	replies, err := do(t, c, []string{"SET", "a", "\r\n$-2\r\n"}, []string{"GET", "a"},
		[]string{"INCR", "b"}, []string{"INCR", "a"}, []string{"EVALSHA", "x", "0"},
		[]string{"CONFIG", "SET", "requirepass", "secret"},
		[]string{"ACL", "SETUSER", "terse", "on", ">other", "+@all", "~*"})
	if err != nil {
		t.Fatal(err)
	}
	if replies[0].Text != "OK" || replies[1].Text != "\r\n$-2\r\n" || replies[2].Number != 1 {
		t.Errorf("%+v", replies)
	}
	for _, reply := range replies[3:5] {
		if _, ok := errors.AsType[redis.Error](reply.Err); !ok {
			t.Errorf("%+v is no error", reply)
		}
	}
	socket := strings.TrimPrefix(url, "unix://")
	for in, welcome := range map[string]bool{
		"unix://:secret@" + socket + "?db=2": true, "unix://terse:other@" + socket: true,
		"unix://" + socket: false, "unix://:secret@" + socket + "?db=99": false,
		"unix://terse:secret@" + socket: false,
	} {
		replies, err := do(t, connect(t, in), []string{"INCR", "b"})
		if err == nil {
			err = replies[0].Err
		}
		if (err == nil) != welcome {
			t.Errorf("%s: %v", in, err)
		}
		if want := int64(1); strings.Contains(in, "db=2") && replies[0].Number != want {
			t.Errorf("database 2 has the count %d", replies[0].Number)
		}
	}
}

// hostile is a server that answers whatever comes with the same bytes, and then ends or hangs.
func hostile(t testing.TB, answer []byte, hangs bool) (url string) {
	t.Helper()
	//nolint:usetesting // a socket's path must be short
	dir, err := os.MkdirTemp("", "redis-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "socket") // fuzzing would run out of ports
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { close(done); _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = conn.Read(make([]byte, 64<<10))
				_, _ = conn.Write(answer)
				if hangs {
					<-done
				}
			}()
		}
	}()
	return "unix://" + socket
}

// TestNonsense: whatever is no reply of use is an error at once, and the next try begins anew.
func TestNonsense(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		"$-2\r\n", "$99999999999999999\r\n", "$9223372036854775807\r\n", "$-1\r\n", "$513\r\n",
		":9223372036854775808\r\n", ":1\n", ":\r\n", "\r\n", "\n", "*1\r\n*1\r\n*1\r\n",
		"*-1\r\n", "%1\r\n", "_\r\n", ">1\r\n+message\r\n", "$3\r\nabcd\r\n", "HTTP/1.1 400\r\n",
		strings.Repeat("*1\r\n", 100_000), "+" + strings.Repeat("a", 1<<20), ":1\r\n:2\r\n",
	} {
		c := connect(t, hostile(t, []byte(answer), true))
		replies, err := do(t, c, []string{"A"})
		if strings.HasPrefix(answer, ":1\r\n") {
			if err != nil || replies[0].Number != 1 {
				t.Errorf("%.20q: %+v, %v", answer, replies, err)
			}
			_, err = do(t, c, []string{"B"}) // what came is no answer to it
		}
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%.20q: %+v, %v", answer, replies, err)
		}
	}
}

// TestHangs: a server that sends half an answer, or none, holds nothing beyond the context's end.
func TestHangs(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"", ":", ":1\r", "$10\r\nabc"} {
		c := connect(t, hostile(t, []byte(answer), true))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := c.Do(ctx, []string{"A"}); err == nil {
			t.Errorf("%q is an answer", answer)
		}
		cancel()
		ctx, cancel = context.WithTimeout(t.Context(), patience)
		time.AfterFunc(10*time.Millisecond, cancel) // and beyond its being cancelled
		if _, err := c.Do(ctx, []string{"A"}); err == nil {
			t.Errorf("%q is an answer", answer)
		}
		c.Close()
	}
}

// TestPasswordsAreNotRepeated: Redis before 6 repeats what it does not understand.
func TestPasswordsAreNotRepeated(t *testing.T) {
	t.Parallel()
	url := hostile(t,
		[]byte("-ERR unknown command `AUTH`, with args: `secret`,\x1b[2J\xff\r\n"), true)
	_, err := do(t, connect(t, strings.Replace(url, "//", "//:secret@", 1)), []string{"A"})
	if err == nil || strings.Contains(err.Error(), "secret") ||
		strings.ContainsRune(err.Error(), '\x1b') || !utf8.ValidString(err.Error()) ||
		!strings.Contains(err.Error(), "AUTH") {
		t.Errorf("%q", err)
	}
}

// TestTLS: the name in the URL is the certificate's, by a known authority.
func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	server.TLS = &tls.Config{}
	server.StartTLS()
	t.Cleanup(server.Close)
	url := strings.Replace(server.URL, "https", "rediss", 1)
	_, err := do(t, connect(t, url), []string{"A"})
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); !ok {
		t.Errorf("%v", err)
	}
}

// FuzzAnswers: no answer makes the client hang, panic, or keep much.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		":1\r\n+OK\r\n$2\r\nab\r\n-ERR x\r\n", "$-2\r\n", "$99999999999999999\r\n",
		"*2\r\n:1\r\n:2\r\n",
		":9000000000000\r\n:-1\r\n", "$5\r\nab", "*1\r\n*1\r\n*1\r\n", ">1\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		c := connect(t, hostile(t, answer, false))
		replies, err := do(t, c, []string{"A"}, []string{"B"}, []string{"C"})
		if errors.Is(err, context.DeadlineExceeded) {
			t.Error("it waited for what never comes")
		}
		if err == nil && len(replies) != 3 || err != nil && len(replies) > 0 {
			t.Errorf("%d replies, %v", len(replies), err)
		}
		for _, reply := range replies {
			if len(reply.Text) > bytes.Count(answer, nil) {
				t.Errorf("a text of %d bytes", len(reply.Text))
			}
		}
	})
}
