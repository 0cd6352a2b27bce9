// Package list answers lists of links from one snapshot of an SQLite database.
//
// Links that are filtered are found as sets of their IDs, 64 in a word: package record keeps one
// for each tag and each status. They are combined, counted and, for a page, looked at range by
// range. Texts that searches looked through are remembered by range, see Texts. It knows nothing of
// the store above it, and changes nothing.
package list

import (
	"math"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
	"terse/internal/sqlite/stats"
)

// Bounds are how many links one search looks at, so that a caller who is gone costs no more.
type Bounds struct{ ByTime, ByClicks int }

// Usual takes some 50 ms in the order of time when nothing was searched before, and else 10 ms; by
// clicks as long again for the total.
var Usual = Bounds{ByTime: 100_000, ByClicks: 10_000}

// Page returns one page of an owner's links. unsettled is how many links are not in the set of
// their status, as far as the page depends on that.
func Page(conn *sqlite.Conn, q terse.LinkQuery, most Bounds, texts *Texts) (
	page terse.LinkPage, unsettled int, err error,
) {
	l := newListing(conn, q, most, texts)
	if err := l.run(); err != nil {
		return page, 0, err
	}
	err = l.fillClicks()
	return l.page, l.filter.unsettled, err
}

// listing is a page in the making.
type listing struct {
	terse.LinkQuery
	conn   *sqlite.Conn
	page   terse.LinkPage
	bounds Bounds
	texts  *Texts
	filter *filter
	most   int            // links to look at
	seen   int            // links that were looked at
	last   terse.LinkMark // the last of them
	found  int64          // of them, the links of this page and of those that follow
	text   searchText
	totals *counter.Totals
	clicks clicks // what a list by clicks is sorted by
}

// clicks are those of links, of all time or in a range.
type clicks interface {
	Of(link terse.LinkID) (int64, error)
	// AllClicked reports whether all links beside one have clicks, and the least of their IDs.
	AllClicked(link terse.LinkID) (all bool, first terse.LinkID, err error)
	// Each calls f for all links with clicks: with how many some have whose IDs follow each other,
	// from a first one on. Those with the largest IDs come first.
	Each(f func(first terse.LinkID, clicks []int64)) error
}

func newListing(conn *sqlite.Conn, q terse.LinkQuery, bounds Bounds, texts *Texts) *listing {
	l := &listing{
		LinkQuery: q, conn: conn, totals: counter.NewTotals(conn), most: math.MaxInt,
		bounds: bounds, texts: texts, filter: &filter{},
	}
	l.clicks = l.totals
	if q.Search != nil && q.Order == terse.MostClickedFirst {
		l.most = bounds.ByClicks
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
	if l.Order == terse.MostClickedFirst && l.Within != (terse.TimeRange{}) {
		if l.clicks, err = stats.ReadWithin(l.conn, l.Owner, l.Within); err != nil {
			return err
		}
	}
	if l.Search != nil || !l.Filter.IsZero() {
		if l.filter, err = newFilter(l.conn, l.Owner, l.Filter); err != nil {
			return err
		}
	}
	switch {
	case l.Search != nil && l.Order == terse.MostClickedFirst:
		err = l.findByClicks()
	case l.Order == terse.MostClickedFirst:
		err = l.scanByClicks()
	case l.Search != nil || !l.Filter.IsZero():
		err = l.findByTime()
	default:
		err = l.scanByTime()
	}
	if err != nil {
		return err
	}
	if l.Search == nil {
		l.page.Total, err = l.filter.total, nil
		if l.Filter.IsZero() {
			l.page.Total, err = ownerTotal(l.conn, l.Owner)
		}
		return err
	}
	if l.page.Total = before + l.found; l.page.Total > terse.MaxSearchTotal {
		l.page.Total, l.page.AtLeast = terse.MaxSearchTotal, true
	}
	if l.page.Next != nil {
		l.page.Next.Found = before + int64(len(l.page.Links))
	}
	return nil
}

// take takes the row of a link that comes next in the list, and reports whether the page goes on.
// The row has record.Columns, and key is what the list is sorted by.
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
	link, err := record.Scan(stmt)
	if err != nil {
		return false, err
	}
	l.page.Links = append(l.page.Links, link)
	return true, nil
}

