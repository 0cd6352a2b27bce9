package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Webhook is an address that is told what happens to links.
type Webhook struct {
	ID     string   `json:"id"`
	URL    string   `json:"url"`
	Events []string `json:"events"` // WebhookEvents that it is told
	Tags   []string `json:"tags"`   // only links with one of them; empty: all links
	// Owner is whose links it is about: an identity, or AllOwners.
	Owner       string  `json:"owner"`
	Description *string `json:"description"`
	Status      string  `json:"status"` // "active" or "disabled"
	// DisabledReason is "user", "gone" (the receiver wants no more), "failing" (three days without
	// success) or "backlog" (too many deliveries were waiting); nil: it is active.
	DisabledReason *string `json:"disabled_reason"`
	// FailingSince is the time of the first failure since a success; nil: the last one succeeded.
	FailingSince *time.Time `json:"failing_since"`
	CreatedAt    time.Time  `json:"created_at"`
	CreatedBy    string     `json:"created_by"` // who may change it
	// Secret signs deliveries. Only the answer to POST /api/webhooks has it.
	Secret string `json:"secret,omitzero"`
}

// WebhookEvents are the events that a webhook can be told.
var WebhookEvents = []string{
	"link.created", "link.updated", "link.deleted", "link.expired", "clicks",
}

// Webhooks is the answer to GET /api/webhooks.
type Webhooks struct {
	Webhooks []Webhook `json:"webhooks"` // oldest first
}

// WebhookRequest is the body of POST /api/webhooks.
type WebhookRequest struct {
	URL         string   `json:"url"`
	Events      []string `json:"events"`
	Description string   `json:"description,omitzero"`
	Tags        []string `json:"tags,omitzero"`
}

// WebhookChanges is the body of PATCH /api/webhooks/{id}. Fields that are nil stay as they are.
type WebhookChanges struct {
	URL         *string   `json:"url,omitzero"`
	Events      *[]string `json:"events,omitzero"`
	Description *string   `json:"description,omitzero"` // "": none
	Tags        *[]string `json:"tags,omitzero"`        // none: all links
	Disabled    *bool     `json:"disabled,omitzero"`
}

// WebhookSecret is the answer to POST /api/webhooks/{id}/rotate.
type WebhookSecret struct {
	Secret string `json:"secret"`
}

// Delivery is an event on its way to a webhook.
type Delivery struct {
	ID            string     `json:"id"` // the header field webhook-id
	Type          string     `json:"type"`
	CreatedAt     time.Time  `json:"created_at"`
	Status        string     `json:"status"`          // "waiting", "delivered" or "failed"
	NextAttemptAt *time.Time `json:"next_attempt_at"` // nil unless it is waiting
	Attempts      []Attempt  `json:"attempts"`        // oldest first
	// Payload is what is sent. Only the answer about one delivery has it.
	Payload jsontext.Value `json:"payload,omitzero"`
}

// Attempt is one try to send a delivery.
type Attempt struct {
	Time       time.Time `json:"time"`
	Status     *int      `json:"status"` // nil: there was no answer
	DurationMS int64     `json:"duration_ms"`
	Error      *string   `json:"error"`    // why there was no answer
	Response   *string   `json:"response"` // the beginning of the answer's body
}

// Deliveries is a page of deliveries.
type Deliveries struct {
	Deliveries []Delivery `json:"deliveries"` // newest first
	// NextCursor is the Cursor of the next page; "": there are no older ones.
	NextCursor string `json:"next_cursor,omitzero"`
}

// DeliveryQuery selects deliveries of a webhook. The zero DeliveryQuery asks for the newest 100.
type DeliveryQuery struct {
	Status string // "waiting", "delivered" or "failed"; "": any
	Limit  int    // 1 to 1000; 0: 100
	Cursor string // the NextCursor of the page before
}

const webhooksPath = "/api/webhooks"

func webhookPath(id string) string { return webhooksPath + "/" + url.PathEscape(id) }

func deliveryPath(webhook, id string) string {
	return webhookPath(webhook) + "/deliveries/" + url.PathEscape(id)
}

// CreateWebhook creates a webhook. Its Secret is never shown again. With Of it is about the links
// of others; the caller must be an admin.
func (c *Client) CreateWebhook(ctx context.Context, req WebhookRequest) (Webhook, error) {
	return call[Webhook](ctx, c, http.MethodPost, webhooksPath, req)
}

// Webhooks returns webhooks, oldest first: the caller's, or with Of those of others.
func (c *Client) Webhooks(ctx context.Context) ([]Webhook, error) {
	out, err := get[Webhooks](ctx, c, webhooksPath, nil)
	return out.Webhooks, err
}

// Webhook returns a webhook, see Webhooks.
func (c *Client) Webhook(ctx context.Context, id string) (Webhook, error) {
	return get[Webhook](ctx, c, webhookPath(id), nil)
}

// UpdateWebhook changes a webhook, see Webhooks.
func (c *Client) UpdateWebhook(ctx context.Context, id string, changes WebhookChanges) (
	Webhook, error,
) {
	return call[Webhook](ctx, c, http.MethodPatch, webhookPath(id), changes)
}

// DeleteWebhook deletes a webhook with its deliveries, see Webhooks.
func (c *Client) DeleteWebhook(ctx context.Context, id string) error {
	return c.remove(ctx, webhookPath(id))
}

// RotateWebhook gives a webhook another secret, and returns it. The former one signs, too, for
// 24 hours.
func (c *Client) RotateWebhook(ctx context.Context, id string) (secret string, err error) {
	out, err := call[WebhookSecret](ctx, c, http.MethodPost, webhookPath(id)+"/rotate", nil)
	return out.Secret, err
}

// TestWebhook has the event webhook.test sent to a webhook, and returns its delivery.
func (c *Client) TestWebhook(ctx context.Context, id string) (Delivery, error) {
	return call[Delivery](ctx, c, http.MethodPost, webhookPath(id)+"/test", nil)
}

// Deliveries returns a page of the deliveries of a webhook, newest first, without their payloads.
func (c *Client) Deliveries(ctx context.Context, webhook string, q DeliveryQuery) (
	Deliveries, error,
) {
	query := url.Values{}
	set(query, "status", q.Status)
	setCount(query, "limit", q.Limit)
	set(query, "cursor", q.Cursor)
	return get[Deliveries](ctx, c, webhookPath(webhook)+"/deliveries", query)
}

// Delivery returns a delivery of a webhook with its payload.
func (c *Client) Delivery(ctx context.Context, webhook, id string) (Delivery, error) {
	return get[Delivery](ctx, c, deliveryPath(webhook, id), nil)
}

// RetryDelivery has a delivery of a webhook sent again, and returns it.
func (c *Client) RetryDelivery(ctx context.Context, webhook, id string) (Delivery, error) {
	return call[Delivery](ctx, c, http.MethodPost, deliveryPath(webhook, id)+"/retry", nil)
}
