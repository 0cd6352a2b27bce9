package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// aRedirect has as many bytes as the server's answer, and is the same to every request.
const aRedirect = "HTTP/1.1 302 Found\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Length: 0\r\nX-Request-Id: 00000000-0000-0000-0000-000000000000\r\n" +
	"Location: https://example.com/some/longer/path/of/a/page?article=12345\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n"

// noServer is a process that sends aRedirect for whatever it reads: what it costs is the kernel's, and how many it sends is
// what the load asks for.
type noServer struct{ *process }

func (noServer) settle(context.Context) error { return nil }

// floor compares nginx with what no server can do better.
func (b *bench) floor(ctx context.Context) (_ []row, err error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	me, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{name: "no server", addr: addr, log: filepath.Join(b.dir, "floor.log")}
	if err := startProcess(ctx, p, nil, me, "-redirect", addr); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	nginx, err := b.startNginx(ctx, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, nginx.stop()) }()
	const name = "one answer to all, beside nginx without log"
	of, beside, err := b.interleave(ctx, name, target{server: noServer{p}, name: p.name, addr: addr, mode: known, links: hotLinks}, hotNginx(nginx))
	if err != nil {
		return nil, err
	}
	return []row{
		compared(name, "requests/s", whole, of.rate, beside.rate, nil),
		compared("", "CPU µs/request", ratio, of.cpu, beside.cpu, nil),
		compared("", "latency p99, µs", whole, of.p99, beside.p99, nil),
		compared("", "share of its core, %", percent, of.busy, beside.busy, nil),
	}, nil
}

// redirectAll is the process that floor starts.
func redirectAll(ctx context.Context, addr string) error {
	context.AfterFunc(ctx, func() { os.Exit(0) })
	return answerAlways(addr, []byte(aRedirect))
}
