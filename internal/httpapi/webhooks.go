package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
	"terse/internal/link/manage"
	"terse/internal/link/weburl"
	"terse/internal/text/jsonbody"
)

const (
	webhooksPath  = "/api/webhooks"
	webhookPath   = webhooksPath + "/{webhook}"
	deliveryPath  = webhookPath + "/deliveries/{delivery}"
	webhookSecret = "whsec_" // before the base64 of a secret, as Standard Webhooks has it
)

// Bounds of a webhook. A URL is logged and shown in lists, so it is shorter than one of a link.
const (
	maxWebhookURL         = 2048 // bytes
	maxWebhookDescription = 500  // characters
	webhookSecretBytes    = 32
	formerSecretLifetime  = 24 * time.Hour
)

// defaultDeliveries is how many deliveries an answer has by default, and maxDeliveries how many it
// has at most: with 20 attempts each, which is what stores keep, and the longest responses, these
// are 20 MiB, usually 300 KiB.
const (
	defaultDeliveries = 100
	maxDeliveries     = 1000
)

var (
	errWebhookEvents = terse.Invalidf("events", "events must be one or more of %s",
		strings.Join(api.WebhookEvents, ", "))
	errWebhookURL     = terse.Invalidf("url", "url must be an https URL without user and password")
	errDeliveryCursor = terse.Invalidf("cursor",
		"cursor must be the next_cursor of the webhook's deliveries")
)

