package hookstore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"terse"
	"terse/internal/link/follow"
)

// maxReported bounds the events that a transaction of Report reads. Each may go to the webhooks of
// its owner and to those of all admins, with a payload of up to terse.MaxEventPayload.
const maxReported = 32

// Pending reports whether Report has anything to do.
func Pending(tx Tx) (bool, error) {
	n, err := number(tx, "SELECT 1 FROM outbox LIMIT 1")
	return n > 0, err
}

// outboxRow is a row of the outbox.
type outboxRow struct {
	id, at              int64
	kind, before, after string
}

// Report makes deliveries of some events, and takes them out of the outbox. An event whose payload
// can't be written is dropped, so that it does not hold up all others: lost says which.
func Report(tx Tx, payloads terse.Payloads, now time.Time) (more bool, lost, err error) {
	r := &reporter{Tx: tx, payloads: payloads, now: now, waiting: map[string]int64{}}
	rows, err := r.takeOut()
	if err != nil {
		return false, nil, err
	}
	events := make([]terse.LinkEvent, 0, len(rows))
	for _, row := range rows {
		e, err := follow.DecodeEvent(row.kind, row.at, row.before, row.after)
		if err != nil {
			lost = errors.Join(lost, fmt.Errorf("event %d: %w", row.id, err))
			continue
		}
		events = append(events, e)
	}
	if r.hooks, err = hooksFor(tx, events); err != nil {
		return false, nil, err
	}
	for _, e := range events {
		dropped, err := r.report(e)
		if err != nil {
			return false, nil, err
		}
		lost = errors.Join(lost, dropped)
	}
	return len(rows) == maxReported, lost, nil
}

// reporting is a webhook that reports what happens from a time on, while it is active. What
// happened until it stopped before has failed.
type reporting struct {
	terse.Webhook
	since, stopped time.Time
	active         bool
}

// reporter is a transaction of Report.
type reporter struct {
	Tx
	payloads terse.Payloads
	now      time.Time
	hooks    []reporting
	waiting  map[string]int64 // deliveries of webhooks, as far as they were counted
}

// takeOut deletes the oldest rows of the outbox and returns them in order.
func (r *reporter) takeOut() (rows []outboxRow, err error) {
	err = r.Each("DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT $1) "+
		"RETURNING id, at, type, before, after", func(row Row) error {
		rows = append(rows, outboxRow{
			row.Int(0), row.Int(1), row.Text(2), row.Text(3), row.Text(4),
		})
		return nil
	}, int64(maxReported))
	slices.SortFunc(rows, func(a, b outboxRow) int { return cmp.Compare(a.id, b.id) })
	return rows, err
}

