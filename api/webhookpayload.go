package api

// LinkEvent is what webhooks get about a link.
type LinkEvent struct {
	// Type is "link.created", "link.updated", "link.deleted" or "link.expired".
	Type      string        `json:"type"`
	Timestamp Instant       `json:"timestamp"` // when it happened
	Data      LinkEventData `json:"data"`
}

// LinkEventData is what happened to a link.
type LinkEventData struct {
	Link EventLink `json:"link"` // after the event, or as it was when it was deleted
	// Changes are those of "link.updated", as in the link's history.
	Changes map[string]FieldChange `json:"changes,omitzero"`
	// Truncated means that the event would be longer than 64 KiB: it has no rules and no note,
	// neither of the link nor in Changes.
	Truncated bool `json:"truncated,omitzero"`
}

// EventLink is a link as in Link, without what its clicks change.
type EventLink struct {
	Link
	ClickCount *int64 `json:"click_count,omitzero"` // always nil
}

// ClicksEvent is what webhooks get about counted clicks.
type ClicksEvent struct {
	Type      string     `json:"type"` // "clicks"
	Timestamp Instant    `json:"timestamp"`
	Data      ClickBatch `json:"data"`
}

// ClickBatch is clicks that were counted one after another.
type ClickBatch struct {
	From  Instant `json:"from"` // of the first click
	To    Instant `json:"to"`   // of the last one
	Total int64   `json:"total"`
	// ByLink has the 1,000 links with most of these clicks, most first.
	ByLink []LinkClickCount `json:"by_link"`
	// Clicks are the first 1,000, or fewer if they would be too long.
	Clicks []Event `json:"clicks"`
}

// LinkClickCount is how many clicks a link had.
type LinkClickCount struct {
	ShortCode string `json:"short_code"`
	Domain    string `json:"domain,omitzero"` // empty: the default one
	Clicks    int64  `json:"clicks"`
}
