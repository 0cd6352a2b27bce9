package follow

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"terse"
)

// intoAudit is the table of the audit with its columns, the one of the request last.
const intoAudit = "audit (at, actor, via, token, action, target, details, address, domain, " +
	"request_id)"

// equalEntry finds an entry of the last minute that differs from a row of intoAudit in its time and
// request only. It looks through that minute: an actor or target may have very many entries, and an
// expression keeps SQLite from reading all of those.
const equalEntry = "SELECT 1 FROM audit WHERE at > $1 - CAST(60000000 AS bigint) " +
	"AND actor || '' = $2 AND via = $3 AND token = $4 AND action = $5 AND target || '' = $6 " +
	"AND details = $7 AND address = $8"

// audited returns the rows of the effects, with one of the audit if the change is to have one.
func audited(c *Change, e *Effects) ([]Row, error) {
	what := c.Noted
	if what == nil {
		if what = noted(c, e.History); what != nil {
			what.Domain = cmp.Or(c.Before, c.After).Code.Domain()
		}
	}
	if what == nil {
		return e.Rows, nil
	}
	details, err := encodeDetails(what.Details)
	if err != nil {
		return nil, fmt.Errorf("encode the details of %s: %w", what.Action, err)
	}
	row := Row{Into: intoAudit, Values: []any{
		c.At.UnixMicro(), c.By.Identity, string(c.By.Via), c.By.Token, string(what.Action),
		cutTarget(what.Target), details, address(&c.By), int64(what.Domain), c.By.RequestID,
	}}
	if what.Once {
		row.Unless = equalEntry
	}
	return append(e.Rows, row), nil
}

// noted returns what the audit says of a change of a link; nil: nothing. The fields of an update
// are named without their values, which may be secrets or notes, but for the owner.
func noted(c *Change, history *History) *terse.Noted {
	switch {
	case c.By.Cause != terse.CauseRequest:
		return nil // it is no act, or is noted as a whole
	case c.Before == nil && c.After.CreatedBy != c.By.Identity:
		return &terse.Noted{
			Action: terse.ActionCreate, Target: c.After.Code.Text(),
			Details: map[string]any{"owner": c.After.CreatedBy},
		}
	case c.Before == nil && c.By.Via == terse.ViaAuthTokens:
		return nil // created_by and created_at of the link tell it
	case c.Before == nil:
		return &terse.Noted{Action: terse.ActionCreate, Target: c.After.Code.Text()}
	case c.After == nil:
		return &terse.Noted{
			Action: terse.ActionDelete, Target: c.Before.Code.Text(), Details: map[string]any{
				"original_url": string(c.Before.URL), "created_by": c.Before.CreatedBy,
				"created_at": c.Before.CreatedAt.UTC(),
			},
		}
	case history != nil:
		details := map[string]any{"fields": slices.Sorted(maps.Keys(history.Fields))}
		if c.After.CreatedBy != c.Before.CreatedBy {
			details["owner"] = c.After.CreatedBy
		}
		return &terse.Noted{
			Action: terse.ActionUpdate, Target: c.Before.Code.Text(), Details: details,
		}
	}
	return nil
}

func address(by *terse.Caller) string {
	if !by.Address.IsValid() {
		return ""
	}
	return by.Address.String()
}

// maxTarget bounds a target in bytes. Those of links, tags, tokens and users are shorter; an
// address that a provider sends may have any length.
const maxTarget = 320

// cutTarget returns a target that stores can keep.
func cutTarget(target string) string {
	return cut(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return -1
		}
		return r
	}, target), maxTarget)
}

// cut shortens a text to a number of bytes, at a character.
func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	end := most - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// encodeDetails returns details as a JSON object, "" without any. Texts in them are cut to the
// length of the longest URL. Details that are still too long are left out.
func encodeDetails(details map[string]any) (string, error) {
	if len(details) == 0 {
		return "", nil
	}
	short := maps.Clone(details)
	for name, value := range short {
		switch value := value.(type) {
		case string:
			short[name] = cut(value, terse.MaxURLBytes)
		case []string:
			texts := slices.Clone(value)
			for i := range texts {
				texts[i] = cut(texts[i], terse.MaxURLBytes)
			}
			short[name] = texts
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(short); err != nil {
		return "", err
	}
	if text.Len() > terse.MaxAuditDetails {
		return `{"truncated":true}`, nil
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}
