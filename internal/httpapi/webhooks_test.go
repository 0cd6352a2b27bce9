package httpapi_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

const hookURL = "https://hooks.example/terse?key=secret"

// newHook makes a webhook with a body, at /api/webhooks and a query.
func (f *fixture) newHook(t testing.TB, query, body string, header http.Header) api.Webhook {
	t.Helper()
	return decodeAs[api.Webhook](t, f.do(t, request{
		method: "POST", target: "/api/webhooks" + query, body: body, header: header,
	}), http.StatusCreated)
}

// addHook stores a webhook for somebody.
func (f *fixture) addHook(t testing.TB, id, of string) {
	t.Helper()
	if _, err := f.store.CreateWebhook(t.Context(), terse.Caller{Identity: of}, terse.Webhook{
		ID: id, Owner: of, CreatedBy: of, URL: hookURL, Secret: make([]byte, 32),
		Events: []terse.EventType{terse.EventCreated},
	}); err != nil {
		t.Fatal(err)
	}
}

// onlyHook stores a webhook with a delivery, both with an ID, in place of all that there are: an
// identity has few.
func (f *fixture) onlyHook(t testing.TB, id, of string) {
	t.Helper()
	hooks, err := f.store.Webhooks(t.Context(), terse.AllOwners)
	for _, hook := range hooks {
		if err == nil {
			err = f.store.DeleteWebhook(t.Context(), terse.Caller{}, hook.ID)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	f.addHook(t, id, of)
	f.addDelivery(t, id, id)
}

// addDelivery stores a delivery.
func (f *fixture) addDelivery(t testing.TB, webhook, id string) {
	t.Helper()
	if err := f.store.AddDelivery(t.Context(), terse.Delivery{
		ID: id, Webhook: webhook, Type: terse.EventTest,
		Payload: []byte(`{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000000Z",` +
			`"data":{}}`),
	}); err != nil {
		t.Fatal(err)
	}
}

func webhookRequest(method, path, body string) request {
	return request{method: method, target: "/api/webhooks" + path, body: body}
}

// From its making to its end; the secret is in two answers only.
func TestWebhook(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := f.newHook(t, "", `{"url":"`+hookURL+`","events":["link.deleted","clicks",
		"link.deleted"],"description":" For the newsletter ","tags":["shop","News","news"]}`, nil)
	want := api.Webhook{
		ID: made.ID, URL: hookURL, Events: []string{"clicks", "link.deleted"},
		Tags: []string{"News", "shop"}, Owner: terse.Identity,
		Description: new("For the newsletter"), Status: "active", CreatedAt: made.CreatedAt,
		CreatedBy: terse.Identity,
	}
	secret := made.Secret
	if made.Secret = ""; cmp.Diff(made, want) != "" || time.Since(made.CreatedAt) > time.Hour {
		t.Errorf("made (-got +want):\n%s", cmp.Diff(made, want))
	}
	text, prefixed := strings.CutPrefix(secret, "whsec_")
	if key, err := base64.StdEncoding.DecodeString(text); err != nil || len(key) != 32 ||
		!prefixed {
		t.Errorf("the secret is %q", secret)
	}
	list := decodeAs[api.Webhooks](t, f.do(t, webhookRequest("GET", "", "")), http.StatusOK)
	if diff := cmp.Diff(list.Webhooks, []api.Webhook{want}); diff != "" {
		t.Errorf("listed (-got +want):\n%s", diff)
	}
	at := "/" + made.ID
	read := decodeAs[api.Webhook](t, f.do(t, webhookRequest("GET", at, "")), http.StatusOK)
	if diff := cmp.Diff(read, want); diff != "" {
		t.Errorf("read (-got +want):\n%s", diff)
	}

	patch := func(body string) api.Webhook {
		t.Helper()
		return decodeAs[api.Webhook](t, f.do(t, webhookRequest("PATCH", at, body)), http.StatusOK)
	}
	want.Tags, want.Description, want.Events = []string{}, nil, []string{"link.created"}
	if diff := cmp.Diff(patch(`{"tags":null,"description":null,"events":["link.created"]}`),
		want); diff != "" {
		t.Errorf("changed (-got +want):\n%s", diff)
	}
	if got := patch(`{}`); cmp.Diff(got, want) != "" {
		t.Errorf("nothing was to change: %s", cmp.Diff(got, want))
	}
	want.URL = "https://other.example/"
	if got := patch(`{"url":"https://other.example/"}`); cmp.Diff(got, want) != "" {
		t.Errorf("another URL: %s", cmp.Diff(got, want))
	}
	want.Status, want.DisabledReason = "disabled", new("user")
	if got := patch(`{"disabled":true}`); cmp.Diff(got, want) != "" {
		t.Errorf("disabled: %s", cmp.Diff(got, want))
	}
	wantError(t, f.do(t, webhookRequest("POST", at+"/test", "")), http.StatusConflict,
		"webhook is disabled")
	want.Status, want.DisabledReason = "active", nil
	if got := patch(`{"disabled":null}`); cmp.Diff(got, want) != "" {
		t.Errorf("enabled: %s", cmp.Diff(got, want))
	}

	rotated := decodeAs[api.WebhookSecret](t, f.do(t, webhookRequest("POST", at+"/rotate", "")),
		http.StatusOK)
	stored, err := f.store.Webhook(t.Context(), made.ID)
	if err != nil || "whsec_"+base64.StdEncoding.EncodeToString(stored.FormerSecret) != secret ||
		"whsec_"+base64.StdEncoding.EncodeToString(stored.Secret) != rotated.Secret {
		t.Errorf("rotated: %+v, %v", stored, err)
	}
	if left := time.Until(stored.FormerUntil); left < 23*time.Hour || left > 24*time.Hour {
		t.Errorf("the former secret signs for %s", left)
	}
	for _, target := range []string{"", at, at + "/deliveries", "?owner=*"} {
		got := f.do(t, webhookRequest("GET", target, ""))
		if got.status != http.StatusOK || strings.Contains(got.body, "whsec_") ||
			strings.Contains(got.body, text) {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
	}
	if strings.Contains(f.log.String(), text) || strings.Contains(f.log.String(), "key=secret") {
		t.Error("a secret is in the log")
	}
	audit := f.do(t, request{target: "/api/audit?target=" + made.ID})
	for _, action := range []string{"webhook.create", "webhook.update", "webhook.rotate"} {
		if !strings.Contains(audit.body, action) {
			t.Errorf("no %s in the audit", action)
		}
	}
	if strings.Contains(audit.body, "whsec_") || strings.Contains(audit.body, "key=secret") {
		t.Errorf("a secret is in the audit: %s", audit.body)
	}

	if got := f.do(t, webhookRequest("DELETE", at, "")); got.status != http.StatusNoContent {
		t.Errorf("delete: %d %s", got.status, got.body)
	}
	for _, r := range []request{
		webhookRequest("GET", at, ""), webhookRequest("PATCH", at, `{"disabled":true}`),
		webhookRequest("DELETE", at, ""), webhookRequest("POST", at+"/test", ""),
		webhookRequest("POST", at+"/rotate", ""), webhookRequest("GET", at+"/deliveries", ""),
		webhookRequest("GET", at+"/deliveries/msg_1", ""),
		webhookRequest("POST", at+"/deliveries/msg_1/retry", ""),
	} {
		wantError(t, f.do(t, r), http.StatusNotFound, "webhook not found")
	}
}

// What is refused, and the field that it is about.
func TestRefusedWebhooks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.CheckWebhook = func(_ context.Context, address string) error {
			if strings.Contains(address, "private") {
				return terse.Invalidf("url", "webhook address is not allowed")
			}
			return nil
		}
	})
	const (
		noURL = "url must be an https URL without user and password"
		names = "link.created, link.updated, link.deleted, link.expired, clicks"
	)
	made := f.newHook(t, "", `{"url":"`+hookURL+`","events":["clicks"]}`, nil)
	for _, tt := range []struct{ member, field, text string }{
		{`"url":""`, "url", "url is required"},
		{`"url":null`, "url", "url is required"},
		{`"url":7`, "url", `field "url" must be a string`},
		{`"url":"hooks.example"`, "url", noURL},
		{`"url":"ftp://hooks.example/"`, "url", noURL},
		{`"url":"https://me@hooks.example/"`, "url", noURL},
		{`"url":"https://me:word@hooks.example/"`, "url", noURL},
		{`"url":"https://hooks.example:99999/"`, "url", noURL},
		{`"url":"https://private.example/"`, "url", "webhook address is not allowed"},
		{
			`"url":"https://hooks.example/` + strings.Repeat("a", 2048) + `"`, "url",
			"url must be at most 2048 bytes",
		},
		{`"events":[]`, "events", "events must be one or more of " + names},
		{`"events":null`, "events", "events must be one or more of " + names},
		{`"events":"clicks"`, "events", `field "events" must be a list`},
		{`"events":["clicks","moon"]`, "events[1]", "events must each be one of " + names},
		{`"events":["webhook.test"]`, "events[0]", "events must each be one of " + names},
		{`"events":[null]`, "events[0]", "events must each be one of " + names},
		{`"events":[7]`, "events[0]", `field "events[0]" must be a string`},
		{
			`"events":[` + strings.Repeat(`"clicks",`, 5) + `"clicks"]`, "events",
			"events must be one or more of " + names,
		},
		{`"description":7`, "description", `field "description" must be a string`},
		{
			`"description":"` + strings.Repeat("ä", 501) + `"`, "description",
			"description must be at most 500 characters, without control characters",
		},
		{
			`"description":"a\u0000"`, "description",
			"description must be at most 500 characters, without control characters",
		},
		{`"tags":"news"`, "tags", `field "tags" must be a list of strings`},
		{
			`"tags":["a","b,c"]`, "tags[1]", "tags must be up to 20, each 1 to 40 characters, " +
				"without commas and control characters, and neither . nor ..",
		},
		{`"secret":"whsec_"`, "secret", `unknown field "secret"`},
		{`"owner":"*"`, "owner", `unknown field "owner"`},
	} {
		body := map[string]string{"url": `"url":"` + hookURL + `"`, "events": `"events":["clicks"]`}
		name, _, _ := strings.Cut(strings.Trim(tt.member, `"`), `"`)
		body[name] = tt.member
		var members []string
		for _, member := range body {
			members = append(members, member)
		}
		for _, r := range []request{
			webhookRequest("POST", "", "{"+strings.Join(members, ",")+"}"),
			webhookRequest("PATCH", "/"+made.ID, "{"+tt.member+"}"),
		} {
			r.bad = true
			wantError(t, f.do(t, r), http.StatusBadRequest, tt.text)
			f.wantField(t, r, http.StatusBadRequest, tt.field)
		}
	}
	for _, tt := range []struct{ body, field string }{
		{`{"events":["clicks"]}`, "url"},
		{`{"url":"` + hookURL + `"}`, "events"},
		{`{"url":"` + hookURL + `","events":["clicks"],"disabled":true}`, "disabled"},
		{`[]`, ""},
	} {
		f.wantField(t, webhookRequest("POST", "", tt.body), http.StatusBadRequest, tt.field)
	}
	f.wantField(t, webhookRequest("PATCH", "/"+made.ID, `{"disabled":"yes"}`), 400, "disabled")
	for _, path := range []string{"", "/" + made.ID + "/rotate"} {
		r := webhookRequest("POST", path, `{"url":"`+hookURL+`","events":["clicks"]}`)
		f.wantField(t, r.with("Idempotency-Key", "a"), 400, "Idempotency-Key")
	}
	at := "/" + made.ID + "/deliveries?"
	for query, field := range map[string]string{
		"status=lost": "status", "limit=0": "limit", "limit=1001": "limit", "cursor=1": "cursor",
		"cursor=a.msg_1": "cursor", "cursor=1.a%00": "cursor", "cursor=01.msg_1": "cursor",
		"limit=%zz": "",
	} {
		f.wantField(t, webhookRequest("GET", at+query, ""), 400, field)
	}
	if read := decodeAs[api.Webhook](t, f.do(t, webhookRequest("GET", "/"+made.ID, "")),
		200); read.URL != hookURL || read.Status != "active" {
		t.Errorf("what was refused has changed something: %+v", read)
	}
	for n := 1; n < terse.MaxWebhooks; n++ {
		f.addHook(t, fmt.Sprint("more-", n), terse.Identity)
	}
	wantError(t, f.do(t, webhookRequest("POST", "", `{"url":"`+hookURL+
		`","events":["clicks"]}`)), http.StatusConflict, "at most 20 webhooks")
}

