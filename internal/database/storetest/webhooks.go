package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickblock"
)

// webhookTests test webhooks, and how events of links and clicks become deliveries, with all
// statements that depend on a database.
var webhookTests = storeTests{
	"a webhook is stored, changed and deleted":              keepWebhooks,
	"each change of a link is one event":                    reportChanges,
	"webhooks report what they are asked to":                reportMatching,
	"deliveries of a webhook are taken a few at a time":     takeFew,
	"who has many deliveries leaves room for others":        takeFairly,
	"an attempt is kept, with what follows":                 finishDeliveries,
	"deliveries are listed page by page":                    listDeliveries,
	"a user's webhooks end with it, and rest while it does": webhooksOfUsers,
	"a batch has the clicks since the one before":           reportClicks,
	"owners and tags choose the clicks":                     reportChosenClicks,
	"clicks that are not counted are not reported":          reportClicksOnce,
}

// hookTests test what package hookstore decides, which all stores share.
var hookTests = storeTests{
	"an identity has a bounded number of webhooks":      manyWebhooks,
	"a link ends by time once":                          reportEnd,
	"what is no change of a link's content is no event": reportNothing,
	"a webhook reports what happens while it is active": reportActive,
	"a change that is undone is no event":               reportUndone,
	"an event that can't be shown holds up no other":    reportBroken,
	"deliveries of a link are in order":                 deliverInOrder,
	"a delivery is taken by one, for a while":           takeOnce,
	"a webhook that fails for three days is disabled":   failForDays,
	"a webhook that is gone is disabled":                disableGone,
	"what waits for a disabled webhook fails":           disableByUser,
	"newer clicks wait for a batch that was not tried":  mergeClicks,
	"a batch of clicks is bounded":                      reportManyClicks,
	"the audit tells of webhooks, without secrets":      auditWebhooks,
}

// RunWebhooks tests webhooks. open returns a new store, and what runs a statement in its database.
func RunWebhooks(t *testing.T, open func(t *testing.T) (s Store, exec func(sql string))) {
	runHooks(t, open, runAll)
}

// RunSharedWebhooks is RunWebhooks for a store whose databases take long to make: what all stores
// share is only tested at length.
func RunSharedWebhooks(t *testing.T, open func(t *testing.T) (s Store, exec func(sql string))) {
	runHooks(t, open, runLong)
}

func runHooks(t *testing.T, open func(t *testing.T) (s Store, exec func(sql string)),
	run func(*testing.T, func(*testing.T) Store, ...storeTests),
) {
	plain := func(t *testing.T) Store {
		s, _ := open(t)
		return s
	}
	runAll(t, plain, webhookTests)
	run(t, plain, hookTests)
	for name, test := range map[string]func(*testing.T, Store, func(string)){
		"a webhook with too many deliveries is disabled":  disableBacklog,
		"finished deliveries are bounded":                 dropDeliveries,
		"another node's clock is ahead":                   clockAhead,
		"a user with many waiting deliveries is disabled": disableMany,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, exec := open(t)
			test(t, s, exec)
		})
	}
}

// brokenURL is a target whose payload can't be written.
const brokenURL = "https://broken.example/"

// briefly writes payloads that tests can read.
type briefly struct{}

func (briefly) OfLink(e terse.LinkEvent) ([]byte, error) {
	if e.After.URL == brokenURL {
		return nil, errors.New("broken")
	}
	words := []string{string(e.Type), e.After.Code.Text()}
	if e.Type == terse.EventUpdated {
		words = append(words, sortedFields(terse.DiffLinks(e.Before, e.After))...)
	}
	return []byte(strings.Join(words, " ")), nil
}

