package ranges

import (
	"cmp"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// ownedRange is a range of IDs of an owner.
type ownedRange struct {
	owner  string
	number int64
}

// Changes are what a transaction changes of owners' ranges.
type Changes map[ownedRange]*added

// added are links more, and when they were made.
type added struct{ links, first, last int64 }

// Add notes that an owner has so many links more, made at a time: 1, or -1 for one less.
func (c Changes) Add(owner string, id, createdAt, links int64) {
	key := ownedRange{owner, Of(id)}
	r := c[key]
	if r == nil {
		r = &added{first: createdAt, last: createdAt}
		c[key] = r
	}
	r.links += links
	r.first, r.last = min(r.first, createdAt), max(r.last, createdAt)
}

// Totals returns how many links each owner has more.
func (c Changes) Totals() map[string]int64 {
	totals := map[string]int64{}
	for key, r := range c {
		totals[key.owner] += r.links
	}
	return totals
}

// Queue has a batch write them, into the rows of a slot.
func (c Changes) Queue(batch *pgx.Batch, slot int32) {
	var owners []string
	var numbers, links, first, last []int64
	for _, key := range slices.SortedFunc(maps.Keys(c), func(a, b ownedRange) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.number, b.number))
	}) {
		owners, numbers = append(owners, key.owner), append(numbers, key.number)
		links = append(links, c[key].links)
		first, last = append(first, c[key].first), append(last, c[key].last)
	}
	batch.Queue(`INSERT INTO link_ranges AS r (owner, id_range, slot, links, first, last)
		SELECT owner, id_range, $1, links, first, last
		FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
			AS n(owner, id_range, links, first, last)
		ON CONFLICT (owner, id_range, slot) DO UPDATE SET links = r.links + excluded.links,
			first = least(r.first, excluded.first), last = greatest(r.last, excluded.last)`,
		slot, owners, numbers, links, first, last)
}
