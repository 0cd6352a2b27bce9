package hookstore

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"terse"
	"terse/internal/link/follow"
)

// hookColumns are the columns that scanHook reads.
const hookColumns = "w.id, w.owner, w.created_by, w.url, w.description, w.events, w.tags, " +
	"w.created_at, w.version, w.secret, w.former_secret, w.former_until, w.disabled, " +
	"w.disabled_at, w.failing_since"

const numHookColumns = 15

func scanHook(row Row) (terse.Webhook, error) {
	w := terse.Webhook{
		ID: row.Text(0), Owner: row.Text(1), CreatedBy: row.Text(2), URL: row.Text(3),
		Description: row.Text(4), Events: decodeEvents(row.Text(5)),
		CreatedAt: timeAt(row.Int(7)), Version: row.Int(8), Secret: row.Bytes(9),
		FormerSecret: row.Bytes(10), FormerUntil: timeAt(row.Int(11)),
		Disabled: terse.DisabledReason(row.Text(12)), DisabledAt: timeAt(row.Int(13)),
		FailingSince: timeAt(row.Int(14)),
	}
	if len(w.FormerSecret) == 0 {
		w.FormerSecret = nil
	}
	var err error
	w.Tags, err = decodeTags(row.Text(6))
	return w, err
}

// hooks returns the webhooks that a query selects.
func hooks(tx Tx, sql string, args ...any) (all []terse.Webhook, err error) {
	err = tx.Each(sql, func(row Row) error {
		w, err := scanHook(row)
		all = append(all, w)
		return err
	}, args...)
	return all, err
}

// Hooks returns the webhooks that an identity made, or all of terse.AllOwners, oldest first.
func Hooks(tx Tx, createdBy string) ([]terse.Webhook, error) {
	const order = " ORDER BY w.created_at, w.id"
	if createdBy == terse.AllOwners {
		return hooks(tx, "SELECT "+hookColumns+" FROM webhooks AS w"+order)
	}
	return hooks(tx, "SELECT "+hookColumns+" FROM webhooks AS w WHERE w.created_by = $1"+order,
		createdBy)
}

// Hook returns a webhook, or terse.ErrWebhookNotFound.
func Hook(tx Tx, id string) (terse.Webhook, error) { return hook(tx, id, "") }

func hook(tx Tx, id, lock string) (terse.Webhook, error) {
	all, err := hooks(tx, "SELECT "+hookColumns+" FROM webhooks AS w WHERE w.id = $1"+lock, id)
	if err == nil && len(all) == 0 {
		err = terse.ErrWebhookNotFound
	}
	if err != nil {
		return terse.Webhook{}, err
	}
	return all[0], nil
}

// lockHook is Hook for a transaction that changes the webhook.
func lockHook(tx Tx, id string) (terse.Webhook, error) { return hook(tx, id, tx.Lock("w")) }

// Create stores a webhook.
func Create(tx Tx, by terse.Caller, w terse.Webhook, now time.Time) (terse.Webhook, error) {
	none := terse.Webhook{}
	user, err := number(tx, "SELECT 1 FROM users AS u WHERE u.identity = $1"+tx.Lock("u"),
		w.CreatedBy)
	if err != nil {
		return none, err
	}
	if user == 0 {
		return none, terse.ErrUserNotFound
	}
	made, err := Hook(tx, w.ID)
	if err == nil && made.CreatedBy == w.CreatedBy && bytes.Equal(made.Secret, w.Secret) {
		return made, nil // by a try whose answer was lost
	}
	if err != nil && !errors.Is(err, terse.ErrWebhookNotFound) {
		return none, err
	}
	all, err := number(tx, "SELECT count(*) FROM webhooks WHERE created_by = $1", w.CreatedBy)
	if err != nil {
		return none, err
	}
	if all >= terse.MaxWebhooks {
		return none, terse.ErrTooManyWebhooks
	}
	w.CreatedAt, w.Version = timeAt(now.UnixMicro()), 1
	w.FailingSince, w.DisabledAt = time.Time{}, time.Time{}
	if w.Disabled != "" {
		w.DisabledAt = w.CreatedAt
	}
	w.FormerUntil = timeAt(microsAt(w.FormerUntil))
	tags, err := encodeTags(w.Tags)
	if err != nil {
		return none, err
	}
	_, err = tx.Run("INSERT INTO webhooks (id, owner, created_by, url, description, events, "+
		"tags, created_at, version, secret, former_secret, former_until, disabled, disabled_at, "+
		"failing_since, since, place) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "+
		"$13, $14, 0, $8, "+countedPlace+")",
		w.ID, w.Owner, w.CreatedBy, w.URL, w.Description, encodeEvents(w.Events), tags,
		microsAt(w.CreatedAt), w.Version, blob(w.Secret), blob(w.FormerSecret),
		microsAt(w.FormerUntil), string(w.Disabled), microsAt(w.DisabledAt))
	if err != nil {
		return none, err
	}
	tx.Heard()
	return w, tx.Note(by, follow.WebhookCreated(w))
}