func sortedFields(fields terse.FieldChanges) (names []string) {
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (briefly) OfClicks(c terse.CountedClicks) ([]byte, error) {
	return fmt.Appendf(nil, "%d clicks", c.Total), nil
}

// hookOf returns a webhook for all events of an identity's links.
func hookOf(id, identity string) terse.Webhook {
	return terse.Webhook{
		ID: id, Owner: identity, CreatedBy: identity, URL: "https://hooks.example/" + id,
		Events: []terse.EventType{
			terse.EventCreated, terse.EventDeleted, terse.EventExpired, terse.EventUpdated,
		},
		Secret: []byte(strings.Repeat("s", 32)),
	}
}

func mustHook(t *testing.T, s Store, w terse.Webhook) terse.Webhook {
	t.Helper()
	made, err := s.CreateWebhook(t.Context(), admin, w)
	must(t, err)
	return made
}

// report makes deliveries of all that has happened.
func report(t *testing.T, s Store) {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = s.Report(t.Context(), briefly{})
		must(t, err)
	}
}

// deliveriesOf returns the deliveries of a webhook in a state, oldest first.
func deliveriesOf(t *testing.T, s Store, webhook string, status terse.DeliveryStatus,
) []terse.Delivery {
	t.Helper()
	all, err := s.Deliveries(t.Context(), terse.DeliveryQuery{
		Webhook: webhook, Status: status, Limit: 20_000,
	})
	must(t, err)
	slices.Reverse(all)
	return all
}

// wantReported checks the payloads of all deliveries of a webhook, in order.
func wantReported(t *testing.T, s Store, webhook string, want ...string) {
	t.Helper()
	report(t, s)
	var got []string
	for _, d := range deliveriesOf(t, s, webhook, "") {
		full, err := s.Delivery(t.Context(), webhook, d.ID)
		must(t, err)
		got = append(got, string(full.Payload))
		full.Payload = nil
		wantEqual(t, "a delivery by itself", full, d)
	}
	wantEqual(t, "payloads for "+webhook, got, want)
}

// taken takes what is due, and returns the payloads, sorted.
func taken(t *testing.T, s Store, limit, perWebhook int, until time.Time) (
	all []terse.Delivery, payloads []string,
) {
	t.Helper()
	all, to, err := s.TakeDeliveries(t.Context(),
		terse.Room{All: limit, Maker: 1000, Webhook: perWebhook}, until)
	must(t, err)
	for _, d := range all {
		payloads = append(payloads, string(d.Payload))
		if to[d.Webhook].ID != d.Webhook || d.Status != terse.Waiting {
			t.Errorf("taken for %+v: %+v", to[d.Webhook], d)
		}
	}
	slices.Sort(payloads)
	return all, payloads
}

// later is a time at which no lease of a test has ended.
func later() time.Time { return time.Now().Add(time.Hour) }

func success() terse.Outcome {
	return terse.Outcome{
		Attempt: terse.Attempt{
			Time: time.UnixMicro(time.Now().UnixMicro()).UTC(), Status: 204,
			Duration: 12 * time.Millisecond,
		},
		Status: terse.Delivered,
	}
}

// failure is an attempt that failed at a time, with another one at next; zero: it was the last.
func failure(at, next time.Time) terse.Outcome {
	o := terse.Outcome{
		Attempt: terse.Attempt{
			Time: at, Status: 500, Duration: time.Second, Response: []byte("no\xFF"),
		},
		Status: terse.Waiting, NextAt: next,
	}
	if next.IsZero() {
		o.Status = terse.Failed
	}
	return o
}

