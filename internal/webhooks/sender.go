package webhooks

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"terse"
)

const (
	// maxAtOnce bounds the deliveries of this node that are sent at a time. So that receivers that
	// hang leave room for others, maxPerMaker bounds those of all webhooks that an identity made,
	// and maxPerWebhook those of one.
	maxAtOnce     = 64
	maxPerMaker   = 32
	maxPerWebhook = 4
	// maxBytes bounds the payloads in memory. They are taken only while there is room for as many
	// of the longest ones; nearly all are a thousandth of that.
	maxBytes = 16 * terse.MaxPayload

	// pollInterval is how often the store is asked for what is due, and for what happened without
	// a word to this node: at other nodes, or by the clock.
	pollInterval = time.Second
	// nudgePause keeps many changes from becoming as many transactions.
	nudgePause = 100 * time.Millisecond
	// watchInterval is how often the figures that operators see are read.
	watchInterval = 5 * time.Second
	// dropInterval is how often finished deliveries beyond their bounds are deleted.
	dropInterval = time.Minute
)

// Options are a Sender's parts. All are required unless their comment says otherwise.
type Options struct {
	Store    terse.Webhooks
	Payloads terse.Payloads
	Guard    *Guard
	// Refuse says why nothing may be sent to a webhook now, "" if something may: who made it may
	// have lost the right to know. It is asked before each attempt.
	Refuse func(context.Context, *terse.Webhook) (why string, err error)
	// Timeout bounds how long the store is waited for.
	Timeout   time.Duration
	UserAgent string // for example "terse/1.2.0"
	Logger    *slog.Logger

	// Tests trust a certificate of their own and shorten attemptTimeout; nil and 0: they don't.
	roots   *x509.CertPool
	timeout time.Duration
}

// Sender sends deliveries. Its methods may be called concurrently.
type Sender struct {
	opts   Options
	client *client
	// nudged and due hold one signal: events were appended, and a delivery may be due.
	nudged, due chan struct{}

	// attempts ends when attempts in progress must not go on.
	attempts context.Context
	abandon  context.CancelFunc
	sending  sync.WaitGroup

	mu    sync.Mutex // guards what follows
	count int        // of deliveries being sent
	bytes int        // of their payloads

	delivered, failed, retried atomic.Int64
	watched                    atomic.Pointer[Stats]
}

// Stats are figures about webhooks.
type Stats struct {
	// Delivered, Failed and Retried are attempts of this process by what followed: the delivery
	// arrived, has failed, or waits for another attempt. Failed are also those that this process
	// gave up without an attempt, because their webhook or who made it was disabled.
	Delivered, Failed, Retried int64
	// Waiting deliveries, of all nodes, and since when the oldest one waits; zero: none does. They
	// are a few seconds old.
	Waiting int64
	Oldest  time.Time
	// Disabled are the webhooks that failures disabled within the last day.
	Disabled []terse.Webhook
}

// New returns a sender, which sends while it runs.
func New(opts Options) *Sender {
	s := &Sender{
		opts: opts, client: newClient(opts.Guard, opts.UserAgent, opts.roots),
		nudged: make(chan struct{}, 1), due: make(chan struct{}, 1),
	}
	if opts.timeout > 0 {
		s.client.timeout = opts.timeout
	}
	s.attempts, s.abandon = context.WithCancel(context.Background())
	s.watched.Store(&Stats{})
	return s
}

// Nudge says that this node has changed a link, whose event may be sent at once, or has made a
// delivery due. It does not wait.
func (s *Sender) Nudge() { signal(s.nudged) }

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // there is one already
	}
}

// Run sends until ctx ends. Attempts in progress go on: see Finish.
func (s *Sender) Run(ctx context.Context) error {
	var rest sync.WaitGroup
	rest.Go(func() { s.report(ctx) })
	rest.Go(func() { s.every(ctx, dropInterval, "old ones stay", s.opts.Store.DropDeliveries) })
	rest.Go(func() { s.every(ctx, watchInterval, "the backlog is unknown", s.watch) })
	s.send(ctx)
	rest.Wait()
	return nil
}

