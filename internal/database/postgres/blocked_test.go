package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// block keeps what a statement locks until it is told to release it.
func block(t *testing.T, url, sql string) (release func()) {
	t.Helper()
	release, _ = hold(t, url, sql)
	return release
}

// hold is block for a transaction that may be committed instead, after another statement.
func hold(t *testing.T, url, sql string) (release func(), commit func(sql string)) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	_, err = conn.Exec(t.Context(), "BEGIN; "+sql)
	must(t, err)
	// which ends the transaction
	release = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(release)
	return release, func(sql string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql+"; COMMIT")
		must(t, err)
	}
}

// everything locks all that any call needs.
const everything = "LOCK TABLE links, journals, owner_numbers IN ACCESS EXCLUSIVE MODE"

// awaitBlocked waits until n statements wait for others.
func awaitBlocked(t *testing.T, url string, n int) {
	t.Helper()
	await(t, fmt.Sprintf("%d statements to wait", n), func() bool {
		return count(t, url,
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "+
				"wait_event_type = 'Lock'") == n
	})
}

// patient opens a store that does not give up by itself while a test runs.
func patient(t *testing.T, url string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Options{
		URL:     url + "&pool_max_conns=20",
		Timeout: time.Hour,
	})
	must(t, err)
	return s
}

// calls runs functions concurrently, and collects their errors.
type calls struct {
	working sync.WaitGroup
	mu      sync.Mutex // guards errs
	errs    map[string]error
}

func (c *calls) do(name string, f func() error) {
	c.working.Go(func() {
		err := f()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.errs == nil {
			c.errs = map[string]error{}
		}
		c.errs[name] = err
	})
}

