package links

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"terse"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// ownedRange is a range of IDs of an owner.
type ownedRange struct {
	owner  string
	number int64
}

// added is the number of links added to a range, and the creation times of the first and the last.
type added struct{ links, first, last int64 }

// count adds a created link to the number of its owner's, and removes a deleted one. A link with
// another owner is both. One with another time of creation widens its range.
func (c *Changes) count(before, after *follow.Stored) {
	if before != nil && after != nil && before.CreatedBy == after.CreatedBy {
		if !before.CreatedAt.Equal(after.CreatedAt) {
			c.add(after.Link, 0)
		}
		return
	}
	if before != nil {
		c.add(before.Link, -1)
	}
	if after != nil {
		c.add(after.Link, 1)
	}
}

// add adds to the number of an owner's links.
func (c *Changes) add(link terse.Link, links int64) {
	c.addTo(link.CreatedBy, link, links)
	if follow.IsOther(link.CreatedBy) {
		c.addTo(terse.AllOwners, link, links)
	}
}

func (c *Changes) addTo(owner string, link terse.Link, links int64) {
	key, at := ownedRange{owner, int64(link.ID) >> linkset.RangeBits}, link.CreatedAt.UnixMicro()
	r := c.ranges[key]
	if r == nil {
		r = &added{first: at, last: at}
		c.ranges[key] = r
	}
	r.links, r.first, r.last = r.links+links, min(r.first, at), max(r.last, at)
}

// writeRanges adds to owners' ranges, sorted, in the rows of the node's slot.
func (c *Changes) writeRanges(ctx context.Context) error {
	if len(c.ranges) == 0 {
		return nil
	}
	var owners []string
	var numbers, links, first, last []int64
	for _, key := range slices.SortedFunc(maps.Keys(c.ranges), func(a, b ownedRange) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.number, b.number))
	}) {
		r := c.ranges[key]
		owners, numbers = append(owners, key.owner), append(numbers, key.number)
		links, first, last = append(links, r.links), append(first, r.first), append(last, r.last)
	}
	_, err := c.tx.Exec(ctx, `INSERT INTO link_ranges AS r
			(owner, id_range, slot, links, first, last)
		SELECT owner, id_range, $1, links, first, last
		FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
			AS n(owner, id_range, links, first, last)
		ON CONFLICT (owner, id_range, slot) DO UPDATE SET links = r.links + excluded.links,
			first = least(r.first, excluded.first), last = greatest(r.last, excluded.last)`,
		c.slot, owners, numbers, links, first, last)
	return err
}
