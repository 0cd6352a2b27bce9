package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

func deliverInOrder(t *testing.T, s Store) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	mustHook(t, s, hookOf("other", terse.Identity))
	link := create(t, s, "link")
	must(t, s.Delete(ctx, me, link))
	create(t, s, "free")
	report(t, s)
	all, payloads := taken(t, s, 64, 4, later())
	wantEqual(t, "taken first", payloads, []string{
		"link.created free", "link.created free", "link.created link", "link.created link",
	})
	for _, d := range all {
		o := success()
		if d.Webhook == "w" && string(d.Payload) == "link.created link" {
			o = failure(time.Now(), later())
		}
		must(t, errOf(s.FinishDelivery(ctx, d, o)))
	}
	// The delete waits while the create does, but not for that of another webhook.
	all, payloads = taken(t, s, 64, 4, later())
	wantEqual(t, "taken while the first is to be tried again", payloads,
		[]string{"link.deleted link"})
	wantEqual(t, "of webhook", all[0].Webhook, "other")
	first := deliveriesOf(t, s, "w", terse.Waiting)[0]
	must(t, s.RetryDelivery(ctx, me, "w", first.ID))
	all, payloads = taken(t, s, 64, 4, later())
	wantEqual(t, "taken again", payloads, []string{"link.created link"})
	must(t, errOf(s.FinishDelivery(ctx, all[0], failure(time.Now(), time.Time{}))))
	_, payloads = taken(t, s, 64, 4, later())
	wantEqual(t, "taken when the first has failed", payloads, []string{"link.deleted link"})
}

func takeOnce(t *testing.T, s Store) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	create(t, s, "link")
	report(t, s)
	all, _ := taken(t, s, 64, 4, time.Now().Add(-time.Second)) // whose time is over already
	wantEqual(t, "taken", len(all), 1)
	all, _ = taken(t, s, 64, 4, later())
	wantEqual(t, "taken when the time of another is over", len(all), 1)
	again, _ := taken(t, s, 64, 4, later())
	wantEqual(t, "taken twice", len(again), 0)
	must(t, errOf(s.FinishDelivery(ctx, all[0], failure(time.Now(), time.Now().Add(-time.Second)))))
	again, _ = taken(t, s, 64, 4, later())
	wantEqual(t, "taken when it is due again", len(again), 1)
	must(t, errOf(s.FinishDelivery(ctx, again[0], success())))
	again, _ = taken(t, s, 64, 4, later())
	wantEqual(t, "taken when it is delivered", len(again), 0)
}

func takeFew(t *testing.T, s Store) {
	for i := range 3 {
		mustHook(t, s, hookOf(fmt.Sprint("w", i), terse.Identity))
	}
	for i := range 5 {
		create(t, s, fmt.Sprint("link", i))
	}
	report(t, s)
	all, _ := taken(t, s, 64, 2, later())
	wantEqual(t, "taken", len(all), 6)
	more, _ := taken(t, s, 64, 2, later())
	wantEqual(t, "taken while each webhook has its share", len(more), 0)
	must(t, errOf(s.FinishDelivery(t.Context(), all[0], success())))
	more, _ = taken(t, s, 64, 2, later())
	wantEqual(t, "taken when one is done", len(more), 1)
	wantEqual(t, "of webhook", more[0].Webhook, all[0].Webhook)
	more, _ = taken(t, s, 2, 4, later())
	wantEqual(t, "taken up to a limit", len(more), 2)
	// Nodes that take at once get different ones.
	got := make([][]terse.Delivery, 4)
	together(len(got), func(i int) {
		var err error
		got[i], _, err = s.TakeDeliveries(t.Context(),
			terse.Room{All: 64, Maker: 64, Webhook: 64}, later())
		if err != nil {
			t.Error(err)
		}
	})
	seen := map[string]bool{}
	for _, some := range got {
		for _, d := range some {
			if seen[d.ID] {
				t.Errorf("%s was taken twice", d.ID)
			}
			seen[d.ID] = true
		}
	}
	wantEqual(t, "taken by several", len(seen), 15-6-1-2)
}