// hooksFor returns the webhooks that may report events, and locks them: who disables one waits
// until its deliveries are there. Those that stopped after an event are among them.
func hooksFor(tx Tx, events []terse.LinkEvent) (all []reporting, err error) {
	if len(events) == 0 {
		return nil, nil
	}
	owners, first := []string{terse.AllOwners}, events[0].Time
	for i := range events {
		e := &events[i]
		if e.Time.Before(first) {
			first = e.Time
		}
		owners = append(owners, e.After.CreatedBy)
		if e.Type != terse.EventCreated {
			owners = append(owners, e.Before.CreatedBy)
		}
	}
	slices.Sort(owners)
	for _, owner := range slices.Compact(owners) {
		err := tx.Each("SELECT "+hookColumns+", w.since, w.stopped_at, "+
			"CASE WHEN w.disabled = '' AND NOT u.disabled AND "+goesOn+" THEN 1 ELSE 0 END "+
			"FROM webhooks AS w JOIN users AS u ON u.identity = w.created_by WHERE w.owner = $1 "+
			"AND (w.disabled = '' AND NOT u.disabled OR w.stopped_at >= $2) ORDER BY w.id"+
			tx.Lock("w"), func(row Row) error {
			w, err := scanHook(row)
			all = append(all, reporting{
				w, timeAt(row.Int(numHookColumns)), timeAt(row.Int(numHookColumns + 1)),
				row.Int(numHookColumns+2) != 0,
			})
			return err
		}, owner, first.UnixMicro())
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// report makes the deliveries of an event. dropped is why it has none.
func (r *reporter) report(e terse.LinkEvent) (dropped, err error) {
	tags := tagsOf(&e)
	var payload []byte
	for i := range r.hooks {
		w := &r.hooks[i]
		status := w.statusOf(&e)
		if status == "" || !reports(w, &e, tags) {
			continue
		}
		if payload == nil {
			if payload, err = r.payloads.OfLink(e); err != nil {
				return fmt.Errorf("payload of %s %v: %w", e.Type, e.After.Code, err), nil
			}
		}
		d := terse.Delivery{
			ID: terse.NewDeliveryID(), Webhook: w.ID, Link: e.After.ID, Type: e.Type,
			Status: status, Payload: payload,
		}
		if status == terse.Failed {
			r.Lost(1)
			err = insert(r, d, r.now)
		} else {
			err = r.deliver(&w.Webhook, d)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// statusOf returns the status of an event's delivery, "" if it gets none.
func (w *reporting) statusOf(e *terse.LinkEvent) terse.DeliveryStatus {
	active, stopped := w.active, w.stopped
	if active && w.Disabled != "" { // in this transaction
		active, stopped = false, w.DisabledAt
	}
	switch {
	case active && !e.Time.Before(w.since):
		return terse.Waiting
	case !e.Time.Before(w.CreatedAt) && !e.Time.After(stopped):
		return terse.Failed
	}
	return ""
}

// tagsOf returns the folded tags of a link before or after a change.
func tagsOf(e *terse.LinkEvent) (folded []string) {
	for _, link := range []*terse.Link{&e.Before, &e.After} {
		if o, err := link.Options.Decode(); err == nil {
			for _, tag := range o.Tags {
				folded = append(folded, terse.FoldTag(tag))
			}
		}
	}
	return folded
}

// reports reports whether a webhook reports such an event.
func reports(w *reporting, e *terse.LinkEvent, folded []string) bool {
	if !slices.Contains(w.Events, e.Type) {
		return false
	}
	if w.Owner != terse.AllOwners && w.Owner != e.After.CreatedBy &&
		(e.Type == terse.EventCreated || w.Owner != e.Before.CreatedBy) {
		return false
	}
	return len(w.Tags) == 0 || slices.ContainsFunc(w.Tags, func(tag string) bool {
		return slices.Contains(folded, terse.FoldTag(tag))
	})
}

// deliver stores a delivery of a webhook whose row is locked, and disables it if too many wait.
func (r *reporter) deliver(w *terse.Webhook, d terse.Delivery) error {
	d.Status = terse.Waiting
	waiting, known := r.waiting[w.ID]
	if !known {
		var err error
		if waiting, err = countWaiting(r, w.ID); err != nil {
			return err
		}
	}
	r.waiting[w.ID] = waiting + 1
	if err := insert(r, d, r.now); err != nil {
		return err
	}
	if waiting+1 < terse.MaxWaiting {
		return nil
	}
	return disable(r, w, terse.DisabledByBacklog, r.now)
}

func countWaiting(tx Tx, webhook string) (int64, error) {
	return number(tx, "SELECT count(*) FROM deliveries WHERE webhook = $1 AND status = 'waiting'",
		webhook)
}

// insert stores a delivery that has failed, or that is due at once, or when those of its link
// before it are finished.
func insert(tx Tx, d terse.Delivery, now time.Time) error {
	behind, finished := int64(0), now.UnixMicro()
	if d.Status == terse.Waiting {
		before, _, err := first(tx, d.Webhook, d.Link)
		if err != nil {
			return err
		}
		behind, finished = min(before, 1), 0
	}
	_, err := tx.Run("INSERT INTO deliveries (id, webhook, link_id, type, created_at, status, "+
		"next_at, behind, finished_at, attempts, bytes, payload) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $5, $7, $8, '', $9, $10)",
		d.ID, d.Webhook, int64(d.Link), string(d.Type), now.UnixMicro(), string(d.Status), behind,
		finished, int64(len(d.Payload)), blob(d.Payload))
	return err
}

// Add stores a delivery of an event that is of no link.
func Add(tx Tx, d terse.Delivery, now time.Time) error {
	w, err := lockHook(tx, d.Webhook)
	if err != nil {
		return err
	}
	if w.Disabled != "" {
		return terse.ErrWebhookDisabled
	}
	made, err := number(tx, "SELECT 1 FROM deliveries WHERE id = $1", d.ID)
	if err != nil || made > 0 { // by a try whose answer was lost
		return err
	}
	r := &reporter{Tx: tx, now: now, waiting: map[string]int64{}}
	d.Link = 0
	return r.deliver(&w, d)
}
