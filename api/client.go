package api

import (
	"bytes"
	"cmp"
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

// Search asks for a list other than the plain one. The zero Search is the first page of all links, newest first.
type Search struct {
	Text   string // a part of code or URL in any case; empty: all links
	Sort   string // "newest", "oldest" or "clicks"; empty: newest
	Cursor string // NextCursor of the page before
	Limit  int    // as in List
}

// Search returns one page of links. A page with NextCursor is not the last one, also when it has few links, or none.
func (c *Client) Search(ctx context.Context, s Search) (Page, error) {
	query := url.Values{"sort": {cmp.Or(s.Sort, "newest")}, "limit": {strconv.Itoa(s.Limit)}}
	set(query, "search", s.Text)
	set(query, "cursor", s.Cursor)
	return call[Page](ctx, c, http.MethodGet, "/api/urls?"+query.Encode(), nil, http.StatusOK)
}

// Link returns one link.
func (c *Client) Link(ctx context.Context, shortCode string) (URL, error) {
	return call[URL](ctx, c, http.MethodGet, "/api/urls/"+url.PathEscape(shortCode), nil, http.StatusOK)
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
	if query := r.query(); len(query) > 0 {
		path += "?" + query.Encode()
	}
	return call[Analytics](ctx, c, http.MethodGet, path, nil, http.StatusOK)
}

func (r Range) query() url.Values {
	if r == (Range{}) {
		return url.Values{}
	}
	return url.Values{"start_time": {r.Start.Format(time.RFC3339Nano)}, "end_time": {r.End.Format(time.RFC3339Nano)}}
}

// ClicksQuery says which clicks are counted over time. The zero ClicksQuery is all of them, by UTC day.
type ClicksQuery struct {
	Range
	Interval string // "hour", "day", "week" or "month"; empty: day
	TimeZone string // for example "Europe/Berlin"; empty: UTC
	Country  string // for example "DE"; empty: all
	Referrer string // a key of ByReferrer; empty: all
}

func (q ClicksQuery) query() string {
	query := q.Range.query()
	set(query, "interval", q.Interval)
	set(query, "time_zone", q.TimeZone)
	set(query, "country", q.Country)
	set(query, "referrer", q.Referrer)
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

// Clicks returns a link's clicks over time.
func (c *Client) Clicks(ctx context.Context, shortCode string, q ClicksQuery) (URLClicks, error) {
	return call[URLClicks](ctx, c, http.MethodGet, "/api/urls/"+url.PathEscape(shortCode)+"/clicks"+q.query(), nil, http.StatusOK)
}

// Overview returns the clicks of all links together over time, and the links with the most.
func (c *Client) Overview(ctx context.Context, q ClicksQuery) (Overview, error) {
	return call[Overview](ctx, c, http.MethodGet, "/api/overview"+q.query(), nil, http.StatusOK)
}

// Recent returns the clicks of the last 30 days of up to 100 links.
func (c *Client) Recent(ctx context.Context, shortCodes ...string) (Recent, error) {
	query := url.Values{"short_codes": {strings.Join(shortCodes, ",")}}
	return call[Recent](ctx, c, http.MethodGet, "/api/recent?"+query.Encode(), nil, http.StatusOK)
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
