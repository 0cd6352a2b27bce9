package list

import (
	"terse"
	"terse/internal/link/linkset"
)

// Some returns the owner's links that a question about clicks selects, nil if it selects all.
func Some(of Snapshot, some *terse.SomeLinks) (links linkset.Set, err error) {
	if some.All() {
		return nil, nil
	}
	for i, tag := range some.Tags {
		tagged, err := of.Tagged(terse.FoldTag(tag))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			tagged = links.And(tagged)
		}
		links = tagged
	}
	if some.Domain == nil {
		return links, nil
	}
	there, err := of.OnDomain(*some.Domain)
	if err != nil {
		return nil, err
	}
	if len(some.Tags) == 0 {
		if *some.Domain != terse.DefaultDomain {
			return there, nil
		}
		if links, err = every(of); err != nil {
			return nil, err
		}
	}
	if *some.Domain == terse.DefaultDomain {
		return links.Without(there), nil
	}
	return links.And(there), nil
}

// every returns all links of the owner.
func every(of Snapshot) (linkset.Set, error) {
	ranges, err := of.Ranges()
	if err != nil {
		return nil, err
	}
	var numbers, ids []int64
	for _, r := range ranges {
		numbers = append(numbers, r.Number)
	}
	err = (&listing{of: of}).inRanges(numbers, false, func(row *Row) error {
		ids = append(ids, row.ID)
		return nil
	})
	return linkset.Of(ids), err
}
