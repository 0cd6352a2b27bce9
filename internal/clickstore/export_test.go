package clickstore

// What tests of the rows look at.
var (
	DayOf          = dayOf
	Stored         = stored
	SpanOf         = spanOf
	Every          = every
	OfKey          = ofKey
	OffsetOf       = offsetOf
	OffsetInRegion = offsetInRegion
)

const (
	LooseDay    = looseDay
	BlockBits   = blockBits
	HeadColumn  = headColumn
	LinksColumn = linksColumn
)

// ColumnAt returns the column of a row of counts.
func ColumnAt(b int64) column { return column(b >> (dayBits + pieceBits)) }

// NewTightCounter returns a Counter with limits by which few clicks do for all that can happen.
func NewTightCounter() *Counter {
	c := NewCounter()
	c.limits = limits{
		region: 600, bucket: 2500, minRun: 40, loose: 1200, looseBlocks: 5, smallBlock: 150,
		minCounted: 6, countsRow: 1, maxUncounted: 400, droppedAtOnce: 2, blocksAtOnce: 2,
		maxMonth: 1 << 20,
	}
	return c
}
