package acmecert

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/mholt/acmez/v3"
	"github.com/mholt/acmez/v3/acme"
)

// Bounds of what an authority does.
const (
	// answerTimeout bounds one request to it.
	answerTimeout = 20 * time.Second
	// maxAnswer bounds an answer: a chain of certificates has a few KiB.
	maxAnswer = 1 << 20
	// maxRetryAfter bounds what it may ask for. Weekly limits give one more certificate every few
	// hours.
	maxRetryAfter = 24 * time.Hour
)

// transport bounds answers, and remembers what the last one asked for.
type transport struct {
	http.RoundTripper
	retryAfter atomic.Int64 // nanoseconds; of the last answer that refused, else 0
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	t.retryAfter.Store(0)
	if resp.StatusCode == http.StatusTooManyRequests ||
		resp.StatusCode == http.StatusServiceUnavailable {
		t.retryAfter.Store(int64(retryAfter(resp.Header.Get("Retry-After"))))
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	return resp, nil
}

// retryAfter parses a header: seconds, or a date.
func retryAfter(value string) time.Duration {
	var d time.Duration
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		d = time.Until(at)
	}
	return min(max(d, 0), maxRetryAfter)
}

// client returns a client of the authority that solves some kinds of challenges.
func (k *Keeper) client(kinds ...string) (*acmez.Client, *transport) {
	base := http.DefaultTransport.(*http.Transport).Clone() //nolint:errcheck // it is one
	base.TLSClientConfig = &tls.Config{RootCAs: k.o.Roots, MinVersion: tls.VersionTLS12}
	t := &transport{RoundTripper: base}
	solvers := map[string]acmez.Solver{}
	for _, kind := range kinds {
		solvers[kind] = k.answers
	}
	return &acmez.Client{
		Client: &acme.Client{
			Directory: k.o.Directory, UserAgent: k.o.UserAgent,
			HTTPClient:  &http.Client{Transport: t, Timeout: answerTimeout},
			PollTimeout: orderTimeout,
			Logger:      slog.New(demoted{k.o.Logger.Handler()}),
		},
		ChallengeSolvers: solvers,
	}, t
}

// demoted makes all records of the protocol's library debug records: what matters is in its errors.
type demoted struct{ slog.Handler }

// Enabled implements slog.Handler.
func (d demoted) Enabled(ctx context.Context, _ slog.Level) bool {
	return d.Handler.Enabled(ctx, slog.LevelDebug)
}

// Handle implements slog.Handler.
func (d demoted) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return d.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (d demoted) WithAttrs(attrs []slog.Attr) slog.Handler {
	return demoted{d.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (d demoted) WithGroup(name string) slog.Handler { return demoted{d.Handler.WithGroup(name)} }