func keepWebhooks(t *testing.T, s Store) {
	began := time.Now()
	w := hookOf("first", terse.Identity)
	w.Description, w.Tags = "a description", []string{"News", "two words"}
	made := mustHook(t, s, w)
	wantNow(t, "created", made.CreatedAt, began)
	want := w
	want.CreatedAt, want.Version = made.CreatedAt, 1
	wantEqual(t, "made", made, want)
	again, err := s.CreateWebhook(t.Context(), admin, w)
	must(t, err)
	wantEqual(t, "made by the same request once more", again, want)
	got, err := s.Webhook(t.Context(), w.ID)
	must(t, err)
	wantEqual(t, "webhook", got, want)
	second := mustHook(t, s, hookOf("second", terse.Identity))
	mustCreateService(t, s, "ci")
	other := mustHook(t, s, hookOf("other", "ci"))
	for identity, want := range map[string][]terse.Webhook{
		terse.Identity:  {made, second},
		"ci":            {other},
		"nobody":        nil,
		terse.AllOwners: {made, second, other},
	} {
		all, err := s.Webhooks(t.Context(), identity)
		must(t, err)
		wantEqual(t, "webhooks of "+identity, all, want)
	}

	asked := made
	asked.URL, asked.Description, asked.Tags = "https://new.example/", "", nil
	asked.Events = []terse.EventType{terse.EventClicks}
	asked.FormerSecret, asked.Secret = asked.Secret, []byte("another")
	asked.FormerUntil = time.UnixMicro(began.Add(time.Hour).UnixMicro()).UTC()
	asked.Owner, asked.CreatedBy = "ci", "ci" // which stay
	changed, err := s.UpdateWebhook(t.Context(), admin, asked)
	must(t, err)
	want = asked
	want.Owner, want.CreatedBy, want.Version = made.Owner, made.CreatedBy, 2
	wantEqual(t, "changed", changed, want)
	got, err = s.Webhook(t.Context(), w.ID)
	must(t, err)
	wantEqual(t, "webhook after a change", got, want)
	stale := made
	stale.URL = "https://stale.example/"
	wantError(t, "stale", errOf(s.UpdateWebhook(t.Context(), admin, stale)), terse.ErrChanged)

	must(t, s.DeleteWebhook(t.Context(), admin, w.ID))
	wantError(t, "gone", errOf(s.Webhook(t.Context(), w.ID)), terse.ErrWebhookNotFound)
	wantError(t, "delete again", s.DeleteWebhook(t.Context(), admin, w.ID),
		terse.ErrWebhookNotFound)
	wantError(t, "update", errOf(s.UpdateWebhook(t.Context(), admin, changed)),
		terse.ErrWebhookNotFound)
	wantError(t, "nobody's", errOf(s.CreateWebhook(t.Context(), admin, hookOf("n", "nobody"))),
		terse.ErrUserNotFound)
}

func manyWebhooks(t *testing.T, s Store) {
	for i := range terse.MaxWebhooks {
		mustHook(t, s, hookOf(fmt.Sprint("w", i), terse.Identity))
	}
	_, err := s.CreateWebhook(t.Context(), admin, hookOf("more", terse.Identity))
	wantError(t, "one more", err, terse.ErrTooManyWebhooks)
	must(t, s.DeleteWebhook(t.Context(), admin, "w3"))
	mustHook(t, s, hookOf("more", terse.Identity))
}

func reportChanges(t *testing.T, s Store) {
	mustHook(t, s, hookOf("w", terse.Identity))
	link := createWith(t, s, "link", terse.LinkOptions{Tags: []string{"news"}})
	update := func(by terse.Caller, f func(*terse.Link)) {
		t.Helper()
		change := changeTo(link)
		f(&change.After)
		var err error
		link, err = s.Update(t.Context(), by, change)
		must(t, err)
	}
	update(me, func(l *terse.Link) {
		l.URL += "?new"
		l.Options = encoded(t, terse.LinkOptions{Title: "<title>", Tags: []string{"news"}})
	})
	update(because(me, terse.CauseTag), func(l *terse.Link) {
		l.Options = encoded(t, terse.LinkOptions{Title: "<title>", Tags: []string{"old"}})
	})
	update(me, func(l *terse.Link) { l.Code = code(t, "renamed") })
	must(t, s.Delete(t.Context(), me, link))
	limited := createWith(t, s, "limited", terse.LinkOptions{MaxClicks: 1})
	must(t, s.Take(t.Context(), limited.Ref()))
	wantError(t, "a second click", s.Take(t.Context(), limited.Ref()), terse.ErrUsedUp)
	wantReported(t, s, "w",
		"link.created link", "link.updated link original_url title", "link.updated link tags",
		"link.updated renamed short_code", "link.deleted renamed", "link.created limited",
		"link.expired limited")
}

