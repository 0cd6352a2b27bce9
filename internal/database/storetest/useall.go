package storetest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickstore"
)

// UseAll uses all of a store, as a server does, with an owner of its own: whatever statement a
// store has, UseAll makes it run it. A store's tests look at those statements.
//
// A new method, or a new kind of question, needs its place here: the tests compare with the
// statements of the whole suite.
func UseAll(t *testing.T, s Store) {
	u := &useAll{t: t, Store: s, journal: newJournal(t, s)}
	u.owner = "owner of all"
	for _, step := range []func(){
		u.create, u.change, u.transact, u.count, u.lists, u.questions, u.archive, u.drop, u.remove,
		u.accounts, u.audit, u.domains, u.webhooks,
	} {
		step()
	}
}

type useAll struct {
	t *testing.T
	Store
	*journal
	owner string
	links []terse.Link
	spare int // codes used so far
}

func (u *useAll) newLink(o terse.LinkOptions) terse.NewLink {
	u.spare++
	text := fmt.Sprintf("%.3s%05d", u.owner, u.spare)
	return terse.NewLink{
		Code: code(u.t, text), URL: terse.URL("https://example.org/" + text),
		CreatedBy: u.owner, Options: encoded(u.t, o),
	}
}

// do runs f in a transaction.
func (u *useAll) do(f func(tx terse.Tx) error) {
	u.t.Helper()
	must(u.t, u.Transact(u.t.Context(), f))
}

func (u *useAll) create() {
	ctx := u.t.Context()
	for i := range 3 { // of 200 links each
		var all []terse.RestoredLink
		for k := range 200 {
			o := terse.LinkOptions{Tags: []string{"Many", fmt.Sprint("tag", k%20)}}
			switch k % 10 {
			case 0:
				o.MaxClicks = 5
			case 1:
				o.ExpiresAt = time.Now().Add(time.Hour).Truncate(time.Microsecond).UTC()
			case 2:
				o.Disabled = true
			case 3:
				o.Aliases = []string{fmt.Sprintf("docs/all%d-%d", i, k)}
			}
			all = append(all, terse.RestoredLink{
				Link: u.newLink(o), Restored: terse.Restored{History: []terse.HistoryEntry{{
					Time: spring, By: u.owner,
					Fields: terse.FieldChanges{"title": {Old: []byte(`"a"`)}},
				}}},
			})
		}
		u.do(func(tx terse.Tx) error {
			created, _, err := tx.CreateAll(ctx, me, all)
			u.links = append(u.links, created...)
			return err
		})
	}
	plain := mustCreate(u.t, u.Store, u.newLink(terse.LinkOptions{}))
	wantError(u.t, "taken", errOf(u.Create(ctx, me, terse.NewLink{
		Code: plain.Code, URL: plain.URL, CreatedBy: u.owner,
	})), terse.ErrCodeTaken)
	mustCreate(u.t, u.Store, u.newLink(terse.LinkOptions{
		Aliases: []string{"another/one"}, Tags: []string{"MANY"},
	}))
	find(u.t, u.Store, plain.Code)
	found, err := u.Find(ctx, []string{plain.Code.String(), "docs/all0-3", "nothing"})
	must(u.t, err)
	wantEqual(u.t, "found", len(found), 2)
}

func (u *useAll) change() {
	ctx := u.t.Context()
	change := func(i int, f func(*terse.Link)) {
		u.t.Helper()
		c := changeTo(find(u.t, u.Store, u.links[i].Code))
		f(&c.After)
		link, err := u.Update(ctx, me, c)
		must(u.t, err)
		u.links[i] = link
	}
	change(4, func(l *terse.Link) { l.URL += "?changed" })
	change(5, func(l *terse.Link) { l.Options = encoded(u.t, terse.LinkOptions{Title: "x"}) })
	change(6, func(l *terse.Link) { l.Code = code(u.t, "all-renamed") })
	change(7, func(l *terse.Link) {
		l.Options = encoded(u.t, terse.LinkOptions{Aliases: []string{"all/alias"}})
	})
	change(7, func(l *terse.Link) {
		l.Options = encoded(u.t, terse.LinkOptions{Aliases: []string{"all/another"}})
	})
	change(10, func(l *terse.Link) { l.Options = "" })
	for range 2 {
		change(7, func(l *terse.Link) { l.Options, l.URL = "damaged", l.URL+"?damaged" })
	}
	change(5, func(l *terse.Link) { l.CreatedBy = "another" })
	change(5, func(l *terse.Link) { l.CreatedBy = u.owner })
	must(u.t, u.Take(ctx, u.links[0].Ref()))
	must(u.t, errOf(u.History(ctx, u.links[4].Ref())))
	must(u.t, errOf(u.Tags(ctx, u.owner)))
	must(u.t, errOf(u.Tags(ctx, terse.AllOwners)))
	share := terse.NewShare()
	u.do(func(tx terse.Tx) error {
		return shareErr(tx.Share(ctx, me, terse.ShareOf(u.links[4].Ref()), share,
			terse.ShareChange{}))
	})
	must(u.t, errOf(u.Share(ctx, terse.ShareOf(u.links[4].Ref()))))
	wantError(u.t, "Share", errOf(u.Share(ctx, terse.ShareOf(u.links[5].Ref()))),
		terse.ErrShareNotFound)
	must(u.t, sharedErr(ctx, u, share))
	change(4, func(l *terse.Link) { l.Code = code(u.t, "all-shared") })
	must(u.t, u.Unshare(ctx, me, terse.ShareOf(u.links[4].Ref())))
	u.shares()
}

