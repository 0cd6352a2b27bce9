package terse

import (
	"encoding/json"
	"time"
)

// LinkChange is a change of a link, for Links.Update: the link as it is to be, and who wants it.
type LinkChange struct {
	Link
	By        string // for example Identity
	RequestID string
}

// HistoryEntry is one change that was made to a link.
type HistoryEntry struct {
	Time      time.Time // the UpdatedAt that the link got
	By        string
	RequestID string
	Fields    FieldChanges
}

// MaxHistory is how many changes of a link are kept: the last ones.
const MaxHistory = 100

// FieldChanges are the fields of a link that a change gave another value, by their names in JSON.
type FieldChanges map[string]FieldChange

// FieldChange is the value of a field before and after, as JSON; nil for a field that is not set.
type FieldChange struct {
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
}

// DiffLinks returns the fields of a link that differ before and after a change. Of a password it
// has only that there is one. Options that are damaged have no fields.
func DiffLinks(before, after Link) FieldChanges {
	changes := FieldChanges{}
	old, now := before.fields(), after.fields()
	for _, fields := range []map[string]json.RawMessage{old, now} {
		for name := range fields {
			if string(old[name]) == string(now[name]) {
				continue
			}
			change := FieldChange{old[name], now[name]}
			if name == "password" {
				change.conceal()
			}
			changes[name] = change
		}
	}
	return changes
}

// fields returns what a change may change of a link, by the names in JSON.
func (l Link) fields() map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	if l.Options != "" {
		err := json.Unmarshal([]byte(l.Options), &fields)
		if err != nil || fields == nil { // as null makes it
			fields = map[string]json.RawMessage{}
		}
	}
	url, err := json.Marshal(l.URL)
	if err == nil { // always: it is a string
		fields["original_url"] = url
	}
	return fields
}

// conceal leaves of each value only that it is set.
func (c *FieldChange) conceal() {
	for _, value := range []*json.RawMessage{&c.Old, &c.New} {
		if *value != nil {
			*value = json.RawMessage("true")
		}
	}
}

// Tag is a tag of an owner's links, spelled as it was first written.
type Tag struct {
	Name  string
	Links int64 // how many have it
}

// Answer is the answer to a request with an idempotency key, kept for AnswerLifetime.
type Answer struct {
	Request [32]byte // SHA-256 of the request's body
	Status  int      // Unfinished, or that of HTTP
	ETag    string
	Body    []byte
}

// Unfinished is the Status of an Answer that is a part of one: the request goes on behind it.
const Unfinished = 0

// AnswerLifetime is for how long an Answer is kept.
const AnswerLifetime = 24 * time.Hour

// MaxAnswerBytes is what the bodies of all kept answers take, together with AnswerOverhead for
// each. Beyond that the oldest are forgotten before their time, soon after.
const (
	MaxAnswerBytes = 256 << 20
	AnswerOverhead = 512
)

// AnswerKey names an Answer: SHA-256 of who asked, for what, and the key that was sent.
type AnswerKey [32]byte