// A change that repeats the URL of a webhook does not check it again.
func TestUpdateOfRefusedWebhook(t *testing.T) {
	t.Parallel()
	var refusing atomic.Bool
	f := newFixture(t, func(o *httpapi.Options) {
		o.CheckWebhook = func(context.Context, string) error {
			if refusing.Load() {
				return terse.Invalidf("url", "webhook address is not allowed: none is")
			}
			return nil
		}
	})
	made := f.newHook(t, "", `{"url":"`+hookURL+`","events":["clicks"]}`, nil)
	refusing.Store(true)
	got := decodeAs[api.Webhook](t, f.do(t, webhookRequest("PATCH", "/"+made.ID,
		`{"url":"`+hookURL+`","events":["link.created"],"description":"new"}`)), http.StatusOK)
	if got.URL != hookURL || !slices.Equal(got.Events, []string{"link.created"}) {
		t.Errorf("%+v", got)
	}
	wantError(t, f.do(t, webhookRequest("PATCH", "/"+made.ID, `{"url":"`+hookURL+`&b=1"}`)),
		http.StatusBadRequest, "webhook address is not allowed: none is")
}

// Deliveries are listed in pages, and sent again.
func TestDeliveries(t *testing.T) {
	t.Parallel()
	var due atomic.Int64
	f := newFixture(t, func(o *httpapi.Options) { o.DeliveryDue = func() { due.Add(1) } })
	made := f.newHook(t, "", `{"url":"`+hookURL+`","events":["clicks"]}`, nil)
	at := "/" + made.ID
	var ids []string
	for range 5 {
		d := decodeAs[api.Delivery](t, f.do(t, webhookRequest("POST", at+"/test", "")),
			http.StatusAccepted)
		if d.Status != "waiting" || d.Type != "webhook.test" || len(d.Attempts) > 0 ||
			d.NextAttemptAt == nil || d.Payload != nil || len(d.ID) != 31 {
			t.Errorf("%+v", d)
		}
		ids = append([]string{d.ID}, ids...)
	}
	taken, _, err := f.store.TakeDeliveries(t.Context(),
		terse.Room{All: 10, Maker: 10, Webhook: 10}, time.Now().Add(time.Minute))
	if err != nil || len(taken) != 5 {
		t.Fatalf("took %d, %v", len(taken), err)
	}
	tried := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for i, d := range taken {
		outcome := terse.Outcome{Status: terse.Failed, Attempt: terse.Attempt{
			Time: tried, Duration: 31 * time.Millisecond, Error: "no such host",
		}}
		if i == 0 {
			outcome = terse.Outcome{Status: terse.Delivered, Attempt: terse.Attempt{
				Time: tried, Duration: time.Second, Status: 200, Response: []byte("fine \xff"),
			}}
		}
		if _, err := f.store.FinishDelivery(t.Context(), d, outcome); err != nil {
			t.Fatal(err)
		}
	}
	var listed []string
	query, pages := "?limit=2", 0
	for cursor := ""; pages == 0 || cursor != ""; pages++ {
		target := at + "/deliveries" + query
		if cursor != "" {
			target += "&cursor=" + cursor
		}
		page := decodeAs[api.Deliveries](t, f.do(t, webhookRequest("GET", target, "")), 200)
		for _, d := range page.Deliveries {
			listed = append(listed, d.ID)
		}
		cursor = page.NextCursor
	}
	if !slices.Equal(listed, ids) || pages != 3 {
		t.Errorf("listed %q in %d pages, want %q", listed, pages, ids)
	}
	of := func(status string) []api.Delivery {
		t.Helper()
		return decodeAs[api.Deliveries](t, f.do(t, webhookRequest("GET",
			at+"/deliveries?status="+status, "")), 200).Deliveries
	}
	if n := len(of("failed")); n != 4 || len(of("waiting")) != 0 {
		t.Errorf("%d have failed", n)
	}
	delivered := of("delivered")
	if len(delivered) != 1 || cmp.Diff(delivered[0].Attempts, []api.Attempt{{
		Time: tried, Status: new(200), DurationMS: 1000, Response: new("fine \uFFFD"),
	}}) != "" {
		t.Fatalf("delivered: %+v", delivered)
	}
	failed := of("failed")[0]
	if cmp.Diff(failed.Attempts, []api.Attempt{{
		Time: tried, DurationMS: 31, Error: new("no such host"),
	}}) != "" || failed.NextAttemptAt != nil {
		t.Errorf("failed: %+v", failed)
	}
	one := decodeAs[api.Delivery](t, f.do(t, webhookRequest("GET",
		at+"/deliveries/"+failed.ID, "")), 200)
	if !strings.HasPrefix(string(one.Payload), `{"type":"webhook.test","timestamp":"20`) ||
		!strings.HasSuffix(string(one.Payload), `Z","data":{}}`) {
		t.Errorf("payload %s", one.Payload)
	}
	again := decodeAs[api.Delivery](t, f.do(t, webhookRequest("POST",
		at+"/deliveries/"+failed.ID+"/retry", "")), http.StatusAccepted)
	if again.ID != failed.ID || again.Status != "waiting" || again.NextAttemptAt == nil ||
		len(again.Attempts) != 1 {
		t.Errorf("again: %+v", again)
	}
	f.addHook(t, "other", terse.Identity)
	for _, webhook := range []string{at, "/other"} {
		id := map[string]string{at: "msg_none", "/other": failed.ID}[webhook]
		for method, below := range map[string]string{"GET": "", "POST": "/retry"} {
			wantError(t, f.do(t, webhookRequest(method, webhook+"/deliveries/"+id+below, "")),
				http.StatusNotFound, "delivery not found")
		}
	}
	if n := due.Load(); n != 6 {
		t.Errorf("%d deliveries were due at once, want five tests and one that is sent again", n)
	}
}

