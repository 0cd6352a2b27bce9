package server

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// arrivals are the connections of an http.Server that have, or may have, a request that it has not
// passed on yet. When it shuts down it drops those without an answer, so a stop waits first.
type arrivals struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{} // a part of the open ones
}

func (a *arrivals) add(c net.Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conns == nil {
		a.conns = map[net.Conn]struct{}{}
	}
	a.conns[c] = struct{}{}
}

// remove is called when a request is passed on, and when a connection ends.
func (a *arrivals) remove(c net.Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.conns, c)
}

// changed is the ConnState of an http.Server whose connections begin without a request.
func (a *arrivals) changed(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		a.add(c)
	case http.StateClosed:
		a.remove(c)
	}
}

// await waits until there are none, or ctx ends.
func (a *arrivals) await(ctx context.Context) {
	for a.any() && ctx.Err() == nil {
		time.Sleep(time.Millisecond) // as net/http waits when it shuts down
	}
}

func (a *arrivals) any() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.conns) > 0
}
