package hookstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"terse"
)

const (
	// maxAttempts bounds the attempts of a delivery that are kept: those of a day, and some by
	// hand. The oldest are forgotten.
	maxAttempts = 20

	// maxError bounds the error of an attempt in bytes.
	maxError = 512

	// failingFor is how long a webhook may fail without success.
	failingFor = 3 * 24 * time.Hour
)

// attempt is a terse.Attempt as the column has it, in a list.
type attempt struct {
	At       int64  `json:"at"`
	Status   int    `json:"status,omitempty"`
	Micros   int64  `json:"micros"`
	Error    string `json:"error,omitempty"`
	Response []byte `json:"response,omitempty"`
}

func encodeAttempts(all []terse.Attempt) (string, error) {
	list := make([]attempt, len(all))
	for i, a := range all {
		list[i] = attempt{
			a.Time.UnixMicro(), a.Status, a.Duration.Microseconds(),
			a.Error[:min(len(a.Error), maxError)],
			a.Response[:min(len(a.Response), terse.MaxResponse)],
		}
	}
	text, err := json.Marshal(list)
	return string(text), err
}

func decodeAttempts(text string) ([]terse.Attempt, error) {
	if text == "" {
		return nil, nil
	}
	var list []attempt
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("attempts of a delivery: %w", err)
	}
	all := make([]terse.Attempt, len(list))
	for i, a := range list {
		all[i] = terse.Attempt{
			Time: timeAt(a.At), Status: a.Status, Error: a.Error, Response: a.Response,
			Duration: time.Duration(a.Micros) * time.Microsecond,
		}
	}
	return all, nil
}

// deliveryColumns are the columns that scanDelivery reads.
const deliveryColumns = "d.seq, d.id, d.webhook, d.link_id, d.type, d.created_at, d.status, " +
	"d.next_at, d.attempts"

const numDeliveryColumns = 9

func scanDelivery(row Row) (d terse.Delivery, seq int64, err error) {
	d = terse.Delivery{
		ID: row.Text(1), Webhook: row.Text(2), Link: terse.LinkID(row.Int(3)),
		Type: terse.EventType(row.Text(4)), CreatedAt: timeAt(row.Int(5)),
		Status: terse.DeliveryStatus(row.Text(6)),
	}
	if d.Status == terse.Waiting {
		d.NextAt = timeAt(row.Int(7))
	}
	d.Attempts, err = decodeAttempts(row.Text(8))
	return d, row.Int(0), err
}

// selectDue finds deliveries of webhook $1 that are due at $2, up to $3: none that another node
// has, and none behind another of its link. The order is that of an index, so that it is used
// whatever a database knows of the table: thousands may wait.
const selectDue = "SELECT " + deliveryColumns + ", d.payload FROM deliveries AS d " +
	"WHERE d.webhook = $1 AND d.status = 'waiting' AND d.behind = 0 AND d.next_at <= $2 " +
	"AND d.taken_until <= $2 ORDER BY d.next_at, d.seq LIMIT $3"

// selectFirst finds the first waiting delivery of webhook $1 and link $2. Of its order see
// selectDue.
const selectFirst = "SELECT d.seq, d.behind FROM deliveries AS d WHERE d.webhook = $1 " +
	"AND d.link_id = $2 AND d.status = 'waiting' ORDER BY d.seq LIMIT 1"

// first returns the first waiting delivery of a webhook and a link, and whether it is marked as
// behind another one; 0: none waits.
func first(tx Tx, webhook string, link terse.LinkID) (seq int64, behind bool, err error) {
	if link == 0 {
		return 0, false, nil // these have no order
	}
	err = tx.Each(selectFirst, func(row Row) error {
		seq, behind = row.Int(0), row.Int(1) != 0
		return nil
	}, webhook, int64(link))
	return seq, behind, err
}

// release lets the first waiting delivery of a webhook and a link be sent, after the one before it
// was finished.
func release(tx Tx, webhook string, link terse.LinkID) error {
	seq, behind, err := first(tx, webhook, link)
	if err != nil || !behind {
		return err
	}
	_, err = tx.Run("UPDATE deliveries SET behind = 0 WHERE seq = $1", seq)
	return err
}

