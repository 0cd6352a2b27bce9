package sqlite

import (
	"container/heap"
	"context"
	"errors"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
)

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (page terse.LinkPage, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		l := newListing(conn, q)
		if err := l.run(); err != nil {
			return err
		}
		err := l.fillClicks()
		page = l.page
		return err
	})
	if err != nil {
		return terse.LinkPage{}, translate(ctx, err, "list links of %s", q.Owner)
	}
	return page, nil
}

// listing is a page in the making.
type listing struct {
	terse.LinkQuery
	conn   *sqlite.Conn
	page   terse.LinkPage
	most   int            // links to look at
	seen   int            // links that were looked at
	last   terse.LinkMark // the last of them
	found  int64          // of them, the links of this page and of those that follow
	text   searchText
	counts groupCounts
}

func newListing(conn *sqlite.Conn, q terse.LinkQuery) *listing {
	l := &listing{
		LinkQuery: q, conn: conn, counts: groupCounts{conn: conn, id: noGroup},
		most: math.MaxInt,
	}
	if q.Search != nil && q.Order == terse.MostClickedFirst {
		l.most = maxSearchedClicked
	}
	switch {
	case q.After != nil:
		l.last = *q.After
	case q.Order == terse.MostClickedFirst:
		l.last = terse.LinkMark{Key: math.MaxInt64, ID: math.MaxInt64}
	}
	return l
}

func (l *listing) run() (err error) {
	before := l.last.Found
	switch {
	case l.Search != nil && l.Order == terse.MostClickedFirst:
		err = l.findByClicks()
	case l.Search != nil:
		err = l.findByTime()
	case l.Order == terse.MostClickedFirst:
		err = l.scanByClicks()
	default:
		err = l.scanByTime()
	}
	if err != nil {
		return err
	}
	if l.Search == nil {
		l.page.Total, err = ownerTotal(l.conn, l.Owner)
		return err
	}
	l.page.Total = before + l.found
	if l.page.Next != nil {
		l.page.Next.Found = before + int64(len(l.page.Links))
	}
	return nil
}

// take takes the row of a link that comes next in the list, and reports whether the page goes on.
// The row has linkColumns, and key is what the list is sorted by.
func (l *listing) take(stmt *sqlite.Stmt, key int64) (more bool, err error) {
	before := l.last
	if l.seen == l.most {
		l.page.Next = &before
		return false, nil
	}
	if l.Search != nil && !l.text.finds(stmt, l.Search) {
		l.seen++
		l.last.Key, l.last.ID = key, terse.LinkID(stmt.ColumnInt64(0))
		return true, nil
	}
	if len(l.page.Links) >= l.Limit {
		l.page.Next = &before
		return false, nil
	}
	l.seen++
	l.found++
	l.last.Key, l.last.ID = key, terse.LinkID(stmt.ColumnInt64(0))
	link, err := scanLink(stmt)
	if err != nil {
		return false, err
	}
	if l.Order == terse.MostClickedFirst {
		link.Clicks = key
	}
	l.page.Links = append(l.page.Links, link)
	return true, nil
}

// The list in order of time. Its index has the order; each row is looked up.
const (
	selectNewest = `SELECT ` + linkColumns + ` FROM links WHERE created_by = ?1 AND (created_at, id) < (?2, ?3)
		ORDER BY created_at DESC, id DESC`
	selectOldest = `SELECT ` + linkColumns + ` FROM links WHERE created_by = ?1 AND (created_at, id) > (?2, ?3)
		ORDER BY created_at, id`
)

func (l *listing) scanByTime() error {
	sql, start := selectNewest, place{math.MaxInt64, math.MaxInt64, int64(max(l.Offset, 0))}
	if l.Order == terse.OldestFirst {
		sql, start.createdAt, start.id = selectOldest, math.MinInt64, math.MinInt64
	}
	switch {
	case l.After != nil:
		start = place{l.After.Key, int64(l.After.ID), 0}
	case l.Order == terse.NewestFirst:
		var err error
		if start, err = pageStart(l.conn, l.Owner, start.offset); err != nil {
			return err
		}
	}
	if start.offset > 0 {
		var err error
		if start, err = l.skip(start); err != nil {
			return err
		}
	}
	stmt, err := l.conn.Prepare(sql)
	if err != nil {
		return err
	}
	stmt.BindText(1, l.Owner)
	stmt.BindInt64(2, start.createdAt)
	stmt.BindInt64(3, start.id)
	return someRows(stmt, func() (bool, error) { return l.take(stmt, stmt.ColumnInt64(3)) })
}

