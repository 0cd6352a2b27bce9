// Package retention has the store forget single clicks when they are old enough.
package retention

import (
	"context"
	"log/slog"
	"time"
)

// Store is what the package needs of the store.
type Store interface {
	DropClicks(ctx context.Context, before time.Time) error
}

const (
	day = 24 * time.Hour
	// minPause keeps short retentions from keeping the store busy.
	minPause = time.Second
	// maxPause bounds the pause after a pass, also after one that failed.
	maxPause = time.Hour
)

// Run drops the single clicks that are older than age, again and again until ctx ends, and returns
// nil. An age of a day or more drops whole UTC days: a click is gone within a day and an hour of
// its age. Below that it is gone when it is twice as old. Both hold if the store has time for it.
func Run(ctx context.Context, store Store, age time.Duration, logger *slog.Logger) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		err := store.DropClicks(ctx, cutoff(time.Now(), age))
		if err != nil && ctx.Err() == nil {
			logger.Error("clicks that are older than CLICK_RETENTION are not dropped for now",
				"error", err)
		}
		timer.Reset(pause(time.Now(), age))
	}
}

// cutoff returns the time before which clicks are dropped.
func cutoff(now time.Time, age time.Duration) time.Time {
	before := now.UTC().Add(-age)
	if age >= day {
		before = before.Truncate(day)
	}
	return before
}

// pause returns how long to wait after a pass: until there can be something more.
func pause(now time.Time, age time.Duration) time.Duration {
	if age < day {
		return min(max(age/2, minPause), maxPause)
	}
	midnight := now.UTC().Truncate(day).Add(day)
	return min(midnight.Sub(now), maxPause)
}
