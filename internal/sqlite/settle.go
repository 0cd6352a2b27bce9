package sqlite

import (
	"context"
	"time"

	"terse/internal/sqlite/record"
	"terse/internal/yield"
)

// maxUnsettled is how many links that time has given another status each list that asks for one
// looks at by itself, in less than a millisecond. When there are more, settle moves them.
const maxUnsettled = 500

// settledAtOnce bounds a transaction of settle, to some ten milliseconds.
const settledAtOnce = 500

// settleSoon wakes settle, unless it is at work: the next list will.
func (s *Store) settleSoon(owner string) {
	select {
	case s.unsettled <- owner:
	default:
	}
}

// settle follows time for owners of lists, until the context ends.
func (s *Store) settle(ctx context.Context) {
	for {
		select {
		case owner := <-s.unsettled:
			if err := s.settleOwner(ctx, owner); err != nil && ctx.Err() == nil {
				s.log.Warn("keep states of links", "path", s.path, "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Store) settleOwner(ctx context.Context, owner string) error {
	for turn := (yield.Yielder{}); ; turn.Yield() {
		moved := 0
		err := s.writeAlone(ctx, func(w *writer) (err error) {
			moved, err = record.Settle(w.conn, owner, time.Now(), settledAtOnce)
			return err
		})
		if err != nil || moved < settledAtOnce {
			return err
		}
	}
}