// reportEnd: a link ends by time once.
func reportEnd(t *testing.T, s Store) {
	mustHook(t, s, hookOf("w", terse.Identity))
	var link terse.Link
	for wait := 20 * time.Millisecond; ; wait *= 2 {
		end := time.Now().Add(wait).UTC().Truncate(time.Microsecond)
		link = createWith(t, s, fmt.Sprint("ends", wait.Milliseconds()),
			terse.LinkOptions{ExpiresAt: end})
		if time.Now().Before(end) { // it was created in time
			break
		}
	}
	last := func() string {
		report(t, s)
		all := deliveriesOf(t, s, "w", "")
		return fmt.Sprint(all[len(all)-1].Type, all[len(all)-1].Link)
	}
	for want := fmt.Sprint(terse.EventExpired, link.ID); last() != want; {
		time.Sleep(10 * time.Millisecond)
	}
	change := changeTo(link)
	change.After.URL += "?after"
	must(t, errOf(s.Update(t.Context(), me, change)))
	wantEqual(t, "last", last(), fmt.Sprint(terse.EventUpdated, link.ID))
}

// reportNothing: an import, a reset, a share and a change that changes nothing.
func reportNothing(t *testing.T, s Store) {
	ctx := t.Context()
	mustHook(t, s, hookOf("w", terse.Identity))
	importing := because(me, terse.CauseImport)
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		_, _, err := tx.CreateAll(ctx, importing,
			[]terse.RestoredLink{{Link: newLink(t, "brought")}})
		return err
	}))
	link := find(t, s, code(t, "brought"))
	used := int64(3)
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		return tx.Restore(ctx, importing, link.Ref(),
			terse.Restored{Used: &used, CreatedAt: spring})
	}))
	link = find(t, s, code(t, "brought"))
	same, err := s.Update(ctx, me, changeTo(link))
	must(t, err)
	must(t, s.ClearClicks(ctx, me, link.Ref()))
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		return shareErr(tx.Share(ctx, me, terse.ShareOf(same.Ref()), terse.NewShare(),
			terse.ShareChange{}))
	}))
	wantReported(t, s, "w")
}

func reportMatching(t *testing.T, s Store) {
	ctx := t.Context()
	mustCreateService(t, s, "ci")
	mustHook(t, s, hookOf("mine", terse.Identity))
	mustHook(t, s, hookOf("ci", "ci"))
	all := hookOf("all", terse.Identity)
	all.Owner = terse.AllOwners
	mustHook(t, s, all)
	tagged := hookOf("tagged", terse.Identity)
	tagged.Tags = []string{"NEWS", "x"}
	mustHook(t, s, tagged)
	deletes := hookOf("deletes", terse.Identity)
	deletes.Events = []terse.EventType{terse.EventDeleted}
	mustHook(t, s, deletes)

	link := createWith(t, s, "link", terse.LinkOptions{Tags: []string{"News"}})
	change := changeTo(link)
	change.After.Options = "" // it had the tag before
	link, err := s.Update(ctx, me, change)
	must(t, err)
	change = changeTo(link)
	change.After.CreatedBy = "ci"
	link, err = s.Update(ctx, me, change)
	must(t, err)
	must(t, s.Delete(ctx, me, link))
	wantReported(t, s, "mine", "link.created link", "link.updated link tags",
		"link.updated link owner")
	wantReported(t, s, "ci", "link.updated link owner", "link.deleted link")
	wantReported(t, s, "all", "link.created link", "link.updated link tags",
		"link.updated link owner", "link.deleted link")
	wantReported(t, s, "tagged", "link.created link", "link.updated link tags")
	wantReported(t, s, "deletes")
}

