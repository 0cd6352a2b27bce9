package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

// maxConns bounds the connections of a node, unless the address sets pool_max_conns: each is a
// process on the server. Few are enough, because the most frequent queries answer many callers at
// once.
const maxConns = 16

// connectTimeout applies to each server of the address, unless the address sets connect_timeout.
const connectTimeout = 2 * time.Second

// Both ends notice within about 15 seconds that the other has vanished: its locks block others.
const (
	keepAliveIdle     = 5 * time.Second
	keepAliveInterval = 3 * time.Second
	keepAliveCount    = 3
)

// maxIdle is how long a transaction may send no statement, in which its locks block others: a node
// that hangs is not noticed otherwise. Exports, which lock nothing, have maxExportTime.
const maxIdle = time.Minute

// cancelTimeout is how long a server may take to cancel a statement before its connection is
// closed.
const cancelTimeout = time.Second

// errURL does not quote the address, which may hold a password.
var errURL = errors.New(
	"is no address of a PostgreSQL database, such as postgres://user:password@host:5432/database")

// CheckURL reports whether an address can be used. Its error does not quote the address.
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

// config returns the configuration of all connections.
func (s *Store) config(url string) (*pgxpool.Config, error) {
	c, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	given, err := pgx.ParseConfig(url) // keeps the parameters that the pool's parser removes
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
			s.pool.Reset() // no longer the primary; the next connection goes to the new one
		}
		return err.Code != readOnlyTransaction && !strings.EqualFold(err.Severity, "FATAL")
	}
	// When a context ends, its statement is cancelled on the server. Closing the connection instead
	// would leave a process there that waits for a lock, one for each try.
	c.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelTimeout}
	}
	c.AfterConnect = s.prepareConn
	return c, nil
}

// prepareConn makes the server notice lost clients, and end statements that take absurdly long. It
// makes Citus use one connection to a worker for each transaction, not one for each shard. Citus
// does not propagate SET LOCAL: the time-out of idle transactions would end workers that are idle
// while others are busy. Plain PostgreSQL ignores the settings of Citus.
func (s *Store) prepareConn(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('tcp_keepalives_idle', $1, false),
		set_config('tcp_keepalives_interval', $2, false),
		set_config('tcp_keepalives_count', $3, false),
		set_config('tcp_user_timeout', '15000', false),
		set_config('idle_in_transaction_session_timeout', $4, false),
		set_config('statement_timeout', '60000', false),
		set_config('citus.max_adaptive_executor_pool_size', '1', false),
		set_config('citus.multi_shard_modify_mode', 'sequential', false)`,
		pgx.QueryExecModeExec, seconds(keepAliveIdle), seconds(keepAliveInterval),
		fmt.Sprint(keepAliveCount), millis(s.idle))
	return err
}

func millis(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

func seconds(d time.Duration) string { return fmt.Sprint(int(d / time.Second)) }