// shares uses all that stores do with shares of tags and of all links.
func (u *useAll) shares() {
	ctx, title := u.t.Context(), "title"
	tag, all := terse.ShareTarget{Owner: terse.Identity, Tag: "all-shared"},
		terse.ShareTarget{Owner: terse.Identity}
	link := mustCreate(u.t, u, terse.NewLink{
		Code: code(u.t, "all-tagged"), URL: "https://example.org/", CreatedBy: terse.Identity,
		Options: encoded(u.t, terse.LinkOptions{Tags: []string{tag.Tag}}),
	})
	for _, target := range []terse.ShareTarget{tag, all, terse.ShareOf(link.Ref())} {
		for _, change := range []terse.ShareChange{{}, {Title: &title}} {
			u.do(func(tx terse.Tx) error {
				return shareErr(tx.Share(ctx, me, target, terse.NewShare(), change))
			})
		}
	}
	shared, err := u.Share(ctx, tag)
	must(u.t, err)
	must(u.t, sharedErr(ctx, u, shared.Share))
	must(u.t, errOf(u.SharesOf(ctx, terse.Identity)))
	to := terse.ShareTarget{Owner: terse.Identity, Tag: "all-moved"}
	u.do(func(tx terse.Tx) error {
		must(u.t, tx.MoveShare(ctx, me, tag, to))
		must(u.t, tx.MoveShare(ctx, me, to, all)) // which has one
		made, err := tx.RestoreShare(ctx, me, shared)
		wantEqual(u.t, "restored", made, true)
		must(u.t, err)
		return tx.Unshare(ctx, me, all)
	})
	must(u.t, u.Unshare(ctx, me, tag))
	wantError(u.t, "Unshare", u.Unshare(ctx, me, to), terse.ErrTagNotFound)
}

func (u *useAll) domains() {
	ctx, url := u.t.Context(), terse.URL("https://example.org/")
	must(u.t, u.AddDomains(ctx, []string{"go.example"}))
	for _, change := range []terse.DomainChange{{Root: &url}, {Root: new(terse.URL(""))}} {
		_, err := u.UpdateDomain(ctx, me, 1, change)
		must(u.t, err)
	}
}

func (u *useAll) transact() {
	ctx := u.t.Context()
	key, none := terse.AnswerKey{}, terse.AnswerKey{1}
	_, _ = rand.Read(key[:])
	u.do(func(tx terse.Tx) error {
		if err := errOf(tx.Answer(ctx, none)); !errors.Is(err, terse.ErrNotFound) {
			return err
		}
		link, err := tx.Create(ctx, me, u.newLink(terse.LinkOptions{}))
		if err != nil {
			return err
		}
		if link, err = tx.Link(ctx, link.Code); err != nil {
			return err
		}
		c := changeTo(link)
		c.After.URL += "?changed"
		if link, err = tx.Update(ctx, me, c); err != nil {
			return err
		}
		_, err = tx.NewestTo(ctx, u.owner, terse.DefaultDomain, link.URL, time.Now())
		if err != nil {
			return err
		}
		return tx.KeepAnswer(ctx, key, terse.Answer{Status: 201, Body: []byte("body")})
	})
	u.do(func(tx terse.Tx) error { return errOf(tx.Answer(ctx, key)) })
	u.do(func(tx terse.Tx) error { return tx.SpellTag(ctx, u.owner, "many") })
	used := int64(2)
	u.do(func(tx terse.Tx) error {
		return tx.Restore(ctx, me, u.links[10].Ref(), terse.Restored{
			CreatedAt: spring, UpdatedAt: time.Now(), Used: &used, Share: terse.NewShare(),
			History: []terse.HistoryEntry{{Time: spring, By: u.owner}},
		})
	})
	for _, day := range []terse.Day{springDay, springDay + 1} {
		must(u.t, u.KeepUnknown(ctx, u.name, day, terse.UnknownCodes{Total: 3}))
	}
	must(u.t, errOf(u.Unknown(ctx, springDay)))
	must(u.t, u.Check(ctx))
	must(u.t, errOf(u.JournalPosition(ctx, u.name)))
}