// reportActive: while another webhook reports everything, one gets what happens while it is active.
func reportActive(t *testing.T, s Store) {
	mustHook(t, s, hookOf("always", terse.Identity))
	create(t, s, "before")
	w := mustHook(t, s, hookOf("w", terse.Identity))
	create(t, s, "first")
	wantReported(t, s, "w", "link.created first")
	w.Disabled = terse.DisabledByUser
	w, err := s.UpdateWebhook(t.Context(), admin, w)
	must(t, err)
	if w.DisabledAt.IsZero() {
		t.Error("nobody knows since when it is disabled")
	}
	create(t, s, "second")
	w.Disabled = ""
	w, err = s.UpdateWebhook(t.Context(), admin, w)
	must(t, err)
	wantEqual(t, "disabled since", w.DisabledAt, time.Time{})
	create(t, s, "third")
	wantReported(t, s, "w", "link.created first", "link.created third")
	must(t, s.DeleteWebhook(t.Context(), admin, "w"))
	must(t, s.DeleteWebhook(t.Context(), admin, "always"))
	create(t, s, "fourth")
	mustHook(t, s, hookOf("next", terse.Identity))
	wantReported(t, s, "next")
}

// reportUndone: an event is in the transaction of its change.
func reportUndone(t *testing.T, s Store) {
	mustHook(t, s, hookOf("w", terse.Identity))
	undone := errors.New("undone")
	err := s.Transact(t.Context(), func(tx terse.Tx) error {
		if err := errOf(tx.Create(t.Context(), me, newLink(t, "undone"))); err != nil {
			return err
		}
		return undone
	})
	wantError(t, "a transaction that is undone", err, undone)
	create(t, s, "done")
	wantError(t, "taken", errOf(s.Create(t.Context(), me, newLink(t, "done"))), terse.ErrCodeTaken)
	wantReported(t, s, "w", "link.created done")
}

func reportBroken(t *testing.T, s Store) {
	mustHook(t, s, hookOf("w", terse.Identity))
	broken := newLink(t, "broken")
	broken.URL = brokenURL
	must(t, errOf(s.Create(t.Context(), me, broken)))
	create(t, s, "sound")
	_, err := s.Report(t.Context(), briefly{})
	if err == nil || !strings.Contains(err.Error(), "payload of link.created broken") {
		t.Errorf("an event that can't be shown: %v", err)
	}
	wantReported(t, s, "w", "link.created sound")
}

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

func webhooksOfUsers(t *testing.T, s Store) {
	ctx := t.Context()
	mustCreateService(t, s, "ci")
	mustHook(t, s, hookOf("w", "ci"))
	byAdmin := hookOf("admin", terse.Identity)
	byAdmin.Owner = "ci"
	mustHook(t, s, byAdmin)
	add := func(c string) {
		t.Helper()
		l := newLink(t, c)
		l.CreatedBy = "ci"
		must(t, errOf(s.Create(ctx, me, l)))
	}
	disable := func(disabled bool) {
		t.Helper()
		must(t, errOf(s.UpdateUser(ctx, admin, "ci", terse.UserChange{Disabled: &disabled})))
	}
	add("link-a")
	report(t, s)
	add("link-late") // which is no delivery yet
	disable(true)
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), 1)
	add("link-b")
	wantReported(t, s, "w", "link.created link-a", "link.created link-late")
	wantEqual(t, "failed", len(deliveriesOf(t, s, "w", terse.Failed)), 2)
	wantReported(t, s, "admin", "link.created link-a", "link.created link-late",
		"link.created link-b")
	wantEqual(t, "lost", s.LostDeliveries(), 2)
	add("link-c")
	disable(false)
	add("link-d")
	report(t, s)
	add("link-e")
	disable(true)
	add("link-f")
	disable(true) // which changes nothing
	disable(false)
	add("link-g")
	wantReported(t, s, "w", "link.created link-a", "link.created link-late",
		"link.created link-d", "link.created link-e", "link.created link-g")
	wantEqual(t, "waiting", len(deliveriesOf(t, s, "w", terse.Waiting)), 1)
	wantEqual(t, "lost", s.LostDeliveries(), 4)
	for _, c := range []string{
		"link-a", "link-late", "link-b", "link-c", "link-d", "link-e", "link-f", "link-g",
	} {
		must(t, s.Delete(ctx, me, find(t, s, code(t, c))))
	}
	must(t, s.DeleteUser(ctx, admin, "ci"))
	all, err := s.Webhooks(ctx, terse.AllOwners)
	must(t, err)
	wantEqual(t, "webhooks", len(all), 0)
	wantEqual(t, "deliveries", len(deliveriesOf(t, s, "w", "")), 0)
}

