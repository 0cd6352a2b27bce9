package rows_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/rows"
)

// await waits until something is so.
func await(t testing.TB, what string, so func() bool) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// count returns the number that a query finds.
func (d *database) count(sql string, args ...any) (n int) {
	d.t.Helper()
	must(d.t, d.pool.QueryRow(d.t.Context(), sql, args...).Scan(&n))
	return n
}

// waiting returns how many transactions wait for the lock.
func (d *database) waiting() int {
	d.t.Helper()
	return d.count(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
}

// TestPositionBehindTheLock: a transaction that waited for another, which moved a position, reads
// the new position.
func TestPositionBehindTheLock(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.run("CREATE TABLE positions (position bigint)")
	d.run("INSERT INTO positions VALUES (0)")
	other := newWriter(connect(t, d.url), false, slog.DiscardHandler)
	move := func(w *rows.Writer, before func()) (from int) {
		must(t, w.Do(t.Context(), func(ctx context.Context, tx pgx.Tx, _ *rows.Rows) error {
			must(t, tx.QueryRow(ctx, "SELECT position FROM positions").Scan(&from))
			before()
			_, err := tx.Exec(ctx, "UPDATE positions SET position = $1", from+1)
			return err
		}))
		return from
	}
	var nodes sync.WaitGroup
	first := move(d.writer, func() {
		nodes.Go(func() {
			if from := move(other, func() {}); from != 1 {
				t.Errorf("the position behind the lock is %d, want 1", from)
			}
		})
		await(t, "the other node", func() bool { return d.waiting() == 1 })
	})
	nodes.Wait()
	if n := d.count("SELECT position FROM positions"); first != 0 || n != 2 {
		t.Errorf("the first position is %d and the last %d, want 0 and 2", first, n)
	}
}

// TestOneConnectionWaits: many callers of a node wait for another node. Only one connection waits,
// and a caller's time-out begins when it has the lock.
func TestOneConnectionWaits(t *testing.T) {
	t.Parallel()
	d := open(t)
	pool := connect(t, d.url)
	const timeout = time.Hour
	other := rows.NewWriter(rows.Options{
		Pool: pool, Timeout: timeout, Logger: slog.New(slog.DiscardHandler),
	})
	var callers sync.WaitGroup
	var began atomic.Int64
	var left time.Time
	must(t, d.writer.Do(t.Context(), func(context.Context, pgx.Tx, *rows.Rows) error {
		for range 8 {
			callers.Go(func() {
				began.Add(1)
				must(t, other.Do(t.Context(),
					func(ctx context.Context, _ pgx.Tx, _ *rows.Rows) error {
						if ends, ok := ctx.Deadline(); !ok || ends.Before(left.Add(timeout)) {
							t.Errorf("ends at %v, the lock was free at %v", ends, left)
						}
						return nil
					}))
			})
		}
		await(t, "the callers", func() bool { return began.Load() == 8 && d.waiting() > 0 })
		for range 20 {
			if n, used := d.waiting(), pool.Stat().AcquiredConns(); n != 1 || used != 1 {
				t.Errorf("%d connections wait, %d are in use", n, used)
			}
		}
		left = time.Now()
		return nil
	}))
	callers.Wait()
}

func nothing(context.Context, pgx.Tx, *rows.Rows) error { return nil }

// TestWaitIsGivenUp: a caller leaves while it waits for another node, and nothing waits for it on
// the server either.
func TestWaitIsGivenUp(t *testing.T) {
	t.Parallel()
	d := open(t)
	other := newWriter(connect(t, d.url), false, slog.DiscardHandler)
	must(t, d.writer.Do(t.Context(), func(context.Context, pgx.Tx, *rows.Rows) error {
		ctx, leave := context.WithCancel(t.Context())
		var caller sync.WaitGroup
		caller.Go(func() {
			if err := other.Do(ctx, nothing); !errors.Is(err, context.Canceled) {
				t.Errorf("the caller that left: %v", err)
			}
		})
		await(t, "the caller", func() bool { return d.waiting() == 1 })
		leave()
		caller.Wait()
		await(t, "the server to notice", func() bool { return d.waiting() == 0 })
		return nil
	}))
	must(t, other.Do(t.Context(), nothing))
}

// silent is a connection that goes silent within what it writes.
type silent struct {
	net.Conn
	// said returns how much of what is written is sent before that; -1: all, and it goes on.
	said func(p []byte) int
	// armed is set when the next write may be the one, fell is closed when it was, and over has the
	// rest be sent.
	armed      atomic.Bool
	fell, over chan struct{}
}

func (s *silent) Write(p []byte) (int, error) {
	n := s.said(p)
	if n < 0 || !s.armed.CompareAndSwap(true, false) {
		return s.Conn.Write(p)
	}
	if n, err := s.Conn.Write(p[:n]); err != nil {
		return n, err
	}
	close(s.fell)
	<-s.over
	m, err := s.Conn.Write(p[n:])
	return n + m, err
}

// silences are where no time-out of the server ends a node that goes silent: within a COPY, and
// before the Sync of a pipeline (PostgreSQL manual, 55.7).
var silences = map[string]struct {
	table clickstore.Table // the writes of which are like that
	said  func(p []byte) int
}{
	"in a copy": {clickstore.Level0, func(p []byte) int {
		if p[0] != 'd' {
			return -1
		}
		return len(p) / 2
	}},
	"before the end of a pipeline": {clickstore.Totals, func(p []byte) int {
		if sync := []byte("S\x00\x00\x00\x04"); bytes.HasSuffix(p, sync) {
			return len(p) - len(sync)
		}
		return -1
	}},
}

// TestSilentNode: a node goes silent where no time-out of the server ends it. The next node ends
// it, and says so.
func TestSilentNode(t *testing.T) {
	t.Parallel()
	for name, is := range silences {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			node := &silent{said: is.said, fell: make(chan struct{}), over: make(chan struct{})}
			config, err := pgxpool.ParseConfig(d.url)
			must(t, err)
			config.MaxConns = 1
			config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (
				conn net.Conn, err error,
			) {
				node.Conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
				return node, err
			}
			pool, err := pgxpool.NewWithConfig(t.Context(), config)
			must(t, err)
			defer pool.Close()
			put := func(v string, before func()) func(context.Context, pgx.Tx, *rows.Rows) error {
				return func(_ context.Context, _ pgx.Tx, r *rows.Rows) error {
					before()
					return r.Put(is.table, clickstore.Key{A: 1}, clickstore.Span{}, []byte(v))
				}
			}
			hung := make(chan error)
			go func() {
				hung <- newWriter(pool, false, slog.DiscardHandler).Do(t.Context(),
					put("silent", func() { node.armed.Store(true) }))
			}()
			<-node.fell

			var log buffer
			next := newWriter(d.pool, false, slog.NewTextHandler(&log, nil))
			next.Hurry(time.Minute, 20*time.Millisecond)
			must(t, next.Do(t.Context(), put("next", func() {})))
			if !strings.Contains(log.String(), "went silent") {
				t.Errorf("log: %s", log.String())
			}
			close(node.over)
			if err := <-hung; err == nil {
				t.Error("what the silent node wrote was committed")
			}
			must(t, d.Read(func(r clickstore.Reader) error {
				return r.Get(is.table, clickstore.Key{A: 1}, func(v []byte) error {
					if string(v) != "next" {
						t.Errorf("the value is %q", v)
					}
					return nil
				})
			}))
		})
	}
}

