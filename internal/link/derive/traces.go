package derive

import (
	"fmt"

	"terse"
)

// Traces names the rows that a change of a link leaves: its former code, and a tombstone, which
// tells other nodes and the counting of clicks that the link is not what it was. before is nil for
// a new link, and after for one that is gone. Nothing in the rows of links says that a tombstone is
// missing, so only who knows both can look for it.
func Traces(before, after *terse.Link) []string {
	if before == nil {
		return nil
	}
	tombstone := fmt.Sprintf("tombstone of link %d (%v)", before.ID, before.Code)
	switch {
	case after == nil:
		return []string{tombstone + ", deleted"}
	case after.Code != before.Code:
		return []string{
			fmt.Sprintf("former code %v of link %d", before.Code, before.ID), tombstone,
		}
	case after.CreatedBy != before.CreatedBy:
		return []string{tombstone}
	}
	return nil
}
