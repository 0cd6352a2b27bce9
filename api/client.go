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
	// maxResponseBytes bounds an answer. The largest is an analytics result: 100,000 referrers of
	// 1024 bytes, every byte escaped in the worst case.
	maxResponseBytes = 256 << 20
	// maxErrorBytes bounds the body of an error, which is one sentence.
	maxErrorBytes = 64 << 10
	// maxPage is the server's largest page of a list.
	maxPage = 100
)

// DefaultMaxWait is two windows of the server's rate limit, so a call still succeeds if another
// program uses up most of the first.
const DefaultMaxWait = 2 * time.Minute

// Client talks to one server. Its methods may be called concurrently. Set its fields before the
// first call.
type Client struct {
	// HTTPClient sends the requests; nil means a plain http.Client. Redirects are never followed,
	// whatever it says: the token must not travel to another address.
	HTTPClient *http.Client
	// UserAgent names the program in every request; empty means "terse-go".
	UserAgent string
	// MaxWait bounds how long one call waits in total when the server refuses it for too many
	// requests, from this client (its rate limit) or from all together. New sets it to
	// DefaultMaxWait. With 0 a call never waits but fails with ErrRateLimited or ErrBusy.
	MaxWait time.Duration
	// OnWait, if set, is called before each of these waits.
	OnWait func(time.Duration)

	baseURL string
	token   string
	owner   string            // empty: the caller
	domain  string            // empty: the default, or any
	fields  map[string]string // extra header fields, by name
}

// New returns a client for the server at a base URL, for example "https://sho.rt", that sends an
// access token with every request.
func New(baseURL, token string) *Client {
	return &Client{MaxWait: DefaultMaxWait, baseURL: strings.TrimRight(baseURL, "/"), token: token}
}

// Once returns a client whose next call takes effect only once, however often it is sent: the
// server keeps the answer under the key for 24 hours. Use it for one call of Create, Update, Bulk,
// RenameTag or Share, which may be repeated with the same arguments. A key is 1 to 255 visible
// ASCII characters; an empty one is none.
func (c *Client) Once(key string) *Client { return c.with("Idempotency-Key", key) }

// AllOwners stands for every owner of links in Of.
const AllOwners = "*"

// Of returns a client whose calls are about the links, tags and named tokens of another owner, or
// of AllOwners. Auditors may read them, admins also change them; others get ErrForbidden. Links
// that Bulk creates belong to the owner, with AllOwners to the caller. Create, Unknown and others
// that know no owner fail with ErrInvalid, and so does an owner that there is not. An empty one is
// the caller.
func (c *Client) Of(owner string) *Client {
	other := *c
	other.owner = owner
	return &other
}

// At returns a client whose calls are about the links at a host: a link's code is its code there,
// and lists, the overview, events and an export have the links of that host only. Create creates
// there, unless its request names another host; operations of Bulk name their own. A host that has
// no links and may have none is ErrInvalid. An empty one is the server's own for a link, and any
// for many links. Calls that know no domain, such as those for tags, are as without.
func (c *Client) At(domain string) *Client {
	other := *c
	other.domain = domain
	return &other
}

// with returns a client that sends one more header field, unless its value is empty.
func (c *Client) with(name, value string) *Client {
	other := *c
	if value != "" {
		other.fields = map[string]string{name: value}
		maps.Copy(other.fields, c.fields)
	}
	return &other
}

// Create creates a short link, with At on that domain unless the request names one.
func (c *Client) Create(ctx context.Context, req CreateRequest) (Created, error) {
	req.Domain = cmp.Or(req.Domain, c.domain)
	return call[Created](ctx, c, http.MethodPost, "/api/urls", req)
}

// Bulk runs up to 1000 operations in one request. A failed operation is not an error of the call.
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

// RenameTag renames a tag on all links. If the new name is an existing tag, the two are merged.
func (c *Client) RenameTag(ctx context.Context, tag, name string) (Tag, error) {
	return call[Tag](ctx, c, http.MethodPatch, tagPath(tag), map[string]string{"name": name})
}

// DeleteTag removes a tag from all links.
func (c *Client) DeleteTag(ctx context.Context, tag string) error {
	return c.remove(ctx, tagPath(tag))
}

// List returns one page of links, newest first. A limit of 0 means the default, 20; the server
// allows at most 100. Use All to get every link.
func (c *Client) List(ctx context.Context, limit, offset int) (Page, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
	return get[Page](ctx, c, "/api/urls", query)
}

