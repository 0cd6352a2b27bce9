package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
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
	// MaxWait bounds how long one call waits in all when the server says that it gets too many
	// requests: from this client, by its rate limit, or from all at once. New sets DefaultMaxWait.
	// With 0 a call never waits and fails with ErrRateLimited or ErrBusy.
	MaxWait time.Duration
	// OnWait is called before each of these waits, unless it is nil.
	OnWait func(time.Duration)

	baseURL string
	token   string
	fields  map[string]string // more header fields, by their names
}

// New returns a client of the server at a base URL, for example "https://sho.rt", that
// sends an access token with every request.
func New(baseURL, token string) *Client {
	return &Client{MaxWait: DefaultMaxWait, baseURL: strings.TrimRight(baseURL, "/"), token: token}
}

// Once returns a client whose next request is done once, however often it is sent: the server keeps
// the answer under a key for 24 hours. It is for one call of Create, Update, Bulk, RenameTag
// or Share, which may be repeated with the same arguments. A key is 1 to 255 visible ASCII
// characters; an empty one is none.
func (c *Client) Once(key string) *Client { return c.with("Idempotency-Key", key) }

// with returns a client that sends one more header field, unless that is empty.
func (c *Client) with(name, value string) *Client {
	other := *c
	if value != "" {
		other.fields = map[string]string{name: value}
		maps.Copy(other.fields, c.fields)
	}
	return &other
}

// Create creates a short link.
func (c *Client) Create(ctx context.Context, req CreateRequest) (Created, error) {
	return call[Created](ctx, c, http.MethodPost, "/api/urls", req)
}

// Bulk does up to 1000 operations in one request. An operation that fails is no error of the call.
func (c *Client) Bulk(ctx context.Context, b Bulk) ([]BulkResult, error) {
	out, err := call[BulkResults](ctx, c, http.MethodPost, "/api/bulk", b)
	return out.Results, err
}

// Tags returns all tags of the caller's links.
func (c *Client) Tags(ctx context.Context) ([]Tag, error) {
	out, err := get[Tags](ctx, c, "/api/tags", nil)
	return out.Tags, err
}

func tagPath(tag string) string { return "/api/tags/" + url.PathEscape(tag) }

// RenameTag renames a tag on all links. Into a tag that exists, the two become one.
func (c *Client) RenameTag(ctx context.Context, tag, name string) (Tag, error) {
	return call[Tag](ctx, c, http.MethodPatch, tagPath(tag), map[string]string{"name": name})
}

// DeleteTag takes a tag off all links.
func (c *Client) DeleteTag(ctx context.Context, tag string) error {
	return c.remove(ctx, tagPath(tag))
}

// List returns one page of links, newest first. A limit of 0 stands for the default, 20;
// the server applies at most 100. All returns every link.
func (c *Client) List(ctx context.Context, limit, offset int) (Page, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
	return get[Page](ctx, c, "/api/urls", query)
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
	People bool   // has links with People, and the sort "clicks" go by it
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
	setCount(query, "offset", s.Offset)
	setPeople(query, s.People)
	query["tag"] = s.Tags
	return get[Page](ctx, c, "/api/urls", query)
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
	return get[Link](ctx, c, linkPath(shortCode), nil)
}

// LinkWithPeople is Link, with People.
func (c *Client) LinkWithPeople(ctx context.Context, shortCode string) (Link, error) {
	return get[Link](ctx, c, linkPath(shortCode), url.Values{"people": {"true"}})
}

func linkPath(shortCode string) string { return "/api/urls/" + url.PathEscape(shortCode) }

// Update changes a link. When etag is not empty, only the version of the link that has it is
// changed; ErrChanged when that is not the current one.
func (c *Client) Update(
	ctx context.Context, shortCode, etag string, changes Changes,
) (Link, error) {
	return call[Link](ctx, c.with("If-Match", etag), http.MethodPatch, linkPath(shortCode), changes)
}

// Delete removes a link with its clicks.
func (c *Client) Delete(ctx context.Context, shortCode string) error {
	return c.remove(ctx, linkPath(shortCode))
}

// History returns the last 100 changes of a link, newest first.
func (c *Client) History(ctx context.Context, shortCode string) ([]Change, error) {
	out, err := get[History](ctx, c, linkPath(shortCode)+"/history", nil)
	return out.Changes, err
}

// ClearClicks deletes a link's statistics.
func (c *Client) ClearClicks(ctx context.Context, shortCode string) error {
	return c.remove(ctx, linkPath(shortCode)+"/clicks")
}

// Range is a range of instants, both inclusive, Start before End. A zero Start is the beginning
// of all time, a zero End is now. The zero Range is all time.
type Range struct{ Start, End time.Time }

