package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
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
	// maxPage is the largest page of a list that the server gives.
	maxPage = 100
)

// DefaultMaxWait is two windows of the server's rate limit: a call still succeeds when another
// program takes most of the first.
const DefaultMaxWait = 2 * time.Minute

// Client talks to one server. It may be used by many goroutines. Set its fields before that.
type Client struct {
	// HTTPClient sends the requests; nil stands for a plain one. Redirects are not followed,
	// whatever it says: a token must not travel to another address.
	HTTPClient *http.Client
	// UserAgent names the program in every request. Empty stands for "terse-go".
	UserAgent string
	// MaxWait bounds how long one call waits in all when the server's rate limit refuses it.
	// New sets DefaultMaxWait. With 0 a call never waits and fails with ErrRateLimited.
	MaxWait time.Duration
	// OnWait is called before each of these waits, unless it is nil.
	OnWait func(time.Duration)

	baseURL        string
	token          string
	idempotencyKey string
}

// New returns a client of the server at a base URL, for example "https://sho.rt", that
// sends an access token with every request.
func New(baseURL, token string) *Client {
	return &Client{MaxWait: DefaultMaxWait, baseURL: strings.TrimRight(baseURL, "/"), token: token}
}

// Once returns a client whose next request is done once, however often it is sent: the server keeps
// the answer under a key for 24 hours. It is for one call of Create, Update or Bulk, which may be
// repeated with the same arguments. A key is 1 to 255 visible ASCII characters.
func (c *Client) Once(key string) *Client {
	once := *c
	once.idempotencyKey = key
	return &once
}

// Create creates a short link.
func (c *Client) Create(ctx context.Context, req CreateRequest) (Created, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return Created{}, fmt.Errorf("encode request: %w", err)
	}
	return call[Created](ctx, c, http.MethodPost, "/api/urls", body, http.StatusCreated)
}

// Bulk does up to 1000 operations in one request. An operation that fails is no error of the call.
func (c *Client) Bulk(ctx context.Context, b Bulk) ([]BulkResult, error) {
	body, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	out, err := call[BulkResults](ctx, c, http.MethodPost, "/api/bulk", body, http.StatusOK)
	return out.Results, err
}

// Tags returns all tags of the caller's links.
func (c *Client) Tags(ctx context.Context) ([]Tag, error) {
	out, err := call[Tags](ctx, c, http.MethodGet, "/api/tags", nil, http.StatusOK)
	return out.Tags, err
}

func tagPath(tag string) string { return "/api/tags/" + url.PathEscape(tag) }

// RenameTag renames a tag on all links. Into a tag that exists, the two become one.
func (c *Client) RenameTag(ctx context.Context, tag, name string) (Tag, error) {
	body, err := json.Marshal(map[string]string{"name": name})
	if err != nil {
		return Tag{}, fmt.Errorf("encode request: %w", err)
	}
	return call[Tag](ctx, c, http.MethodPatch, tagPath(tag), body, http.StatusOK)
}

// DeleteTag takes a tag off all links.
func (c *Client) DeleteTag(ctx context.Context, tag string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, tagPath(tag), nil, http.StatusNoContent)
	return err
}

// List returns one page of links, newest first. A limit of 0 stands for the default, 20;
// the server applies at most 100. All returns every link.
func (c *Client) List(ctx context.Context, limit, offset int) (Page, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
	return call[Page](ctx, c, http.MethodGet, "/api/urls?"+query.Encode(), nil, http.StatusOK)
}

// Search asks for a list. The zero Search is all links, newest first.
type Search struct {
	Text   string   // words of code, URL, title or tags, in any case; empty: all links
	Tags   []string // only links that have all of them
	Status string   // only links in this state, see LinkDetails; empty: in any
	// only links that were made in this time; zero: unbounded
	CreatedAfter, CreatedBefore time.Time
	Sort                        string // "newest", "oldest" or "clicks"; empty: newest
	// Period is the time whose clicks decide on the sort "clicks": "24h", "7d" or "30d".
	Period string
	Cursor string // NextCursor of the page before
	Limit  int    // of a page, at most 100; 0: 20, and for Pages and All 100
	Offset int    // to skip; not with Text, Cursor or the sort "clicks"
}

// Search returns one page of links. A page with NextCursor is not the last one, even if it has
// few links, or none.
func (c *Client) Search(ctx context.Context, s Search) (Page, error) {
	query := url.Values{"sort": {cmp.Or(s.Sort, "newest")}, "limit": {strconv.Itoa(s.Limit)}}
	set(query, "search", s.Text)
	set(query, "period", s.Period)
	set(query, "cursor", s.Cursor)
	set(query, "status", s.Status)
	setTime(query, "created_after", s.CreatedAfter)
	setTime(query, "created_before", s.CreatedBefore)
	if len(s.Tags) > 0 {
		query["tag"] = s.Tags
	}
	if s.Offset != 0 {
		query.Set("offset", strconv.Itoa(s.Offset))
	}
	return call[Page](ctx, c, http.MethodGet, "/api/urls?"+query.Encode(), nil, http.StatusOK)
}

