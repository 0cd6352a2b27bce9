package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/httpapi"
)

// object decodes a JSON object.
func object(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return o
}

// shown returns a link as GET shows it, without what its clicks change, and as the store has it.
func (f *fixture) shown(t *testing.T, code string) (map[string]any, terse.Link) {
	t.Helper()
	record := object(t, f.do(t, request{target: "/api/urls/" + code}).body)
	delete(record, "click_count")
	delete(record, "last_clicked_at")
	parsed, err := terse.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.store.Link(t.Context(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	return record, link
}

// Webhooks get a link as GET shows it, with its changes as its history has them.
func TestPayloadsOfLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	payloads := httpapi.NewPayloads(f.options)
	f.do(t, request{method: http.MethodPost, target: "/api/urls", body: `{"short_code": "launch",
		"original_url": "https://example.com/?a=1&b=<2>", "title": "Grüße", "tags": ["one", "two"],
		"password": "secret words", "max_clicks": 3, "aliases": ["docs/x"], "note": "why",
		"rules": [{"name": "de", "when": {"country": ["DE"]}, "url": "https://example.de/"}]}`})
	before, was := f.shown(t, "launch")
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	of := func(e terse.LinkEvent) map[string]any {
		t.Helper()
		e.Time = at
		text, err := payloads.OfLink(e)
		if err != nil {
			t.Fatal(err)
		}
		return object(t, string(text))
	}
	want := func(kind string, data map[string]any) map[string]any {
		return map[string]any{
			"type": kind, "timestamp": "2026-11-29T12:00:00.000000Z", "data": data,
		}
	}
	got := of(terse.LinkEvent{Type: terse.EventCreated, After: was})
	if diff := cmp.Diff(want("link.created", map[string]any{"link": before}), got); diff != "" {
		t.Error(diff)
	}
	f.do(t, request{
		method: http.MethodPatch, target: "/api/urls/launch",
		body: `{"title": null, "tags": ["two"], "password": "other words", "note": "because"}`,
	})
	after, is := f.shown(t, "launch")
	history := object(t, f.do(t, request{target: "/api/urls/launch/history"}).body)
	changes := history["changes"].([]any)[0].(map[string]any)["fields"]
	got = of(terse.LinkEvent{Type: terse.EventUpdated, Before: was, After: is})
	if diff := cmp.Diff(want("link.updated", map[string]any{
		"link": after, "changes": changes,
	}), got); diff != "" {
		t.Error(diff)
	}
	// The status is that of the time of the event, whenever it is written.
	options, err := is.Options.Decode()
	if err != nil {
		t.Fatal(err)
	}
	options.ExpiresAt = at
	if is.Options, err = options.Encode(); err != nil {
		t.Fatal(err)
	}
	after["expires_at"], after["status"] = "2026-11-29T12:00:00Z", "expired"
	got = of(terse.LinkEvent{Type: terse.EventExpired, After: is})
	if diff := cmp.Diff(want("link.expired", map[string]any{"link": after}), got); diff != "" {
		t.Error(diff)
	}
	at = at.Add(-time.Microsecond)
	got = of(terse.LinkEvent{Type: terse.EventDeleted, After: is})
	if link := got["data"].(map[string]any)["link"].(map[string]any); link["status"] != "active" {
		t.Errorf("a microsecond before its end: %v", link["status"])
	}
	if text := fmt.Sprint(got, f.log); strings.Contains(text, "words") ||
		strings.Contains(text, "$") {
		t.Errorf("it has a password: %s", text)
	}
}

// An event that would be too long has no rules and no note, and says so.
func TestLongPayloads(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	payloads := httpapi.NewPayloads(f.options)
	f.largeLink(t, "large")
	large, was := f.shown(t, "large")
	changed := was
	changed.Options, changed.URL = "", "https://example.com/other"
	for _, e := range []terse.LinkEvent{
		{Type: terse.EventCreated, Time: time.Now(), After: was},
		{Type: terse.EventUpdated, Time: time.Now(), Before: was, After: changed},
		{Type: terse.EventUpdated, Time: time.Now(), Before: changed, After: was},
	} {
		text, err := payloads.OfLink(e)
		if err != nil || len(text) > terse.MaxEventPayload {
			t.Fatalf("%d bytes, error %v", len(text), err)
		}
		data := object(t, string(text))["data"].(map[string]any)
		link := data["link"].(map[string]any)
		changes, _ := data["changes"].(map[string]any)
		for _, name := range []string{"rules", "note"} {
			if link[name] != nil || changes[name] != nil {
				t.Errorf("it has %s", name)
			}
			delete(large, name)
		}
		if data["truncated"] != true || (e.Type == terse.EventUpdated) !=
			(changes["original_url"] != nil) {
			t.Errorf("truncated: %v, changes: %v", data["truncated"], changes)
		}
		if diff := cmp.Diff(large, link); e.After == was && diff != "" {
			t.Error(diff)
		}
	}
}

// Batches of clicks name domains as answers do, and are no longer than a delivery can be.
func TestPayloadsOfClicks(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	payloads := httpapi.NewPayloads(f.options)
	here, there := f.create(t, "https://example.com/"), "launch"
	f.createOn(t, terse.Identity, otherHost, there)
	f.addClicks(t, here, terse.Click{}, terse.Click{})
	f.clickAll(t, mustCode(t, there).On(f.domain(t, otherHost)))
	page, err := f.store.Events(t.Context(), terse.AllLinks, terse.EventQuery{
		Range: terse.AllTime, Owner: terse.Identity, Limit: 10,
	})
	if err != nil || len(page.Events) == 0 {
		t.Fatalf("%+v, error %v", page, err)
	}
	shown := object(t, f.do(t, request{target: "/api/events"}).body)
	batch := terse.CountedClicks{
		From: time.Unix(1, 0), To: time.Unix(2, 5000), Total: 1234, First: page.Events,
	}
	for _, e := range page.Events {
		batch.ByLink = append(batch.ByLink, terse.LinkClicks{LinkRef: e.Link, Clicks: 7})
	}
	text, err := payloads.OfClicks(batch)
	if err != nil {
		t.Fatal(err)
	}
	got := object(t, string(text))
	data := got["data"].(map[string]any)
	if got["type"] != "clicks" || got["timestamp"] != "1970-01-01T00:00:02.000005Z" ||
		data["from"] != "1970-01-01T00:00:01.000000Z" || data["to"] != got["timestamp"] ||
		data["total"] != 1234.0 {
		t.Errorf("%s", text)
	}
	if diff := cmp.Diff(shown["events"], data["clicks"]); diff != "" {
		t.Error(diff)
	}
	for i, e := range page.Events {
		of := data["by_link"].([]any)[i].(map[string]any)
		event := data["clicks"].([]any)[i].(map[string]any)
		if of["short_code"] != e.Link.Code.Text() || of["clicks"] != 7.0 ||
			of["domain"] != event["domain"] {
			t.Errorf("%v for %v", of, e.Link)
		}
	}
	long := batch.First[0]
	for d := range long.Values {
		long.Values[d] = strings.Repeat("x", 500)
	}
	batch.First = nil
	for range 1000 {
		batch.First = append(batch.First, long)
	}
	if text, err = payloads.OfClicks(batch); err != nil || len(text) > terse.MaxPayload {
		t.Fatalf("%d bytes, error %v", len(text), err)
	}
	data = object(t, string(text))["data"].(map[string]any)
	if n := len(data["clicks"].([]any)); n == 0 || n >= 1000 || data["total"] != 1234.0 {
		t.Errorf("%d clicks of %v", n, data["total"])
	}
	// The store asks again when the domain is known.
	unknown := page.Events[0].Link
	unknown.Code = unknown.Code.On(terse.Domain(90))
	batch.ByLink = []terse.LinkClicks{{LinkRef: unknown}}
	if text, err = payloads.OfClicks(batch); err == nil {
		t.Errorf("a domain without a name: %s", text)
	}
	if text, err = payloads.OfLink(terse.LinkEvent{After: terse.Link{Code: unknown.Code}}); err ==
		nil {
		t.Errorf("a domain without a name: %s", text)
	}
}

func mustCode(t *testing.T, text string) terse.Code {
	t.Helper()
	code, err := terse.ParseCode(text)
	if err != nil {
		t.Fatal(err)
	}
	return code
}
