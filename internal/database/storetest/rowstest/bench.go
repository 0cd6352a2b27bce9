package rowstest

import (
	"encoding/binary"
	"testing"

	"terse/internal/click/clickstore"
)

// The writes of a batch of 100,000 clicks on as many links: the totals of their buckets, and a run
// of each region.
const (
	buckets    = 782
	totalBytes = 1500
	regions    = 49
	runBytes   = 24 << 10

	// Rewrites is the number of successive batches in BenchRewrites.
	Rewrites = 60
)

// BenchRewrites writes the same rows in Rewrites transactions. Each reads the rows of the previous
// one and replaces its runs.
func BenchRewrites(b *testing.B, db Database) {
	b.Helper()
	value := make([]byte, runBytes)
	for i := range value {
		value[i] = byte(i * i >> 3)
	}
	for round := range uint64(Rewrites) {
		binary.LittleEndian.PutUint64(value, round)
		if err := db.Write(func(rows clickstore.Rows) error {
			return rewrite(rows, int64(round), value)
		}); err != nil {
			b.Fatal(err)
		}
	}
}

func rewrite(rows clickstore.Rows, round int64, value []byte) error {
	var totals, runs []clickstore.Range
	for a := range int64(buckets) {
		totals = append(totals, clickstore.Range{Table: clickstore.Totals, A: a})
	}
	for a := range int64(regions) {
		runs = append(runs,
			clickstore.Range{Table: clickstore.Level0, A: a, To: clickstore.MaxNumber})
	}
	if err := rows.Prefetch(totals, runs); err != nil {
		return err
	}
	ignore := func([]byte) error { return nil }
	for a := range int64(buckets) {
		k := clickstore.Key{A: a}
		if err := rows.Get(clickstore.Totals, k, ignore); err != nil {
			return err
		}
		err := rows.Put(clickstore.Totals, k, clickstore.Span{}, value[:totalBytes])
		if err != nil {
			return err
		}
	}
	for a := range int64(regions) {
		before := clickstore.Range{Table: clickstore.Level0, A: a, To: round}
		if err := rows.Delete(before); err != nil {
			return err
		}
		if err := rows.Put(clickstore.Level0, clickstore.Key{A: a, B: round + 1},
			clickstore.Span{First: round, Last: round + 1}, value); err != nil {
			return err
		}
	}
	return nil
}
