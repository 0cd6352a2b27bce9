package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
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
