package httpapi

import (
	"fmt"
	"net/http"

	"terse"
	"terse/api"
)

// history serves GET /api/urls/{shortCode}/history.
func (s *service) history(w http.ResponseWriter, r *http.Request, link terse.Link) error {
	entries, err := s.Store.History(r.Context(), link.Ref())
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	result := api.History{Changes: make([]api.Change, len(entries))}
	for i, entry := range entries {
		result.Changes[i] = api.Change{
			Time: entry.Time.UTC(), By: entry.By, RequestID: entry.RequestID,
			Fields: changesOf(entry.Fields),
		}
	}
	return respond(w, r, http.StatusOK, result)
}

// changesOf returns the changes of fields as answers have them.
func changesOf(fields terse.FieldChanges) map[string]api.FieldChange {
	changes := make(map[string]api.FieldChange, len(fields))
	for name, field := range fields {
		changes[name] = api.FieldChange{Old: orNull(field.Old), New: orNull(field.New)}
	}
	return changes
}

// orNull returns a JSON value, or null if it is empty.
func orNull(value []byte) []byte {
	if value == nil {
		return []byte("null")
	}
	return value
}

// clearClicks serves DELETE /api/urls/{shortCode}/clicks.
func (s *service) clearClicks(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	link, err := s.owned(r, by, terse.ErrUpdateForbidden)
	if err != nil {
		return err
	}
	if err := s.Store.ClearClicks(r.Context(), by, link.Ref()); err != nil {
		return fmt.Errorf("clear clicks of link %s: %w", link.Code, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