// count counts clicks until they are on all levels, with visitors whose days end.
func (u *useAll) count() {
	ctx := u.t.Context()
	keep(u.t, u.Store, springDay)
	for day := range terse.Day(70) {
		at := springDay + day
		keep(u.t, u.Store, at)
		busy := u.visits(u.links[:2], 2000, 500, at)
		u.feed(append(busy, u.visits(u.links[:300], 600, 50, at)...))
		must(u.t, u.EndDays(ctx, u.name, at, true))
	}
}

func (u *useAll) lists() {
	ctx := u.t.Context()
	month := timeRange(u.t, (springDay + 20).Start(), (springDay + 50).Start())
	filters := []terse.LinkFilter{
		{},
		{Tags: []string{"many"}},
		{Tags: []string{"many", "tag3"}},
		{Status: terse.Active},
		{Status: terse.Disabled},
		{Archived: new(false)},
		{Archived: new(true)},
		{UnusedSince: new(springDay + 60)},
		{CreatedAfter: time.Now().Add(-time.Hour), CreatedBefore: time.Now()},
	}
	for _, owner := range []string{u.owner, terse.AllOwners} {
		u.listsOf(owner, filters, month)
	}
	must(u.t, errOf(u.Clicks(ctx, u.links[0].Ref())))
}

func (u *useAll) listsOf(owner string, filters []terse.LinkFilter, month terse.TimeRange) {
	for _, f := range filters {
		f.Now = time.Now()
		for _, order := range []terse.LinkOrder{
			terse.NewestFirst, terse.OldestFirst, terse.MostClickedFirst,
		} {
			for _, search := range []terse.Search{nil, {{"own0001"}}, {{"nowhere"}}} {
				q := terse.LinkQuery{
					Owner: owner, Order: order, Filter: f, Search: search, Limit: 20,
				}
				page := pageOf(u.t, u.Store, q)
				if q.After = page.Next; q.After != nil {
					pageOf(u.t, u.Store, q)
				}
			}
		}
		pageOf(u.t, u.Store, terse.LinkQuery{Owner: owner, Filter: f, Limit: 20, Offset: 100})
		pageOf(u.t, u.Store, terse.LinkQuery{
			Owner: owner, Filter: f, Limit: 20, Order: terse.MostClickedFirst, Within: month,
			People: true,
		})
	}
}

// questions asks about a busy link, a quiet one and all of them.
func (u *useAll) questions() {
	ctx := u.t.Context()
	some := timeRange(u.t, (springDay+3).Start()+5, (springDay+65).Start()+7)
	for _, link := range []terse.LinkRef{u.links[0].Ref(), u.links[200].Ref(), terse.AllLinks} {
		tags := [][]string{nil}
		if link == terse.AllLinks {
			tags = append(tags, []string{"many"}, []string{"many", "tag3"})
		}
		for _, tags := range tags {
			for _, within := range []terse.TimeRange{terse.AllTime, some} {
				q := terse.SeriesQuery{
					Range: within, Owner: u.owner, Some: terse.SomeLinks{Tags: tags},
					VisitorsBy: true, People: true,
				}
				if link == terse.AllLinks {
					q.Top = 10
				}
				seriesOf(u.t, u.Store, link, q)
				q.Filter[terse.ByVisitor].Not = []string{terse.Bot}
				seriesOf(u.t, u.Store, link, q)
				q.Filter[terse.ByCountry].Only = []string{countryOf(1).String()}
				seriesOf(u.t, u.Store, link, q)
				e := terse.EventQuery{
					Range: within, Owner: u.owner, Some: terse.SomeLinks{Tags: tags}, Limit: 20,
				}
				for range 2 {
					page, err := u.Events(ctx, link, e)
					must(u.t, err)
					e.After = page.Next
				}
			}
		}
	}
}