// takeFairly: neither whose webhooks hang nor a webhook that fails takes the room of others.
func takeFairly(t *testing.T, s Store) {
	mustCreateService(t, s, "ci")
	ofAll := hookOf("ci", "ci")
	ofAll.Owner = terse.AllOwners
	mustHook(t, s, ofAll)
	for i := range 3 {
		mustHook(t, s, hookOf(fmt.Sprint("w", i), terse.Identity))
	}
	for i := range 5 {
		create(t, s, fmt.Sprint("link", i))
	}
	report(t, s)
	take := func(room terse.Room) (taken map[string][]terse.Delivery) {
		t.Helper()
		all, _, err := s.TakeDeliveries(t.Context(), room, later())
		must(t, err)
		taken = map[string][]terse.Delivery{}
		for _, d := range all {
			taken[d.Webhook] = append(taken[d.Webhook], d)
		}
		return taken
	}
	first := take(terse.Room{All: 64, Maker: 7, Webhook: 3})
	wantEqual(t, "of somebody's three webhooks",
		len(first["w0"])+len(first["w1"])+len(first["w2"]), 7)
	wantEqual(t, "of somebody else's", len(first["ci"]), 3)
	wantEqual(t, "while all have their share",
		len(take(terse.Room{All: 64, Maker: 7, Webhook: 3})), 0)
	for _, d := range first["ci"] {
		must(t, errOf(s.FinishDelivery(t.Context(), d, failure(time.Now(), time.Now()))))
	}
	room := terse.Room{All: 64, Maker: 7, Webhook: 4}
	again := take(room)
	wantEqual(t, "of one that fails", len(again["ci"]), 1)
	wantEqual(t, "of one that fails still", len(take(room)), 0)
	must(t, errOf(s.FinishDelivery(t.Context(), again["ci"][0], success())))
	wantEqual(t, "of one that fails no more", len(take(room)["ci"]), 4)
}

func finishDeliveries(t *testing.T, s Store) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	create(t, s, "link")
	report(t, s)
	all, _ := taken(t, s, 64, 4, later())
	d := all[0]
	first := failure(spring, later())
	must(t, errOf(s.FinishDelivery(ctx, d, first)))
	must(t, errOf(s.FinishDelivery(ctx, d, first))) // its answer was lost
	got := deliveriesOf(t, s, "w", "")[0]
	wantEqual(t, "attempts", got.Attempts, []terse.Attempt{first.Attempt})
	wantEqual(t, "next attempt", got.NextAt.UnixMicro(), first.NextAt.UnixMicro())
	w, err := s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "failing since", w.FailingSince, spring)
	last := success()
	last.Attempt.Error, last.Attempt.Response = strings.Repeat("x", 2000), make([]byte, 2000)
	must(t, errOf(s.FinishDelivery(ctx, d, last)))
	last.Attempt.Error = last.Attempt.Error[:512]
	last.Attempt.Response = last.Attempt.Response[:terse.MaxResponse]
	got = deliveriesOf(t, s, "w", terse.Delivered)[0]
	wantEqual(t, "attempts", got.Attempts, []terse.Attempt{first.Attempt, last.Attempt})
	wantEqual(t, "next attempt", got.NextAt, time.Time{})
	must(t, errOf(s.FinishDelivery(ctx, d, failure(time.Now(), time.Time{})))) // of another node
	wantEqual(t, "delivered stays so", deliveriesOf(t, s, "w", terse.Delivered)[0], got)
	w, err = s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "failing since", w.FailingSince, time.Time{})

	must(t, s.RetryDelivery(ctx, me, "w", d.ID))
	all, _ = taken(t, s, 64, 4, later())
	wantEqual(t, "taken by hand", all[0].ID, d.ID)
	for i := range 30 {
		o := failure(spring.Add(time.Duration(i+1)*time.Second), later())
		must(t, errOf(s.FinishDelivery(ctx, d, o)))
	}
	wantEqual(t, "attempts that are kept", len(deliveriesOf(t, s, "w", "")[0].Attempts), 20)
	wantError(t, "another's", s.RetryDelivery(ctx, me, "x", d.ID), terse.ErrDeliveryNotFound)
	wantError(t, "unknown", s.RetryDelivery(ctx, me, "w", "msg_"), terse.ErrDeliveryNotFound)
	wantError(t, "unknown", errOf(s.Delivery(ctx, "w", "msg_")), terse.ErrDeliveryNotFound)
	must(t, s.DeleteWebhook(ctx, admin, "w"))
	must(t, errOf(s.FinishDelivery(ctx, d, success())))
	wantEqual(t, "of a webhook that is deleted", len(deliveriesOf(t, s, "w", "")), 0)
	waiting, _, err := s.Backlog(ctx)
	must(t, err)
	wantEqual(t, "waiting", waiting, 0)
}

