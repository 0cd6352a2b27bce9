package clickstore

// limits are the bounds of what is compacted when. Tests have others, so that few clicks do for all
// that can happen.
type limits struct {
	region, bucket, minRun                int
	loose, looseBlocks, smallBlock        int
	minCounted, countsRow, maxUncounted   int
	droppedAtOnce, blocksAtOnce, maxMonth int
	cachedLinks                           int
}

var defaultLimits = limits{
	region: maxRegion, bucket: maxBucket, minRun: minRun,
	loose: maxLoose, looseBlocks: maxLooseBlocks, smallBlock: smallBlock,
	minCounted: minCounted, countsRow: countsRow, maxUncounted: maxUncounted,
	droppedAtOnce: droppedAtOnce, blocksAtOnce: blocksAtOnce, maxMonth: maxMonth,
	cachedLinks: cachedLinks,
}

// The bounds of the engine. Those of levels are in bytes of packed blocks: an answer about a link
// reads all runs of its region and bucket, and all of its loose blocks.
const (
	// maxBatch bounds a batch, so that a transaction takes seconds at most.
	maxBatchBits = 20
	maxBatch     = 1 << maxBatchBits

	// maxRegion bounds the runs of a region. The fewer clicks are compacted at once, the more often
	// runs of its buckets are written.
	maxRegion = 256 << 10
	// maxBucket bounds the runs of a bucket. The fewer clicks of a link move down at once, the more
	// often the counts of its days are written.
	maxBucket = 1 << 20
	// minRun is what a run counts for at least against these bounds, so that there are not many.
	minRun = 4 << 10
	// clickBytes is about what a click takes in a run: what a batch adds is not packed yet when it
	// is decided where it goes.
	clickBytes = 16

	// maxBlock bounds a block of clicks with long values, in bytes: an answer has one in memory.
	maxBlock = 256 << 10

	// maxLoose bounds the loose blocks of a link, of which there are at most maxLooseBlocks. Days
	// get counts when there are more.
	maxLoose       = 256 << 10
	maxLooseBlocks = 64
	// smallBlock is up to which size the last block of a link or day takes more clicks in. It is
	// written anew then: that bounds both the number of blocks and how often a click is written.
	smallBlock = 16 << 10

	// minCounted is how many clicks of a day are worth to see whether its counts take less than its
	// clicks: the counts have a row for each dimension.
	minCounted = 64
	// countsRow is what a row of counts takes beside its value, about.
	countsRow = 48
	// maxUncounted bounds the clicks of a day without counts, in bytes. With more, an answer would
	// have to look at the bounds of the day's values one by one.
	maxUncounted = 64 << 10

	// maxMonth bounds the counts that are added up to a month's, in bytes; answers read the days of
	// a larger one.
	maxMonth = 16 << 20
	// summedAtOnce bounds the months that one change adds up.
	summedAtOnce = 2

	// droppedAtOnce bounds the regions, buckets or links that one Drop looks into, and blocksAtOnce
	// the blocks of a link: 65,000 clicks.
	droppedAtOnce = 64
	blocksAtOnce  = 16

	// cachedLinks bounds what is remembered of links from one batch to the next: 50 MB.
	cachedLinks = 1 << 20
)
