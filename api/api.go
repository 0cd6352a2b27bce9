// Package api is the wire contract of a terse server: its OpenAPI document, the JSON
// bodies of requests and responses, and a client.
//
// A Client has a method for each route. An answer other than success is an *Error, which
// errors.Is compares with ErrNotFound, ErrConflict and the like. When the server's rate
// limit refuses a call, the client waits for as long as the server says and tries again.
//
// The package knows nothing of how the server works and imports no other package of it.
package api

import (
	_ "embed" // for OpenAPI
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// OpenAPI is the interface's description in OpenAPI 3.0, as YAML.
//
//go:embed openapi.yaml
var OpenAPI string

// LinkOptions are what a link may have beyond its URL. An answer has those that are set.
type LinkOptions struct {
	Title string `json:"title,omitzero"` // names the link for people, 1 to 200 characters
	Note  string `json:"note,omitzero"`  // for the owner only, 1 to 2000 characters
	// Tags are up to 20, each 1 to 40 characters without commas, none "." or "..". Case does not
	// tell tags apart.
	Tags []string `json:"tags,omitempty"`
	// StartsAt and ExpiresAt bound the time in which the link redirects: the first before the
	// second.
	StartsAt  time.Time `json:"starts_at,omitzero"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// MaxClicks is how many redirects the link answers, 1 to 1,000,000,000; 0: any number.
	MaxClicks int64 `json:"max_clicks,omitzero"`
	Disabled  bool  `json:"disabled,omitzero"`
	// ExpiredURL is where the link leads when it is over; without it a page says so.
	ExpiredURL string `json:"expired_url,omitzero"`
	// RedirectStatus is 301, 302, 307 or 308; 0: 302.
	RedirectStatus int  `json:"redirect_status,omitzero"`
	ForwardQuery   bool `json:"forward_query,omitzero"` // the visitor's parameters go along
	ForwardPath    bool `json:"forward_path,omitzero"`  // and what is behind the short code
	// Rules are up to 20. The first whose conditions all hold decides where a visitor goes.
	Rules []Rule `json:"rules,omitempty"`
}

// Rule leads some of a link's visitors elsewhere.
type Rule struct {
	Name string         `json:"name"` // 1 to 40 characters, not "default"; clicks remember it
	When RuleConditions `json:"when,omitzero"`
	// Share is for how many of those visitors it holds, in percent, 1 to 99; 0: for all.
	Share int    `json:"share,omitzero"`
	URL   string `json:"url"`
}

// RuleConditions are when a Rule holds. Of a list one value has to fit; what is empty always holds.
type RuleConditions struct {
	Device   []string           `json:"device,omitempty"`  // such as "ios" or "mobile"
	Browser  []string           `json:"browser,omitempty"` // such as "firefox"
	Language []string           `json:"language,omitempty"`
	Country  []string           `json:"country,omitempty"`
	Query    map[string]*string `json:"query,omitempty"` // nil stands for any value
	After    time.Time          `json:"after,omitzero"`
	Before   time.Time          `json:"before,omitzero"`
	Address  []string           `json:"address,omitempty"` // addresses and CIDR blocks
}

// LinkDetails are a link's options in answers, and what follows from them.
type LinkDetails struct {
	LinkOptions
	Password bool `json:"password,omitzero"` // there is one
	// ClicksLeft is how many redirects are left of MaxClicks.
	ClicksLeft *int64 `json:"clicks_left,omitzero"`
	// Status is "active", "scheduled", "expired", "used_up" or "disabled"; empty for a link without
	// an option that can change it, which is active.
	Status string `json:"status,omitzero"`
}

// CreateRequest is the body of POST /api/urls.
type CreateRequest struct {
	// OriginalURL is where the link leads: an http or https URL of at most 8192 bytes.
	OriginalURL string `json:"original_url"`
	// ShortCode is the code to use, 3 to 20 characters of a-z, A-Z, 0-9, _ and -. Without
	// one the server generates one.
	ShortCode *string `json:"short_code,omitzero"`
	// Password is what visitors are asked for, 1 to 128 bytes in NFC. No answer shows it.
	Password string `json:"password,omitzero"`
	// FindExisting asks for the caller's newest link to the same URL, if there is one that has not
	// ended. Not together with ShortCode.
	FindExisting bool `json:"find_existing,omitzero"`
	LinkOptions
}

// Created is the answer to POST /api/urls (contract: Create result).
type Created struct {
	ShortCode   string `json:"short_code"`   // for example "Xy7KqP2"
	ShortURL    string `json:"short_url"`    // for example "https://sho.rt/Xy7KqP2"
	OriginalURL string `json:"original_url"` // byte for byte as submitted
	LinkDetails
}

// URL is one link of a list (contract: URL record).
type URL struct {
	ID          int64     `json:"id"`
	ShortCode   string    `json:"short_code"`
	OriginalURL string    `json:"original_url"`
	CreatedAt   time.Time `json:"created_at"` // UTC, microseconds
	CreatedBy   string    `json:"created_by"`
	ClickCount  int64     `json:"click_count"`
	People      *int64    `json:"people,omitzero"`     // clicks but those of bots, if asked for
	UpdatedAt   time.Time `json:"updated_at,omitzero"` // when the link was last changed
	LinkDetails
}

// Link is the answer to GET and PATCH /api/urls/{shortCode}.
type Link struct {
	URL
	ShortURL string `json:"short_url"` // for example "https://sho.rt/Xy7KqP2"
	// ETag names the version of the link: see Client.Update. It is a header field of the answer.
	ETag string `json:"-"`
}

// Changes are what to change of a link, by the names of its fields: a value, or nil to take the
// field away (RFC 7396).
type Changes map[string]any

// Page is the answer to GET /api/urls (contract: List envelope).
type Page struct {
	URLs   []URL `json:"urls"`   // newest first
	Total  int64 `json:"total"`  // of all pages
	Limit  int   `json:"limit"`  // as applied, 1 to 100
	Offset int   `json:"offset"` // as applied
	// NextCursor asks for the next page of a list with search, sort or cursor. The last page has
	// none.
	NextCursor string `json:"next_cursor,omitzero"`
	// TotalAtLeast is true when a search stopped before it had looked at all links: there may be
	// more than Total.
	TotalAtLeast bool `json:"total_at_least,omitzero"`
}

// Tags is the answer to GET /api/tags.
type Tags struct {
	Tags []Tag `json:"tags"` // sorted without regard to case
}

// Tag is a tag of the caller's links.
type Tag struct {
	Tag   string `json:"tag"`
	Links int64  `json:"links"` // how many have it
}

// History is the answer to GET /api/urls/{shortCode}/history.
type History struct {
	Changes []Change `json:"changes"` // the last 100, newest first
}

// Change is one change that was made to a link.
type Change struct {
	Time      time.Time              `json:"time"`
	By        string                 `json:"by"`
	RequestID string                 `json:"request_id"`
	Fields    map[string]FieldChange `json:"fields"`
}

// FieldChange is the JSON value of a field before and after; null when it was not set, and true
// for a password.
type FieldChange struct {
	Old jsontext.Value `json:"old"`
	New jsontext.Value `json:"new"`
}

// Operation is one of a bulk request.
type Operation struct {
	Op        string `json:"op"`                  // "create", "update" or "delete"
	ShortCode string `json:"short_code,omitzero"` // of the link to update or delete
	// Link is a CreateRequest or, to update, Changes; nil to delete.
	Link any `json:"link,omitzero"`
}

// Bulk is the body of POST /api/bulk.
type Bulk struct {
	Operations []Operation `json:"operations"`      // up to 1000, done in their order
	Atomic     bool        `json:"atomic,omitzero"` // all are done or none
}

// BulkResults is the answer to POST /api/bulk.
type BulkResults struct {
	Results []BulkResult `json:"results"` // one for each operation
}

// BulkResult is what became of one operation.
type BulkResult struct {
	Status int   `json:"status"`        // as that of a request of its own; 424: another one failed
	Link   *Link `json:"link,omitzero"` // that was made, found or changed
	// LinkOmitted says that there is a Link, for which the answer, of 8 MiB at most, has no room.
	LinkOmitted bool   `json:"link_omitted,omitzero"`
	Error       string `json:"error,omitzero"`
	// Field is what Error is about, as that of an Error. For a field of the operation's Link it is
	// that of a request of its own: "title", not "link.title".
	Field string `json:"field,omitzero"`
}

// Analytics is the answer to GET /api/urls/{shortCode}/analytics (contract: Analytics
// result). Every map adds up to TotalClicks.
type Analytics struct {
	ShortCode   string `json:"short_code"`
	OriginalURL string `json:"original_url"`
	TotalClicks int64  `json:"total_clicks"`
	Counts
	ByDate    map[string]int64 `json:"by_date,omitzero"`    // by UTC day; nil for a range
	StartTime string           `json:"start_time,omitzero"` // of a range only, as asked for
	EndTime   string           `json:"end_time,omitzero"`
	Counted
}

// Counted is the range that was counted where it is another than was asked for, because single
// clicks are gone: RFC 3339 in UTC.
type Counted struct {
	CountedStartTime string `json:"counted_start_time,omitzero"`
	CountedEndTime   string `json:"counted_end_time,omitzero"`
}

// Clicks are clicks over time: what GET /api/urls/{shortCode}/clicks and GET /api/overview have in
// common. Every map and Series add up to TotalClicks.
type Clicks struct {
	TotalClicks int64 `json:"total_clicks"`
	// how many of them were not a bot's, if that was asked for
	People *int64 `json:"people,omitzero"`
	// how many of them were the first of a visitor on a link and UTC day, if that was asked for
	Visitors *int64 `json:"visitors,omitzero"`
	Counts
	// as asked for, else of Series; none when that is empty
	StartTime string `json:"start_time,omitzero"`
	EndTime   string `json:"end_time,omitzero"`
	Counted
	// "hour", "day", "week" or "month"; of all time maybe longer than asked for
	Interval string  `json:"interval"`
	TimeZone string  `json:"time_zone"` // for example "Europe/Berlin"
	Series   []Point `json:"series"`    // every interval, in order
}

// Point is the clicks of one interval.
type Point struct {
	Time     time.Time `json:"time"` // its start, in the zone that was asked for
	Clicks   int64     `json:"clicks"`
	People   *int64    `json:"people,omitzero"` // as in Clicks
	Visitors *int64    `json:"visitors,omitzero"`
}

// URLClicks is the answer to GET /api/urls/{shortCode}/clicks.
type URLClicks struct {
	ShortCode   string    `json:"short_code"`
	OriginalURL string    `json:"original_url"`
	CreatedAt   time.Time `json:"created_at"`
	Clicks
}

// Overview is the answer to GET /api/overview: the clicks of all links together, with those of
// links that were deleted.
type Overview struct {
	Links    int64     `json:"links"`     // how many there are, with the tags that were asked for
	TopLinks []TopLink `json:"top_links"` // at most 10, most clicks or people first
	Clicks
}

// TopLink is one of the links with the most clicks.
type TopLink struct {
	ShortCode   string `json:"short_code"`
	OriginalURL string `json:"original_url"`
	Clicks      int64  `json:"clicks"`
	People      *int64 `json:"people,omitzero"` // as in Clicks
}

// Recent is the answer to GET /api/recent.
type Recent struct {
	// of 30 UTC days, for example "2026-01-02"; the last one is today
	FirstDate string `json:"first_date"`
	// Clicks of each day, by short code. Codes that have no link of the caller are left out.
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
	// Error and Warnings are for operators and only there when /ready is asked with ?verbose and a
	// token.
	Error    string   `json:"error,omitzero"`
	Warnings []string `json:"warnings,omitzero"`
}

// ErrorBody is the body of every error.
type ErrorBody struct {
	Error string `json:"error"`
}