func failForDays(t *testing.T, s Store) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	create(t, s, "link-a")
	create(t, s, "link-b")
	report(t, s)
	all, _ := taken(t, s, 64, 4, later())
	must(t, errOf(s.FinishDelivery(ctx, all[0], failure(spring, later()))))
	must(t, errOf(s.FinishDelivery(ctx, all[1], failure(spring.Add(72*time.Hour-1), later()))))
	w, err := s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "disabled", w.Disabled, "")
	must(t, errOf(s.FinishDelivery(ctx, all[0], failure(spring.Add(72*time.Hour), later()))))
	w, err = s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "disabled", w.Disabled, terse.DisabledByFailure)
	wantEqual(t, "version", w.Version, 2)
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), 2)
	create(t, s, "link-c")
	wantEqual(t, "deliveries", len(deliveriesOf(t, s, "w", "")), 2)
	w.Disabled = ""
	w, err = s.UpdateWebhook(ctx, admin, w)
	must(t, err)
	wantEqual(t, "failing since", w.FailingSince, time.Time{})
	must(t, s.RetryDelivery(ctx, me, "w", all[0].ID))
	all, _ = taken(t, s, 64, 4, later())
	wantEqual(t, "taken", len(all), 1)
	must(t, errOf(s.FinishDelivery(ctx, all[0], failure(spring.Add(80*time.Hour), later()))))
	w, err = s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "disabled", w.Disabled, "")
}

func disableGone(t *testing.T, s Store) {
	ctx := t.Context()
	w := mustHook(t, s, hookOf("w", terse.Identity))
	create(t, s, "link-a")
	create(t, s, "link-b")
	report(t, s)
	all, _ := taken(t, s, 64, 1, later())
	o := failure(time.Now(), time.Time{})
	o.Gone = true
	must(t, errOf(s.FinishDelivery(ctx, all[0], o)))
	got, err := s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "disabled", got.Disabled, terse.DisabledByGone)
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), 2)
	wantError(t, "retry", s.RetryDelivery(ctx, me, "w", all[0].ID), terse.ErrWebhookDisabled)
	w.Description = "changed by somebody who has not seen it"
	wantError(t, "a stale change", errOf(s.UpdateWebhook(ctx, admin, w)), terse.ErrChanged)
}

// addWaiting adds deliveries that wait for a webhook.
func addWaiting(webhook string, n int) (sql string) {
	return fmt.Sprintf("INSERT INTO deliveries (id, webhook, link_id, type, created_at, status, "+
		"next_at, attempts, bytes, payload) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL "+
		"SELECT i + 1 FROM n WHERE i < %[2]d) SELECT 'msg_%[1]s' || i, '%[1]s', 0, "+
		"'webhook.test', i, 'waiting', 0, '', 0, (SELECT former_secret FROM webhooks "+
		"WHERE id = '%[1]s') FROM n", webhook, n)
}

