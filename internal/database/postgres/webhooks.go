package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/hookstore"
	"terse/internal/database/postgres/links"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// Advisory locks: one transaction reports at a time, and one takes deliveries.
const (
	reportLock int64 = 0x7465727365_04
	takeLock   int64 = 0x7465727365_05
)

// hookTx is a hookstore.Tx.
type hookTx struct {
	ctx     context.Context
	tx      pgx.Tx
	changes *links.Changes // nil while only reading
	heard   bool           // other events may be heard
	lost    int64          // deliveries that have failed without an attempt
}

// Run implements hookstore.Tx.
func (t *hookTx) Run(sql string, args ...any) (int64, error) {
	done, err := t.tx.Exec(t.ctx, sql, args...)
	return done.RowsAffected(), err
}

// Each implements hookstore.Tx.
func (t *hookTx) Each(sql string, f func(hookstore.Row) error, args ...any) error {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = nameOf(text)
		}
	}
	rows, _ := t.tx.Query(t.ctx, sql, args...)
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		if err := f(hookRow(values)); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Note implements hookstore.Tx.
func (t *hookTx) Note(by terse.Caller, what terse.Noted) error { return t.changes.Note(by, what) }

// Heard implements hookstore.Tx.
func (t *hookTx) Heard() { t.heard = true }

// Lost implements hookstore.Tx.
func (t *hookTx) Lost(deliveries int64) { t.lost += deliveries }

// Lock implements hookstore.Tx.
func (*hookTx) Lock(table string) string { return " FOR UPDATE OF " + table }

// lock takes one of the advisory locks.
func (t *hookTx) lock(key int64) error {
	_, err := t.tx.Exec(t.ctx, "SELECT pg_advisory_xact_lock($1)", key)
	return err
}

// hookRow is a hookstore.Row.
type hookRow []any

func (r hookRow) Int(column int) int64 {
	if n, ok := r[column].(int32); ok { // of a constant
		return int64(n)
	}
	n, _ := r[column].(int64)
	return n
}

func (r hookRow) Text(column int) string {
	text, _ := r[column].(string)
	return text
}

func (r hookRow) Bytes(column int) []byte {
	b, _ := r[column].([]byte)
	return b
}

// changeHooks runs f in a transaction, again if its outcome is unknown.
func (s *Store) changeHooks(ctx context.Context, f func(*hookTx, time.Time) error) error {
	now, heard, lost := time.Now(), false, int64(0)
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		t := &hookTx{ctx: ctx, tx: tx, changes: c}
		err := f(t, now)
		// If an earlier try has made some fail, this one finds none.
		heard, lost = heard || t.heard, max(lost, t.lost)
		return err
	})
	if err == nil {
		s.lost.Add(lost)
	}
	if heard {
		err = errors.Join(err, s.learnHeard(ctx))
	}
	return err
}

// readHooks runs f with a snapshot.
func (s *Store) readHooks(ctx context.Context, f func(*hookTx) error) error {
	return s.snapshot(ctx, func(tx pgx.Tx) error { return f(&hookTx{ctx: ctx, tx: tx}) })
}

// learnHeard finds out which events webhooks report. Other nodes learn of a change when they report
// next.
func (s *Store) learnHeard(ctx context.Context) error {
	err := s.readHooks(ctx, func(tx *hookTx) error {
		heard, err := hookstore.Heard(tx)
		s.heard.Store(uint32(heard))
		return err
	})
	if err != nil {
		return fmt.Errorf("look for webhooks: %w", err)
	}
	return nil
}

// hears returns a rule with the events that webhooks report, as far as this node knows.
func (s *Store) hears(rule follow.Rule) follow.Rule {
	return follow.Hearing(rule, func() follow.Events { return follow.Events(s.heard.Load()) })
}

// CreateWebhook stores a webhook.
func (s *Store) CreateWebhook(ctx context.Context, by terse.Caller, asked terse.Webhook) (
	made terse.Webhook, err error,
) {
	err = s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
		made, err = hookstore.Create(tx, by, asked, now)
		return err
	})
	return made, wrap(err, "create a webhook")
}

// Webhooks returns the webhooks that an identity made, or all.
func (s *Store) Webhooks(ctx context.Context, createdBy string) (
	all []terse.Webhook, err error,
) {
	err = s.readHooks(ctx, func(tx *hookTx) error {
		all, err = hookstore.Hooks(tx, createdBy)
		return err
	})
	return all, wrap(err, "list webhooks of %q", createdBy)
}

// Webhook returns a webhook.
func (s *Store) Webhook(ctx context.Context, id string) (found terse.Webhook, err error) {
	err = s.readHooks(ctx, func(tx *hookTx) error {
		found, err = hookstore.Hook(tx, id)
		return err
	})
	return found, wrap(err, "read webhook %q", id)
}

// UpdateWebhook changes a webhook.
func (s *Store) UpdateWebhook(ctx context.Context, by terse.Caller, asked terse.Webhook) (
	after terse.Webhook, err error,
) {
	err = s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
		after, err = hookstore.Update(tx, by, asked, now)
		return err
	})
	return after, wrap(err, "update webhook %q", asked.ID)
}

// DeleteWebhook deletes a webhook. If the outcome of a try that deletes the webhook is unknown, and
// the next try finds none, the first try has deleted it.
func (s *Store) DeleteWebhook(ctx context.Context, by terse.Caller, id string) error {
	tried := false // a try has deleted the webhook
	err := s.changeHooks(ctx, func(tx *hookTx, _ time.Time) error {
		err := hookstore.Delete(tx, by, id)
		if tried && errors.Is(err, terse.ErrWebhookNotFound) {
			return nil
		}
		tried = tried || err == nil
		return err
	})
	return wrap(err, "delete webhook %q", id)
}

