package checking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// UserAgent is what both servers are told.
const UserAgent = "terse-check (bot)"

// Bounds of a request. The server may be slow, broken or hostile.
const (
	answerTime = 30 * time.Second // until the end of the headers
	maxHeaders = 64 << 10         // bytes
	maxPause   = 2 * time.Minute  // between two tries, whatever the server asks for

	tries        = 3  // of a request without an answer, or to a server that starts
	limitedTries = 10 // of one that a rate limit refuses, which makes some ten minutes
)

// Server is one of the two that are asked.
type Server struct {
	// TryGet says that the server may know no HEAD: what HEAD does not redirect, GET is asked for.
	TryGet bool
	// OnLimit, if set, is called once, when a rate limit refuses a request.
	OnLimit func()

	base      *url.URL
	transport *http.Transport
	limited   atomic.Bool
	noHead    atomic.Bool

	answerTime, pause time.Duration // tests have less of them
}

// NewServer returns the server at an address, which may have a path below which its links are.
func NewServer(address string) (*Server, error) {
	base, err := url.Parse(address)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("it must be an http or https URL")
	case base.RawQuery != "" || base.Fragment != "" || base.User != nil:
		return nil, errors.New("it has a query, a fragment, a name or a password")
	}
	base.RawPath = strings.TrimRight(base.EscapedPath(), "/")
	base.Path = strings.TrimRight(base.Path, "/")
	return &Server{
		base: base, answerTime: answerTime, pause: time.Second,
		transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: atOnce,
			MaxResponseHeaderBytes: maxHeaders, ForceAttemptHTTP2: true,
			DisableCompression: true,
		},
	}, nil
}

func (s *Server) String() string { return s.base.String() }

// at returns the URL of an address: of a code or an alias.
func (s *Server) at(address string) *url.URL {
	below := url.URL{Path: "/" + address}
	at := *s.base
	at.RawPath += below.EscapedPath()
	at.Path += below.Path
	return &at
}

// shown returns the URL that visitors use for an address at a host, "" for the server's own.
func (s *Server) shown(host, address string) string {
	at := s.at(address)
	if host != "" {
		at.Host = host
		if port := s.base.Port(); port != "" {
			at.Host += ":" + port
		}
	}
	return at.String()
}

// Answer is what a server says of an address.
type Answer struct {
	Status   int    `json:"status,omitzero"`
	Location string `json:"location,omitzero"` // with scheme and host
	// Error says why there is no answer.
	Error string `json:"error,omitzero"`

	after time.Duration // when to ask again
}

func (a *Answer) String() string {
	switch {
	case a.Error != "":
		return "no answer: " + a.Error
	case a.redirects():
		return a.Location
	case a.Status == http.StatusOK:
		return "200 OK, a page"
	}
	return strings.TrimRight(fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status)), " ")
}

// redirects reports whether browsers go on to the Location.
func (a *Answer) redirects() bool {
	switch a.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return a.Location != ""
	}
	return false
}

// isGone reports whether there is nothing at the address.
func (a *Answer) isGone() bool {
	return a.Status == http.StatusNotFound || a.Status == http.StatusGone
}

// tries returns how often to ask at most until another answer comes.
func (a *Answer) tries() int {
	switch {
	case a.Status == http.StatusTooManyRequests:
		return limitedTries
	case a.Error != "", a.Status == http.StatusBadGateway, a.Status == http.StatusGatewayTimeout,
		a.Status == http.StatusServiceUnavailable:
		return tries
	}
	return 1
}

// ask asks where an address at a host leads, "" for the server's own. Its only error is that the
// context has ended.
func (s *Server) ask(ctx context.Context, host, address string) (Answer, error) {
	at, host := s.at(address), cmp.Or(host, s.base.Host)
	if s.noHead.Load() {
		return s.insist(ctx, http.MethodGet, at, host)
	}
	answer, err := s.insist(ctx, http.MethodHead, at, host)
	if err != nil || !s.TryGet || answer.Error != "" || answer.redirects() {
		return answer, err
	}
	// Servers without HEAD answer 405, 404, or anything else.
	got, err := s.insist(ctx, http.MethodGet, at, host)
	if got.redirects() {
		s.noHead.Store(true)
	}
	return got, err
}

// insist asks again while the answer may be another one soon.
func (s *Server) insist(
	ctx context.Context, method string, at *url.URL, host string,
) (Answer, error) {
	for try := 1; ; try++ {
		answer := s.once(ctx, method, at, host)
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if answer.Status == http.StatusTooManyRequests && s.OnLimit != nil &&
			s.limited.CompareAndSwap(false, true) {
			s.OnLimit()
		}
		if try >= answer.tries() {
			return answer, nil
		}
		pause := answer.after
		if pause <= 0 {
			pause = s.pause << (try - 1)
		}
		select {
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		case <-time.After(min(pause, maxPause)):
		}
	}
}

// once sends a request, and reads no body. It uses no http.Client, which fails where a Location is
// no URL.
func (s *Server) once(ctx context.Context, method string, at *url.URL, host string) Answer {
	ctx, cancel := context.WithTimeout(ctx, s.answerTime)
	defer cancel()
	request := (&http.Request{
		Method: method, URL: at, Host: host,
		Header: http.Header{"User-Agent": {UserAgent}, "Accept": {"*/*"}},
	}).WithContext(ctx)
	response, err := s.transport.RoundTrip(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Answer{Error: fmt.Sprintf("nothing came for %v", s.answerTime)}
	case err != nil:
		return Answer{Error: strings.ToValidUTF8(err.Error(), "\uFFFD")}
	}
	_ = response.Body.Close() // nobody waits for it
	answer := Answer{Status: response.StatusCode}
	if location := response.Header.Get("Location"); location != "" {
		answer.Location = resolve(at, location)
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err == nil && seconds > 0 {
		answer.after = time.Duration(min(seconds, int(maxPause.Seconds()))) * time.Second
	}
	return answer
}

// resolve returns a Location as an absolute URL, as it was sent where it is one already.
func resolve(at *url.URL, location string) string {
	if !utf8.ValidString(location) {
		location = escape(location)
	}
	to, err := url.Parse(location)
	if err != nil || to.Scheme != "" {
		return location
	}
	return at.ResolveReference(to).String()
}
