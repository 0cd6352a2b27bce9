package list

import (
	"slices"
	"sync"

	"terse"
	"terse/internal/link/linkset"
)

const (
	// leastInOrder is how many links the index by time may be asked for in vain, which takes a few
	// milliseconds.
	leastInOrder = 4096
	// readInOrder is how many of them are in memory at a time, each with up to 16 KiB of URL and
	// options as a rule.
	readInOrder = 256
)

// Newest returns a function that finds those of an owner's links in a set that come after a mark in
// the order newest first, at most most of them. Their keys are their times of creation.
func Newest(of Snapshot) func(linkset.Set, linkset.Ranked, int) ([]linkset.Ranked, error) {
	all := sync.OnceValues(of.Ranges)
	return func(links linkset.Set, after linkset.Ranked, most int) ([]linkset.Ranked, error) {
		ranges, err := all()
		if err != nil {
			return nil, err
		}
		return newest(of, ranges, countIn(ranges), links, after, most)
	}
}

// countIn returns how many links ranges have.
func countIn(ranges []Range) (total int64) {
	for _, r := range ranges {
		total += r.Links
	}
	return total
}

// newest finds links for Newest in some ranges, out of a total number of links. Where many of all
// links are in the set, as are those without clicks, the index by time finds them, in whatever
// order their IDs are: an import creates links in the order of their codes.
func newest(
	of Snapshot, in []Range, total int64, links linkset.Set, after linkset.Ranked, most int,
) (found []linkset.Ranked, err error) {
	var ranges []Range
	var count int64
	first := linkset.Ranked{ID: beginning.ID, Key: -beginning.Key}
	for _, r := range in {
		if n := min(r.Links, links.InRange(r.Number).Count()); n > 0 {
			count += n
			ranges = append(ranges, Range{r.Number, n, r.First, r.Last})
			first.Key = max(first.Key, r.Last)
		}
	}
	if after.Before(first) {
		after = first
	}
	if inVain := max(leastInOrder, 4*most); count*int64(inVain) > 2*total*int64(most) {
		for read := 0; read < inVain; read += readInOrder {
			some, err := of.InOrder(terse.NewestFirst, after, 0, readInOrder)
			if err != nil {
				return nil, err
			}
			for _, link := range some {
				after = linkset.Ranked{ID: int64(link.ID), Key: link.CreatedAt.UnixMicro()}
				if links.Has(after.ID) {
					found = append(found, after)
				}
				if len(found) == most {
					return found, nil
				}
			}
			if len(some) < readInOrder {
				return found, nil
			}
		}
	}
	rest := searching{
		listing: &listing{of: of, links: links, LinkQuery: terse.LinkQuery{
			Order: terse.MostClickedFirst, // so that not all links are meant
		}},
		mark: after, top: linkset.Top{Most: most - len(found)},
	}
	if _, err := rest.run(sortRanges(ranges, terse.NewestFirst)); err != nil {
		return nil, err
	}
	return slices.Concat(found, rest.top.Sorted()), nil
}
