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

// maxConns bounds the connections of a node, unless the address says pool_max_conns: each is a
// process of the server. Few are enough, because the most frequent queries answer many callers at
// once.
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

// cancelTimeout is how long a server has to cancel a statement before its connection is closed.
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
	// A statement that a context ends is cancelled on the server. To close its connection instead
	// would leave one there that waits for a lock, for each try.
	c.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelTimeout}
	}
	c.AfterConnect = prepareConn
	return c, nil
}

// prepareConn makes the server notice lost clients, and end statements that take absurdly long. It
// makes Citus use one connection to a worker for each transaction, instead of one for each shard.
// Citus does not pass on SET LOCAL: with the time-out of idle transactions it would end workers,
// which are idle while others are busy. Plain PostgreSQL ignores the settings of Citus.
func prepareConn(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('tcp_keepalives_idle', $1, false),
		set_config('tcp_keepalives_interval', $2, false),
		set_config('tcp_keepalives_count', $3, false),
		set_config('tcp_user_timeout', '15000', false),
		set_config('idle_in_transaction_session_timeout', '60000', false),
		set_config('statement_timeout', '60000', false),
		set_config('citus.max_adaptive_executor_pool_size', '1', false),
		set_config('citus.multi_shard_modify_mode', 'sequential', false)`,
		pgx.QueryExecModeExec, seconds(keepAliveIdle), seconds(keepAliveInterval),
		fmt.Sprint(keepAliveCount))
	return err
}

func seconds(d time.Duration) string { return fmt.Sprint(int(d / time.Second)) }
