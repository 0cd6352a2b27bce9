package api

// ImportResult is a line of the answer to POST /api/import: what became of a link, or of a line
// that failed.
type ImportResult struct {
	Line      int64  `json:"line"` // of the body, from 1
	ShortCode string `json:"short_code,omitzero"`
	// Result is "created", "updated", "unchanged", "renamed", "skipped" or "failed".
	Result       string   `json:"result"`
	NewShortCode string   `json:"new_short_code,omitzero"`
	ClicksAdded  int64    `json:"clicks_added,omitzero"`
	ClicksKnown  int64    `json:"clicks_known,omitzero"`
	Error        string   `json:"error,omitzero"`  // why it was skipped or failed
	Notes        []string `json:"notes,omitempty"` // what was dropped or cut
}

// ImportSummary is the last line of the answer, after which the import is complete.
type ImportSummary struct {
	Created       int64 `json:"created"`
	Updated       int64 `json:"updated"`
	Unchanged     int64 `json:"unchanged"`
	Renamed       int64 `json:"renamed"`
	Skipped       int64 `json:"skipped"`
	Failed        int64 `json:"failed"`       // links
	LinesFailed   int64 `json:"lines_failed"` // other lines, and those that can't be read
	ClicksAdded   int64 `json:"clicks_added"`
	ClicksKnown   int64 `json:"clicks_known"`
	ClicksSkipped int64 `json:"clicks_skipped"`
}