// skip returns the place so many links later, or the end. It reads the index only.
func (l *listing) skip(from place) (place, error) {
	sql := "SELECT created_at, id FROM links WHERE created_by = ?1 AND (created_at, id) < (?2, " +
		"?3) ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?4"
	end := place{math.MinInt64, math.MinInt64, 0}
	if l.Order == terse.OldestFirst {
		sql = "SELECT created_at, id FROM links WHERE created_by = ?1 AND (created_at, id) > " +
			"(?2, ?3) ORDER BY created_at, id LIMIT 1 OFFSET ?4"
		end = place{math.MaxInt64, math.MaxInt64, 0}
	}
	stmt, err := l.conn.Prepare(sql)
	if err != nil {
		return end, err
	}
	stmt.BindText(1, l.Owner)
	stmt.BindInt64(2, from.createdAt)
	stmt.BindInt64(3, from.id)
	stmt.BindInt64(4, from.offset-1)
	err = eachRow(stmt, func() error {
		end = place{stmt.ColumnInt64(0), stmt.ColumnInt64(1), 0}
		return nil
	})
	return end, err
}

// someRows is eachRow for as long as f wants more.
func someRows(stmt *sqlite.Stmt, f func() (more bool, err error)) error {
	for {
		found, err := stmt.Step()
		if err != nil || !found {
			return err
		}
		if more, err := f(); err != nil || !more {
			return errors.Join(err, stmt.Reset())
		}
	}
}

// place is one in an owner's list: so many links behind the first one that comes after a time and
// an ID.
type place struct{ createdAt, id, offset int64 }

// runBits is the size of a run of IDs: see the schema.
const runBits = 10

// pageStart returns the place at an offset in the list of the newest links. When all links in the
// newest runs come before all other links, their number alone is needed; when some are not in the
// order of their IDs, they are all read.
func pageStart(conn *sqlite.Conn, owner string, offset int64) (place, error) {
	all := place{math.MaxInt64, math.MaxInt64, offset}
	if offset < 1<<runBits {
		return all, nil
	}
	stmt, err := conn.Prepare(
		"SELECT run, links, first, last FROM link_runs WHERE created_by = ? ORDER BY run DESC")
	if err != nil {
		return all, err
	}
	stmt.BindText(1, owner)
	rest := place{math.MinInt64, math.MaxInt64, offset}
	oldest := int64(math.MaxInt64) // of the skipped ones
	skipping := true
	err = eachRow(stmt, func() error {
		run, links := stmt.ColumnInt64(0), stmt.ColumnInt64(1)
		if skipping = skipping && links <= rest.offset; !skipping {
			rest.createdAt = max(rest.createdAt, stmt.ColumnInt64(3))
			return nil
		}
		rest.offset -= links
		rest.id = run << runBits
		oldest = min(oldest, stmt.ColumnInt64(2))
		return nil
	})
	if oldest < rest.createdAt {
		return all, err
	}
	return rest, err
}

func ownerTotal(conn *sqlite.Conn, owner string) (total int64, err error) {
	stmt, err := conn.Prepare("SELECT links FROM owners WHERE created_by = ?")
	if err != nil {
		return 0, err
	}
	stmt.BindText(1, owner)
	err = eachRow(stmt, func() error {
		total = stmt.ColumnInt64(0)
		return nil
	})
	return total, err
}

// scanByClicks finds the links that come next by their counts alone, and looks those up. The ones
// without clicks come last.
func (l *listing) scanByClicks() error {
	wanted := l.Limit + 1
	if l.Search != nil {
		wanted = l.most + 1
	}
	for mark := (ranked{int64(l.last.ID), l.last.Key}); mark.key > 0; {
		found, err := mostClicked(l.conn, mark, wanted)
		if err != nil {
			return err
		}
		for _, c := range found {
			more, err := l.lookUp(c)
			if err != nil || !more {
				return err
			}
			mark = c
		}
		if len(found) < wanted {
			break
		}
		// Some were others' links.
	}
	return l.scanUnclicked()
}

// ranked is a link and what it is sorted by.
type ranked struct{ id, key int64 }

// before tells whether a link comes before another one in a list: the larger key first.
func (r ranked) before(s ranked) bool { return r.key > s.key || r.key == s.key && r.id > s.id }

// top keeps those of many links that come first in a list, so many at most.
type top struct {
	most  int
	links lastFirst
}

func (t *top) full() bool { return len(t.links) == t.most }

func (t *top) add(r ranked) {
	switch {
	case !t.full():
		if t.links = append(t.links, r); t.full() {
			heap.Init(&t.links)
		}
	case r.before(t.links[0]):
		t.links[0] = r
		heap.Fix(&t.links, 0)
	}
}

// sorted returns them in the order of the list, and ends the use of t.
func (t *top) sorted() []ranked {
	slices.SortFunc(t.links, func(r, s ranked) int {
		if r.before(s) {
			return -1
		}
		return 1
	})
	return t.links
}

// lastFirst is a heap whose first element comes last in the list.
type lastFirst []ranked

func (h *lastFirst) Len() int           { return len(*h) }
func (h *lastFirst) Less(i, j int) bool { return (*h)[j].before((*h)[i]) }
func (h *lastFirst) Swap(i, j int)      { (*h)[i], (*h)[j] = (*h)[j], (*h)[i] }

// Push and Pop are not used: its size stays as it is.
func (h *lastFirst) Push(any) {}
func (h *lastFirst) Pop() any { return nil }

