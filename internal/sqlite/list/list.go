// Package list answers lists of links from one snapshot of an SQLite database.
//
// Links that are filtered are found as sets of their IDs: package record keeps one for each tag and
// each status. They are combined, counted and, for a page, looked at range by range. Texts that
// searches looked through are remembered by range, see Texts. It knows nothing of the store above
// it, and changes nothing.
package list

import (
	"math"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/linkset"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
	"terse/internal/sqlite/rows"
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
}

func newListing(conn *sqlite.Conn, q terse.LinkQuery, bounds Bounds, texts *Texts) *listing {
	l := &listing{
		LinkQuery: q, conn: conn, bounds: bounds, texts: texts, filter: &filter{},
		most: math.MaxInt,
	}
	if q.Search != nil && q.Order == terse.MostClickedFirst {
		l.most = bounds.ByClicks
	}
	if q.After != nil {
		l.last = *q.After
	}
	return l
}

func (l *listing) run() (err error) {
	before := l.last.Found
	byClicks, all := l.Order == terse.MostClickedFirst, l.Search == nil && l.Filter.IsZero()
	if byClicks || !all {
		if l.filter, err = newFilter(l.conn, l.Owner, l.Filter, byClicks); err != nil {
			return err
		}
	}
	switch {
	case byClicks:
		err = l.scanByClicks()
	case all:
		err = l.scanByTime()
	default:
		err = l.findByTime()
	}
	if err != nil {
		return err
	}
	if l.Search == nil {
		l.page.Total = l.filter.total
		if all {
			l.page.Total, err = query.Int(l.conn,
				"SELECT links FROM owners WHERE created_by = ?", l.Owner)
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
	finds := l.Search == nil || l.text.finds(stmt, l.Search)
	if l.seen == l.most || finds && len(l.page.Links) >= l.Limit {
		next := l.last
		l.page.Next = &next
		return false, nil
	}
	l.seen++
	l.last.Key, l.last.ID = key, terse.LinkID(stmt.ColumnInt64(0))
	if !finds {
		return true, nil
	}
	l.found++
	link, err := record.Scan(stmt)
	l.page.Links = append(l.page.Links, link)
	return true, err
}

// lookUp takes some links that are the owner's, and reports whether the page goes on.
func (l *listing) lookUp(links []linkset.Ranked) (more bool, err error) {
	more = true
	for _, r := range links {
		err := query.Each(l.conn,
			"SELECT "+record.Columns+" FROM links WHERE id = ? AND created_by = ?",
			func(row *sqlite.Stmt) (err error) {
				more, err = l.take(row, r.Key)
				return err
			}, r.ID, l.Owner)
		if err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// The list in order of time. Its index has the order; of what is skipped no row is read.
const (
	selectNewest = `SELECT ` + record.Columns + ` FROM links
		WHERE created_by = ?1 AND (created_at, id) < (?2, ?3)
		ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?4`
	selectOldest = `SELECT ` + record.Columns + ` FROM links
		WHERE created_by = ?1 AND (created_at, id) > (?2, ?3)
		ORDER BY created_at, id LIMIT -1 OFFSET ?4`
)

func (l *listing) scanByTime() error {
	mark, skip := inOrder(beginning, l.Order), int64(max(l.Offset, 0))
	if l.After != nil {
		mark, skip = linkset.Ranked{ID: int64(l.After.ID), Key: l.After.Key}, 0
	}
	if skip >= linkset.RangeSize {
		ranges, err := ownerRanges(l.conn, l.Owner)
		if err != nil {
			return err
		}
		ranges, skip = skipRanges(sortRanges(ranges, l.Order), skip)
		if len(ranges) > 0 {
			mark = inOrder(ranges[0].mark(), l.Order)
		}
	}
	sql := selectNewest
	if l.Order == terse.OldestFirst {
		sql = selectOldest
	}
	return query.Each(l.conn, sql, func(row *sqlite.Stmt) error {
		more, err := l.take(row, row.ColumnInt64(3))
		if err == nil && !more {
			err = query.ErrStop
		}
		return err
	}, l.Owner, mark.Key, mark.ID, skip)
}

// fillClicks fills in the clicks of a page's links.
func (l *listing) fillClicks() (err error) {
	totals := clickstore.NewTotalReader(rows.New(l.conn))
	for i := range l.page.Links {
		link := &l.page.Links[i]
		total, err := totals.Of(link.ID)
		if link.Clicks = total.Clicks; err != nil {
			return err
		}
	}
	return nil
}