// Stats returns what was counted of a link's clicks in a range.
func (c *Client) Stats(ctx context.Context, shortCode string, r Range) (Analytics, error) {
	return get[Analytics](ctx, c, linkPath(shortCode)+"/analytics", r.query())
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

func (q ClicksQuery) query() url.Values {
	query := q.Range.query()
	set(query, "interval", q.Interval)
	set(query, "time_zone", q.TimeZone)
	set(query, "by", strings.Join(q.By, ","))
	addFilters(query, q.Only, q.Not, q.Tags)
	setCount(query, "limit", q.Limit)
	switch {
	case q.VisitorsBy:
		query.Set("visitors", "by")
	case q.Visitors:
		query.Set("visitors", "true")
	}
	setPeople(query, q.People)
	return query
}

func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

func setCount(query url.Values, name string, n int) {
	if n > 0 {
		query.Set(name, strconv.Itoa(n))
	}
}

func setPeople(query url.Values, people bool) {
	if people {
		query.Set("people", "true")
	}
}

func setTime(query url.Values, name string, t time.Time) {
	if !t.IsZero() {
		query.Set(name, t.Format(time.RFC3339Nano))
	}
}

// Clicks returns a link's clicks over time. A range without a start begins with the first click.
func (c *Client) Clicks(ctx context.Context, shortCode string, q ClicksQuery) (URLClicks, error) {
	return overTime[URLClicks](ctx, c, linkPath(shortCode)+"/clicks", q)
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
		found, err := get[Clicks](ctx, c, path, all.query())
		if err != nil {
			return out, err
		}
		q.Start = q.End.Add(-time.Microsecond) // no click is older than End
		if first, err := time.Parse(time.RFC3339, found.StartTime); err == nil &&
			first.Before(q.Start) {
			q.Start = first
		}
	}
	return get[T](ctx, c, path, q.query())
}

// Recent returns the clicks of the last 30 days of up to 100 links.
func (c *Client) Recent(ctx context.Context, shortCodes ...string) (Recent, error) {
	query := url.Values{"short_codes": {strings.Join(shortCodes, ",")}}
	return get[Recent](ctx, c, "/api/recent", query)
}

// RecentPeople is Recent without the clicks of bots.
func (c *Client) RecentPeople(ctx context.Context, shortCodes ...string) (Recent, error) {
	query := url.Values{"short_codes": {strings.Join(shortCodes, ",")}, "people": {"true"}}
	return get[Recent](ctx, c, "/api/recent", query)
}

// Health reports whether the server runs.
func (c *Client) Health(ctx context.Context) (Status, error) {
	return get[Status](ctx, c, "/health", nil)
}

// get asks for what is at a path, with a query if there is one.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	return call[T](ctx, c, http.MethodGet, withQuery(path, query), nil)
}

func withQuery(path string, query url.Values) string {
	if text := query.Encode(); text != "" {
		return path + "?" + text
	}
	return path
}

func (c *Client) remove(ctx context.Context, path string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, path, nil)
	return err
}

// call sends a request, with a body unless that is nil, and decodes its answer.
func call[T any](ctx context.Context, c *Client, method, path string, body any) (out T, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return out, fmt.Errorf("encode request: %w", err)
		}
	}
	err = c.exchange(ctx, method, path, text, func(resp *http.Response) error {
		if resp.StatusCode == http.StatusNoContent {
			return nil
		}
		if link, ok := any(&out).(*Link); ok {
			link.ETag = resp.Header.Get("ETag")
		}
		err := json.UnmarshalRead(io.LimitReader(resp.Body, maxResponseBytes), &out)
		if err != nil {
			return fmt.Errorf("%s %s: decode answer: %w", method, path, err)
		}
		return nil
	})
	return out, err
}

// exchange sends a request and has read take what it is answered. What the server refused because
// of too many requests is sent again: it was not done.
func (c *Client) exchange(ctx context.Context, method, path string, body []byte,
	read func(*http.Response) error,
) error {
	waited := time.Duration(0)
	for try := 0; ; try++ {
		err := c.send(ctx, method, path, body, read)
		pause, again := c.pause(ctx, err, try, waited)
		if !again {
			return err
		}
		if c.OnWait != nil {
			c.OnWait(pause)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait to ask again: %w", ctx.Err())
		case <-time.After(pause):
		}
		waited += pause
	}
}

// pause returns how long to wait before another try, if that makes sense: after a 429, and a 503
// that says how long, within MaxWait, and before the context ends.
func (c *Client) pause(
	ctx context.Context, err error, try int, waited time.Duration,
) (pause time.Duration, again bool) {
	answer, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(answer, ErrRateLimited) && !errors.Is(answer, ErrBusy) {
		return 0, false
	}
	if pause = answer.RetryAfter; pause <= 0 { // a proxy's refusal
		pause = time.Second << min(try, 5)
	}
	deadline, bounded := ctx.Deadline()
	return pause, waited+pause <= c.MaxWait && !(bounded && time.Until(deadline) < pause)
}

// send sends a request once. An answer that is none of the interface's successes is an *Error.
func (c *Client) send(ctx context.Context, method, path string, body []byte,
	read func(*http.Response) error,
) error {
	req, err := http.NewRequestWithContext(ctx, method, c.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	for name, value := range c.fields {
		req.Header.Set(name, value)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("User-Agent", cmp.Or(c.UserAgent, "terse-go"))
	req.Header.Set("Prefer", "error-field") // for Error.Field
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{}
	if c.HTTPClient != nil {
		client = *c.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	resp, err := client.Do(req)
	if err != nil {
		return err // it names method and URL
	}
	defer func() { _ = resp.Body.Close() }() // only read
	if !slices.Contains(successes[method], resp.StatusCode) {
		return responseError(resp)
	}
	return read(resp)
}

// successes are the statuses of what was done, by methods. What a POST asked for may be there.
var successes = map[string][]int{
	http.MethodGet:    {http.StatusOK},
	http.MethodPatch:  {http.StatusOK},
	http.MethodPost:   {http.StatusOK, http.StatusCreated},
	http.MethodDelete: {http.StatusNoContent},
}
