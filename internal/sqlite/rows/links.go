package rows

import (
	"fmt"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/sqlite/query"
)

// Links tell clickstore of links, in a transaction that writes. A Links may be used for one
// transaction after another of its connection, until one is taken back.
type Links struct {
	conn   *sqlite.Conn
	owners map[string]clickstore.OwnerID
	blob   []byte
}

var _ clickstore.Links = (*Links)(nil)

// NewLinks returns the links of a connection.
func NewLinks(conn *sqlite.Conn) *Links {
	return &Links{conn: conn, owners: map[string]clickstore.OwnerID{}}
}

// togetherFrom is how many links of a bucket make it worth to read the whole bucket, which takes as
// long as to look up 20 or 30 one by one.
const togetherFrom = 32

// Lookup is that of clickstore.Links. In one database, an ID that was given out and has no link is
// that of one that was deleted.
func (l *Links) Lookup(ids []terse.LinkID, f func(clickstore.Known) error) error {
	newest, err := query.Int(l.conn,
		"SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'links'")
	if err != nil {
		return err
	}
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && clickstore.BucketOf(ids[n]) == clickstore.BucketOf(ids[0]) {
			n++
		}
		if err := l.lookupOf(ids[:n], newest, f); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// lookupOf is Lookup for sorted IDs of one bucket.
func (l *Links) lookupOf(ids []terse.LinkID, newest int64, f func(clickstore.Known) error) error {
	if len(ids) < togetherFrom {
		for i := range ids {
			if err := l.lookupBetween(ids[i:i+1], newest, f); err != nil {
				return err
			}
		}
		return nil
	}
	return l.lookupBetween(ids, newest, f)
}

// lookupBetween is Lookup for sorted IDs that are read together, with those between them.
func (l *Links) lookupBetween(ids []terse.LinkID, newest int64,
	f func(clickstore.Known) error,
) error {
	missing := func(id terse.LinkID) error {
		if int64(id) > newest {
			return nil
		}
		return f(clickstore.Known{ID: id, Deleted: true})
	}
	first, last := ids[0], ids[len(ids)-1]
	var found []clickstore.Known
	err := query.Each(l.conn, `SELECT id, code, created_by FROM links WHERE id BETWEEN ? AND ?`,
		func(row *sqlite.Stmt) (err error) {
			id := terse.LinkID(row.ColumnInt64(0))
			for len(ids) > 0 && ids[0] < id {
				if err := missing(ids[0]); err != nil {
					return err
				}
				ids = ids[1:]
			}
			if len(ids) == 0 || ids[0] != id {
				return nil
			}
			ids = ids[1:]
			known := clickstore.Known{ID: id}
			l.blob = query.Bytes(row, 1, l.blob)
			// What was written by hand and is no code has no clicks.
			if known.Code, err = terse.ParseCode(l.blob); err != nil {
				return f(clickstore.Known{ID: id, Deleted: true})
			}
			l.blob = query.Bytes(row, 2, l.blob)
			if known.Owner, err = l.owner(l.blob); err == nil {
				found = append(found, known)
				err = f(known)
			}
			return err
		}, first, last)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := missing(id); err != nil {
			return err
		}
	}
	return l.former(found, first, last, f)
}

// former calls f for the codes that links had before.
func (l *Links) former(found []clickstore.Known, first, last terse.LinkID,
	f func(clickstore.Known) error,
) error {
	return query.Each(l.conn,
		"SELECT link_id, code FROM former_codes WHERE link_id BETWEEN ? AND ? ORDER BY link_id",
		func(row *sqlite.Stmt) (err error) {
			id := terse.LinkID(row.ColumnInt64(0))
			for len(found) > 0 && found[0].ID < id {
				found = found[1:]
			}
			if len(found) == 0 || found[0].ID != id {
				return nil
			}
			known := found[0]
			l.blob = query.Bytes(row, 1, l.blob)
			if known.Code, err = terse.ParseCode(l.blob); err != nil {
				return fmt.Errorf("former code of link %d: %w", id, err)
			}
			return f(known)
		}, first, last)
}

