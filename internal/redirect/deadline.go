package redirect

import (
	"context"
	"sync"
	"time"
)

// soon is a context that ends at a time. It has a timer only when somebody waits for it to end, which a look-up of
// microseconds nearly never does: to make the timer and to stop it would cost a tenth of that.
type soon struct {
	end time.Time

	once  sync.Once // guards what follows
	timed context.Context
	stop  context.CancelFunc
}

func (c *soon) Deadline() (time.Time, bool) { return c.end, true }

func (c *soon) Done() <-chan struct{} {
	c.once.Do(func() { c.timed, c.stop = context.WithDeadline(context.Background(), c.end) })
	return c.timed.Done()
}

func (c *soon) Err() error {
	if time.Now().Before(c.end) {
		return nil
	}
	return context.DeadlineExceeded
}

func (c *soon) Value(any) any { return nil }

// cancel is called when nobody uses the context any more.
func (c *soon) cancel() {
	if c.stop != nil {
		c.stop()
	}
}
