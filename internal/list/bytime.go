package list

import (
	"cmp"
	"math"
	"slices"

	"terse"
	"terse/internal/linkset"
	"terse/internal/searchtext"
	"terse/internal/yield"
)

// byTime makes the page of a search or a filter in the order of time.
func (l *listing) byTime() error {
	ranges, skip := l.skipRanges()
	s := searching{listing: l, mark: l.start(), top: linkset.Top{Most: int(skip) + l.Limit + 1}}
	next, err := s.run(ranges)
	if err != nil {
		return err
	}
	if l.Search != nil {
		l.page.Total, l.page.AtLeast = s.found, next != nil
	}
	found := s.top.Sorted()
	found = found[min(int(skip), len(found)):]
	for i, r := range found {
		found[i] = inOrder(r, l.Order)
	}
	return l.fill(found, next)
}

// searching looks for links in the order of time. It reads rows in the order of their IDs, in which
// they lie, range by range: in the order of the list each would be looked up.
type searching struct {
	*listing
	mark  linkset.Ranked // where the page before ended
	found int64          // links behind it
	top   linkset.Top    // those of them that come first
	turn  yield.Yielder
}

// Bounds of the links of ranges that are read at once, each time twice as many: for most pages few
// will do, and many of few links each take one statement.
const (
	firstRead = 128
	mostRead  = 16 * linkset.RangeSize
)

// run looks through the ranges behind the mark, until none can have a link of the page, and a
// search has found as many as are counted. When those are too many to look through, next is where
// to go on; else it is nil. The ranges need not follow each other in time.
func (s *searching) run(ranges []sortedRange) (next *terse.LinkMark, err error) {
	seen, most := int64(0), int64(firstRead)
	least := int64(math.MaxInt64) // of all ranges that were looked through
	for len(ranges) > 0 {
		var some []sortedRange
		links := int64(0)
		for len(ranges) > 0 && links < most {
			r := ranges[0]
			switch {
			case r.First > s.mark.Key: // all of it was on pages before
				ranges = ranges[1:]
				continue
			case s.top.FullBefore(r.Last) &&
				(s.Search == nil || s.found > terse.MaxSearchTotal):
				ranges = nil // neither it nor those behind it matter
				continue
			case s.Search != nil && seen >= int64(s.bounds.ByTime) && r.Last < least:
				end := inOrder(linkset.Ranked{ID: math.MaxInt64, Key: r.Last}, s.Order)
				next = &terse.LinkMark{Key: end.Key, ID: terse.LinkID(end.ID)}
				ranges = nil
				continue
			}
			some, ranges = append(some, r), ranges[1:]
			links += r.Links
			seen += 1 + r.Links // to find a range takes time, too
			least = min(least, r.First)
		}
		if err := s.read(some); err != nil {
			return nil, err
		}
		most = min(2*most, mostRead)
	}
	return next, nil
}

// fewLinks are those of a range that are looked up one by one, rather than to read all of them.
const fewLinks = 100

// read adds every link of some ranges that has what is searched for.
func (s *searching) read(ranges []sortedRange) error {
	s.turn.Yield()
	var numbers, ids []int64
	for _, r := range ranges {
		if some := s.links.InRange(r.Number); s.all() || some.Count() > fewLinks {
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

// inRanges calls f for the links of ranges. Those that follow each other are read together.
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
	l.text = searchtext.Append(l.text[:0], row.Code, row.URL, row.Options)
	return l.Search.Finds(l.text)
}

// sortedRange is a range as it comes in the order of a list: that of the oldest has all numbers but
// Number negated. Of ranges with the same times the one with the higher rank comes first.
type sortedRange struct {
	Range
	rank int64
}

// sortRanges sorts ranges by the last link that they may have.
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

// start returns what all links of a range and those behind it come behind.
func (r sortedRange) start() linkset.Ranked {
	return linkset.Ranked{ID: (r.rank + 1) << linkset.RangeBits, Key: r.Last}
}

// before reports whether all links of a range come before those of the next one, and of those that
// come next then.
func (r sortedRange) before(next sortedRange) bool {
	return r.First > next.Last || r.First == next.Last && r.rank > next.rank
}

// skipRanges sorts ranges, and leaves out those whose links the list's Offset skips. It returns how
// many links of the others are to be skipped, too.
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