// dueHook is a webhook with due deliveries.
type dueHook struct {
	id, maker string
	failing   bool
}

func dueHooks(tx Tx, now time.Time) (all []dueHook, err error) {
	err = tx.Each("SELECT w.id, w.created_by, w.failing_since"+activeHooks+
		" AND EXISTS (SELECT 1 FROM deliveries AS d WHERE d.webhook = w.id "+
		"AND d.status = 'waiting' AND d.behind = 0 AND d.next_at <= $1 AND d.taken_until <= $1)",
		func(row Row) error {
			all = append(all, dueHook{row.Text(0), row.Text(1), row.Int(2) != 0})
			return nil
		}, now.UnixMicro())
	return all, err
}

// Due reports whether any delivery is due.
func Due(tx Tx, now time.Time) (bool, error) {
	all, err := dueHooks(tx, now)
	return len(all) > 0, err
}

// selectTaken counts deliveries that are taken at $1.
const selectTaken = "SELECT d.webhook, w.created_by, count(*) FROM deliveries AS d " +
	"JOIN webhooks AS w ON w.id = d.webhook WHERE d.taken_until > 0 AND d.taken_until > $1 " +
	"GROUP BY d.webhook, w.created_by"

// takenBy returns how many deliveries are taken, of webhooks and of who made them.
func takenBy(tx Tx, now time.Time) (hooks, makers map[string]int64, err error) {
	hooks, makers = map[string]int64{}, map[string]int64{}
	err = tx.Each(selectTaken, func(row Row) error {
		hooks[row.Text(0)] = row.Int(2)
		makers[row.Text(1)] += row.Int(2)
		return nil
	}, now.UnixMicro())
	return hooks, makers, err
}

// Untake has deliveries be due that a node had taken before it ended, if there is one node.
func Untake(tx Tx) error {
	_, err := tx.Run("UPDATE deliveries SET taken_until = 0 WHERE taken_until > 0")
	return err
}

// Take takes deliveries that are due, until a time.
func Take(tx Tx, room terse.Room, now, until time.Time) (
	taken []terse.Delivery, to map[string]terse.Webhook, err error,
) {
	due, err := dueHooks(tx, now)
	if err != nil {
		return nil, nil, err
	}
	ofHook, ofMaker, err := takenBy(tx, now)
	if err != nil {
		return nil, nil, err
	}
	// A webhook with many must not always come first.
	rand.Shuffle(len(due), func(i, k int) { due[i], due[k] = due[k], due[i] })
	to = map[string]terse.Webhook{}
	for _, w := range due {
		most := room.Webhook
		if w.failing {
			most = 1
		}
		left := min(int64(room.All-len(taken)), int64(room.Maker)-ofMaker[w.maker],
			int64(most)-ofHook[w.id])
		if left <= 0 {
			continue
		}
		some, err := takeOf(tx, w.id, left, now, until)
		if err != nil {
			return nil, nil, err
		}
		if len(some) == 0 {
			continue
		}
		if to[w.id], err = Hook(tx, w.id); err != nil {
			return nil, nil, err
		}
		ofMaker[w.maker] += int64(len(some))
		taken = append(taken, some...)
	}
	return taken, to, nil
}

// takeOf takes up to most deliveries of a webhook.
func takeOf(tx Tx, webhook string, most int64, now, until time.Time) (
	taken []terse.Delivery, err error,
) {
	var found []terse.Delivery
	var seqs []int64
	err = tx.Each(selectDue, func(row Row) error {
		d, seq, err := scanDelivery(row)
		d.Payload = row.Bytes(numDeliveryColumns)
		found, seqs = append(found, d), append(seqs, seq)
		return err
	}, webhook, now.UnixMicro(), most)
	if err != nil {
		return nil, err
	}
	for i, seq := range seqs {
		n, err := tx.Run("UPDATE deliveries SET taken_until = $2 "+
			"WHERE seq = $1 AND status = 'waiting'", seq, until.UnixMicro())
		if err != nil {
			return nil, err
		}
		if n > 0 { // it has not failed meanwhile
			taken = append(taken, found[i])
		}
	}
	return taken, nil
}

