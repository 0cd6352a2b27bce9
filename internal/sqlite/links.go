package sqlite

import (
	"context"
	"errors"
	"math"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
)

// Create stores a new link.
func (s *Store) Create(ctx context.Context, l terse.NewLink) (terse.Link, error) {
	at := l.CreatedAt
	if at.IsZero() {
		at = time.Now()
	}
	micros := at.UnixMicro()
	link := terse.Link{Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(micros).UTC(), CreatedBy: l.CreatedBy}
	code := l.Code.String()
	err := s.write(ctx, func(w *writer) error {
		w.codes.add(l.Code)
		stmt, err := w.conn.Prepare("INSERT INTO links (code, url, created_at, created_by) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		stmt.BindText(1, code)
		stmt.BindText(2, string(l.URL))
		stmt.BindInt64(3, micros)
		stmt.BindText(4, l.CreatedBy)
		if _, err := stmt.Step(); err != nil {
			return err
		}
		link.ID = terse.LinkID(w.conn.LastInsertRowID())
		return nil
	})
	if err != nil {
		return terse.Link{}, translate(ctx, err, "create link %s", code)
	}
	return link, nil
}

// Link returns the link of a code. One look-up can't be interrupted: the goroutine for that would take longer.
func (s *Store) Link(ctx context.Context, code terse.Code) (link terse.Link, err error) {
	r, err := s.takeReader(ctx)
	if err == nil {
		link, err = r.find(code, s.walNow())
		s.readers.giveBack(r)
	}
	return link, translate(ctx, err, "look up link %v", code)
}

const selectLink = "SELECT id, url, created_at, created_by FROM links WHERE code = ?"

// find returns the link of a code, and leaves its transaction open if it may. The state of the write-ahead log is of now.
func (r *reader) find(code terse.Code, wal walState) (terse.Link, error) {
	if err := r.begin(wal); err != nil {
		return terse.Link{}, err
	}
	r.link.BindText(1, code.String())
	found, err := r.link.Step()
	if err != nil {
		r.end() // the next one shall see whether all is well again
		return terse.Link{}, err
	}
	if !found {
		return terse.Link{}, errors.Join(r.link.Reset(), terse.ErrNotFound)
	}
	link := terse.Link{
		ID: terse.LinkID(r.link.ColumnInt64(0)), Code: code, URL: terse.URL(r.link.ColumnText(1)),
		CreatedAt: time.UnixMicro(r.link.ColumnInt64(2)).UTC(), CreatedBy: r.link.ColumnText(3),
	}
	return link, r.link.Reset()
}

// The page is found in the index alone; only its rows are looked up.
const selectPage = `
SELECT l.id, l.code, l.url, l.created_at, l.created_by, coalesce(c.clicks, 0)
FROM (
    SELECT id FROM links WHERE created_by = ?1 AND (created_at, id) <= (?4, ?5)
    ORDER BY created_at DESC, id DESC LIMIT ?2 OFFSET ?3
) AS page
CROSS JOIN links AS l ON l.id = page.id
LEFT JOIN link_clicks AS c ON c.link_id = l.id
ORDER BY l.created_at DESC, l.id DESC`

// Links returns one page of an owner's links.
func (s *Store) Links(ctx context.Context, owner string, limit, offset int) (links []terse.Link, total int64, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		if total, err = ownerTotal(conn, owner); err != nil {
			return err
		}
		start, err := pageStart(conn, owner, int64(max(offset, 0)))
		if err != nil {
			return err
		}
		stmt, err := conn.Prepare(selectPage)
		if err != nil {
			return err
		}
		stmt.BindText(1, owner)
		stmt.BindInt64(2, int64(max(limit, 0)))
		stmt.BindInt64(3, start.offset)
		stmt.BindInt64(4, start.createdAt)
		stmt.BindInt64(5, start.id)
		return eachRow(stmt, func() error {
			code, err := terse.ParseCode(stmt.ColumnText(1))
			if err != nil {
				return err
			}
			links = append(links, terse.Link{
				ID: terse.LinkID(stmt.ColumnInt64(0)), Code: code, URL: terse.URL(stmt.ColumnText(2)),
				CreatedAt: time.UnixMicro(stmt.ColumnInt64(3)).UTC(), CreatedBy: stmt.ColumnText(4),
				Clicks: stmt.ColumnInt64(5),
			})
			return nil
		})
	})
	if err != nil {
		return nil, 0, translate(ctx, err, "list links of %s", owner)
	}
	return links, total, nil
}

// place is one in an owner's list: so many links behind the first one that is not newer than a time and an ID.
type place struct{ createdAt, id, offset int64 }

// runBits is the size of a run of IDs: see the schema.
const runBits = 10

// pageStart returns the place at an offset. When all links in the newest runs come before all other links, their number
// alone is needed; when some are not in the order of their IDs, they are all read.
func pageStart(conn *sqlite.Conn, owner string, offset int64) (place, error) {
	all := place{math.MaxInt64, math.MaxInt64, offset}
	if offset < 1<<runBits {
		return all, nil
	}
	stmt, err := conn.Prepare("SELECT run, links, first, last FROM link_runs WHERE created_by = ? ORDER BY run DESC")
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
		rest.id = run<<runBits - 1
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

// Delete removes a link; a trigger removes its clicks and counts.
func (s *Store) Delete(ctx context.Context, link terse.Link) error {
	err := s.write(ctx, func(w *writer) error {
		stmt, err := w.conn.Prepare("DELETE FROM links WHERE id = ? AND code = ?")
		if err != nil {
			return err
		}
		stmt.BindInt64(1, int64(link.ID))
		stmt.BindText(2, link.Code.String())
		if _, err := stmt.Step(); err != nil {
			return err
		}
		if w.conn.Changes() == 0 {
			return terse.ErrNotFound
		}
		return nil
	})
	return translate(ctx, err, "delete link %d %v", link.ID, link.Code)
}
