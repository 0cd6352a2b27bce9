package clickstore

// limits say when clicks are compacted. Those of levels are in bytes of blocks, because an answer
// about a link reads all runs of its region and bucket, and all of its loose blocks. Tests have
// lower limits, so that a few clicks reach every case.
type limits struct {
	// region bounds the runs of a region. The fewer clicks are compacted at once, the more often
	// runs of its buckets are written.
	region int
	// bucket bounds the runs of a bucket. The fewer clicks of a link move down at once, the more
	// often the counts of its days are written.
	bucket int
	// loose bounds the loose blocks of a link. Days get counts when there are more.
	loose int
	// minBlock is the least that a block counts for against these bounds. It bounds the number of
	// blocks.
	minBlock int
	// smallBlock is the size below which the last block of a link or day is rewritten with more
	// clicks. It bounds both the number of blocks and how often a click is written.
	smallBlock int

	// minCounted is how many clicks of a day have to move down together before it may become a
	// counted day: counts have a row for each dimension.
	minCounted int
	// countsRow is about what a row of counts takes beside its value.
	countsRow int
	// maxWithoutCounts bounds the clicks that move down to a day without making it a counted day,
	// in bytes. With more, an answer would have to check the day's values against their bounds.
	maxWithoutCounts int

	// droppedAtOnce bounds the regions, buckets or links from which one Drop drops clicks, and
	// blocksAtOnce the blocks of a link.
	droppedAtOnce, blocksAtOnce int

	// cachedChunks bounds the cache of links.
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

	cachedChunks: 1 << 16, // 28 MB
}

const (
	// maxBatch bounds the clicks of a batch, so that a transaction takes seconds at most.
	maxBatchBits = 20
	maxBatch     = 1 << maxBatchBits

	// prefetched is the number of ranges above which no more are announced together. When clicks
	// are added these are some 500 buckets, with a few MiB of totals and new visitors; when they
	// move down, some 100 days.
	prefetched = 3 << 9

	// maxBlock bounds a block of clicks with long values, in bytes: an answer has one in memory.
	maxBlock = 256 << 10

	// maxMonth bounds the counts of a month, in bytes. Of a larger one answers read the days.
	maxMonth = 16 << 20
	// summedAtOnce bounds the months of a link that are added up together.
	summedAtOnce = 2
)