// createWebhook serves POST /api/webhooks.
func (s *service) createWebhook(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	if len(r.Header["Idempotency-Key"]) > 0 {
		return errSecretKey
	}
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	fields, err := jsonbody.Object(body, jsonbody.Known("url", "events", "description", "tags"))
	if err != nil {
		return err
	}
	hook := terse.Webhook{
		ID: rand.Text(), Owner: by.Asks(), CreatedBy: by.Gives(), Secret: newWebhookSecret(),
	}
	if err := setWebhook(&hook, fields); err != nil {
		return err
	}
	switch {
	case hook.URL == "":
		return terse.Invalidf("url", "url is required")
	case len(hook.Events) == 0:
		return errWebhookEvents
	}
	if err := s.checkWebhook(r, hook.URL); err != nil {
		return err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	hook, err = s.Store.CreateWebhook(ctx, by, hook)
	if err != nil {
		return fmt.Errorf("create a webhook: %w", err)
	}
	answer := webhookRecord(hook)
	answer.Secret = webhookSecretText(hook.Secret)
	return respond(w, r, http.StatusCreated, answer)
}

func newWebhookSecret() []byte {
	secret := make([]byte, webhookSecretBytes)
	_, _ = rand.Read(secret) // never fails
	return secret
}

func webhookSecretText(secret []byte) string {
	return webhookSecret + base64.StdEncoding.EncodeToString(secret)
}

// checkWebhook returns an error unless a webhook may have a URL. It may look up a name.
func (s *service) checkWebhook(r *http.Request, address string) error {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	return s.CheckWebhook(ctx, address)
}

// setWebhook sets what a body says. Fields that it does not have stay as they are.
func setWebhook(hook *terse.Webhook, fields jsonbody.Members) error {
	if _, has := fields["url"]; has {
		address, err := fields.TakeString("url")
		if err != nil {
			return err
		}
		if hook.URL, err = parseWebhookURL(address); err != nil {
			return err
		}
	}
	if _, has := fields["events"]; has {
		var err error
		if hook.Events, err = takeEvents(fields); err != nil {
			return err
		}
	}
	if _, has := fields["description"]; has {
		text, err := fields.TakeString("description")
		if err != nil {
			return err
		}
		if hook.Description, err = parseDescription(text); err != nil {
			return err
		}
	}
	if tags, has := fields["tags"]; has {
		var err error
		if hook.Tags, err = manage.ParseTagList("tags", tags); err != nil {
			return err
		}
	}
	if _, has := fields["disabled"]; has {
		off, err := fields.TakeBool("disabled")
		if err != nil {
			return err
		}
		switch {
		case !off:
			hook.Disabled = ""
		case hook.Disabled == "":
			hook.Disabled = terse.DisabledByUser
		}
	}
	return nil
}

// parseWebhookURL checks the form of a URL. Where it leads, CheckWebhook checks.
func parseWebhookURL(address *string) (string, error) {
	if address == nil || *address == "" {
		return "", terse.Invalidf("url", "url is required")
	}
	if len(*address) > maxWebhookURL {
		return "", terse.Invalidf("url", "url must be at most %d bytes", maxWebhookURL)
	}
	parts, ok := weburl.Split(*address)
	if _, err := weburl.Parse(*address); err != nil || !ok || parts.User != "" {
		return "", errWebhookURL
	}
	return *address, nil
}

func takeEvents(fields jsonbody.Members) ([]terse.EventType, error) {
	list, err := fields.TakeList("events", len(api.WebhookEvents))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || len(list) > len(api.WebhookEvents) {
		return nil, errWebhookEvents
	}
	var events []terse.EventType
	for i, value := range list {
		at := fmt.Sprintf("events[%d]", i)
		member := jsonbody.Members{at: value}
		name, err := member.TakeString(at)
		if err != nil {
			return nil, err
		}
		if name == nil || !slices.Contains(api.WebhookEvents, *name) {
			return nil, terse.Invalidf(at, "events must each be one of %s",
				strings.Join(api.WebhookEvents, ", "))
		}
		events = append(events, terse.EventType(*name))
	}
	slices.Sort(events)
	return slices.Compact(events), nil
}

func parseDescription(text *string) (string, error) {
	if text == nil {
		return "", nil
	}
	if utf8.RuneCountInString(*text) > maxWebhookDescription ||
		strings.ContainsFunc(*text, unicode.IsControl) {
		return "", terse.Invalidf("description",
			"description must be at most %d characters, without control characters",
			maxWebhookDescription)
	}
	return strings.TrimSpace(*text), nil
}

// webhooks serves GET /api/webhooks.
func (s *service) webhooks(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	found, err := s.Store.Webhooks(r.Context(), by.Asks())
	if err != nil {
		return fmt.Errorf("webhooks of %s: %w", by.Asks(), err)
	}
	list := api.Webhooks{Webhooks: make([]api.Webhook, len(found))}
	for i, hook := range found {
		list.Webhooks[i] = webhookRecord(hook)
	}
	return respond(w, r, http.StatusOK, list)
}

// readWebhook serves GET /api/webhooks/{webhook}.
func (s *service) readWebhook(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	hook, err := s.webhook(r.Context(), r, by, terse.Viewer)
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, webhookRecord(hook))
}

// webhook returns the webhook that the path names. Who can't reach it learns nothing about it. One
// that reports the links of all takes a higher role than the route does: who made it as an admin
// may be less by now, or use a token that is less.
func (s *service) webhook(
	ctx context.Context, r *http.Request, by terse.Caller, ofAll terse.Role,
) (terse.Webhook, error) {
	id := r.PathValue("webhook")
	hook, err := s.Store.Webhook(ctx, id)
	if err != nil {
		return hook, fmt.Errorf("read webhook %s: %w", id, err)
	}
	if !by.Reaches(hook.CreatedBy) {
		return hook, terse.ErrWebhookNotFound
	}
	if hook.Owner == terse.AllOwners && !by.Role.Allows(ofAll) {
		return hook, terse.NeedsRole(ofAll)
	}
	return hook, nil
}

// updateWebhook serves PATCH /api/webhooks/{webhook}: a JSON Merge Patch.
func (s *service) updateWebhook(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	fields, err := jsonbody.Object(body,
		jsonbody.Known("url", "events", "description", "tags", "disabled"))
	if err != nil {
		return err
	}
	hook, err := s.changeWebhook(r, by, func(hook *terse.Webhook) error {
		before := hook.URL
		err := setWebhook(hook, maps.Clone(fields))
		if err == nil && hook.URL != before {
			err = s.checkWebhook(r, hook.URL)
		}
		return err
	})
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, webhookRecord(hook))
}

