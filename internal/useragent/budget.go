package useragent

import (
	"sync/atomic"
	"time"
)

// budget bounds how many user agents are recognized: some at once, and some per second after that.
// Those who ask take no lock.
type budget struct {
	began time.Time
	// interval is what one costs, room what may be spent early.
	interval, room time.Duration
	// spent is when, since began, all that was taken will have been earned.
	spent atomic.Int64
}

func newBudget(perSecond, burst int) budget {
	interval := time.Second / time.Duration(perSecond)
	return budget{
		began: time.Now(), interval: interval, room: time.Duration(burst-1) * interval,
	}
}

func (b *budget) left() bool {
	return time.Duration(b.spent.Load())-time.Since(b.began) <= b.room
}

// take takes one user agent off the budget, if one is left.
func (b *budget) take() bool {
	for {
		now, spent := time.Since(b.began), b.spent.Load()
		if time.Duration(spent)-now > b.room {
			return false
		}
		after := max(now, time.Duration(spent)) + b.interval
		if b.spent.CompareAndSwap(spent, int64(after)) {
			return true
		}
	}
}
