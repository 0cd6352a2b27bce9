package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed schema/*.sql
var schema embed.FS

// maxConns bounds the connections of a node, unless the address says pool_max_conns: each is a
// process of the server. What is asked most is asked for many callers at once, so that few are
// needed.
const maxConns = 16

// connectTimeout is for one server of the address, unless that says connect_timeout.
const connectTimeout = 2 * time.Second

// Both ends notice within some 15 seconds when the other is gone without a word: its locks are in
// the way of others.
const (
	keepAliveIdle     = 5 * time.Second
	keepAliveInterval = 3 * time.Second
	keepAliveCount    = 3
)

// errURL does not quote the address, which may hold a password.
var errURL = errors.New(
	"is no address of a PostgreSQL database, such as postgres://user:password@host:5432/database")

// CheckURL tells whether an address can be used. Its error does not quote the address.
func CheckURL(url string) error {
	_, err := parseURL(url)
	return err
}

func parseURL(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errURL
	}
	return config, nil
}

// config is how all connections are made.
func (s *Store) config(url string) (*pgxpool.Config, error) {
	c, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	given, err := pgx.ParseConfig(url) // with the parameters that the pool's parser takes out
	if err != nil {
		return nil, errURL
	}
	if given.RuntimeParams["pool_max_conns"] == "" {
		c.MaxConns = int32(min(4*runtime.GOMAXPROCS(0), maxConns))
	}
	if given.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = connectTimeout
	}
	if c.ConnConfig.RuntimeParams["application_name"] == "" {
		c.ConnConfig.RuntimeParams["application_name"] = "terse"
	}
	if c.PingTimeout == 0 {
		c.PingTimeout = time.Second
	}
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: keepAliveIdle,
		Interval: keepAliveInterval, Count: keepAliveCount,
	}}
	c.ConnConfig.DialFunc = dialer.DialContext
	c.ConnConfig.OnPgError = func(_ *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == readOnlyTransaction {
			s.pool.Reset() // it is no primary any more; the next connection goes to the one that is
		}
		return err.Code != readOnlyTransaction && !strings.EqualFold(err.Severity, "FATAL")
	}
	c.AfterConnect = prepareConn
	return c, nil
}

// prepareConn has the server notice when we are gone, and end what takes absurdly long. Citus is to
// use one connection to a worker for a transaction, instead of a new one for each shard; to write
// to shards in their order, so that nodes do not wait for each other; and to pass on SET LOCAL.
// Elsewhere its settings mean nothing. Engines that know no such settings do without.
func prepareConn(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('tcp_keepalives_idle', $1, false),
		set_config('tcp_keepalives_interval', $2, false),
		set_config('tcp_keepalives_count', $3, false),
		set_config('tcp_user_timeout', '15000', false),
		set_config('idle_in_transaction_session_timeout', '60000', false),
		set_config('statement_timeout', '60000', false),
		set_config('citus.max_adaptive_executor_pool_size', '1', false),
		set_config('citus.multi_shard_modify_mode', 'sequential', false),
		set_config('citus.propagate_set_commands', 'local', false)`,
		pgx.QueryExecModeExec, seconds(keepAliveIdle), seconds(keepAliveInterval),
		fmt.Sprint(keepAliveCount))
	var refused *pgconn.PgError
	if errors.As(err, &refused) && !transient(err) {
		return nil
	}
	return err
}

func seconds(d time.Duration) string { return fmt.Sprint(int(d / time.Second)) }

// migrationLock is the advisory lock that nodes which start together take in turn: "terse" in
// ASCII.
const migrationLock = 0x7465727365

// migrate brings the schema up to date, in one transaction.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := fs.Glob(schema, "schema/0*.sql")
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)",
			int64(migrationLock)); err != nil {
			return err
		}
		return s.migrateIn(ctx, tx, steps)
	})
}

func (s *Store) migrateIn(ctx context.Context, tx pgx.Tx, steps []string) error {
	server, version, err := s.look(ctx, tx)
	if err != nil {
		return err
	}
	kin := strings.HasPrefix(server, "PostgreSQL")
	if version > len(steps) {
		return fmt.Errorf(
			"its schema has version %d, this program knows %d: it was written by a later version",
			version, len(steps))
	}
	for ; version < len(steps); version++ {
		if err := migrateStep(ctx, tx, steps[version], kin); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO schema_migrations (version, at) VALUES ($1, $2)",
			version+1, time.Now().UnixMicro()); err != nil {
			return err
		}
	}
	return s.chooseDialect(ctx, tx, kin)
}

// chooseDialect looks at whether the tables are distributed.
func (s *Store) chooseDialect(ctx context.Context, tx pgx.Tx, kin bool) error {
	s.dialect = postgresql
	if !kin {
		s.dialect.settings = "" // which another engine may refuse
		return nil
	}
	extended, err := hasCitus(ctx, tx)
	if err != nil || !extended {
		return err
	}
	var distributed bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (
		SELECT FROM pg_dist_partition WHERE logicalrelid = 'links'::regclass AND partmethod = 'h')`,
	).Scan(&distributed); err != nil {
		return err
	}
	if distributed {
		s.dialect = citus
		return nil
	}
	s.log.Warn("the database has the extension citus, but its tables are not distributed: " +
		"the extension came after them; docs/scale-out.md says how to distribute them now")
	return nil
}

func hasCitus(ctx context.Context, tx pgx.Tx) (has bool, err error) {
	err = tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')").Scan(
		&has)
	return has, err
}

// look returns what the server calls itself, and how many steps its database has taken.
func (s *Store) look(ctx context.Context, tx pgx.Tx) (server string, version int, err error) {
	var encoding string
	if err := tx.QueryRow(ctx, "SELECT version(), current_setting('server_encoding')").Scan(&server,
		&encoding); err != nil {
		return "", 0, err
	}
	if encoding != "UTF8" {
		return "", 0, fmt.Errorf("its encoding is %s, it must be UTF8", encoding)
	}
	if _, err := tx.Exec(ctx,
		"CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, at bigint "+
			"NOT NULL)"); err != nil {
		return "", 0, err
	}
	err = tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM schema_migrations").Scan(&version)
	return server, version, err
}

// migrateStep runs a script, and after the first one, which makes the tables, what suits the
// engine.
func migrateStep(ctx context.Context, tx pgx.Tx, step string, kin bool) error {
	scripts := []string{step}
	if kin && strings.HasPrefix(path.Base(step), "0001_") {
		scripts = append(scripts, "schema/postgresql.sql")
		extended, err := hasCitus(ctx, tx)
		if err != nil {
			return err
		}
		if extended {
			scripts = append(scripts, "schema/citus.sql")
		}
	}
	for _, name := range scripts {
		script, err := schema.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
