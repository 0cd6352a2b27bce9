package polite

import (
	"net"
	"runtime"
	"testing"
	"time"
)

// Work that yields lets a connection be served long before the runtime would preempt it.
func TestYieldServesConnections(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	turn, err := NewTurn()
	if err != nil {
		t.Fatal(err)
	}
	client, served := echo(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 10 {
			turn.since = time.Time{} // it is time
			turn.Yield()
		}
		if _, err := client.Write([]byte{1}); err != nil {
			t.Error(err)
		}
		for yields := 1; ; yields++ {
			turn.since = time.Time{}
			turn.Yield()
			select {
			case <-served:
				t.Logf("served after %d yields", yields)
				return
			default:
			}
			if yields == 1000 {
				t.Error("connection is not served")
				return
			}
		}
	}()
	<-done
	if err := turn.Close(); err != nil {
		t.Error(err)
	}
}

// echo returns a connection, and a channel that is closed when its other end has read a byte.
func echo(t *testing.T) (net.Conn, <-chan struct{}) {
	t.Helper()
	var config net.ListenConfig
	ln, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		conn, err := ln.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
	}()
	var dialer net.Dialer
	client, err := dialer.DialContext(t.Context(), "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(); _ = ln.Close() })
	return client, served
}

func TestNoTurn(t *testing.T) {
	t.Parallel()
	var turn *Turn
	turn.Yield()
	if err := turn.Close(); err != nil {
		t.Error(err)
	}
}

func BenchmarkYieldOther(b *testing.B) {
	turn, err := NewTurn()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		turn.wait()
	}
	_ = turn.Close()
}
