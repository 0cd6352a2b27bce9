package redirect

import (
	"context"
	"sync"
	"time"
)

// lazyDeadline is a context that ends at a time. It makes its timer when its end is first waited
// for, which a look-up of microseconds hardly ever does: making and stopping one costs a tenth
// of that.
type lazyDeadline struct {
	end time.Time

	once  sync.Once // guards what follows
	timed context.Context
	stop  context.CancelFunc
}

func (c *lazyDeadline) Deadline() (time.Time, bool) { return c.end, true }

func (c *lazyDeadline) Done() <-chan struct{} {
	c.once.Do(func() { c.timed, c.stop = context.WithDeadline(context.Background(), c.end) })
	return c.timed.Done()
}

func (c *lazyDeadline) Err() error {
	if time.Now().Before(c.end) {
		return nil
	}
	return context.DeadlineExceeded
}

func (c *lazyDeadline) Value(any) any { return nil }

// cancel ends the use of the context.
func (c *lazyDeadline) cancel() {
	if c.stop != nil {
		c.stop()
	}
}
