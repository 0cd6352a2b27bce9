package retention

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// passes records which clicks are dropped when.
type passes struct {
	at, before []time.Time
	err        error
}

func (p *passes) DropClicks(_ context.Context, before time.Time) error {
	p.at, p.before = append(p.at, time.Now().UTC()), append(p.before, before)
	return p.err
}

// Every click is dropped when it is old enough, and at most ten seconds after it is twice as old.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, age := range []time.Duration{
		time.Second, 90 * time.Second, 23 * time.Hour, day, 36 * time.Hour, 90 * day,
	} {
		synctest.Test(t, func(t *testing.T) {
			store := &passes{err: errors.New("away")} // which is tried again
			ctx, cancel := context.WithTimeout(t.Context(), 3*day)
			defer cancel()
			err := Run(ctx, Options{
				Drop: store.DropClicks, What: "clicks", Age: age,
				Logger: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range store.at[:len(store.at)-1] {
				if store.before[i].After(at.Add(-age)) {
					t.Errorf("at %v clicks before %v are dropped", at, store.before[i])
				}
				// A click dropped by the next pass, but not by this one, existed this long.
				next := store.at[i+1]
				if oldest := next.Sub(store.before[i]); oldest > 2*age+10*time.Second {
					t.Errorf("%v: a click is dropped after %v", age, oldest)
				}
			}
		})
	}
}
