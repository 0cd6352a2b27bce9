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
	if err := l.readFilter(); err != nil {
		return err
	}
	ranges, skip := sortRanges(l.filter.ranges, l.Order), int64(0)
	if l.Search == nil && l.After == nil {
		skip = min(int64(max(l.Offset, 0)), l.filter.total)
		ranges, skip = skipRanges(ranges, skip)
	}
	s := searching{listing: l, mark: l.start(), top: linkset.Top{Most: int(skip) + l.Limit + 1}}
	next, err := s.run(ranges)
	if err != nil {
		return err
	}
	found := s.top.Sorted()
	found = found[min(int(skip), len(found)):]
	for i, r := range found {
		found[i] = inOrder(r, l.Order)
	}
	l.page.Total, l.page.AtLeast = l.filter.total, next != nil
	if l.Search != nil {
		l.page.Total = s.found
	}
	if err := l.fill(found); err != nil {
		return err
	}
	if l.page.Next == nil {
		l.page.Next = next
	}
	return nil
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
		if r.Links > fewLinks || s.Filter.IsZero() {
			numbers = append(numbers, r.Number)
		} else {
			ids = append(ids, s.filter.links.InRange(r.Number).IDs()...)
		}
	}
	add := func(row *Row) error {
		if (s.Filter.IsZero() || s.filter.links.Has(row.ID)) && s.finds(row) {
			r := inOrder(linkset.Ranked{ID: row.ID, Key: row.CreatedAt}, s.Order)
			if s.mark.Before(r) {
				s.found++
				s.top.Add(r)
			}
		}
		return nil
	}
	if err := s.inRanges(numbers, add); err != nil || len(ids) == 0 {
		return err
	}
	return s.of.ByID(ids, s.Search != nil, add)
}

func (s *searching) inRanges(numbers []int64, f func(*Row) error) error {
	if len(numbers) == 0 {
		return nil
	}
	return s.of.InRanges(numbers, s.Search != nil, f)
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

// skipRanges leaves out sorted ranges whose links are all among so many that come first. It returns
// how many of the others are, too.
func skipRanges(ranges []sortedRange, skip int64) ([]sortedRange, int64) {
	for len(ranges) > 1 && ranges[0].Links <= skip && ranges[0].before(ranges[1]) {
		skip -= ranges[0].Links
		ranges = ranges[1:]
	}
	return ranges, skip
}
