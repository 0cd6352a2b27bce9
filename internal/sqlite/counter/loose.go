package counter

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

// Loose calls f for each block with clicks of a link that are in no day's counts and may be in a
// range: first for mixed blocks, then for pending ones, then for new ones. The numbers of blocks
// grow in this order. A link's offset is -1 where all clicks of the block are of the link.
func Loose(conn *sqlite.Conn, link terse.LinkID, first, last int64,
	f func(number int64, offset int, block []byte) error,
) error {
	var blob []byte
	offset, add := -1, int64(0)
	block := func(row *sqlite.Stmt) error {
		blob = query.Bytes(row, 1, blob)
		return f(add+row.ColumnInt64(0), offset, blob)
	}
	if err := query.Each(conn, `SELECT seq, clicks FROM click_blocks
		WHERE link_id = ? AND day = ? AND last >= ? AND first <= ? ORDER BY seq`,
		block, link, MixedDay, first, last); err != nil {
		return err
	}
	const pending, recent, fresh = 1 << 62, 1 << 16, 1 << 17 // no number is as large as the next
	bucket := bucketOf(link)
	firstID, lastID := blockIDs(bucket)
	offset, add = offsetOf(link), pending
	if err := query.Each(conn, `SELECT id - ?1, clicks FROM bucket_blocks
		WHERE id BETWEEN ?1 AND ?2 AND last >= ?3 AND first <= ?4 ORDER BY id`,
		block, firstID, lastID, first, last); err != nil {
		return err
	}
	add = pending + recent
	if err := query.Each(conn,
		"SELECT 0, recent FROM click_buckets WHERE id = ? AND recent <> x''",
		block, bucket); err != nil {
		return err
	}
	firstID, lastID = newIDs(regionOf(link))
	offset, add = int(offsetInRegion(link)), pending+fresh
	return query.Each(conn, `SELECT id - ?1, clicks FROM new_clicks
		WHERE id BETWEEN ?1 AND ?2 AND last >= ?3 AND first <= ?4 ORDER BY id`,
		block, firstID, lastID, first, last)
}
