package hookstore

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/link/linkset"
)

const (
	// maxBatch bounds the clicks of a transaction of ReportClicks, which are read in a tenth of a
	// second: others wait for it. The rest are the next batch.
	maxBatch = 1 << 20
	// maxRows bounds the rows that it reads: each may have up to 256 KiB.
	maxRows = 256

	// maxTop bounds the links of a batch, and its single clicks.
	maxTop = 1000

	// batchPause is between two batches of a webhook. Each batch that waits makes it as much
	// longer: of a receiver that is away, a few hundred batches wait after a day, not 10,000.
	batchPause = time.Second
)

// Links are the links of the database that has the webhooks.
type Links interface {
	// Tagged returns an owner's links, or those of terse.AllOwners, with any of some folded tags.
	Tagged(owner string, tags []string) (linkset.Set, error)
	// Exist returns the links with IDs, in the same order: the zero LinkRef for one that is gone.
	Exist(ids []terse.LinkID) ([]terse.LinkRef, error)
}

// clickHook is a webhook that reports clicks, and how far it has.
type clickHook struct {
	terse.Webhook
	place, batchedAt int64
}

// clickHooks returns the active webhooks that report clicks, and locks them.
func clickHooks(tx Tx) (all []clickHook, err error) {
	err = tx.Each("SELECT "+hookColumns+", w.place, w.batched_at"+activeHooks+" AND "+goesOn+
		" ORDER BY w.owner, w.id"+tx.Lock("w"), func(row Row) error {
		w, err := scanHook(row)
		if slices.Contains(w.Events, terse.EventClicks) {
			all = append(all, clickHook{w, row.Int(numHookColumns), row.Int(numHookColumns + 1)})
		}
		return err
	})
	return all, err
}

// PendingClicks reports whether ReportClicks may have anything to do.
func PendingClicks(tx Tx) (bool, error) {
	n, err := number(tx, "SELECT 1 FROM counted_clicks LIMIT 1")
	return n > 0, err
}

// ReportClicks makes batches of counted clicks, and moves the places of the webhooks behind them.
// It deletes clicks that no webhook waits for any more. unwritten is why some batches were not
// made.
func ReportClicks(tx Tx, links Links, payloads terse.Payloads, now time.Time) (
	more bool, unwritten, err error,
) {
	last, err := lastCounted(tx)
	if err != nil {
		return false, nil, err
	}
	all, err := clickHooks(tx)
	if err != nil {
		return false, nil, err
	}
	left, passed := int64(maxBatch), last
	for i := range all {
		w := &all[i]
		if w.place < last && left > 0 {
			due, err := batchDue(tx, w, now)
			if err != nil {
				return false, nil, err
			}
			if due {
				read, dropped, err := makeBatch(tx, w, links, payloads, last, left, now)
				if err != nil {
					return false, nil, fmt.Errorf("clicks for webhook %s: %w", w.ID, err)
				}
				left, unwritten = left-read, errors.Join(unwritten, dropped)
			}
		}
		passed = min(passed, w.place)
	}
	deleted, err := tx.Run("DELETE FROM counted_clicks WHERE id IN (SELECT id FROM counted_clicks "+
		"WHERE id <= $1 ORDER BY id LIMIT $2)", passed, int64(maxRows))
	return left <= 0 || deleted == maxRows, unwritten, err
}

// makeBatch makes a batch for a webhook, and returns how many clicks it read.
func makeBatch(tx Tx, w *clickHook, links Links, payloads terse.Payloads, last, most int64,
	now time.Time,
) (read int64, unwritten, err error) {
	b, err := newBatch(tx, w, links)
	if err != nil {
		return 0, nil, err
	}
	unwritten, err = b.make(payloads, last, most, now)
	return b.read, unwritten, err
}

// lastCounted returns the last row of counted clicks, 0 without any.
func lastCounted(tx Tx) (int64, error) {
	return number(tx, "SELECT coalesce(max(id), 0) FROM counted_clicks")
}