func auditWebhooks(t *testing.T, s Store) {
	ctx, a := t.Context(), &auditor{t: t, s: s}
	w := hookOf("w", terse.Identity)
	w.URL = "https://user:pass@hooks.example/path?token=hidden#part"
	w.Owner = terse.AllOwners
	w, err := s.CreateWebhook(ctx, ann, w)
	must(t, err)
	a.want("a create", ann, `webhook.create w {"events":["link.created","link.deleted",`+
		`"link.expired","link.updated"],"owner":"*","url":"https://hooks.example/path"}`)
	w.Description, w.URL = "new", "https://new.example/?token=hidden"
	w, err = s.UpdateWebhook(ctx, ann, w)
	must(t, err)
	a.want("an update", ann,
		`webhook.update w {"fields":["description","url"],"url":"https://new.example/"}`)
	w.Secret, w.FormerSecret = []byte("another"), w.Secret
	w, err = s.UpdateWebhook(ctx, ann, w)
	must(t, err)
	a.want("a rotation", ann, `webhook.rotate w`)
	w, err = s.UpdateWebhook(ctx, ann, w)
	must(t, err)
	a.want("a change of nothing", ann)
	w.Disabled = terse.DisabledByUser
	must(t, errOf(s.UpdateWebhook(ctx, ann, w)))
	a.want("disabled", ann, `webhook.update w {"disabled_reason":"user","fields":["disabled"]}`)
	must(t, s.DeleteWebhook(ctx, ann, "w"))
	a.want("a delete", ann, `webhook.delete w {"owner":"*","url":"https://new.example/"}`)
}

// clickHook is a hookOf for clicks alone.
func clickHook(id, identity string) terse.Webhook {
	w := hookOf(id, identity)
	w.Events = []terse.EventType{terse.EventClicks}
	return w
}

// bulletins keeps what webhooks got of clicks.
type bulletins struct {
	briefly
	all []terse.CountedClicks
}

func (b *bulletins) OfClicks(c terse.CountedClicks) ([]byte, error) {
	b.all = append(b.all, c)
	return b.briefly.OfClicks(c)
}

