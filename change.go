package terse

import (
	"encoding/json"
	"reflect"
	"time"
)

// LinkChange is an update for Links.Update: the version of a link that it replaces, and the link as
// it should become. Of Before, stores read ID, Code and UpdatedAt.
type LinkChange struct{ Before, After Link }

// HistoryEntry is one change to a link.
type HistoryEntry struct {
	Time      time.Time // the link's UpdatedAt after the change
	By        string
	RequestID string
	Fields    FieldChanges
}

// MaxHistory is how many changes of a link are kept. Older ones are forgotten.
const MaxHistory = 100

// FieldChanges are the fields whose values a change replaced, keyed by their JSON names.
type FieldChanges map[string]FieldChange

// FieldChange is a field's value before and after, as JSON; nil for a field that was not set.
type FieldChange struct {
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
}

// DiffLinks returns the fields that differ between two versions of a link. A password shows only as
// set or not. Options that cannot be decoded count as empty.
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

// fields returns the fields that an update can change, keyed by their JSON names.
func (l Link) fields() map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	if l.Options != "" {
		err := json.Unmarshal([]byte(l.Options), &fields)
		if err != nil || fields == nil { // JSON null leaves the map nil
			fields = map[string]json.RawMessage{}
		}
	}
	for name, value := range map[string]string{
		"original_url": string(l.URL), "short_code": l.Code.Text(), "owner": l.CreatedBy,
	} {
		text, err := json.Marshal(value)
		if err == nil { // a string always encodes
			fields[name] = text
		}
	}
	return fields
}

// conceal replaces each value that is set by true.
func (c *FieldChange) conceal() {
	for _, value := range []*json.RawMessage{&c.Old, &c.New} {
		if *value != nil {
			*value = json.RawMessage("true")
		}
	}
}

// ValidChange reports whether DiffLinks can return a change of a field: it knows the field, and its
// values are written like those of a link. Whether they are within their bounds does not matter.
func ValidChange(name string, c FieldChange) bool {
	valid := func(value json.RawMessage) bool { return value == nil || isOption(name, value) }
	switch name {
	case "original_url", "short_code", "owner": // are always set
		valid = isText
	case "password": // is concealed
		valid = func(value json.RawMessage) bool { return value == nil || string(value) == "true" }
	}
	return valid(c.Old) && valid(c.New)
}

func isText(value json.RawMessage) bool {
	var text string
	return value != nil && json.Unmarshal(value, &text) == nil && text != ""
}

// isOption reports whether a JSON value is one that an option is stored as: LinkOptions read it,
// and write the same.
func isOption(name string, value json.RawMessage) bool {
	text, err := json.Marshal(map[string]json.RawMessage{name: value})
	var o LinkOptions
	if err != nil || json.Unmarshal(text, &o) != nil {
		return false
	}
	again, err := json.Marshal(&o) //nolint:gosec // it has no password
	if err != nil {
		return false
	}
	var before, after any
	return json.Unmarshal(text, &before) == nil && json.Unmarshal(again, &after) == nil &&
		reflect.DeepEqual(before, after)
}

// Tag is a tag of an owner's links, spelled as it was first written.
type Tag struct {
	Name  string
	Links int64 // how many links have it
}

// Answer is the answer to a request with an idempotency key, kept for AnswerLifetime.
type Answer struct {
	Request [32]byte // SHA-256 of the request's body
	Status  int      // Unfinished, or an HTTP status
	ETag    string
	Body    []byte
}

// Unfinished is the Status of a partial Answer: the request resumes after it.
const Unfinished = 0

// AnswerLifetime is how long an Answer is kept.
const AnswerLifetime = 24 * time.Hour

// MaxAnswerBytes bounds all kept answers together: their bodies, plus AnswerOverhead for each.
// Beyond it the oldest are forgotten early, soon after.
const (
	MaxAnswerBytes = 256 << 20
	AnswerOverhead = 512
)

// AnswerKey names an Answer: the SHA-256 of the caller, the address and the key that was sent.
type AnswerKey [32]byte
