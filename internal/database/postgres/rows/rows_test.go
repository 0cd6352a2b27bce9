package rows_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"terse/internal/click/clickstore"
	"terse/internal/database/postgres"
	"terse/internal/database/postgres/rows"
	"terse/internal/database/storetest/rowstest"
	"terse/internal/tests/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// database is a database of rows.
type database struct {
	t      testing.TB
	url    string
	pool   *pgxpool.Pool
	writer *rows.Writer
	limit  int // of bytes in memory; 0: the usual one
}

// open makes an empty database.
func open(t testing.TB) *database {
	t.Helper()
	url := pgtest.URL(t)
	return openAt(t, url, false)
}

// openCitus makes an empty database on Citus.
func openCitus(t testing.TB) *database {
	t.Helper()
	url, _ := pgtest.Citus(t, 8)
	return openAt(t, url, true)
}

func openAt(t testing.TB, url string, citus bool) *database {
	t.Helper()
	// It makes the tables.
	store, err := postgres.Open(context.Background(), postgres.Options{URL: url})
	must(t, err)
	must(t, store.Close())
	d := &database{t: t, url: url, pool: connect(t, url)}
	d.writer = newWriter(d.pool, citus, slog.DiscardHandler)
	return d
}

func newWriter(pool *pgxpool.Pool, citus bool, log slog.Handler) *rows.Writer {
	return rows.NewWriter(rows.Options{
		Pool: pool, Citus: citus, Timeout: time.Minute, Logger: slog.New(log),
	})
}

// connect connects to a database.
func connect(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	must(t, err)
	config.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: time.Minute}
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SET citus.max_adaptive_executor_pool_size = 1; "+
			"SET citus.multi_shard_modify_mode = 'sequential'")
		return err
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	must(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// run runs the statements of a script.
func (d *database) run(script string) {
	d.t.Helper()
	for sql := range strings.SplitAfterSeq(script, ";\n") {
		_, err := d.pool.Exec(d.t.Context(), sql)
		must(d.t, err)
	}
}

func (d *database) Write(f func(clickstore.Rows) error) error {
	return d.writer.Do(context.Background(),
		func(_ context.Context, _ pgx.Tx, r *rows.Rows) error {
			if d.limit > 0 {
				r.SetLimit(d.limit)
			}
			return f(r)
		})
}

func (d *database) Read(f func(clickstore.Reader) error) error {
	ctx := context.Background()
	return pgx.BeginTxFunc(ctx, d.pool, pgx.TxOptions{
		IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly,
	}, func(tx pgx.Tx) error { return f(rows.NewReader(ctx, tx)) })
}

func (d *database) Wipe(t clickstore.Table) error {
	return d.writer.Do(context.Background(),
		func(ctx context.Context, tx pgx.Tx, _ *rows.Rows) error {
			return rows.WipeIn(ctx, tx, t)
		})
}

func TestRows(t *testing.T) {
	t.Parallel()
	for _, limit := range []struct {
		name  string
		bytes int
	}{{"in memory", 0}, {"in little memory", 30_000}} {
		t.Run(limit.name, func(t *testing.T) {
			t.Parallel()
			rowstest.Run(t, 6, func(t testing.TB) rowstest.Database {
				d := open(t)
				d.limit = limit.bytes
				return d
			})
		})
	}
}

func TestCitusRows(t *testing.T) {
	t.Parallel()
	openCitus(t) // skips all at once where there is none
	rowstest.Run(t, 2, func(t testing.TB) rowstest.Database { return openCitus(t) })
}

func FuzzRows(f *testing.F) {
	d := open(f)
	d.limit = 30_000
	rowstest.Fuzz(f, d)
}

// BenchmarkRewrites writes 60 batches of 782 totals and 49 runs, and says how much of the
// write-ahead log a batch takes, and how large the tables are in the end.
func BenchmarkRewrites(b *testing.B) {
	b.Run("postgres", func(b *testing.B) { benchmarkRewrites(b, open, "pg_total_relation_size") })
	b.Run("citus", func(b *testing.B) {
		benchmarkRewrites(b, openCitus, "citus_total_relation_size")
	})
}

func benchmarkRewrites(b *testing.B, open func(testing.TB) *database, size string) {
	var before, after, totals, runs float64
	var cpu time.Duration // of the server that the node is connected to
	for b.Loop() {
		b.StopTimer()
		d := open(b)
		const wal = "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8"
		must(b, d.pool.QueryRow(b.Context(), wal).Scan(&before))
		b.StartTimer()
		rowstest.BenchRewrites(b, d)
		b.StopTimer()
		for _, conn := range d.pool.AcquireAllIdle(b.Context()) {
			cpu += pgtest.CPU(b, conn.Conn().PgConn().PID())
			conn.Release()
		}
		must(b, d.pool.QueryRow(b.Context(), wal).Scan(&after))
		must(b, d.pool.QueryRow(b.Context(),
			"SELECT "+size+"('totals')::float8, "+size+"('level0')::float8").Scan(&totals, &runs))
		b.StartTimer()
	}
	b.ReportMetric((after-before)/1e6/rowstest.Rewrites, "WAL-MB/batch")
	b.ReportMetric(totals/1e6, "totals-MB")
	b.ReportMetric(runs/1e6, "runs-MB")
	b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N*rowstest.Rewrites), "CPU-ms/batch")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*rowstest.Rewrites), "ms/batch")
}
