package clickstore

import (
	"fmt"
	"math"
	"time"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/visitors"
)

// Counter counts clicks, one transaction after another. It must not be used concurrently.
type Counter struct {
	// Of the transaction under way.
	rows  Rows
	links Links
	days  []terse.Day // days whose visitors can be counted
	tell  func(Told) error

	// Kept from one transaction to the next while all of them commit.
	cache    linkCache
	others   OwnerID // 0: not looked up yet
	mark     Mark
	visitors visitors.Cache
	// No single click is before dropped. As far as the pass of the retention that is under way has
	// come, none is before dropping.
	dropped, dropping int64

	limits limits
	packer *clickblock.Packer // made all clicks that are in memory

	// Memory that is reused.
	counted   []counted            // by place in the batch
	owned     map[OwnerID][]uint32 // places there
	fresh     []clickblock.Click
	untracked []clickblock.Click
	totals    totals
	row       []byte
}

// NewCounter returns a Counter whose caches are empty.
func NewCounter() *Counter {
	return &Counter{
		limits: defaultLimits, cache: newLinkCache(), packer: clickblock.NewPacker(),
		owned: map[OwnerID][]uint32{}, dropped: math.MinInt64, dropping: math.MinInt64,
	}
}

// Begin begins a transaction. days are the days whose visitors can be counted. It deletes the rows
// of up to MaxDeletes deleted links. The caller must call End, even after an error.
func (c *Counter) Begin(rows Rows, links Links, days []terse.Day, now time.Time) error {
	c.rows, c.links, c.days, c.tell = rows, links, days, nil
	mark, everything, err := Changed(links, c.mark, now, c.cache.forget, c.deleteLink)
	if err != nil {
		return fmt.Errorf("apply changes of links: %w", err)
	}
	if everything {
		c.cache.clear()
		c.visitors.Clear()
		c.others = 0
	}
	c.mark = mark
	return nil
}

// Forget empties all caches. Call it when another process may have written the tables.
func (c *Counter) Forget() {
	c.cache.clear()
	c.visitors.Clear()
	c.mark, c.others = Mark{}, 0
	c.dropped, c.dropping = math.MinInt64, math.MinInt64
}

// End ends a transaction. It empties all caches unless the transaction is known to be committed.
func (c *Counter) End(committed bool) {
	c.rows, c.links, c.days, c.tell = nil, nil, nil, nil
	for owner := range c.owned { // after an error they have some
		c.owned[owner] = c.owned[owner][:0]
	}
	c.packer.Reset()
	if !committed {
		c.Forget()
	}
}