// batchDue reports whether a webhook may get another batch: those before have been tried, and the
// last one is not too young.
func batchDue(tx Tx, w *clickHook, now time.Time) (due bool, err error) {
	err = tx.Each("SELECT count(*), coalesce(sum(CASE WHEN attempts = '' THEN 1 ELSE 0 END), 0) "+
		"FROM deliveries WHERE webhook = $1 AND status = 'waiting' AND link_id = 0 "+
		"AND type = 'clicks'", func(row Row) error {
		pause := max(1, row.Int(0)) * batchPause.Microseconds()
		due = row.Int(1) == 0 && now.UnixMicro()-w.batchedAt >= pause
		return nil
	}, w.ID)
	return due, err
}

// batch is a batch of clicks in the making.
type batch struct {
	Tx
	hook   *clickHook
	links  Links
	tagged linkset.Set // if the webhook has tags
	clicks *clickblock.Selector

	rows, read int64 // how many rows and clicks were read
	place      int64 // the last row that was read

	total    int64
	from, to int64
	byLink   map[terse.LinkID]int64
	// first are the first clicks, up to a few times maxTop. Those after the time until are not
	// among them.
	first []foundClick
	until int64
}

// foundClick is a click whose link is not looked up yet.
type foundClick struct {
	terse.Event
	link terse.LinkID
}

func newBatch(tx Tx, w *clickHook, links Links) (*batch, error) {
	b := &batch{
		Tx: tx, hook: w, links: links, byLink: map[terse.LinkID]int64{}, place: w.place,
		from: math.MaxInt64, to: math.MinInt64, until: math.MaxInt64,
	}
	wants := func(clickblock.Link) bool { return true }
	if len(w.Tags) > 0 {
		folded := make([]string, len(w.Tags))
		for i, tag := range w.Tags {
			folded[i] = terse.FoldTag(tag)
		}
		var err error
		if b.tagged, err = links.Tagged(w.Owner, folded); err != nil {
			return nil, err
		}
		wants = func(l clickblock.Link) bool { return b.tagged.Has(int64(l.ID)) }
	}
	b.clicks = clickblock.NewSelector(&terse.ClickFilter{}, wants)
	return b, nil
}

// make makes a delivery of the clicks behind the webhook's place, up to a last row, if the webhook
// wants any of them. After most clicks it leaves the rest. unwritten is why there is no payload:
// then nothing is changed.
func (b *batch) make(payloads terse.Payloads, last, most int64, now time.Time) (
	unwritten, err error,
) {
	if err := b.readRows(last, most); err != nil {
		return nil, err
	}
	if b.total == 0 {
		b.hook.place = b.place
		_, err := b.Run("UPDATE webhooks SET place = $2 WHERE id = $1", b.hook.ID, b.place)
		return nil, err
	}
	clicks, err := b.counted()
	if err != nil {
		return nil, err
	}
	payload, err := payloads.OfClicks(clicks)
	if err != nil {
		return fmt.Errorf("payload of %d clicks for webhook %s: %w", b.total, b.hook.ID, err), nil
	}
	b.hook.place = b.place
	_, err = b.Run("UPDATE webhooks SET place = $2, batched_at = $3 WHERE id = $1", b.hook.ID,
		b.place, now.UnixMicro())
	if err != nil {
		return nil, err
	}
	r := &reporter{Tx: b.Tx, now: now, waiting: map[string]int64{}}
	return nil, r.deliver(&b.hook.Webhook, terse.Delivery{
		ID: terse.NewDeliveryID(), Webhook: b.hook.ID, Type: terse.EventClicks,
		Payload: payload,
	})
}

