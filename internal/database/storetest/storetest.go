// Package storetest tests what every Store must do. Each store runs the tests against its real
// database.
//
// It knows a store only by its interface, and compares its answers with a naive model. It tests
// nothing about speed.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/tests/longtest"
)

// Store is the complete interface of a store.
type Store interface {
	terse.Links
	terse.Clicks
	terse.Domains
	terse.Archive
	terse.Audit
	terse.Node
	terse.People
	terse.Tokens
	terse.Sessions
	terse.Webhooks
}

// me changes links where it does not matter who does.
var me = terse.Caller{Identity: "me"}

// Run tests all promises except those that RunPlain tests, those about closing, and those that
// RunClicks tests alone. Every call of open must return a new, empty store, which open's cleanup
// closes.
func Run(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, linkTests, domainTests, nodeTests, batchTests, managedTests, visitorTests,
		accountTests, auditTests, snapshotTests)
}

// RunPlain tests the promises for which the race detector takes long and finds nothing.
func RunPlain(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, plainTests, countTests)
	runLong(t, open, engineTests, longTests)
}

// RunClicks tests what the engine that all stores share decides about clicks, with rows in memory.
// Databases run only those tests of clicks that find what depends on a database. With make
// test-long, both run all of them.
func RunClicks(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, engineTests)
	runLong(t, open, batchTests, countTests, visitorTests, longTests,
		storeTests{"an answer has what the position tells of": countPosition})
}

// RunAccounts tests users, tokens and sessions.
func RunAccounts(t *testing.T, open func(t *testing.T) Store) { runAll(t, open, accountTests) }

// RunModel tests all that changes statistics, in any order.
func RunModel(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, storeTests{"model": everything})
}

// RunConnected tests everything that depends on a store's connection to its database, but not how
// it counts.
func RunConnected(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, plainTests, linkTests, nodeTests, batchTests, managedTests, snapshotTests,
		accountTests, auditTests)
}

// RunIgnoringCase tests what differs in a store that ignores the case of addresses.
func RunIgnoringCase(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, foldTests)
}

// RunDistributed tests the promises that also hold if a read sees each of a store's servers in a
// different state.
func RunDistributed(t *testing.T, open func(t *testing.T) Store) {
	runAll(t, open, plainTests, linkTests, domainTests, nodeTests, batchTests, countTests,
		managedTests, visitorTests, accountTests, auditTests)
	runLong(t, open, engineTests, longTests)
}

type storeTests = map[string]func(*testing.T, Store)

func runAll(t *testing.T, open func(t *testing.T) Store, all ...storeTests) {
	for _, tests := range all {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, open(t))
			})
		}
	}
}

// runLong runs tests that take long on what open opens.
func runLong(t *testing.T, open func(t *testing.T) Store, all ...storeTests) {
	t.Run("at length", func(t *testing.T) {
		t.Parallel()
		longtest.Only(t)
		runAll(t, open, all...)
	})
}

// plainTests have no goroutines of their own, and compare much: with the race detector, they would
// take many times as long. Other stores' tests have their goroutines, too.
var plainTests = storeTests{
	"lists are sorted and searched, page by page": listEverything,
	"lists are filtered, page by page":            listFiltered,
	"totals of searches are exact up to a bound":  searchTotal,
	"cleared statistics start from zero":          clearClicks,
}

var snapshotTests = storeTests{
	"page and total are of one snapshot":       listSnapshot,
	"an answer has what the position tells of": countPosition,
}

var linkTests = storeTests{
	"a link is returned as it was created":                    createdLink,
	"a link without a time is created now":                    createdNow,
	"a code is in use once":                                   codeTaken,
	"of concurrent creates of a code one wins":                createRace,
	"an unknown code is not found":                            unknownCode,
	"links are listed newest first, ties by ID, page by page": listOrder,
	"a page far behind the last link is empty":                listFarBehind,
	"owners have lists of their own":                          listOwners,
	"pages follow each other while links change":              listWhileChanging,
	"a change is seen wherever the link is":                   updateLink,
	"of concurrent changes of a version one is made":          updateRace,
	"a change needs the version that it was made from":        updateOther,
	"a deleted link is gone":                                  deleteLink,
	"delete goes by ID and code":                              deleteOther,
	"a delete needs the version that it is of":                deleteVersion,
	"of a change and a delete of a version one is done":       deleteRace,
	"links are found and deleted together":                    deleteAll,
	"a link is found at each of its addresses":                findAliases,
	"an address is in use once":                               addressTaken,
	"of concurrent claims of an address one wins":             addressRace,
	"an address that was given up is free":                    addressFreed,
	"a link keeps what it has with another code":              changeCode,
	"clicks that wait at a former code are counted":           countFormerCode,
	"a code that is chosen again starts at zero":              deleteAndCreate,
	"an export has all links with all that belongs to them":   exportLinks,
	"an import gives a link what an export has of it":         restoreLink,
	"an import creates links with what an export has of them": createRestored,
	"IDs are never used again":                                idsGrow,
}

