package useragent

import (
	"sync/atomic"
	"time"
)

// budget bounds how many user agents are recognized: burst at once and perSecond after that.
// Those who ask take no lock.
type budget struct {
	began time.Time
	// spent is when, since began, all that was taken will have been earned. It is in the future
	// by one interval for each user agent that was taken early.
	spent atomic.Int64
}

const interval = time.Second / perSecond

func (b *budget) left() bool {
	return time.Duration(b.spent.Load())-time.Since(b.began) <= (burst-1)*interval
}

// take takes one user agent off the budget, if one is left.
func (b *budget) take() bool {
	for {
		now, spent := time.Since(b.began), b.spent.Load()
		if time.Duration(spent)-now > (burst-1)*interval {
			return false
		}
		if b.spent.CompareAndSwap(spent, int64(max(now, time.Duration(spent))+interval)) {
			return true
		}
	}
}
