package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/linkset"
	"terse/internal/sqlite/query"
)

// Every calls f with the links of an owner, in the order of the bytes of their codes. f may read
// with the same connection.
func Every(conn *sqlite.Conn, owner string, f func(terse.Link) error) error {
	return query.Each(conn, "SELECT "+Columns+" FROM links INDEXED BY sqlite_autoindex_links_1 "+
		"WHERE created_by = ? ORDER BY code",
		func(row *sqlite.Stmt) error {
			link, err := Scan(row)
			if err != nil {
				return fmt.Errorf("link %d: %w", link.ID, err)
			}
			return f(link)
		}, owner)
}

// IDs returns the IDs of an owner's links.
func IDs(conn *sqlite.Conn, owner string) (linkset.Set, error) {
	return idsOf(conn, "SELECT id FROM links WHERE created_by = ? ORDER BY id", owner)
}

// AllIDs returns the IDs of all links.
func AllIDs(conn *sqlite.Conn) (linkset.Set, error) {
	return idsOf(conn, "SELECT id FROM links ORDER BY id")
}

func idsOf(conn *sqlite.Conn, sql string, args ...any) (ids linkset.Set, err error) {
	err = query.Each(conn, sql, func(row *sqlite.Stmt) error {
		ids = ids.With(row.ColumnInt64(0))
		return nil
	}, args...)
	return ids, err
}

// Restore sets what only an import sets of a link.
func Restore(conn *sqlite.Conn, ref terse.LinkRef, r terse.Restored, now time.Time) error {
	link, err := Of(conn, ref)
	if err != nil {
		return err
	}
	if err := replaceShare(conn, ref, r.Share); err != nil {
		return err
	}
	if !r.CreatedAt.IsZero() || !r.UpdatedAt.IsZero() {
		err := query.Run(conn, `UPDATE links SET created_at = CASE ?2 WHEN 0 THEN created_at
			ELSE ?2 END, updated_at = CASE ?3 WHEN 0 THEN updated_at ELSE ?3 END WHERE id = ?1`,
			ref.ID, micros(r.CreatedAt), micros(r.UpdatedAt))
		if err != nil {
			return err
		}
	}
	if r.Used != nil {
		if err := restoreUsed(conn, link.ID, *r.Used, now); err != nil {
			return err
		}
	}
	for _, entry := range r.History[:min(len(r.History), terse.MaxHistory)] {
		fields, err := json.Marshal(entry.Fields)
		if err != nil {
			return fmt.Errorf("encode change: %w", err)
		}
		if err := putHistory(conn, ref.ID, entry, fields); err != nil {
			return err
		}
	}
	return nil
}

// micros returns a time as rows have it: 0 for the zero time.
func micros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}

// replaceShare gives a link a share in place of any other. The zero share changes nothing.
func replaceShare(conn *sqlite.Conn, ref terse.LinkRef, share terse.Share) error {
	if share == "" {
		return nil
	}
	switch has, err := Shared(conn, share); {
	case err == nil && has.ID == ref.ID:
		return nil
	case err == nil:
		return terse.ErrShareTaken
	case !errors.Is(err, terse.ErrShareNotFound):
		return err
	}
	if err := query.Run(conn, "DELETE FROM shares WHERE link_id = ?", ref.ID); err != nil {
		return err
	}
	return PutShare(conn, ref.ID, share)
}

// restoreUsed sets how many of a link's MaxClicks are used. A link without MaxClicks uses none.
func restoreUsed(conn *sqlite.Conn, link terse.LinkID, used int64, now time.Time) error {
	var state State
	err := query.Each(conn, "SELECT "+stateColumns+" FROM link_states WHERE link_id = ?",
		func(row *sqlite.Stmt) error {
			state = scanState(row)
			return nil
		}, link)
	if err != nil || state.options.MaxClicks == 0 || state.used == used {
		return err
	}
	state.used = used
	return store(conn, &state, now)
}
