package list

import (
	"context"
	"log/slog"
	"time"

	"terse/internal/yield"
)

const (
	// movePace bounds how many links are due at a time, so that lists correct them in milliseconds.
	movePace = time.Minute
	// movedAtOnce bounds a transaction, to some ten milliseconds.
	movedAtOnce = 500
)

// FollowTime has a store move links to the sets of the statuses that time has given them, until the
// context ends. move moves so many at most, and returns how many it looked at. An error is logged;
// the next minute is another try.
func FollowTime(
	ctx context.Context, log *slog.Logger, move func(ctx context.Context, most int) (int, error),
) {
	minutes := time.NewTicker(movePace)
	defer minutes.Stop()
	for {
		select {
		case <-minutes.C:
		case <-ctx.Done():
			return
		}
		moved, turn := movedAtOnce, yield.Yielder{}
		for err := error(nil); err == nil && moved == movedAtOnce; turn.Yield() {
			if moved, err = move(ctx, movedAtOnce); err != nil && ctx.Err() == nil {
				log.Warn("keep states of links", "error", err)
			}
		}
	}
}
