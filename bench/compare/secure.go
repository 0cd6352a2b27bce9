package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"terse/internal/tests/certtest"
	"terse/internal/tests/freeport"
)

// greet is the mode of load of whole handshakes, each on a connection of its own.
const greet = "greet"

// greeters is the number of connections of that load.
const greeters = 16

// The certificate is ours, and servers are on loopback.
var trusting = &tls.Config{InsecureSkipVerify: true} //nolint:gosec // see above

// transport is for requests that are not measured.
var transport = func() *http.Transport {
	t, _ := http.DefaultTransport.(*http.Transport) // it is one
	t = t.Clone()
	t.TLSClientConfig = trusting.Clone()
	return t
}()

// nginxTLS has it do what is compared: ECDSA with P-256, X25519, AES-128-GCM, no resumption.
const nginxTLS = ` ssl;
		ssl_certificate %s;
		ssl_certificate_key %s;
		ssl_protocols TLSv1.3;
		ssl_ecdh_curve X25519;
		ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
		ssl_session_tickets off;
		ssl_session_cache off`

// certificate returns the files of a certificate for all servers.
func (b *bench) certificate() (cert, key string, err error) {
	pair, err := certtest.Make(30*24*time.Hour, "bench.example")
	if err != nil {
		return "", "", err
	}
	dir, err := b.workFolder()
	if err != nil {
		return "", "", err
	}
	return pair.Save(dir)
}

// startSecure starts a program with TLS, as start does without.
func (b *bench) startSecure(ctx context.Context, d *data, env ...string) (*terseServer, error) {
	plain, err := freeport.Address(ctx)
	if err != nil {
		return nil, err
	}
	addr, err := freeport.Address(ctx)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	cert, key, err := b.certificate()
	if err != nil {
		return nil, err
	}
	s, err := b.startAt(ctx, d, &process{addr: addr, secure: true}, plain, append([]string{
		"TLS_PORT=" + port, "TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + key,
		"BASE_URL=https://bench.example",
	}, env...)...)
	if err != nil && b.other != nil && d.of == b.other {
		return nil, notMeasuredError("the second terse does not serve TLS")
	}
	return s, err
}

// encrypted measures redirects over TLS on connections that stay, and handshakes.
func (b *bench) encrypted(ctx context.Context) ([]row, error) {
	secure := hot
	secure.secure = true
	rows, err := b.redirects(ctx, comparison{
		name: "over TLS", load: secure, beside: "nginx", cpu: most(1.1, ""),
	})
	if err == nil {
		err = b.finish(ctx)
	}
	if err != nil {
		return nil, err
	}
	secure.mode = greet
	ours, err := b.target(ctx, b.ours, secure)
	if err != nil {
		return nil, err
	}
	beside, name := target{mode: greet, links: hotLinks}, "TLS handshakes"
	if b.other != nil {
		beside, err = b.target(ctx, b.other, secure)
	} else {
		name += ", beside nginx"
		beside.server, err = b.startNginx(ctx, true)
	}
	if err != nil {
		return nil, err
	}
	of, other, err := b.interleave(ctx, ours, beside, b.runs, b.seconds)
	if err != nil {
		return nil, err
	}
	return append(rows,
		figures(name, "handshakes/s", whole, []series{of.rate, other.rate}, nil),
		figures("", "CPU µs/handshake", whole, []series{of.cpu, other.cpu},
			b.besides(most(1.25, "").of("nginx")))), nil
}

// greet loads a server with handshakes for d. Each client closes its connection in an orderly way,
// and waits until the server has done so.
func (b *bench) greet(ctx context.Context, p *process, _ string, _ int, d time.Duration,
) (result, error) {
	config := trusting.Clone()
	config.MinVersion, config.CurvePreferences = tls.VersionTLS13, []tls.CurveID{tls.X25519}
	ctx, cancel := context.WithTimeout(ctx, d+startTimeout)
	defer cancel()
	before, err := ownCPU()
	if err != nil {
		return result{}, err
	}
	var done atomic.Int64
	var working sync.WaitGroup
	failed := make(chan error, greeters)
	began := time.Now()
	for range greeters {
		working.Go(func() {
			for time.Since(began) < d {
				if err := greetOnce(ctx, p.addr, config); err != nil {
					failed <- fmt.Errorf("%s: handshake: %w", p.name, err)
					return
				}
				done.Add(1)
			}
		})
	}
	working.Wait()
	took := time.Since(began)
	close(failed)
	if err := <-failed; err != nil {
		return result{}, err
	}
	after, err := ownCPU()
	n := done.Load()
	return result{requests: n, rate: float64(n) / took.Seconds(), cpu: after - before}, err
}

func greetOnce(ctx context.Context, addr string, config *tls.Config) error {
	raw, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	c := tls.Client(raw, config)
	if err = c.HandshakeContext(ctx); err == nil {
		err = c.CloseWrite()
	}
	if err == nil {
		_, err = io.Copy(io.Discard, raw)
	}
	return errors.Join(err, raw.Close())
}

// ownCPU returns the CPU time of this process.
func ownCPU() (time.Duration, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err
}
