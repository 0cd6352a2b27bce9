package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/longtest"
	"terse/internal/storetest"
)

// Damaged sums of months are not passed over; a link that is deleted leaves none.
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
