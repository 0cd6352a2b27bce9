package storetest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"terse"
)

func history(t *testing.T, s Store) {
	link := createWith(t, s, "link", terse.LinkOptions{Title: "a", Password: "hash 1"})
	none, err := s.History(t.Context(), link.Ref())
	must(t, err)
	wantEqual(t, "changes of a new link", len(none), 0)
	var want []terse.HistoryEntry
	for i, o := range []terse.LinkOptions{
		{Title: "b", Password: "hash 2"},
		{Tags: []string{"x", "Y"}, ExpiresAt: spring},
		{},
		{Title: "ä\"<&>\u2028", MaxClicks: 5},
	} {
		before := link
		link.URL = terse.URL(fmt.Sprintf("https://example.org/%d", i/2))
		link.Options = encoded(t, o)
		by := terse.Caller{Identity: fmt.Sprint("by ", i), RequestID: fmt.Sprint(i)}
		link, err = s.Update(t.Context(), by, changeTo(link))
		must(t, err)
		want = append([]terse.HistoryEntry{{
			Time: link.UpdatedAt, By: by.Identity, RequestID: by.RequestID,
			Fields: terse.DiffLinks(before, link),
		}}, want...)
		wantHistory(t, s, link, want)
	}
	if got := want[3].Fields["password"]; string(got.Old) != "true" || string(got.New) != "true" {
		t.Errorf("the password changed from %s to %s", got.Old, got.New)
	}
	stale := link
	stale.UpdatedAt = time.UnixMicro(7)
	wantError(t, "another version", errOf(s.Update(t.Context(), me, changeTo(stale))),
		terse.ErrChanged)
	wantHistory(t, s, link, want)
	_, err = s.History(t.Context(), terse.LinkRef{ID: link.ID, Code: code(t, "none")})
	wantError(t, "another code", err, terse.ErrNotFound)
	must(t, s.Delete(t.Context(), me, link))
	wantError(t, "a deleted link", errOf(s.History(t.Context(), link.Ref())), terse.ErrNotFound)
	wantHistory(t, s, create(t, s, "link"), nil)
}

func wantHistory(t *testing.T, s Store, link terse.Link, want []terse.HistoryEntry) {
	t.Helper()
	got, err := s.History(t.Context(), link.Ref())
	must(t, err)
	wantEqual(t, "history", compacted(t, got), compacted(t, want))
}

// compacted returns a history with compact JSON values, to compare them.
func compacted(t *testing.T, history []terse.HistoryEntry) []terse.HistoryEntry {
	t.Helper()
	rewrite := func(text json.RawMessage) json.RawMessage {
		if text == nil {
			return nil
		}
		var value any
		must(t, json.Unmarshal(text, &value))
		again, err := json.Marshal(value)
		must(t, err)
		return again
	}
	entries := []terse.HistoryEntry{}
	for _, entry := range history {
		fields := terse.FieldChanges{}
		for name, change := range entry.Fields {
			fields[name] = terse.FieldChange{Old: rewrite(change.Old), New: rewrite(change.New)}
		}
		entry.Fields = fields
		entries = append(entries, entry)
	}
	return entries
}

func historyIsBounded(t *testing.T, s Store) {
	link, other := create(t, s, "link"), create(t, s, "other")
	other = updateTo(t, s, other, terse.LinkOptions{Title: "other"})
	var want []terse.HistoryEntry
	for i := range terse.MaxHistory + 15 {
		before := link
		link = updateTo(t, s, link, terse.LinkOptions{Title: fmt.Sprint(i)})
		want = append([]terse.HistoryEntry{{
			Time: link.UpdatedAt, By: me.Identity, Fields: terse.DiffLinks(before, link),
		}}, want...)
	}
	wantHistory(t, s, link, want[:terse.MaxHistory])
	there, err := s.History(t.Context(), other.Ref())
	must(t, err)
	wantEqual(t, "changes of another link", len(there), 1)
}
