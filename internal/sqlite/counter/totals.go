package counter

import (
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

// Totals reads how many clicks links have, from one snapshot. Links that are next to each other in
// a list are often of one bucket, so it keeps the one that it read last.
type Totals struct {
	conn   *sqlite.Conn
	bucket int64
	clicks [bucketLinks]int64
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
	return !slices.Contains(t.clicks[:], 0), link &^ (bucketLinks - 1), err
}

func (t *Totals) read(bucket int64) error {
	if t.bucket == bucket {
		return nil
	}
	t.bucket = bucket
	clear(t.clicks[:])
	return query.Each(t.conn, "SELECT clicks FROM click_buckets WHERE id = ?", t.parse, bucket)
}

func (t *Totals) parse(row *sqlite.Stmt) error {
	t.text = query.Bytes(row, 0, t.text)
	return parseCounts(t.clicks[:], t.text)
}

// Each calls f for each link with clicks.
func (t *Totals) Each(f func(link terse.LinkID, clicks int64)) error {
	t.bucket = math.MinInt64
	return query.Each(t.conn, "SELECT clicks, id FROM click_buckets WHERE id >= 0",
		func(row *sqlite.Stmt) error {
			clear(t.clicks[:])
			if err := t.parse(row); err != nil {
				return err
			}
			for offset, n := range t.clicks {
				if n > 0 {
					f(terse.LinkID(row.ColumnInt64(1)<<bucketBits|int64(offset)), n)
				}
			}
			return nil
		})
}
