package postgres

import (
	"context"
	"sync/atomic"
)

// group does together what many callers ask for: whatever waits when the last query is answered
// goes into the next one. A caller that does not want to wait any longer leaves; the query goes on,
// with the store's own deadline, because one that is cut off takes its connection with it.
type group[Q, A any] struct {
	calls   chan *call[Q, A]
	most    int // calls at once
	run     func([]*call[Q, A]) error
	closing <-chan struct{}
	closed  chan struct{} // nobody takes calls any more
}

// call is what one caller asks for.
type call[Q, A any] struct {
	ask    Q
	answer A
	err    error
	done   chan struct{}
	// Taken by the group, or given up by the caller, whoever is first.
	taken atomic.Bool
}

// newGroup starts workers that run does the work of: it sets the calls' answers and errors. An
// error that it returns is for all.
func newGroup[Q, A any](s *Store, most, workers int, run func([]*call[Q, A]) error) *group[Q, A] {
	g := &group[Q, A]{
		calls: make(chan *call[Q, A], maxWaiting), most: most, run: run,
		closing: s.closing, closed: make(chan struct{}),
	}
	var working atomic.Int64
	working.Store(int64(workers))
	for range workers {
		s.workers.Go(func() {
			g.serve()
			if working.Add(-1) == 0 {
				close(g.closed)
			}
		})
	}
	return g
}

// do waits for an answer. What is not begun when the context ends is not done; what is may be.
func (g *group[Q, A]) do(ctx context.Context, ask Q) (answer A, err error) {
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	select { // while there is room nobody need look at a store that is closing
	case <-g.closing:
		return answer, errClosed
	default:
	}
	c := &call[Q, A]{ask: ask, done: make(chan struct{})}
	select {
	case g.calls <- c:
	case <-ctx.Done():
		return answer, ctx.Err()
	case <-g.closing:
		return answer, errClosed
	}
	select {
	case <-c.done:
		return c.answer, c.err
	case <-ctx.Done():
		c.taken.Store(true)
		return answer, ctx.Err()
	case <-g.closed:
	}
	select {
	case <-c.done:
		return c.answer, c.err
	default:
		return answer, errClosed
	}
}

// serve does what waits until the store closes, and then what waits still.
func (g *group[Q, A]) serve() {
	for {
		select {
		case first := <-g.calls:
			g.together(first)
		case <-g.closing:
			for {
				select {
				case first := <-g.calls:
					g.together(first)
				default:
					return
				}
			}
		}
	}
}

// together answers the first call and those that wait behind it.
func (g *group[Q, A]) together(first *call[Q, A]) {
	calls := make([]*call[Q, A], 0, min(g.most, len(g.calls)+1))
	for c := first; ; {
		if c.taken.CompareAndSwap(false, true) {
			calls = append(calls, c)
		}
		if len(calls) == g.most {
			break
		}
		select {
		case c = <-g.calls:
			continue
		default:
		}
		break
	}
	if len(calls) == 0 {
		return
	}
	err := g.run(calls)
	for _, c := range calls {
		if err != nil {
			c.err = err
		}
		close(c.done)
	}
}