// OwnerOf returns the number of an owner, 0 for one of whose links no click was counted.
func OwnerOf(conn *sqlite.Conn, owner string) (clickstore.OwnerID, error) {
	id, err := query.Int(conn,
		"SELECT coalesce(max(number), 0) FROM click_owners WHERE created_by = ?", owner)
	return clickstore.OwnerID(id), err
}

// maxOwners bounds what is remembered of owners, at some hundred bytes each.
const maxOwners = 1 << 12

// owner returns the number of an owner, a new one for one that has none.
func (l *Links) owner(name []byte) (clickstore.OwnerID, error) {
	if id, known := l.owners[string(name)]; known {
		return id, nil
	}
	owner := string(name)
	id, err := OwnerOf(l.conn, owner)
	if err == nil && id == 0 {
		err = query.Run(l.conn, `INSERT INTO click_owners (created_by, number)
			SELECT ?, coalesce(max(number), 0) + 1 FROM click_owners`, owner)
		if err == nil {
			id, err = OwnerOf(l.conn, owner)
		}
	}
	if err != nil {
		return 0, err
	}
	if len(l.owners) >= maxOwners {
		clear(l.owners)
	}
	l.owners[owner] = id
	return id, nil
}

// Bounds of what one transaction does of changes: deleted links whose rows it drops, and how long
// changes are kept for those who have not heard of them, in seconds.
const (
	droppedAtOnce = 16
	changesKept   = 24 * 60 * 60
)

// Changed is that of clickstore.Links.
func (l *Links) Changed(since clickstore.Mark, f func(clickstore.Change) error) (
	now clickstore.Mark, everything bool, err error,
) {
	// The newest row stays, and a new database begins with one. A file that was restored has
	// other random numbers.
	everything = true
	if err := query.Each(l.conn, "SELECT 1 FROM link_notices WHERE number = ? AND random = ?",
		func(*sqlite.Stmt) error {
			everything = false
			return nil
		}, since.Number, since.Random); err != nil {
		return now, false, err
	}
	var changes []clickstore.Change
	note := func(row *sqlite.Stmt) error {
		changes = append(changes, clickstore.Change{
			ID: terse.LinkID(row.ColumnInt64(0)), Drop: row.ColumnInt64(1) > 0,
		})
		return nil
	}
	if !everything {
		err = query.Each(l.conn,
			"SELECT link_id, 0 FROM link_notices WHERE number > ?", note, since.Number)
	}
	if err == nil {
		err = query.Each(l.conn, `SELECT link_id, 1 FROM link_notices WHERE dropped = 0
			ORDER BY number LIMIT ?`, note, droppedAtOnce)
	}
	if err != nil {
		return now, false, err
	}
	for _, change := range changes {
		if err := f(change); err != nil {
			return now, false, err
		}
		if change.Drop {
			if err := query.Run(l.conn,
				"UPDATE link_notices SET dropped = 1 WHERE link_id = ? AND dropped = 0",
				change.ID); err != nil {
				return now, false, err
			}
		}
	}
	now, err = l.prune()
	return now, everything, err
}

// prune forgets changes that are old, and returns the mark of the newest.
func (l *Links) prune() (now clickstore.Mark, err error) {
	err = query.Run(l.conn, `DELETE FROM link_notices
		WHERE number IN (SELECT number FROM link_notices
			WHERE at < unixepoch() - ? AND dropped = 1
				AND number < (SELECT max(number) FROM link_notices)
			ORDER BY number LIMIT 1000)`, changesKept)
	if err != nil {
		return now, err
	}
	err = query.Each(l.conn,
		"SELECT number, random FROM link_notices ORDER BY number DESC LIMIT 1",
		func(row *sqlite.Stmt) error {
			now = clickstore.Mark{Number: row.ColumnInt64(0), Random: row.ColumnInt64(1)}
			return nil
		})
	return now, err
}
