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
	calm    = "calm"
	anyLink = "any"
	unknown = "unknown"
)

//go:embed codes.lua
var codesScript []byte

// result is what wrk saw of one run.
type result struct {
	requests int64
	rate     float64       // requests/s
	p50, p99 float64       // of the latency, in µs
	cpu      time.Duration // that wrk used
}

// wrk puts an address under full load from loadCore for whole seconds.
func (b *bench) wrk(ctx context.Context, addr, mode string, links int,
	d time.Duration,
) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, d+startTimeout)
	defer cancel()
	script := filepath.Join(b.dir, "codes.lua")
	if err := os.WriteFile(script, codesScript, 0o600); err != nil {
		return result{}, err
	}
	cmd := onCore(ctx, loadCore, "wrk", "-t1", fmt.Sprintf("-c%d", connections),
		fmt.Sprintf("-d%ds", int(d.Seconds())), "-s", script, "http://"+addr, "--",
		mode, strconv.Itoa(links), strconv.Itoa(rand.IntN(1<<30)), alphabet,
		strconv.Itoa(multiplier))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	r, err := parseWrk(string(out), mode == unknown)
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return r, err
}

// parseWrk reads the line that done in codes.lua writes. Every request must have been answered,
// with an error status if and only if that is wanted.
func parseWrk(out string, refused bool) (result, error) {
	var r result
	var micros float64
	var errors, failed, late int64
	_, line, _ := strings.Cut(out, "RESULT ")
	if _, err := fmt.Sscan(line, &r.requests, &micros, &r.p50, &r.p99, &errors, &failed,
		&late); err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	wanted := int64(0)
	if refused {
		wanted = r.requests
	}
	if r.requests == 0 || failed != 0 || late != 0 || errors != wanted {
		return result{}, fmt.Errorf(
			"wrk: of %d answers %d are errors, want %d; %d connections broke, %d answers took "+
				"more than 2 s", r.requests, errors, wanted, failed, late)
	}
	r.rate = float64(r.requests) / micros * 1e6
	return r, nil
}

// client is one keep-alive connection at a time: the server says when it ends one.
type client struct {
	addr     string
	deadline time.Time // of everything
	conn     net.Conn  // nil before the first request, and when the server has ended it
	in       *bufio.Reader
	out      []byte
}

func newClient(addr string, within time.Duration) *client {
	return &client{addr: addr, deadline: time.Now().Add(within), in: bufio.NewReader(nil)}
}

func (c *client) connect() (err error) {
	if c.conn, err = (&net.Dialer{Deadline: c.deadline}).DialContext(context.Background(), "tcp",
		c.addr); err != nil {
		return err
	}
	c.in.Reset(c.conn)
	return c.conn.SetDeadline(c.deadline)
}

// close ends the connection; the next request makes another.
func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close() // all that was to be read was read
		c.conn = nil
	}
}

// redirect follows a code.
func (c *client) redirect(code string) error {
	c.out = append(append(append(c.out[:0], "GET /"...), code...),
		" HTTP/1.1\r\nHost: bench\r\n\r\n"...)
	return c.expect("302")
}

// redirectOnce follows a code over a connection of its own.
func redirectOnce(addr, code string) error {
	c := newClient(addr, startTimeout)
	defer c.close()
	return c.redirect(code)
}

// create makes a link.
func (c *client) create(url string) error {
	c.out = fmt.Appendf(c.out[:0],
		"POST /api/urls HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Length: "+
			"%d\r\n\r\n{\"original_url\":%q}",
		token, len(`{"original_url":""}`)+len(url), url)
	return c.expect("201")
}

// expect sends what is in out, and reads the answer.
func (c *client) expect(want string) error {
	if c.conn == nil {
		if err := c.connect(); err != nil {
			return err
		}
	}
	if _, err := c.conn.Write(c.out); err != nil {
		return err
	}
	status, last, err := readAnswer(c.in)
	if err == nil && status != want {
		err = fmt.Errorf("status %s, want %s: %s", status, want, c.out)
	}
	if last {
		c.close()
	}
	return err
}

// readAnswer reads an answer, and returns its status and whether it is the connection's last.
func readAnswer(in *bufio.Reader) (status string, last bool, err error) {
	length := 0
	for n := 0; ; n++ {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", false, err
		}
		line = bytes.TrimRight(line, "\r\n")
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case n == 0 && len(line) >= len("HTTP/1.1 200"):
			status = string(line[len("HTTP/1.1 "):len("HTTP/1.1 200")])
		case len(line) == 0:
			_, err = in.Discard(length)
			return status, last, err
		case bytes.EqualFold(name, []byte("Connection")):
			last = bytes.EqualFold(value, []byte("close"))
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return "", false, err
			}
		}
	}
}

// together lets connections clients do something again and again until the time is over or one
// fails. The n-th time of all begins n/rate seconds after the start, or later when the client is
// not back; rate 0 is as soon as it is. It returns how often it was done.
func together(ctx context.Context, addr string, rate float64, d time.Duration,
	do func(*client) error,
) (int64, error) {
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
				return began.Add(time.Duration(
					float64(n*connections+i) / rate * float64(time.Second)))
			}
			c := newClient(addr, d+startTimeout)
			defer c.close()
			if err := repeat(ctx, c, &done, due, do); err != nil {
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

func repeat(ctx context.Context, c *client, done *atomic.Int64, due func(n int) time.Time,
	do func(*client) error,
) error {
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
