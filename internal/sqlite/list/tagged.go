package list

import (
	"errors"

	"zombiezen.com/go/sqlite"

	"terse"
)

// Tagged are the links of an owner that have all of some tags, in one snapshot.
type Tagged struct {
	conn  *sqlite.Conn
	owner string
	all   bool // there are no tags
	links set
}

// ReadTagged reads which links of an owner have tags: without any, all.
func ReadTagged(conn *sqlite.Conn, owner string, tags []string) (*Tagged, error) {
	links, all, err := tagged(conn, owner, tags)
	return &Tagged{conn, owner, all, links}, err
}

// Tagged reports whether the link with an ID has the tags. It is asked for very many links.
func (t *Tagged) Tagged(id terse.LinkID) bool { return t.all || t.links.has(int64(id)) }

// Find returns the link with an ID if it is one of them, else the zero LinkRef.
func (t *Tagged) Find(id terse.LinkID) (link terse.LinkRef, err error) {
	if !t.Tagged(id) {
		return link, nil
	}
	stmt, err := t.conn.Prepare("SELECT code FROM links WHERE id = ? AND created_by = ?")
	if err != nil {
		return link, err
	}
	stmt.BindInt64(1, int64(id))
	stmt.BindText(2, t.owner)
	found, err := stmt.Step()
	if found && err == nil {
		// What was written by hand and is no code has no clicks.
		if code, bad := terse.ParseCode(stmt.ColumnText(0)); bad == nil {
			link = terse.LinkRef{ID: id, Code: code}
		}
	}
	return link, errors.Join(err, stmt.Reset())
}
