package terse

import (
	"context"
	"crypto/rand"
	"time"
)

// Webhook is an address that is told what happens to links.
type Webhook struct {
	ID string // 1-64 of A-Z a-z 0-9 _ -
	// Owner is whose links it reports: an identity or AllOwners. CreatedBy is who may change it,
	// and for whom it counts.
	Owner, CreatedBy string
	URL              string
	Description      string
	Events           []EventType // at least one, each once, sorted
	Tags             []string    // only links with one of them; none: all links
	CreatedAt        time.Time
	Version          int64 // grows with each change that somebody makes

	// Secret signs deliveries. The former one signs, too, until FormerUntil.
	Secret, FormerSecret []byte
	FormerUntil          time.Time

	// Disabled says why nothing is sent; "": it is active. DisabledAt is since when.
	Disabled   DisabledReason
	DisabledAt time.Time
	// FailingSince is the time of the first attempt that failed since one succeeded; zero: none.
	FailingSince time.Time
}

// EventType is a kind of event that a webhook reports.
type EventType string

// The events.
const (
	EventCreated EventType = "link.created"
	EventUpdated EventType = "link.updated"
	EventDeleted EventType = "link.deleted"
	EventExpired EventType = "link.expired" // the link became Expired or UsedUp
	EventClicks  EventType = "clicks"       // a batch of counted clicks
	EventTest    EventType = "webhook.test" // only on request
)

// DisabledReason is why a webhook is disabled.
type DisabledReason string

// The reasons.
const (
	DisabledByUser    DisabledReason = "user"
	DisabledByGone    DisabledReason = "gone"    // the receiver answered 410
	DisabledByFailure DisabledReason = "failing" // three days without success
	DisabledByBacklog DisabledReason = "backlog" // MaxWaiting deliveries were waiting
)

// Bounds of webhooks.
const (
	MaxWebhooks = 20     // of an identity
	MaxWaiting  = 10_000 // deliveries of a webhook
	// MaxFinished bounds the finished deliveries of a webhook that are kept, and FinishedLifetime
	// how long they are. MaxFinishedBytes bounds their payloads: a thousand batches of clicks may
	// have gigabytes.
	MaxFinished      = 1_000
	MaxFinishedBytes = 64 << 20
	FinishedLifetime = 7 * 24 * time.Hour
	// MaxPayload bounds the payload of a delivery in bytes, as MaxEventPayload does that of an
	// event of a link: 1,000 clicks and 1,000 links take more.
	MaxPayload      = 2 << 20
	MaxEventPayload = 64 << 10
	// MaxResponse bounds the bytes of an answer that are kept.
	MaxResponse = 1 << 10
)

// LinkEvent is a change of a link that webhooks report.
type LinkEvent struct {
	Type EventType
	Time time.Time
	// Before is the link before the change, the zero Link for EventCreated. After is the link that
	// it became, or that was deleted.
	Before, After Link
}

// CountedClicks are clicks that were counted one after another.
type CountedClicks struct {
	From, To time.Time // of the first and the last click
	Total    int64
	// ByLink has the 1,000 links with most clicks, most first; First the first 1,000 clicks.
	ByLink []LinkClicks
	First  []Event
}

// Delivery is an event on its way to a webhook.
type Delivery struct {
	ID      string // the webhook-id, msg_ and 27 characters of base62
	Webhook string // ID
	// Link orders deliveries: one waits until those of the same link before it are finished.
	// 0: of no link.
	Link      LinkID
	Type      EventType
	CreatedAt time.Time
	Status    DeliveryStatus
	NextAt    time.Time // of the next attempt, while Waiting
	Attempts  []Attempt // oldest first
	Payload   []byte    // only where it is said
}

// base62 are the characters of IDs of deliveries behind their prefix.
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewDeliveryID returns the ID of a new delivery: 160 random bits.
func NewDeliveryID() string {
	const length = len("msg_") + 27
	id := []byte("msg_")
	for random := make([]byte, 64); len(id) < length; {
		_, _ = rand.Read(random) // never fails
		for _, b := range random {
			// 248 is the largest multiple of 62 in a byte, so all characters are equally likely.
			if b < 248 && len(id) < length {
				id = append(id, base62[b%62])
			}
		}
	}
	return string(id)
}

// DeliveryStatus is how far a delivery is.
type DeliveryStatus string

// The states.
const (
	Waiting   DeliveryStatus = "waiting"
	Delivered DeliveryStatus = "delivered"
	Failed    DeliveryStatus = "failed"
)

// Attempt is one try to send a delivery.
type Attempt struct {
	Time     time.Time
	Status   int // HTTP status; 0: no answer
	Duration time.Duration
	Error    string // "": there was an answer
	Response []byte // at most MaxResponse
}

