package counter

import (
	"bytes"
	"slices"
	"strconv"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/sqlite/query"
)

// Links whose IDs differ in their last bits only share a bucket. The larger buckets are, the fewer
// rows are written, and the more clicks of others an answer reads.
const (
	bucketBits  = 8 // as in the schema
	BucketLinks = 1 << bucketBits
)

// Bounds of a bucket's pending clicks. All of them are read for each answer, so they may not be
// many; and the fewer clicks of a link are rolled up at once, the more often its days' counts are
// written.
const (
	maxPending     = 2048 // of one link
	maxBlockBytes  = BucketLinks * 4 << 10
	maxRecent      = 512 // clicks in the bucket's row, which is written with each division
	maxRecentBytes = 4 << 10
)

// bucket is a row of click_totals and one of click_buckets, and what a batch adds to them.
type bucket struct {
	id         int64
	clicks     [BucketLinks]int64 // of each link
	pending    [BucketLinks]int64 // of them, those that are not rolled up
	blockBytes int64              // of its rows of bucket_blocks
	recent     []clickblock.Click
}

func bucketOf(link terse.LinkID) int64 { return int64(link) >> bucketBits }

// offsetOf returns a link's offset in its bucket.
func offsetOf(link terse.LinkID) int { return int(link & (BucketLinks - 1)) }

func (b *bucket) link(offset int) terse.LinkID {
	return terse.LinkID(b.id<<bucketBits | int64(offset))
}

// spread returns a bound for a bucket or region. They differ by up to half of it, so that those
// that fill equally fast are not all rolled up, or divided, by the same batch.
func spread(id, bound int64) int64 {
	return bound/2 + int64(uint64(id)*0x9E3779B97F4A7C15>>32)*(bound/2)>>32
}

// readTotals makes a bucket the counter's, without its pending clicks.
func (c *Counter) readTotals(id int64) error {
	b := &c.bucket
	*b = bucket{id: id, recent: b.recent[:0]}
	return query.Each(c.conn, selectTotals, func(row *sqlite.Stmt) error {
		c.blob = query.Bytes(row, 0, c.blob)
		return parseCounts(b.clicks[:], c.blob)
	}, id)
}

// storeTotals writes the totals of the counter's bucket.
func (c *Counter) storeTotals() error {
	b := &c.bucket
	c.blob = appendCounts(c.blob[:0], b.clicks[:])
	return query.Run(c.conn, `INSERT INTO click_totals (id, clicks) VALUES (?1, ?2)
		ON CONFLICT (id) DO UPDATE SET clicks = ?2`, b.id, string(c.blob))
}

// readBucket makes a bucket the counter's.
func (c *Counter) readBucket(id int64) error {
	if err := c.readTotals(id); err != nil {
		return err
	}
	b := &c.bucket
	return query.Each(c.conn,
		"SELECT pending, block_bytes, recent FROM click_buckets WHERE id = ?",
		func(row *sqlite.Stmt) (err error) {
			c.blob = query.Bytes(row, 0, c.blob)
			if err := parseCounts(b.pending[:], c.blob); err != nil {
				return err
			}
			b.blockBytes = row.ColumnInt64(1)
			if c.blob = query.Bytes(row, 2, c.blob); len(c.blob) > 0 {
				b.recent, err = c.packer.Unpack(b.recent, c.blob)
			}
			return err
		}, id)
}

// finishBucket writes the counter's bucket after clicks were added to its recent ones.
func (c *Counter) finishBucket() error {
	b := &c.bucket
	clickblock.Sort(b.recent)
	c.turn.Yield()
	if b.blockBytes > spread(b.id, maxBlockBytes) || slices.Max(b.pending[:]) > maxPending {
		if err := c.rollUp(); err != nil {
			return err
		}
	}
	return c.storePending()
}

// storePending writes the pending clicks of the counter's bucket.
func (c *Counter) storePending() error {
	b := &c.bucket
	var recent []byte
	if len(b.recent) > 0 && len(b.recent) <= maxRecent {
		recent = c.packer.PackNeighbours(b.recent)
	}
	if len(b.recent) > maxRecent || len(recent) > maxRecentBytes {
		if err := c.addBucketBlocks(recent); err != nil {
			return err
		}
		recent = nil
	}
	c.blob = appendCounts(c.blob[:0], b.pending[:])
	return query.Run(c.conn, `INSERT INTO click_buckets (id, pending, block_bytes, recent)
		VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (id) DO UPDATE SET pending = ?2, block_bytes = ?3, recent = ?4`,
		b.id, string(c.blob), b.blockBytes, recent)
}

// blockIDs returns the first and the last ID that blocks of a bucket can have.
func blockIDs(bucket int64) (first, last int64) { return bucket << 16, bucket<<16 | 0xFFFF }