var nodeTests = storeTests{
	"what comes after the deadline is not done":  deadline,
	"a store that works is checked successfully": check,
	"unknown codes are kept by node and day":     unknownCodes,
}

// batchTests test how clicks get into a store and out of it.
var batchTests = storeTests{
	"busy links are counted exactly":                             countBusy,
	"a click belongs to the link that has its ID and its code":   countByIDAndCode,
	"the sums of an answer agree while clicks are added":         countSnapshot,
	"single clicks of a link come page by page":                  eventsOfLinks,
	"what was there at the first page of events comes once":      eventsWhileCounting,
	"a batch that does not start at the position is not counted": positionConflict,
	"of concurrent batches of a journal one is counted":          batchRace,
	"of concurrent imports one adds each click":                  addPastTogether,
	"each journal has its own position":                          positions,
	"clicks of unknown links are dropped":                        unknownLinks,
}

// countTests use all of what the engine does with rows and links. They have no goroutines of their
// own.
var countTests = storeTests{
	"all that changes statistics, in any order":         everything,
	"dropped clicks stay in the counts of their days":   dropClicks,
	"long referrers are counted":                        countLong,
	"clicks of each owner's links are counted together": seriesOwners,
	"single clicks of all links come page by page":      eventsOfAll,
	"clicks that were exported are imported once":       movePast,
	"clicks of the past can be tried":                   tryPast,
}

// engineTests test what the engine alone decides: that clicks are counted exactly, in whatever
// order they arrive.
var engineTests = storeTests{
	"clicks that come a few at a time are counted exactly":      countFew,
	"clicks of links whose codes are alike are counted exactly": countAlike,
	"untracked clicks are counted by day":                       countUntracked,
	"a link has the time of its last click":                     lastClick,
	"late clicks are counted on their day":                      countLate,
	"ranges are exact to the microsecond":                       countEdges,
	"any referrer, country and time is counted":                 countOdd,
	"each link's referrers of a day are bounded":                countManyReferrers,
	"clicks of a busy link are counted over time":               seriesBusy,
	"clicks of quiet links are counted over time":               seriesQuiet,
	"clicks of all links are counted together":                  seriesAll,
	"clicks of the past of no link are skipped":                 addPastOfNone,
	"equal clicks of the past count as many":                    pastOfEqualClicks,
	"first clicks of visitors are counted exactly":              visitorsExact,
	"very many visitors are counted nearly exactly":             visitorsMany,
	"a batch that is sent again has no first clicks":            visitorsAgain,
	"a tag has the clicks of days that were dropped":            countTagged,
	"the bytes of a day's values are bounded":                   countManyBytes,
	"untracked clicks before 1970 are counted on the first day": countEarly,
}

// longTests take long.
var longTests = storeTests{
	"quiet links are counted exactly":                     countQuiet,
	"clicks of a busy link are counted over months":       seriesMonths,
	"hot and cold links of one batch are counted exactly": countMixed,
	"clicks of very many links are counted exactly":       countMany,
	"ten years of dropped days are imported":              addYears,
}

