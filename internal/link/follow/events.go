package follow

import (
	"encoding/json"
	"fmt"
	"time"

	"terse"
)

// Events is a set of kinds of events that webhooks report.
type Events uint8

// eventBits are the kinds that a store looks for.
var eventBits = map[terse.EventType]Events{
	terse.EventCreated: 1, terse.EventUpdated: 2, terse.EventDeleted: 4, terse.EventExpired: 8,
	terse.EventClicks: 16,
}

// EventsOf returns the set of some kinds.
func EventsOf(kinds ...terse.EventType) (e Events) {
	for _, kind := range kinds {
		e |= eventBits[kind]
	}
	return e
}

// Has reports whether a kind is in the set.
func (e Events) Has(kind terse.EventType) bool { return e&eventBits[kind] != 0 }

// Hearing returns a rule with the events for which webhooks wait, if any do: nothing else is
// appended to the outbox.
func Hearing(rule Rule, heard func() Events) Rule {
	return func(c Change) (Effects, error) {
		c.Heard = heard()
		return rule(c)
	}
}

// intoOutbox is the table of the events that are not yet made deliveries of, with its columns.
const intoOutbox = "outbox (at, type, link_id, before, after)"

// reported returns the rows of the outbox for a change. An event of an update has an entry in the
// history, so an import, a reset and a share have none.
func reported(c *Change, e *Effects) (rows []Row, err error) {
	if c.Heard == 0 || c.Noted != nil || c.By.Cause == terse.CauseImport {
		return nil, nil
	}
	report := func(kind terse.EventType) {
		if err != nil || !c.Heard.Has(kind) {
			return
		}
		var row Row
		row, err = outboxRow(kind, c)
		rows = append(rows, row)
	}
	switch {
	case c.Before == nil:
		report(terse.EventCreated)
	case c.After == nil:
		report(terse.EventDeleted)
	default:
		if e.History != nil {
			report(terse.EventUpdated)
		}
		if isOver(e.Status) && !isOver(c.Before.Status) {
			report(terse.EventExpired)
		}
	}
	return rows, err
}

// isOver reports whether a link has come to its end. One that somebody disabled has not.
func isOver(s terse.Status) bool { return s == terse.Expired || s == terse.UsedUp }

// reportedLink is a link as the outbox has it.
type reportedLink struct {
	ID      terse.LinkID         `json:"id"`
	Key     string               `json:"key"`
	URL     terse.URL            `json:"url"`
	Created int64                `json:"created"`
	By      string               `json:"by"`
	Updated int64                `json:"updated,omitempty"`
	Options terse.EncodedOptions `json:"options,omitempty"`
	Used    int64                `json:"used,omitempty"`
}

func outboxRow(kind terse.EventType, c *Change) (Row, error) {
	before, err := encodeLink(c.Before)
	if err != nil {
		return Row{}, err
	}
	after, err := encodeLink(c.After)
	if err != nil {
		return Row{}, err
	}
	link := c.After
	if link == nil {
		link = c.Before
	}
	return Row{Into: intoOutbox, Values: []any{
		c.At.UnixMicro(), string(kind), int64(link.ID), before, after,
	}}, nil
}

// encodeLink returns a link as the outbox has it, "" for none.
func encodeLink(s *Stored) (string, error) {
	if s == nil {
		return "", nil
	}
	l := reportedLink{
		ID: s.ID, Key: s.Code.String(), URL: s.URL, Created: s.CreatedAt.UnixMicro(),
		By: s.CreatedBy, Options: s.Options, Used: s.Used,
	}
	if !s.UpdatedAt.IsZero() {
		l.Updated = s.UpdatedAt.UnixMicro()
	}
	text, err := json.Marshal(l)
	if err != nil {
		return "", fmt.Errorf("encode an event: %w", err)
	}
	return string(text), nil
}

// DecodeEvent returns the event of a row of the outbox, as a LinkEvent has it.
func DecodeEvent(kind string, at int64, before, after string) (terse.LinkEvent, error) {
	e := terse.LinkEvent{Type: terse.EventType(kind), Time: time.UnixMicro(at).UTC()}
	for _, of := range []struct {
		text string
		link *terse.Link
	}{{before, &e.Before}, {after, &e.After}} {
		if of.text == "" {
			continue
		}
		var l reportedLink
		if err := json.Unmarshal([]byte(of.text), &l); err != nil {
			return e, fmt.Errorf("decode an event: %w", err)
		}
		code, err := terse.ParseKey(l.Key)
		if err != nil {
			return e, fmt.Errorf("decode an event: %w", err)
		}
		*of.link = terse.Link{
			ID: l.ID, Code: code, URL: l.URL, CreatedAt: time.UnixMicro(l.Created).UTC(),
			CreatedBy: l.By, Options: l.Options, Used: l.Used,
		}
		if l.Updated != 0 {
			of.link.UpdatedAt = time.UnixMicro(l.Updated).UTC()
		}
	}
	if after == "" { // it was deleted
		e.After = e.Before
	}
	return e, nil
}