// One that is told of everybody's links is for admins, also to who made it.
func TestWebhooksOfAll(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, somebody)
	const body = `{"url":"` + hookURL + `","events":["clicks"]}`
	made := f.newHook(t, "?owner=*", body, nil)
	if made.Owner != terse.AllOwners || made.CreatedBy != terse.Identity {
		t.Errorf("%+v", made)
	}
	theirs := f.newHook(t, "?owner="+somebody, body, nil)
	if theirs.Owner != somebody || theirs.CreatedBy != somebody {
		t.Errorf("%+v", theirs)
	}
	f.addDelivery(t, made.ID, "msg_1")
	own := f.tokenFor(t, somebody, terse.Editor)
	if list := decodeAs[api.Webhooks](t, f.do(t, request{
		target: "/api/webhooks", header: own,
	}), 200); len(list.Webhooks) != 1 || list.Webhooks[0].ID != theirs.ID {
		t.Errorf("of somebody: %+v", list)
	}
	at := "/" + made.ID
	for role := terse.Editor; role <= terse.Admin; role++ {
		header := f.tokenFor(t, terse.Identity, role)
		for _, tt := range []struct {
			request
			needed terse.Role
			status int
		}{
			{webhookRequest("GET", at, ""), terse.Viewer, 200}, // as in the list
			{webhookRequest("GET", at+"/deliveries", ""), auditor, 200},
			{webhookRequest("GET", at+"/deliveries/msg_1", ""), auditor, 200},
			{webhookRequest("POST", at+"/deliveries/msg_1/retry", ""), admin, 202},
			{webhookRequest("POST", at+"/test", ""), admin, 202},
			{webhookRequest("POST", at+"/rotate", ""), admin, 200},
			{webhookRequest("PATCH", at, `{"url":"https://mine.example/"}`), admin, 200},
		} {
			r := tt.request
			r.header = header
			if role == auditor { // it reads with owner=
				r.target += "?owner=*"
			}
			got := f.do(t, r)
			if role.Allows(tt.needed) {
				if got.status != tt.status {
					t.Errorf("%s %s by %s: %d %s", r.method, r.target, role, got.status, got.body)
				}
				continue
			}
			wantError(t, got, http.StatusForbidden, "needs the role "+tt.needed.String())
		}
	}
	wantError(t, f.do(t, request{
		method: "DELETE", target: "/api/webhooks" + at,
		header: f.tokenFor(t, terse.Identity, terse.Editor),
	}), http.StatusForbidden, "needs the role admin")
}