// RunReopen tests that acknowledged writes exist after a store is reopened. Every call of open
// opens the same database, which is empty at first.
func RunReopen(t *testing.T, open func(t *testing.T) Store) {
	s := open(t)
	j, links := newJournalOf(t, s, 3)
	must(t, s.Delete(t.Context(), me, links[2]))
	shared := terse.NewShare()
	wantShare(t, s, links[0], shared, shared)
	for range 5 {
		j.add(j.clicks(links[:2], 500, spring, 20*24*time.Hour))
	}
	kept := terse.UnknownCodes{Total: 3}
	must(t, s.KeepUnknown(t.Context(), j.name, 20_000, kept))
	person, session := signIn(t, s, anna)
	token := tokenOf(t, s, anna.Identity)
	opened := openSession(t, s, token)
	must(t, s.Close())

	j.store = open(t)
	unknown, err := j.store.Unknown(t.Context(), 20_000)
	must(t, err)
	wantEqual(t, "unknown codes", unknown, map[string]terse.UnknownCodes{j.name: kept})
	wantGrant(t, j.store, session, person, terse.AccessToken{})
	wantGrant(t, j.store, opened, person, token)
	j.compareEver(links[:2]...)
	j.compareSeries(terse.AllLinks, j.all())
	wantShared(t, j.store, shared, links[0])
	_, err = j.store.Link(t.Context(), links[2].Code)
	wantError(t, "the deleted link", err, terse.ErrNotFound)
	wantEqual(t, "position", positionOf(t, j.store, j.name), j.position)
	j.add(j.clicks(links[:2], 500, spring, 20*24*time.Hour))
	j.compareEver(links[0])
	if link := create(t, j.store, "again"); link.ID <= links[2].ID {
		t.Errorf("ID %d was used before", link.ID)
	}
	must(t, j.store.Close())
}

func check(t *testing.T, s Store) {
	must(t, s.Check(t.Context()))
	create(t, s, "abc")
	must(t, s.Check(t.Context()))
}

