package postgres

import (
	"context"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"

	"terse/internal/link/derive"
	"terse/internal/link/follow"
)

// MoveDue moves some links whose status has changed with time, and returns how many.
func (s *Store) MoveDue(ctx context.Context) (int, error) {
	moved, _, err := s.moveDue(ctx, 500)
	return moved, err
}

// WithRule sets another rule for a store.
func WithRule(o Options, rule follow.Rule) Options {
	o.rule = rule
	return o
}

// WithMigrations sets other migrations for a store.
func WithMigrations(o Options, migrations fs.FS) Options {
	o.migrations = migrations
	return o
}

// WithTracer has a store tell of its statements.
func WithTracer(o Options, tracer pgx.QueryTracer) Options {
	o.tracer = tracer
	return o
}

// WithBounds sets how long a transaction of a store may be idle, and how long an export may take;
// 0 means the usual.
func WithBounds(o Options, idle, exportTime time.Duration) Options {
	o.idle, o.exportTime = idle, exportTime
	return o
}

// ErrPooled is what Open returns when connections share server sessions.
var ErrPooled = errPooled

// Hurry makes Watch ten times as fast.
func (s *Store) Hurry() {
	for _, d := range []*time.Duration{&s.pace.tick, &s.pace.probe, &s.pace.late, &s.pace.poll} {
		*d /= 10
	}
}

// Waiting returns the number of waiting creates, deletes, takes and look-ups.
func (s *Store) Waiting() int {
	return len(s.creates.calls) + len(s.deletes.calls) + len(s.takes.calls) + len(s.lookUps.calls)
}

// CompareIn compares the rows that a transaction sees.
func CompareIn(ctx context.Context, tx pgx.Tx) (*derive.Found, error) {
	return derive.Compare((&besides{ctx: ctx, tx: tx}).rows(), derive.Options{})
}

// CompareOn is Compare on a connection.
func CompareOn(ctx context.Context, conn *pgx.Conn, o derive.Options) (*derive.Found, error) {
	return compareOn(ctx, conn, o)
}
