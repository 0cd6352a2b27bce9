package postgres

import (
	"context"
	"slices"
	"sync"
	"time"
)

// batcher answers many callers together: calls that arrive during one query share the next. If a
// caller's context ends, the caller leaves; the query goes on for the others, with the store's own
// deadline.
type batcher[Q, A any] struct {
	most    int           // calls at once
	timeout time.Duration // of a query
	// run sets the answer or error of each call. Its own error applies to all of them.
	run func(context.Context, []*call[Q, A]) error

	mu     sync.RWMutex // guards closed, and is held to send
	closed bool
	calls  chan *call[Q, A]
}

// call is the question of one caller.
type call[Q, A any] struct {
	ctx    context.Context
	ask    Q
	answer A
	err    error
	done   chan struct{}
}

func newBatcher[Q, A any](
	s *Store, most, workers int, run func(context.Context, []*call[Q, A]) error,
) *batcher[Q, A] {
	b := &batcher[Q, A]{
		most: most, timeout: s.timeout, run: run, calls: make(chan *call[Q, A], maxWaiting),
	}
	for range workers {
		s.workers.Go(func() {
			for first := range b.calls {
				b.serve(first)
			}
		})
	}
	return b
}

// close refuses further calls. Those in the queue are still answered.
func (b *batcher[Q, A]) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	close(b.calls)
}

// do waits for an answer. A call whose context ends is dropped from the queue; if its query has
// begun, it may still take effect.
func (b *batcher[Q, A]) do(ctx context.Context, ask Q) (answer A, err error) {
	c := &call[Q, A]{ctx: ctx, ask: ask, done: make(chan struct{})}
	if err := b.send(c); err != nil {
		return answer, err
	}
	select {
	case <-c.done:
		return c.answer, c.err
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}

func (b *batcher[Q, A]) send(c *call[Q, A]) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.closed {
		return errClosed
	}
	select {
	case b.calls <- c:
		return nil
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
}

// serve answers the first call and those waiting after it.
func (b *batcher[Q, A]) serve(first *call[Q, A]) {
	calls := b.waiting(first)
	calls = slices.DeleteFunc(calls, func(c *call[Q, A]) bool { return c.ctx.Err() != nil })
	if len(calls) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.timeout)
	defer cancel()
	err := b.run(ctx, calls)
	for _, c := range calls {
		if err != nil {
			c.err = err
		}
		close(c.done)
	}
}

func (b *batcher[Q, A]) waiting(first *call[Q, A]) []*call[Q, A] {
	calls := append(make([]*call[Q, A], 0, min(b.most, len(b.calls)+1)), first)
	for len(calls) < b.most {
		select {
		case c, ok := <-b.calls:
			if !ok {
				return calls
			}
			calls = append(calls, c)
		default:
			return calls
		}
	}
	return calls
}
