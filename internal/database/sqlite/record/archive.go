package record

import (
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// Every calls f with the links of a query, in the order of domains and then of the bytes of their
// codes. f may read with the same connection.
func Every(conn *sqlite.Conn, q terse.ExportQuery, f func(terse.Link) error) error {
	if q.Domain != nil {
		return everyOn(conn, *q.Domain, q.Owner, f)
	}
	all, err := Domains(conn)
	if err != nil {
		return err
	}
	for _, domain := range all {
		if err := everyOn(conn, domain.Domain, q.Owner, f); err != nil {
			return err
		}
	}
	return nil
}

// everyOn is Every for one domain.
func everyOn(
	conn *sqlite.Conn, on terse.Domain, owner string, f func(terse.Link) error,
) error {
	const of = " FROM links INDEXED BY sqlite_autoindex_links_1 WHERE code >= ? AND code < ? "
	from, to := on.KeyRange()
	each := func(row *sqlite.Stmt) error {
		link, err := Scan(row)
		if err != nil {
			return fmt.Errorf("link %d: %w", link.ID, err)
		}
		return f(link)
	}
	if owner == terse.AllOwners {
		return query.Each(conn, "SELECT "+Columns+of+"ORDER BY code", each, from, to)
	}
	return query.Each(conn, "SELECT "+Columns+of+"AND created_by = ? ORDER BY code", each, from, to,
		owner)
}

// ExportedIDs returns the IDs of the links of a query.
func ExportedIDs(conn *sqlite.Conn, q terse.ExportQuery) (linkset.Set, error) {
	ids, err := IDs(conn, q.Owner)
	if err != nil || q.Domain == nil {
		return ids, err
	}
	set, err := Set(conn, q.Owner, follow.DomainSet(*q.Domain))
	if *q.Domain == terse.DefaultDomain { // its set has those on all others
		return ids.Without(set), err
	}
	return ids.And(set), err
}

// IDs returns the IDs of the links of an owner, or of all.
func IDs(conn *sqlite.Conn, owner string) (linkset.Set, error) {
	if owner == terse.AllOwners {
		return AllIDs(conn)
	}
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
func (c *Changes) Restore(by terse.Caller, ref terse.LinkRef, r terse.Restored) error {
	link, err := Of(c.Conn, ref)
	if err != nil {
		return err
	}
	if err := c.replaceShare(by, link, r.Share); err != nil {
		return err
	}
	if !r.CreatedAt.IsZero() || !r.UpdatedAt.IsZero() || r.Used != nil {
		if err := c.restore(by, follow.Decode(link), r); err != nil {
			return err
		}
	}
	for _, entry := range r.History[:min(len(r.History), terse.MaxHistory)] {
		encoded, err := follow.Entry(entry)
		if err != nil {
			return err
		}
		if err := putHistory(c.Conn, ref.ID, encoded); err != nil {
			return err
		}
	}
	return nil
}

// restore sets the times of a link, and how many of its clicks are used.
func (c *Changes) restore(by terse.Caller, before *follow.Stored, r terse.Restored) error {
	if before.Options != "" {
		if err := c.readSets(before); err != nil {
			return err
		}
	}
	after := before.Become(before.Link)
	if !r.CreatedAt.IsZero() {
		after.CreatedAt = time.UnixMicro(r.CreatedAt.UnixMicro()).UTC()
	}
	if !r.UpdatedAt.IsZero() {
		after.UpdatedAt = time.UnixMicro(r.UpdatedAt.UnixMicro()).UTC()
	}
	if r.Used != nil && after.Set.MaxClicks > 0 {
		after.Used = *r.Used
	}
	if after.Link == before.Link {
		return nil
	}
	e, err := c.Rule(follow.Change{Before: before, After: after, By: by, At: c.Now})
	if err != nil {
		return err
	}
	return c.follow(before, after, e, func() error { return c.update(before, after) })
}
