package clickread

import (
	"cmp"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// Exist returns those of some links that there are, in their era, and that are asked for: the zero
// LinkRef in the place of each other one.
type Exist func(links []clickblock.Link) ([]terse.LinkRef, error)

// NewLinkTally returns a Tally of nothing but the clicks of each link in a range.
func NewLinkTally(r terse.TimeRange) *Tally {
	q := terse.SeriesQuery{Range: r}
	for d := range q.Without {
		q.Without[d] = true
	}
	t := NewTally(q)
	t.Links = clickblock.NewLinkSums()
	return t
}

// Top returns the links with the most clicks, of those that exist: of equal ones the newest first.
func (t *Tally) Top(n int, exist Exist) (top []terse.LinkClicks, err error) {
	order := make([]int32, t.Links.Len())
	ids, clicks := make([]terse.LinkID, len(order)), make([]int64, len(order))
	for i := range order {
		var link clickblock.Link
		link, clicks[i] = t.Links.At(i)
		order[i], ids[i] = int32(i), link.ID
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(clicks[b], clicks[a]), cmp.Compare(ids[b], ids[a]))
	})
	const atOnce = 32
	for some := range slices.Chunk(order, atOnce) {
		links := make([]clickblock.Link, len(some))
		for i, place := range some {
			links[i], _ = t.Links.At(int(place))
		}
		found, err := exist(links)
		if err != nil {
			return nil, err
		}
		for i, place := range some {
			if found[i] != (terse.LinkRef{}) && len(top) < n {
				top = append(top, terse.LinkClicks{LinkRef: found[i], Clicks: clicks[place]})
			}
		}
		if len(top) == n {
			break
		}
	}
	return top, nil
}
