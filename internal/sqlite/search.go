package sqlite

import (
	"cmp"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
	"terse/internal/yield"
)

// Bounds of the links that one search looks at, so that a caller who is gone costs no more. In the
// order of time that takes some 50 ms; by clicks as long again for the total.
const (
	maxSearched        = 100_000
	maxSearchedClicked = 10_000
)

// findByTime makes the page of a search in the order of time. It looks at the rows in the order of
// their IDs, in which they lie, range by range: in the order of the list each would be looked up.
func (l *listing) findByTime() error {
	ranges, err := ownerRanges(l.conn, l.Owner)
	if err != nil {
		return err
	}
	s := searching{conn: l.conn, owner: l.Owner, search: l.Search, top: top{most: l.Limit + 1}}
	next, err := s.byTime(ranges, l.After, l.Order)
	if err != nil {
		return err
	}
	for _, r := range s.top.sorted() {
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
	count := newListing(l.conn, terse.LinkQuery{Owner: l.Owner, Search: l.Search})
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
	owner  string
	search terse.Search
	mark   ranked // where the page before ended
	found  int64  // links behind it
	top    top    // those of them that come first
	seen   int    // links that were looked at
	turn   yield.Yielder
	text   searchText
}

// add takes a link that was found, unless an earlier page had it.
func (s *searching) add(r ranked) {
	if s.mark.before(r) {
		s.found++
		s.top.add(r)
	}
}

// byTime looks through all ranges behind the mark, so that it knows how many links there are. When
// those are too many, next is where to go on; else it is nil. The ranges need not follow each other
// in time.
func (s *searching) byTime(ranges []idRange, after *terse.LinkMark, order terse.LinkOrder) (
	next *terse.LinkMark, err error,
) {
	s.mark = ranked{math.MaxInt64, math.MaxInt64}
	if after != nil {
		s.mark = ranked{int64(after.ID), after.Key}.inOrder(order)
	}
	if order == terse.OldestFirst {
		for i := range ranges {
			ranges[i].first, ranges[i].last = ^ranges[i].last, ^ranges[i].first
		}
	}
	slices.SortFunc(ranges, func(a, b idRange) int { return cmp.Compare(b.last, a.last) })
	least := int64(math.MaxInt64) // of all ranges that were looked through
	for _, r := range ranges {
		switch {
		case r.first > s.mark.key:
			continue
		case s.seen >= maxSearched && r.last < least:
			end := ranked{math.MaxInt64, r.last}.inOrder(order)
			return &terse.LinkMark{Key: end.key, ID: terse.LinkID(end.id)}, nil
		}
		least = min(least, r.first)
		if err := s.inRange(r.number, order); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// inRange adds every link of a range that has what is searched for.
func (s *searching) inRange(number int64, order terse.LinkOrder) error {
	s.turn.Yield()
	s.seen++ // to find a range takes time, too
	return query.Each(s.conn, `SELECT id, code, url, created_at FROM links
		WHERE id BETWEEN ?1 << 10 AND (?1 << 10) + 1023 AND +created_by = ?2 ORDER BY id`,
		func(row *sqlite.Stmt) error {
			s.seen++
			if s.text.finds(row, s.search) {
				s.add(ranked{row.ColumnInt64(0), row.ColumnInt64(3)}.inOrder(order))
			}
			return nil
		}, number, s.owner)
}

// searchText is the memory for the text of a link.
type searchText struct{ code, url, text []byte }

// finds reports whether a search finds the link of a row with the columns ID, code and URL.
func (t *searchText) finds(stmt *sqlite.Stmt, search terse.Search) bool {
	t.code, t.url = query.Bytes(stmt, 1, t.code), query.Bytes(stmt, 2, t.url)
	t.text = terse.AppendSearchText(t.text[:0], t.code, t.url)
	return search.Finds(t.text)
}

// idRange is a range of 1,024 IDs with links of an owner: none was made before first or after last.
type idRange struct{ number, first, last int64 }

// ownerRanges returns all of them: 24 bytes for 1,024 links.
func ownerRanges(conn *sqlite.Conn, owner string) (ranges []idRange, err error) {
	err = query.Each(conn, "SELECT id_range, first, last FROM link_ranges WHERE created_by = ?",
		func(row *sqlite.Stmt) error {
			ranges = append(ranges,
				idRange{row.ColumnInt64(0), row.ColumnInt64(1), row.ColumnInt64(2)})
			return nil
		}, owner)
	return ranges, err
}