func (u *useAll) archive() {
	ctx := u.t.Context()
	for _, owner := range []string{u.owner, terse.AllOwners} {
		must(u.t, u.Export(ctx, terse.ExportQuery{Owner: owner},
			func(int64, int64) error { return nil },
			func(e terse.Exported) error {
				return e.Past(func(terse.PastDay) error { return nil },
					func(terse.PastClick) error { return nil })
			}, func(terse.Shared, terse.URL) error { return nil }))
	}
	var past []terse.Past
	for _, link := range u.links[300:350] {
		p := PastDays(link.Ref(), 3)
		p.Clicks = []terse.PastClick{{Time: spring.UnixMicro(), Count: 3, Firsts: 1}}
		p.Days = append(p.Days, terse.PastDayAdded{PastDay: terse.PastDay{Day: springDay}})
		past = append(past, p)
	}
	must(u.t, errOf(u.TryPast(ctx, past)))
	for range 2 {
		must(u.t, errOf(u.AddPast(ctx, past)))
	}
}

// drop drops clicks of half of the time, and asks again.
func (u *useAll) drop() {
	must(u.t, u.DropClicks(u.t.Context(), time.UnixMicro((springDay+35).Start())))
	u.questions()
	must(u.t, u.ClearClicks(u.t.Context(), me, u.links[0].Ref()))
}

func (u *useAll) remove() {
	ctx := u.t.Context()
	for _, link := range u.links[20:30] {
		must(u.t, u.Delete(ctx, me, find(u.t, u.Store, link.Code)))
	}
	gone := find(u.t, u.Store, u.links[30].Code)
	u.do(func(tx terse.Tx) error { return tx.Delete(ctx, me, gone) })
	u.do(func(tx terse.Tx) error {
		some, _, err := tx.LinkAll(ctx, []terse.Code{u.links[31].Code, u.links[32].Code})
		if err != nil {
			return err
		}
		return errOf(tx.DeleteAll(ctx, me, some))
	})
	u.feed(u.clicks(u.links[40:42], 100, spring.Add(80*24*time.Hour), time.Hour)) // applies them
	u.lists()
}

func (u *useAll) accounts() {
	ctx, t := u.t.Context(), u.t
	for range 2 {
		mustCreateService(t, u.Store, "all-ci")
		signIn(t, u.Store, anna)
	}
	wantError(t, "taken", errOf(u.SignIn(ctx, me, terse.User{
		Identity: "all-ci", Issuer: anna.Issuer, Subject: "all",
	}, newSession())), terse.ErrIdentityTaken)
	token, hash := mustCreateToken(t, u.Store, newToken("all-ci", "a"))
	must(t, errOf(u.Tokens(ctx, "all-ci")))
	must(t, errOf(u.Tokens(ctx, terse.AllOwners)))
	must(t, errOf(u.Token(ctx, token.ID)))
	must(t, errOf(u.TokenGrant(ctx, hash)))
	session := openSession(t, u.Store, token)
	must(t, errOf(u.SessionGrant(ctx, session.Hash)))
	must(t, u.Seen(ctx, "all-ci", token.ID, time.Now()))
	must(t, u.DeleteSession(ctx, me, session.Hash))
	openSession(t, u.Store, token)
	must(t, u.DeleteSessions(ctx, me, "all-ci"))
	must(t, u.DeleteToken(ctx, me, token.ID))
	must(t, errOf(u.Users(ctx, nil)))
	must(t, errOf(u.User(ctx, anna.Identity)))
	for _, disabled := range []bool{true, false} {
		must(t, errOf(u.UpdateUser(ctx, me, anna.Identity, userChange(terse.Admin, disabled))))
	}
	must(t, u.DeleteUser(ctx, me, anna.Identity))
}

// UseAddresses uses addresses in all ways, for a store that compares them in another way.
func UseAddresses(t *testing.T, s Store) {
	u := &useAll{t: t, Store: s, journal: newJournal(t, s), owner: "another owner"}
	o := terse.LinkOptions{Aliases: []string{"Docs/Another"}}
	c := changeTo(mustCreate(t, s, u.newLink(o)))
	c.After.Code = code(t, "Renamed")
	must(t, errOf(s.Update(t.Context(), me, c)))
	must(t, errOf(s.Find(t.Context(), []string{"renamed", "docs/another", "nothing"})))
	u.do(func(tx terse.Tx) error { return errOf(tx.Link(t.Context(), c.After.Code)) })
	find(t, s, mustCreate(t, s, u.newLink(terse.LinkOptions{})).Code)
}