// AddDelivery stores a delivery of an event that is of no link.
func (s *Store) AddDelivery(ctx context.Context, d terse.Delivery) error {
	err := s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
		return hookstore.Add(tx, d, now)
	})
	return wrap(err, "add delivery %s", d.ID)
}

// Report makes deliveries of events, unless another node does so now.
func (s *Store) Report(ctx context.Context, payloads terse.Payloads) (more bool, err error) {
	var events, clicks bool
	err = s.readHooks(ctx, func(tx *hookTx) error {
		heard, err := hookstore.Heard(tx)
		if err == nil {
			s.heard.Store(uint32(heard))
			events, err = hookstore.Pending(tx)
		}
		if err == nil {
			clicks, err = hookstore.PendingClicks(tx)
		}
		return err
	})
	var lost, unwritten error
	moreClicks := false
	if err == nil && events {
		err = s.reportAlone(ctx, func(tx *hookTx, now time.Time) (err error) {
			more, lost, err = hookstore.Report(tx, payloads, now)
			return err
		})
	}
	if err == nil && clicks {
		err = s.reportAlone(ctx, func(tx *hookTx, now time.Time) (err error) {
			moreClicks, unwritten, err = hookstore.ReportClicks(tx, hookLinks{ctx, tx.tx},
				payloads, now)
			return err
		})
	}
	err = errors.Join(err, lost, unwritten)
	return more || moreClicks, wrap(err, "report events")
}

// reportAlone runs f in a transaction, unless another node reports now.
func (s *Store) reportAlone(ctx context.Context, f func(*hookTx, time.Time) error) error {
	return s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
		var alone bool
		err := tx.tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", reportLock).Scan(&alone)
		if err == nil && alone {
			err = f(tx, now)
		}
		return err
	})
}

// hookLinks are hookstore.Links.
type hookLinks struct {
	ctx context.Context
	tx  pgx.Tx
}

// Tagged implements hookstore.Links.
func (l hookLinks) Tagged(owner string, tags []string) (all linkset.Set, err error) {
	for _, tag := range tags {
		some, err := links.Set(l.ctx, l.tx, owner, follow.TagSet(tag))
		if err != nil {
			return nil, err
		}
		all = all.Or(some)
	}
	return all, nil
}

// Exist implements hookstore.Links.
func (l hookLinks) Exist(ids []terse.LinkID) ([]terse.LinkRef, error) {
	return exist(l.ctx, l.tx, terse.AllOwners, ids)
}

// TakeDeliveries takes deliveries that are due.
func (s *Store) TakeDeliveries(ctx context.Context, room terse.Room, until time.Time) (
	taken []terse.Delivery, to map[string]terse.Webhook, err error,
) {
	due := false
	err = s.readHooks(ctx, func(tx *hookTx) error {
		due, err = hookstore.Due(tx, time.Now())
		return err
	})
	if err == nil && due {
		err = s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
			if err := tx.lock(takeLock); err != nil {
				return err
			}
			taken, to, err = hookstore.Take(tx, room, now, until)
			return err
		})
	}
	if err != nil {
		return nil, nil, wrap(err, "take deliveries")
	}
	return taken, to, nil
}

// FinishDelivery stores what follows from an attempt.
func (s *Store) FinishDelivery(
	ctx context.Context, d terse.Delivery, outcome terse.Outcome,
) (kept bool, err error) {
	err = s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
		kept, err = hookstore.Finish(tx, d, outcome, now)
		return err
	})
	return kept, wrap(err, "finish delivery %s", d.ID)
}

// LostDeliveries returns how many deliveries this store has made fail without an attempt.
func (s *Store) LostDeliveries() int64 { return s.lost.Load() }

// Deliveries returns a page of deliveries.
func (s *Store) Deliveries(ctx context.Context, q terse.DeliveryQuery) (
	page []terse.Delivery, err error,
) {
	err = s.readHooks(ctx, func(tx *hookTx) error {
		page, err = hookstore.Deliveries(tx, q)
		return err
	})
	return page, wrap(err, "list deliveries of webhook %q", q.Webhook)
}

// Delivery returns a delivery with its payload.
func (s *Store) Delivery(ctx context.Context, webhook, id string) (
	found terse.Delivery, err error,
) {
	err = s.readHooks(ctx, func(tx *hookTx) error {
		found, err = hookstore.Delivery(tx, webhook, id)
		return err
	})
	return found, wrap(err, "read delivery %q", id)
}

// RetryDelivery makes a delivery due again.
func (s *Store) RetryDelivery(ctx context.Context, _ terse.Caller, webhook, id string) error {
	err := s.changeHooks(ctx, func(tx *hookTx, now time.Time) error {
		return hookstore.Retry(tx, webhook, id, now)
	})
	return wrap(err, "retry delivery %q", id)
}

// DropDeliveries deletes finished deliveries beyond their bounds.
func (s *Store) DropDeliveries(ctx context.Context) error {
	for more := true; more; {
		err := s.changeHooks(ctx, func(tx *hookTx, now time.Time) (err error) {
			more, err = hookstore.Drop(tx, now)
			return err
		})
		if err != nil {
			return wrap(err, "drop deliveries")
		}
	}
	return nil
}

// Backlog returns how many deliveries wait, and since when.
func (s *Store) Backlog(ctx context.Context) (waiting int64, oldest time.Time, err error) {
	err = s.readHooks(ctx, func(tx *hookTx) error {
		waiting, oldest, err = hookstore.Backlog(tx)
		return err
	})
	return waiting, oldest, wrap(err, "count waiting deliveries")
}