// countedPlace is the place behind all clicks that have been counted.
const countedPlace = "(SELECT coalesce(max(id), 0) FROM counted_clicks)"

// blob returns bytes as columns have them, never NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Update gives a webhook what terse.Webhooks.UpdateWebhook says.
func Update(tx Tx, by terse.Caller, asked terse.Webhook, now time.Time) (terse.Webhook, error) {
	before, err := lockHook(tx, asked.ID)
	if err != nil {
		return terse.Webhook{}, err
	}
	after := before
	after.URL, after.Description, after.Events = asked.URL, asked.Description, asked.Events
	after.Tags, after.Secret, after.FormerSecret = asked.Tags, asked.Secret, asked.FormerSecret
	after.FormerUntil = timeAt(microsAt(asked.FormerUntil))
	after.Disabled = asked.Disabled
	switch {
	case before.Version == asked.Version+1 && same(before, after):
		return before, nil // by a try whose answer was lost
	case before.Version != asked.Version:
		return terse.Webhook{}, terse.ErrChanged
	}
	after.Version++
	switch {
	case after.Disabled == "":
		after.DisabledAt = time.Time{}
		if before.Disabled != "" {
			after.FailingSince = time.Time{}
		}
	case before.Disabled == "":
		after.DisabledAt = timeAt(now.UnixMicro())
	}
	if err := write(tx, after); err != nil {
		return terse.Webhook{}, err
	}
	switch {
	case after.Disabled != "":
		err = stop(tx, after.ID, now)
	case before.Disabled != "":
		_, err = tx.Run("UPDATE webhooks SET "+begin+" WHERE id = $2", now.UnixMicro(), after.ID)
	case !slices.Contains(before.Events, terse.EventClicks):
		_, err = tx.Run("UPDATE webhooks SET place = "+countedPlace+" WHERE id = $1", after.ID)
	}
	if err != nil {
		return terse.Webhook{}, err
	}
	if what, changed := follow.WebhookUpdated(before, after); changed {
		err = tx.Note(by, what)
	}
	return after, err
}

// same reports whether a webhook has what Update gives.
func same(w, asked terse.Webhook) bool {
	return w.URL == asked.URL && w.Description == asked.Description &&
		slices.Equal(w.Events, asked.Events) && slices.Equal(w.Tags, asked.Tags) &&
		bytes.Equal(w.Secret, asked.Secret) && bytes.Equal(w.FormerSecret, asked.FormerSecret) &&
		w.FormerUntil.Equal(asked.FormerUntil) && w.Disabled == asked.Disabled
}

// write writes what may change of a webhook.
func write(tx Tx, w terse.Webhook) error {
	tags, err := encodeTags(w.Tags)
	if err != nil {
		return err
	}
	tx.Heard()
	_, err = tx.Run("UPDATE webhooks SET url = $2, description = $3, events = $4, tags = $5, "+
		"version = $6, secret = $7, former_secret = $8, former_until = $9, disabled = $10, "+
		"disabled_at = $11, failing_since = $12 WHERE id = $1",
		w.ID, w.URL, w.Description, encodeEvents(w.Events), tags, w.Version, blob(w.Secret),
		blob(w.FormerSecret), microsAt(w.FormerUntil), string(w.Disabled), microsAt(w.DisabledAt),
		microsAt(w.FailingSince))
	return err
}