// deadline: a call whose context has ended says so and does nothing.
func deadline(t *testing.T, s Store) {
	link, share := createWith(t, s, "before", terse.LinkOptions{MaxClicks: 3}), terse.NewShare()
	ctx := ended(t)
	batch := Batch("j", 0, terse.Click{Link: link.ID, Code: link.Code})
	for i := range 100 { // it must not depend on timing
		wantError(t, "Create", errOf(s.Create(ctx, me, newLink(t, fmt.Sprint("after", i)))),
			context.Canceled)
		wantError(t, "AddClicks", s.AddClicks(ctx, batch), context.Canceled)
	}
	wantError(t, "Share", errOf(s.Share(ctx, terse.ShareOf(link.Ref()))), context.Canceled)
	wantShare(t, s, link, share, share)
	for name, err := range map[string]error{
		"Create":          errOf(s.Create(ctx, me, newLink(t, "after"))),
		"Link":            errOf(s.Link(ctx, link.Code)),
		"Links":           errOf(s.Links(ctx, terse.LinkQuery{Owner: terse.Identity, Limit: 10})),
		"Clicks":          errOf(s.Clicks(ctx, link.Ref())),
		"Series":          errOf(s.Series(ctx, terse.AllLinks, AllTime)),
		"JournalPosition": errOf(s.JournalPosition(ctx, "j")),
		"Unknown":         errOf(s.Unknown(ctx, 0)),
		"History":         errOf(s.History(ctx, link.Ref())),
		"Tags":            errOf(s.Tags(ctx, terse.Identity)),
		"Shared":          sharedErr(ctx, s, share),
		"KeepUnknown":     s.KeepUnknown(ctx, "j", 0, terse.UnknownCodes{}),
		"Delete":          s.Delete(ctx, me, link),
		"Unshare":         s.Unshare(ctx, me, terse.ShareOf(link.Ref())),
		"Take":            s.Take(ctx, link.Ref()),
		"AddClicks":       s.AddClicks(ctx, batch),
		"ClearClicks":     s.ClearClicks(ctx, me, link.Ref()),
		"Check":           s.Check(ctx),
		"Note":            s.Note(ctx, me, terse.Noted{Action: terse.ActionExport}),
		"Audit":           errOf(s.Audit(ctx, terse.AuditQuery{Limit: 1})),
		"DropAudit":       s.DropAudit(ctx, time.Now()),
		"Users":           errOf(s.Users(ctx, nil)),
		"User":            errOf(s.User(ctx, terse.Identity)),
		"SignIn":          errOf(s.SignIn(ctx, me, anna, newSession())),
		"CreateService":   s.CreateService(ctx, me, "ci"),
		"UpdateUser":      errOf(s.UpdateUser(ctx, me, "ci", terse.UserChange{})),
		"DeleteUser":      s.DeleteUser(ctx, me, "ci"),
		"CreateToken":     errOf(s.CreateToken(ctx, me, newToken("ci", "a"), newHash())),
		"Tokens":          errOf(s.Tokens(ctx, "ci")),
		"Token":           errOf(s.Token(ctx, "a")),
		"DeleteToken":     s.DeleteToken(ctx, me, "a"),
		"TokenGrant":      errOf(s.TokenGrant(ctx, newHash())),
		"CreateSession":   s.CreateSession(ctx, me, newSession()),
		"SessionGrant":    errOf(s.SessionGrant(ctx, newHash())),
		"DeleteSession":   s.DeleteSession(ctx, me, newHash()),
		"DeleteSessions":  s.DeleteSessions(ctx, me, "ci"),
		"Seen":            s.Seen(ctx, "ci", "a", time.Now()),
		"Transact": s.Transact(ctx, func(tx terse.Tx) error {
			return tx.Delete(ctx, me, link)
		}),
	} {
		wantError(t, name, err, context.Canceled)
	}
	wantFound(t, s, link)
	wantShared(t, s, share, link)
	there, total := list(t, s, terse.Identity, 10, 0)
	if len(there) != 1 || total != 1 || there[0].Clicks != 0 {
		t.Errorf("afterwards there are %v, %d in all", there, total)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// errOf returns the error of a call that also returns a value.
func errOf[T any](_ T, err error) error { return err }

func wantEqual[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // Diff takes many times as long
		return
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(terse.Code{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func code(t testing.TB, s string) terse.Code {
	t.Helper()
	c, err := terse.ParseCode(s)
	must(t, err)
	return c
}

func newLink(t *testing.T, c string) terse.NewLink {
	t.Helper()
	return terse.NewLink{
		Code: code(t, c), URL: terse.URL("https://example.org/" + c),
		CreatedBy: terse.Identity,
	}
}

func create(t *testing.T, s Store, c string) terse.Link {
	t.Helper()
	return mustCreate(t, s, newLink(t, c))
}

func mustCreate(t *testing.T, s Store, l terse.NewLink) terse.Link {
	t.Helper()
	link, err := s.Create(t.Context(), me, l)
	must(t, err)
	return link
}

func find(t *testing.T, s Store, c terse.Code) terse.Link {
	t.Helper()
	link, err := s.Link(t.Context(), c)
	must(t, err)
	return link
}

// changeTo returns a change of the version of a link that it has, without an author.
func changeTo(link terse.Link) terse.LinkChange {
	return terse.LinkChange{Before: link, After: link}
}

func pageOf(t *testing.T, s Store, q terse.LinkQuery) terse.LinkPage {
	t.Helper()
	page, err := s.Links(t.Context(), q)
	must(t, err)
	return page
}

func seriesOf(t *testing.T, s Store, link terse.LinkRef, q terse.SeriesQuery) terse.Series {
	t.Helper()
	series, err := s.Series(t.Context(), link, q)
	must(t, err)
	return series
}

// ever asks for all clicks of a link.
var ever = terse.SeriesQuery{Range: terse.AllTime}

func positionOf(t *testing.T, s Store, journal string) int64 {
	t.Helper()
	at, err := s.JournalPosition(t.Context(), journal)
	must(t, err)
	return at
}

// Batch returns a batch that moves a journal's position by one.
func Batch(journal string, from int64, clicks ...terse.Click) terse.ClickBatch {
	return terse.ClickBatch{
		Journal: journal, From: from, To: from + 1, Clicks: terse.ClicksOf(clicks...),
		GiveUp: func(int) {},
	}
}

// wantTotal checks the number of an owner's links.
func wantTotal(t *testing.T, s Store, owner, what string, want int64) {
	t.Helper()
	wantEqual(t, what, pageOf(t, s, terse.LinkQuery{Owner: owner, Limit: 1}).Total, want)
}

// ended returns a context that has ended.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// together runs n calls of f at the same time.
func together(n int, f func(i int)) {
	var working sync.WaitGroup
	for i := range n {
		working.Go(func() { f(i) })
	}
	working.Wait()
}

// until calls f again and again while work runs, and once more afterwards.
func until(work, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		f()
	}
}

// list returns a page of the newest links, and the number of all.
func list(t *testing.T, s Store, owner string, limit, offset int) ([]terse.Link, int64) {
	t.Helper()
	page := pageOf(t, s, terse.LinkQuery{Owner: owner, Limit: limit, Offset: offset})
	return page.Links, page.Total
}

// timeRange returns the range between two instants in microseconds since 1970.
func timeRange(t testing.TB, first, last int64) terse.TimeRange {
	t.Helper()
	text := func(micros int64) string {
		return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano)
	}
	r, err := terse.ParseTimeRange(text(first), text(last))
	must(t, err)
	return r
}