// wantNone checks that all succeeded.
func (c *calls) wantNone(t *testing.T) {
	t.Helper()
	for name, err := range c.wait() {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (c *calls) wait() map[string]error {
	c.working.Wait()
	return c.errs
}

// TestCallersLeave: callers can give up waiting for a database that does not answer, and calls that
// have not begun are not done.
func TestCallersLeave(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	link, kept := create(t, s, "link"), create(t, s, "kept")
	release := block(t, url, everything)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	newLink := func(c string) func() error {
		l := terse.NewLink{Code: code(t, c), URL: "https://example.org/", CreatedBy: terse.Identity}
		return func() error { _, err := s.Create(ctx, me, l); return err }
	}
	var some calls
	some.do("Create", newLink("begun"))
	some.do("Delete", func() error { return s.Delete(ctx, me, link) })
	some.do("Link", func() error { _, err := s.Link(ctx, link.Code); return err })
	some.do("Links",
		func() error {
			_,
				err := s.Links(ctx, terse.LinkQuery{Owner: terse.Identity, Limit: 1})
			return err
		})
	some.do("Clicks", func() error { _, err := s.Clicks(ctx, link.Ref()); return err })
	some.do("Series", func() error {
		_, err := s.Series(ctx, link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
		return err
	})
	some.do("Series of all links", func() error {
		_, err := s.Series(ctx, terse.AllLinks, storetest.AllTime)
		return err
	})
	some.do("JournalPosition", func() error { _, err := s.JournalPosition(ctx, "j"); return err })
	some.do("AddClicks",
		func() error { return s.AddClicks(ctx, storetest.Batch("j", 0)) })
	some.do("Check", func() error { return s.Check(ctx) })
	awaitBlocked(t, url, 10)
	some.do("AddClicks behind the other",
		func() error { return s.AddClicks(ctx, storetest.Batch("j", 0)) })
	some.do("Create that is not begun", newLink("given-up"))
	some.do("Delete that is not begun", func() error { return s.Delete(ctx, me, kept) })
	await(t, "calls to wait", func() bool { return s.Waiting() == 2 })
	impatient, stop := context.WithCancel(t.Context())
	behind := addBehind(impatient, s)
	stop()
	await(t, "the one behind another to leave", func() bool { return len(behind) == 1 })
	if err := <-behind; !errors.Is(err, context.Canceled) {
		t.Errorf("AddClicks that leaves before the other: %v, want the context's error", err)
	}
	leave()
	for name, err := range some.wait() {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", name, err)
		}
	}
	release()
	// What waited is looked at before what comes now.
	must(t, s.Delete(t.Context(), me, create(t, s, "later")))
	if _, err := s.Link(t.Context(), code(t, "given-up")); !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("a link whose creator had left before it was begun: %v", err)
	}
	if found, err := s.Link(t.Context(), kept.Code); err != nil || found.ID != kept.ID {
		t.Errorf("a link whose deleter had left before that was begun: %v", err)
	}
}

// addBehind adds clicks while others are being added.
func addBehind(ctx context.Context, s *postgres.Store) <-chan error {
	behind := make(chan error, 1)
	go func() { behind <- s.AddClicks(ctx, storetest.Batch("behind", 0)) }()
	return behind
}

// TestCloseFinishes closes a store with many waiting calls: these are done, and nothing more.
func TestCloseFinishes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	first, second := create(t, s, "first"), create(t, s, "second")
	release := block(t, url, everything)
	var some calls
	some.do("Delete 1", func() error { return s.Delete(t.Context(), me, first) })
	some.do("AddClicks",
		func() error { return s.AddClicks(t.Context(), terse.ClickBatch{Journal: "j", To: 7}) })
	awaitBlocked(t, url, 2)
	create := func(i int) {
		l := terse.NewLink{
			Code: code(t, fmt.Sprint("code", i)), URL: "https://example.org/",
			CreatedBy: terse.Identity,
		}
		some.do(fmt.Sprint("Create ", i), func() error {
			_,
				err := s.Create(t.Context(), me, l)
			return err
		})
	}
	create(0)
	awaitBlocked(t, url, 3)
	for i := range 19 {
		create(i + 1)
	}
	some.do("Delete 2", func() error { return s.Delete(t.Context(), me, second) })
	await(t, "the others to wait", func() bool { return s.Waiting() == 20 })
	behind := addBehind(t.Context(), s)
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	await(t, "the store to be closing", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		return strings.Contains(s.Check(ctx).Error(), "closed")
	})
	await(t, "clicks that nobody has begun to add to be refused",
		func() bool { return len(behind) == 1 })
	if err := <-behind; err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("clicks are added to a store that is closing: %v", err)
	}
	release()
	must(t, <-closed)
	some.wantNone(t)
	s = open(t, url)
	page, err := s.Links(t.Context(), terse.LinkQuery{Owner: terse.Identity, Limit: 100})
	must(t, err)
	at, err := s.JournalPosition(t.Context(), "j")
	must(t, err)
	if page.Total != 20 || len(page.Links) != 20 || at != 7 {
		t.Errorf("afterwards there are %d links, of which %d are listed, and the position is %d",
			page.Total, len(page.Links), at)
	}
}

// TestDeletesTogether deletes more links at once than fit into one notification: other nodes learn
// of each.
func TestDeletesTogether(t *testing.T) {
	t.Parallel()
	const links = 500 // of 20 bytes; PostgreSQL takes 8000
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	w := watch(t, open(t, url))
	made := make([]terse.Link, links)
	for i := range made {
		made[i] = create(t, s, fmt.Sprintf("code%016d", i))
	}
	release := block(t, url, everything)
	var some calls
	for i, link := range made {
		some.do(link.Code.String(), func() error { return s.Delete(t.Context(), me, link) })
		if i == 0 {
			awaitBlocked(t, url, 1)
		}
	}
	await(t, "deletes to wait", func() bool { return s.Waiting() == links-1 })
	release()
	some.wantNone(t)
	for _, link := range made {
		w.awaitChanged(t, link.Code)
	}
}

// writersLock takes the lock of the transaction that counts clicks; see package rows.
const writersLock = "SELECT pg_advisory_xact_lock(x'7465727365726f77'::bigint)"