// UseRows uses the rows of clicks in all ways, as of a transaction and of a snapshot: which of them
// UseAll needs depends on what a store has in memory. The caller takes the transaction back.
func UseRows(t *testing.T, in clickstore.Rows, of clickstore.Reader) {
	t.Helper()
	for table := range clickstore.NumTables {
		key := clickstore.Key{A: 1}
		some := []clickstore.Range{{Table: table, A: 1, To: 5}, {Table: table, A: 2, To: 5}}
		for _, r := range []clickstore.Reader{in, of} {
			must(t, r.Get(table, key, func([]byte) error { return nil }))
			must(t, r.Scan(some[0], clickstore.Always,
				func(int64, clickstore.Span, []byte) error { return nil }))
			must(t, r.Sizes(some[0], func(int64, clickstore.Span, int) error { return nil }))
			must(t, r.ScanMany(table, some, func(clickstore.Key, []byte) error { return nil }))
		}
		_, _, err := in.Old(table, 0, 0, 0, 10, func(int64) {})
		must(t, err)
		must(t, in.Prefetch(some[:1], some[1:]))
		must(t, in.Put(table, key, clickstore.Span{}, []byte("value")))
		must(t, in.Put(table, key, clickstore.Span{}, []byte("another")))
		must(t, in.Delete(some[1]))
	}
}

func (u *useAll) audit() {
	ctx := u.t.Context()
	for range 2 {
		must(u.t, u.Note(ctx, me, terse.Noted{Action: terse.ActionExport}))
		must(u.t, u.Note(ctx, me, terse.Noted{Action: terse.ActionImport, Once: true}))
	}
	for _, q := range []terse.AuditQuery{
		{}, {By: "me"}, {Target: "all-shared"}, {By: "me", Target: "all-shared"},
	} {
		q.Limit = 10
		must(u.t, errOf(u.Audit(ctx, q)))
		q.Before = 5
		must(u.t, errOf(u.Audit(ctx, q)))
	}
	must(u.t, u.DropAudit(ctx, time.Now().Add(-time.Hour)))
}

func (u *useAll) webhooks() {
	ctx := u.t.Context()
	w := mustHook(u.t, u, hookOf("all", terse.Identity))
	create(u.t, u, "all-reported")
	must(u.t, u.Delete(ctx, me, create(u.t, u, "all-twice"))) // whose deliveries have an order
	report(u.t, u)
	test := terse.Delivery{ID: terse.NewDeliveryID(), Webhook: w.ID, Type: terse.EventTest}
	must(u.t, u.AddDelivery(ctx, test))
	all, _, err := u.TakeDeliveries(ctx, terse.Room{All: 64, Maker: 64, Webhook: 4}, later())
	must(u.t, err)
	for _, d := range all {
		outcome := success()
		if d.ID == test.ID {
			outcome = failure(time.Now(), later())
		}
		must(u.t, errOf(u.FinishDelivery(ctx, d, outcome)))
	}
	must(u.t, u.RetryDelivery(ctx, me, w.ID, test.ID))
	for _, status := range []terse.DeliveryStatus{"", terse.Waiting} {
		for _, before := range []terse.Delivery{{}, test} {
			must(u.t, errOf(u.Deliveries(ctx, terse.DeliveryQuery{
				Webhook: w.ID, Status: status, Before: before, Limit: 10,
			})))
		}
	}
	must(u.t, errOf(u.Delivery(ctx, w.ID, test.ID)))
	must(u.t, u.DropDeliveries(ctx))
	_, _, err = u.Backlog(ctx)
	must(u.t, err)
	for _, reason := range []terse.DisabledReason{terse.DisabledByUser, ""} {
		w.Disabled = reason
		w, err = u.UpdateWebhook(ctx, admin, w)
		must(u.t, err)
	}
	for _, identity := range []string{terse.Identity, terse.AllOwners} {
		must(u.t, errOf(u.Webhooks(ctx, identity)))
	}
	w.Events = []terse.EventType{terse.EventClicks}
	w, err = u.UpdateWebhook(ctx, admin, w)
	must(u.t, err)
	others := clickHook("all-clicks", terse.Identity)
	others.Owner, others.Tags = terse.AllOwners, []string{"nothing"}
	mustHook(u.t, u, others)
	reported := find(u.t, u, code(u.t, "all-reported"))
	u.feed([]terse.Click{{Link: reported.ID, Code: reported.Code, Time: spring.UnixMicro()}})
	report(u.t, u)
	must(u.t, u.DeleteWebhook(ctx, admin, w.ID))
	must(u.t, u.DeleteWebhook(ctx, admin, others.ID))
}
