// Package webapi asks the APIs of other products' servers, which may be slow, broken or hostile.
// What it holds and how long it waits has a bound, and it asks no other server. Only the command
// line asks: the server fetches nothing.
package webapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/internal/text/visible"
)

const (
	// maxAnswer bounds an answer, in bytes as it is unpacked. It is far above a page of any
	// product.
	maxAnswer = 64 << 20
	// maxHeader bounds the header of an answer, in bytes.
	maxHeader = 64 << 10
	// atOnce is how many requests are under way at most.
	atOnce = 4
	// maxRedirects is how many of them in a row are followed.
	maxRedirects = 5
	// maxTries is how often a request is sent. With pauses of 1, 2, 4 and 8 s it outlasts a
	// restart.
	maxTries = 5
	// maxShown is how many bytes of an answer an error shows.
	maxShown = 200
	// maxPause bounds what a server asks for by Retry-After. Five requests of a server that limits
	// them by the minute succeed.
	maxPause = time.Minute
)

// stall is after what time a request is given up if neither its answer ends nor useful bytes of it
// come. A byte now and then would not end for years.
const (
	stall  = time.Minute
	useful = 64 << 10
)

// Client asks a server. It may be used from several goroutines.
type Client struct {
	// Base is the address that people gave.
	Base *url.URL
	// Key is the secret that they gave, "" for none. It is in no error.
	Key string

	client   http.Client
	turns    chan struct{}
	secrets  *strings.Replacer
	answered atomic.Bool // the address was right
}

// New returns a Client of the server at an address. Errors do not have it: it may have a password.
func New(address, key string) (*Client, error) {
	base, err := url.Parse(address)
	switch {
	case err != nil || base.Hostname() == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("it is no address of a server, such as https://example.com")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("the address has a name, a password, a ? or a #; " +
			"a key is given by --key-file")
	}
	c := &Client{
		Base: base, Key: key,
		turns: make(chan struct{}, atOnce), secrets: strings.NewReplacer(hidden(key)...),
	}
	c.client.CheckRedirect = c.checkRedirect
	c.client.Transport = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		MaxIdleConnsPerHost:    atOnce,
		MaxResponseHeaderBytes: maxHeader,
	}
	return c, nil
}

// finalError is one that another try does not help against.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	switch to := origin(r.URL); {
	case to != origin(c.Base):
		return finalError{fmt.Errorf("it redirects to another server, %s", to)}
	case len(via) > maxRedirects:
		return finalError{errors.New("it redirects too often")}
	}
	return nil
}

// origin returns the scheme, the host and the port of an address.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return strings.ToLower(u.Scheme + "://" + strings.TrimSuffix(u.Host, ":"+port))
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// ErrTooLarge is an answer that is too large to be read.
var ErrTooLarge = fmt.Errorf("the answer has more than %d MiB", maxAnswer>>20)

// StatusError is an answer that is none of success.
type StatusError struct {
	Status int
	Text   string // for people

	retryAfter time.Duration
}

func (e *StatusError) Error() string { return e.Text }

