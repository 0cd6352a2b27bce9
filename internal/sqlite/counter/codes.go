package counter

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

// linkCodes remembers the codes of links that had clicks. To look up the code for each click of a
// batch instead takes twice the CPU (docs/experiments.md, "Codes of links that had clicks").
type linkCodes map[int64]*bucketCodes // by bucket

// bucketCodes are the codes of a bucket's links by their offset, as far as they were looked up. The
// garbage collector looks at what stands before the last pointer.
type bucketCodes struct {
	others map[int]terse.LinkID // of other owners than the first: the IDs of all links of theirs
	eras   map[int]uint32       // of those that are not 0; nil: to be looked up
	// The upper words of packed codes, which those of more than ten characters have; nil: none.
	high *[BucketLinks]uint64
	// Their lower words; 0: to be looked up, also where a code has nothing there.
	low   [BucketLinks]uint64
	whole bool // all were looked up together once
}

// noCode is in the place of a link's code where there is no link. No code is packed like this.
const noCode = 1

// maxCodeBuckets bounds linkCodes at 18 MiB, at twice that where codes have more than ten
// characters: for 2,000,000 links whose IDs follow each other. With more, all are forgotten now and
// then.
const maxCodeBuckets = 1 << 13

// of returns the codes of a bucket.
func (l linkCodes) of(bucket int64) *bucketCodes {
	if b := l[bucket]; b != nil {
		return b
	}
	if len(l) >= maxCodeBuckets {
		clear(l)
	}
	b := new(bucketCodes)
	l[bucket] = b
	return b
}

func (l linkCodes) forget(link terse.LinkID) {
	if b := l[bucketOf(link)]; b != nil {
		b.forget(offsetOf(link))
		b.eras = nil
	}
}

func (b *bucketCodes) forget(offset int) {
	b.low[offset] = 0
	if b.high != nil {
		b.high[offset] = 0
	}
	delete(b.others, offset)
}

// manyClicks is how many clicks make it worth to look up all links of their bucket together, which
// takes as long as to look up 20 or 30 one by one.
const manyClicks = 32

// codesOf returns the codes of a bucket that has so many clicks, with its eras.
func (c *Counter) codesOf(bucket int64, clicks int) (*bucketCodes, error) {
	b := c.codes.of(bucket)
	first := terse.LinkID(bucket << bucketBits)
	last := first + BucketLinks - 1
	if !b.whole && clicks >= manyClicks {
		if err := c.lookUp(b, first, last, c.knownAll); err != nil {
			return nil, err
		}
		b.whole = true
	}
	if b.eras != nil {
		return b, nil
	}
	eras := map[int]uint32{}
	err := query.Each(c.conn, "SELECT link_id, era FROM link_eras WHERE link_id BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			eras[offsetOf(terse.LinkID(row.ColumnInt64(0)))] = uint32(row.ColumnInt64(1))
			return nil
		}, first, last)
	if err == nil {
		b.eras = eras
	}
	return b, err
}

// linkExists reports whether there is the link of a click, whose bucket has these codes.
func (c *Counter) linkExists(b *bucketCodes, click *terse.NumberedClick) (bool, error) {
	offset := offsetOf(click.Link)
	if b.low[offset] == 0 {
		if err := c.lookUp(b, click.Link, click.Link, c.allOf); err != nil {
			return false, err
		}
	}
	return b.has(offset, click.Code), nil
}

// has reports whether the link at an offset, which was looked up, has a code.
func (b *bucketCodes) has(offset int, code terse.Code) bool {
	high, low := code.Pack()
	switch {
	case b.low[offset] != low:
		return false
	case b.high == nil:
		return high == 0
	}
	return b.high[offset] == high
}

// set notes what was looked up of the link at an offset.
func (b *bucketCodes) set(offset int, code terse.Code, all terse.LinkID) {
	high, low := code.Pack()
	if code == (terse.Code{}) {
		low = noCode
	}
	b.low[offset] = low
	if high != 0 {
		if b.high == nil {
			b.high = new([BucketLinks]uint64)
		}
		b.high[offset] = high
	}
	if all != firstAll {
		if b.others == nil {
			b.others = map[int]terse.LinkID{}
		}
		b.others[offset] = all
	}
}

// lookUp looks up links of a bucket. allOf returns the ID of all links of an owner, or 0 when the
// owner's links are to be looked up one by one.
func (c *Counter) lookUp(b *bucketCodes, first, last terse.LinkID,
	allOf func(owner []byte) (terse.LinkID, error),
) error {
	for link := first; link <= last; link++ {
		b.forget(offsetOf(link))
		b.low[offsetOf(link)] = noCode
	}
	err := query.Each(c.conn, "SELECT id, code, created_by FROM links WHERE id BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			offset := offsetOf(terse.LinkID(row.ColumnInt64(0)))
			c.blob = query.Bytes(row, 1, c.blob)
			code, _ := terse.ParseCode(c.blob) // by hand, and no code: it has no clicks
			c.blob = query.Bytes(row, 2, c.blob)
			all, err := allOf(c.blob)
			if b.set(offset, code, all); all == 0 {
				b.forget(offset)
			}
			return err
		}, first, last)
	if err != nil {
		*b = bucketCodes{}
	}
	return err
}
