package record

import (
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// Tags returns the tags of an owner, or of all, sorted by their folded code points.
func Tags(conn *sqlite.Conn, owner string) (tags []terse.Tag, err error) {
	add := func(row *sqlite.Stmt) error {
		tags = append(tags, terse.Tag{Name: row.ColumnText(0), Links: row.ColumnInt64(1)})
		return nil
	}
	if owner == terse.AllOwners {
		err = query.Each(conn, selectAllTags, add)
	} else {
		err = query.Each(conn, "SELECT name, links FROM tags WHERE owner = ? ORDER BY tag", add,
			owner)
	}
	return tags, err
}

// selectAllTags finds the tags of all owners, each in the spelling that most of its links have.
const selectAllTags = `SELECT DISTINCT first_value(name) OVER (PARTITION BY tag
		ORDER BY links DESC, name), sum(links) OVER (PARTITION BY tag), tag
	FROM (SELECT tag, name, sum(links) AS links FROM tags GROUP BY tag, name) ORDER BY tag`

// SpellTag changes the spelling of a tag, or returns terse.ErrTagNotFound.
func SpellTag(conn *sqlite.Conn, owner, tag string) error {
	err := query.Run(conn, "UPDATE tags SET name = ? WHERE owner = ? AND tag = ?",
		tag, owner, terse.FoldTag(tag))
	if err == nil && conn.Changes() == 0 {
		err = terse.ErrTagNotFound
	}
	return err
}

// respell spells the tags of a link like its owner does.
func (c *Changes) respell(link *follow.Stored) (err error) {
	spelled := slices.Clone(link.Set.Tags)
	for i, tag := range spelled {
		err := query.Each(c.Conn, "SELECT name FROM tags WHERE owner = ? AND tag = ?",
			func(row *sqlite.Stmt) error {
				spelled[i] = row.ColumnText(0)
				return nil
			}, link.CreatedBy, terse.FoldTag(tag))
		if err != nil {
			return err
		}
	}
	if slices.Equal(link.Set.Tags, spelled) {
		return nil
	}
	link.Set.Tags = spelled
	link.Options, err = link.Set.Encode()
	return err
}

// join adds a link to a set, and counts its tag.
func join(conn *sqlite.Conn, link *follow.Stored, set string) error {
	if tag, isTag := strings.CutPrefix(set, follow.TagSet("")); isTag {
		name := tag
		for _, spelled := range link.Set.Tags {
			if terse.FoldTag(spelled) == tag {
				name = spelled
			}
		}
		err := query.Run(conn, "INSERT INTO tags (owner, tag, name, links) VALUES (?, ?, ?, 1) "+
			"ON CONFLICT DO UPDATE SET links = links + 1", link.CreatedBy, tag, name)
		if err != nil {
			return err
		}
	}
	err := putIn(conn, link.CreatedBy, set, link.ID)
	if err == nil && follow.IsOther(link.CreatedBy) {
		err = putIn(conn, terse.AllOwners, set, link.ID)
	}
	return err
}

// putIn puts a link into a set.
func putIn(conn *sqlite.Conn, owner, set string, link terse.LinkID) error {
	return query.Run(conn, "INSERT INTO link_sets (owner, name, id_range, links) "+
		"VALUES (?1, ?2, ?3 >> 6, 1 << (?3 & 63)) "+
		"ON CONFLICT DO UPDATE SET links = links | excluded.links", owner, set, link)
}

// leave removes an owner's link from a set, and counts its tag.
func (c *Changes) leave(owner, set string, link terse.LinkID) error {
	conn := c.Conn
	if tag, isTag := strings.CutPrefix(set, follow.TagSet("")); isTag {
		if err := c.Held.hold(conn, owner, tag); err != nil {
			return err
		}
		if err := takeFrom(conn, owner, tag); err != nil {
			return err
		}
	}
	err := takeOut(conn, owner, set, link)
	if err == nil && follow.IsOther(owner) {
		err = takeOut(conn, terse.AllOwners, set, link)
	}
	return err
}

// takeOut takes a link out of a set.
func takeOut(conn *sqlite.Conn, owner, set string, link terse.LinkID) error {
	for _, sql := range []string{
		"UPDATE link_sets SET links = links & ~(1 << (?3 & 63)) " +
			"WHERE owner = ?1 AND name = ?2 AND id_range = ?3 >> 6",
		"DELETE FROM link_sets " +
			"WHERE owner = ?1 AND name = ?2 AND id_range = ?3 >> 6 AND links = 0",
	} {
		if err := query.Run(conn, sql, owner, set, link); err != nil {
			return err
		}
	}
	return nil
}

// Held are the tags that a transaction counts as one more link, so that their spelling stands until
// its end, whatever it does to the links.
type Held map[heldTag]bool

type heldTag struct{ owner, tag string }

// hold holds an owner's tag. With nil, outside of a transaction of several changes, it does
// nothing.
func (h Held) hold(conn *sqlite.Conn, owner, tag string) error {
	key := heldTag{owner, tag}
	if h == nil || h[key] {
		return nil
	}
	err := query.Run(conn, "UPDATE tags SET links = links + 1 WHERE owner = ? AND tag = ?",
		owner, tag)
	if err == nil && conn.Changes() > 0 {
		h[key] = true
	}
	return err
}

// Release gives the tags back. Those without links are gone then.
func (h Held) Release(conn *sqlite.Conn) error {
	for tag := range h {
		if err := takeFrom(conn, tag.owner, tag.tag); err != nil {
			return err
		}
	}
	return nil
}

// takeFrom takes a link from the number of a tag.
func takeFrom(conn *sqlite.Conn, owner, tag string) error {
	for _, sql := range []string{
		"UPDATE tags SET links = links - 1 WHERE owner = ? AND tag = ?",
		"DELETE FROM tags WHERE owner = ? AND tag = ? AND links = 0",
	} {
		if err := query.Run(conn, sql, owner, tag); err != nil {
			return err
		}
	}
	return nil
}

// Set returns a set of the links of an owner, or of all. A million links take a few milliseconds.
func Set(conn *sqlite.Conn, owner, name string) (all linkset.Set, err error) {
	for _, owner := range follow.Owners(owner) {
		var s linkset.Set
		err = query.Each(conn, "SELECT id_range, links FROM link_sets WHERE owner = ? AND name = ?",
			func(row *sqlite.Stmt) error {
				word := linkset.Word{At: row.ColumnInt64(0), Bits: uint64(row.ColumnInt64(1))}
				s = append(s, word)
				return nil
			}, owner, name)
		if err != nil {
			return nil, err
		}
		all = all.Or(s)
	}
	return all, nil
}