// Finish waits for the attempts in progress, which run on after Run, and breaks off those that
// last longer than ctx. These deliveries are sent again, when nobody else is to have them any
// more.
func (s *Sender) Finish(ctx context.Context) {
	ended := make(chan struct{})
	go func() { s.sending.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	s.abandon()
	<-ended
	s.client.close()
}

// every calls f now and at each interval. It logs the first error of several in a row.
func (s *Sender) every(
	ctx context.Context, interval time.Duration, failed string, f func(context.Context) error,
) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	failing := false
	for {
		s.try(ctx, &failing, failed, f)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// try calls f, which asks the store. It logs an error unless the call before failed, too.
func (s *Sender) try(
	ctx context.Context, failing *bool, message string, f func(context.Context) error,
) (ok bool) {
	asking, cancel := context.WithTimeout(ctx, s.opts.Timeout)
	defer cancel()
	err := f(asking)
	if err != nil && ctx.Err() == nil && !*failing {
		s.opts.Logger.Warn("the store fails webhooks for now", "what", message, "error", err)
	}
	*failing = err != nil
	return err == nil
}

// report has deliveries made of what happened.
func (s *Sender) report(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	failing := false
	for {
		for more := true; more && ctx.Err() == nil; {
			more = false
			s.try(ctx, &failing, "nothing new is sent", func(ctx context.Context) (err error) {
				more, err = s.opts.Store.Report(ctx, s.opts.Payloads)
				return err
			})
			signal(s.due)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(nudgePause):
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.nudged:
		}
	}
}

// send takes deliveries that are due, whenever there is room for some.
func (s *Sender) send(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	failing := false
	for ctx.Err() == nil {
		room, taken := s.room(), 0
		if room > 0 {
			s.try(ctx, &failing, "nothing is sent", func(ctx context.Context) (err error) {
				taken, err = s.take(ctx, room)
				return err
			})
		}
		if taken > 0 && taken == room {
			continue // there may be more
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-s.due:
		}
	}
}

// room returns how many more deliveries may be sent, of whatever length.
func (s *Sender) room() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return min(maxAtOnce-s.count, (maxBytes-s.bytes)/terse.MaxPayload)
}

// take takes deliveries and sends them. Nobody else has them for as long as it may take to get, to
// try and to finish them.
func (s *Sender) take(ctx context.Context, room int) (taken int, err error) {
	until := time.Now().Add(s.client.timeout + 2*s.opts.Timeout)
	deliveries, hooks, err := s.opts.Store.TakeDeliveries(ctx, terse.Room{
		All: room, Maker: maxPerMaker, Webhook: maxPerWebhook,
	}, until)
	if err != nil {
		return 0, err
	}
	for i := range deliveries {
		d, hook := deliveries[i], hooks[deliveries[i].Webhook]
		s.mu.Lock()
		s.count++
		s.bytes += len(d.Payload)
		s.mu.Unlock()
		s.sending.Go(func() {
			length := len(d.Payload)
			s.deliver(&d, &hook, until)
			s.mu.Lock()
			s.count--
			s.bytes -= length
			s.mu.Unlock()
			signal(s.due)
		})
	}
	return len(deliveries), nil
}

// deliver tries a delivery once, and stores what follows while nobody else has it.
func (s *Sender) deliver(d *terse.Delivery, hook *terse.Webhook, until time.Time) {
	a, retryAfter := s.attempt(d, hook)
	d.Payload = nil
	if s.attempts.Err() != nil && a.Status == 0 {
		return // broken off by us, which says nothing about the receiver
	}
	o := outcomeOf(d, a, retryAfter, time.Now())
	ctx, cancel := context.WithDeadline(s.attempts, until)
	defer cancel()
	kept := false
	finish := func(ctx context.Context) (err error) {
		kept, err = s.opts.Store.FinishDelivery(ctx, *d, o)
		return err
	}
	failing := false
	for !s.try(ctx, &failing, "what became of a delivery is not stored", finish) {
		select {
		case <-ctx.Done():
			s.opts.Logger.Warn("a delivery may be sent once more: what became of it is not stored",
				"webhook", hook.ID, "delivery", d.ID)
			return
		case <-time.After(pollInterval):
		}
	}
	if kept {
		s.tell(d, hook, &o)
	}
}

// attempt tries a delivery, unless nothing may be sent to its webhook. That counts as a failed
// attempt: a maker who gets the right back before the last one loses nothing.
func (s *Sender) attempt(d *terse.Delivery, hook *terse.Webhook) (terse.Attempt, time.Duration) {
	ctx, cancel := context.WithTimeout(s.attempts, s.opts.Timeout)
	why, err := s.opts.Refuse(ctx, hook)
	cancel()
	if err != nil {
		s.opts.Logger.Warn("who made a webhook is unknown for now", "webhook", hook.ID,
			"error", err)
		why = "nothing was sent: who made the webhook could not be looked up"
	}
	if why != "" {
		return terse.Attempt{Time: time.Now(), Error: why}, 0
	}
	return s.client.attempt(s.attempts, d, hook)
}

// tell counts an attempt, and logs what an operator may want to know of it.
func (s *Sender) tell(d *terse.Delivery, hook *terse.Webhook, o *terse.Outcome) {
	about := []any{
		"webhook", hook.ID, "host", hostOf(hook.URL), "delivery", d.ID, "type", string(d.Type),
		"status", o.Attempt.Status, "error", o.Attempt.Error,
	}
	log := s.opts.Logger
	switch {
	case o.Status == terse.Delivered:
		s.delivered.Add(1)
		log.Debug("delivered", about...)
	case o.Status == terse.Waiting:
		s.retried.Add(1)
		about = append(about, "next", o.NextAt)
		if hook.FailingSince.IsZero() {
			log.Warn("a webhook began to fail; its deliveries are tried again for a day", about...)
		} else {
			log.Debug("an attempt failed", about...)
		}
	default:
		s.failed.Add(1)
		log.Warn("a delivery has failed", about...)
	}
}

// hostOf returns the host of a URL, whose path and query may be secret.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Host
}

