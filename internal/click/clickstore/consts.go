package clickstore

import "time"

// limits decide when clicks are compacted. The limits of levels are in bytes of blocks, because an
// answer about a link reads all runs of its region and bucket, and all of its loose blocks. Tests
// set lower limits, so that a few clicks reach every case.
type limits struct {
	// region bounds the runs of a region. Compacting fewer clicks at a time writes the runs of its
	// buckets more often.
	region int
	// bucket bounds the runs of a bucket. Moving fewer clicks of a link at a time writes the counts
	// of its days more often.
	bucket int
	// loose bounds the loose blocks of a link. Above it, days get counts.
	loose int
	// minBlock is the minimum size at which a block counts against these bounds. It bounds the
	// number of blocks.
	minBlock int
	// A last block of a link or day that is smaller than smallBlock is rewritten when clicks are
	// added. This bounds both the number of blocks and how often a click is written.
	smallBlock int

	// minCounted is the number of clicks that must move down to a day at once before it may become
	// a counted day: counts take a row for each dimension.
	minCounted int
	// countsRow is the approximate size of a row of counts without its value, in bytes.
	countsRow int
	// maxWithoutCounts bounds the clicks that move down to a day without making it a counted day,
	// in bytes. Above it, an answer would have to check the day's values against their bounds.
	maxWithoutCounts int

	// droppedAtOnce bounds the regions, buckets or links from which one Drop drops clicks, and
	// blocksAtOnce the blocks of a link.
	droppedAtOnce, blocksAtOnce int

	// pastAtOnce bounds the clicks of blocks that one AddPast adds, and pastTime its time, by the
	// clock now, so that others of the store wait no longer than for a batch of new clicks.
	pastAtOnce int64
	pastTime   time.Duration
	now        func() time.Time

	// cachedChunks bounds the cache of links, in chunks of 16 links.
	cachedChunks int
}

var defaultLimits = limits{
	region:     256 << 10,
	bucket:     1 << 20,
	loose:      256 << 10,
	minBlock:   4 << 10,
	smallBlock: 16 << 10,

	minCounted:       64,
	countsRow:        48,
	maxWithoutCounts: 64 << 10,

	droppedAtOnce: 64,
	blocksAtOnce:  16, // 65,000 clicks

	pastAtOnce: 1 << 16,
	pastTime:   200 * time.Millisecond,
	now:        time.Now,

	cachedChunks: 1 << 16, // 28 MB
}

const (
	// maxBatch bounds the clicks of a batch, so that a transaction takes seconds at most.
	maxBatchBits = 20
	maxBatch     = 1 << maxBatchBits

	// Ranges are prefetched until there are maxPrefetch of them. When clicks are added, that is
	// about 500 buckets, with a few MiB of totals and new visitors; when they move down, about 100
	// days.
	maxPrefetch = 3 << 9

	// maxBlock bounds a block of clicks with long values, in bytes: an answer holds one in memory.
	maxBlock = 256 << 10

	// maxMonth bounds the counts of a month, in bytes. For a larger month, answers read the days.
	maxMonth = 16 << 20
	// summedAtOnce bounds the months of a link that are summed together.
	summedAtOnce = 2

	// dropPatience bounds how long one of the transactions of DropClicks waits for its turn and for
	// the database. Nobody waits for it, so it may be longer than for others.
	dropPatience = 30 * time.Second
)