// Search describes a list of links. The zero Search is all links, newest first.
type Search struct {
	Text   string   // words in addresses, URL, title or tags, ignoring case; empty: all links
	Tags   []string // only links that have all of them
	Status string   // only links with this LinkDetails.Status; empty: any
	// only links created in this range; zero: unbounded
	CreatedAfter, CreatedBefore time.Time
	// UnusedSince asks for links that were created before its UTC day and have no click on or after
	// it; zero: all.
	UnusedSince time.Time
	Archived    *bool  // only archived links, or only others; nil: all
	Sort        string // "newest", "oldest" or "clicks"; empty: newest
	// Period is the time whose clicks count for the sort "clicks": "24h", "7d" or "30d". Links then
	// have URL.PeriodClicks and, with People, URL.PeriodPeople.
	Period string
	People bool   // fill in URL.People, and rank the sort "clicks" by it
	Cursor string // NextCursor of the previous page
	Limit  int    // size of a page, at most 100; 0: 20, but 100 for Pages and All
	Offset int    // links to skip; not with Text, Cursor or the sort "clicks"
}

// Search returns one page of links. If the page has a NextCursor it is not the last, even if it has
// few links or none.
func (c *Client) Search(ctx context.Context, s Search) (Page, error) {
	query := url.Values{"sort": {cmp.Or(s.Sort, "newest")}, "limit": {strconv.Itoa(s.Limit)}}
	set(query, "search", s.Text)
	set(query, "period", s.Period)
	set(query, "cursor", s.Cursor)
	set(query, "status", s.Status)
	setTime(query, "created_after", s.CreatedAfter)
	setTime(query, "created_before", s.CreatedBefore)
	setDay(query, "unused_since", s.UnusedSince)
	setCount(query, "offset", s.Offset)
	setPeople(query, s.People)
	if s.Archived != nil {
		query.Set("archived", strconv.FormatBool(*s.Archived))
	}
	query["tag"] = s.Tags
	return get[Page](ctx, c, "/api/urls", query)
}

// Pages returns the pages of a search in order and requests each when it is needed. An error comes
// as the last pair.
func (c *Client) Pages(ctx context.Context, s Search) iter.Seq2[Page, error] {
	s.Limit = cmp.Or(s.Limit, maxPage)
	return func(yield func(Page, error) bool) {
		var seen cursors
		for s := s; ; {
			page, err := c.Search(ctx, s)
			if err == nil {
				err = seen.add(page.NextCursor)
			}
			if !yield(page, err) || err != nil || page.NextCursor == "" {
				return
			}
			s.Cursor, s.Offset = page.NextCursor, 0
		}
	}
}

// ErrRepeatedPage means that a server leads in a circle from page to page.
var ErrRepeatedPage = errors.New("the server names a page again that was there before")

// cursors notices when the cursors of pages repeat, and keeps only one of them: after 1, 2, 4 and
// so on pages another one. So any circle is noticed within three rounds.
type cursors struct {
	kept        string
	pages, next int
}

func (c *cursors) add(cursor string) error {
	if cursor != "" && cursor == c.kept {
		return ErrRepeatedPage
	}
	if c.pages++; c.pages > c.next {
		c.kept, c.next = cursor, 2*c.pages
	}
	return nil
}

// All returns the links of a search in order. An error comes as the last pair.
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

// LinkWithPeople is like Link and also fills in People.
func (c *Client) LinkWithPeople(ctx context.Context, shortCode string) (Link, error) {
	return get[Link](ctx, c, linkPath(shortCode), url.Values{"people": {"true"}})
}

func linkPath(shortCode string) string { return "/api/urls/" + url.PathEscape(shortCode) }

// Update changes a link. If etag is not empty, it changes only the version of the link with that
// ETag, and returns ErrChanged if that is not the current one. With another "short_code" the old
// one becomes the last of the link's aliases, unless the changes have "aliases" themselves, which
// replace all that the link has.
func (c *Client) Update(
	ctx context.Context, shortCode, etag string, changes Changes,
) (Link, error) {
	return call[Link](ctx, c.with("If-Match", etag), http.MethodPatch, linkPath(shortCode), changes)
}

// Delete deletes a link and its clicks.
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

// Range is a range of instants, both ends inclusive, Start before End. A zero Start means the
// beginning of time, a zero End means now. The zero Range is all time.
type Range struct{ Start, End time.Time }

// Stats returns the statistics of a link's clicks in a range.
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

