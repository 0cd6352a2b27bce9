package sqlite

import (
	"context"
	"errors"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/hookstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// hookTx is a hookstore.Tx.
type hookTx struct {
	conn *sqlite.Conn
	// Of a transaction that writes.
	writer  *writer
	changes *record.Changes
	lost    *int64
}

// Run implements hookstore.Tx.
func (t hookTx) Run(sql string, args ...any) (int64, error) {
	err := t.Each(sql, nil, args...)
	return int64(t.conn.Changes()), err
}

// Each implements hookstore.Tx.
func (t hookTx) Each(sql string, f func(hookstore.Row) error, args ...any) error {
	return query.Each(t.conn, strings.ReplaceAll(sql, "$", "?"), func(row *sqlite.Stmt) error {
		if f == nil {
			return nil
		}
		return f(hookRow{row})
	}, args...)
}

// Note implements hookstore.Tx.
func (t hookTx) Note(by terse.Caller, what terse.Noted) error {
	return t.changes.Note(by, what)
}

// Heard implements hookstore.Tx.
func (t hookTx) Heard() { t.writer.heardKnown = false }

// Lost implements hookstore.Tx.
func (t hookTx) Lost(deliveries int64) { *t.lost += deliveries }

// Lock implements hookstore.Tx: there is one writer.
func (hookTx) Lock(string) string { return "" }

// hookRow is a hookstore.Row.
type hookRow struct{ *sqlite.Stmt }

func (r hookRow) Int(column int) int64    { return r.ColumnInt64(column) }
func (r hookRow) Text(column int) string  { return r.ColumnText(column) }
func (r hookRow) Bytes(column int) []byte { return query.Bytes(r.Stmt, column, nil) }

// learnHeard finds out which events webhooks report, unless that is known.
func (w *writer) learnHeard() (err error) {
	if !w.heardKnown {
		w.heard, err = hookstore.Heard(hookTx{conn: w.conn})
		w.heardKnown = err == nil
	}
	return err
}

// changeHooks runs f, which may change webhooks, in a transaction of its own.
func (s *Store) changeHooks(ctx context.Context, f func(hookTx, time.Time) error) error {
	lost := int64(0)
	err := s.writeAlone(ctx, func(w *writer) error {
		return w.change(func(c *record.Changes) error {
			return f(hookTx{w.conn, w, c, &lost}, c.Now)
		})
	})
	if err == nil {
		s.lost.Add(lost)
	}
	return err
}

// untake has deliveries be due that the process before had taken. It may fail: then they are when
// their time is over.
func (w *writer) untake(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	err := w.transact(ctx, func() error { return hookstore.Untake(hookTx{conn: w.conn}) })
	if err != nil {
		w.log.Warn("deliveries to webhooks that were under way are sent later", "error", err)
	}
}

// readHooks runs f with a snapshot.
func (s *Store) readHooks(ctx context.Context, f func(hookstore.Tx) error) error {
	return s.snapshot(ctx, func(conn *sqlite.Conn) error { return f(hookTx{conn: conn}) })
}

// CreateWebhook stores a webhook.
func (s *Store) CreateWebhook(ctx context.Context, by terse.Caller, asked terse.Webhook) (
	made terse.Webhook, err error,
) {
	err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
		made, err = hookstore.Create(tx, by, asked, now)
		return err
	})
	return made, translate(ctx, err, "create a webhook")
}

// Webhooks returns the webhooks that an identity made, or all.
func (s *Store) Webhooks(ctx context.Context, createdBy string) (
	all []terse.Webhook, err error,
) {
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		all, err = hookstore.Hooks(tx, createdBy)
		return err
	})
	return all, translate(ctx, err, "list webhooks of %q", createdBy)
}

// Webhook returns a webhook.
func (s *Store) Webhook(ctx context.Context, id string) (found terse.Webhook, err error) {
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		found, err = hookstore.Hook(tx, id)
		return err
	})
	return found, translate(ctx, err, "read webhook %q", id)
}

// UpdateWebhook changes a webhook.
func (s *Store) UpdateWebhook(ctx context.Context, by terse.Caller, asked terse.Webhook) (
	after terse.Webhook, err error,
) {
	err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
		after, err = hookstore.Update(tx, by, asked, now)
		return err
	})
	return after, translate(ctx, err, "update webhook %q", asked.ID)
}

// DeleteWebhook deletes a webhook. A trigger deletes its deliveries.
func (s *Store) DeleteWebhook(ctx context.Context, by terse.Caller, id string) error {
	err := s.changeHooks(ctx, func(tx hookTx, _ time.Time) error {
		return hookstore.Delete(tx, by, id)
	})
	return translate(ctx, err, "delete webhook %q", id)
}

