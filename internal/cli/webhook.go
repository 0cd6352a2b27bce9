package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

type webhookCommand struct {
	Create     webhookCreateCommand     `cmd:"" help:"Have an address told what happens to links, and print the secret this once."`
	List       webhookListCommand       `cmd:"" aliases:"ls" help:"List webhooks, oldest first."`
	Show       webhookShowCommand       `cmd:"" help:"Show everything about a webhook but its secret."`
	Edit       webhookEditCommand       `cmd:"" help:"Change, disable or enable a webhook."`
	Rotate     webhookRotateCommand     `cmd:"" help:"Give a webhook another secret, and print it this once."`
	Test       webhookTestCommand       `cmd:"" help:"Send the event webhook.test to a webhook."`
	Delete     webhookDeleteCommand     `cmd:"" help:"Delete a webhook with its deliveries."`
	Deliveries webhookDeliveriesCommand `cmd:"" help:"List the deliveries of a webhook, newest first, or show one of them."`
	Retry      webhookRetryCommand      `cmd:"" help:"Send a delivery again."`
}

type webhookCreateCommand struct {
	ownerFlags `embed:""`

	Address     string   `arg:"" name:"url" help:"Where to send events: an https URL."`
	Events      []string `name:"event" required:"" help:"link.created, link.updated, link.deleted, link.expired or clicks, or several with commas between them; repeatable." enum:"link.created,link.updated,link.deleted,link.expired,clicks" placeholder:"EVENT" variable:""`
	Tags        []string `name:"tag" short:"l" help:"Only links with this tag, or with one of several with commas between them; repeatable." placeholder:"TAG" variable:""`
	Description string   `help:"What it is for." placeholder:"TEXT" variable:""`
}

// Help implements kong.HelpProvider.
func (*webhookCreateCommand) Help() string {
	return "Requests are signed as Standard Webhooks says; the receiver checks that with the " +
		"secret. The server does not show it again. Without a terminal ID and secret are all " +
		"that is printed, with a tab between them. With --owner '*' an admin has it told of the " +
		"links of all."
}

// Run creates the webhook.
func (c *webhookCreateCommand) Run(ctx context.Context, r *remote) error {
	hook, err := r.CreateWebhook(ctx, api.WebhookRequest{
		URL: c.Address, Events: c.Events, Tags: c.Tags, Description: c.Description,
	})
	return c.answer(r, explained(inFlags(err, c.Address)), "", hook, func() error {
		if r.Width() == 0 {
			return r.PrintRow(hook.ID, hook.Secret)
		}
		if err := r.printWebhook(hook); err != nil {
			return err
		}
		return r.printSecret(hook.Secret)
	})
}

// printSecret prints the secret of a webhook for people.
func (r *remote) printSecret(secret string) error {
	err := r.PrintEntries(console.Entry{Name: "secret", Label: "secret", Text: secret})
	if err == nil {
		fmt.Fprintln(r.Err, "The secret is shown only now.")
	}
	return err
}

type webhookListCommand struct {
	ownerFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*webhookListCommand) Help() string {
	return "In a pipe each line has the ID, URL, state, events and tags with commas between " +
		"them, since when it fails, time of creation, who made it, whose links it is about and " +
		"the description, with tabs between them."
}

// Run lists the webhooks.
func (c *webhookListCommand) Run(ctx context.Context, r *remote) error {
	hooks, err := r.Webhooks(ctx)
	return c.answer(r, err, "", api.Webhooks{Webhooks: hooks}, func() error {
		rows := [][]string{{"ID", "URL", "STATE", "EVENTS", "TAGS"}}
		for _, w := range hooks {
			row := []string{w.ID, w.URL, r.webhookState(w)}
			between := ","
			if r.Width() > 0 {
				between = ", "
			}
			row = append(row, strings.Join(w.Events, between), strings.Join(w.Tags, between))
			if r.Width() == 0 {
				row = append(row, rfc3339(w.FailingSince), rfc3339(&w.CreatedAt), w.CreatedBy,
					w.Owner, text(w.Description))
			}
			rows = append(rows, row)
		}
		below := words.Count(int64(len(hooks)), "webhook")
		if c.Owner == "" {
			below += " of yours"
		}
		return r.printTable(rows, below)
	})
}

