package list

import (
	"context"
	"log/slog"
	"math"
	"sync/atomic"
	"time"
)

const (
	// movePause is the least time between two passes, so that links that change their status one
	// after another are moved together.
	movePause = time.Second
	// moveInterval is the longest time between two passes. Other nodes change links, too, and the
	// clock may be set.
	moveInterval = time.Minute
	// movedAtOnce bounds the links moved in a transaction, which then takes tens of milliseconds.
	movedAtOnce = 500
)

// Clock moves links whose status changes with time to the right sets, soon after it changes.
type Clock struct {
	least  atomic.Int64 // when the next status changes, as far as is known
	sooner chan struct{}
}

// NewClock returns a Clock that knows of no change.
func NewClock() *Clock {
	c := &Clock{sooner: make(chan struct{}, 1)}
	c.least.Store(math.MaxInt64)
	return c
}

// Expect tells the clock that a status changes at a time, in microseconds since 1970. Call it when
// the change of the link is committed.
func (c *Clock) Expect(at int64) {
	for known := c.least.Load(); at < known; known = c.least.Load() {
		if c.least.CompareAndSwap(known, at) {
			select {
			case c.sooner <- struct{}{}:
			default: // it is told already
			}
			return
		}
	}
}

// Due moves at most most links that are due. It returns how many it examined, and when the next
// status changes.
type Due func(ctx context.Context, most int) (moved int, next int64, err error)

// Run moves links until the context ends. Errors are logged, and Run tries again a minute later.
func (c *Clock) Run(ctx context.Context, log *slog.Logger, move Due) {
	timer := time.NewTimer(movePause)
	defer timer.Stop()
	for {
		select {
		case <-c.sooner:
			timer.Reset(c.wait())
			continue
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		c.least.Store(math.MaxInt64) // what is committed from now on is expected again
		for moved := movedAtOnce; moved == movedAtOnce; {
			var next int64
			var err error
			if moved, next, err = move(ctx, movedAtOnce); err != nil {
				if ctx.Err() == nil {
					log.Warn("keep states of links", "error", err)
				}
				break
			}
			c.Expect(next)
		}
		timer.Reset(c.wait())
	}
}

// wait returns how long to wait for the next pass.
func (c *Clock) wait() time.Duration {
	least := c.least.Load()
	if least == math.MaxInt64 {
		return moveInterval
	}
	return min(max(time.Until(time.UnixMicro(least)), movePause), moveInterval)
}