// changeWebhook changes the webhook that the path names. A change that another one overtook begins
// again, until the time is over.
func (s *service) changeWebhook(
	r *http.Request, by terse.Caller, change func(*terse.Webhook) error,
) (terse.Webhook, error) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	for {
		hook, err := s.webhook(ctx, r, by, terse.Admin)
		if err != nil {
			return hook, err
		}
		before := hook
		if err := change(&hook); err != nil || reflect.DeepEqual(hook, before) {
			return hook, err
		}
		hook, err = s.Store.UpdateWebhook(ctx, by, hook)
		if errors.Is(err, terse.ErrChanged) {
			continue
		}
		if err != nil {
			return hook, fmt.Errorf("change webhook %s: %w", before.ID, err)
		}
		return hook, nil
	}
}

// removeWebhook serves DELETE /api/webhooks/{webhook}.
func (s *service) removeWebhook(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	hook, err := s.webhook(r.Context(), r, by, terse.Admin)
	if err != nil {
		return err
	}
	if err := s.Store.DeleteWebhook(r.Context(), by, hook.ID); err != nil {
		return fmt.Errorf("delete webhook %s: %w", hook.ID, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// rotateWebhook serves POST /api/webhooks/{webhook}/rotate.
func (s *service) rotateWebhook(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	if len(r.Header["Idempotency-Key"]) > 0 {
		return errSecretKey
	}
	secret := newWebhookSecret()
	_, err := s.changeWebhook(r, by, func(hook *terse.Webhook) error {
		hook.FormerSecret, hook.FormerUntil = hook.Secret, time.Now().Add(formerSecretLifetime)
		hook.Secret = secret
		return nil
	})
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, api.WebhookSecret{Secret: webhookSecretText(secret)})
}

// testWebhook serves POST /api/webhooks/{webhook}/test.
func (s *service) testWebhook(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	hook, err := s.webhook(r.Context(), r, by, terse.Admin)
	if err != nil {
		return err
	}
	id := terse.NewDeliveryID()
	if err := s.Store.AddDelivery(r.Context(), terse.Delivery{
		ID: id, Webhook: hook.ID, Type: terse.EventTest,
		Payload: fmt.Appendf(nil, `{"type":%q,"timestamp":%q,"data":{}}`, terse.EventTest,
			time.Now().UTC().Format(api.EventTime)),
	}); err != nil {
		return fmt.Errorf("test webhook %s: %w", hook.ID, err)
	}
	return s.answerDelivery(w, r, hook.ID, id)
}

// answerDelivery has a delivery sent at once, and answers that it is under way.
func (s *service) answerDelivery(w http.ResponseWriter, r *http.Request, webhook, id string) error {
	s.DeliveryDue()
	d, err := s.Store.Delivery(r.Context(), webhook, id)
	if err != nil {
		return fmt.Errorf("read a delivery of webhook %s: %w", webhook, err)
	}
	d.Payload = nil
	return respond(w, r, http.StatusAccepted, deliveryRecord(d))
}

// deliveries serves GET /api/webhooks/{webhook}/deliveries.
func (s *service) deliveries(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	q, err := parseDeliveryQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	hook, err := s.webhook(r.Context(), r, by, terse.Auditor)
	if err != nil {
		return err
	}
	limit := q.Limit
	q.Webhook, q.Limit = hook.ID, limit+1 // to see whether there are more
	found, err := s.Store.Deliveries(r.Context(), q)
	if err != nil {
		return fmt.Errorf("deliveries of webhook %s: %w", hook.ID, err)
	}
	page := api.Deliveries{Deliveries: make([]api.Delivery, min(len(found), limit))}
	for i := range page.Deliveries {
		page.Deliveries[i] = deliveryRecord(found[i])
	}
	if len(found) > limit {
		last := found[limit-1]
		page.NextCursor = strconv.FormatInt(last.CreatedAt.UnixMicro(), 10) + "." + last.ID
	}
	return respond(w, r, http.StatusOK, page)
}

func parseDeliveryQuery(query string) (q terse.DeliveryQuery, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return q, terse.Invalidf("", "malformed query string")
	}
	q.Status = terse.DeliveryStatus(values.Get("status"))
	if !slices.Contains([]terse.DeliveryStatus{
		"", terse.Waiting, terse.Delivered, terse.Failed,
	}, q.Status) {
		return q, terse.Invalidf("status", "status must be waiting, delivered or failed")
	}
	if cursor := values.Get("cursor"); cursor != "" {
		text, id, _ := strings.Cut(cursor, ".")
		micro, err := strconv.ParseInt(text, 10, 64)
		if err != nil || micro < 0 || strconv.FormatInt(micro, 10) != text || !isID(id) {
			return q, errDeliveryCursor
		}
		q.Before.CreatedAt, q.Before.ID = time.UnixMicro(micro), id
	}
	q.Limit, err = parseUpTo(values, "limit", maxDeliveries, defaultDeliveries)
	return q, err
}

// isID reports whether a text can be the ID of a delivery, which stores compare with theirs.
func isID(text string) bool {
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_'
	})
}

