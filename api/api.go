// Package api is the wire contract of a terse server: its OpenAPI document, the JSON bodies of
// requests and responses, and a client.
//
// A Client has a method for each route. Any answer but success is an *Error; use errors.Is to
// compare it with ErrNotFound, ErrConflict and so on. When the server's rate limit refuses a call,
// the client waits as long as the server says and tries again.
//
// The package imports no other package of the server and knows nothing of how it works.
package api

import (
	_ "embed" // for OpenAPI
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// OpenAPI describes the interface in OpenAPI 3.0, as YAML.
//
//go:embed openapi.yaml
var OpenAPI string

// LinkOptions are a link's properties beyond its URL. An answer has those that are set.
type LinkOptions struct {
	Title string `json:"title,omitzero"` // names the link for people, 1 to 200 characters
	Note  string `json:"note,omitzero"`  // only for the owner, 1 to 2000 characters
	// Tags are up to 20, each 1 to 40 characters without commas, none "." or "..". Case is ignored.
	Tags []string `json:"tags,omitempty"`
	// Aliases are up to 20 further addresses that lead where the short code leads, such as "1",
	// "docs/install" or "grüße": 1 to 128 bytes each, in the order in which they were given.
	Aliases []string `json:"aliases,omitempty"`
	// StartsAt and ExpiresAt bound when the link redirects. StartsAt is before ExpiresAt.
	StartsAt  time.Time `json:"starts_at,omitzero"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// MaxClicks is how many redirects the link answers, 1 to 1,000,000,000; 0: no limit.
	MaxClicks int64 `json:"max_clicks,omitzero"`
	Disabled  bool  `json:"disabled,omitzero"`
	// ExpiredURL is where the link leads once it has ended; if empty, a page says that it has.
	ExpiredURL string `json:"expired_url,omitzero"`
	// RedirectStatus is 301, 302, 307 or 308; 0: 302.
	RedirectStatus int  `json:"redirect_status,omitzero"`
	ForwardQuery   bool `json:"forward_query,omitzero"` // append the visitor's query parameters
	ForwardPath    bool `json:"forward_path,omitzero"`  // append the path behind the short code
	// Rules are up to 20. The first whose conditions all hold decides where a visitor goes.
	Rules []Rule `json:"rules,omitempty"`
	// Archived keeps the link out of lists that ask for links that are not archived. It works on.
	Archived bool `json:"archived,omitzero"`
}

// Rule sends some of a link's visitors elsewhere.
type Rule struct {
	Name string         `json:"name"` // 1 to 40 characters, not "default"; clicks keep it
	When RuleConditions `json:"when,omitzero"`
	// Share is the percentage of those visitors that the rule applies to, 1 to 99; 0: all.
	Share int    `json:"share,omitzero"`
	URL   string `json:"url"`
}

// RuleConditions say when a Rule applies. Of a list, one value has to match; an empty condition
// always holds.
type RuleConditions struct {
	Device   []string           `json:"device,omitempty"`  // such as "ios" or "mobile"
	Browser  []string           `json:"browser,omitempty"` // such as "firefox"
	Language []string           `json:"language,omitempty"`
	Country  []string           `json:"country,omitempty"`
	Query    map[string]*string `json:"query,omitempty"` // nil matches any value
	After    time.Time          `json:"after,omitzero"`
	Before   time.Time          `json:"before,omitzero"`
	Address  []string           `json:"address,omitempty"` // addresses and CIDR blocks
}

// LinkDetails are a link's options as answers have them, and values derived from them.
type LinkDetails struct {
	LinkOptions
	Password bool `json:"password,omitzero"` // the link has one
	// ClicksLeft is how many redirects are left of MaxClicks.
	ClicksLeft *int64 `json:"clicks_left,omitzero"`
	// Status is "active", "scheduled", "expired", "used_up" or "disabled". It is empty for a link
	// without options that can change it, which is active.
	Status string `json:"status,omitzero"`
	// Blocked says that the link leads some visitors, or all of them, to a host that this server's
	// operator has blocked. They see that it is no longer active.
	Blocked bool `json:"blocked,omitzero"`
}

// CreateRequest is the body of POST /api/urls.
type CreateRequest struct {
	// OriginalURL is where the link leads: an http or https URL of at most 8192 bytes.
	OriginalURL string `json:"original_url"`
	// Domain is the host of the short URL, one of Domains; empty: that of the server's base URL.
	Domain string `json:"domain,omitzero"`
	// ShortCode is the code to use, 3 to 20 characters of a-z, A-Z, 0-9, _ and -. If nil, the
	// server generates one.
	ShortCode *string `json:"short_code,omitzero"`
	// Password is the password that visitors have to enter, 1 to 128 bytes in NFC. Answers never
	// show it.
	Password string `json:"password,omitzero"`
	// FindExisting asks for the caller's newest link to the same URL that has not ended and is not
	// archived, if there is one. It excludes ShortCode and Aliases.
	FindExisting bool `json:"find_existing,omitzero"`
	LinkOptions
}

// Created is the answer to POST /api/urls (contract: Create result).
type Created struct {
	ShortCode   string `json:"short_code"`      // for example "Xy7KqP2"
	Domain      string `json:"domain,omitzero"` // for example "go.example"; empty: the default one
	ShortURL    string `json:"short_url"`       // for example "https://sho.rt/Xy7KqP2"
	OriginalURL string `json:"original_url"`    // byte for byte as submitted
	LinkDetails
}

// URL is one link of a list (contract: URL record).
type URL struct {
	ID          int64     `json:"id"`
	ShortCode   string    `json:"short_code"`
	Domain      string    `json:"domain,omitzero"` // empty: the default one
	OriginalURL string    `json:"original_url"`
	CreatedAt   time.Time `json:"created_at"` // UTC, microseconds
	CreatedBy   string    `json:"created_by"`
	ClickCount  int64     `json:"click_count"`
	People      *int64    `json:"people,omitzero"` // clicks without bots, if asked for
	// PeriodClicks and PeriodPeople are only in lists by the clicks of a period: its clicks, and
	// those without bots, if asked for.
	PeriodClicks *int64    `json:"period_clicks,omitzero"`
	PeriodPeople *int64    `json:"period_people,omitzero"`
	UpdatedAt    time.Time `json:"updated_at,omitzero"` // when the link was last changed
	LinkDetails
}

// Link is the answer to GET and PATCH /api/urls/{shortCode}.
type Link struct {
	URL
	ShortURL string `json:"short_url"` // for example "https://sho.rt/Xy7KqP2"
	// LastClickedAt is the time of the last click that is counted, bots included; zero: there is
	// none since the statistics began. With TRACKING=off it is the start of its UTC day.
	LastClickedAt time.Time `json:"last_clicked_at,omitzero"`
	// ETag identifies the version of the link, see Client.Update. It is a header field of the
	// answer.
	ETag string `json:"-"`
}

// Changes are the fields to change, by name: a new value, or nil to remove the field (RFC 7396).
type Changes map[string]any

// Page is the answer to GET /api/urls (contract: List envelope).
type Page struct {
	URLs   []URL `json:"urls"`   // newest first
	Total  int64 `json:"total"`  // on all pages together
	Limit  int   `json:"limit"`  // as applied, 1 to 100
	Offset int   `json:"offset"` // as applied
	// NextCursor is the cursor of the next page, for lists with search, sort or cursor. It is empty
	// on the last page.
	NextCursor string `json:"next_cursor,omitzero"`
	// TotalAtLeast means that a search stopped before it had examined all links: there may be more
	// than Total.
	TotalAtLeast bool `json:"total_at_least,omitzero"`
}

// Tags is the answer to GET /api/tags.
type Tags struct {
	Tags []Tag `json:"tags"` // sorted without regard to case
}

// Tag is a tag of the caller's links.
type Tag struct {
	Tag   string `json:"tag"`
	Links int64  `json:"links"` // how many links have it
}

// History is the answer to GET /api/urls/{shortCode}/history.
type History struct {
	Changes []Change `json:"changes"` // the last 100, newest first
}

// Change is one change to a link.
type Change struct {
	Time      time.Time              `json:"time"`
	By        string                 `json:"by"`
	RequestID string                 `json:"request_id"`
	Fields    map[string]FieldChange `json:"fields"`
}

// FieldChange is a field's JSON value before and after: null if it was not set, true for a
// password.
type FieldChange struct {
	Old jsontext.Value `json:"old"`
	New jsontext.Value `json:"new"`
}

// Operation is one of a bulk request.
type Operation struct {
	Op        string `json:"op"`                  // "create", "update" or "delete"
	ShortCode string `json:"short_code,omitzero"` // of the link to update or delete
	Domain    string `json:"domain,omitzero"`     // of that link; empty: the default one
	// Link is a CreateRequest to create, Changes to update, and nil to delete.
	Link any `json:"link,omitzero"`
}

// Bulk is the body of POST /api/bulk.
type Bulk struct {
	Operations []Operation `json:"operations"`      // up to 1000, run in order
	Atomic     bool        `json:"atomic,omitzero"` // all operations succeed or none does
}

// BulkResults is the answer to POST /api/bulk.
type BulkResults struct {
	Results []BulkResult `json:"results"` // one for each operation
}

// BulkResult is the result of one operation.
type BulkResult struct {
	Status int   `json:"status"`        // as of a single request; 424: another operation failed
	Link   *Link `json:"link,omitzero"` // created, found or changed
	// LinkOmitted means that there is a Link but no room for it in the answer, which has at most 8
	// MiB.
	LinkOmitted bool   `json:"link_omitted,omitzero"`
	Error       string `json:"error,omitzero"`
	// Field is what Error is about, see Error.Field. A field of the operation's Link is named as in
	// a single request: "title", not "link.title".
	Field string `json:"field,omitzero"`
}

// Analytics is the answer to GET /api/urls/{shortCode}/analytics (contract: Analytics
// result). Every map adds up to TotalClicks.
type Analytics struct {
	ShortCode   string `json:"short_code"`
	Domain      string `json:"domain,omitzero"` // empty: the default one
	OriginalURL string `json:"original_url"`
	TotalClicks int64  `json:"total_clicks"`
	Counts
	ByDate    map[string]int64 `json:"by_date,omitzero"`    // by UTC day; nil for a range
	StartTime string           `json:"start_time,omitzero"` // as requested; only for a range
	EndTime   string           `json:"end_time,omitzero"`
	Counted
}

// Counted is the range that was counted, in RFC 3339 and UTC, if it differs from the requested one
// because single clicks are gone.
type Counted struct {
	CountedStartTime string `json:"counted_start_time,omitzero"`
	CountedEndTime   string `json:"counted_end_time,omitzero"`
}

// Clicks are clicks over time, the common part of GET /api/urls/{shortCode}/clicks and GET
// /api/overview. Every map and Series add up to TotalClicks.
type Clicks struct {
	TotalClicks int64 `json:"total_clicks"`
	// how many of them were not a bot's, if asked for
	People *int64 `json:"people,omitzero"`
	// how many of them were their visitor's first on a link and UTC day, if asked for
	Visitors *int64 `json:"visitors,omitzero"`
	Counts
	// as requested, otherwise the bounds of Series; empty if that is empty
	StartTime string `json:"start_time,omitzero"`
	EndTime   string `json:"end_time,omitzero"`
	Counted
	// for all time it may be longer than requested
	Interval string  `json:"interval"`
	TimeZone string  `json:"time_zone"` // for example "Europe/Berlin"
	Series   []Point `json:"series"`    // every interval, in order
}

// Point is the clicks of one interval.
type Point struct {
	Time     time.Time `json:"time"` // start of the interval, in the requested zone
	Clicks   int64     `json:"clicks"`
	People   *int64    `json:"people,omitzero"` // as in Clicks
	Visitors *int64    `json:"visitors,omitzero"`
}

// URLClicks is the answer to GET /api/urls/{shortCode}/clicks.
type URLClicks struct {
	ShortCode   string    `json:"short_code"`
	Domain      string    `json:"domain,omitzero"` // empty: the default one
	OriginalURL string    `json:"original_url"`
	CreatedAt   time.Time `json:"created_at"`
	Clicks
}

// Overview is the answer to GET /api/overview: the clicks of all links together, those of deleted
// links included.
type Overview struct {
	Links    int64     `json:"links"`     // how many links exist, with the requested tags
	TopLinks []TopLink `json:"top_links"` // at most 10, most clicks or people first
	Clicks
}

// TopLink is one of the links with the most clicks.
type TopLink struct {
	ShortCode   string `json:"short_code"`
	Domain      string `json:"domain,omitzero"` // empty: the default one
	OriginalURL string `json:"original_url"`
	Title       string `json:"title,omitzero"`
	Clicks      int64  `json:"clicks"`
	People      *int64 `json:"people,omitzero"` // as in Clicks
}

// Recent is the answer to GET /api/recent.
type Recent struct {
	// first of 30 UTC days, for example "2026-01-02"; the last is today
	FirstDate string `json:"first_date"`
	// Clicks of each day, by short code, on other domains than the default one by
	// "go.example/launch". Codes without a link of the caller are left out.
	Clicks map[string][]int64 `json:"clicks"`
}

// SignIn is the body of POST /ui/session.
type SignIn struct {
	Token string `json:"token"`
}

// Session is the answer to GET /ui/session.
type Session struct {
	ExpiresAt time.Time `json:"expires_at"` // UTC
}

// Status is the answer to GET /health and GET /ready.
type Status struct {
	Status string `json:"status"` // "ok", "ready" or "unavailable"
	// The others are for operators: only GET /ready?verbose with a token shows them.
	Error    string   `json:"error,omitzero"`
	Warnings []string `json:"warnings,omitzero"`
	// ClientAddress is the address that limits use for the caller.
	ClientAddress string `json:"client_address,omitzero"`
	// Forwarded is the caller's X-Forwarded-For as it arrived.
	Forwarded string `json:"forwarded,omitzero"`
}

// ErrorBody is the body of every error.
type ErrorBody struct {
	Error string `json:"error"`
}
