package sqlite

import (
	"context"
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

// Link returns the link of a code.
func (s *Store) Link(ctx context.Context, code terse.Code) (link terse.Link, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		stmt, err := conn.Prepare("SELECT id, url, created_at, created_by FROM links WHERE code = ?")
		if err != nil {
			return err
		}
		stmt.BindText(1, code.String())
		found, err := stmt.Step()
		if err != nil {
			return err
		}
		if !found {
			return terse.ErrNotFound
		}
		link = terse.Link{
			ID: terse.LinkID(stmt.ColumnInt64(0)), Code: code, URL: terse.URL(stmt.ColumnText(1)),
			CreatedAt: time.UnixMicro(stmt.ColumnInt64(2)).UTC(), CreatedBy: stmt.ColumnText(3),
		}
		return stmt.Reset()
	})
	return link, translate(ctx, err, "look up link %v", code)
}

// The page is found in the index alone; only its rows are looked up.
const selectPage = `
SELECT l.id, l.code, l.url, l.created_at, l.created_by, coalesce(c.clicks, 0)
FROM (
    SELECT id FROM links WHERE created_by = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2 OFFSET ?3
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
		stmt, err := conn.Prepare(selectPage)
		if err != nil {
			return err
		}
		stmt.BindText(1, owner)
		stmt.BindInt64(2, int64(max(limit, 0)))
		stmt.BindInt64(3, int64(max(offset, 0)))
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
