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
	eras  map[int]uint32          // by offset, of those that are not 0
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
		b.known[offsetOf(link)] = false
	}
}

// linkExists reports whether there is the link of a click, whose bucket has these codes.
func (c *Counter) linkExists(b *bucketCodes, click *terse.Click) (bool, error) {
	offset := offsetOf(click.Link)
	if !b.known[offset] {
		code, era, err := c.codeOf(click.Link)
		if err != nil {
			return false, err
		}
		b.known[offset], b.codes[offset] = true, code
		b.setEra(offset, era)
	}
	return b.codes[offset] == click.Code, nil
}

func (b *bucketCodes) setEra(offset int, era uint32) {
	if era == 0 {
		delete(b.eras, offset)
		return
	}
	if b.eras == nil {
		b.eras = map[int]uint32{}
	}
	b.eras[offset] = era
}

// codeOf looks up a link's code, the zero code when there is no such link, and its era.
func (c *Counter) codeOf(link terse.LinkID) (code terse.Code, era uint32, err error) {
	err = query.Each(c.conn, `SELECT code, era FROM links LEFT JOIN link_eras ON link_id = id
		WHERE id = ?`,
		func(row *sqlite.Stmt) error {
			c.blob = query.Bytes(row, 0, c.blob)
			// What was written by hand and is no code has no clicks.
			code, _ = terse.ParseCode(c.blob)
			era = uint32(row.ColumnInt64(1))
			return nil
		}, link)
	return code, era, err
}
