package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	// maxResponseBytes bounds what the client reads. The largest answer is an analytics
	// result: 100,000 referrers of 1024 bytes, each byte escaped at worst.
	maxResponseBytes = 256 << 20
	// maxErrorBytes bounds the body of an error, which is one sentence.
	maxErrorBytes = 64 << 10
)

// Client talks to one server. It may be used by many goroutines.
type Client struct {
	baseURL string
	token   string
	http    *http.Client
}

// New returns a client of the server at a base URL, for example "https://sho.rt", that
// sends an access token with every request.
func New(baseURL, token string) *Client {
	return &Client{
		baseURL: strings.TrimSuffix(baseURL, "/"),
		token:   token,
		// The interface redirects nothing but short links. A token must not follow.
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// Error is an answer other than success.
type Error struct {
	Status     int           // for example 404
	Message    string        // what the server said, for example "URL not found"
	RetryAfter time.Duration // how long to wait after a 429, otherwise 0
	RequestID  string        // names the request in the server's log
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Status, e.Message) }

// Create makes a short link.
func (c *Client) Create(ctx context.Context, req CreateRequest) (Created, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return Created{}, fmt.Errorf("encode request: %w", err)
	}
	return call[Created](ctx, c, http.MethodPost, "/api/urls", body, http.StatusCreated)
}

// List returns one page of links, newest first. A limit of 0 stands for the default, 20;
// the server applies at most 100.
func (c *Client) List(ctx context.Context, limit, offset int) (Page, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
	return call[Page](ctx, c, http.MethodGet, "/api/urls?"+query.Encode(), nil, http.StatusOK)
}

// Delete removes a link with its clicks.
func (c *Client) Delete(ctx context.Context, shortCode string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/urls/"+url.PathEscape(shortCode), nil, http.StatusNoContent)
	return err
}

// Range is a range of instants, both inclusive, Start before End. The zero Range is all
// time.
type Range struct{ Start, End time.Time }

// Stats returns what was counted of a link's clicks in a range.
func (c *Client) Stats(ctx context.Context, shortCode string, r Range) (Analytics, error) {
	path := "/api/urls/" + url.PathEscape(shortCode) + "/analytics"
	if r != (Range{}) {
		query := url.Values{"start_time": {r.Start.Format(time.RFC3339Nano)}, "end_time": {r.End.Format(time.RFC3339Nano)}}
		path += "?" + query.Encode()
	}
	return call[Analytics](ctx, c, http.MethodGet, path, nil, http.StatusOK)
}

// Health asks whether the server runs.
func (c *Client) Health(ctx context.Context) (Status, error) {
	return call[Status](ctx, c, http.MethodGet, "/health", nil, http.StatusOK)
}

// call sends a request and decodes its answer. Any status but want is an *Error.
func call[T any](ctx context.Context, c *Client, method, path string, body []byte, want int) (out T, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return out, fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return out, err // names method and URL
	}
	defer func() { _ = resp.Body.Close() }() // only read
	if resp.StatusCode != want {
		return out, responseError(resp)
	}
	if want == http.StatusNoContent {
		return out, nil
	}
	if err := json.UnmarshalRead(io.LimitReader(resp.Body, maxResponseBytes), &out); err != nil {
		return out, fmt.Errorf("%s %s: decode answer: %w", method, path, err)
	}
	return out, nil
}

// responseError makes do with the status when the body is not the interface's, as a
// proxy's may be.
func responseError(resp *http.Response) error {
	e := &Error{Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-ID")}
	if seconds, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 31); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	var body ErrorBody
	if err := json.UnmarshalRead(io.LimitReader(resp.Body, maxErrorBytes), &body); err != nil || body.Error == "" {
		body.Error = http.StatusText(resp.StatusCode)
	}
	e.Message = body.Error
	return e
}