// Blocks of few clicks are put together, because their dictionaries have much in common: so many,
// by their IDs, when all are small. A bucket is rolled up before it has some 1,000 IDs.
const (
	mergedBlocks    = 8 // a power of two
	smallBlockBytes = 2 * maxRecentBytes
)

// addBucketBlocks moves the bucket's recent clicks into blocks. If all were packed, that is theirs.
func (c *Counter) addBucketBlocks(packed []byte) error {
	b := &c.bucket
	first, last := blockIDs(b.id)
	id, err := query.Int(c.conn,
		"SELECT coalesce(max(id) + 1, ?1) FROM bucket_blocks WHERE id BETWEEN ?1 AND ?2",
		first, last)
	if err != nil {
		return err
	}
	if id&(mergedBlocks-1) == mergedBlocks-1 {
		taken, err := c.takeSmallBlocks(id-mergedBlocks+1, id-1)
		if err != nil {
			return err
		}
		if taken {
			packed = nil
		}
	}
	for part := range slices.Chunk(b.recent, clickblock.MaxClicks) {
		c.turn.Yield()
		block := packed
		if block == nil {
			block = c.packer.PackNeighbours(part)
		}
		if err := query.Run(c.conn,
			"INSERT INTO bucket_blocks (id, first, last, clicks) VALUES (?, ?, ?, ?)",
			id, part[0].Time, part[len(part)-1].Time, block); err != nil {
			return err
		}
		b.blockBytes += int64(len(block))
		id++
	}
	b.recent = b.recent[:0]
	return nil
}

// takeSmallBlocks moves the clicks of some of the bucket's last blocks to the recent ones, if all
// are small.
func (c *Counter) takeSmallBlocks(first, last int64) (taken bool, err error) {
	bytes, large := int64(0), false
	err = query.Each(c.conn,
		"SELECT length(clicks) FROM bucket_blocks WHERE id BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			n := row.ColumnInt64(0)
			bytes, large = bytes+n, large || n > smallBlockBytes
			return nil
		}, first, last)
	if err != nil || large {
		return false, err
	}
	c.bucket.blockBytes -= bytes
	return true, c.takeBlocks(first, last)
}

// takeBucketBlocks moves all clicks of the bucket's blocks to its recent ones.
func (c *Counter) takeBucketBlocks() error {
	first, last := blockIDs(c.bucket.id)
	c.bucket.blockBytes = 0
	return c.takeBlocks(first, last)
}

// takeBlocks moves the clicks of the bucket's blocks from an ID on to its recent ones. They are in
// the order of time then, and those of an instant in the order in which they were counted.
func (c *Counter) takeBlocks(first, last int64) error {
	b := &c.bucket
	all, err := c.takeRows(c.unpacked[:0], "bucket_blocks", first, last)
	all = append(all, b.recent...)
	clickblock.Sort(all)
	b.recent, c.unpacked = all, b.recent
	return err
}

// takeRows deletes rows of a table, and appends their clicks in the order in which they were
// counted.
func (c *Counter) takeRows(all []clickblock.Click, table string, first, last int64) (
	[]clickblock.Click, error,
) {
	err := query.Each(c.conn, "SELECT clicks FROM "+table+" WHERE id BETWEEN ? AND ? ORDER BY id",
		func(row *sqlite.Stmt) (err error) {
			c.turn.Yield()
			c.blob = query.Bytes(row, 0, c.blob)
			all, err = c.packer.Unpack(all, c.blob)
			return err
		}, first, last)
	if err == nil {
		err = query.Run(c.conn, "DELETE FROM "+table+" WHERE id BETWEEN ? AND ?", first, last)
	}
	return all, err
}

// parseCounts reads a JSON array of numbers.
func parseCounts(counts []int64, text []byte) error {
	text, opened := bytes.CutPrefix(text, []byte{'['})
	text, closed := bytes.CutSuffix(text, []byte{']'})
	if !opened || !closed {
		return clickblock.ErrDamaged
	}
	i, n := 0, int64(0)
	for _, char := range text {
		if digit := char - '0'; digit <= 9 {
			n = 10*n + int64(digit)
			continue
		}
		if char != ',' || i == len(counts)-1 {
			return clickblock.ErrDamaged
		}
		counts[i] = n
		i, n = i+1, 0
	}
	counts[i] = n
	return nil
}

// appendCounts is the reverse of parseCounts. Zeros at the end are left out.
func appendCounts(text []byte, counts []int64) []byte {
	n := len(counts)
	for n > 0 && counts[n-1] == 0 {
		n--
	}
	text = append(text, '[')
	for i, count := range counts[:n] {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, count, 10)
	}
	return append(text, ']')
}