// TestDeleteWaitsForNoBatch deletes links whose clicks are half counted, while another node counts:
// deletes are immediate, and counted clicks of these links are gone afterwards.
func TestDeleteWaitsForNoBatch(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	links := []terse.Link{create(t, s, "first"), create(t, s, "second"), create(t, s, "kept")}
	add := func(at int64) error {
		return s.AddClicks(t.Context(), storetest.Batch("j", at,
			slices.Concat(clicksOf(links[:1], 3000), clicksOf(links[2:], 2000))...))
	}
	must(t, add(0))
	release := block(t, url, "LOCK TABLE totals IN ACCESS EXCLUSIVE MODE")
	var some calls
	some.do("AddClicks", func() error { return add(1) })
	awaitBlocked(t, url, 1)
	must(t, s.Delete(t.Context(), me, links[0]))
	awaitBlocked(t, url, 1)
	release()
	some.wantNone(t)

	release = block(t, url, writersLock)
	some.do("AddClicks", func() error { return add(2) })
	awaitBlocked(t, url, 1)
	must(t, s.Delete(t.Context(), me, links[1]))
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		_, err := tx.Create(t.Context(), me, terse.NewLink{
			Code: code(t, "first"), URL: "https://example.org/", CreatedBy: terse.Identity,
		})
		return err
	}))
	awaitBlocked(t, url, 1)
	release()
	some.wantNone(t)
	wantNoOrphans(t, s, url)
	again, err := s.Link(t.Context(), code(t, "first"))
	must(t, err)
	wantClicks(t, s, again.Ref(), 0)
	wantClicks(t, s, links[2].Ref(), 6000)
	wantClicks(t, s, terse.AllLinks, 12_000) // the last batch found the first link deleted
}

// TestOneLockOrder holds the row of the link that comes first in the order of locks: deletes that
// are done together do not lock the other one meanwhile, which sorts before it as text, or those of
// two nodes could wait for each other.
func TestOneLockOrder(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	first, second, other := create(t, s, "zzz"), create(t, s, "AAAA"), create(t, s, "other")
	var some calls
	// Deletes that wait behind another are done together.
	releaseOther := block(t, url, "SELECT FROM links WHERE code = 'other' FOR UPDATE")
	release := block(t, url, "SELECT FROM links WHERE code = 'zzz' FOR UPDATE")
	some.do("other", func() error { return s.Delete(t.Context(), me, other) })
	awaitBlocked(t, url, 1)
	links := []terse.Link{second, first}
	for _, link := range links {
		some.do(link.Code.String(), func() error { return s.Delete(t.Context(), me, link) })
	}
	await(t, "deletes to wait", func() bool { return s.Waiting() == len(links) })
	releaseOther()
	await(t, "deletes to begin", func() bool { return s.Waiting() == 0 })
	awaitBlocked(t, url, 1)
	if count(t, url, `SELECT count(*) FROM (SELECT FROM links WHERE code = 'AAAA'
		FOR UPDATE SKIP LOCKED) AS free`) != 1 {
		t.Error("the second link is locked before the first")
	}
	release()
	some.wantNone(t)
}

// Questions leave connections for everything else, however many there are and however long they
// take.
func TestQuestionsLeaveConnections(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url + "&pool_max_conns=8"})
	must(t, err)
	defer s.Close()
	link := create(t, s, "launch")
	release := block(t, url, "LOCK TABLE level0 IN ACCESS EXCLUSIVE MODE")
	var asking calls
	for i := range 20 {
		asking.do(fmt.Sprint("question ", i), func() error {
			_, err := s.Series(context.Background(), link.Ref(), storetest.AllTime)
			return err
		})
	}
	awaitBlocked(t, url, 2)
	for range 10 {
		_, err := s.Link(t.Context(), link.Code)
		must(t, err)
		must(t, s.Check(t.Context()))
		must(t, s.Take(t.Context(), link.Ref()))
		_, err = s.Links(t.Context(), terse.LinkQuery{Owner: terse.Identity, Limit: 1})
		must(t, err)
	}
	create(t, s, "another")
	awaitBlocked(t, url, 2)
	release()
	asking.wantNone(t)
}
