package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// await waits for a condition; the bound is there for a broken store only.
func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// open opens a node's store, and closes it with the test.
func open(t *testing.T, url string) *postgres.Store {
	t.Helper()
	s := openAt(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func create(t *testing.T, s *postgres.Store, c string) terse.Link {
	t.Helper()
	link, err := s.Create(t.Context(), me, terse.NewLink{
		Code: code(t, c), URL: "https://example.org/",
		CreatedBy: terse.Identity,
	})
	must(t, err)
	return link
}

// count returns what a query counts.
func count(t *testing.T, url, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	must(t, conn.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// clicksOf returns clicks of some links, on a few days.
func clicksOf(links []terse.Link, n int) []terse.Click {
	clicks := make([]terse.Click, n)
	for i := range clicks {
		link := links[rand.IntN(len(links))]
		clicks[i] = terse.Click{
			Link: link.ID, Code: link.Code,
			Time: 1_770_000_000_000_000 + rand.Int64N(3*86_400_000_000),
			Values: terse.Values{
				terse.ByCountry:  terse.Country{'A', 'A' + byte(rand.IntN(9))}.String(),
				terse.ByReferrer: fmt.Sprintf("https://%d.example/", rand.IntN(30)),
			},
		}
	}
	return clicks
}

func addClicks(
	t *testing.T, s *postgres.Store, journal string, from int64, clicks ...terse.Click,
) {
	t.Helper()
	must(t, s.AddClicks(t.Context(), storetest.Batch(journal, from, clicks...)))
}

func wantCount(t *testing.T, url, sql string, want int) {
	t.Helper()
	if n := count(t, url, sql); n != want {
		t.Errorf("%s: %d, want %d", sql, n, want)
	}
}

func wantClicks(t *testing.T, s *postgres.Store, link terse.LinkRef, want int64) {
	t.Helper()
	got, err := s.Series(t.Context(), link, storetest.AllTime)
	must(t, err)
	if got.Total != want {
		t.Errorf("link %v has %d clicks, want %d", link.Code, got.Total, want)
	}
	for _, sums := range []map[string]int64{got.By[terse.ByCountry], got.By[terse.ByReferrer]} {
		sum := int64(0)
		for _, n := range sums {
			sum += n
		}
		if sum != want {
			t.Errorf("link %v has %d clicks, of which %d are counted by a value", link.Code, want,
				sum)
		}
	}
}

// TestHotLinks: three nodes count clicks of the same links at the same time.
func TestHotLinks(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	const nodes, batches, size = 3, 30, 3000
	url := pgtest.URL(t)
	first := open(t, url)
	opened := []*postgres.Store{first}
	var links []terse.Link
	for i := range 40 {
		links = append(links, create(t, first, fmt.Sprintf("link%d", i)))
	}
	var mu sync.Mutex // guards want
	want := map[terse.LinkID]int64{}
	var working sync.WaitGroup
	for node := range nodes {
		s := open(t, url)
		opened = append(opened, s)
		working.Go(func() {
			for i := range int64(batches) {
				clicks := append(clicksOf(links, size/3), clicksOf(links[:1], size/3*2)...)
				mu.Lock()
				for _, c := range clicks {
					want[c.Link]++
				}
				mu.Unlock()
				if err := s.AddClicks(t.Context(),
					storetest.Batch(fmt.Sprint("j", node), i, clicks...)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	for _, link := range links {
		wantClicks(t, first, link.Ref(), want[link.ID])
	}
	wantClicks(t, first, terse.AllLinks, nodes*batches*size)
	wantNoDeadlocks(t, url, opened...)
}

// TestSameCodes: two nodes create the same links at the same time, and delete them: one of them
// succeeds.
func TestSameCodes(t *testing.T) {
	t.Parallel()
	const rounds, perRound = 20, 60
	url := pgtest.URL(t)
	nodes := []*postgres.Store{open(t, url), open(t, url)}
	for range rounds {
		made := make([]terse.Link, perRound)
		onceEach(t, nodes, perRound, terse.ErrCodeTaken, func(s *postgres.Store, i int) error {
			link, err := s.Create(t.Context(), me, terse.NewLink{
				Code: code(t, fmt.Sprint("code", i)),
				URL:  "https://example.org/", CreatedBy: terse.Identity,
			})
			if err == nil {
				made[i] = link
			}
			return err
		})
		onceEach(t, nodes, perRound, terse.ErrNotFound,
			func(s *postgres.Store, i int) error { return s.Delete(t.Context(), me, made[i]) })
	}
	wantNoDeadlocks(t, url, nodes...)
}

// onceEach runs things on all nodes at the same time, in different orders, and checks that exactly
// one node succeeds with each.
func onceEach(t *testing.T, nodes []*postgres.Store, things int, otherwise error,
	do func(s *postgres.Store, i int) error,
) {
	t.Helper()
	done := make([]atomic.Int64, things)
	var working sync.WaitGroup
	for node, s := range nodes {
		for i := range things {
			if node > 0 {
				i = things - 1 - i
			}
			working.Go(func() {
				err := do(s, i)
				if err == nil {
					done[i].Add(1)
				} else if !errors.Is(err, otherwise) {
					t.Error(err)
				}
			})
		}
	}
	working.Wait()
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("%d nodes succeeded with %d", n, i)
		}
	}
}

// wantNoDeadlocks closes the stores first: connections tell of their deadlocks at their end, or
// later than soon.
func wantNoDeadlocks(t *testing.T, url string, all ...*postgres.Store) {
	t.Helper()
	for _, s := range all {
		must(t, s.Close())
	}
	await(t, "the end of all connections", func() bool {
		return count(t, url,
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()") == 1
	})
	if n := count(t, url,
		"SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// orphans finds rows that belong to deleted links.
const orphans = `SELECT count(*) FROM (
	SELECT link_id FROM link_changes
	UNION ALL SELECT link_id FROM shares
	UNION ALL SELECT link_id FROM former_codes
	UNION ALL SELECT a FROM level2
	UNION ALL SELECT a FROM day_counts
	UNION ALL SELECT a FROM month_counts
	UNION ALL SELECT a FROM dropped_counts) AS r
	WHERE link_id > 0 AND link_id NOT IN (SELECT id FROM links)`

// wantNoOrphans lets a node apply deletes, and checks that nothing remains but clicks in runs,
// which are deleted when those are compacted.
func wantNoOrphans(t *testing.T, s *postgres.Store, url string) {
	t.Helper()
	const left = "SELECT count(*) FROM tombstones WHERE NOT applied"
	for i := int64(0); i == 0 || count(t, url, left) > 0; i++ {
		at, err := s.JournalPosition(t.Context(), "orphans")
		must(t, err)
		addClicks(t, s, "orphans", at)
		if i > 1000 {
			t.Fatal("tombstones are not applied")
		}
	}
	wantCount(t, url, orphans, 0)
	for id, clicks := range totalsOf(t, url) {
		of := fmt.Sprintf("SELECT count(*) FROM links WHERE id = %d", id)
		if id > 0 && count(t, url, of) == 0 {
			t.Errorf("%d clicks of link %d, which is gone", clicks, id)
		}
	}
}

// TestDeleteLeavesNothing deletes a link that has rows in all tables.
func TestDeleteLeavesNothing(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	link := create(t, s, "link")
	const size = 200_000
	clicks := clicksOf([]terse.Link{link}, size)
	for i := range clicks { // whole months
		clicks[i].Time += int64(i%90) * 86_400_000_000
	}
	addClicks(t, s, "j", 0, clicks...)
	addClicks(t, s, "j", 1, clicks[:size/2]...)
	must(t, s.DropClicks(t.Context(), time.UnixMicro(1_770_000_000_000_000).Add(36*time.Hour)))
	err := s.Transact(t.Context(), func(tx terse.Tx) error {
		_, _, err := tx.Share(t.Context(), me, terse.ShareOf(link.Ref()), terse.NewShare(),
			terse.ShareChange{})
		return err
	})
	must(t, err)
	link = change(t, s, link, terse.LinkOptions{Title: "a"})
	pgtest.Exec(t, url, "INSERT INTO former_codes SELECT id, 'former' FROM links")
	for table, where := range map[string]string{
		"level2": "a > 0", "day_counts": "a > 0", "month_counts": "a > 0",
		"dropped_counts": "a > 0", "shares": "true", "link_changes": "true",
		"former_codes": "true",
	} {
		if count(t, url, "SELECT count(*) FROM "+table+" WHERE "+where) == 0 {
			t.Errorf("the link has no row in %s", table)
		}
	}
	must(t, s.Delete(t.Context(), me, link))
	wantNoOrphans(t, s, url)
	wantClicks(t, s, terse.AllLinks, size*3/2)
}

// TestDeleteWhileCounting deletes links, and creates them again, while two nodes count their
// clicks: nothing is left behind, and the rest is exact.
func TestDeleteWhileCounting(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	a, b := open(t, url), open(t, url)
	deleteWhileCounting(t, a, b)
	wantNoOrphans(t, a, url)
	wantNoDeadlocks(t, url, a, b)
}

func deleteWhileCounting(t *testing.T, a, b *postgres.Store) {
	const rounds, perRound = 25, 8
	kept := create(t, a, "kept")
	positions := map[*postgres.Store]int64{}
	total := int64(0)
	for range rounds {
		links := []terse.Link{kept}
		for i := range perRound {
			links = append(links, create(t, a, fmt.Sprintf("gone%d", i)))
		}
		var working sync.WaitGroup
		for _, s := range []*postgres.Store{a, b} {
			from := positions[s]
			positions[s]++
			clicks := clicksOf(links, 5000)
			for _, c := range clicks {
				if c.Link == kept.ID {
					total++
				}
			}
			working.Go(func() {
				if err := s.AddClicks(t.Context(),
					storetest.Batch(fmt.Sprintf("%p", s), from, clicks...)); err != nil {
					t.Error(err)
				}
			})
		}
		for i, link := range links[1:] {
			working.Go(func() {
				if err := []*postgres.Store{a, b}[i%2].Delete(t.Context(), me, link); err != nil {
					t.Error(err)
				}
			})
		}
		working.Wait()
	}
	wantClicks(t, a, kept.Ref(), total)
	if page, err := a.Links(t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Limit: 10,
	}); err != nil || page.Total != 1 || page.Links[0].Clicks != total {
		t.Errorf("%+v %v", page, err)
	}
}

// TestLostAnswers cuts connections after the server has done its work, but before the store learns
// of it.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	const callers, each, cuts = 6, 60, 25
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	s := open(t, proxied)
	hot := create(t, s, "hot")
	var cutting, working sync.WaitGroup
	var running atomic.Bool
	var made atomic.Int64
	running.Store(true)
	for caller := range callers {
		working.Go(func() {
			for i := 0; i < each || running.Load(); i++ {
				name := fmt.Sprintf("own%d-%d", caller, i)
				link, err := s.Create(t.Context(),
					me, terse.NewLink{
						Code: code(t, name), URL: "https://example.org/",
						CreatedBy: name,
					})
				if err != nil {
					t.Errorf("create %s: %v", name, err)
					continue
				}
				made.Add(1)
				if found, err := s.Link(t.Context(), link.Code); err != nil || found.ID != link.ID {
					t.Errorf("%s has the ID %d, it was made with %d, %v", name, found.ID, link.ID,
						err)
				}
				if i%2 == 0 {
					if err := s.Delete(t.Context(), me, link); err != nil {
						t.Errorf("delete %s: %v", name, err)
					}
				}
			}
		})
	}
	total := int64(0)
	working.Go(func() { total = countDespite(t, s, hot, &running) })
	cutting.Go(func() {
		defer running.Store(false)
		for range cuts {
			before := made.Load()
			await(t, "links to be made again", func() bool { return made.Load() >= before+10 })
			p.loseAnswers(t)
		}
	})
	cutting.Wait()
	working.Wait()
	if n := count(t, url,
		"SELECT count(*) FROM links WHERE substr(code, 1, 3) = 'own' AND mod(split_part(code, "+
			"'-', 2)::int, 2) = 0"); n != 0 {
		t.Errorf("%d links are there that were deleted", n)
	}
	links := count(t, url, "SELECT count(*) FROM links")
	for _, sum := range []string{"owner <> '*'", "owner IN ('authenticated-user', '*')"} {
		n := count(t, url, "SELECT sum(links)::int FROM link_ranges WHERE "+sum)
		if n != links {
			t.Errorf("%d links are counted where %s, there are %d", n, sum, links)
		}
	}
	wantClicks(t, s, hot.Ref(), total)
	wantClicks(t, s, terse.AllLinks, total)
}

// countDespite counts clicks as ingest does: after a failure it asks for the position.
func countDespite(t *testing.T, s *postgres.Store, link terse.Link,
	running *atomic.Bool,
) (total int64) {
	const size = 400
	for at := int64(0); at < 20 || running.Load(); {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err := s.AddClicks(ctx, storetest.Batch("j", at, clicksOf([]terse.Link{link}, size)...))
		cancel()
		if err == nil {
			at++
			total += size
			continue
		}
		now, err := s.JournalPosition(t.Context(), "j")
		if err != nil || now < at || now > at+1 {
			t.Errorf("position %d after %d, %v", now, at, err)
		}
		total += size * (now - at)
		at = now
	}
	return total
}

// watched collects the calls of Watch.
type watched struct {
	mu      sync.Mutex
	changed map[string]int
	all     int
}

// watchClosely makes a store check its connection more often than usual.
func watchClosely(t *testing.T, s *postgres.Store) *watched {
	t.Helper()
	s.Hurry()
	return watch(t, s)
}

func watch(t *testing.T, s *postgres.Store) *watched {
	w := &watched{changed: map[string]int{}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		done <- s.Watch(ctx, func(c string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.changed[c]++
		}, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.all++
		})
	}()
	t.Cleanup(func() {
		cancel()
		must(t, <-done)
	})
	w.awaitAll(t, 1)
	return w
}

func (w *watched) awaitAll(t *testing.T, n int) {
	t.Helper()
	await(t, fmt.Sprintf("everything to be changed %d times", n), func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.all >= n
	})
}

func (w *watched) awaitChanged(t *testing.T, c terse.Code) {
	t.Helper()
	await(t, fmt.Sprintf("%v to be changed", c), func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.changed[c.String()] > 0
	})
}

// terminate ends the connections that stores listen on.
func terminate(t *testing.T, url string) {
	t.Helper()
	count(t, url, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database()
		AND (query LIKE 'LISTEN%' OR query LIKE '%terse.session%') AND pid <> pg_backend_pid()`)
}

func TestWatch(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	a, b := open(t, url), open(t, url)
	w := watch(t, b)
	first, second := create(t, a, "first"), create(t, a, "second")
	must(t, a.Delete(t.Context(), me, first))
	w.awaitChanged(t, first.Code)
	terminate(t, url)
	must(t, a.Delete(t.Context(), me, second))
	w.awaitAll(t, 2)
	third := create(t, a, "third")
	must(t, a.Delete(t.Context(), me, third))
	w.awaitChanged(t, third.Code)
}

// Watch finds out whether notifications arrive by sending one that names no code, so that a quiet
// database is not taken for one that tells nothing.
func TestWatchProbes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), "LISTEN terse_changes")
	must(t, err)
	w := watch(t, open(t, url))
	told, err := conn.WaitForNotification(t.Context())
	must(t, err)
	if _, err := terse.ParseCode(told.Payload); err == nil {
		t.Errorf("%q may be somebody's code", told.Payload)
	}
	w.awaitAll(t, 1)
}

// TestWatchWithoutNotifications: the network passes no notifications, like some poolers. All links
// are invalidated again and again.
func TestWatchWithoutNotifications(t *testing.T) {
	t.Parallel()
	p, url := through(t, pgtest.URL(t))
	p.deaf.Store(true)
	watchClosely(t, open(t, url)).awaitAll(t, 3)
}

// TestWatchStopsTrusting: the network passes notifications at first, and then none.
func TestWatchStopsTrusting(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	a, b := open(t, url), open(t, proxied)
	w := watchClosely(t, b)
	first, second := create(t, a, "first"), create(t, a, "second")
	must(t, a.Delete(t.Context(), me, first))
	w.awaitChanged(t, first.Code)
	p.deaf.Store(true)
	w.awaitAll(t, 4)
	p.deaf.Store(false)
	must(t, a.Delete(t.Context(), me, second))
	w.awaitChanged(t, second.Code)
}

// TestWatchSilence: the network silently stops passing anything.
func TestWatchSilence(t *testing.T) {
	t.Parallel()
	p, url := through(t, pgtest.URL(t))
	var missed atomic.Bool
	log := slog.New(slog.NewTextHandler(told(func(line string) {
		if strings.Contains(line, "not seen for now") {
			missed.Store(true)
		}
	}), nil))
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url, Logger: log})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	w := watchClosely(t, s)
	p.swallow.Store(true)
	await(t, "the silence to be noticed", missed.Load)
	p.swallow.Store(false)
	w.awaitAll(t, 2)
}

// TestWatchWithoutDatabase: the database is down for longer than changes can stay unnoticed while
// it is up.
func TestWatchWithoutDatabase(t *testing.T) {
	t.Parallel()
	p, url := through(t, pgtest.URL(t))
	w := watchClosely(t, open(t, url))
	p.refuse.Store(true)
	p.cut()
	await(t, "the database to be missed often", func() bool { return p.refused.Load() > 20 })
	w.mu.Lock()
	all := w.all
	w.mu.Unlock()
	if all != 1 {
		t.Errorf("everything was taken for changed %d times without a database", all-1)
	}
	p.refuse.Store(false)
	w.awaitAll(t, 2)
}

// TestWatchWithoutConnection ends the connection for notifications, and allows no new one.
func TestWatchWithoutConnection(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	config, err := pgx.ParseConfig(url)
	must(t, err)
	pgtest.Exec(t, url, "CREATE ROLE few_"+config.Database+" LOGIN")
	pgtest.Exec(t, url, "ALTER DATABASE "+config.Database+" OWNER TO few_"+config.Database)
	s := open(t, strings.Replace(url, "postgres@", "few_"+config.Database+"@",
		1)+"&pool_max_conns=1")
	w := watchClosely(t, s)
	pgtest.Exec(t, url, "ALTER ROLE few_"+config.Database+" CONNECTION LIMIT 1")
	terminate(t, url)
	w.awaitAll(t, 2)
	must(t, s.Check(t.Context()))
}

func TestClaim(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	a, b := open(t, url), openAt(t, url)
	must(t, a.Claim(t.Context(), "j"))
	must(t, b.Claim(t.Context(), "other"))
	if err := b.Claim(t.Context(), "j"); err == nil ||
		!strings.Contains(err.Error(), "another node") {
		t.Errorf("a second claim: %v", err)
	}
	watch(t, a)
	batch := func() error {
		at, err := a.JournalPosition(t.Context(), "j")
		must(t, err)
		return a.AddClicks(t.Context(), storetest.Batch("j", at))
	}
	must(t, batch())
	// The other one takes the journal while the first one's connection is gone, once it is lucky.
	var got atomic.Bool
	done := make(chan error)
	go func() {
		for !got.Load() {
			got.Store(b.Claim(t.Context(), "j") == nil)
		}
		done <- nil
	}()
	await(t, "the other node to have the journal", func() bool {
		terminate(t, url)
		return got.Load()
	})
	<-done
	var err error
	await(t, "clicks to be refused", func() bool { err = batch(); return err != nil })
	if !strings.Contains(err.Error(), "another node") || a.Check(t.Context()) == nil {
		t.Errorf("clicks of a journal that another node has: %v", err)
	}
	must(t, b.Close())
	await(t, "clicks to be counted again", func() bool { return batch() == nil })
	must(t, a.Check(t.Context()))
	runtime.KeepAlive(b) // else the garbage collector might close what Close had left open
}

// Nodes whose clocks are behind a link's version give their changes the same next version. Of such
// two only one is made.
func TestChangesOfOneVersion(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := open(t, url), open(t, url)
	create(t, s, "link")
	future := time.Now().Add(time.Hour)
	pgtest.Exec(t, url, "UPDATE links SET updated_at = $1", future.UnixMicro())
	link, err := s.Link(t.Context(), code(t, "link"))
	must(t, err)
	first, second := link, link
	first.URL, second.URL = "https://example.org/1", "https://example.org/2"
	made, err := s.Update(t.Context(), me, terse.LinkChange{Before: first, After: first})
	must(t, err)
	got, err := other.Update(t.Context(), me, terse.LinkChange{Before: second, After: second})
	if !errors.Is(err, terse.ErrChanged) {
		t.Errorf("the second change is answered with %+v, %v", got, err)
	}
	if found, err := s.Link(t.Context(), link.Code); err != nil || found != made {
		t.Errorf("the link is %+v (%v), want %+v", found, err, made)
	}
}
