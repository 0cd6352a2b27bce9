package ranges

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Range is a range of IDs with links of an owner.
type Range struct {
	Number      int64
	Links       int64
	First, Last int64 // none was made before or after
}

// Owned returns the ranges that an owner has links in, by number.
func Owned(ctx context.Context, tx pgx.Tx, owner string) ([]Range, error) {
	rows, _ := tx.Query(ctx, `SELECT id_range, sum(links)::bigint, min(first), max(last)
		FROM link_ranges WHERE owner = $1 GROUP BY id_range HAVING sum(links) > 0
		ORDER BY id_range`, owner)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Range])
}

// Span is a span of time, with both ends.
type Span struct{ From, To int64 }

// fewLinks are read at once: most of their ranges may have many links of others.
const fewLinks = 1 << 14

// Divide returns the ranges of which all links were made in a span of time, and the parts of the
// span in which links of other ranges were made. There are two parts at most, its first and its
// last.
func Divide(owned []Range, from, to int64) (whole []Range, spans []Span) {
	links, partly := int64(0), false
	for _, r := range owned {
		if from <= r.Last && r.First <= to {
			links += r.Links
		}
	}
	early, late := Span{from, math.MinInt64}, Span{math.MaxInt64, to}
	for _, r := range owned {
		inside := from <= r.First && r.Last <= to
		switch {
		case r.Last < from || to < r.First:
		case inside && links > fewLinks:
			whole = append(whole, r)
		default:
			partly = true
			if r.First < from || inside {
				early.To = max(early.To, min(r.Last, to))
			}
			if to < r.Last {
				late.From = min(late.From, max(r.First, from))
			}
		}
	}
	if late.From <= early.To {
		return whole, []Span{{from, to}}
	}
	for _, s := range []Span{early, late} {
		if s.From <= s.To && partly {
			spans = append(spans, s)
		}
	}
	return whole, spans
}

// ownedRange is a range of IDs of an owner.
type ownedRange struct {
	owner  string
	number int64
}

// Changes are what a transaction changes of owners' ranges.
type Changes map[ownedRange]*Range

// Add notes that an owner has so many links more, made at a time: 1, or -1 for one less.
func (c Changes) Add(owner string, id, createdAt, links int64) {
	key := ownedRange{owner, Of(id)}
	r := c[key]
	if r == nil {
		r = &Range{First: createdAt, Last: createdAt}
		c[key] = r
	}
	r.Links += links
	r.First, r.Last = min(r.First, createdAt), max(r.Last, createdAt)
}

// Totals returns how many links each owner has more.
func (c Changes) Totals() map[string]int64 {
	totals := map[string]int64{}
	for key, r := range c {
		totals[key.owner] += r.Links
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
		links = append(links, c[key].Links)
		first, last = append(first, c[key].First), append(last, c[key].Last)
	}
	batch.Queue(`INSERT INTO link_ranges AS r (owner, id_range, slot, links, first, last)
		SELECT owner, id_range, $1, links, first, last
		FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
			AS n(owner, id_range, links, first, last)
		ON CONFLICT (owner, id_range, slot) DO UPDATE SET links = r.links + excluded.links,
			first = least(r.first, excluded.first), last = greatest(r.last, excluded.last)`,
		slot, owners, numbers, links, first, last)
}