// TestNodeHangs: a node hangs between two statements, and the server ends its transaction.
func TestNodeHangs(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.writer.Hurry(50*time.Millisecond, time.Hour)
	other := newWriter(connect(t, d.url), false, slog.DiscardHandler)
	other.Hurry(time.Minute, time.Hour)
	key := clickstore.Key{A: 1}
	put := func(w *rows.Writer, v string, hang func()) error {
		return w.Do(t.Context(), func(_ context.Context, _ pgx.Tx, r *rows.Rows) error {
			if err := r.Put(clickstore.Totals, key, clickstore.Span{}, []byte(v)); err != nil {
				return err
			}
			hang()
			return nil
		})
	}
	err := put(d.writer, "hung", func() { must(t, put(other, "went on", func() {})) })
	if err == nil {
		t.Error("a transaction that hung was committed")
	}
	must(t, d.Read(func(r clickstore.Reader) error {
		return r.Get(clickstore.Totals, key, func(v []byte) error {
			if string(v) != "went on" {
				t.Errorf("the value is %q", v)
			}
			return nil
		})
	}))
}

// queries counts the queries with some text in them, as far as they are sent one by one.
type queries struct {
	text string
	n    atomic.Int64
}

func (q *queries) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	if strings.Contains(data.SQL, q.text) {
		q.n.Add(1)
	}
	return ctx
}

