package sqlite_test

import (
	"path/filepath"
	"testing"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
)

// A number of clicks that is too large for one is damage, not another number.
func TestDamagedTotals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	link := create(t, s, "launch")
	must(t, s.AddClicks(t.Context(), terse.ClickBatch{
		Journal: "j", To: 1,
		Clicks: terse.ClicksOf(terse.Click{Link: link.ID, Code: link.Code, Time: 1}),
	}))
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	defer conn.Close()
	must(t, sqlitex.ExecuteTransient(conn,
		"UPDATE totals SET value = x'010200ffffffffffffffffffff010000' WHERE id >= 0", nil))
	if n, err := s.Clicks(t.Context(), link.Ref()); err == nil {
		t.Errorf("%d clicks", n.Clicks)
	}
}