// readRows adds the rows behind the place, up to a last one.
func (b *batch) readRows(last, most int64) error {
	filter, args := "", []any{b.hook.place, last, int64(maxRows)}
	if b.hook.Owner != terse.AllOwners {
		filter = " AND owner = (SELECT number FROM owner_numbers WHERE owner = $4)"
		args = append(args, b.hook.Owner)
	}
	err := b.Each("SELECT id, untracked, clicks, value FROM counted_clicks WHERE id > $1 "+
		"AND id <= $2"+filter+" ORDER BY id LIMIT $3", func(row Row) error {
		if b.rows++; b.read >= most {
			b.rows = maxRows // some are left
			return nil
		}
		b.place, b.read = row.Int(0), b.read+row.Int(2)
		return b.add(row.Bytes(3), row.Int(1) != 0)
	}, args...)
	if b.rows < maxRows {
		b.place = last // rows of others, too
	}
	return err
}

// add adds the clicks of a block.
func (b *batch) add(block []byte, untracked bool) error {
	n, err := b.clicks.Open(block, -1, math.MinInt64, math.MaxInt64)
	if n == 0 || err != nil {
		return err
	}
	links, err := b.clicks.Links()
	if err != nil {
		return err
	}
	for _, link := range links {
		b.byLink[link.ID]++
	}
	times, err := b.clicks.Times()
	if err != nil {
		return err
	}
	chosen := b.clicks.Chosen()
	b.total += int64(n)
	b.from, b.to = min(b.from, times[chosen[0]]), max(b.to, times[chosen[n-1]])
	if untracked {
		return nil
	}
	few := 0 // that may be among the first
	for few < min(n, maxTop) && times[chosen[few]] <= b.until {
		few++
	}
	some := slices.Clone(chosen[:few])
	b.clicks.Choose(some)
	found := make([]foundClick, few)
	for k, i := range some {
		found[k] = foundClick{terse.Event{Time: times[i], Count: 1}, links[k].ID}
	}
	if err := b.clicks.Values(func(k int, d terse.Dimension, value string) {
		found[k].Values[d] = value
	}); err != nil {
		return err
	}
	b.first = append(b.first, found...)
	if len(b.first) >= 4*maxTop {
		b.keepFirst()
	}
	return nil
}

// keepFirst forgets all but the first clicks.
func (b *batch) keepFirst() {
	slices.SortStableFunc(b.first, func(x, y foundClick) int { return cmp.Compare(x.Time, y.Time) })
	if len(b.first) >= maxTop {
		clear(b.first[maxTop:])
		b.first = b.first[:maxTop]
		b.until = b.first[maxTop-1].Time
	}
}

// counted returns what the payload has of the clicks. Links that are gone by now are only in the
// total.
func (b *batch) counted() (terse.CountedClicks, error) {
	b.keepFirst()
	c := terse.CountedClicks{From: timeAt(b.from), To: timeAt(b.to), Total: b.total}
	top := slices.SortedFunc(maps.Keys(b.byLink), func(x, y terse.LinkID) int {
		return cmp.Or(cmp.Compare(b.byLink[y], b.byLink[x]), cmp.Compare(x, y))
	})
	top = top[:min(len(top), maxTop)]
	ids := slices.Clone(top)
	for i := range b.first {
		ids = append(ids, b.first[i].link)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	refs, err := b.links.Exist(ids)
	if err != nil {
		return c, err
	}
	known := map[terse.LinkID]terse.LinkRef{}
	for i, id := range ids {
		if refs[i] != (terse.LinkRef{}) {
			known[id] = refs[i]
		}
	}
	for _, id := range top {
		if ref, there := known[id]; there {
			c.ByLink = append(c.ByLink, terse.LinkClicks{LinkRef: ref, Clicks: b.byLink[id]})
		}
	}
	for i := range b.first {
		found := &b.first[i]
		if ref, there := known[found.link]; there {
			found.Link = ref
			clickblock.Derive(&found.Values)
			c.First = append(c.First, found.Event)
		}
	}
	return c, nil
}
