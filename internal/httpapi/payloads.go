package httpapi

import (
	"fmt"

	"terse"
	"terse/api"
	"terse/internal/click/clickquery"
)

// payloads writes what webhooks get, with the records that answers have.
type payloads struct{ *service }

// NewPayloads returns what writes the payloads of webhooks. Of the options it needs Hosts, Blocked
// and Logger. It never asks the store.
func NewPayloads(opts Options) terse.Payloads {
	return payloads{&service{Options: opts, manager: newManager(opts)}}
}

// known returns an error for links on a domain of which this node has not heard yet. The store asks
// again a second later.
func (p payloads) known(d terse.Domain) error {
	if p.Hosts.Table().Of(d).Host == "" {
		p.Hosts.Changed()
		return fmt.Errorf("domain %d has no name yet", d)
	}
	return nil
}

// OfLink implements terse.Payloads.
func (p payloads) OfLink(e terse.LinkEvent) ([]byte, error) {
	if err := p.known(e.After.Code.Domain()); err != nil {
		return nil, err
	}
	data := api.LinkEventData{Link: api.EventLink{Link: *p.linkRecord(e.After)}}
	if options, err := e.After.Options.Decode(); err == nil && options.HasStatus() {
		data.Link.Status = string(options.Status(e.Time, e.After.Used)) // then, not now
	}
	if e.Type == terse.EventUpdated {
		data.Changes = changesOf(terse.DiffLinks(e.Before, e.After))
	}
	event := api.LinkEvent{
		Type: string(e.Type), Timestamp: api.Instant{Time: e.Time}, Data: data,
	}
	text, err := encode(event)
	if err != nil || len(text) <= terse.MaxEventPayload {
		return text, err
	}
	event.Data.Truncated = true
	event.Data.Link.Rules, event.Data.Link.Note = nil, ""
	delete(event.Data.Changes, "rules")
	delete(event.Data.Changes, "note")
	return encode(event)
}

// OfClicks implements terse.Payloads.
func (p payloads) OfClicks(c terse.CountedClicks) ([]byte, error) {
	data := api.ClickBatch{
		From: api.Instant{Time: c.From}, To: api.Instant{Time: c.To}, Total: c.Total,
		ByLink: make([]api.LinkClickCount, len(c.ByLink)), Clicks: make([]api.Event, len(c.First)),
	}
	for i, link := range c.ByLink {
		if err := p.known(link.Code.Domain()); err != nil {
			return nil, err
		}
		data.ByLink[i] = api.LinkClickCount{
			ShortCode: link.Code.Text(), Domain: p.shownDomain(link.Code.Domain()),
			Clicks: link.Clicks,
		}
	}
	for i := range c.First {
		if err := p.known(c.First[i].Link.Code.Domain()); err != nil {
			return nil, err
		}
		data.Clicks[i] = clickquery.EventOf(&c.First[i], c.First[i].Link, p.shownDomain)
	}
	for {
		text, err := encode(api.ClicksEvent{
			Type: string(terse.EventClicks), Timestamp: data.To, Data: data,
		})
		if err != nil || len(text) <= terse.MaxPayload || len(data.Clicks) == 0 {
			return text, err
		}
		data.Clicks = data.Clicks[:len(data.Clicks)/2] // of the longest values
	}
}