// disableMany disables a user for whom more waits than one transaction makes fail.
func disableMany(t *testing.T, s Store, exec func(sql string)) {
	ctx := t.Context()
	mustCreateService(t, s, "ci")
	const n = 4000
	for _, id := range []string{"w1", "w2", "other"} {
		w := hookOf(id, "ci")
		if id == "other" {
			w = hookOf(id, terse.Identity)
		}
		mustHook(t, s, w)
		exec(addWaiting(id, n))
	}
	off := true
	_, err := s.UpdateUser(ctx, admin, "ci", terse.UserChange{Disabled: &off})
	must(t, err)
	wantEqual(t, "lost at once", s.LostDeliveries(), terse.MaxWaiting/2)
	all, _ := taken(t, s, 3*n, 3*n, later())
	for _, d := range all {
		wantEqual(t, "whose delivery is taken", d.Webhook, "other")
	}
	must(t, s.DropDeliveries(ctx))
	wantEqual(t, "lost", s.LostDeliveries(), 2*n)
	waiting, _, err := s.Backlog(ctx)
	must(t, err)
	wantEqual(t, "waiting for somebody else's", waiting, n)
}

func disableBacklog(t *testing.T, s Store, exec func(sql string)) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	mustHook(t, s, hookOf("other", terse.Identity))
	create(t, s, "link")
	report(t, s)
	exec(addWaiting("w", terse.MaxWaiting-2))
	create(t, s, "last")
	report(t, s)
	w, err := s.Webhook(ctx, "w")
	must(t, err)
	wantEqual(t, "disabled", w.Disabled, terse.DisabledByBacklog)
	wantEqual(t, "waiting", len(deliveriesOf(t, s, "w", terse.Waiting)), 0)
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), terse.MaxWaiting)
	wantReported(t, s, "other", "link.created link", "link.created last")
	must(t, s.DropDeliveries(ctx))
	wantEqual(t, "kept", len(deliveriesOf(t, s, "w", "")), terse.MaxFinished)
}

func disableByUser(t *testing.T, s Store) {
	ctx := t.Context()
	w := mustHook(t, s, hookOf("w", terse.Identity))
	create(t, s, "link-a")
	report(t, s)
	all, _ := taken(t, s, 64, 4, later())
	must(t, s.AddDelivery(ctx, terse.Delivery{
		ID: terse.NewDeliveryID(), Webhook: "w", Type: terse.EventTest,
		Payload: []byte("webhook.test"),
	}))
	wantError(t, "of no webhook", s.AddDelivery(ctx, terse.Delivery{ID: "msg_1", Webhook: "x"}),
		terse.ErrWebhookNotFound)
	waiting, oldest, err := s.Backlog(ctx)
	must(t, err)
	wantEqual(t, "waiting", waiting, 2)
	wantNow(t, "since", oldest, time.Now().Add(-time.Minute))
	create(t, s, "link-late") // which is no delivery yet
	w.Disabled = terse.DisabledByUser
	w, err = s.UpdateWebhook(ctx, admin, w)
	must(t, err)
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), 2)
	kept, err := s.FinishDelivery(ctx, all[0], success()) // of a node that had taken it
	must(t, err)
	wantEqual(t, "kept", kept, false)
	report(t, s)
	wantEqual(t, "still failed", len(deliveriesOf(t, s, "w", terse.Failed)), 3)
	wantError(t, "a test", s.AddDelivery(ctx, terse.Delivery{
		ID: terse.NewDeliveryID(), Webhook: "w", Type: terse.EventTest,
	}), terse.ErrWebhookDisabled)
	wantEqual(t, "lost", s.LostDeliveries(), 3)
	enable := func(reason terse.DisabledReason) {
		t.Helper()
		w.Disabled = reason
		w, err = s.UpdateWebhook(ctx, admin, w)
		must(t, err)
	}
	enable("")
	create(t, s, "link-b")
	report(t, s)
	all, payloads := taken(t, s, 64, 4, later())
	wantEqual(t, "taken", payloads, []string{"link.created link-b"})
	must(t, errOf(s.FinishDelivery(ctx, all[0], success())))
	// It is enabled again before what happened is a delivery.
	mustHook(t, s, hookOf("always", terse.Identity))
	create(t, s, "link-c")
	enable(terse.DisabledByUser)
	create(t, s, "link-d")
	enable("")
	create(t, s, "link-e")
	report(t, s)
	wantReported(t, s, "w", "link.created link-a", "webhook.test", "link.created link-late",
		"link.created link-b", "link.created link-c", "link.created link-e")
	var statuses []terse.DeliveryStatus
	for _, d := range deliveriesOf(t, s, "w", "") {
		statuses = append(statuses, d.Status)
	}
	wantEqual(t, "statuses", statuses, []terse.DeliveryStatus{
		terse.Failed, terse.Failed, terse.Failed, terse.Delivered, terse.Failed, terse.Waiting,
	})
	wantEqual(t, "lost", s.LostDeliveries(), 4)
	wantReported(t, s, "always", "link.created link-c", "link.created link-d",
		"link.created link-e")
}