// The client's calls.
func TestWebhooksByClient(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	client := api.New(f.server.URL, token)
	ctx := t.Context()
	made, err := client.CreateWebhook(ctx, api.WebhookRequest{
		URL: hookURL, Events: []string{"clicks"}, Tags: []string{"news"}, Description: "a",
	})
	if err != nil || made.Secret == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	changed, err := client.UpdateWebhook(ctx, made.ID, api.WebhookChanges{
		Events: &[]string{"link.created"}, Tags: &[]string{}, Description: new(""),
	})
	if err != nil || len(changed.Tags) > 0 || changed.Description != nil ||
		!slices.Equal(changed.Events, []string{"link.created"}) {
		t.Errorf("%+v, %v", changed, err)
	}
	if list, err := client.Webhooks(ctx); err != nil || cmp.Diff(list,
		[]api.Webhook{changed}) != "" {
		t.Errorf("%+v, %v", list, err)
	}
	if read, err := client.Webhook(ctx, made.ID); err != nil || cmp.Diff(read, changed) != "" {
		t.Errorf("%+v, %v", read, err)
	}
	if secret, err := client.RotateWebhook(ctx, made.ID); err != nil ||
		!strings.HasPrefix(secret, "whsec_") || secret == made.Secret {
		t.Errorf("%q, %v", secret, err)
	}
	d, err := client.TestWebhook(ctx, made.ID)
	if err != nil || d.Status != "waiting" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := client.RetryDelivery(ctx, made.ID, d.ID); err != nil {
		t.Error(err)
	}
	page, err := client.Deliveries(ctx, made.ID, api.DeliveryQuery{Status: "waiting", Limit: 1})
	if err != nil || len(page.Deliveries) != 1 || page.Deliveries[0].ID != d.ID {
		t.Errorf("%+v, %v", page, err)
	}
	if one, err := client.Delivery(ctx, made.ID, d.ID); err != nil || len(one.Payload) == 0 {
		t.Errorf("%+v, %v", one, err)
	}
	if err := client.DeleteWebhook(ctx, made.ID); err != nil {
		t.Error(err)
	}
}
