package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
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
		result.Entries[i] = s.auditEntry(&entries[i])
	}
	if len(entries) > limit {
		result.NextCursor = strconv.FormatInt(entries[limit-1].ID, 10)
	}
	return respond(w, r, http.StatusOK, result)
}

func (s *service) auditEntry(e *terse.AuditEntry) api.AuditEntry {
	entry := api.AuditEntry{
		ID: e.ID, Time: e.Time.UTC(), By: textOrNull(e.By), Via: textOrNull(string(e.Via)),
		Token: textOrNull(e.Token), Action: string(e.Action), Target: textOrNull(e.Target),
		Domain: s.shownDomain(e.Domain), Details: []byte("{}"),
		RequestID: textOrNull(e.RequestID), Address: textOrNull(e.Address),
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

// maxStrangers bounds the entries about strangers that a node makes in a minute, however many
// addresses they have: in 90 days at most 2.6 million, or about 1 GB.
const maxStrangers = 20

// strangers counts entries about strangers.
type strangers struct {
	mu     sync.Mutex
	minute int64 // since 1970
	noted  int   // in that minute
}

// take reports whether there is room for one more entry.
func (s *strangers) take(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if minute := now.Unix() / 60; minute != s.minute {
		s.minute, s.noted = minute, 0
	}
	s.noted++
	return s.noted <= maxStrangers
}

// noteStranger notes that somebody tried to sign in, and why that failed. The try was taken from
// the budget of failures. The reason is one of a few. The answer does not depend on the audit.
func (s *service) noteStranger(r *http.Request, action terse.Action, target, reason string) {
	if !s.strangers.take(time.Now()) {
		return
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	by := requestOf(r)
	err := s.Store.Note(ctx, by, terse.Noted{
		Action: action, Target: target, Details: map[string]any{"reason": reason}, Once: true,
	})
	if err != nil {
		s.Logger.Error("a failed sign-in is not in the audit",
			"request_id", by.RequestID, "error", err)
	}
}