// next reports until there is another batch, delivers what is due, and returns the batch. It waits
// until one is due.
func (b *bulletins) next(t *testing.T, s Store) terse.CountedClicks {
	t.Helper()
	for seen := len(b.all); ; {
		b.deliver(t, s)
		must(t, errOf(s.Report(t.Context(), b)))
		if len(b.all) > seen {
			return b.all[len(b.all)-1]
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (b *bulletins) deliver(t *testing.T, s Store) {
	t.Helper()
	all, _ := taken(t, s, 64, 4, later())
	for _, d := range all {
		must(t, errOf(s.FinishDelivery(t.Context(), d, success())))
	}
}

// reportClicks: a batch has what was counted since the one before.
func reportClicks(t *testing.T, s Store) {
	ctx, j, b := t.Context(), newJournal(t, s), &bulletins{}
	one := createWith(t, s, "one", terse.LinkOptions{})
	two := createWith(t, s, "two", terse.LinkOptions{})
	gone := createWith(t, s, "gone", terse.LinkOptions{})
	click := func(l terse.Link, second int, referrer string) terse.Click {
		c := terse.Click{
			Link: l.ID, Code: l.Code,
			Time: spring.Add(time.Duration(second) * time.Second).UnixMicro(),
		}
		c.Values[terse.ByReferrer] = referrer
		return c
	}
	j.feed([]terse.Click{click(one, 0, "")}) // before there is a webhook
	mustHook(t, s, clickHook("w", terse.Identity))
	untracked := click(two, 9, "")
	untracked.Untracked = true
	j.feed([]terse.Click{
		click(two, 3, "https://a.example/"), click(one, 2, ""), click(two, 1, ""),
		click(gone, 4, ""), untracked,
	})
	must(t, s.Delete(ctx, me, gone))
	got := b.next(t, s)
	event := func(l terse.Link, second int, referrer string) terse.Event {
		c := click(l, second, referrer)
		e := terse.Event{Link: l.Ref(), Time: c.Time, Values: c.Values, Count: 1}
		clickblock.Derive(&e.Values)
		return e
	}
	wantEqual(t, "batch", got, terse.CountedClicks{
		From: time.UnixMicro(springDay.Start()).UTC(), To: spring.Add(4 * time.Second), Total: 5,
		ByLink: []terse.LinkClicks{
			{LinkRef: two.Ref(), Clicks: 3}, {LinkRef: one.Ref(), Clicks: 1},
		},
		First: []terse.Event{
			event(two, 1, ""), event(one, 2, ""), event(two, 3, "https://a.example/"),
		},
	})
	must(t, errOf(s.Report(ctx, b)))
	wantEqual(t, "batches without other clicks", len(b.all), 1)
	// Two batches are counted before there is another delivery.
	for second := 10; second < 12; second++ {
		j.feed([]terse.Click{click(one, second, "")})
	}
	got = b.next(t, s)
	wantEqual(t, "clicks of both", got.Total, 2)
	wantEqual(t, "deliveries", len(deliveriesOf(t, s, "w", "")), 2)
}

// mergeClicks: while a batch has not been tried, newer clicks wait for the next one.
func mergeClicks(t *testing.T, s Store) {
	j, b := newJournal(t, s), &bulletins{}
	link := create(t, s, "link")
	mustHook(t, s, clickHook("w", terse.Identity))
	visit := func() {
		j.feed([]terse.Click{{Link: link.ID, Code: link.Code, Time: spring.UnixMicro()}})
	}
	visit()
	b.next(t, s)
	made := time.Now()
	for time.Since(made) < 1200*time.Millisecond {
		visit()
		must(t, errOf(s.Report(t.Context(), b)))
		time.Sleep(100 * time.Millisecond)
	}
	wantEqual(t, "batches while the first has not been tried", len(b.all), 1)
	visits := int64(0)
	b.next(t, s)
	visit()
	b.next(t, s)
	for _, c := range b.all {
		visits += c.Total
	}
	series := seriesOf(t, s, link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	wantEqual(t, "clicks of all batches", visits, series.Total)
}

// reportChosenClicks: owners and tags choose the clicks, and a webhook gets what is counted while
// it is active.
func reportChosenClicks(t *testing.T, s Store) {
	ctx, j, b := t.Context(), newJournal(t, s), &bulletins{}
	mustCreateService(t, s, "ci")
	mine := createWith(t, s, "mine", terse.LinkOptions{Tags: []string{"News"}})
	plain := create(t, s, "plain")
	l := newLink(t, "theirs")
	l.CreatedBy, l.Options = "ci", encoded(t, terse.LinkOptions{Tags: []string{"news"}})
	theirs := mustCreate(t, s, l)
	visit := func(links ...terse.Link) {
		var clicks []terse.Click
		for _, l := range links {
			clicks = append(clicks, terse.Click{Link: l.ID, Code: l.Code, Time: spring.UnixMicro()})
		}
		j.feed(clicks)
	}
	hooks := map[string]terse.Webhook{}
	for id, w := range map[string]terse.Webhook{
		"mine": clickHook("mine", terse.Identity), "ci": clickHook("ci", "ci"),
		"tagged": clickHook("tagged", terse.Identity), "all": clickHook("all", terse.Identity),
		"all tagged": clickHook("all-tagged", terse.Identity),
		"none":       clickHook("none", terse.Identity), "off": clickHook("off", terse.Identity),
	} {
		switch id {
		case "tagged", "all tagged":
			w.Tags = []string{"NEWS", "more"}
		case "none":
			w.Tags = []string{"nothing"}
		}
		if strings.HasPrefix(id, "all") {
			w.Owner = terse.AllOwners
		}
		hooks[id] = mustHook(t, s, w)
	}
	off := hooks["off"]
	off.Disabled = terse.DisabledByUser
	off, err := s.UpdateWebhook(ctx, admin, off)
	must(t, err)
	visit(mine, mine, plain, theirs)
	off.Disabled = ""
	must(t, errOf(s.UpdateWebhook(ctx, admin, off)))
	must(t, errOf(s.Report(ctx, b)))
	for id, want := range map[string]string{
		"mine": "3 clicks", "ci": "1 clicks", "tagged": "2 clicks", "all": "4 clicks",
		"all-tagged": "3 clicks", "none": "", "off": "",
	} {
		var got []string
		for _, d := range deliveriesOf(t, s, id, "") {
			full, err := s.Delivery(ctx, id, d.ID)
			must(t, err)
			got = append(got, string(full.Payload))
		}
		wantEqual(t, "payloads for "+id, strings.Join(got, ", "), want)
	}
}

// reportManyClicks: what a batch has is bounded, and its total is exact.
func reportManyClicks(t *testing.T, s Store) {
	j, b := newJournal(t, s), &bulletins{}
	var restored []terse.RestoredLink
	for i := range 1200 {
		restored = append(restored, terse.RestoredLink{Link: newLink(t, fmt.Sprint("many", i))})
	}
	var links []terse.Link
	must(t, s.Transact(t.Context(), func(tx terse.Tx) (err error) {
		links, _, err = tx.CreateAll(t.Context(), me, restored)
		return err
	}))
	mustHook(t, s, clickHook("w", terse.Identity))
	var clicks []terse.Click
	for i, l := range links {
		for k := range 1 + i%7 {
			clicks = append(clicks, terse.Click{
				Link: l.ID, Code: l.Code,
				Time: spring.Add(time.Duration(k*1200+i) * time.Millisecond).UnixMicro(),
			})
		}
	}
	for len(clicks) > 0 { // in several rows
		n := min(1000, len(clicks))
		j.feed(clicks[len(clicks)-n:])
		clicks = clicks[:len(clicks)-n]
	}
	got := b.next(t, s)
	total, byLink := int64(0), map[terse.LinkID]int64{}
	for i, l := range links {
		byLink[l.ID] = int64(1 + i%7)
		total += byLink[l.ID]
	}
	wantEqual(t, "total", got.Total, total)
	wantEqual(t, "links", len(got.ByLink), 1000)
	for i, of := range got.ByLink {
		wantEqual(t, "clicks of a link", of.Clicks, byLink[of.ID])
		if i > 0 && of.Clicks > got.ByLink[i-1].Clicks {
			t.Errorf("link %d has more clicks than the one before", i)
		}
	}
	wantEqual(t, "single clicks", len(got.First), 1000)
	for i, e := range got.First {
		wantEqual(t, "time", e.Time, spring.Add(time.Duration(i)*time.Millisecond).UnixMicro())
	}
}

// reportClicksOnce: a batch that is not counted is not reported.
func reportClicksOnce(t *testing.T, s Store) {
	b, link := &bulletins{}, create(t, s, "link")
	mustHook(t, s, clickHook("w", terse.Identity))
	clicks := []terse.Click{
		{Link: link.ID, Code: link.Code, Time: spring.UnixMicro()},
		{Link: link.ID + 1000, Code: code(t, "unknown"), Time: spring.UnixMicro()},
	}
	early := Batch("j", 0, clicks...)
	early.GiveUp = nil
	wantError(t, "a batch with a link that is not known", s.AddClicks(t.Context(), early),
		terse.ErrUnknownLink)
	must(t, s.AddClicks(t.Context(), Batch("j", 0, clicks[0])))
	if err := s.AddClicks(t.Context(), Batch("j", 0, clicks[0])); err == nil {
		t.Error("a batch was counted twice")
	}
	wantEqual(t, "clicks", b.next(t, s).Total, 1)
}