func (*queries) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// connect connects to a database, and counts the queries there.
func (q *queries) connect(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	must(t, err)
	config.ConnConfig.Tracer = q
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// TestPrefetchMuch fetches more than fits into memory, in parts that do, and reads and writes it:
// no row is asked for by itself.
func TestPrefetchMuch(t *testing.T) {
	t.Parallel()
	d := open(t)
	const n, atOnce, bytes = 3000, 50, 1000
	single := &queries{text: "FROM totals"}
	w := newWriter(single.connect(t, d.url), false, slog.DiscardHandler)
	write := func(f func(r *rows.Rows, k clickstore.Key) error) {
		must(t, w.Do(t.Context(), func(_ context.Context, _ pgx.Tx, r *rows.Rows) error {
			r.SetLimit(n * bytes / 8)
			for a := range int64(n) {
				if a%atOnce == 0 {
					var some []clickstore.Range
					for next := range int64(atOnce) {
						some = append(some, clickstore.Range{Table: clickstore.Totals, A: a + next})
					}
					must(t, r.Prefetch(some, nil))
				}
				if err := f(r, clickstore.Key{A: a}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	put := func(r *rows.Rows, k clickstore.Key) error {
		return r.Put(clickstore.Totals, k, clickstore.Span{}, make([]byte, bytes))
	}
	write(put)
	read := 0
	write(func(r *rows.Rows, k clickstore.Key) error {
		err := r.Get(clickstore.Totals, k, func(v []byte) error {
			read += len(v)
			return nil
		})
		return errors.Join(err, put(r, k), r.Put(clickstore.Level0, k, clickstore.Span{}, nil))
	})
	if read != n*bytes {
		t.Errorf("%d bytes were read, want %d", read, n*bytes)
	}
	if got := single.n.Load(); got > 0 {
		t.Errorf("%d rows were asked for one by one", got)
	}
}

// TestBusyNode: a node takes long over a statement, and nobody ends it.
func TestBusyNode(t *testing.T) {
	t.Parallel()
	d := open(t)
	const busy = 77 // an advisory lock for which the statement waits
	holder, err := pgx.Connect(t.Context(), d.url)
	must(t, err)
	defer holder.Close(t.Context())
	_, err = holder.Exec(t.Context(), "SELECT pg_advisory_lock($1)", busy)
	must(t, err)
	var node sync.WaitGroup
	node.Go(func() {
		must(t, d.writer.Do(t.Context(), func(ctx context.Context, tx pgx.Tx, _ *rows.Rows) error {
			_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", busy)
			return err
		}))
	})
	// Before and after the statement, the node is silent: others may look only while it waits.
	await(t, "the statement", func() bool { return d.waiting() == 1 })
	looks := &queries{text: "pg_locks"}
	other := newWriter(looks.connect(t, d.url), false, slog.DiscardHandler)
	other.Hurry(time.Minute, time.Millisecond)
	ctx, stop := context.WithCancel(t.Context())
	var waits sync.WaitGroup
	waits.Go(func() {
		if err := other.Do(ctx, nothing); !errors.Is(err, context.Canceled) {
			t.Errorf("the other node: %v", err)
		}
	})
	await(t, "some looks", func() bool { return looks.n.Load() > 5 })
	stop()
	waits.Wait()
	_, err = holder.Exec(t.Context(), "SELECT pg_advisory_unlock($1)", busy)
	must(t, err)
	node.Wait()
}

// TestWipeWhileRead wipes a table that a dump reads: it is refused, and counting goes on.
func TestWipeWhileRead(t *testing.T) {
	t.Parallel()
	d := open(t)
	conn, err := pgx.Connect(t.Context(), d.url)
	must(t, err)
	wipeWhileRead(t, d, conn, "visitor_hashes_odd")
}

// A dump of a worker's database is in the way, too.
func TestCitusWipeWhileRead(t *testing.T) {
	t.Parallel()
	d := openCitus(t)
	worker, shard := d.shardOf("visitor_hashes_odd", 5)
	wipeWhileRead(t, d, worker, shard)
}

func wipeWhileRead(t *testing.T, d *database, reader *pgx.Conn, table string) {
	t.Helper()
	key := clickstore.Key{A: 1}
	put := func(v string) {
		must(t, d.Write(func(r clickstore.Rows) error {
			return r.Put(clickstore.VisitorsOdd, key, clickstore.Span{}, []byte(v))
		}))
	}
	put("hash")
	dump, err := reader.Begin(t.Context())
	must(t, err)
	_, err = dump.Exec(t.Context(), "SELECT FROM "+table)
	must(t, err)
	if err := d.Wipe(clickstore.VisitorsOdd); !errors.Is(err, rows.ErrInUse) {
		t.Errorf("wipe: %v", err)
	}
	put("more")
	must(t, dump.Rollback(t.Context()))
	must(t, d.Wipe(clickstore.VisitorsOdd))
	if n := d.count("SELECT count(*) FROM visitor_hashes_odd"); n != 0 {
		t.Errorf("%d rows after they were wiped", n)
	}
}

// buffer is a log that is read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// TestCitusCommitHangs: a commit hangs between the coordinator and a worker. The next transaction
// waits for it, and sees its writes.
func TestCitusCommitHangs(t *testing.T) {
	t.Parallel()
	d := openCitus(t)
	key := clickstore.Key{A: 5 << 4} // region 5
	put := func(v string) {
		must(t, d.Write(func(r clickstore.Rows) error {
			return r.Put(clickstore.Totals, key, clickstore.Span{}, []byte(v))
		}))
	}
	put("before")
	const part = 5
	worker, shard := d.shardOf("click_guards", part)
	_, totals := d.shardOf("totals", part)
	// What Citus has prepared on a worker, and has committed on the coordinator. Its name is the
	// server's, not the database's.
	name := d.pool.Config().ConnConfig.Database
	_, err := worker.Exec(t.Context(), "BEGIN; SET LOCAL citus.enable_ddl_propagation = off;"+
		"UPDATE "+shard+" SET number = number + 1 WHERE part = 5; "+
		"UPDATE "+totals+" SET value = 'behind' WHERE part = 5; PREPARE TRANSACTION '"+name+"'")
	must(t, err)
	t.Cleanup(func() { // or the database could not be dropped
		_, _ = worker.Exec(context.Background(), "ROLLBACK PREPARED '"+name+"'")
	})
	_, err = d.pool.Exec(t.Context(), "UPDATE click_parts SET number = number + 1 WHERE part = 5")
	must(t, err)
	var next sync.WaitGroup
	next.Go(func() {
		must(t, d.Write(func(r clickstore.Rows) error {
			return r.Get(clickstore.Totals, key, func(v []byte) error {
				if string(v) != "behind" {
					t.Errorf("the next transaction reads %q", v)
				}
				return nil
			})
		}))
	})
	await(t, "the next transaction", func() (waits bool) {
		must(t, worker.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks "+
			"WHERE NOT granted AND locktype = 'transactionid')").Scan(&waits))
		return waits
	})
	_, err = worker.Exec(t.Context(), "COMMIT PREPARED '"+name+"'")
	must(t, err)
	next.Wait()
	must(t, d.writer.WentBack())
}

// shardOf returns the worker that has a part of a table, and its name there.
func (d *database) shardOf(table string, part int) (worker *pgx.Conn, name string) {
	d.t.Helper()
	var host string
	var port uint16
	must(d.t, d.pool.QueryRow(d.t.Context(), `SELECT nodename, nodeport,
			shard_name($1::text::regclass, shardid) FROM pg_dist_shard_placement
		WHERE shardid = get_shard_id_for_distribution_column(
			$1::text::regclass, $2::integer::smallint)`, table, part).Scan(&host, &port, &name))
	config, err := pgx.ParseConfig(d.url)
	must(d.t, err)
	config.Host, config.Port = host, port
	for _, f := range config.Fallbacks { // where the server has no TLS
		f.Host, f.Port = host, port
	}
	worker, err = pgx.ConnectConfig(d.t.Context(), config)
	must(d.t, err)
	d.t.Cleanup(func() { worker.Close(context.Background()) })
	return worker, name
}

// TestCitusServerWentBack: servers lose transactions. They are named, and counting goes on.
func TestCitusServerWentBack(t *testing.T) {
	t.Parallel()
	d := openCitus(t)
	var log buffer
	d.writer = newWriter(d.pool, true, slog.NewTextHandler(&log, nil))
	put := func() {
		must(t, d.Write(func(r clickstore.Rows) error {
			return r.Put(clickstore.Totals, clickstore.Key{A: 5 << 4}, clickstore.Span{}, nil)
		}))
	}
	for range 3 {
		put()
	}
	must(t, d.writer.WentBack())
	for table, server := range map[string]string{
		"click_guards": ":", "click_parts": "the coordinator",
	} {
		d.run("UPDATE " + table + " SET number = number - 2 WHERE part = 5")
		put()
		var back *rows.WentBackError
		if err := d.writer.WentBack(); !errors.As(err, &back) || back.Part != 5 || back.Lost != 2 ||
			!strings.Contains(back.Server, server) {
			t.Errorf("%s: %v", table, err)
		}
		before := log.String()
		if !strings.Contains(before, "has lost 2 transactions") {
			t.Errorf("log: %s", before)
		}
		put()
		if log.String() != before {
			t.Error("it is said again")
		}
	}
}
