package list

import (
	"context"
	"log/slog"
	"time"
)

const (
	// moveInterval is short, so that few links are due at a time and lists correct them in
	// milliseconds.
	moveInterval = time.Minute
	// movedAtOnce bounds the links moved in a transaction, which then takes tens of milliseconds.
	movedAtOnce = 500
)

// FollowTime moves links whose status has changed with time to the right sets, until the context
// ends. move moves at most most links, and returns how many it examined. Errors are logged;
// FollowTime tries again a minute later.
func FollowTime(
	ctx context.Context, log *slog.Logger, move func(ctx context.Context, most int) (int, error),
) {
	minutes := time.NewTicker(moveInterval)
	defer minutes.Stop()
	for {
		select {
		case <-minutes.C:
		case <-ctx.Done():
			return
		}
		moved := movedAtOnce
		for err := error(nil); err == nil && moved == movedAtOnce; {
			if moved, err = move(ctx, movedAtOnce); err != nil && ctx.Err() == nil {
				log.Warn("keep states of links", "error", err)
			}
		}
	}
}