// The list in order of time. Its index has the order; each row is looked up.
const (
	selectNewest = `SELECT ` + record.Columns + ` FROM links
		WHERE created_by = ?1 AND (created_at, id) < (?2, ?3)
		ORDER BY created_at DESC, id DESC`
	selectOldest = `SELECT ` + record.Columns + ` FROM links
		WHERE created_by = ?1 AND (created_at, id) > (?2, ?3)
		ORDER BY created_at, id`
)

func (l *listing) scanByTime() (err error) {
	sql, start := selectNewest, listStart{math.MaxInt64, math.MaxInt64, int64(max(l.Offset, 0))}
	if l.Order == terse.OldestFirst {
		sql, start.createdAt, start.id = selectOldest, math.MinInt64, math.MinInt64
	}
	switch {
	case l.After != nil:
		start = listStart{l.After.Key, int64(l.After.ID), 0}
	case l.Order == terse.NewestFirst:
		if start, err = pageStart(l.conn, l.Owner, start.offset); err != nil {
			return err
		}
	}
	if start.offset > 0 {
		if start, err = l.skip(start); err != nil {
			return err
		}
	}
	return query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		more, err := l.take(row, row.ColumnInt64(3))
		if err == nil && !more {
			err = query.ErrStop
		}
		return err
	}, l.Owner, start.createdAt, start.id)
}

// skip returns the start so many links later, or the end. It reads the index only.
func (l *listing) skip(from listStart) (listStart, error) {
	sql, end := `SELECT created_at, id FROM links WHERE created_by = ? AND (created_at, id) < (?, ?)
		ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
		listStart{math.MinInt64, math.MinInt64, 0}
	if l.Order == terse.OldestFirst {
		sql = `SELECT created_at, id FROM links WHERE created_by = ? AND (created_at, id) > (?, ?)
			ORDER BY created_at, id LIMIT 1 OFFSET ?`
		end = listStart{math.MaxInt64, math.MaxInt64, 0}
	}
	err := query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		end = listStart{row.ColumnInt64(0), row.ColumnInt64(1), 0}
		return nil
	}, l.Owner, from.createdAt, from.id, from.offset-1)
	return end, err
}

// listStart is where a page begins: so many links behind the first one that comes after a time and
// an ID.
type listStart struct{ createdAt, id, offset int64 }

// rangeBits is the size of a range of IDs in link_ranges: see the schema.
const rangeBits = 10

// pageStart returns where the page at an offset in the list of the newest links begins. When all
// links in the newest ranges come before all other links, their number alone is needed; when some
// are not in the order of their IDs, they are all read.
func pageStart(conn *sqlite.Conn, owner string, offset int64) (listStart, error) {
	all := listStart{math.MaxInt64, math.MaxInt64, offset}
	if offset < 1<<rangeBits {
		return all, nil
	}
	rest := listStart{math.MinInt64, math.MaxInt64, offset}
	oldest := int64(math.MaxInt64) // of the skipped ones
	skipping := true
	err := query.Each(conn, "SELECT id_range, links, first, last FROM link_ranges "+
		"WHERE created_by = ? ORDER BY id_range DESC",
		func(row *sqlite.Stmt) error {
			idRange, links := row.ColumnInt64(0), row.ColumnInt64(1)
			if skipping = skipping && links <= rest.offset; !skipping {
				rest.createdAt = max(rest.createdAt, row.ColumnInt64(3))
				return nil
			}
			rest.offset -= links
			rest.id = idRange << rangeBits
			oldest = min(oldest, row.ColumnInt64(2))
			return nil
		}, owner)
	if oldest < rest.createdAt {
		return all, err
	}
	return rest, err
}

func ownerTotal(conn *sqlite.Conn, owner string) (int64, error) {
	return query.Int(conn, "SELECT links FROM owners WHERE created_by = ?", owner)
}

// fillClicks fills in the clicks of a page's links.
func (l *listing) fillClicks() (err error) {
	for i := range l.page.Links {
		link := &l.page.Links[i]
		if link.Clicks, err = l.totals.Of(link.ID); err != nil {
			return err
		}
	}
	return nil
}
