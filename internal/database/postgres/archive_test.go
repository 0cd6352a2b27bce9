package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/tests/pgtest"
)

// statements counts the statements of a store.
type statements struct{ n atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData,
) context.Context {
	s.n.Add(1)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData,
) context.Context {
	return ctx
}

func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {
	s.n.Add(1)
}

func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TestPlainExportStatements: what an export asks for grows by pages of links, not by links.
func TestPlainExportStatements(t *testing.T) {
	t.Parallel()
	exportStatements(t, pgtest.URL(t))
}

func TestCitusExportStatements(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	exportStatements(t, url)
}

// exportStatements exports quiet links beside a busy one, whose clicks don't fit into memory.
func exportStatements(t *testing.T, url string) {
	counted := &statements{}
	s, err := postgres.Open(t.Context(), postgres.WithTracer(postgres.Options{URL: url}, counted))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	busy := create(t, s, "link0500")
	const each, many = 5, 150_000
	addClicks(t, s, "j", 0, clicksOf([]terse.Link{busy}, many)...)
	links := []terse.Link{busy}
	clicks := map[terse.LinkID]int64{busy.ID: many}
	grow := func(from, to int) int64 {
		var made []terse.RestoredLink
		for i := from; i < to; i++ {
			made = append(made, terse.RestoredLink{Link: terse.NewLink{
				Code: code(t, fmt.Sprintf("link%04d", 2*i+1)), URL: "https://example.org/",
				CreatedBy: terse.Identity, Options: `{"title":"Title"}`,
			}})
		}
		var created []terse.Link
		must(t, s.Transact(t.Context(), func(tx terse.Tx) (err error) {
			created, _, err = tx.CreateAll(t.Context(), me, made)
			return err
		}))
		var some []terse.Click
		for i, link := range created {
			if i%2 == 0 { // the others have no clicks
				some = append(some, clicksOf([]terse.Link{link}, each)...)
				clicks[link.ID] = each
			}
		}
		addClicks(t, s, fmt.Sprint("j", from), 0, some...)
		links = append(links, created...)
		slices.SortFunc(links, func(a, b terse.Link) int {
			return strings.Compare(a.Code.String(), b.Code.String())
		})
		before := counted.n.Load()
		wantExported(t, s, links, clicks)
		return counted.n.Load() - before
	}
	few := grow(0, 100)
	more := grow(100, 1000)
	t.Logf("%d statements export 101 links, %d export 1001", few, more)
	if more-few > 100 {
		t.Errorf("%d statements export 101 links, %d export 1001", few, more)
	}
}

// wantExported checks that an export has links in their order, with their clicks in the order of
// time.
func wantExported(
	t *testing.T, s *postgres.Store, links []terse.Link, clicks map[terse.LinkID]int64,
) {
	t.Helper()
	announced, all := int64(0), int64(0)
	for _, n := range clicks {
		all += n
	}
	must(t, s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		func(_, clicks int64) error {
			announced = clicks
			return nil
		}, func(e terse.Exported) error {
			if len(links) == 0 || e.Link.Ref() != links[0].Ref() {
				t.Fatalf("link %v is exported before %v", e.Link, links)
			}
			n, last := int64(0), int64(0)
			must(t, e.Past(func(terse.PastDay) error { return nil }, func(c terse.PastClick) error {
				if c.Time < last {
					t.Fatalf("link %v: a click of %d after one of %d", e.Link.Code, c.Time, last)
				}
				n, last = n+c.Count, c.Time
				return nil
			}))
			if want := clicks[e.Link.ID]; n != want || e.Link.Clicks != want ||
				want > 0 && e.Link.LastClick.UnixMicro() != last {
				t.Errorf("link %v has %d exported clicks, want %d", e.Link, n, want)
			}
			links = links[1:]
			return nil
		}, nil))
	if len(links) > 0 || announced != all {
		t.Errorf("%d clicks are announced, of %d; not exported: %v", announced, all, links)
	}
}

// TestExportSlowReader: an export goes on after its reader took longer than a transaction may be
// idle.
func TestExportSlowReader(t *testing.T) {
	t.Parallel()
	exportSlowly(t, pgtest.URL(t))
}

func TestCitusExportSlowReader(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	exportSlowly(t, url)
}

func exportSlowly(t *testing.T, url string) {
	const idle = 300 * time.Millisecond
	s, err := postgres.Open(t.Context(),
		postgres.WithBounds(postgres.Options{URL: url}, idle, 0))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	links := []terse.Link{create(t, s, "first"), create(t, s, "second")}
	addClicks(t, s, "j", 0, clicksOf(links, 100)...)
	read := 0
	must(t, s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		func(int64, int64) error {
			idleEnds(t, url, idle)
			return nil
		}, func(e terse.Exported) error {
			idleEnds(t, url, idle)
			return e.Past(nil, func(c terse.PastClick) error {
				if read++; read%40 == 0 {
					idleEnds(t, url, idle)
				}
				return nil
			})
		}, nil))
	if read != 100 {
		t.Errorf("%d clicks are exported", read)
	}
}

// idleEnds waits until PostgreSQL has ended a transaction that was idle for a time.
func idleEnds(t *testing.T, url string, idle time.Duration) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), fmt.Sprintf(
		"SET idle_in_transaction_session_timeout = %d; BEGIN; SELECT 1", idle.Milliseconds()))
	must(t, err)
	await(t, "PostgreSQL to end an idle transaction", func() bool {
		return count(t, url, fmt.Sprintf("SELECT count(*) FROM pg_stat_activity WHERE pid = %d",
			conn.PgConn().PID())) == 0
	})
}

// TestExportTooLong: an export that keeps PostgreSQL from cleaning up for too long is cut off, also
// while its reader takes nothing.
func TestExportTooLong(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, err := postgres.Open(t.Context(),
		postgres.WithBounds(postgres.Options{URL: url}, 0, 200*time.Millisecond))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	create(t, s, "first")
	err = s.Export(t.Context(), terse.ExportQuery{Owner: terse.Identity},
		func(int64, int64) error {
			await(t, "PostgreSQL to clean up again", func() bool {
				return count(t, url, "SELECT count(*) FROM pg_stat_activity "+
					"WHERE backend_xmin IS NOT NULL AND state = 'idle in transaction' "+
					"AND datname = current_database()") == 0
			})
			return nil
		}, func(terse.Exported) error { return nil }, nil)
	if err == nil || !strings.Contains(err.Error(), "kept PostgreSQL from cleaning up") {
		t.Errorf("an export that took too long: %v", err)
	}
}