// webhookStates say in words for people why a webhook is disabled.
var webhookStates = map[string]string{
	"user":    "disabled",
	"gone":    "disabled: its address answered that it is gone (410)",
	"failing": "disabled: nothing was accepted for three days",
	"backlog": "disabled: too many deliveries were waiting",
}

// webhookState returns in words for people, or in one for programs, whether a webhook is told
// anything.
func (r *remote) webhookState(w api.Webhook) string {
	reason := text(w.DisabledReason)
	switch {
	case r.Width() == 0 && w.Status == "disabled":
		return w.Status + ":" + reason
	case r.Width() == 0:
		return w.Status
	case w.Status == "disabled":
		if said := webhookStates[reason]; said != "" {
			return said
		}
		return w.Status
	case w.FailingSince != nil:
		return "failing since " + w.FailingSince.In(r.Zone()).Format(time.DateTime)
	}
	return w.Status
}

// webhookFlags name a webhook.
type webhookFlags struct {
	ownerFlags `embed:""`

	Webhook string `arg:"" help:"Its ID, or its URL."`
}

// find returns the webhook.
func (f *webhookFlags) find(ctx context.Context, r *remote) (api.Webhook, error) {
	if !strings.Contains(f.Webhook, "://") {
		hook, err := r.Client.Webhook(ctx, f.Webhook)
		return hook, r.explain(err, f.Webhook)
	}
	hooks, err := r.Webhooks(ctx)
	if err != nil {
		return api.Webhook{}, r.explain(err, "")
	}
	hooks = slices.DeleteFunc(hooks, func(w api.Webhook) bool { return w.URL != f.Webhook })
	switch len(hooks) {
	case 0:
		return api.Webhook{}, fail(ExitNotFound, "No webhook %q.", f.Webhook)
	case 1:
		return hooks[0], nil
	}
	return api.Webhook{}, fail(ExitFailure, "%d webhooks have this URL. Name one by its ID: see "+
		"terse webhook list.", len(hooks))
}

type webhookShowCommand struct {
	webhookFlags `embed:""`
}

// Run prints the webhook.
func (c *webhookShowCommand) Run(ctx context.Context, r *remote) error {
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	return c.answer(r, nil, "", hook, func() error { return r.printWebhook(hook) })
}

func (r *remote) printWebhook(w api.Webhook) error {
	entries := []console.Entry{
		{Name: "id", Label: "ID", Text: w.ID},
		{Name: "url", Label: "URL", Text: w.URL},
		{Name: "state", Label: "state", Text: r.webhookState(w)},
		{Name: "events", Label: "events", Text: strings.Join(w.Events, ", ")},
	}
	if len(w.Tags) > 0 {
		entries = append(entries, console.Entry{
			Name: "tags", Label: "only with tags", Text: strings.Join(w.Tags, ", "),
		})
	}
	if w.Owner != w.CreatedBy {
		entries = append(entries, console.Entry{
			Name: "owner", Label: "links of", Text: strings.Replace(w.Owner, "*", "all", 1),
		})
	}
	if w.Description != nil {
		entries = append(entries, console.Entry{
			Name: "description", Label: "description", Text: *w.Description,
		})
	}
	made := w.CreatedAt.In(r.Zone()).Format(time.DateTime)
	if r.Width() == 0 {
		made = rfc3339(&w.CreatedAt)
	}
	return r.PrintEntries(append(entries,
		console.Entry{Name: "created_at", Label: "created", Text: made},
		console.Entry{Name: "created_by", Label: "by", Text: w.CreatedBy})...)
}

type webhookEditCommand struct {
	webhookFlags `embed:""`

	To          *string  `name:"to" help:"The new URL." placeholder:"URL" variable:""`
	Events      []string `name:"event" help:"The events, instead of those that it has; as for create." enum:"link.created,link.updated,link.deleted,link.expired,clicks" placeholder:"EVENT" variable:""`
	Tags        []string `name:"tag" short:"l" help:"The tags, instead of those that it has; as for create." placeholder:"TAG" variable:""`
	Description *string  `help:"What it is for." placeholder:"TEXT" variable:""`
	Clear       []string `help:"Remove tag or description; without tags it is told of all links." placeholder:"OPTION" variable:""`
	Disable     bool     `help:"Send nothing. What waits has failed, and what happens then is never sent." xor:"disabled" variable:""`
	Enable      bool     `help:"Send what happens from now on." xor:"disabled" variable:""`
}

