package list

import (
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
) ([]linkset.Ranked, error) {
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
	s := searching{
		listing: &listing{of: of, links: links, LinkQuery: terse.LinkQuery{
			Order: terse.MostClickedFirst, // so that not all links are meant
		}},
		mark: after, top: linkset.Top{Most: most},
	}
	if done, err := s.inOrder(count, total); done || err != nil {
		return s.top.Sorted(), err
	}
	_, err := s.run(sortRanges(ranges, terse.NewestFirst))
	return s.top.Sorted(), err
}

// inOrder finds links after the mark by the index by time, if count of a total number of links are
// in the set and so many are likely to be found soon. It reports whether it found all that are
// wanted; otherwise it moves the mark to where it ended.
func (s *searching) inOrder(count, total int64) (done bool, err error) {
	inVain := max(leastInOrder, 4*s.top.Most)
	if count*int64(inVain) <= 2*total*int64(s.top.Most) {
		return false, nil
	}
	order, found := terse.NewestFirst, 0
	if s.Order == terse.OldestFirst {
		order = terse.OldestFirst
	}
	for read := 0; read < inVain; read += readInOrder {
		some, err := s.of.InOrder(order, inOrder(s.mark, order), 0, readInOrder)
		if err != nil {
			return false, err
		}
		for _, link := range some {
			at := linkset.Ranked{ID: int64(link.ID), Key: link.CreatedAt.UnixMicro()}
			if s.mark = inOrder(at, order); !s.links.Has(at.ID) {
				continue
			}
			s.top.Add(s.mark)
			if found++; found == s.top.Most {
				return true, nil
			}
		}
		if len(some) < readInOrder {
			return true, nil
		}
	}
	return false, nil
}
