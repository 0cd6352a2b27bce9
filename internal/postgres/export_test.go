package postgres

import (
	"context"
	"io/fs"
	"time"
)

// MoveDue moves some links whose status time has changed, and returns how many.
func (s *Store) MoveDue(ctx context.Context) (int, error) { return s.moveDue(ctx, 500) }

// WithMigrations has a store know other migrations.
func WithMigrations(o Options, migrations fs.FS) Options {
	o.migrations = migrations
	return o
}

// ErrPooled is what Open returns when connections share server sessions.
var ErrPooled = errPooled

// Hurry has Watch do everything ten times as often.
func (s *Store) Hurry() {
	for _, d := range []*time.Duration{&s.pace.tick, &s.pace.probe, &s.pace.late, &s.pace.poll} {
		*d /= 10
	}
}

// Waiting returns how many creates, deletes, takes and look-ups are not begun.
func (s *Store) Waiting() int {
	return len(s.creates.calls) + len(s.deletes.calls) + len(s.takes.calls) + len(s.lookUps.calls)
}