// Run changes the webhook, then prints it.
func (c *webhookEditCommand) Run(ctx context.Context, r *remote) error {
	changes := api.WebhookChanges{URL: c.To, Description: c.Description}
	if len(c.Events) > 0 {
		changes.Events = &c.Events
	}
	if len(c.Tags) > 0 {
		changes.Tags = &c.Tags
	}
	for _, name := range c.Clear {
		switch name {
		case "tag", "tags":
			changes.Tags = &[]string{}
		case "description":
			changes.Description = new("")
		default:
			return misuse("--clear takes tag and description")
		}
	}
	if c.Disable || c.Enable {
		changes.Disabled = &c.Disable
	}
	if changes == (api.WebhookChanges{}) {
		return misuse("nothing to change")
	}
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	hook, err = r.UpdateWebhook(ctx, hook.ID, changes)
	return c.answer(r, explained(inFlags(err, text(c.To))), c.Webhook, hook, func() error {
		return r.printWebhook(hook)
	})
}

type webhookRotateCommand struct {
	webhookFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*webhookRotateCommand) Help() string {
	return "For 24 hours requests are signed with the former secret, too. Another rotate within " +
		"that time ends it at once. Without a terminal the secret is all that is printed."
}

// Run gives the webhook another secret.
func (c *webhookRotateCommand) Run(ctx context.Context, r *remote) error {
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	secret, err := r.RotateWebhook(ctx, hook.ID)
	return c.answer(r, err, c.Webhook, api.WebhookSecret{Secret: secret}, func() error {
		if r.Width() > 0 {
			return r.printSecret(secret)
		}
		_, err := fmt.Fprintln(r.Out, console.Printable(secret))
		return err
	})
}

type webhookTestCommand struct {
	webhookFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*webhookTestCommand) Help() string {
	return "Prints the ID of the delivery; terse webhook deliveries shows what became of it."
}

// Run sends a test.
func (c *webhookTestCommand) Run(ctx context.Context, r *remote) error {
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	d, err := r.TestWebhook(ctx, hook.ID)
	return c.answer(r, err, c.Webhook, d, func() error { return r.PrintRow(d.ID) })
}

type webhookDeleteCommand struct {
	webhookFlags `embed:""`
	yesFlags     `embed:""`
}

// Run deletes the webhook after confirmation.
func (c *webhookDeleteCommand) Run(ctx context.Context, r *remote) error {
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	if err := c.confirm(ctx, r.Env, "Not deleted.", func() (string, error) {
		return "Delete the webhook to " + console.Printable(hook.URL) + "?", nil
	}); err != nil {
		return err
	}
	return c.done(r, r.DeleteWebhook(ctx, hook.ID), c.Webhook, "deleted", "Deleted")
}

type webhookDeliveriesCommand struct {
	webhookFlags `embed:""`

	Delivery string  `arg:"" optional:"" help:"The ID of one, to show its attempts and what is sent."`
	Status   *string `short:"s" help:"Only deliveries that are waiting, delivered or failed." enum:"waiting,delivered,failed" placeholder:"STATUS" variable:""`
	Limit    int     `short:"L" help:"How many." default:"20" variable:""`
}

// Help implements kong.HelpProvider.
func (*webhookDeliveriesCommand) Help() string {
	return "In a pipe each line has the ID, event, status, time, number of attempts, the last " +
		"one's HTTP status or error, and the time of the next one, with tabs between them. " +
		"Finished ones are kept for 7 days, at most 1000 of a webhook."
}

// maxDeliveries is the server's largest page.
const maxDeliveries = 1000

// Run lists the deliveries, or shows one.
func (c *webhookDeliveriesCommand) Run(ctx context.Context, r *remote) error {
	if c.Limit < 1 {
		return misuse("--limit must be at least 1")
	}
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	if c.Delivery != "" {
		d, err := r.Client.Delivery(ctx, hook.ID, c.Delivery)
		return c.answer(r, err, c.Delivery, d, func() error { return r.printDelivery(d) })
	}
	all := api.Deliveries{Deliveries: []api.Delivery{}}
	for q := (api.DeliveryQuery{Status: text(c.Status)}); ; {
		q.Limit = min(c.Limit-len(all.Deliveries), maxDeliveries)
		page, err := r.Client.Deliveries(ctx, hook.ID, q)
		if err != nil {
			return r.explain(err, c.Webhook)
		}
		all.Deliveries = append(all.Deliveries, page.Deliveries...)
		q.Cursor, all.NextCursor = page.NextCursor, page.NextCursor
		if q.Cursor == "" || len(all.Deliveries) >= c.Limit || len(page.Deliveries) == 0 {
			break
		}
	}
	return c.answer(r, nil, "", all, func() error { return r.printDeliveries(all) })
}

