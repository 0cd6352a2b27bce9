package list

import (
	"cmp"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/linkset"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
	"terse/internal/yield"
)

// findByTime makes the page of a search or a filter in the order of time. It looks at the rows in
// the order of their IDs, in which they lie, range by range: in the order of the list each would be
// looked up.
func (l *listing) findByTime() error {
	s := searching{
		conn: l.conn, texts: l.texts, owner: l.Owner, search: l.Search, most: l.bounds.ByTime,
	}
	if !l.Filter.IsZero() {
		s.links = l.filter.links
	}
	ranges, skip := sortRanges(l.filter.ranges, l.Order), int64(0)
	if l.Search == nil && l.After == nil {
		skip = min(int64(max(l.Offset, 0)), l.filter.total)
		ranges, skip = skipRanges(ranges, skip)
	}
	s.top.Most = int(skip) + l.Limit + 1
	next, err := s.byTime(ranges, l.After, l.Order)
	if err != nil {
		return err
	}
	found := s.top.Sorted()
	found = found[min(int(skip), len(found)):]
	for i, r := range found {
		found[i] = inOrder(r, l.Order)
	}
	if _, err := l.lookUp(found); err != nil {
		return err
	}
	l.found, l.page.AtLeast = s.found, next != nil
	if l.page.Next == nil {
		l.page.Next = next
	}
	return nil
}

// beginning is before all links.
var beginning = linkset.Ranked{ID: math.MaxInt64, Key: math.MaxInt64}

// inOrder turns a link of the list of the newest into one of another order's, and back: the oldest
// first is the newest first with all numbers negated.
func inOrder(r linkset.Ranked, order terse.LinkOrder) linkset.Ranked {
	if order == terse.OldestFirst {
		return linkset.Ranked{ID: ^r.ID, Key: ^r.Key}
	}
	return r
}

// searching is a search under way.
type searching struct {
	conn   *sqlite.Conn
	texts  *Texts
	owner  string
	search terse.Search
	links  linkset.Set    // to look at; nil: all
	mark   linkset.Ranked // where the page before ended
	found  int64          // links behind it
	top    linkset.Top    // those of them that come first
	seen   int            // links that were looked at
	most   int            // to look at
	turn   yield.Yielder
	text   searchText
	buf    []byte // for the text of a range
}

// add takes a link that was found, unless an earlier page had it.
func (s *searching) add(r linkset.Ranked) {
	if s.mark.Before(r) {
		s.found++
		s.top.Add(r)
	}
}

// byTime looks through the ranges behind the mark, until none can have a link of the page, and a
// search has found as many as are counted. When those are too many to look through, next is where
// to go on; else it is nil. The ranges need not follow each other in time.
func (s *searching) byTime(ranges []idRange, after *terse.LinkMark, order terse.LinkOrder) (
	next *terse.LinkMark, err error,
) {
	s.mark = beginning
	if after != nil {
		s.mark = inOrder(linkset.Ranked{ID: int64(after.ID), Key: after.Key}, order)
	}
	least := int64(math.MaxInt64) // of all ranges that were looked through
	for _, r := range ranges {
		switch {
		case r.first > s.mark.Key:
			continue
		case s.top.FullBefore(r.last) && (s.search == nil || s.found > terse.MaxSearchTotal):
			return nil, nil // neither it nor those behind it matter
		case s.search != nil && s.seen >= s.most && r.last < least:
			end := inOrder(linkset.Ranked{ID: math.MaxInt64, Key: r.last}, order)
			return &terse.LinkMark{Key: end.Key, ID: terse.LinkID(end.ID)}, nil
		}
		least = min(least, r.first)
		if err := s.inRange(r, order); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// sortRanges sorts ranges by the last link that they may have.
func sortRanges(ranges []idRange, order terse.LinkOrder) []idRange {
	sorted := slices.Clone(ranges)
	if order == terse.OldestFirst {
		for i, r := range sorted {
			sorted[i].first, sorted[i].last, sorted[i].rank = ^r.last, ^r.first, ^r.rank
		}
	}
	slices.SortFunc(sorted, func(a, b idRange) int {
		return cmp.Or(cmp.Compare(b.last, a.last), cmp.Compare(b.rank, a.rank))
	})
	return sorted
}

// skipRanges leaves out sorted ranges whose links are all among so many that come first. It returns
// how many of the others are, too.
func skipRanges(ranges []idRange, skip int64) ([]idRange, int64) {
	for len(ranges) > 1 && ranges[0].links <= skip && ranges[0].before(ranges[1]) {
		skip -= ranges[0].links
		ranges = ranges[1:]
	}
	return ranges, skip
}

// fewLinks are those of a range that are looked up one by one, rather than to read all of them.
const fewLinks = 100

// inRange adds every link of a range that has what is searched for.
func (s *searching) inRange(r idRange, order terse.LinkOrder) error {
	s.turn.Yield()
	s.seen++ // to find a range takes time, too
	links := s.links.InRange(r.number)
	if s.links != nil && links.Count() <= fewLinks {
		return s.lookUp(links, order)
	}
	text, err := s.textOf(r.number)
	if err != nil {
		return err
	}
	from := int64(0)
	for _, link := range text.links {
		if s.links == nil || links.Has(link.id) {
			s.seen++
			if s.search.Finds(text.text[from:link.end]) {
				s.add(inOrder(linkset.Ranked{ID: link.id, Key: link.createdAt}, order))
			}
		}
		from = link.end
	}
	return nil
}

// lookUp is inRange for some links.
func (s *searching) lookUp(links linkset.Set, order terse.LinkOrder) error {
	for _, id := range links.IDs() {
		err := query.Each(s.conn, "SELECT "+record.SearchedColumns+" FROM links "+
			"WHERE id = ? AND created_by = ?", func(row *sqlite.Stmt) error {
			s.seen++
			if s.text.finds(row, s.search) {
				s.add(inOrder(linkset.Ranked{ID: id, Key: row.ColumnInt64(3)}, order))
			}
			return nil
		}, id, s.owner)
		if err != nil {
			return err
		}
	}
	return nil
}

// idRange is a range of 1,024 IDs with links of an owner: none was made before first or after last.
type idRange struct{ number, links, first, last, rank int64 }

// mark returns what all links of a sorted range and those behind it come behind.
func (r idRange) mark() linkset.Ranked {
	return linkset.Ranked{ID: (r.rank + 1) << linkset.RangeBits, Key: r.last}
}

// before reports whether all links of a range come before those of the next one, and of those that
// come next then.
func (r idRange) before(next idRange) bool {
	return r.first > next.last || r.first == next.last && r.rank > next.rank
}

// ownerRanges returns all of them: 40 bytes for 1,024 links.
func ownerRanges(conn *sqlite.Conn, owner string) (ranges []idRange, err error) {
	err = query.Each(conn, "SELECT id_range, links, first, last FROM link_ranges "+
		"WHERE created_by = ? ORDER BY id_range",
		func(row *sqlite.Stmt) error {
			number := row.ColumnInt64(0)
			ranges = append(ranges, idRange{
				number, row.ColumnInt64(1), row.ColumnInt64(2), row.ColumnInt64(3), number,
			})
			return nil
		}, owner)
	return ranges, err
}
