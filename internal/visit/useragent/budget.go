package useragent

import (
	"sync/atomic"
	"time"
)

// budget bounds how many user agents are recognized: a burst, and a rate per second after that. It
// takes no lock.
type budget struct {
	began time.Time
	// interval is the cost of one, room how much may be spent in advance.
	interval, room time.Duration
	// spent is when, as time since began, everything taken will have been earned.
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

// take takes one user agent from the budget, if one is left.
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