// mostClicked returns those clicked links that come next after a mark, so many at most. It reads
// the counts of all groups but that of allLinks.
func mostClicked(conn *sqlite.Conn, mark ranked, wanted int) ([]ranked, error) {
	stmt, err := conn.Prepare("SELECT id, clicks FROM click_groups WHERE id >= 0")
	if err != nil {
		return nil, err
	}
	found := top{most: wanted}
	var counts [groupLinks]int64
	var text []byte
	err = eachRow(stmt, func() error {
		clear(counts[:])
		text = column(stmt, 1, text)
		if err := parseCounts(counts[:], text); err != nil {
			return err
		}
		for of, n := range counts {
			if r := (ranked{stmt.ColumnInt64(0)<<groupBits | int64(of), n}); n > 0 &&
				mark.before(r) {
				found.add(r)
			}
		}
		return nil
	})
	return found.sorted(), err
}

// lookUp looks a link up if it is the owner's, and takes it as the next one.
func (l *listing) lookUp(r ranked) (more bool, err error) {
	stmt, err := l.conn.Prepare(
		"SELECT " + linkColumns + " FROM links WHERE id = ? AND created_by = ?")
	if err != nil {
		return false, err
	}
	stmt.BindInt64(1, r.id)
	stmt.BindText(2, l.Owner)
	more = true
	err = someRows(stmt, func() (bool, error) {
		more, err = l.take(stmt, r.key)
		return more, err
	})
	return more, err
}

// scanUnclicked takes the links without clicks, by descending ID. Groups whose links all have
// clicks are passed over.
func (l *listing) scanUnclicked() error {
	below := int64(math.MaxInt64)
	if l.last.Key == 0 {
		below = int64(l.last.ID)
	}
	for {
		id, found, err := l.linkBelow(below)
		if err != nil || !found {
			return err
		}
		group := id >> groupBits
		if err := l.counts.read(group); err != nil {
			return err
		}
		if slices.Contains(l.counts.clicks[:], 0) {
			more, err := l.scanGroup(group, id)
			if err != nil || !more {
				return err
			}
		}
		below = group << groupBits
	}
}

// linkBelow returns the largest ID of a link below another.
func (l *listing) linkBelow(below int64) (id int64, found bool, err error) {
	stmt, err := l.conn.Prepare("SELECT id FROM links WHERE id < ? ORDER BY id DESC LIMIT 1")
	if err != nil {
		return 0, false, err
	}
	stmt.BindInt64(1, below)
	err = eachRow(stmt, func() error {
		id, found = stmt.ColumnInt64(0), true
		return nil
	})
	return id, found, err
}

// scanGroup takes the links of a group that have no clicks, from one on downwards.
func (l *listing) scanGroup(group, from int64) (more bool, err error) {
	stmt, err := l.conn.Prepare(
		"SELECT " + linkColumns + " FROM links WHERE id BETWEEN ? AND ? AND +created_by = " +
			"? ORDER BY id DESC")
	if err != nil {
		return false, err
	}
	stmt.BindInt64(1, group<<groupBits)
	stmt.BindInt64(2, from)
	stmt.BindText(3, l.Owner)
	more = true
	err = someRows(stmt, func() (bool, error) {
		if l.counts.clicks[inGroup(terse.LinkID(stmt.ColumnInt64(0)))] > 0 {
			return true, nil
		}
		more, err = l.take(stmt, 0)
		return more, err
	})
	return more, err
}

// fillClicks fills in the clicks of a page's links, unless those were needed to find them.
func (l *listing) fillClicks() error {
	if l.Order == terse.MostClickedFirst {
		return nil
	}
	for i := range l.page.Links {
		link := &l.page.Links[i]
		if err := l.counts.read(int64(link.ID) >> groupBits); err != nil {
			return err
		}
		link.Clicks = l.counts.clicks[inGroup(link.ID)]
	}
	return nil
}

// noGroup is no group's ID.
const noGroup = math.MinInt64

// groupCounts are the clicks of the links of a group.
type groupCounts struct {
	conn   *sqlite.Conn
	id     int64 // of the group
	clicks [groupLinks]int64
	text   []byte
}

// read reads the counts of a group, unless it was the last one that was read: links that are next
// to each other in a list are often of one group.
func (g *groupCounts) read(id int64) error {
	if g.id == id {
		return nil
	}
	g.id = id
	clear(g.clicks[:])
	stmt, err := g.conn.Prepare("SELECT clicks FROM click_groups WHERE id = ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, id)
	return eachRow(stmt, func() error {
		g.text = column(stmt, 0, g.text)
		return parseCounts(g.clicks[:], g.text)
	})
}

// Clicks returns how many clicks of a link were counted.
func (s *Store) Clicks(ctx context.Context, link terse.LinkRef) (clicks int64, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		if _, err := linkOf(conn, link); err != nil {
			return err
		}
		counts := groupCounts{conn: conn, id: noGroup}
		err := counts.read(int64(link.ID) >> groupBits)
		clicks = counts.clicks[inGroup(link.ID)]
		return err
	})
	return clicks, translate(ctx, err, "count clicks of link %d %v", link.ID, link.Code)
}