// Pages returns the pages of a search, in order, each asked for when it is needed. An error is
// the last pair.
func (c *Client) Pages(ctx context.Context, s Search) iter.Seq2[Page, error] {
	s.Limit = cmp.Or(s.Limit, maxPage)
	return func(yield func(Page, error) bool) {
		for s := s; ; {
			page, err := c.Search(ctx, s)
			if !yield(page, err) || err != nil || page.NextCursor == "" {
				return
			}
			s.Cursor, s.Offset = page.NextCursor, 0
		}
	}
}

// All returns the links of a search, in order. An error is the last pair.
func (c *Client) All(ctx context.Context, s Search) iter.Seq2[URL, error] {
	return func(yield func(URL, error) bool) {
		for page, err := range c.Pages(ctx, s) {
			if err != nil {
				yield(URL{}, err)
				return
			}
			for _, link := range page.URLs {
				if !yield(link, nil) {
					return
				}
			}
		}
	}
}

// Link returns one link.
func (c *Client) Link(ctx context.Context, shortCode string) (Link, error) {
	return call[Link](ctx, c, http.MethodGet, linkPath(shortCode), nil, http.StatusOK)
}

func linkPath(shortCode string) string { return "/api/urls/" + url.PathEscape(shortCode) }

// Update changes a link. When etag is not empty, only the version of the link that has it is
// changed; ErrChanged when that is not the current one.
func (c *Client) Update(
	ctx context.Context, shortCode, etag string, changes Changes,
) (Link, error) {
	body, err := json.Marshal(changes)
	if err != nil {
		return Link{}, fmt.Errorf("encode request: %w", err)
	}
	return call[Link](ctx, c, http.MethodPatch, linkPath(shortCode), body, http.StatusOK,
		func(r *http.Request) {
			if etag != "" {
				r.Header.Set("If-Match", etag)
			}
		})
}

// Delete removes a link with its clicks.
func (c *Client) Delete(ctx context.Context, shortCode string) error {
	_, err := call[struct{}](
		ctx, c, http.MethodDelete, linkPath(shortCode), nil, http.StatusNoContent)
	return err
}

// History returns the last 100 changes of a link, newest first.
func (c *Client) History(ctx context.Context, shortCode string) ([]Change, error) {
	out, err := call[History](
		ctx, c, http.MethodGet, linkPath(shortCode)+"/history", nil, http.StatusOK)
	return out.Changes, err
}

// ClearClicks deletes a link's statistics.
func (c *Client) ClearClicks(ctx context.Context, shortCode string) error {
	_, err := call[struct{}](
		ctx, c, http.MethodDelete, linkPath(shortCode)+"/clicks", nil, http.StatusNoContent)
	return err
}

// Range is a range of instants, both inclusive, Start before End. A zero Start is the beginning
// of all time, a zero End is now. The zero Range is all time.
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
	if r.End.IsZero() {
		r.End = time.Now()
	}
	return url.Values{
		"start_time": {r.Start.Format(time.RFC3339Nano)},
		"end_time":   {r.End.Format(time.RFC3339Nano)},
	}
}

