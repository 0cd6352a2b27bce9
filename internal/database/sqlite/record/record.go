// Package record stores links in the tables of an SQLite database, with everything that belongs to
// them: tags, states, aliases, history, shares. It also stores users, their tokens and sessions.
//
// What follows from a change, package follow says; triggers of the schema write part of it, so that
// links may be changed by hand, too. The package knows nothing about the store above it: no
// transactions, no locks. The caller begins a transaction before it changes links, and rolls it
// back after an error that is not a *terse.Error.
package record

import (
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
)

// SearchedColumns are the columns that a search reads.
const SearchedColumns = "id, code, url, created_at, options"

// Columns are the columns that Scan reads. A plain link has no state to look up.
const Columns = SearchedColumns + ", created_by, updated_at, " +
	"CASE WHEN options = '' THEN 0 ELSE " +
	"coalesce((SELECT used FROM link_states WHERE link_id = links.id), 0) END"

const selectByID = "SELECT " + Columns + " FROM links WHERE id = ? AND code = ?"

// Scan returns the link of a row with Columns.
func Scan(row *sqlite.Stmt) (terse.Link, error) {
	code, err := terse.ParseKey(row.ColumnText(1))
	link := terse.Link{
		ID: terse.LinkID(row.ColumnInt64(0)), Code: code, URL: terse.URL(row.ColumnText(2)),
		CreatedAt: time.UnixMicro(row.ColumnInt64(3)).UTC(), CreatedBy: row.ColumnText(5),
		Options: terse.EncodedOptions(row.ColumnText(4)), Used: row.ColumnInt64(7),
	}
	if at := row.ColumnInt64(6); at != 0 {
		link.UpdatedAt = time.UnixMicro(at).UTC()
	}
	return link, err
}

// Find returns the link that stmt finds, or terse.ErrNotFound.
func Find(stmt *sqlite.Stmt) (terse.Link, error) {
	found, err := stmt.Step()
	if err != nil {
		return terse.Link{}, err
	}
	link, err := terse.Link{}, error(terse.ErrNotFound)
	if found {
		link, err = Scan(stmt)
	}
	return link, errors.Join(err, stmt.Reset())
}

// Of returns a link, or terse.ErrNotFound.
func Of(conn *sqlite.Conn, link terse.LinkRef) (terse.Link, error) {
	stmt, err := conn.Prepare(selectByID)
	if err != nil {
		return terse.Link{}, err
	}
	stmt.BindInt64(1, int64(link.ID))
	stmt.BindText(2, link.Code.String())
	return Find(stmt)
}

// SelectNewestTo finds owner ?2's newest link to URL ?1, with a key from ?5 to before ?6, that has
// not ended at the time ?3, and is not archived unless ?4 allows it. The index leaves out links
// that are known to have ended; those that have ended since are few, see Advance. Without INDEXED
// BY, SQLite might choose the index by owners, which sorts as well.
const SelectNewestTo = "SELECT " + Columns + " FROM links INDEXED BY links_to_url " +
	"WHERE url = ?1 AND ended = 0 AND archived <= ?4 AND created_by = ?2 " +
	"AND code >= ?5 AND code < ?6 AND NOT EXISTS " +
	"(SELECT 1 FROM link_states " +
	"WHERE link_id = id AND (disabled OR expires_at <= ?3 OR max_clicks BETWEEN 1 AND used)) " +
	"ORDER BY created_at DESC, id DESC LIMIT 1"

// NewestTo is terse.Tx.NewestTo.
func NewestTo(
	conn *sqlite.Conn, owner string, on terse.Domain, url terse.URL, now time.Time,
) (terse.Link, error) {
	stmt, err := conn.Prepare(SelectNewestTo)
	if err != nil {
		return terse.Link{}, err
	}
	stmt.BindText(1, string(url))
	stmt.BindText(2, owner)
	stmt.BindInt64(3, now.UnixMicro())
	stmt.BindBool(4, now.IsZero())
	from, to := on.KeyRange()
	stmt.BindText(5, from)
	stmt.BindText(6, to)
	return Find(stmt)
}
