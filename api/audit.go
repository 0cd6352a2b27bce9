package api

import (
	"context"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Audit is the answer to GET /api/audit.
type Audit struct {
	Entries []AuditEntry `json:"entries"` // newest first
	// NextCursor is the Cursor of the next page; "": there are no older entries.
	NextCursor string `json:"next_cursor,omitzero"`
}

// AuditEntry says who did what to which link, tag, token or user, and when. What is not known, or
// does not apply, is nil.
type AuditEntry struct {
	ID     int64     `json:"id"` // grows with time, with gaps
	Time   time.Time `json:"time"`
	By     *string   `json:"by"`     // the identity; nil where a sign-in failed
	Via    *string   `json:"via"`    // "auth_tokens", "token" or "session"
	Token  *string   `json:"token"`  // ID of the named token
	Action string    `json:"action"` // such as "link.update"
	// Target is a short code, a tag, the ID of a token, an identity or a host.
	Target    *string        `json:"target"`
	Domain    string         `json:"domain,omitzero"` // of a short code; empty: the default one
	Details   jsontext.Value `json:"details"`         // an object, empty if there is no more to say
	RequestID *string        `json:"request_id"`
	Address   *string        `json:"address"` // of the client
}

// AuditQuery selects entries of the audit. The zero AuditQuery asks for the newest 100.
type AuditQuery struct {
	By     string // the identity; "": anybody
	Target string // "": anything
	Limit  int    // 1 to 1000; 0: 100
	Cursor string // the NextCursor of the page before
}

// Audit returns a page of the audit, newest first. The caller must be an auditor or an admin.
func (c *Client) Audit(ctx context.Context, q AuditQuery) (Audit, error) {
	query := url.Values{}
	set(query, "by", q.By)
	set(query, "target", q.Target)
	setCount(query, "limit", q.Limit)
	set(query, "cursor", q.Cursor)
	return get[Audit](ctx, c, "/api/audit", query)
}
