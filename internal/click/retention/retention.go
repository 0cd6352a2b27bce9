// Package retention drops single clicks, and entries of the audit, when they are old enough.
package retention

import (
	"context"
	"log/slog"
	"time"
)

// Options say what is dropped, and when. All are required.
type Options struct {
	// Drop drops what is from before a time, for example terse.Clicks.DropClicks.
	Drop func(ctx context.Context, before time.Time) error
	What string // for the log, if that fails
	// Age is how old it may become; 0: not at all.
	Age    time.Duration
	Logger *slog.Logger
}

const (
	day = 24 * time.Hour
	// minPause keeps a short retention from occupying the store.
	minPause = time.Second
	// maxPause bounds the pause after a pass, even a failed one.
	maxPause = time.Hour
)

// Run drops what has reached the age, again and again until ctx ends, and returns nil. An age of a
// day or more drops whole UTC days: a click is gone at most a day and an hour after it reaches the
// age. With a shorter age it is gone at twice the age. Both hold if the store keeps up. An age of 0
// drops all, once an hour.
func Run(ctx context.Context, o Options) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		err := o.Drop(ctx, Cutoff(time.Now(), o.Age))
		if err != nil && ctx.Err() == nil {
			o.Logger.Error("what is old is not dropped for now", "what", o.What, "error", err)
		}
		timer.Reset(pause(time.Now(), o.Age))
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
	if age == 0 {
		return maxPause
	}
	if age < day {
		return min(max(age/2, minPause), maxPause)
	}
	midnight := now.UTC().Truncate(day).Add(day)
	return min(midnight.Sub(now), maxPause)
}
