package oidc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Bounds of what the provider answers.
const (
	answerTime = 10 * time.Second
	// maxAnswer is far more than any answer has: keys and claims of a person take some KiB.
	maxAnswer = 1 << 20
)

// newHTTPClient returns a client whose requests, answers included, are bounded. It follows no
// redirect: endpoints are where the provider's document says, and a secret is for them only.
func newHTTPClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:errcheck // it is one
	t.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{Timeout: answerTime, Transport: bounded{t}}
}

// bounded reads whole answers, and makes errors of those that are too long or redirect, and of
// those to GET that are not 200.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	_ = res.Body.Close()
	switch status := res.StatusCode; {
	case err != nil:
		return nil, err
	case len(body) > maxAnswer:
		return nil, errors.New("the answer has more than 1 MiB")
	case status >= 300 && status < 400:
		return nil, fmt.Errorf("the answer is %d, a redirect, which is not followed", status)
	case r.Method == http.MethodGet && status != http.StatusOK:
		return nil, fmt.Errorf("the answer is %d %s", status, http.StatusText(status))
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// keyPause is how long to wait between two looks for an unknown key.
const keyPause = 10 * time.Second

// paused answers requests for the provider's keys. When keys are known, it asks for others at most
// once in keyPause, and repeats the last answer meanwhile.
type paused struct {
	http.RoundTripper

	mu    sync.Mutex
	known bool      // keys were sent once
	next  time.Time // before it, last and err are the answer
	last  []byte
	err   error
}

func (p *paused) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Now().Before(p.next) {
		return p.answer(r)
	}
	if p.known {
		p.next = time.Now().Add(keyPause)
	}
	res, err := p.RoundTripper.RoundTrip(r)
	if p.err = err; err != nil {
		return nil, err
	}
	p.last, p.err = io.ReadAll(res.Body) // in memory
	p.known = true
	return p.answer(r)
}

func (p *paused) answer(r *http.Request) (*http.Response, error) {
	if p.err != nil {
		return nil, p.err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(p.last)), ContentLength: int64(len(p.last)),
	}, nil
}
