package list

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/linkset"
	"terse/internal/postgres/links"
	"terse/internal/postgres/stats"
	"terse/internal/searchtext"
)

// Bounds of the links that one search looks at. In the order of time it takes some 50 ms; by clicks
// 200 ms more, unless the page is full sooner.
const (
	maxSearched        = 100_000
	maxSearchedClicked = 20_000
)

// Page returns one page of an owner's links.
func Page(ctx context.Context, tx pgx.Tx, q terse.LinkQuery) (terse.LinkPage, error) {
	l := newListing(ctx, tx, q)
	if q.Order == terse.MostClickedFirst && q.Within != (terse.TimeRange{}) {
		within, err := stats.ReadWithin(ctx, tx, q.Owner, q.Within)
		if err != nil {
			return terse.LinkPage{}, err
		}
		l.within = &within
	}
	if err := l.run(); err != nil {
		return terse.LinkPage{}, err
	}
	if !l.byClicks() {
		if err := l.fillClicks(); err != nil {
			return terse.LinkPage{}, err
		}
	}
	return l.page, links.FillUsed(ctx, tx, l.page.Links)
}

// listing is a page in the making.
type listing struct {
	terse.LinkQuery
	ctx    context.Context
	tx     pgx.Tx
	source source
	tags   []terse.Tag   // of the filter, folded, the rarest first
	none   bool          // the owner has no link with one of them
	links  linkset.Set   // the links that the filter lets through, whatever active ones are
	within *stats.Within // what a list by clicks is sorted by; nil: by those of all time
	page   terse.LinkPage
	most   int            // links to look at
	seen   int            // links that were looked at
	last   terse.LinkMark // the last of them
	before int64          // links on the pages before, when there is a search
	found  int64          // of those that were looked at, the links of this page and behind it
	row    links.Row
	text   []byte
}

func newListing(ctx context.Context, tx pgx.Tx, q terse.LinkQuery) *listing {
	l := &listing{LinkQuery: q, ctx: ctx, tx: tx, most: math.MaxInt}
	if q.After != nil {
		l.last, l.before = *q.After, q.After.Found
	}
	switch {
	case q.Search == nil:
	case q.Order == terse.MostClickedFirst:
		l.most = maxSearchedClicked
	default:
		l.most = maxSearched
	}
	return l
}

func (l *listing) run() (err error) {
	if err := l.choose(); err != nil || l.none {
		return err
	}
	if l.Search == nil {
		if l.page.Total, err = l.total(l.Filter); err != nil {
			return err
		}
		if l.page.Total == 0 {
			return nil
		}
	}
	scan := l.scanByTime
	switch {
	case l.byClicks():
		scan = l.scanByClicks
	case l.Order == terse.MostClickedFirst:
		scan = l.scanByClicksWithin
	}
	if err := scan(); err != nil || l.Search == nil {
		return err
	}
	l.page.Total = l.before + l.found
	if l.page.Next != nil {
		l.page.Next.Found = l.before + int64(len(l.page.Links))
	}
	if l.page.Next != nil && l.Order == terse.MostClickedFirst {
		err = l.countFound()
	}
	if l.page.Total > terse.MaxSearchTotal {
		l.page.Total, l.page.AtLeast = terse.MaxSearchTotal, true
	}
	return err
}

// countFound counts the links that a search by clicks finds, because its page ends when it is full.
func (l *listing) countFound() error {
	count := newListing(l.ctx, l.tx,
		terse.LinkQuery{Owner: l.Owner, Search: l.Search, Filter: l.Filter})
	count.source = l.source
	err := count.scanByTime()
	l.page.Total, l.page.AtLeast = max(l.page.Total, count.found), count.page.AtLeast
	return err
}

