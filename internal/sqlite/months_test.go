package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/storetest"
)

// The months of a link with clicks on 100 days are added up, all but the last; a late click has its
// month added up again; damage is not passed over.
func TestMonths(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	link := create(t, s, "abc")
	batch := int64(0)
	add := func(day time.Time, n int) {
		clicks := make([]terse.Click, n)
		for i := range clicks {
			clicks[i] = terse.Click{
				Link: link.ID, Code: link.Code, Time: day.UnixMicro() + int64(i)*1000,
			}
		}
		must(t, s.AddClicks(t.Context(), terse.ClickBatch{
			Journal: "j", From: batch, To: batch + 1, Clicks: terse.ClicksOf(clicks...),
		}))
		batch++
	}
	start := time.Date(2027, 12, 20, 0, 0, 0, 0, time.UTC)
	const many = 8200     // enough to be rolled up at once
	for day := range 25 { // up to 2028-03-25
		add(start.AddDate(0, 0, 4*day), many)
	}
	summed := func() int64 {
		return queryByHand(t, path, fmt.Sprintf(`SELECT count(counts) FROM click_months
			WHERE link_month >> 12 = %d`, link.ID))
	}
	if n := summed(); n != 3 {
		t.Errorf("%d months are added up, want 3", n)
	}
	total := func() int64 {
		series, err := s.Series(t.Context(), link.Ref(), storetest.AllTime)
		must(t, err)
		return series.Total
	}
	add(start.AddDate(0, 0, 32), many)
	if n, clicks := summed(), total(); n != 2 || clicks != 26*many {
		t.Errorf("after late clicks %d months are added up, with %d clicks", n, clicks)
	}
	add(start.AddDate(0, 0, 100), many)
	if n, clicks := summed(), total(); n != 3 || clicks != 27*many {
		t.Errorf("a day later %d months are added up, with %d clicks", n, clicks)
	}
	// What a migration makes of days is what counting makes of them.
	const keys = "SELECT sum(link_month % 4096 * link_month % 1000003) FROM click_months"
	before := queryByHand(t, path, keys)
	byHand(t, path, "DROP TABLE click_months", "DROP TRIGGER link_months_deleted")
	migration, err := os.ReadFile("schema/0006_click_months.sql")
	must(t, err)
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	must(t, sqlitex.ExecuteScript(conn, string(migration), nil))
	must(t, conn.Close())
	after := queryByHand(t, path, keys)
	if before != after || total() != 27*many {
		t.Errorf("the migration makes other months: %d, want %d", after, before)
	}
	add(start.AddDate(0, 0, 101), many)
	byHand(t, path, "UPDATE click_months SET counts = x'0102' WHERE counts IS NOT NULL")
	if _, err := s.Series(t.Context(), link.Ref(), storetest.AllTime); !errors.Is(err,
		clickblock.ErrDamaged) {
		t.Errorf("damaged months: %v", err)
	}
	must(t, s.Delete(t.Context(), link.Ref()))
	if n := queryByHand(t, path, "SELECT count(*) FROM click_months WHERE link_month > 0"); n != 0 {
		t.Errorf("%d months are left of a deleted link", n)
	}
	must(t, s.Close())
}
