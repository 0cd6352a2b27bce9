package postgres

import (
	"io/fs"
	"time"
)

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
