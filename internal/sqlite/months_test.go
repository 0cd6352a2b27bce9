package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/longtest"
	"terse/internal/storetest"
)

// What the migration makes of days is what counting makes of them; damaged sums are not passed
// over; a link that is deleted leaves none.
func TestMonths(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	link := storetest.CheckMonths(t, s, func(link terse.LinkID) int64 {
		return queryByHand(t, path, fmt.Sprintf(`SELECT count(counts) FROM click_months
			WHERE link_month >> 12 = %d`, link))
	})
	total := func() int64 {
		series, err := s.Series(t.Context(), link.Ref(), storetest.AllTime)
		must(t, err)
		return series.Total
	}
	const keys = "SELECT sum(link_month % 4096 * link_month % 1000003) FROM click_months"
	before, clicks := queryByHand(t, path, keys), total()
	byHand(t, path, "DROP TABLE click_months", "DROP TRIGGER link_months_deleted")
	migration, err := os.ReadFile("schema/0006_click_months.sql")
	must(t, err)
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	must(t, sqlitex.ExecuteScript(conn, string(migration), nil))
	must(t, conn.Close())
	if after := queryByHand(t, path, keys); before != after || total() != clicks {
		t.Errorf("the migration makes other months: %d, want %d", after, before)
	}
	byHand(t, path, "UPDATE click_months SET counts = x'0102'")
	if _, err := s.Series(t.Context(), link.Ref(), storetest.AllTime); !errors.Is(err,
		clickblock.ErrDamaged) {
		t.Errorf("damaged months: %v", err)
	}
	must(t, s.Delete(t.Context(), link))
	if n := queryByHand(t, path, "SELECT count(*) FROM click_months WHERE link_month > 0"); n != 0 {
		t.Errorf("%d months are left of a deleted link", n)
	}
}
