package postgres_test

import (
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a store and its server, and does what networks do.
type proxy struct {
	ln net.Listener
	to string

	deaf      atomic.Bool  // notifications do not pass
	swallow   atomic.Bool  // answers do not pass
	swallowed atomic.Int64 // number of swallowed answers
	refuse    atomic.Bool  // new connections end at once
	refused   atomic.Int64 // number of refused connections

	mu    sync.Mutex // guards the fields below
	conns map[net.Conn]bool
}

// through returns the address of a database by way of a proxy.
func through(t *testing.T, address string) (*proxy, string) {
	u, err := url.Parse(address)
	must(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{ln: ln, to: u.Host, conns: map[net.Conn]bool{}}
	go p.accept()
	t.Cleanup(func() {
		ln.Close()
		p.cut()
	})
	u.Host = ln.Addr().String()
	return p, u.String()
}

func (p *proxy) accept() {
	for {
		client, err := p.ln.Accept()
		if err != nil {
			return
		}
		if p.refuse.Load() {
			p.refused.Add(1)
			client.Close()
			continue
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = true, true
		p.mu.Unlock()
		go p.forward(server, client)
		go p.answer(client, server)
	}
}

func (p *proxy) forward(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	to.Close()
	from.Close()
}

// answer forwards messages of the server (PostgreSQL manual, 55.7): a type, and a length that
// counts itself.
func (p *proxy) answer(client, server net.Conn) {
	defer client.Close()
	defer server.Close()
	head := make([]byte, 5)
	for {
		if _, err := io.ReadFull(server, head); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		switch {
		case p.swallow.Load():
			p.swallowed.Add(1)
		case p.deaf.Load() && head[0] == 'A':
		default:
			if _, err := client.Write(append(head[:5:5], body...)); err != nil {
				return
			}
		}
	}
}

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
}

// loseAnswers lets the server do its work, swallows some answers, and ends the connections.
func (p *proxy) loseAnswers(t *testing.T) {
	before := p.swallowed.Load()
	p.swallow.Store(true)
	await(t, "answers to be lost", func() bool { return p.swallowed.Load() >= before+2 })
	p.cut()
	p.swallow.Store(false)
}