func (q ClicksQuery) query() string {
	query := q.Range.query()
	set(query, "interval", q.Interval)
	set(query, "time_zone", q.TimeZone)
	set(query, "by", strings.Join(q.By, ","))
	addFilters(query, q.Only, q.Not)
	if len(q.Tags) > 0 {
		query["tag"] = q.Tags
	}
	if q.Limit > 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.Visitors {
		query.Set("visitors", "true")
	}
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

func setTime(query url.Values, name string, t time.Time) {
	if !t.IsZero() {
		query.Set(name, t.Format(time.RFC3339Nano))
	}
}

// Clicks returns a link's clicks over time. A range without a start begins with the first click.
func (c *Client) Clicks(ctx context.Context, shortCode string, q ClicksQuery) (URLClicks, error) {
	return overTime[URLClicks](ctx, c, "/api/urls/"+url.PathEscape(shortCode)+"/clicks", q)
}

// Overview returns the clicks of all links together over time, and the links with the most. A
// range without a start begins with the first click.
func (c *Client) Overview(ctx context.Context, q ClicksQuery) (Overview, error) {
	return overTime[Overview](ctx, c, "/api/overview", q)
}

// overTime asks for clicks over time. The server bounds their number of intervals, so a range
// without a start can't begin with the year 1: the day of the first click is asked for before.
func overTime[T any](ctx context.Context, c *Client, path string,
	q ClicksQuery,
) (out T, err error) {
	if q.Start.IsZero() && !q.End.IsZero() {
		all := q
		all.Range, all.Interval = Range{}, "day"
		found, err := call[Clicks](ctx, c, http.MethodGet, path+all.query(), nil, http.StatusOK)
		if err != nil {
			return out, err
		}
		q.Start = q.End.Add(-time.Microsecond) // no click is older than End
		if first, err := time.Parse(time.RFC3339, found.StartTime); err == nil &&
			first.Before(q.Start) {
			q.Start = first
		}
	}
	return call[T](ctx, c, http.MethodGet, path+q.query(), nil, http.StatusOK)
}

// Recent returns the clicks of the last 30 days of up to 100 links.
func (c *Client) Recent(ctx context.Context, shortCodes ...string) (Recent, error) {
	query := url.Values{"short_codes": {strings.Join(shortCodes, ",")}}
	return call[Recent](ctx, c, http.MethodGet, "/api/recent?"+query.Encode(), nil, http.StatusOK)
}

// Health reports whether the server runs.
func (c *Client) Health(ctx context.Context) (Status, error) {
	return call[Status](ctx, c, http.MethodGet, "/health", nil, http.StatusOK)
}

// call sends a request and decodes its answer. Any status but want is an *Error.
func call[T any](ctx context.Context, c *Client, method, path string, body []byte,
	want int, change ...func(*http.Request),
) (T, error) {
	return again(ctx, c, func() (T, error) {
		return send[T](ctx, c, method, path, body, want, change)
	})
}

// again sends what the rate limit refused again: it was not done.
func again[T any](ctx context.Context, c *Client, send func() (T, error)) (T, error) {
	waited := time.Duration(0)
	for try := 0; ; try++ {
		out, err := send()
		pause, again := c.pause(ctx, err, try, waited)
		if !again {
			return out, err
		}
		if c.OnWait != nil {
			c.OnWait(pause)
		}
		select {
		case <-ctx.Done():
			return out, fmt.Errorf("wait for the rate limit: %w", ctx.Err())
		case <-time.After(pause):
		}
		waited += pause
	}
}

// pause returns how long to wait before another try, if that makes sense: after a 429, within
// MaxWait, and before the context ends.
func (c *Client) pause(
	ctx context.Context, err error, try int, waited time.Duration,
) (pause time.Duration, again bool) {
	answer, ok := errors.AsType[*Error](err)
	if !ok || answer.Status != http.StatusTooManyRequests {
		return 0, false
	}
	if pause = answer.RetryAfter; pause <= 0 { // a proxy's refusal
		pause = time.Second << min(try, 5)
	}
	deadline, bounded := ctx.Deadline()
	return pause, waited+pause <= c.MaxWait && !(bounded && time.Until(deadline) < pause)
}

func send[T any](
	ctx context.Context, c *Client, method, path string, body []byte, want int,
	change []func(*http.Request),
) (out T, err error) {
	resp, err := c.request(ctx, method, path, body, change)
	if err != nil {
		return out, err
	}
	defer func() { _ = resp.Body.Close() }()                                // only read
	found := want == http.StatusCreated && resp.StatusCode == http.StatusOK // find_existing
	if resp.StatusCode != want && !found {
		return out, responseError(resp)
	}
	if want == http.StatusNoContent {
		return out, nil
	}
	if err := json.UnmarshalRead(io.LimitReader(resp.Body, maxResponseBytes), &out); err != nil {
		return out, fmt.Errorf("%s %s: decode answer: %w", method, path, err)
	}
	if link, ok := any(&out).(*Link); ok {
		link.ETag = resp.Header.Get("ETag")
	}
	return out, nil
}

// request sends a request.
func (c *Client) request(
	ctx context.Context, method, path string, body []byte, change []func(*http.Request),
) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("User-Agent", cmp.Or(c.UserAgent, "terse-go"))
	if c.idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", c.idempotencyKey)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(req)
	}
	return c.do(req) // its error names method and URL
}

// stream writes the body of an answer as it comes. What the rate limit refused is sent again.
func (c *Client) stream(ctx context.Context, path string, to io.Writer) error {
	_, err := again(ctx, c, func() (struct{}, error) {
		resp, err := c.request(ctx, http.MethodGet, path, nil, nil)
		if err != nil {
			return struct{}{}, err
		}
		defer func() { _ = resp.Body.Close() }() // only read
		if resp.StatusCode != http.StatusOK {
			return struct{}{}, responseError(resp)
		}
		if _, err := io.Copy(to, resp.Body); err != nil {
			return struct{}{}, fmt.Errorf("GET %s: %w", path, err)
		}
		return struct{}{}, nil
	})
	return err
}

func (c *Client) do(req *http.Request) (*http.Response, error) {
	client := http.Client{}
	if c.HTTPClient != nil {
		client = *c.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	return client.Do(req)
}
