package counter

import (
	"math"
	"slices"

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
	err := t.read(bucketOf(link))
	return t.clicks[offsetOf(link)], err
}

// AllClicked reports whether all IDs of a link's bucket have clicks, and the least of those IDs.
func (t *Totals) AllClicked(link terse.LinkID) (all bool, first terse.LinkID, err error) {
	err = t.read(bucketOf(link))
	return !slices.Contains(t.clicks[:], 0), link &^ (BucketLinks - 1), err
}

func (t *Totals) read(bucket int64) error {
	if t.bucket == bucket {
		return nil
	}
	t.bucket = bucket
	clear(t.clicks[:])
	return query.Each(t.conn, selectTotals, t.parse, bucket)
}

func (t *Totals) parse(row *sqlite.Stmt) error {
	t.text = query.Bytes(row, 0, t.text)
	return parseCounts(t.clicks[:], t.text)
}

// Each calls f for all links with clicks: with how many some have whose IDs follow each other, from
// a first one on. Those with the largest IDs come first.
func (t *Totals) Each(f func(first terse.LinkID, clicks []int64)) error {
	t.bucket = math.MinInt64
	return query.Each(t.conn, "SELECT clicks, id FROM click_totals WHERE id >= 0 ORDER BY id DESC",
		func(row *sqlite.Stmt) error {
			clear(t.clicks[:])
			if err := t.parse(row); err != nil {
				return err
			}
			f(terse.LinkID(row.ColumnInt64(1)<<bucketBits), t.clicks[:])
			return nil
		})
}