func listDeliveries(t *testing.T, s Store) {
	mustHook(t, s, hookOf("w", terse.Identity))
	for i := range 7 {
		create(t, s, fmt.Sprint("link", i))
	}
	report(t, s)
	all := deliveriesOf(t, s, "w", "")
	wantEqual(t, "deliveries", len(all), 7)
	for i, d := range all {
		wantEqual(t, "its link", d.Link, find(t, s, code(t, fmt.Sprint("link", i))).ID)
		if len(d.ID) != 31 || !strings.HasPrefix(d.ID, "msg_") || d.Payload != nil {
			t.Errorf("delivery %+v", d)
		}
	}
	slices.Reverse(all)
	var paged []terse.Delivery
	for q := (terse.DeliveryQuery{Webhook: "w", Limit: 3, Status: terse.Waiting}); ; {
		page, err := s.Deliveries(t.Context(), q)
		must(t, err)
		paged = append(paged, page...)
		if len(page) < q.Limit {
			break
		}
		q.Before = page[len(page)-1]
	}
	wantEqual(t, "page by page", paged, all)
	wantEqual(t, "delivered", len(deliveriesOf(t, s, "w", terse.Delivered)), 0)
}

func dropDeliveries(t *testing.T, s Store, exec func(sql string)) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	for i := range 3 {
		create(t, s, fmt.Sprint("link", i))
	}
	report(t, s)
	all, _ := taken(t, s, 64, 4, later())
	must(t, errOf(s.FinishDelivery(ctx, all[0], success())))
	must(t, errOf(s.FinishDelivery(ctx, all[1], success())))
	exec(fmt.Sprintf("UPDATE deliveries SET finished_at = finished_at - %d WHERE id = '%s'",
		terse.FinishedLifetime.Microseconds(), all[0].ID))
	must(t, s.DropDeliveries(ctx))
	var left []string
	for _, d := range deliveriesOf(t, s, "w", "") {
		left = append(left, d.ID)
	}
	slices.Sort(left)
	want := []string{all[1].ID, all[2].ID}
	slices.Sort(want)
	wantEqual(t, "left", left, want)

	// Of 64 MiB the oldest are deleted.
	must(t, errOf(s.FinishDelivery(ctx, all[2], success())))
	exec(fmt.Sprintf("UPDATE deliveries SET bytes = %d", 40<<20))
	must(t, s.DropDeliveries(ctx))
	newest := deliveriesOf(t, s, "w", "")
	wantEqual(t, "left of large ones", len(newest), 1)
	wantEqual(t, "its link", newest[0].Link, find(t, s, code(t, "link2")).ID)
}

// clockAhead stops a webhook by the clock of a node that is ahead.
func clockAhead(t *testing.T, s Store, exec func(sql string)) {
	w := mustHook(t, s, hookOf("w", terse.Identity))
	mustHook(t, s, hookOf("always", terse.Identity))
	set := func(reason terse.DisabledReason) {
		t.Helper()
		var err error
		w.Disabled = reason
		w, err = s.UpdateWebhook(t.Context(), admin, w)
		must(t, err)
	}
	set(terse.DisabledByUser)
	exec(fmt.Sprintf("UPDATE webhooks SET stopped_at = stopped_at + %d WHERE id = 'w'",
		time.Hour.Microseconds()))
	set("")
	create(t, s, "link-a")
	wantReported(t, s, "w", "link.created link-a")
	wantEqual(t, "waiting", len(deliveriesOf(t, s, "w", terse.Waiting)), 1)
	create(t, s, "link-b")
	set(terse.DisabledByUser)
	create(t, s, "link-c")
	wantReported(t, s, "w", "link.created link-a", "link.created link-b")
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), 2)
}
