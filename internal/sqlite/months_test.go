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
		return queryByHand(t, path, fmt.Sprintf( // heads of months
			"SELECT count(*) FROM month_counts WHERE a = %d AND b BETWEEN 0 AND 0xffffffff", link))
	})
	byHand(t, path, "UPDATE month_counts SET value = x'0102' WHERE b >= 0")
	if _, err := s.Series(t.Context(), link.Ref(), storetest.AllTime); !errors.Is(err,
		clickblock.ErrDamaged) {
		t.Errorf("damaged months: %v", err)
	}
	must(t, s.Delete(t.Context(), link))
	must(t, s.AddClicks(t.Context(), storetest.Batch("other", 0)))
	if n := queryByHand(t, path, "SELECT count(*) FROM month_counts WHERE a > 0"); n != 0 {
		t.Errorf("%d months are left of a deleted link", n)
	}
}