// recently is how long a webhook that was disabled is shown to operators.
const recently = 24 * time.Hour

// watch reads the figures that operators see, and logs which webhooks failures have disabled.
func (s *Sender) watch(ctx context.Context) error {
	var (
		now  Stats
		err  error
		last = s.watched.Load()
	)
	if now.Waiting, now.Oldest, err = s.opts.Store.Backlog(ctx); err != nil {
		return err
	}
	all, err := s.opts.Store.Webhooks(ctx, terse.AllOwners)
	if err != nil {
		return err
	}
	for _, hook := range all {
		if hook.Disabled == "" || hook.Disabled == terse.DisabledByUser ||
			time.Since(hook.DisabledAt) > recently {
			continue
		}
		now.Disabled = append(now.Disabled, hook)
		if !last.has(&hook) {
			s.opts.Logger.Warn("a webhook was disabled: its waiting deliveries have failed, and "+
				"events are not sent until somebody enables it", "webhook", hook.ID,
				"host", hostOf(hook.URL), "reason", string(hook.Disabled),
				"since", hook.DisabledAt)
		}
	}
	s.watched.Store(&now)
	return nil
}

// has reports whether a webhook is among the disabled ones since the same time.
func (s *Stats) has(hook *terse.Webhook) bool {
	for i := range s.Disabled {
		if s.Disabled[i].ID == hook.ID && s.Disabled[i].DisabledAt.Equal(hook.DisabledAt) {
			return true
		}
	}
	return false
}

// Stats returns figures.
func (s *Sender) Stats() Stats {
	stats := *s.watched.Load()
	stats.Delivered, stats.Retried = s.delivered.Load(), s.retried.Load()
	stats.Failed = s.failed.Load() + s.opts.Store.LostDeliveries()
	return stats
}
