package acmecert

import (
	"context"
	"crypto/x509"
	"time"
)

// MaxLook is the longest time without a look at the clock.
const MaxLook = maxLook

// Due returns when a certificate is renewed that an authority wants renewed at a time, and that
// this process got at another; zero times are unknown.
func Due(leaf *x509.Certificate, renew, issued time.Time) time.Time {
	return (&plan{renew: renew, issued: issued}).due(leaf)
}

// Look returns when to look again at a certificate that is due later.
func Look(leaf *x509.Certificate, due, now, ask time.Time) time.Time {
	return (&plan{ask: ask}).lookBefore(due, now, leaf)
}

// FailOften has a host fail several times, and returns the pauses before the next tries.
func FailOften(k *Keeper, n int, err error, asked time.Duration) (pauses []time.Duration) {
	p := &plan{host: k.hosts[0]}
	for range n {
		began := time.Now()
		k.failed(context.Background(), p, err, asked)
		pauses = append(pauses, p.retry.Sub(began).Round(time.Second))
	}
	return pauses
}

// Looks returns a function that does what is to be done for the first host.
func Looks(k *Keeper) func(context.Context) {
	p := &plan{host: k.hosts[0]}
	return func(ctx context.Context) { k.look(ctx, p) }
}

// RetryAfter parses a header.
var RetryAfter = retryAfter
