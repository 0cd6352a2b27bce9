package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// TestPoolerRefused opens stores through poolers that lend sessions for a transaction or less, in
// the orders in which they may do so.
func TestPoolerRefused(t *testing.T) {
	t.Parallel()
	const transaction, statement = "pool_mode = transaction", "pool_mode = statement"
	const inTurn = "server_round_robin = 1" // otherwise the last one first
	for name, c := range map[string]struct {
		settings []string
		servers  int // which the pooler has before
	}{
		"transaction":                     {[]string{transaction}, 0},
		"transaction, several servers":    {[]string{transaction}, 6},
		"transaction, one server":         {[]string{transaction, "default_pool_size = 1"}, 0},
		"transaction, in turn":            {[]string{transaction, inTurn}, 0},
		"transaction, in turn, 4 servers": {[]string{transaction, inTurn}, 4},
		"transaction, in turn, 8 servers": {[]string{transaction, inTurn}, 8},
		"statement":                       {[]string{statement}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pgtest.StartPooler(t, pgtest.URL(t), c.settings...)
			occupy(t, p.URL(), c.servers)
			var starting sync.WaitGroup
			for range 3 {
				wantPooled(t, p.URL())
				starting.Go(func() { wantPooled(t, p.URL()) })
			}
			starting.Wait()
		})
	}
}

// TestPoolerRefusedInTraffic is the same while others use the pooler.
func TestPoolerRefusedInTraffic(t *testing.T) {
	t.Parallel()
	p := pgtest.StartPooler(t, pgtest.URL(t), "pool_mode = transaction", "default_pool_size = 5")
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	for range 10 {
		conn := connect(t, p.URL())
		others.Go(func() {
			for ctx.Err() == nil {
				_, err := conn.PgConn().Exec(ctx, "SELECT 1").ReadAll()
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	for range 5 {
		wantPooled(t, p.URL())
	}
}

func wantPooled(t *testing.T, url string) {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url})
	if err == nil {
		err = s.Close()
		t.Error("a pooler that lends sessions is not refused")
	}
	if !errors.Is(err, postgres.ErrPooled) || !strings.Contains(err.Error(), "session mode") {
		t.Error(err)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// occupy makes a pooler open that many connections to its server.
func occupy(t *testing.T, url string, servers int) {
	t.Helper()
	var conns []*pgx.Conn
	for range servers {
		conn := connect(t, url)
		_, err := conn.PgConn().Exec(t.Context(), "BEGIN").ReadAll()
		must(t, err)
		conns = append(conns, conn)
	}
	for _, conn := range conns {
		_, err := conn.PgConn().Exec(t.Context(), "COMMIT").ReadAll()
		must(t, err)
		must(t, conn.Close(t.Context()))
	}
}

// TestStoreThroughPooler: in session mode everything is as without a pooler.
func TestStoreThroughPooler(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	storetest.RunConnected(t, func(t *testing.T) storetest.Store {
		return open(t, pgtest.StartPooler(t, pgtest.URL(t), "pool_mode = session").URL())
	})
}

// TestNodesThroughPooler: nodes notify each other of changes, and lose and take over a claim.
func TestNodesThroughPooler(t *testing.T) {
	t.Parallel()
	url := pgtest.StartPooler(t, pgtest.URL(t), "pool_mode = session").URL()
	network, proxied := through(t, url)
	a, b := open(t, proxied), open(t, url)
	w := watch(t, b)
	first := create(t, a, "first")
	must(t, a.Delete(t.Context(), me, first))
	w.awaitChanged(t, first.Code)

	must(t, a.Claim(t.Context(), "j"))
	c := open(t, url)
	err := c.Claim(t.Context(), "j")
	if err == nil || !strings.Contains(err.Error(), "another node") {
		t.Errorf("a second claim: %v", err)
	}
	network.cut() // as if the first node were killed
	await(t, "the pooler to give up the claim", func() bool {
		return c.Claim(t.Context(), "j") == nil
	})
	addClicks(t, c, "j", 0)

	terminate(t, url)
	w.awaitAll(t, 2)
	second := create(t, a, "second")
	must(t, a.Delete(t.Context(), me, second))
	w.awaitChanged(t, second.Code)
}

// TestPoolerWithFewServers uses a pooler in session mode with two servers for a node: one for the
// node's session, and one for everything else.
func TestPoolerWithFewServers(t *testing.T) {
	t.Parallel()
	p := pgtest.StartPooler(t, pgtest.URL(t), "pool_mode = session", "default_pool_size = 2")
	s := open(t, p.URL()+"&pool_max_conns=1")
	must(t, s.Claim(t.Context(), "j"))
	watch(t, s)
	create(t, s, "launch")
	addClicks(t, s, "j", 0)
	must(t, s.Check(t.Context()))
}

// TestPoolerChangesItsMode: an administrator sets a pooler to transaction mode while a node uses
// it, and back. Meanwhile the node counts nothing, and says why.
func TestPoolerChangesItsMode(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p := pgtest.StartPooler(t, url, "pool_mode = session")
	s := open(t, p.URL())
	must(t, s.Claim(t.Context(), "j"))
	w := watchClosely(t, s)
	// New clients of the pooler have the new mode.
	set := func(mode string) {
		p.Reload(t, "pool_mode = "+mode)
		await(t, mode+" mode", func() bool {
			count(t, url, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid()`)
			conns := []*pgx.Conn{connect(t, p.URL()), connect(t, p.URL())}
			var pids [2]string
			for i, conn := range conns {
				results, err := conn.PgConn().Exec(t.Context(), "SELECT pg_backend_pid()").ReadAll()
				if err == nil {
					pids[i] = string(results[0].Rows[0][0])
				}
				_ = conn.Close(t.Context())
			}
			return pids[0] != "" && (pids[0] == pids[1]) == (mode == "transaction")
		})
	}
	set("transaction")
	var err error
	await(t, "the node to find out", func() bool {
		err = s.Check(t.Context())
		return errors.Is(err, postgres.ErrPooled)
	})
	batch := storetest.Batch("j", 0)
	if err := s.AddClicks(t.Context(), batch); !errors.Is(err, postgres.ErrPooled) {
		t.Errorf("clicks are counted: %v", err)
	}
	w.mu.Lock()
	all := w.all
	w.mu.Unlock()
	w.awaitAll(t, all+2)
	set("session")
	defer func() { // awaited in vain
		if t.Failed() {
			t.Log(err)
		}
	}()
	await(t, "the node to count again", func() bool {
		if err = s.Check(t.Context()); err == nil {
			err = s.AddClicks(t.Context(), batch)
		}
		return err == nil
	})
}
