package clickstore

import (
	"time"

	"terse"
)

// Parts of rows that tests look at.
var (
	DayOf          = dayOf
	IsOwner        = isOwner
	RegionOf       = regionOf
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

// BlockKey is B of a block of a day.
func BlockKey(day terse.Day, number int64) int64 { return blockKey(day, number) }

// HeadKey is B of the head of a day's counts.
func HeadKey(day terse.Day) int64 { return countsKey(headColumn, day, 0) }

// PieceKey is B of a piece of a day's counts.
func PieceKey(d terse.Dimension, day terse.Day, piece int) int64 {
	return countsKey(columnOf(d), day, piece)
}

// OneTotal returns a row of Totals with the clicks of one link.
func OneTotal(link terse.LinkID, clicks, last int64) []byte {
	var t totals
	t.clicks[offsetOf(link)], t.last[offsetOf(link)] = clicks, last
	return t.append(nil)
}

// MaxBlocksPerPage bounds the blocks that are read for a page of events.
const MaxBlocksPerPage = maxBlocksPerPage

// ColumnAt returns the column of a row of counts.
func ColumnAt(b int64) column { return column(b >> (dayBits + pieceBits)) }

// Bound is the maximum size of the blocks of a range, in bytes.
type Bound struct {
	Range Range
	Bytes int
}

// Bounds returns the bounds on what an answer about a link reads from each level.
func Bounds(link terse.LinkID) map[string]Bound {
	l, region, bucket := &defaultLimits, regionOf(link), BucketOf(link)
	return map[string]Bound{
		"level 0":      {every(Level0, region), l.runsBound(Level0, region)},
		"level 1":      {every(Level1, bucket), l.runsBound(Level1, bucket)},
		"loose blocks": {looseOf(link), l.loose},
	}
}

// BoundPast bounds the clicks of blocks that one AddPast adds. Its time is over when now is an hour
// later.
func (c *Counter) BoundPast(most int64, now func() time.Time) {
	c.limits.pastAtOnce, c.limits.now = most, now
}

// NewTightCounter returns a Counter with limits so low that a few clicks reach every case.
func NewTightCounter() *Counter {
	c := NewCounter()
	c.limits = limits{
		region: 600, bucket: 2500, loose: 1200, minBlock: 40, smallBlock: 150,
		minCounted: 6, countsRow: 1, maxWithoutCounts: 400, droppedAtOnce: 2, blocksAtOnce: 2,
		pastAtOnce: 1 << 20, pastTime: time.Hour, now: time.Now, cachedChunks: 3,
	}
	return c
}
