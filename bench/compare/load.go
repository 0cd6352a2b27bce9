package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many keep-alive connections all load comes over.
const connections = 64

// What wrk asks for: see codes.lua.
const (
	known   = "known"
	anyLink = "any"
	unknown = "unknown"
)

//go:embed codes.lua
var codesScript []byte

// result is what wrk saw of one run.
type result struct {
	requests int64
	rate     float64 // requests/s
	p50, p99 float64 // of the latency, in µs
}

// wrk puts an address under full load from loadCore for whole seconds.
func (b *bench) wrk(ctx context.Context, addr, mode string, links int, d time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, d+startTimeout)
	defer cancel()
	script := filepath.Join(b.dir, "codes.lua")
	if err := os.WriteFile(script, codesScript, 0o600); err != nil {
		return result{}, err
	}
	cmd := onCore(ctx, loadCore, "wrk", "-t1", fmt.Sprintf("-c%d", connections), fmt.Sprintf("-d%ds", int(d.Seconds())), "-s", script, "http://"+addr, "--",
		mode, strconv.Itoa(links), strconv.Itoa(rand.IntN(1<<30)), alphabet, strconv.Itoa(multiplier))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	return parseWrk(string(out), mode == unknown)
}

// parseWrk reads the line that done in codes.lua writes. Every request must have been answered, with
// an error status if and only if that is wanted.
func parseWrk(out string, refused bool) (result, error) {
	var r result
	var micros float64
	var errors, failed int64
	_, line, _ := strings.Cut(out, "RESULT ")
	if _, err := fmt.Sscan(line, &r.requests, &micros, &r.p50, &r.p99, &errors, &failed); err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	wanted := int64(0)
	if refused {
		wanted = r.requests
	}
	if r.requests == 0 || failed != 0 || errors != wanted {
		return result{}, fmt.Errorf("wrk: of %d answers %d are errors, want %d; %d requests failed", r.requests, errors, wanted, failed)
	}
	r.rate = float64(r.requests) / micros * 1e6
	return r, nil
}

// client is one keep-alive connection.
type client struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
}

// dial connects; everything on the connection has to be done within a time.
func dial(ctx context.Context, addr string, within time.Duration) (*client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(within)); err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReader(conn)}, nil
}

// redirect follows a code.
func (c *client) redirect(code string) error {
	c.out = append(append(append(c.out[:0], "GET /"...), code...), " HTTP/1.1\r\nHost: bench\r\n\r\n"...)
	return c.expect("302")
}

// redirectOnce follows a code over a connection of its own.
func redirectOnce(ctx context.Context, addr, code string) error {
	c, err := dial(ctx, addr, startTimeout)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	return c.redirect(code)
}

// create makes a link.
func (c *client) create(url string) error {
	c.out = fmt.Appendf(c.out[:0], "POST /api/urls HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n{\"original_url\":%q}",
		token, len(`{"original_url":""}`)+len(url), url)
	return c.expect("201")
}

// expect sends what is in out, and reads the answer.
func (c *client) expect(want string) error {
	if _, err := c.conn.Write(c.out); err != nil {
		return err
	}
	status, err := readAnswer(c.in)
	if err == nil && status != want {
		err = fmt.Errorf("status %s, want %s: %s", status, want, c.out)
	}
	return err
}

// readAnswer reads an answer and returns its status.
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

// together lets connections clients do something again and again until the time is over or one fails. The n-th
// time of all begins n/rate seconds after the start, or later when the client is not back; rate 0 is
// as soon as it is. It returns how often it was done.
func together(ctx context.Context, addr string, rate float64, d time.Duration, do func(*client) error) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	began := time.Now()
	for i := range connections {
		all.Go(func() {
			due := func(n int) time.Time {
				if rate == 0 {
					return began
				}
				return began.Add(time.Duration(float64(n*connections+i) / rate * float64(time.Second)))
			}
			if err := repeat(ctx, addr, d, &done, due, do); err != nil {
				failed.CompareAndSwap(nil, &err)
				cancel()
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return done.Load(), nil
}

func repeat(ctx context.Context, addr string, d time.Duration, done *atomic.Int64, due func(n int) time.Time, do func(*client) error) error {
	c, err := dial(ctx, addr, d+startTimeout)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	for n := 0; ; n++ {
		time.Sleep(time.Until(due(n)))
		if ctx.Err() != nil {
			return nil
		}
		if err := do(c); err != nil {
			return err
		}
		done.Add(1)
	}
}
