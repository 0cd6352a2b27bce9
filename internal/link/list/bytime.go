package list

import (
	"cmp"
	"math"
	"slices"

	"terse"
	"terse/internal/link/linkset"
	"terse/internal/link/searchtext"
)

// byTime makes the page of a search or a filter in the order of time.
func (l *listing) byTime() error {
	ranges, skip := l.skipRanges()
	s := searching{listing: l, mark: l.start(), top: linkset.Top{Most: int(skip) + l.Limit + 1}}
	if l.Search == nil && skip == 0 && overlap(ranges) {
		done, err := s.inOrder(l.page.Total, l.total)
		if err != nil {
			return err
		}
		if done {
			ranges = nil
		}
	}
	next, err := s.run(ranges)
	if err != nil {
		return err
	}
	if l.Search != nil {
		l.page.Total, l.page.AtLeast = s.found, next != nil
	}
	sorted := s.top.Sorted()
	var found []terse.LinkMark
	for _, r := range sorted[min(int(skip), len(sorted)):] {
		found = append(found, markAt(inOrder(r, l.Order)))
	}
	return l.fill(found, next)
}

// markAt returns the mark of a link in a list in the order of time.
func markAt(r linkset.Ranked) terse.LinkMark {
	return terse.LinkMark{Key: r.Key, ID: terse.LinkID(r.ID)}
}

// searching finds links in the order of time. It reads rows range by range in the order of IDs, as
// the database stores them: in the order of the list, each row would be a lookup.
type searching struct {
	*listing
	mark  linkset.Ranked // where the previous page ended
	found int64          // links after mark
	top   linkset.Top    // the first of those
}

// Bounds of the links that are read at once. Each read doubles the number: most pages need few, and
// many small ranges are read by one statement.
const (
	firstReadLinks = 128
	maxReadLinks   = 16 * linkset.RangeSize
)

// run reads the ranges after the mark, until no further range can have a link of the page and a
// search has found as many links as it counts at most. If a search reaches its bound first, next is
// where to continue; otherwise next is nil. Ranges may overlap in time.
func (s *searching) run(ranges []sortedRange) (next *terse.LinkMark, err error) {
	seen, most := int64(0), int64(firstReadLinks)
	least := int64(math.MaxInt64) // of all ranges read so far
	for len(ranges) > 0 {
		var some []sortedRange
		links := int64(0)
		for len(ranges) > 0 && links < most {
			r := ranges[0]
			switch {
			case r.First > s.mark.Key: // all of it was on earlier pages
				ranges = ranges[1:]
				continue
			case s.top.FullBefore(r.Last) &&
				(s.Search == nil || s.found > terse.MaxSearchTotal):
				ranges = nil // neither this range nor later ones matter
				continue
			case s.Search != nil && seen >= int64(s.bounds.ByTime) && r.Last < least:
				next = new(markAt(inOrder(
					linkset.Ranked{ID: math.MaxInt64, Key: r.Last}, s.Order)))
				ranges = nil
				continue
			}
			some, ranges = append(some, r), ranges[1:]
			links += r.Links
			seen += 1 + r.Links // finding a range takes time, too
			least = min(least, r.First)
		}
		if err := s.read(some); err != nil {
			return nil, err
		}
		most = min(2*most, maxReadLinks)
	}
	return next, nil
}

// Up to maxByID links of a range are looked up one by one. For more, the whole range is read.
const maxByID = 100

// read adds the links of ranges that the search finds.
func (s *searching) read(ranges []sortedRange) error {
	var numbers, ids []int64
	for _, r := range ranges {
		if some := s.links.InRange(r.Number); s.all() || some.Count() > maxByID {
			numbers = append(numbers, r.Number)
		} else {
			ids = append(ids, some.IDs()...)
		}
	}
	add := func(row *Row) error {
		if (s.all() || s.links.Has(row.ID)) && s.finds(row) {
			r := inOrder(linkset.Ranked{ID: row.ID, Key: row.CreatedAt}, s.Order)
			if s.mark.Before(r) {
				s.found++
				s.top.Add(r)
			}
		}
		return nil
	}
	if err := s.inRanges(numbers, s.Search != nil, add); err != nil || len(ids) == 0 {
		return err
	}
	return s.of.ByID(ids, s.Search != nil, add)
}

// inRanges calls f for the links of ranges. It reads consecutive ranges together.
func (l *listing) inRanges(numbers []int64, texts bool, f func(*Row) error) error {
	slices.Sort(numbers)
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0]+int64(n) {
			n++
		}
		first, end := numbers[0]<<linkset.RangeBits, (numbers[0]+int64(n))<<linkset.RangeBits
		if err := l.of.Between(first, end-1, texts, f); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	return nil
}

// finds reports whether the search, if there is one, finds a link.
func (l *listing) finds(row *Row) bool {
	if l.Search == nil {
		return true
	}
	l.text = searchtext.Append(l.text[:0], terse.AddressOfKey(row.Code), row.URL,
		row.Options)
	return l.Search.Finds(l.text)
}

// sortedRange is a range in the order of a list. If the oldest come first, all numbers except
// Number are negated. Of ranges with the same times, the one with the higher rank comes first.
type sortedRange struct {
	Range
	rank int64
}

// sortRanges sorts ranges by the latest link that they may have.
func sortRanges(ranges []Range, order terse.LinkOrder) []sortedRange {
	sorted := make([]sortedRange, len(ranges))
	for i, r := range ranges {
		sorted[i] = sortedRange{r, r.Number}
		if order == terse.OldestFirst {
			sorted[i].First, sorted[i].Last, sorted[i].rank = ^r.Last, ^r.First, ^r.Number
		}
	}
	slices.SortFunc(sorted, func(a, b sortedRange) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.rank, a.rank))
	})
	return sorted
}

// start returns a place before all links of a range and of the ranges after it.
func (r sortedRange) start() linkset.Ranked {
	return linkset.Ranked{ID: (r.rank + 1) << linkset.RangeBits, Key: r.Last}
}

// before reports whether all links of a range come before all links of the next range and of those
// after it.
func (r sortedRange) before(next sortedRange) bool {
	return r.First > next.Last || r.First == next.Last && r.rank > next.rank
}

// manyRanges take longer to read than as many links of a page by the index by time.
const manyRanges = 16

// overlap reports whether the first links of a list may be in many ranges, as after an import,
// which creates links in the order of their codes.
func overlap(sorted []sortedRange) bool {
	return len(sorted) > manyRanges && sorted[manyRanges].Last >= sorted[0].First
}

// skipRanges sorts ranges, and leaves out those that the list's Offset skips entirely. skip is how
// many links of the remaining ranges to skip.
func (l *listing) skipRanges() (ranges []sortedRange, skip int64) {
	ranges = sortRanges(l.ranges, l.Order)
	if l.Search != nil || l.After != nil {
		return ranges, 0
	}
	skip = min(int64(max(l.Offset, 0)), l.page.Total)
	for len(ranges) > 1 && ranges[0].Links <= skip && ranges[0].before(ranges[1]) {
		skip -= ranges[0].Links
		ranges = ranges[1:]
	}
	return ranges, skip
}