// look takes the row of a link that comes next in the list and reports whether there is more to
// do. The list is sorted by key.
func (l *listing) look(key int64) (more bool, err error) {
	before := l.last
	if l.seen == l.most {
		l.page.AtLeast = true
		l.end(before)
		return false, nil
	}
	l.seen++
	l.last.Key, l.last.ID = key, terse.LinkID(l.row.ID.Int64)
	if l.Search != nil && !l.finds() {
		return true, nil
	}
	l.found++
	if len(l.page.Links) >= l.Limit {
		l.end(before)
		// The others are counted.
		return l.Search != nil && l.Order != terse.MostClickedFirst &&
			l.before+l.found <= terse.MaxSearchTotal, nil
	}
	link, err := l.row.Link()
	if err != nil {
		return false, err
	}
	if l.byClicks() {
		link.Clicks = key
	}
	l.page.Links = append(l.page.Links, link)
	return true, nil
}

// end ends the page behind a link, unless it has ended.
func (l *listing) end(last terse.LinkMark) {
	if l.page.Next == nil {
		l.page.Next = &last
	}
}

func (l *listing) finds() bool {
	l.text = searchtext.Append(l.text[:0], l.row.Code, l.row.URL, l.row.Options)
	return l.Search.Finds(l.text)
}

// maxOffset is more than there are links, and may have a limit added to it, as Citus does.
const maxOffset int64 = 1 << 53

// scanByTime makes the list in order of time. What is skipped is read from the index only, unless
// there is a filter.
func (l *listing) scanByTime() error {
	after, offset := l.start(), min(max(int64(l.Offset), 0), maxOffset)
	if l.After != nil {
		after, offset = *l.After, 0
	}
	s := l.source
	if l.fewTagged() {
		s = l.byID(l.links.IDs())
	} else if !l.Filter.IsZero() {
		if err := l.set(inOrder); err != nil {
			return err
		}
	}
	sql, args := s.byTime(l.Order, after, l.wanted(), offset)
	return l.each(sql, args, nil, func() (bool, error) { return l.look(l.row.CreatedAt.Int64) })
}

// start returns what all links of the list by time come behind. An index is read from there: of
// several bounds it may take the widest.
func (l *listing) start() terse.LinkMark {
	first, last := l.Filter.Made()
	if l.Order == terse.OldestFirst {
		return terse.LinkMark{Key: first, ID: math.MinInt64}
	}
	return terse.LinkMark{Key: last, ID: math.MaxInt64}
}

// fewTagged reports whether so few links have some tags that they are quicker looked up and sorted
// than found among those with the rarest.
func (l *listing) fewTagged() bool {
	if len(l.tags) < 2 || l.links == nil {
		return false
	}
	n := l.links.Count()
	return n*n <= l.tags[0].Links*int64(l.wanted())
}

// each calls f for the rows of a query for some more columns and those of a link, until it says
// that there is no more to do.
func (l *listing) each(sql string, args, more []any, f func() (bool, error)) error {
	rows, _ := l.tx.Query(l.ctx, sql, args...)
	defer rows.Close()
	targets := append(more, l.row.Targets()...)
	for goOn := true; goOn && rows.Next(); {
		err := rows.Scan(targets...)
		if err == nil {
			goOn, err = f()
		}
		if err != nil {
			return err
		}
	}
	rows.Close()
	return rows.Err()
}

// wanted returns how many rows to read: one more than are needed shows that there are more.
func (l *listing) wanted() int {
	if l.Search == nil {
		return l.Limit + 1
	}
	return l.most + 1
}

// fillClicks fills in the clicks of a page's links.
func (l *listing) fillClicks() error {
	if len(l.page.Links) == 0 {
		return nil
	}
	codes, ids := make([]string, len(l.page.Links)), make([]int64, len(l.page.Links))
	for i, link := range l.page.Links {
		codes[i], ids[i] = link.Code.String(), int64(link.ID)
	}
	rows, _ := l.tx.Query(l.ctx, `SELECT c.link_id, c.clicks
		FROM unnest($1::text[], $2::bigint[]) AS n(code, link_id)
		JOIN link_clicks AS c ON c.code = n.code AND c.link_id = n.link_id`, codes, ids)
	clicks, err := links.ByID(rows)
	for i := range l.page.Links {
		l.page.Links[i].Clicks = clicks[l.page.Links[i].ID]
	}
	return err
}
