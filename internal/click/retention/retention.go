// Package retention drops single clicks when they are old enough.
package retention

import (
	"context"
	"log/slog"
	"time"
)

// Store is the part of the store that the package uses.
type Store interface {
	DropClicks(ctx context.Context, before time.Time) error
}

const (
	day = 24 * time.Hour
	// minPause keeps a short retention from occupying the store.
	minPause = time.Second
	// maxPause bounds the pause after a pass, even a failed one.
	maxPause = time.Hour
)

// Run drops single clicks that are older than age, again and again until ctx ends, and returns nil.
// An age of a day or more drops whole UTC days: a click is gone at most a day and an hour after it
// reaches the age. With a shorter age it is gone at twice the age. Both hold if the store keeps up.
func Run(ctx context.Context, store Store, age time.Duration, logger *slog.Logger) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		err := store.DropClicks(ctx, Cutoff(time.Now(), age))
		if err != nil && ctx.Err() == nil {
			logger.Error("clicks that are older than CLICK_RETENTION are not dropped for now",
				"error", err)
		}
		timer.Reset(pause(time.Now(), age))
	}
}

// Cutoff returns the time before which clicks are dropped.
func Cutoff(now time.Time, age time.Duration) time.Time {
	before := now.UTC().Add(-age)
	if age >= day {
		before = before.Truncate(day)
	}
	return before
}

// pause returns how long to wait after a pass: until more clicks can have reached the age.
func pause(now time.Time, age time.Duration) time.Duration {
	if age < day {
		return min(max(age/2, minPause), maxPause)
	}
	midnight := now.UTC().Truncate(day).Add(day)
	return min(midnight.Sub(now), maxPause)
}
