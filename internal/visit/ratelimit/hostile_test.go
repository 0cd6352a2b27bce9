package ratelimit_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"terse/internal/visit/ratelimit"
	"terse/internal/visit/ratelimit/redis"
)

// nonsense is what a hostile server answers, at random: what is almost right, and what is not.
func nonsense(random *rand.Rand) string {
	parts := []string{
		":0\r\n", ":1\r\n", ":-1\r\n", ":9000000000000\r\n", ":9223372036854775807\r\n", "+OK\r\n",
		"$40\r\n" + strings.Repeat("a", 40) + "\r\n", "$-1\r\n", "$-2\r\n", "$0\r\n\r\n",
		"$99999999999999999\r\n", "*1\r\n", "*-1\r\n", "*99999999999\r\n", "%1\r\n", "_\r\n",
		">2\r\n", "-NOSCRIPT no\r\n", fmt.Sprintf("-ERR %d\r\n", random.Int()), "\r\n", "\x00", ":",
		strings.Repeat("*1\r\n", 10_000), "-MOVED 1 127.0.0.1:1\r\n",
	}
	var answer strings.Builder
	for range 1 + random.IntN(4) {
		answer.WriteString(parts[random.IntN(len(parts))])
	}
	text := answer.String()
	if random.IntN(4) == 0 {
		text = text[:random.IntN(len(text))]
	}
	return text
}

// lines counts what is written to a log.
type lines struct {
	mu sync.Mutex
	n  int
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return len(p), nil
}

func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// hostile is a server that answers each read with nonsense, over TCP, or with what answer returns.
func hostile(t testing.TB, answer func(*rand.Rand) string) (url string, asked func() int) {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	var mu sync.Mutex
	n := 0
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buffer := make([]byte, 1<<20)
				for {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					mu.Lock()
					n++
					random := rand.New(rand.NewPCG(uint64(n), 1))
					mu.Unlock()
					if _, err := conn.Write([]byte(answer(random))); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "redis://" + ln.Addr().String(), func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// Whatever answers at Redis's address, a node goes on with its own limits, its log stays short, and
// it ends when it should.
func TestAHostileServer(t *testing.T) {
	t.Parallel()
	const sha = "$40\r\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"
	for name, answer := range map[string]func(*rand.Rand) string{
		"at random": nonsense,
		"at first":  func(*rand.Rand) string { return "$-2\r\n" },
		"later": func(random *rand.Rand) string { // only the script's name is right
			if random.IntN(2) == 0 {
				return sha
			}
			return nonsense(random)
		},
		"never":     func(*rand.Rand) string { return "" },
		"long wait": func(*rand.Rand) string { return ":9000000000000\r\n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, asked := hostile(t, answer)
			server, err := redis.ParseURL(url)
			if err != nil {
				t.Fatal(err)
			}
			log := &lines{}
			s := ratelimit.NewShared(server, slog.New(slog.NewTextHandler(log, nil)))
			l := s.Limiter("test", 5)
			s.SetTimes(ratelimit.Window, 20*time.Millisecond)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- s.Run(ctx) }()
			for i := uint64(0); i < 100 || asked() < 4; i++ {
				granted := 0
				for range 10 {
					wait := l.Take(address(i))
					if wait == 0 {
						granted++
					} else if wait > ratelimit.Window+time.Second/4 {
						t.Fatalf("refused for %v", wait)
					}
				}
				if granted > 5 {
					t.Fatalf("%d granted", granted)
				}
				giveBack, wait := s.Hold(fmt.Sprint(i), 1, time.Minute)
				if wait > time.Minute {
					t.Fatalf("the place is free in %v", wait)
				}
				if giveBack != nil {
					giveBack()
				}
				time.Sleep(time.Millisecond)
			}
			cancel()
			select {
			case <-done:
			case <-time.After(patience):
				t.Fatal("it does not end")
			}
			if n := log.count(); n > 2 {
				t.Errorf("%d lines in the log", n)
			}
		})
	}
}
