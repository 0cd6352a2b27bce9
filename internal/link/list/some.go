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

// rangesAtOnce bounds the IDs that every has in memory beside the set, which takes two bits for
// each: 64 ranges have 512 KiB of them.
const rangesAtOnce = 64

// every returns all links of the owner. It reads no links of ranges that are full.
func every(of Snapshot) (all linkset.Set, err error) {
	ranges, err := of.Ranges()
	if err != nil {
		return nil, err
	}
	l := &listing{of: of}
	var partly, ids []int64 // numbers of ranges that are to be read, and IDs in them
	read := func() error {
		ids = ids[:0]
		err := l.inRanges(partly, false, func(row *Row) error {
			ids = append(ids, row.ID)
			return nil
		})
		all, partly = append(all, linkset.Of(ids)...), partly[:0]
		return err
	}
	for _, r := range ranges {
		full := r.Links == linkset.RangeSize
		if !full {
			partly = append(partly, r.Number)
		}
		if full || len(partly) == rangesAtOnce {
			if err := read(); err != nil {
				return nil, err
			}
		}
		if full {
			all = append(all, linkset.OfRange(r.Number)...)
		}
	}
	return all, read()
}