// setDay sets a UTC day.
func setDay(query url.Values, name string, t time.Time) {
	if !t.IsZero() {
		query.Set(name, t.UTC().Format(time.DateOnly))
	}
}

// Clicks returns a link's clicks over time. A range without a start begins with the first click.
func (c *Client) Clicks(ctx context.Context, shortCode string, q ClicksQuery) (URLClicks, error) {
	return overTime[URLClicks](ctx, c, linkPath(shortCode)+"/clicks", q)
}

// Overview returns the clicks of all links together over time, and the most clicked links. A range
// without a start begins with the first click.
func (c *Client) Overview(ctx context.Context, q ClicksQuery) (Overview, error) {
	return overTime[Overview](ctx, c, "/api/overview", q)
}

// overTime requests clicks over time. The server bounds the number of intervals, so a range without
// a start can't begin with the year 1. overTime asks for the day of the first click before.
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

// get requests a path, with a query unless it is empty.
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

// call sends a request, with a body unless it is nil, and decodes the answer.
func call[T any](ctx context.Context, c *Client, method, path string, body any) (out T, err error) {
	sent, err := encode(body)
	if err != nil {
		return out, err
	}
	err = c.exchange(ctx, method, path, sent, func(resp *http.Response) error {
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

// encode returns a body as JSON, nil for none.
func encode(body any) (io.ReadSeeker, error) {
	if body == nil {
		return nil, nil //nolint:nilnil // a request without a body
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.NewReader(text), nil
}

// exchange sends a request and passes the answer to read. If the server refused it for too many
// requests, and so did nothing, exchange sends it again.
func (c *Client) exchange(ctx context.Context, method, path string, body io.ReadSeeker,
	read func(*http.Response) error,
) error {
	if err := checkPath(path); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	path = withParameter(path, "owner", c.owner)
	path = withParameter(path, "domain", c.domain)
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

// withParameter adds a parameter to a path, unless it is empty.
func withParameter(path, name, value string) string {
	if value == "" {
		return path
	}
	between := "?"
	if strings.Contains(path, "?") {
		between = "&"
	}
	return path + between + name + "=" + url.QueryEscape(value)
}

// checkPath refuses a path with a segment that is empty or only dots, such as a code "..": programs
// on the way would take it for another path.
func checkPath(path string) error {
	path, _, _ = strings.Cut(path, "?")
	for segment := range strings.SplitSeq(path[1:], "/") {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("%q can not be the name of something", segment)
		}
	}
	return nil
}

// pause returns how long to wait before another try. again is true only after a 429, or a 503 with
// Retry-After, if the wait fits into MaxWait and ends before the context does.
func (c *Client) pause(
	ctx context.Context, err error, try int, waited time.Duration,
) (pause time.Duration, again bool) {
	answer, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(answer, ErrRateLimited) && !errors.Is(answer, ErrBusy) {
		return 0, false
	}
	if pause = answer.RetryAfter; pause <= 0 { // refused by a proxy
		pause = time.Second << min(try, 5)
	}
	deadline, bounded := ctx.Deadline()
	return pause, waited+pause <= c.MaxWait && !(bounded && time.Until(deadline) < pause)
}

// send sends a request once. Any status but those in successes is an *Error.
func (c *Client) send(ctx context.Context, method, path string, body io.ReadSeeker,
	read func(*http.Response) error,
) error {
	var text io.Reader = http.NoBody
	if body != nil {
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		text = body
		if _, closes := body.(io.Closer); closes {
			text = io.MultiReader(body) // which leaves it open for another try
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, c.baseURL+path, text)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	for name, value := range c.fields {
		req.Header.Set(name, value)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("User-Agent", cmp.Or(c.UserAgent, "terse-go"))
	req.Header.Set("Prefer", "error-field") // for Error.Field
	if body != nil && req.Header.Get("Content-Type") == "" {
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
		return err // names method and URL
	}
	defer func() { _ = resp.Body.Close() }() // reading only
	if !slices.Contains(successes[method], resp.StatusCode) {
		return responseError(resp)
	}
	return read(resp)
}

// successes are the statuses of success, by method. A POST may find that its result already exists,
// or have begun what takes longer.
var successes = map[string][]int{
	http.MethodGet:    {http.StatusOK},
	http.MethodPatch:  {http.StatusOK},
	http.MethodPost:   {http.StatusOK, http.StatusCreated, http.StatusAccepted},
	http.MethodDelete: {http.StatusNoContent},
}