func (r *remote) printDeliveries(all api.Deliveries) error {
	rows := [][]string{{"ID", "EVENT", "STATUS", "TIME", "ATTEMPTS", "LAST ANSWER", "NEXT"}}
	for _, d := range all.Deliveries {
		at := func(t *time.Time) string {
			switch {
			case r.Width() == 0:
				return rfc3339(t)
			case t == nil:
				return "-"
			}
			return t.In(r.Zone()).Format(time.DateTime)
		}
		last := ""
		if n := len(d.Attempts); n > 0 {
			last = attemptResult(d.Attempts[n-1])
		}
		rows = append(rows, []string{
			d.ID, d.Type, d.Status, at(&d.CreatedAt), strconv.Itoa(len(d.Attempts)), last,
			at(d.NextAttemptAt),
		})
	}
	below := "1 delivery"
	if n := len(all.Deliveries); n != 1 {
		below = strconv.Itoa(n) + " deliveries"
	}
	if all.NextCursor != "" {
		below += "; there are more"
	}
	return r.printTable(rows, below)
}

// attemptResult returns the HTTP status of an attempt, or why there is none.
func attemptResult(a api.Attempt) string {
	if a.Status != nil {
		return strconv.Itoa(*a.Status)
	}
	return text(a.Error)
}

// printDelivery prints a delivery with its attempts and payload.
func (r *remote) printDelivery(d api.Delivery) error {
	at := func(t time.Time) string {
		if r.Width() == 0 {
			return rfc3339(&t)
		}
		return t.In(r.Zone()).Format(time.DateTime)
	}
	entries := []console.Entry{
		{Name: "id", Label: "ID", Text: d.ID},
		{Name: "type", Label: "event", Text: d.Type},
		{Name: "status", Label: "status", Text: d.Status},
		{Name: "created_at", Label: "created", Text: at(d.CreatedAt)},
	}
	for _, a := range d.Attempts {
		said := attemptResult(a) + " after " +
			(time.Duration(a.DurationMS) * time.Millisecond).String()
		if body := strings.TrimSpace(text(a.Response)); body != "" {
			said += ": " + body
		}
		entries = append(entries, console.Entry{
			Name: "attempt", Label: "tried " + at(a.Time), Text: said,
		})
	}
	if d.NextAttemptAt != nil {
		entries = append(entries, console.Entry{
			Name: "next_attempt_at", Label: "next attempt", Text: at(*d.NextAttemptAt),
		})
	}
	payload := slices.Clone(d.Payload)
	if err := payload.Indent(); r.Width() > 0 && err != nil {
		return fmt.Errorf("payload: %w", err)
	}
	if r.Width() == 0 {
		payload = d.Payload
	}
	return r.PrintEntries(append(entries, console.Entry{
		Name: "payload", Label: "payload", Text: string(payload),
	})...)
}

type webhookRetryCommand struct {
	webhookFlags `embed:""`

	Delivery string `arg:"" help:"The ID of the delivery."`
}

// Help implements kong.HelpProvider.
func (*webhookRetryCommand) Help() string {
	return "It has the same webhook-id as before, by which a receiver knows it."
}

// Run sends the delivery again.
func (c *webhookRetryCommand) Run(ctx context.Context, r *remote) error {
	hook, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	d, err := r.RetryDelivery(ctx, hook.ID, c.Delivery)
	return c.answer(r, err, c.Delivery, d, func() error {
		_, err := fmt.Fprintln(r.Out, "Sending again", console.Printable(d.ID))
		return err
	})
}

// explained says what may be wrong with a URL that the server refuses. The server itself does not:
// its message would tell which names there are in its network.
func explained(err error) error {
	answer, ok := errors.AsType[*api.Error](err)
	if !ok || answer.Message != "webhook address is not allowed" {
		return err
	}
	said := *answer
	said.Message += ": its host has no address, or one of a network that the server's " +
		"WEBHOOK_ALLOWED_NETWORKS does not name"
	return &said
}