// readDelivery serves GET /api/webhooks/{webhook}/deliveries/{delivery}.
func (s *service) readDelivery(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	hook, err := s.webhook(r.Context(), r, by, terse.Auditor)
	if err != nil {
		return err
	}
	d, err := s.Store.Delivery(r.Context(), hook.ID, r.PathValue("delivery"))
	if err != nil {
		return fmt.Errorf("read a delivery of webhook %s: %w", hook.ID, err)
	}
	return respond(w, r, http.StatusOK, deliveryRecord(d))
}

// retryDelivery serves POST /api/webhooks/{webhook}/deliveries/{delivery}/retry.
func (s *service) retryDelivery(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	hook, err := s.webhook(r.Context(), r, by, terse.Admin)
	if err != nil {
		return err
	}
	id := r.PathValue("delivery")
	if err := s.Store.RetryDelivery(r.Context(), by, hook.ID, id); err != nil {
		return fmt.Errorf("retry a delivery of webhook %s: %w", hook.ID, err)
	}
	return s.answerDelivery(w, r, hook.ID, id)
}

func webhookRecord(hook terse.Webhook) api.Webhook {
	record := api.Webhook{
		ID: hook.ID, URL: hook.URL, Events: make([]string, len(hook.Events)),
		Tags: append([]string{}, hook.Tags...), Owner: hook.Owner,
		Description: textOrNull(hook.Description), Status: "active",
		DisabledReason: textOrNull(string(hook.Disabled)),
		FailingSince:   timeOrNull(hook.FailingSince),
		CreatedAt:      hook.CreatedAt.UTC(), CreatedBy: hook.CreatedBy,
	}
	if hook.Disabled != "" {
		record.Status = "disabled"
	}
	for i, event := range hook.Events {
		record.Events[i] = string(event)
	}
	return record
}

func deliveryRecord(d terse.Delivery) api.Delivery {
	record := api.Delivery{
		ID: d.ID, Type: string(d.Type), CreatedAt: d.CreatedAt.UTC(), Status: string(d.Status),
		Attempts: make([]api.Attempt, len(d.Attempts)), Payload: jsontext.Value(d.Payload),
	}
	if d.Status == terse.Waiting {
		record.NextAttemptAt = timeOrNull(d.NextAt)
	}
	for i, a := range d.Attempts {
		attempt := api.Attempt{
			Time: a.Time.UTC(), DurationMS: a.Duration.Milliseconds(), Error: textOrNull(a.Error),
		}
		if a.Status != 0 {
			response := strings.ToValidUTF8(string(a.Response), "\uFFFD")
			attempt.Status, attempt.Response = &a.Status, &response
		}
		record.Attempts[i] = attempt
	}
	return record
}
