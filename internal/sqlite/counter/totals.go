package counter

import (
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

const selectTotals = "SELECT clicks FROM click_totals WHERE id = ?"

// Totals reads how many clicks links have, from one snapshot.
type Totals struct {
	conn   *sqlite.Conn
	clicks [BucketLinks]int64
	text   []byte
}

// NewTotals returns Totals that read with a connection.
func NewTotals(conn *sqlite.Conn) *Totals { return &Totals{conn: conn} }

// Of returns how many clicks of a link were counted, 0 for one that there is not.
func (t *Totals) Of(link terse.LinkID) (clicks int64, err error) {
	err = t.Each(int64(link), int64(link), func(first int64, all []int64) {
		clicks = all[int64(link)-first]
	})
	return clicks, err
}

func (t *Totals) parse(row *sqlite.Stmt) error {
	t.text = query.Bytes(row, 0, t.text)
	return parseCounts(t.clicks[:], t.text)
}

// Each is a linkset.Totals, for whole buckets.
func (t *Totals) Each(from, to int64, f func(first int64, clicks []int64)) error {
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
