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
	high   map[int]uint64       // the upper words of packed codes, of more than ten characters
	// Their lower words; 0: to be looked up, also where a code has nothing there.
	low [bucketLinks]uint64
}

// noCode is in the place of a link's code where there is no link. No code is packed like this.
const noCode = 1

// maxCodeBuckets bounds linkCodes at 18 MiB, for 2,000,000 links whose IDs follow each other and
// whose codes are short. With more, all are forgotten now and then.
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
		offset := offsetOf(link)
		b.low[offset], b.eras = 0, nil
		delete(b.high, offset)
		delete(b.others, offset)
	}
}

// codesOf returns the codes of a bucket, with its eras.
func (c *Counter) codesOf(bucket int64) (*bucketCodes, error) {
	b := c.codes.of(bucket)
	if b.eras != nil {
		return b, nil
	}
	eras := map[int]uint32{}
	first := bucket << bucketBits
	err := query.Each(c.conn, "SELECT link_id, era FROM link_eras WHERE link_id BETWEEN ? AND ?",
		func(row *sqlite.Stmt) error {
			eras[int(row.ColumnInt64(0)-first)] = uint32(row.ColumnInt64(1))
			return nil
		}, first, first+bucketLinks-1)
	if err == nil {
		b.eras = eras
	}
	return b, err
}

// linkExists reports whether there is the link of a click, whose bucket has these codes.
func (c *Counter) linkExists(b *bucketCodes, click *terse.NumberedClick) (bool, error) {
	offset := offsetOf(click.Link)
	if b.low[offset] == 0 {
		code, all, err := c.look(click.Link)
		if err != nil {
			return false, err
		}
		b.set(offset, code, all)
	}
	return b.has(offset, click.Code), nil
}

// has reports whether the link at an offset, which was looked up, has a code.
func (b *bucketCodes) has(offset int, code terse.Code) bool {
	high, low := code.Pack()
	return b.low[offset] == low && b.high[offset] == high
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
			b.high = map[int]uint64{}
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

// look looks up a link's code, the zero code when there is no such link, and the ID of all links of
// its owner.
func (c *Counter) look(link terse.LinkID) (code terse.Code, all terse.LinkID, err error) {
	all = firstAll
	err = query.Each(c.conn, "SELECT code, created_by FROM links WHERE id = ?",
		func(row *sqlite.Stmt) (err error) {
			c.blob = query.Bytes(row, 0, c.blob)
			code, _ = terse.ParseCode(c.blob) // by hand, and no code: it has no clicks
			c.blob = query.Bytes(row, 1, c.blob)
			all, err = c.allOf(c.blob)
			return err
		}, link)
	return code, all, err
}
