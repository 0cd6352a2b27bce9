package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"

	"github.com/prometheus/client_golang/prometheus"
)

// Why handshakes fail: the values of the label.
const (
	unknownName = "unknown_name" // the client asked for a host that has no certificate here
	protocol    = "protocol"     // what it sent is not TLS, or of no version or cipher in common
	timedOut    = "timeout"
	otherwise   = "other" // the client hung up or refused, or there is no certificate yet
)

func newFailures(registry prometheus.Registerer) *prometheus.CounterVec {
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "terse_tls_handshake_failures_total",
		Help: "TLS handshakes that failed, by reason.",
	}, []string{"reason"})
	for _, reason := range []string{unknownName, protocol, timedOut, otherwise} {
		failures.WithLabelValues(reason)
	}
	registry.MustRegister(failures)
	return failures
}

// asked is what a handshake has found out about the certificate that its client wants. crypto/tls
// does not say so in its error.
type asked struct{ unknown, failed bool }

type askedKey struct{}

// noting returns GetCertificate of a tls.Config, which also notes in the handshake's asked why
// there is no certificate.
func noting(
	get func(*tls.ClientHelloInfo) (*tls.Certificate, error),
) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		cert, err := get(hello)
		if a, ok := hello.Context().Value(askedKey{}).(*asked); ok {
			a.unknown, a.failed = cert == nil && err == nil, err != nil
		}
		return cert, err
	}
}

// reason returns why a handshake failed.
func (a *asked) reason(err error) string {
	_, network := errors.AsType[*net.OpError](err) // an alert of the client, too
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return timedOut
	case a.unknown:
		return unknownName
	case a.failed, network, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, context.Canceled):
		return otherwise
	}
	return protocol
}
