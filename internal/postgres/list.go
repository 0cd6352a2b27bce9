package postgres

import (
	"bytes"
	"context"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
)

// Bounds of the links that one search looks at, so that it takes some 50 ms, or 200 by clicks. In the order of time they are read
// in pieces, because a search that finds soon needs few.
const (
	maxSearched        = 100_000
	maxSearchedClicked = 20_000
	firstSearched      = 2_000
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
	ctx      context.Context
	tx       pgx.Tx
	search   []byte // in lower case
	page     terse.LinkPage
	searched int            // links that were looked at
	last     terse.LinkMark // the last of them
	row      listed
	text     []byte
}

// listed is the row of a link.
type listed struct {
	id, createdAt int64
	code, url     pgtype.DriverBytes
}

func newListing(ctx context.Context, tx pgx.Tx, q terse.LinkQuery) *listing {
	l := &listing{LinkQuery: q, ctx: ctx, tx: tx, search: []byte(strings.ToLower(q.Search))}
	if q.After != nil {
		l.last = *q.After
	}
	return l
}

func (l *listing) run() error {
	scan := l.scanByTime
	if l.Order == terse.MostClickedFirst {
		scan = l.scanByClicks
	}
	if err := scan(); err != nil {
		return err
	}
	if l.page.Total = l.last.Found; len(l.search) == 0 {
		return l.tx.QueryRow(l.ctx, "SELECT coalesce(sum(links), 0)::bigint FROM owners WHERE owner = $1", l.Owner).Scan(&l.page.Total)
	}
	return nil
}

// look takes the row of a link that comes next in the list; more tells whether the page goes on. Key is what the list is
// sorted by.
func (l *listing) look(key int64, most int) (more bool, err error) {
	if len(l.page.Links) >= l.Limit || l.searched == most {
		next := l.last
		l.page.Next = &next
		return false, nil
	}
	l.searched++
	l.last.Key, l.last.ID = key, terse.LinkID(l.row.id)
	if len(l.search) > 0 {
		if !l.matches(l.row.code) && !l.matches(l.row.url) {
			return true, nil
		}
		l.last.Found++
	}
	code, err := terse.ParseCode([]byte(l.row.code))
	if err != nil {
		return false, err
	}
	l.page.Links = append(l.page.Links, terse.Link{
		ID: l.last.ID, Code: code, URL: terse.URL(l.row.url), CreatedAt: time.UnixMicro(l.row.createdAt).UTC(), CreatedBy: l.Owner,
	})
	return true, nil
}

// matches tells whether a text holds what is searched for.
func (l *listing) matches(text []byte) bool {
	l.text = append(l.text[:0], text...)
	for k, c := range l.text {
		switch {
		case 'A' <= c && c <= 'Z':
			l.text[k] = c + 'a' - 'A'
		case c >= 0x80:
			return bytes.Contains(bytes.ToLower(l.text), l.search)
		}
	}
	return bytes.Contains(l.text, l.search)
}

// The list in order of time. What is skipped is read from the index only.
const (
	selectNewest = `SELECT id, code, url, created_at FROM links WHERE created_by = $1 AND (created_at, id) < ($2, $3)
		ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`
	selectOldest = `SELECT id, code, url, created_at FROM links WHERE created_by = $1 AND (created_at, id) > ($2, $3)
		ORDER BY created_at, id LIMIT $4 OFFSET $5`
)

func (l *listing) scanByTime() error {
	sql, after := selectNewest, terse.LinkMark{Key: math.MaxInt64, ID: math.MaxInt64}
	if l.Order == terse.OldestFirst {
		sql, after = selectOldest, terse.LinkMark{Key: math.MinInt64, ID: math.MinInt64}
	}
	offset, most := max(l.Offset, 0), math.MaxInt
	if l.After != nil {
		after, offset = *l.After, 0
	}
	wanted := l.Limit + 1
	if len(l.search) > 0 {
		most, wanted = maxSearched, firstSearched
	}
	for more := true; more; wanted *= 2 {
		found, err := l.scanSome(sql, after, wanted, offset, most)
		if err != nil {
			return err
		}
		more = l.page.Next == nil && found == wanted
		after, offset = l.last, 0
	}
	return nil
}

// scanSome takes links that come next after a mark, and returns how many there were.
func (l *listing) scanSome(sql string, after terse.LinkMark, wanted, offset, most int) (found int, err error) {
	rows, err := l.tx.Query(l.ctx, sql, l.Owner, after.Key, int64(after.ID), wanted, offset)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for more := true; more && rows.Next(); found++ {
		if err := rows.Scan(&l.row.id, &l.row.code, &l.row.url, &l.row.createdAt); err != nil {
			return 0, err
		}
		if more, err = l.look(l.row.createdAt, most); err != nil {
			return 0, err
		}
	}
	rows.Close()
	return found, rows.Err()
}

// The links with the most clicks, by their counts alone, and then whose they are: an index by clicks would have to be written with every click.
const selectMostClicked = `SELECT c.link_id, c.clicks, coalesce(l.id, 0), coalesce(l.code, ''), coalesce(l.url, ''), coalesce(l.created_at, 0)
	FROM (
		SELECT code, link_id, clicks FROM link_clicks WHERE link_id > 0 AND (clicks, link_id) < ($2, $3)
		ORDER BY clicks DESC, link_id DESC LIMIT $4
	) AS c
	LEFT JOIN links AS l ON l.code = c.code AND l.id = c.link_id AND l.created_by = $1
	ORDER BY c.clicks DESC, c.link_id DESC`

func (l *listing) scanByClicks() error {
	most, wanted := math.MaxInt, l.Limit+1
	if len(l.search) > 0 {
		most, wanted = maxSearchedClicked, maxSearchedClicked+1
	}
	mark := terse.LinkMark{Key: math.MaxInt64, ID: math.MaxInt64}
	if l.After != nil {
		mark = *l.After
	}
	for more := true; more; {
		found, err := l.scanMostClicked(&mark, wanted, most)
		if err != nil {
			return err
		}
		// Some may be others' links.
		more = l.page.Next == nil && found == wanted
	}
	return nil
}

// scanMostClicked takes those that come next after a mark, which it moves, and returns how many there were.
func (l *listing) scanMostClicked(mark *terse.LinkMark, wanted, most int) (found int, err error) {
	rows, err := l.tx.Query(l.ctx, selectMostClicked, l.Owner, mark.Key, int64(mark.ID), wanted)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for more := true; more && rows.Next(); found++ {
		if err := rows.Scan((*int64)(&mark.ID), &mark.Key, &l.row.id, &l.row.code, &l.row.url, &l.row.createdAt); err != nil {
			return 0, err
		}
		if l.row.id == 0 {
			continue
		}
		if more, err = l.look(mark.Key, most); err != nil {
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
	rows, err := l.tx.Query(l.ctx, `SELECT c.link_id, c.clicks FROM unnest($1::text[], $2::bigint[]) AS n(code, link_id)
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
