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
	s := open(t, url)
	const months = `SELECT count(*) FROM click_days AS d JOIN click_months AS m
		ON m.code = d.code AND m.link_id = d.link_id AND m.counts IS NULL
			AND (date '1970-01-01' + make_interval(months => m.month))::date
				= date_trunc('month', date '1970-01-01' + d.day)::date`
	days := count(t, url, "SELECT count(*) FROM click_days")
	if n := count(t, url, months); n != days || n == 0 {
		t.Errorf("%d of %d days are in months that can be added up", n, days)
	}
	storetest.CheckEarlier(t, s)
	if n := count(t, url, "SELECT count(counts) FROM click_months"); n == 0 {
		t.Error("no months are added up")
	}
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
