package postgres_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

const testShards = 4

func openCitus(t *testing.T) *postgres.Store {
	t.Helper()
	url, _ := pgtest.Citus(t, testShards)
	s := openAt(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func TestCitusStore(t *testing.T) {
	pgtest.Citus(t, testShards) // skips everything if there is none
	storetest.RunDistributed(t, func(t *testing.T) storetest.Store { return openCitus(t) })
}

func TestCitusReopen(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	storetest.RunReopen(t, func(t *testing.T) storetest.Store { return openAt(t, url) })
}

// TestCitusMoveDue: sets of statuses follow time where links are on several shards, too.
func TestCitusMoveDue(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	moveDue(t, url, open(t, url), open(t, url))
	wantRanges(t, url)
	wantDistributed(t, url)
}

// wantDistributed checks that the tables of links are distributed.
func wantDistributed(t *testing.T, url string) {
	t.Helper()
	n := count(t, url, "SELECT count(*) FROM citus_tables WHERE citus_table_type = 'distributed'")
	if n != 12 {
		t.Errorf("%d tables are distributed", n)
	}
}

// Operators learn of a worker that lost transactions, and counting goes on.
func TestCitusWarnings(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	s := openAt(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	link := create(t, s, "link")
	addClicks(t, s, "j", 0, clicksOf([]terse.Link{link}, 10)...)
	if warnings := s.Warnings(); len(warnings) > 0 {
		t.Errorf("warnings before: %q", warnings)
	}
	pgtest.Exec(t, url, "UPDATE click_guards SET number = number - 1")
	addClicks(t, s, "j", 1, clicksOf([]terse.Link{link}, 10)...)
	if all := strings.Join(s.Warnings(), "; "); !strings.Contains(all, "has lost 1 transactions") {
		t.Errorf("warnings: %q", all)
	}
	wantClicks(t, s, link.Ref(), 20)
}

// Nodes that create, count and delete the same links wait for each other in turn, and their totals
// agree in the end.
func TestCitusNodesWithTheSameLinks(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	var nodes sync.WaitGroup
	const links, rounds = 100, 5
	var made [2][]terse.Link
	for n := range 2 {
		s := openAt(t, url)
		t.Cleanup(func() { must(t, s.Close()) })
		made[n] = createAll(t, s, rounds*links+n, 1)
		nodes.Go(func() {
			for round := range rounds {
				made[n] = append(made[n], createAll(t, s, round*links, links)...)
				addClicks(t, s, fmt.Sprint(n), int64(round), clicksOf(made[n], 5000)...)
				deleteAll(t, s, made[n][(len(made[n])+1)/2:])
				made[n] = made[n][:(len(made[n])+1)/2]
			}
		})
	}
	nodes.Wait()
	want := len(made[0]) + len(made[1])
	for _, sql := range []string{
		"SELECT count(*) FROM links", "SELECT sum(links) FROM link_ranges",
	} {
		if n := count(t, url, sql); n != want {
			t.Errorf("%s: %d, want %d", sql, n, want)
		}
	}
	wantNoOrphans(t, open(t, url), url)
}

// Deletes wait for no batch, on whatever workers their links are, and nothing stays of these.
func TestCitusDeleteWhileCounting(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	a := open(t, url)
	deleteWhileCounting(t, a, open(t, url))
	wantNoOrphans(t, a, url)
}

// createAll creates n links from several callers, and returns those whose codes were free.
func createAll(t *testing.T, s *postgres.Store, first, n int) (made []terse.Link) {
	var creates sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		creates.Go(func() {
			link, err := s.Create(t.Context(), me, terse.NewLink{
				Code: code(t, fmt.Sprintf("same%04d", first+i)), URL: "https://example.org/",
				CreatedBy: terse.Identity,
			})
			if errors.Is(err, terse.ErrCodeTaken) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			made = append(made, link)
			mu.Unlock()
		})
	}
	creates.Wait()
	return made
}

func deleteAll(t *testing.T, s *postgres.Store, links []terse.Link) {
	var deletes sync.WaitGroup
	for _, link := range links {
		deletes.Go(func() {
			if err := s.Delete(t.Context(), me, link); err != nil {
				t.Error(err)
			}
		})
	}
	deletes.Wait()
}

// Calls made while a worker is down are done when it is back.
func TestCitusWorkerAway(t *testing.T) {
	t.Parallel()
	url, workers := pgtest.Citus(t, testShards)
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	links := createAll(t, s, 0, 20) // on all shards

	clicks := clicksOf(links, 1000)
	back := pgtest.SendAway(t, workers[0])
	var asked sync.WaitGroup
	asked.Go(func() {
		batch := storetest.Batch("j", 0, clicks...)
		if err := s.AddClicks(t.Context(), batch); err != nil {
			t.Error(err)
		}
	})
	asked.Go(func() { links = append(links, createAll(t, s, 20, 20)...) })
	// Each try takes IDs.
	await(t, "a second try", func() bool {
		return count(t, url, "SELECT last_value FROM link_ids") > 40
	})
	back()
	asked.Wait()
	if n := count(t, url, "SELECT sum(links) FROM link_ranges"); n != 40 || len(links) != 40 {
		t.Errorf("%d links of %d", n, len(links))
	}
	wantClicks(t, s, terse.AllLinks, int64(len(clicks)))
}

// An extension that comes after the tables is warned of, and the documentation says how to
// distribute them then.
func TestCitusComesLater(t *testing.T) {
	t.Parallel()
	url, workers := pgtest.Citus(t, testShards)
	pgtest.Exec(t, url, "DROP EXTENSION citus")
	s := openAt(t, url)
	links := createAll(t, s, 0, 50)
	clicks := clicksOf(links, 5000)
	addClicks(t, s, "j", 0, clicks...)
	must(t, s.Close())

	pgtest.Join(t, url, workers)
	var log strings.Builder
	logged := postgres.Options{URL: url, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	s, err := postgres.Open(t.Context(), logged)
	must(t, err)
	addClicks(t, s, "j", 1, clicks...)
	must(t, s.Close())
	if !strings.Contains(log.String(), "not distributed") {
		t.Errorf("log: %q", log.String())
	}

	for _, sql := range distributing(t) {
		pgtest.Exec(t, url, sql)
	}
	log.Reset()
	s, err = postgres.Open(t.Context(), logged)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	addClicks(t, s, "j", 2, clicks...)
	createAll(t, s, 50, 50)
	wantClicks(t, s, terse.AllLinks, int64(3*len(clicks)))
	wantDistributed(t, url)
	if log.Len() > 0 {
		t.Errorf("log: %q", log.String())
	}
}

// distributing returns the statements of docs/scale-out.md by which tables are distributed.
func distributing(t *testing.T) []string {
	t.Helper()
	doc, err := os.ReadFile("../../../docs/scale-out.md")
	must(t, err)
	_, block, found := strings.Cut(string(doc), "```sql\nSELECT create_distributed_table")
	block, _, closed := strings.Cut("SELECT create_distributed_table"+block, "```")
	if !found || !closed {
		t.Fatal("docs/scale-out.md has no statements that distribute tables")
	}
	return strings.SplitAfter(strings.TrimSpace(block), ";")
}