// Delete deletes a webhook with its deliveries.
func Delete(tx Tx, by terse.Caller, id string) error {
	w, err := lockHook(tx, id)
	if err != nil {
		return err
	}
	if _, err := tx.Run("DELETE FROM webhooks WHERE id = $1", id); err != nil {
		return err
	}
	tx.Heard()
	return tx.Note(by, follow.WebhookDeleted(w))
}

// disable disables a webhook whose row is locked. Nobody did it, so nobody is noted.
func disable(tx Tx, w *terse.Webhook, why terse.DisabledReason, now time.Time) error {
	before := *w
	w.Disabled, w.DisabledAt = why, timeAt(now.UnixMicro())
	w.Version++ // what somebody sends who has not seen it must not enable it
	if err := write(tx, *w); err != nil {
		return err
	}
	if err := stop(tx, w.ID, now); err != nil {
		return err
	}
	what, _ := follow.WebhookUpdated(before, *w)
	return tx.Note(terse.Caller{Cause: terse.CauseTime}, what)
}

// begin has a webhook report what happens from the time $1 on. The clock of the node that stopped
// it may be ahead.
const begin = "since = $1, stopped_at = CASE WHEN stopped_at > $1 THEN $1 ELSE stopped_at END, " +
	"place = " + countedPlace

// stop makes all waiting deliveries of a disabled webhook fail. What happened before, but is no
// delivery yet, will be one that has failed.
func stop(tx Tx, id string, now time.Time) error {
	_, err := tx.Run("UPDATE webhooks SET stopped_at = $1 WHERE id = $2 AND stopped_at <= since",
		now.UnixMicro(), id)
	if err != nil {
		return err
	}
	n, err := tx.Run("UPDATE deliveries SET status = 'failed', finished_at = $1, taken_until = 0 "+
		"WHERE status = 'waiting' AND webhook = $2", now.UnixMicro(), id)
	tx.Lost(n)
	return err
}

// failedAtOnce bounds the deliveries that failStopped makes fail: twenty times as many may wait for
// the webhooks of a user as for one, and others must not wait for a transaction with all of them.
const failedAtOnce = terse.MaxWaiting / 2

// failStopped makes deliveries fail that wait for a webhook that gets nothing, and reports whether
// there may be more.
func failStopped(tx Tx, now time.Time) (more bool, err error) {
	n, err := tx.Run("UPDATE deliveries SET status = 'failed', finished_at = $1, taken_until = 0 "+
		"WHERE seq IN (SELECT seq FROM deliveries WHERE status = 'waiting' AND webhook IN ("+
		"SELECT w.id FROM webhooks AS w JOIN users AS u ON u.identity = w.created_by "+
		"WHERE w.disabled <> '' OR u.disabled) LIMIT $2)", now.UnixMicro(), int64(failedAtOnce))
	tx.Lost(n)
	return n == failedAtOnce, err
}

// UserChanged stops the webhooks that a user made, if it is disabled: nothing is sent to them from
// then on. What waits fails, the rest of many when Drop comes to it. If the user is disabled no
// more, they begin again.
func UserChanged(tx Tx, u terse.User, now time.Time) error {
	tx.Heard()
	lock := func(Row) error { return nil } // in the order in which others lock some
	err := tx.Each("SELECT w.id FROM webhooks AS w WHERE w.created_by = $1 "+
		"ORDER BY w.owner, w.id"+tx.Lock("w"), lock, u.Identity)
	if err != nil {
		return err
	}
	if !u.Disabled {
		_, err = tx.Run("UPDATE webhooks SET "+begin+" WHERE created_by = $2 AND disabled = '' "+
			"AND stopped_at > since", now.UnixMicro(), u.Identity)
		return err
	}
	_, err = tx.Run("UPDATE webhooks SET stopped_at = $1 WHERE created_by = $2 "+
		"AND stopped_at <= since", now.UnixMicro(), u.Identity)
	if err == nil {
		_, err = failStopped(tx, now)
	}
	return err
}
