// Package webapi asks the APIs of other products' servers, which may be slow, broken or hostile.
package webapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxAnswer bounds an answer, in bytes. It is far above a page of any product.
const maxAnswer = 64 << 20

// atOnce is how many requests are under way at most.
const atOnce = 4

// Client asks a server. It may be used from several goroutines.
type Client struct {
	// Base is the address that people gave.
	Base *url.URL
	// Key is the secret that they gave, "" for none. It is in no error.
	Key string

	client http.Client
	turns  chan struct{}
}

// New returns a Client of the server at an address.
func New(address, key string) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server", address)
	}
	if base.User != nil || base.Fragment != "" {
		return nil, errors.New("the address has a name, a password or a #")
	}
	c := &Client{Base: base, Key: key, turns: make(chan struct{}, atOnce)}
	c.client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		switch {
		case r.URL.Scheme != base.Scheme || r.URL.Host != base.Host:
			return errors.New("it redirects to another server")
		case len(via) == 5:
			return errors.New("it redirects too often")
		}
		return nil
	}
	c.client.Transport = &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		ResponseHeaderTimeout: time.Minute,
		MaxIdleConnsPerHost:   atOnce,
	}
	return c, nil
}

// StatusError is an answer that is none of success.
type StatusError struct {
	Status int
	Text   string // for people
}

func (e *StatusError) Error() string { return e.Text }

// Get asks for a path below the address, such as "api/all", and parses the answer as JSON.
func (c *Client) Get(ctx context.Context, path string, query url.Values, header http.Header,
	into any,
) error {
	c.turns <- struct{}{}
	defer func() { <-c.turns }()
	at := c.Base.JoinPath(path)
	at.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return c.explain(path, err)
	}
	if header != nil {
		request.Header = header.Clone()
	}
	request.Header.Set("Accept", "application/json")
	answer, err := c.client.Do(request)
	if err != nil {
		return c.explain(path, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return &StatusError{answer.StatusCode, fmt.Sprintf("%s answers %s", path, answer.Status)}
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return c.explain(path, err)
	case len(body) > maxAnswer:
		return fmt.Errorf("%s: the answer has more than %d MiB", path, maxAnswer>>20)
	}
	// Some products write control characters as they are, which JSON forbids.
	body = bytes.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, body)
	err = json.Unmarshal(body, into, jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	if err != nil {
		return fmt.Errorf("%s: the answer is not as expected: %w", path, err)
	}
	return nil
}

// explain returns an error without the address, which may have the key.
func (c *Client) explain(path string, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if c.Key != "" && strings.Contains(err.Error(), c.Key) {
		return fmt.Errorf("%s: no answer", path)
	}
	return fmt.Errorf("%s: %w", path, err)
}
