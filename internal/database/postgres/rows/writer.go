package rows

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"terse/internal/click/clickstore"
)

// lock is the advisory lock of transactions that write rows: "terserow" in ASCII.
const lock uint64 = 0x7465727365726f77

// begin begins a transaction in which the server waits at most %d milliseconds for the next
// statement. In READ COMMITTED each statement has its own snapshot, so statements after the lock
// see what its last holder committed. Rows are looked up by their keys: a plan that was made and
// kept while a table was empty would scan it for each key, however much the transaction adds to it.
// Where a small table has no key to look up, the server takes its scan for dear without that, and
// would compile it, for longer than any statement here takes.
const begin = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL enable_seqscan = off; " +
	"SET LOCAL jit = off; SET LOCAL idle_in_transaction_session_timeout = %d"

// pace bounds how long a silent node may hold the lock.
type pace struct {
	idle     time.Duration // between two statements, enforced by the server
	patience time.Duration // until another node first checks it
	between  time.Duration // between checks
}

var usualPace = pace{idle: 10 * time.Second, patience: 10 * time.Second, between: 5 * time.Second}

// Options configure a Writer.
type Options struct {
	// Pool must cancel a statement on the server when its context ends, as
	// pgconn.CancelRequestContextWatcherHandler does. If it closed the connection instead, each try
	// would leave a server process that waits for the lock.
	Pool *pgxpool.Pool
	// Citus is true if the tables are distributed.
	Citus   bool
	Timeout time.Duration // of a transaction, from the moment it has the lock
	Logger  *slog.Logger
}

// Writer runs the transactions that write rows: one at a time across all nodes.
type Writer struct {
	opts Options
	pace pace
	// turn holds an element while a transaction of this node is under way. Others wait for it
	// without a connection.
	turn     chan struct{}
	wentBack atomic.Pointer[error]
}

// NewWriter returns a Writer.
func NewWriter(o Options) *Writer {
	return &Writer{opts: o, pace: usualPace, turn: make(chan struct{}, 1)}
}

// Do runs f in a transaction that holds the lock of all nodes. If f returns nil, Do writes the
// changed rows and commits. The context passed to f bounds the transaction.
//
// After an error the transaction may nevertheless have been committed. A journal's position, which
// it reads and moves, shows whether it was.
func (w *Writer) Do(ctx context.Context, f func(context.Context, pgx.Tx, *Rows) error) error {
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var g *guards
	if w.opts.Citus {
		g = &guards{}
	}
	begin := fmt.Sprintf(begin, w.pace.idle.Milliseconds())
	err := pgx.BeginTxFunc(ctx, w.opts.Pool, pgx.TxOptions{BeginQuery: begin},
		func(tx pgx.Tx) error {
			if err := w.lock(ctx, tx); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, w.opts.Timeout)
			defer cancel()
			rows := newRows(ctx, tx, g)
			err := f(ctx, tx, rows)
			if err == nil {
				err = rows.Flush()
			}
			return Ended(ctx, err)
		})
	if back := g.wentBackError(); back != nil && err == nil {
		w.opts.Logger.Error("a server of the database has lost clicks", "error", back)
		w.wentBack.Store(&back)
	}
	return err
}

// WentBack returns an error that names the servers that have lost transactions, as far as this node
// has noticed since it started, or nil. Only servers of Citus are noticed.
func (w *Writer) WentBack() error {
	if err := w.wentBack.Load(); err != nil {
		return *err
	}
	return nil
}

// lock takes the lock, in its own statement. While it waits, it watches the holder: no time-out of
// the server ends a node that falls silent during a COPY, or in a pipeline before its end.
func (w *Writer) lock(ctx context.Context, tx pgx.Tx) error {
	looking, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.endSilent(looking)
	}()
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lock))
	stop()
	<-done
	return Ended(ctx, err)
}

// Ended adds the context's error to a statement's error if the context has ended: the server then
// cancels the statement, and its error does not say why.
func Ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// holder is a server process that holds the lock and waits for its node.
type holder struct {
	pid   int32
	since time.Time // when its last statement began or ended
}

// ofHolder selects the process that holds the lock, if it waits for its node.
const ofHolder = ` FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
	WHERE l.locktype = 'advisory' AND l.granted
		AND l.classid = $1 AND l.objid = $2 AND l.objsubid = 1
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND a.wait_event = 'ClientRead'`

// endSilent ends the process that holds the lock if it waits for its node in two checks and did
// nothing in between. It checks until ctx ends.
func (w *Writer) endSilent(ctx context.Context) {
	const high, low = uint32(lock >> 32), uint32(lock & (1<<32 - 1)) // as in pg_locks
	var before holder
	for wait := w.pace.patience; ; wait = w.pace.between {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		var now holder
		err := w.opts.Pool.QueryRow(ctx, "SELECT a.pid, a.state_change"+ofHolder, high, low).Scan(
			&now.pid, &now.since)
		if err == nil && now == before {
			err = w.opts.Pool.QueryRow(ctx, "SELECT pg_terminate_backend(a.pid)"+ofHolder+
				" AND a.pid = $3 AND a.state_change = $4", high, low, now.pid, now.since).Scan(nil)
			w.opts.Logger.Warn("a node went silent while it counted clicks: its connection "+
				"is ended", "pid", now.pid, "since", now.since, "error", err)
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) && ctx.Err() == nil {
			w.opts.Logger.Warn("look at the node that counts clicks", "error", err)
		}
		before = now
	}
}

// ErrInUse means that a table can't be wiped because others read it.
var ErrInUse = errors.New("rows: the table is in use")

// lockNotAvailable is the SQLSTATE of a lock that was not free within lock_timeout (PostgreSQL
// manual, appendix A).
const lockNotAvailable = "55P03"

// WipeIn empties a table, unless it is empty, so that nothing of it remains in the database's
// files. It returns ErrInUse if others read the table, as a dump of the database does until it
// ends: the transaction must then end, and the caller tries again later. It waits for at most 100
// ms, so that counting does not stop.
func WipeIn(ctx context.Context, tx pgx.Tx, t clickstore.Table) error {
	var some bool
	// Citus wants a column.
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM "+tables[t].name+")").Scan(&some)
	if err != nil || !some {
		return err
	}
	return Truncate(ctx, tx, tables[t].name)
}

// Truncate is WipeIn for a table by its name. It truncates even an empty table.
func Truncate(ctx context.Context, tx pgx.Tx, table string) error {
	for _, sql := range []string{
		"SET LOCAL citus.propagate_set_commands = 'local'", // no effect without Citus
		"SET LOCAL lock_timeout = '100ms'",
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, "TRUNCATE "+table)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == lockNotAvailable {
		return ErrInUse
	}
	if err == nil {
		_, err = tx.Exec(ctx, "SET LOCAL lock_timeout = 0")
	}
	return err
}
