package postgres_test

import (
	"compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"terse/internal/pgtest"
	"terse/internal/storetest"
)

// Statistics stay what they were in a database of the version that knew countries, referrers and
// rules only, and go on.
func TestDatabaseOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	loadEarlier(t, url)
	storetest.CheckEarlier(t, open(t, url))
}

func loadEarlier(t *testing.T, url string) {
	packed, err := os.Open("testdata/earlier.sql.gz")
	must(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	must(t, err)
	dump, err := io.ReadAll(unpacked)
	must(t, err)
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	_, err = conn.Exec(t.Context(), string(dump), pgx.QueryExecModeSimpleProtocol)
	must(t, err)
	must(t, conn.Close(t.Context()))
}