// Outcome is what follows from an attempt.
type Outcome struct {
	Attempt Attempt
	Status  DeliveryStatus
	NextAt  time.Time // while Waiting
	Gone    bool      // the receiver wants no more: the webhook is disabled
}

// Payloads writes the payloads of deliveries, as the API shows links and clicks. It must not call
// the store, which is in a transaction. Trying that again, the store may ask for one several times.
type Payloads interface {
	OfLink(LinkEvent) ([]byte, error)
	OfClicks(CountedClicks) ([]byte, error)
}

// Webhooks stores webhooks and their deliveries. It is a part of a store, see Links. A change of a
// link appends its event in its own transaction (link/follow), and counted clicks are appended in
// theirs, while any active webhook exists. Report makes deliveries of both. On a store that nodes
// share, another node knows of the first webhook within a second.
type Webhooks interface {
	// CreateWebhook stores a webhook, whose CreatedAt it sets, and returns it.
	// ErrTooManyWebhooks counts those of CreatedBy.
	CreateWebhook(ctx context.Context, by Caller, hook Webhook) (Webhook, error)

	// Webhooks returns the webhooks that an identity made, or all with AllOwners, oldest first.
	Webhooks(ctx context.Context, createdBy string) ([]Webhook, error)

	// Webhook returns a webhook, or ErrWebhookNotFound.
	Webhook(ctx context.Context, id string) (Webhook, error)

	// UpdateWebhook gives a webhook the URL, Description, Events, Tags, secrets and Disabled of
	// hook, whose Version names the version that it replaces: ErrChanged if it has another.
	// Disabling makes its waiting deliveries fail. Enabling begins with what happens from then on.
	// ErrWebhookNotFound.
	UpdateWebhook(ctx context.Context, by Caller, hook Webhook) (Webhook, error)

	// DeleteWebhook deletes a webhook with its deliveries. ErrWebhookNotFound.
	DeleteWebhook(ctx context.Context, by Caller, id string) error

	// AddDelivery stores a delivery of an event that is of no link, due at once, with its ID, Type
	// and Payload. ErrWebhookNotFound, ErrWebhookDisabled.
	AddDelivery(ctx context.Context, d Delivery) error

	// Report makes deliveries of the events that changes appended, and of the clicks that were
	// counted: each click is in exactly one delivery of each webhook that reports it. Each of its
	// transactions is bounded; more says that there is more to do. It disables webhooks with
	// MaxWaiting deliveries. Several nodes may call it at once.
	Report(ctx context.Context, payloads Payloads) (more bool, err error)

	// TakeDeliveries returns deliveries that are due, with their payloads and what they are sent
	// to, none that waits for another of its link. Nobody else gets them before until.
	TakeDeliveries(ctx context.Context, room Room, until time.Time) (
		[]Delivery, map[string]Webhook, error)

	// FinishDelivery stores what follows from an attempt of a delivery that was taken. kept is
	// false if the delivery has been deleted or has failed meanwhile, and stays so.
	FinishDelivery(ctx context.Context, d Delivery, outcome Outcome) (kept bool, err error)

	// LostDeliveries returns how many deliveries this store has made fail since it was opened,
	// because their webhook or who made it was disabled.
	LostDeliveries() int64

	// Deliveries returns deliveries of a webhook, newest first, without payloads. It has none if
	// there is no such webhook.
	Deliveries(ctx context.Context, q DeliveryQuery) ([]Delivery, error)

	// Delivery returns a delivery of a webhook with its payload, or ErrDeliveryNotFound.
	Delivery(ctx context.Context, webhook, id string) (Delivery, error)

	// RetryDelivery makes a delivery due again. ErrDeliveryNotFound, ErrWebhookDisabled.
	RetryDelivery(ctx context.Context, by Caller, webhook, id string) error

	// DropDeliveries deletes finished deliveries beyond their bounds, in small transactions.
	DropDeliveries(ctx context.Context) error

	// Backlog returns how many deliveries wait, and since when the oldest does.
	Backlog(ctx context.Context) (waiting int64, oldest time.Time, err error)
}

// Room is how many deliveries may be taken at a time.
type Room struct {
	All int
	// Together with those that other nodes have taken, Maker bounds those of all webhooks that an
	// identity made, and Webhook those of one. While a webhook fails it has room for one: it may
	// hold that for as long as an attempt may last.
	Maker, Webhook int
}

// DeliveryQuery asks for deliveries of a webhook.
type DeliveryQuery struct {
	Webhook string
	Status  DeliveryStatus // "": any
	// Before is the last delivery of the page before; the zero Delivery: the first page. Its
	// CreatedAt and ID count.
	Before Delivery
	Limit  int
}
