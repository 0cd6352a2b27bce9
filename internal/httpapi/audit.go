package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"terse"
	"terse/api"
)

// defaultEntries is how many entries of the audit an answer has by default, and maxEntries how many
// it has at most: with the longest details they are 32 MiB, usually 300 KiB.
const (
	defaultEntries = 100
	maxEntries     = 1000
)

// audit serves GET /api/audit.
func (s *service) audit(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	q, err := parseAuditQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	limit := q.Limit
	q.Limit++ // to see whether there are more
	entries, err := s.Store.Audit(r.Context(), q)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	result := api.Audit{Entries: make([]api.AuditEntry, min(len(entries), limit))}
	for i := range result.Entries {
		result.Entries[i] = auditEntry(&entries[i])
	}
	if len(entries) > limit {
		result.NextCursor = strconv.FormatInt(entries[limit-1].ID, 10)
	}
	return respond(w, r, http.StatusOK, result)
}

func auditEntry(e *terse.AuditEntry) api.AuditEntry {
	entry := api.AuditEntry{
		ID: e.ID, Time: e.Time.UTC(), By: textOrNull(e.By), Via: textOrNull(string(e.Via)),
		Token: textOrNull(e.Token), Action: string(e.Action), Target: textOrNull(e.Target),
		Details: []byte("{}"), RequestID: textOrNull(e.RequestID), Address: textOrNull(e.Address),
	}
	if e.Details != nil {
		entry.Details = []byte(e.Details)
	}
	return entry
}

// textOrNull returns nil, which is encoded as null, for an empty text.
func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func parseAuditQuery(query string) (q terse.AuditQuery, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return q, terse.Invalidf("", "malformed query string")
	}
	if q.By, err = parseText(values, "by"); err != nil {
		return q, err
	}
	if q.Target, err = parseText(values, "target"); err != nil {
		return q, err
	}
	if cursor := values.Get("cursor"); cursor != "" {
		q.Before, err = strconv.ParseInt(cursor, 10, 64)
		if err != nil || q.Before < 1 || strconv.FormatInt(q.Before, 10) != cursor {
			return q, terse.Invalidf("cursor", "cursor must be the next_cursor of the audit")
		}
	}
	q.Limit, err = parseUpTo(values, "limit", maxEntries, defaultEntries)
	return q, err
}

// parseText returns a parameter that stores compare with texts, "" without one.
func parseText(values url.Values, name string) (string, error) {
	text := values.Get(name)
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", terse.Invalidf(name, "%s must be a text in UTF-8", name)
	}
	return text, nil
}