// Get asks for a path below the address, such as "api/all", and parses the answer as JSON. Parts of
// the path are escaped, as by url.PathEscape. A list that may be long should be a List.
func (c *Client) Get(ctx context.Context, path string, query url.Values, header http.Header,
	into any,
) error {
	body, err := c.Fetch(ctx, path, query, header)
	if err != nil {
		return err
	}
	Blank(body)
	err = json.Unmarshal(body, into, jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	if err != nil {
		return c.explain(path, fmt.Errorf("the answer is not as expected: %w", err))
	}
	return nil
}

// Blank makes control characters of a text of JSON blanks. Some products write them as they are,
// which JSON forbids.
func Blank(text []byte) {
	for i, b := range text {
		if b < ' ' {
			text[i] = ' '
		}
	}
}

// Fetch is like Get for an answer that is no JSON.
func (c *Client) Fetch(ctx context.Context, path string, query url.Values, header http.Header) (
	[]byte, error,
) {
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	at := c.Base.JoinPath(path)
	at.RawQuery = query.Encode()
	for try := 1; ; try++ {
		body, err := c.fetch(ctx, at.String(), header)
		if err == nil {
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pause, again := c.pause(err, try)
		if !again || try == maxTries {
			return nil, c.explain(path, err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// pause returns how long to wait after a try, and whether another one may help.
func (c *Client) pause(err error, try int) (pause time.Duration, again bool) {
	pause = time.Second << (try - 1)
	if status, ok := errors.AsType[*StatusError](err); ok {
		again = status.Status == http.StatusTooManyRequests || status.Status/100 == 5
		return min(max(pause, status.retryAfter), maxPause), again
	}
	_, final := errors.AsType[finalError](err)
	return pause, !final && c.answered.Load()
}

// fetch sends a request once.
func (c *Client) fetch(ctx context.Context, at string, header http.Header) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stall, func() {
		cancel(finalError{fmt.Errorf("nothing useful came for %v", stall)})
	})
	defer stalled.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, finalError{err}
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "terse import")
	maps.Copy(request.Header, header)
	answer, err := c.client.Do(request)
	if err != nil {
		return nil, reason(ctx, err)
	}
	defer answer.Body.Close()
	c.answered.Store(true)
	if answer.StatusCode/100 != 2 {
		return nil, c.statusError(ctx, answer)
	}
	var body bytes.Buffer
	for answer.ContentLength <= maxAnswer && body.Len() <= maxAnswer {
		_, err := io.CopyN(&body, answer.Body, useful)
		switch {
		case errors.Is(err, io.EOF):
			return body.Bytes(), nil
		case err != nil:
			return nil, reason(ctx, err)
		}
		stalled.Reset(stall)
	}
	return nil, finalError{ErrTooLarge}
}

// reason returns why a request failed: it may have been given up.
func reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (c *Client) statusError(ctx context.Context, answer *http.Response) error {
	text := fmt.Sprintf("it answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	piece, _ := io.ReadAll(io.LimitReader(answer.Body, maxShown*8)) // as much as comes
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	said := c.secrets.Replace(string(piece))
	// What is cut off may begin with the rest of the key.
	if said = c.shown(said[:min(len(said), maxShown*4)]); said != "" {
		text += ": " + said
	}
	if c.Key == "" && (answer.StatusCode == http.StatusUnauthorized ||
		answer.StatusCode == http.StatusForbidden) {
		text += " (no key was given: --key-file)"
	}
	e := &StatusError{Status: answer.StatusCode, Text: text}
	after := answer.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(after, 10, 16); err == nil {
		e.retryAfter = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(after); err == nil {
		e.retryAfter = time.Until(at)
	}
	return e
}

// shown returns a text of the server for people: without the key, which it may repeat, in one line,
// and cut.
func (c *Client) shown(text string) string {
	text = visible.Text(strings.Join(strings.Fields(c.secrets.Replace(text)), " "))
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

// hidden returns pairs for a strings.Replacer that hides a key, and the password of one that is
// user:password. Its letters and digits are the same however an answer escapes it.
func hidden(key string) (pairs []string) {
	_, password, _ := strings.Cut(key, ":")
	secrets := []string{key, base64.StdEncoding.EncodeToString([]byte(key)), password}
	for _, part := range strings.FieldsFunc(key, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		if len(part) >= 4 {
			secrets = append(secrets, part)
		}
	}
	for _, secret := range secrets {
		if secret != "" {
			pairs = append(pairs, secret, "***", url.QueryEscape(secret), "***")
		}
	}
	return pairs
}

// explain returns an error without the address and the key.
func (c *Client) explain(path string, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		status.Text = path + ": " + status.Text
		return status
	}
	if errors.Is(err, ErrTooLarge) {
		return fmt.Errorf("%s: %w", path, ErrTooLarge)
	}
	return fmt.Errorf("%s: %s", path, c.shown(err.Error()))
}
