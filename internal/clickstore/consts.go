package clickstore

// limits are the bounds of what is compacted when. Those of levels are in bytes of packed blocks:
// an answer about a link reads all runs of its region and bucket, and all of its loose blocks.
// Tests have other limits, so that few clicks do for all that can happen.
type limits struct {
	// region bounds the runs of a region. The fewer clicks are compacted at once, the more often
	// runs of its buckets are written.
	region int
	// bucket bounds the runs of a bucket. The fewer clicks of a link move down at once, the more
	// often the counts of its days are written.
	bucket int
	// loose bounds the loose blocks of a link. Days get counts when there are more.
	loose int
	// minBlock is what a block counts for at least against these bounds, so that there are not
	// many.
	minBlock int
	// smallBlock is up to which size the last block of a link or day takes more clicks in. It is
	// written anew then: that bounds both the number of blocks and how often a click is written.
	smallBlock int

	// minCounted is how many clicks of a day are worth to see whether its counts take less than its
	// clicks: the counts have a row for each dimension.
	minCounted int
	// countsRow is what a row of counts takes beside its value, about.
	countsRow int
	// maxUncounted bounds the clicks of a day without counts, in bytes. With more, an answer would
	// have to look at the bounds of the day's values one by one.
	maxUncounted int

	// droppedAtOnce bounds the regions, buckets or links that one Drop looks into, and blocksAtOnce
	// the blocks of a link.
	droppedAtOnce, blocksAtOnce int

	// cachedChunks bounds what is remembered of links from one batch to the next.
	cachedChunks int
}

var defaultLimits = limits{
	region:     256 << 10,
	bucket:     1 << 20,
	loose:      256 << 10,
	minBlock:   4 << 10,
	smallBlock: 16 << 10,

	minCounted:   64,
	countsRow:    48,
	maxUncounted: 64 << 10,

	droppedAtOnce: 64,
	blocksAtOnce:  16, // 65,000 clicks

	cachedChunks: 1 << 16, // 28 MB
}

const (
	// maxBatch bounds a batch, so that a transaction takes seconds at most.
	maxBatchBits = 20
	maxBatch     = 1 << maxBatchBits

	// prefetched is after how many ranges no more is read ahead: 500 buckets or so, with a few MiB
	// of totals and new visitors.
	prefetched = 3 << 9

	// maxBlock bounds a block of clicks with long values, in bytes: an answer has one in memory.
	maxBlock = 256 << 10

	// maxMonth bounds the counts that are added up to a month's, in bytes; answers read the days of
	// a larger one.
	maxMonth = 16 << 20
	// summedAtOnce bounds the months that one change adds up.
	summedAtOnce = 2
)
