package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"terse"
	"terse/internal/httpapi"
	"terse/internal/webhooks"
)

// openWebhooks sends what happens to links to those who want to know. At the end, attempts in
// progress get a quarter of the time: what is broken off is sent again by the next start.
func (n *node) openWebhooks(context.Context) (work, error) {
	n.hookGuard = webhooks.NewGuard(n.settings.webhookNetworks)
	n.webhooks = webhooks.New(webhooks.Options{
		Store: n.store, Guard: n.hookGuard, Refuse: n.refuseWebhook,
		Timeout: n.settings.dbTimeout,
		Payloads: httpapi.NewPayloads(httpapi.Options{
			Hosts: n.domains, Blocked: n.isBlocked, Logger: n.logger,
		}),
		UserAgent: "terse/" + version, Logger: n.logger,
	})
	n.metrics.webhooks(n.webhooks.Stats)
	return work{
		run: n.webhooks.Run,
		finish: func(ctx context.Context) {
			ctx, cancel := context.WithTimeout(ctx, n.settings.shutdownTimeout/4)
			defer cancel()
			n.webhooks.Finish(ctx)
		},
		warning: func() string { return webhookWarning(n.webhooks.Stats(), time.Now()) },
	}, nil
}

// refuseWebhook says why nothing may be sent to a webhook: who made it must still be somebody who
// may come in, and for the links of all an admin. The store makes those of disabled users fail.
func (n *node) refuseWebhook(ctx context.Context, hook *terse.Webhook) (string, error) {
	if hook.CreatedBy == terse.Identity { // has the tokens of the settings
		return "", nil
	}
	user, err := n.store.User(ctx, hook.CreatedBy)
	if err != nil {
		return "", err
	}
	admission := n.settings.signIn.admission
	switch {
	case !admission.Allowed(user):
		return "nothing was sent: who made the webhook may not sign in any more", nil
	case hook.Owner == terse.AllOwners && !admission.Role(user).Allows(terse.Admin):
		return "nothing was sent: who made the webhook is no admin any more", nil
	}
	return "", nil
}

// webhooks adds the metrics of webhooks.
func (m nodeMetrics) webhooks(stats func() webhooks.Stats) {
	for result, count := range map[string]func(webhooks.Stats) int64{
		"delivered": func(s webhooks.Stats) int64 { return s.Delivered },
		"retried":   func(s webhooks.Stats) int64 { return s.Retried },
		"failed":    func(s webhooks.Stats) int64 { return s.Failed },
	} {
		m.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "terse_webhook_deliveries_total",
			Help: "Attempts of this process to send to a webhook: delivered, retried later, or " +
				"failed for good; failed are also those that it gave up because their webhook " +
				"was disabled.",
			ConstLabels: prometheus.Labels{"result": result},
		}, func() float64 { return float64(count(stats())) }))
	}
	m.gauge("terse_webhook_waiting", "Deliveries to webhooks that wait, of all nodes.",
		func() float64 { return float64(stats().Waiting) })
	m.gauge("terse_webhook_oldest_seconds", "How long the oldest of them has waited.",
		func() float64 {
			if oldest := stats().Oldest; !oldest.IsZero() {
				return time.Since(oldest).Seconds()
			}
			return 0
		})
}

// warnWaiting is how long a delivery to a webhook waits until GET /ready warns: by then five
// attempts have failed.
const warnWaiting = time.Hour

// webhookWarning returns a warning if deliveries wait for too long, or if failures have disabled
// webhooks lately.
func webhookWarning(s webhooks.Stats, now time.Time) string {
	var problems []string
	if len(s.Disabled) > 0 {
		var names []string
		for _, hook := range s.Disabled[:min(3, len(s.Disabled))] {
			names = append(names, fmt.Sprintf("%s (%s)", hook.ID, hook.Disabled))
		}
		problems = append(problems, fmt.Sprintf("%d disabled by failures within a day: %s",
			len(s.Disabled), strings.Join(names, ", ")))
	}
	if wait := now.Sub(s.Oldest); !s.Oldest.IsZero() && wait >= warnWaiting {
		problems = append(problems, fmt.Sprintf("%d deliveries wait, the oldest for %v",
			s.Waiting, wait.Truncate(time.Minute)))
	}
	if len(problems) == 0 {
		return ""
	}
	return "webhooks: " + strings.Join(problems, "; ")
}
