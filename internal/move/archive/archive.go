// Package archive is the form in which links and their clicks leave a server and enter another:
// lines of JSON (NDJSON), written by WriteLines and read by a Reader. docs/api.md shows them.
//
// It writes what a store exports. Lines that are read it checks one by one: it doesn't know which
// links exist.
package archive

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
)

// Version is the version of the form.
const Version = 1

// The types of lines, in the order in which an export has them. Each link line is followed by the
// link's days, each with its counts, and then its clicks. Shares come after all links.
const (
	TypeExport = "export"
	TypeLink   = "link"
	TypeDay    = "day"
	TypeCounts = "counts"
	TypeClick  = "click"
	TypeShare  = "share"
	TypeEnd    = "end"
)

// NoLinkAt begins the error of a row of a table that leads to a short URL of the server where no
// link is. The command line looks for it, since the link may be in another request.
const NoLinkAt = "original URL is a short URL of this server, and there is no link at "

// MaxCounts is how many values a counts line has at most. A dimension with more has several lines.
const MaxCounts = 1000

// MaxCount bounds the count of a click line. More equal clicks are further lines.
const MaxCount = 1_000_000_000

// Export is the first line of an export.
type Export struct {
	Type      string      `json:"type"`
	Version   int         `json:"version"`
	CreatedAt api.Instant `json:"created_at"`
	Generator string      `json:"generator"` // for example "terse 1.2.0"
	BaseURL   string      `json:"base_url"`
	Links     int64       `json:"links"`
	Clicks    int64       `json:"clicks"` // dropped ones included
}

// Link is a link line. Fields that are not set are omitted.
type Link struct {
	Type        string      `json:"type"`
	ShortCode   string      `json:"short_code"`
	Domain      string      `json:"domain,omitzero"` // "": the default
	OriginalURL string      `json:"original_url"`
	CreatedAt   api.Instant `json:"created_at,omitzero"`
	CreatedBy   string      `json:"created_by,omitzero"`
	UpdatedAt   api.Instant `json:"updated_at,omitzero"`
	api.LinkOptions
	PasswordHash  string      `json:"password_hash,omitzero"`
	ClicksUsed    *int64      `json:"clicks_used,omitzero"` // nil: the link has no MaxClicks
	Share         string      `json:"share,omitzero"`
	History       []Change    `json:"history,omitempty"` // newest first
	ClickCount    int64       `json:"click_count"`
	LastClickedAt api.Instant `json:"last_clicked_at,omitzero"`
}

// Share is a share line: of a link, a tag or the overview. A link's share of which nothing is set
// stands in the link's line, where older servers find it. They drop lines of shares, so that none
// that has ended, or needs a password, opens there.
type Share struct {
	Type         string      `json:"type"`
	Share        string      `json:"share"`
	ShortCode    string      `json:"short_code,omitzero"`
	Domain       string      `json:"domain,omitzero"`       // of the link; "": the default
	OriginalURL  string      `json:"original_url,omitzero"` // tells the link from one like it
	Tag          string      `json:"tag,omitzero"`
	Overview     bool        `json:"overview,omitzero"`
	Title        string      `json:"title,omitzero"`
	CreatedAt    api.Instant `json:"created_at,omitzero"`
	CreatedBy    string      `json:"created_by"` // whose it is
	ExpiresAt    api.Instant `json:"expires_at,omitzero"`
	PasswordHash string      `json:"password_hash,omitzero"`
}

// Change is a change in the history of a link.
type Change struct {
	Time      time.Time          `json:"time"`
	By        string             `json:"by"`
	RequestID string             `json:"request_id"`
	Fields    terse.FieldChanges `json:"fields"`
}

// End is the last line of an export. One that lacks it is incomplete.
type End struct {
	Type   string `json:"type"`
	Links  int64  `json:"links"`
	Clicks int64  `json:"clicks"` // those of all lines, dropped ones included
}

// changes returns a history as a link line has it.
func changes(history []terse.HistoryEntry) []Change {
	changes := make([]Change, len(history))
	for i, entry := range history {
		changes[i] = Change{entry.Time.UTC(), entry.By, entry.RequestID, entry.Fields}
	}
	return changes
}

// entries is the reverse of changes, which may be in any order.
func entries(changes []Change) []terse.HistoryEntry {
	slices.SortStableFunc(changes, func(a, b Change) int { return b.Time.Compare(a.Time) })
	history := make([]terse.HistoryEntry, len(changes))
	for i, change := range changes {
		for name, field := range change.Fields {
			change.Fields[name] = terse.FieldChange{
				Old: notNull(field.Old), New: notNull(field.New),
			}
		}
		history[i] = terse.HistoryEntry{
			Time: change.Time.UTC().Truncate(time.Microsecond), By: change.By,
			RequestID: change.RequestID, Fields: change.Fields,
		}
	}
	return history
}

// notNull returns a JSON value without blanks, or nil for null.
func notNull(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	compact := jsontext.Value(value)
	_ = compact.Compact() // it was parsed before
	return json.RawMessage(compact)
}