// AddDelivery stores a delivery of an event that is of no link.
func (s *Store) AddDelivery(ctx context.Context, d terse.Delivery) error {
	err := s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
		return hookstore.Add(tx, d, now)
	})
	return translate(ctx, err, "add delivery %s", d.ID)
}

// Report makes deliveries of events. It does not take the writer if there are none.
func (s *Store) Report(ctx context.Context, payloads terse.Payloads) (more bool, err error) {
	var events, clicks bool
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		if events, err = hookstore.Pending(tx); err == nil {
			clicks, err = hookstore.PendingClicks(tx)
		}
		return err
	})
	var lost, unwritten error
	moreClicks := false
	if err == nil && events {
		err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
			more, lost, err = hookstore.Report(tx, payloads, now)
			return err
		})
	}
	if err == nil && clicks {
		err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
			moreClicks, unwritten, err = hookstore.ReportClicks(tx, hookLinks{tx.conn}, payloads,
				now)
			return err
		})
	}
	err = errors.Join(err, lost, unwritten)
	return more || moreClicks, translate(ctx, err, "report events")
}

// hookLinks are hookstore.Links.
type hookLinks struct{ conn *sqlite.Conn }

// Tagged implements hookstore.Links.
func (l hookLinks) Tagged(owner string, tags []string) (all linkset.Set, err error) {
	for _, tag := range tags {
		some, err := record.Set(l.conn, owner, follow.TagSet(tag))
		if err != nil {
			return nil, err
		}
		all = all.Or(some)
	}
	return all, nil
}

// Exist implements hookstore.Links.
func (l hookLinks) Exist(ids []terse.LinkID) ([]terse.LinkRef, error) {
	return exist(l.conn, terse.AllOwners, ids)
}

// TakeDeliveries takes deliveries that are due. It does not take the writer if there are none.
func (s *Store) TakeDeliveries(ctx context.Context, room terse.Room, until time.Time) (
	taken []terse.Delivery, to map[string]terse.Webhook, err error,
) {
	due := false
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		due, err = hookstore.Due(tx, time.Now())
		return err
	})
	if err == nil && due {
		err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
			taken, to, err = hookstore.Take(tx, room, now, until)
			return err
		})
	}
	if err != nil {
		return nil, nil, translate(ctx, err, "take deliveries")
	}
	return taken, to, nil
}

// FinishDelivery stores what follows from an attempt.
func (s *Store) FinishDelivery(
	ctx context.Context, d terse.Delivery, outcome terse.Outcome,
) (kept bool, err error) {
	err = s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
		kept, err = hookstore.Finish(tx, d, outcome, now)
		return err
	})
	return kept, translate(ctx, err, "finish delivery %s", d.ID)
}

// LostDeliveries returns how many deliveries this store has made fail without an attempt.
func (s *Store) LostDeliveries() int64 { return s.lost.Load() }

// Deliveries returns a page of deliveries.
func (s *Store) Deliveries(ctx context.Context, q terse.DeliveryQuery) (
	page []terse.Delivery, err error,
) {
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		page, err = hookstore.Deliveries(tx, q)
		return err
	})
	return page, translate(ctx, err, "list deliveries of webhook %q", q.Webhook)
}

// Delivery returns a delivery with its payload.
func (s *Store) Delivery(ctx context.Context, webhook, id string) (
	found terse.Delivery, err error,
) {
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		found, err = hookstore.Delivery(tx, webhook, id)
		return err
	})
	return found, translate(ctx, err, "read delivery %q", id)
}

// RetryDelivery makes a delivery due again.
func (s *Store) RetryDelivery(ctx context.Context, _ terse.Caller, webhook, id string) error {
	err := s.changeHooks(ctx, func(tx hookTx, now time.Time) error {
		return hookstore.Retry(tx, webhook, id, now)
	})
	return translate(ctx, err, "retry delivery %q", id)
}

// DropDeliveries deletes finished deliveries beyond their bounds.
func (s *Store) DropDeliveries(ctx context.Context) error {
	for more := true; more; {
		err := s.changeHooks(ctx, func(tx hookTx, now time.Time) (err error) {
			more, err = hookstore.Drop(tx, now)
			return err
		})
		if err != nil {
			return translate(ctx, err, "drop deliveries")
		}
	}
	return nil
}

// Backlog returns how many deliveries wait, and since when.
func (s *Store) Backlog(ctx context.Context) (waiting int64, oldest time.Time, err error) {
	err = s.readHooks(ctx, func(tx hookstore.Tx) error {
		waiting, oldest, err = hookstore.Backlog(tx)
		return err
	})
	return waiting, oldest, translate(ctx, err, "count waiting deliveries")
}

// hears returns a rule with the events that webhooks report, as far as the transaction of the
// writer knows.
func (w *writer) hears(rule follow.Rule) follow.Rule {
	return follow.Hearing(rule, func() follow.Events { return w.heard })
}
