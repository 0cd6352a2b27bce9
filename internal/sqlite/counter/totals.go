package counter

import (
	"math"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

const selectTotals = "SELECT clicks FROM click_totals WHERE id = ?"

// Totals reads how many clicks links have, from one snapshot. Links that are next to each other in
// a list are often of one bucket, so it keeps the one that it read last.
type Totals struct {
	conn   *sqlite.Conn
	bucket int64
	clicks [BucketLinks]int64
	text   []byte
}

// NewTotals returns Totals that read with a connection.
func NewTotals(conn *sqlite.Conn) *Totals { return &Totals{conn: conn, bucket: math.MinInt64} }

// Of returns how many clicks of a link were counted, 0 for one that there is not.
func (t *Totals) Of(link terse.LinkID) (int64, error) {
	var err error
	if bucket := bucketOf(link); bucket != t.bucket {
		t.bucket = bucket
		clear(t.clicks[:])
		err = query.Each(t.conn, selectTotals, t.parse, bucket)
	}
	return t.clicks[offsetOf(link)], err
}

func (t *Totals) parse(row *sqlite.Stmt) error {
	t.text = query.Bytes(row, 0, t.text)
	return parseCounts(t.clicks[:], t.text)
}

// Each is a linkset.Totals.
func (t *Totals) Each(from, to int64, f func(first int64, clicks []int64)) error {
	t.bucket = math.MinInt64
	return query.Each(t.conn,
		"SELECT clicks, id FROM click_totals WHERE id BETWEEN ? AND ? ORDER BY id DESC",
		func(row *sqlite.Stmt) error {
			clear(t.clicks[:])
			if err := t.parse(row); err != nil {
				return err
			}
			f(row.ColumnInt64(1)<<bucketBits, t.clicks[:])
			return nil
		}, from>>bucketBits, to>>bucketBits)
}
