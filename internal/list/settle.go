package list

import (
	"context"
	"log/slog"

	"terse/internal/yield"
)

const (
	// MaxUnsettled is how many links that time has given another status each list that asks for one
	// corrects by itself, in a few milliseconds at most. When there are more, a Settler moves them.
	MaxUnsettled = 500
	// settledAtOnce bounds a transaction of a Settler, to some ten milliseconds.
	settledAtOnce = 500
)

// Settler moves links to the sets of their statuses in the background, for owners whose lists found
// that many are due.
type Settler struct {
	owners chan string
	// move moves so many links of an owner at most, and returns how many it looked at.
	move func(ctx context.Context, owner string, most int) (int, error)
}

// NewSettler returns a Settler that does nothing before Run.
func NewSettler(move func(ctx context.Context, owner string, most int) (int, error)) *Settler {
	return &Settler{owners: make(chan string, 1), move: move}
}

// Found tells how many links of an owner a list found that are not in the set of their status.
func (s *Settler) Found(owner string, unsettled int) {
	if unsettled <= MaxUnsettled {
		return
	}
	select {
	case s.owners <- owner:
	default: // it is at work: the next list tells it again
	}
}

// Run moves links until the context ends. An error is logged, and the next list leads to another
// try.
func (s *Settler) Run(ctx context.Context, log *slog.Logger) {
	for {
		select {
		case owner := <-s.owners:
			if err := s.settle(ctx, owner); err != nil && ctx.Err() == nil {
				log.Warn("keep states of links", "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Settler) settle(ctx context.Context, owner string) error {
	for turn := (yield.Yielder{}); ; turn.Yield() {
		moved, err := s.move(ctx, owner, settledAtOnce)
		if err != nil || moved < settledAtOnce {
			return err
		}
	}
}
