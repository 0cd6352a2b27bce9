package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"terse"
)

const (
	// attemptTimeout bounds an attempt from the look-up of the name to the end of the answer.
	attemptTimeout = 15 * time.Second
	// maxHeader bounds the header of an answer in bytes, of which only Retry-After matters.
	maxHeader = 64 << 10
	// maxRetryAfter bounds what a receiver can ask for, so that a day of attempts stays a day.
	maxRetryAfter = time.Hour
	// maxError bounds the text of an error, which the store keeps.
	maxError = 300
)

// pauses are those after the first attempt, the second and so on. After the last one a delivery has
// failed.
var pauses = [...]time.Duration{
	5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour,
	14 * time.Hour,
}

// client sends requests to where a guard permits. It follows no redirect, keeps no cookie and does
// not heed the variables of proxies.
type client struct {
	// What is sent without TLS has stricter rules, and connections of its own.
	encrypted, plain *http.Transport
	userAgent        string
	timeout          time.Duration // of an attempt
}

// newClient returns a client. roots are what it verifies certificates with; nil: those of the
// system.
func newClient(guard *Guard, userAgent string, roots *x509.CertPool) *client {
	return &client{
		encrypted: newTransport(guard, roots, true), plain: newTransport(guard, nil, false),
		userAgent: userAgent, timeout: attemptTimeout,
	}
}

func newTransport(guard *Guard, roots *x509.CertPool, encrypted bool) *http.Transport {
	dialer := &net.Dialer{
		Timeout: attemptTimeout, Resolver: guard.resolver,
		ControlContext: guard.control(encrypted),
	}
	return &http.Transport{
		DialContext:     dialer.DialContext,
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		// With settings of its own, a transport speaks HTTP/1.1 only unless told.
		ForceAttemptHTTP2: encrypted,
		// Ends a connection of HTTP/2 whose other end has gone, which nothing else notices.
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: attemptTimeout, PingTimeout: attemptTimeout,
		},
		TLSHandshakeTimeout:    attemptTimeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true,
		// As many as there are deliveries at a time, until the next ones are likely.
		MaxIdleConns: maxAtOnce, MaxIdleConnsPerHost: maxPerWebhook,
		IdleConnTimeout: 30 * time.Second,
	}
}

// close closes the connections that are kept.
func (c *client) close() {
	c.encrypted.CloseIdleConnections()
	c.plain.CloseIdleConnections()
}

// attempt sends a delivery once. retryAfter is how long the receiver wants to be left alone.
func (c *client) attempt(ctx context.Context, d *terse.Delivery, hook *terse.Webhook) (
	a terse.Attempt, retryAfter time.Duration,
) {
	a.Time = time.Now()
	defer func() { a.Duration = time.Since(a.Time) }()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answer, err := c.send(ctx, d, hook, a.Time)
	if err != nil {
		a.Error = c.explain(ctx, err)
		return a, 0
	}
	defer answer.Body.Close()
	a.Status = answer.StatusCode
	switch {
	case a.Status < http.StatusContinue: // net/http takes it, RFC 9110 has none
		a.Status, a.Error = 0, fmt.Sprintf("an answer with the status %03d", answer.StatusCode)
	case a.Status == http.StatusSwitchingProtocols:
		// What follows is no body, and does not end with ctx.
	default:
		// The status decides, whatever becomes of the rest.
		a.Response, _ = io.ReadAll(io.LimitReader(answer.Body, terse.MaxResponse))
	}
	return a, retryAfterOf(answer.Header, time.Now())
}

func (c *client) send(ctx context.Context, d *terse.Delivery, hook *terse.Webhook, at time.Time) (
	*http.Response, error,
) {
	to, err := target(hook.URL)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(),
		bytes.NewReader(d.Payload))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", c.userAgent)
	req.Header.Set("Webhook-Id", d.ID)
	req.Header.Set("Webhook-Timestamp", timestamp(at))
	req.Header.Set("Webhook-Signature", signatures(hook, d.ID, at, d.Payload))
	transport := c.encrypted
	if req.URL.Scheme != "https" {
		transport = c.plain
	}
	return transport.RoundTrip(req)
}

// explain returns the text of an error for the owner of a webhook, who may not know the network of
// the server.
func (c *client) explain(ctx context.Context, err error) string {
	var (
		name     *net.DNSError
		inURL    *url.Error
		verified *tls.CertificateVerificationError
		network  *net.OpError
		text     string
	)
	switch {
	case errors.Is(err, errRefused):
		text = errRefused.Error()
	case ctx.Err() != nil, isTimeout(err):
		text = fmt.Sprintf("no answer within %v", c.timeout)
	case errors.As(err, &name) && name.IsNotFound:
		text = "no such host: " + name.Name
	case errors.As(err, &name): // it names a server
		text = "the name could not be looked up: " + name.Name
	case errors.As(err, &verified):
		text = verified.Err.Error()
	case errors.As(err, &network): // it has the addresses of both ends
		text = network.Op + ": " + network.Err.Error()
	case errors.As(err, &inURL): // it has the URL
		text = inURL.Err.Error()
	default:
		text = err.Error()
	}
	return strings.ToValidUTF8(text[:min(len(text), maxError)], "")
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// retryAfterOf returns how long a receiver wants to wait, by seconds or by a date (RFC 9110,
// 10.2.3).
func retryAfterOf(header http.Header, now time.Time) time.Duration {
	text := header.Get("Retry-After")
	var wait time.Duration
	seconds, err := strconv.ParseUint(text, 10, 63)
	if err == nil || errors.Is(err, strconv.ErrRange) { // which returns the largest number
		wait = time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	} else if date, err := http.ParseTime(text); err == nil {
		wait = date.Sub(now)
	}
	return min(max(wait, 0), maxRetryAfter)
}

// outcomeOf returns what follows from an attempt of a delivery at a time.
func outcomeOf(d *terse.Delivery, a terse.Attempt, retryAfter time.Duration, now time.Time,
) terse.Outcome {
	o := terse.Outcome{Attempt: a, Status: terse.Failed}
	switch before := len(d.Attempts); {
	case a.Status >= 200 && a.Status <= 299:
		o.Status = terse.Delivered
	case a.Status == http.StatusGone:
		o.Gone = true
	case before < len(pauses):
		// Up to a tenth more or less, so that what failed together does not come back together.
		pause := time.Duration(float64(pauses[before]) * (0.9 + 0.2*rand.Float64()))
		o.Status, o.NextAt = terse.Waiting, now.Add(max(pause, retryAfter))
	}
	return o
}
