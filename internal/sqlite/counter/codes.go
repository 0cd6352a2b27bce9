package counter

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

// linkCodes remembers the codes of links that had clicks. To look up the code for each click of a
// batch instead takes twice the CPU (docs/experiments.md, "Codes of links that had clicks").
type linkCodes map[int64]*bucketCodes // by bucket

// bucketCodes are the codes of a bucket's links, as far as they were looked up.
type bucketCodes struct {
	known [bucketLinks]bool
	codes [bucketLinks]terse.Code // the zero code where there is no link
	eras  map[int]uint32          // by offset, of those that are not 0; nil: to be looked up
	// by offset, of links that are not the first owner's: the IDs of all links of theirs
	others map[int]terse.LinkID
}

// maxCodeBuckets bounds linkCodes at 35 MiB, for 2,000,000 links whose IDs follow each other. With
// more, all are forgotten now and then.
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
		b.known[offsetOf(link)], b.eras = false, nil
		delete(b.others, offsetOf(link))
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
	if !b.known[offset] {
		code, all, err := c.look(click.Link)
		if err != nil {
			return false, err
		}
		if all != firstAll {
			if b.others == nil {
				b.others = map[int]terse.LinkID{}
			}
			b.others[offset] = all
		}
		b.known[offset], b.codes[offset] = true, code
	}
	return b.codes[offset] == click.Code, nil
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
