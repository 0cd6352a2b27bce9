package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"terse"
	"terse/internal/database/postgres/links"
	"terse/internal/database/postgres/rows"
)

// SQLSTATEs of a refused write, and of one that there is no room for (PostgreSQL manual, appendix
// A).
const (
	readOnlyTransaction = "25006"
	diskFull            = "53100"
)

// transient reports whether another try may succeed soon: another transaction was in the way, the
// server is restarting or is no longer the primary, or the connection is lost. A write may
// nevertheless have been committed.
func transient(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch refused.Code {
		case readOnlyTransaction,
			"40001", "40P01", // serialization failure, deadlock
			"53300",                   // too many connections
			"57P01", "57P02", "57P03": // shut down by an administrator, after a crash; starting
			return true
		}
		return strings.HasPrefix(refused.Code, "08") || lostWorker(refused)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connect) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, links.ErrConflict)
}

// lostWorker reports whether Citus lost a worker in the middle of a transaction. This error has no
// SQLSTATE of its own.
func lostWorker(err *pgconn.PgError) bool {
	return err.Code == "XX000" && strings.Contains(err.Message, "failure on connection")
}

// Backoff between tries: doubled each time, minus a random part of up to half.
const (
	minBackoff = 20 * time.Millisecond
	maxBackoff = time.Second
)

// again runs f until it succeeds or fails for good, or the context ends.
func again(ctx context.Context, f func() error) error {
	for wait := minBackoff; ; wait = min(2*wait, maxBackoff) {
		err := rows.Ended(ctx, f())
		if err == nil || !transient(err) || !sleep(ctx, wait-rand.N(wait/2)) {
			return err
		}
	}
}

// read is like again, for a function that returns a value.
func read[T any](ctx context.Context, f func() (T, error)) (got T, err error) {
	err = again(ctx, func() (err error) {
		got, err = f()
		return err
	})
	return got, err
}

// sleep waits for d, and reports whether it ended before the context did.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// wrap adds what failed to an error, unless the error is the domain's.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*terse.Error](err); known {
		return err
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == diskFull {
		err = fmt.Errorf("%w: %w", terse.ErrNoRoom, err)
	}
	return fmt.Errorf("postgres: "+format+": %w", append(args, err)...)
}
