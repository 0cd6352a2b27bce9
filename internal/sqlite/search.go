package sqlite

import (
	"cmp"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/polite"
)

// maxSearched bounds the runs of links that one search in the order of time looks through, so that it takes some 100 ms: a caller who
// is gone meanwhile costs no more. A run without a row in link_texts costs as much as several.
const (
	maxSearched  = 1000 // a million links
	withoutTexts = 32
)

// find makes the page of a search. The links that come next are chosen by what the texts say, and only those are looked up.
func (l *listing) find() error {
	runs, err := ownerRuns(l.conn, l.Owner)
	if err != nil {
		return err
	}
	s := searching{conn: l.conn, owner: l.Owner, search: l.Search, top: top{most: l.Limit + 1}}
	before := l.last.Found
	var next *terse.LinkMark
	if l.Order == terse.MostClickedFirst {
		s.mark = ranked{int64(l.last.ID), l.last.Key}
		err = s.byClicks(runs, &l.counts)
	} else {
		next, err = s.byTime(runs, l.After, l.Order)
	}
	if err != nil {
		return err
	}
	for _, r := range s.top.sorted() {
		more, err := l.lookUp(r.inOrder(l.Order))
		if err != nil || !more {
			break
		}
	}
	l.page.Total, l.page.AtLeast = before+s.found, next != nil
	if l.page.Next == nil {
		l.page.Next = next
	}
	if l.page.Next != nil {
		l.page.Next.Found = before + int64(len(l.page.Links))
	}
	return err
}

// inOrder turns a link of the list of the newest into one of another order's, and back: the oldest first is the
// newest first with all numbers turned round.
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
	cost   int    // of the runs that were looked through
	turn   polite.Turn
	row    []byte
}

// add takes a link that was found, unless an earlier page had it.
func (s *searching) add(r ranked) {
	if s.mark.before(r) {
		s.found++
		s.top.add(r)
	}
}

// byTime looks through all runs behind the mark, so that it knows how many links there are. When
// those are too many, next is where to go on; else it is nil. The runs need not follow each other in
// time.
func (s *searching) byTime(runs []runBounds, after *terse.LinkMark, order terse.LinkOrder) (next *terse.LinkMark, err error) {
	s.mark = ranked{math.MaxInt64, math.MaxInt64}
	if after != nil {
		s.mark = ranked{int64(after.ID), after.Key}.inOrder(order)
	}
	if order == terse.OldestFirst {
		for i := range runs {
			runs[i].first, runs[i].last = ^runs[i].last, ^runs[i].first
		}
	}
	slices.SortFunc(runs, func(a, b runBounds) int { return cmp.Compare(b.last, a.last) })
	least := int64(math.MaxInt64) // of all runs that were looked through
	for _, run := range runs {
		switch {
		case run.first > s.mark.key:
			continue
		case s.cost >= maxSearched && run.last < least:
			end := ranked{math.MaxInt64, run.last}.inOrder(order)
			return &terse.LinkMark{Key: end.key, ID: terse.LinkID(end.id)}, nil
		}
		least = min(least, run.first)
		if err := s.inRun(run.run, func(h hit) { s.add(ranked{h.id, h.createdAt}.inOrder(order)) }); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// byClicks looks through all runs, and at the counts of the links that it finds.
func (s *searching) byClicks(runs []runBounds, counts *groupCounts) error {
	var found []int64
	for _, run := range runs {
		found = found[:0]
		if err := s.inRun(run.run, func(h hit) { found = append(found, h.id) }); err != nil {
			return err
		}
		for _, id := range found {
			if err := counts.read(id >> groupBits); err != nil {
				return err
			}
			s.add(ranked{id, counts.clicks[inGroup(terse.LinkID(id))]})
		}
	}
	return nil
}

// inRun calls found for every link of a run that has what is searched for.
func (s *searching) inRun(run int64, found func(hit)) error {
	s.turn.Yield()
	s.cost++
	stmt, err := s.conn.Prepare("SELECT texts FROM link_texts WHERE created_by = ? AND run = ?")
	if err != nil {
		return err
	}
	stmt.BindText(1, s.owner)
	stmt.BindInt64(2, run)
	packed := false
	err = eachRow(stmt, func() error {
		packed = true
		s.row = column(stmt, 0, s.row)
		return searchRow(s.row, s.search, run, found)
	})
	if err != nil || packed {
		return err
	}
	s.cost += withoutTexts - 1
	return s.inRows(run, found)
}

// inRows is inRun for a run without texts.
func (s *searching) inRows(run int64, found func(hit)) error {
	stmt, err := prepareRunRows(s.conn, s.owner, run)
	if err != nil {
		return err
	}
	return eachRow(stmt, func() error {
		if s.row = appendText(s.row[:0], stmt); s.search.Finds(s.row) {
			found(hit{stmt.ColumnInt64(0), stmt.ColumnInt64(3)})
		}
		return nil
	})
}

// runBounds is a run of an owner's links: none was made before first or after last.
type runBounds struct{ run, first, last int64 }

// ownerRuns returns all of them: 24 bytes for 1024 links.
func ownerRuns(conn *sqlite.Conn, owner string) (runs []runBounds, err error) {
	stmt, err := conn.Prepare("SELECT run, first, last FROM link_runs WHERE created_by = ?")
	if err != nil {
		return nil, err
	}
	stmt.BindText(1, owner)
	err = eachRow(stmt, func() error {
		runs = append(runs, runBounds{stmt.ColumnInt64(0), stmt.ColumnInt64(1), stmt.ColumnInt64(2)})
		return nil
	})
	return runs, err
}