// Finish stores what follows from an attempt, and reports whether that is kept.
func Finish(tx Tx, sent terse.Delivery, o terse.Outcome, now time.Time) (kept bool, err error) {
	w, err := lockHook(tx, sent.Webhook)
	if errors.Is(err, terse.ErrWebhookNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d, seq, err := delivery(tx, sent.Webhook, sent.ID, tx.Lock("d"))
	if errors.Is(err, terse.ErrDeliveryNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	at := timeAt(o.Attempt.Time.UnixMicro())
	if n := len(d.Attempts); n > 0 && d.Attempts[n-1].Time.Equal(at) {
		return true, nil // by a try whose answer was lost
	}
	if d.Status != terse.Waiting {
		return false, nil
	}
	d.Attempts = append(d.Attempts, o.Attempt)
	attempts, err := encodeAttempts(d.Attempts[max(0, len(d.Attempts)-maxAttempts):])
	if err != nil {
		return false, err
	}
	finished := now.UnixMicro()
	if o.Status == terse.Waiting {
		finished = 0
	}
	_, err = tx.Run("UPDATE deliveries SET status = $2, next_at = $3, finished_at = $4, "+
		"attempts = $5, taken_until = 0 WHERE seq = $1", seq, string(o.Status),
		microsAt(o.NextAt), finished, attempts)
	if err == nil && o.Status != terse.Waiting {
		err = release(tx, w.ID, d.Link)
	}
	if err != nil {
		return false, err
	}
	return true, judge(tx, &w, &o, at, now)
}

// judge draws the conclusion from an attempt for a webhook whose row is locked.
func judge(tx Tx, w *terse.Webhook, o *terse.Outcome, at, now time.Time) error {
	since := w.FailingSince
	switch {
	case o.Status == terse.Delivered:
		since = time.Time{}
	case since.IsZero():
		since = at
	}
	if !since.Equal(w.FailingSince) {
		w.FailingSince = since
		_, err := tx.Run("UPDATE webhooks SET failing_since = $2 WHERE id = $1", w.ID,
			microsAt(since))
		if err != nil {
			return err
		}
	}
	switch {
	case w.Disabled != "":
		return nil
	case o.Gone:
		return disable(tx, w, terse.DisabledByGone, now)
	case !since.IsZero() && at.Sub(since) >= failingFor:
		return disable(tx, w, terse.DisabledByFailure, now)
	}
	return nil
}

// delivery returns a delivery without its payload, or terse.ErrDeliveryNotFound.
func delivery(tx Tx, webhook, id, lock string) (d terse.Delivery, seq int64, err error) {
	missing := error(terse.ErrDeliveryNotFound)
	err = tx.Each("SELECT "+deliveryColumns+" FROM deliveries AS d "+
		"WHERE d.id = $1 AND d.webhook = $2"+lock, func(row Row) (err error) {
		missing = nil
		d, seq, err = scanDelivery(row)
		return err
	}, id, webhook)
	if err == nil {
		err = missing
	}
	return d, seq, err
}

// Delivery returns a delivery with its payload, or terse.ErrDeliveryNotFound.
func Delivery(tx Tx, webhook, id string) (terse.Delivery, error) {
	d, seq, err := delivery(tx, webhook, id, "")
	if err != nil {
		return terse.Delivery{}, err
	}
	err = tx.Each("SELECT payload FROM deliveries WHERE seq = $1", func(row Row) error {
		d.Payload = row.Bytes(0)
		return nil
	}, seq)
	return d, err
}

// Deliveries returns a page of deliveries.
func Deliveries(tx Tx, q terse.DeliveryQuery) (all []terse.Delivery, err error) {
	filter, args := "", []any{q.Webhook, int64(q.Limit)}
	if q.Status != "" {
		filter, args = " AND d.status = $3", append(args, string(q.Status))
	}
	if q.Before.ID != "" {
		// If it was deleted meanwhile, those of the same instant are left out.
		seq, err := number(tx, "SELECT seq FROM deliveries WHERE id = $1", q.Before.ID)
		if err != nil {
			return nil, err
		}
		n := len(args)
		filter += fmt.Sprintf(" AND (d.created_at, d.seq) < ($%d, $%d)", n+1, n+2)
		args = append(args, microsAt(q.Before.CreatedAt), seq)
	}
	err = tx.Each("SELECT "+deliveryColumns+" FROM deliveries AS d WHERE d.webhook = $1"+filter+
		" ORDER BY d.created_at DESC, d.seq DESC LIMIT $2", func(row Row) error {
		d, _, err := scanDelivery(row)
		all = append(all, d)
		return err
	}, args...)
	return all, err
}

// Retry makes a delivery due again.
func Retry(tx Tx, webhook, id string, now time.Time) error {
	w, err := lockHook(tx, webhook)
	if errors.Is(err, terse.ErrWebhookNotFound) {
		return terse.ErrDeliveryNotFound
	}
	if err != nil {
		return err
	}
	d, seq, err := delivery(tx, webhook, id, tx.Lock("d"))
	if err != nil {
		return err
	}
	if w.Disabled != "" {
		return terse.ErrWebhookDisabled
	}
	before, _, err := first(tx, webhook, d.Link)
	if err != nil {
		return err
	}
	behind := int64(0)
	if before > 0 && before < seq {
		behind = 1
	}
	_, err = tx.Run("UPDATE deliveries SET status = 'waiting', finished_at = 0, next_at = $2, "+
		"behind = $3 WHERE seq = $1", seq, now.UnixMicro(), behind)
	return err
}

// droppedAtOnce bounds the deliveries that a transaction deletes, so that others need not wait for
// long.
const droppedAtOnce = terse.DroppedAtOnce

// trimmedAtOnce bounds the webhooks whose deliveries a transaction counts off.
const trimmedAtOnce = 8

// Drop deletes some of the finished deliveries beyond their bounds, and reports whether there may
// be more. What still waits for a webhook that gets nothing fails.
func Drop(tx Tx, now time.Time) (more bool, err error) {
	if more, err = failStopped(tx, now); more || err != nil {
		return more, err
	}
	n, err := tx.Run("DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries "+
		"WHERE finished_at > 0 AND finished_at < $1 ORDER BY finished_at LIMIT $2)",
		now.Add(-terse.FinishedLifetime).UnixMicro(), int64(droppedAtOnce))
	if err != nil || n == droppedAtOnce {
		return true, err
	}
	var fullest []string
	err = tx.Each("SELECT webhook FROM deliveries WHERE finished_at > 0 GROUP BY webhook "+
		"ORDER BY count(*) * $1 + sum(bytes) DESC LIMIT $2", func(row Row) error {
		fullest = append(fullest, row.Text(0))
		return nil
	}, int64(terse.MaxFinishedBytes/terse.MaxFinished), int64(trimmedAtOnce))
	if err != nil {
		return false, err
	}
	for _, webhook := range fullest {
		n, err := trim(tx, webhook)
		if err != nil {
			return false, err
		}
		more = more || n > 0
	}
	return more, nil
}

// trim deletes some of the oldest finished deliveries of a webhook that has too many, and returns
// how many.
func trim(tx Tx, webhook string) (int64, error) {
	var count, bytes, at, seq int64 // at and seq are of the newest that is too much
	err := tx.Each("SELECT created_at, seq, bytes FROM deliveries WHERE webhook = $1 "+
		"AND finished_at > 0 ORDER BY created_at DESC, seq DESC LIMIT $2", func(row Row) error {
		count, bytes = count+1, bytes+row.Int(2)
		if seq == 0 && (count > terse.MaxFinished || bytes > terse.MaxFinishedBytes) {
			at, seq = row.Int(0), row.Int(1)
		}
		return nil
	}, webhook, int64(terse.MaxFinished+1))
	if err != nil {
		return 0, err
	}
	return tx.Run("DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries "+
		"WHERE webhook = $1 AND finished_at > 0 AND (created_at, seq) <= ($2, $3) "+
		"ORDER BY created_at, seq LIMIT $4)", webhook, at, seq, int64(droppedAtOnce))
}

// Backlog returns how many deliveries wait, and since when the oldest does.
func Backlog(tx Tx) (waiting int64, oldest time.Time, err error) {
	err = tx.Each("SELECT count(*), coalesce(min(created_at), 0) FROM deliveries "+
		"WHERE status = 'waiting'", func(row Row) error {
		waiting, oldest = row.Int(0), timeAt(row.Int(1))
		return nil
	})
	return waiting, oldest, err
}
