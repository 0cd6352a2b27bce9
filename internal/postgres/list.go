package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Bounds of the links that one search looks at. In the order of time it takes some 50 ms; by clicks
// 200 ms more, unless the page is full sooner.
const (
	maxSearched        = 100_000
	maxSearchedClicked = 20_000
)

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (page terse.LinkPage, err error) {
	err = s.snapshot(ctx, func(tx pgx.Tx) error {
		l := newListing(ctx, tx, q)
		if err := l.run(); err != nil {
			return err
		}
		page = l.page
		return l.fillClicks()
	})
	if err != nil {
		return terse.LinkPage{}, wrap(err, "list links of %s", q.Owner)
	}
	return page, nil
}

// listing is a page in the making.
type listing struct {
	terse.LinkQuery
	ctx   context.Context
	tx    pgx.Tx
	page  terse.LinkPage
	most  int            // links to look at
	seen  int            // links that were looked at
	last  terse.LinkMark // the last of them
	found int64          // of them, the links of this page and of those that follow
	row   linkRow
	text  []byte
}

func newListing(ctx context.Context, tx pgx.Tx, q terse.LinkQuery) *listing {
	l := &listing{LinkQuery: q, ctx: ctx, tx: tx, most: math.MaxInt}
	if q.After != nil {
		l.last = *q.After
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

func (l *listing) run() error {
	before := l.last.Found
	scan := l.scanByTime
	if l.Order == terse.MostClickedFirst {
		scan = l.scanByClicks
	}
	if err := scan(); err != nil {
		return err
	}
	if l.Search == nil {
		return l.tx.QueryRow(l.ctx,
			"SELECT coalesce(sum(links), 0)::bigint FROM owners WHERE owner = $1",
			l.Owner).Scan(&l.page.Total)
	}
	l.page.Total = before + l.found
	if l.page.Next != nil {
		l.page.Next.Found = before + int64(len(l.page.Links))
	}
	if l.page.Next != nil && l.Order == terse.MostClickedFirst {
		return l.countFound()
	}
	return nil
}

// countFound counts the links that a search by clicks finds, because its page ends when it is full.
func (l *listing) countFound() error {
	count := newListing(l.ctx, l.tx, terse.LinkQuery{Owner: l.Owner, Search: l.Search})
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
	l.last.Key, l.last.ID = key, terse.LinkID(l.row.id.Int64)
	if l.Search != nil && !l.finds() {
		return true, nil
	}
	l.found++
	if len(l.page.Links) >= l.Limit {
		l.end(before)
		return l.Search != nil && l.Order != terse.MostClickedFirst, nil // the others are counted
	}
	link, err := l.row.link()
	if err != nil {
		return false, err
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
	l.text = terse.AppendSearchText(l.text[:0], l.row.code, l.row.url)
	return l.Search.Finds(l.text)
}

// The list in order of time. What is skipped is read from the index only.
const (
	selectNewest = `SELECT ` + linkColumns + ` FROM links AS l
		WHERE created_by = $1 AND (created_at, id) < ($2, $3)
		ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`
	selectOldest = `SELECT ` + linkColumns + ` FROM links AS l
		WHERE created_by = $1 AND (created_at, id) > ($2, $3)
		ORDER BY created_at, id LIMIT $4 OFFSET $5`
)

// maxOffset is more than there are links, and may have a limit added to it, as Citus does.
const maxOffset int64 = 1 << 53

func (l *listing) scanByTime() error {
	sql, after := selectNewest, terse.LinkMark{Key: math.MaxInt64, ID: math.MaxInt64}
	if l.Order == terse.OldestFirst {
		sql, after = selectOldest, terse.LinkMark{Key: math.MinInt64, ID: math.MinInt64}
	}
	offset := min(max(int64(l.Offset), 0), maxOffset)
	if l.After != nil {
		after, offset = *l.After, 0
	}
	rows, err := l.tx.Query(l.ctx, sql, l.Owner, after.Key, int64(after.ID), l.wanted(), offset)
	if err != nil {
		return err
	}
	defer rows.Close()
	targets := l.row.targets()
	for more := true; more && rows.Next(); {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if more, err = l.look(l.row.createdAt.Int64); err != nil {
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

// The links with the most clicks, by their counts alone, and then whose they are: an index by
// clicks would have to be written with every click.
const selectMostClicked = `SELECT c.link_id, c.clicks, ` + linkColumns + `
	FROM (
		SELECT code, link_id, clicks FROM link_clicks
		WHERE link_id > 0 AND (clicks, link_id) < ($2, $3)
		ORDER BY clicks DESC, link_id DESC LIMIT $4
	) AS c
	LEFT JOIN links AS l ON l.code = c.code AND l.id = c.link_id AND l.created_by = $1
	ORDER BY c.clicks DESC, c.link_id DESC`

func (l *listing) scanByClicks() error {
	wanted := l.wanted()
	mark := terse.LinkMark{Key: math.MaxInt64, ID: math.MaxInt64}
	if l.After != nil {
		mark = *l.After
	}
	for more := true; more; {
		found, err := l.scanMostClicked(&mark, wanted)
		if err != nil {
			return err
		}
		// Some may be others' links.
		more = l.page.Next == nil && found == wanted
	}
	return nil
}

// scanMostClicked takes those that come next after a mark, which it moves, and returns how many
// there were.
func (l *listing) scanMostClicked(mark *terse.LinkMark, wanted int) (found int, err error) {
	rows, err := l.tx.Query(l.ctx, selectMostClicked, l.Owner, mark.Key, int64(mark.ID), wanted)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	targets := append([]any{&mark.ID, &mark.Key}, l.row.targets()...)
	for more := true; more && rows.Next(); found++ {
		if err := rows.Scan(targets...); err != nil {
			return 0, err
		}
		if !l.row.id.Valid {
			continue
		}
		if more, err = l.look(mark.Key); err != nil {
			return 0, err
		}
	}
	rows.Close()
	return found, rows.Err()
}

// fillClicks fills in the clicks of a page's links.
func (l *listing) fillClicks() error {
	if len(l.page.Links) == 0 {
		return nil
	}
	codes, ids := make([]string, len(l.page.Links)), make([]int64, len(l.page.Links))
	places := make(map[int64]int, len(l.page.Links))
	for i, link := range l.page.Links {
		codes[i], ids[i] = link.Code.String(), int64(link.ID)
		places[ids[i]] = i
	}
	rows, err := l.tx.Query(l.ctx, `SELECT c.link_id, c.clicks
		FROM unnest($1::text[], $2::bigint[]) AS n(code, link_id)
		JOIN link_clicks AS c ON c.code = n.code AND c.link_id = n.link_id`, codes, ids)
	if err != nil {
		return err
	}
	var id, clicks int64
	_, err = pgx.ForEachRow(rows, []any{&id, &clicks}, func() error {
		l.page.Links[places[id]].Clicks = clicks
		return nil
	})
	return err
}
