package list

import (
	"cmp"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
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
		top: top{most: l.Limit + 1},
	}
	if !l.Filter.IsZero() {
		s.links = l.filter.links
	}
	if l.Search == nil && l.After == nil {
		if s.skip = int64(max(l.Offset, 0)); s.skip >= l.filter.total {
			return nil
		}
	}
	next, err := s.byTime(l.filter.ranges, l.After, l.Order)
	if err != nil {
		return err
	}
	found := s.top.sorted()
	for _, r := range found[min(int(s.skip), len(found)):] {
		more, err := l.lookUp(r.inOrder(l.Order))
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	l.found, l.page.AtLeast = s.found, next != nil
	if l.page.Next == nil {
		l.page.Next = next
	}
	return nil
}

// findByClicks makes the page of a search by clicks. It ends when it is full, or when it has looked
// at as many links as it may; so the links that it finds are counted in the order of time.
func (l *listing) findByClicks() error {
	if err := l.scanByClicks(); err != nil || l.page.Next == nil {
		return err
	}
	count := newListing(l.conn, terse.LinkQuery{
		Owner: l.Owner, Search: l.Search, Filter: l.Filter,
	}, l.bounds, l.texts)
	count.filter = l.filter
	err := count.findByTime()
	l.found, l.page.AtLeast = max(l.found, count.found-l.last.Found), count.page.AtLeast
	return err
}

// inOrder turns a link of the list of the newest into one of another order's, and back: the oldest
// first is the newest first with all numbers negated.
func (r ranked) inOrder(order terse.LinkOrder) ranked {
	if order == terse.OldestFirst {
		return ranked{^r.id, ^r.key}
	}
	return r
}

// searching is a search under way.
type searching struct {
	conn   *sqlite.Conn
	texts  *Texts
	owner  string
	search terse.Search
	links  set    // to look at; nil: all
	mark   ranked // where the page before ended
	found  int64  // links behind it
	skip   int64  // of them, how many come before the page
	top    top    // those of them that come first
	seen   int    // links that were looked at
	most   int    // to look at
	turn   yield.Yielder
	text   searchText
	buf    []byte // for the text of a range
}

// add takes a link that was found, unless an earlier page had it.
func (s *searching) add(r ranked) {
	if s.mark.before(r) {
		s.found++
		s.top.add(r)
	}
}

// byTime looks through the ranges behind the mark, until none can have a link of the page, and a
// search has found as many as are counted. When those are too many to look through, next is where
// to go on; else it is nil. The ranges need not follow each other in time.
func (s *searching) byTime(ranges []idRange, after *terse.LinkMark, order terse.LinkOrder) (
	next *terse.LinkMark, err error,
) {
	s.mark = ranked{math.MaxInt64, math.MaxInt64}
	if after != nil {
		s.mark = ranked{int64(after.ID), after.Key}.inOrder(order)
	}
	ranges = s.skipRanges(sortRanges(ranges, order))
	s.top.most += int(s.skip)
	least := int64(math.MaxInt64) // of all ranges that were looked through
	for _, r := range ranges {
		switch {
		case r.first > s.mark.key:
			continue
		case s.enough(r):
			return nil, nil
		case s.search != nil && s.seen >= s.most && r.last < least:
			end := ranked{math.MaxInt64, r.last}.inOrder(order)
			return &terse.LinkMark{Key: end.key, ID: terse.LinkID(end.id)}, nil
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

// skipRanges leaves out ranges whose links all come before the page.
func (s *searching) skipRanges(ranges []idRange) []idRange {
	for len(ranges) > 1 && ranges[0].links <= s.skip && ranges[0].before(ranges[1]) {
		s.skip -= ranges[0].links
		ranges = ranges[1:]
	}
	return ranges
}

// enough reports whether neither a range nor those behind it matter.
func (s *searching) enough(r idRange) bool {
	return s.top.fullBefore(r.last) && (s.search == nil || s.found > terse.MaxSearchTotal)
}

// fewLinks are those of a range that are looked up one by one, rather than to read all of them.
const fewLinks = 100

// inRange adds every link of a range that has what is searched for.
func (s *searching) inRange(r idRange, order terse.LinkOrder) error {
	s.turn.Yield()
	s.seen++ // to find a range takes time, too
	links := s.links.inRange(r.number)
	if s.links != nil && links.count() <= fewLinks {
		return s.lookUp(links, order)
	}
	text, err := s.textOf(r.number)
	if err != nil {
		return err
	}
	from := int64(0)
	for _, link := range text.links {
		if s.links == nil || links.has(link.id) {
			s.seen++
			if s.search.Finds(text.text[from:link.end]) {
				s.add(ranked{link.id, link.createdAt}.inOrder(order))
			}
		}
		from = link.end
	}
	return nil
}

// lookUp is inRange for some links.
func (s *searching) lookUp(links set, order terse.LinkOrder) error {
	return links.each(func(id int64) error {
		return query.Each(s.conn, "SELECT "+record.SearchedColumns+" FROM links "+
			"WHERE id = ? AND created_by = ?", func(row *sqlite.Stmt) error {
			s.seen++
			if s.text.finds(row, s.search) {
				s.add(ranked{id, row.ColumnInt64(3)}.inOrder(order))
			}
			return nil
		}, id, s.owner)
	})
}

// idRange is a range of 1,024 IDs with links of an owner: none was made before first or after last.
type idRange struct{ number, links, first, last, rank int64 }

// rangeSize is how many IDs a range has.
const rangeSize = 1 << rangeBits

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
