package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/derive"
	"terse/internal/link/linkset"
)

// Compare compares the rows beside links with those that follow from the links, in one snapshot. It
// changes nothing, beside a running server and without one. The file must have the schema of this
// version.
func Compare(ctx context.Context, path string, o derive.Options) (*derive.Found, error) {
	conn, err := openUnchanged(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // reading only
	conn.SetInterrupt(ctx.Done())
	var found *derive.Found
	if err = query.Run(conn, "BEGIN"); err == nil {
		found, err = derive.Compare(rowsBeside(conn), o)
	}
	if err != nil {
		return nil, fmt.Errorf("compare the rows of %s: %w", path, errors.Join(err, ctx.Err()))
	}
	return found, nil
}

// rowsBeside returns the rows of links, and those that follow from them.
func rowsBeside(conn *sqlite.Conn) derive.Rows {
	return derive.Rows{
		Links: rowsOf(conn, `SELECT id, code, created_by, created_at, options, ended,
				link_id IS NOT NULL, status, since, until, disabled, starts_at, expires_at,
				max_clicks, used, archived
			FROM links LEFT JOIN link_states ON link_id = id ORDER BY id`, linkOf),
		Sets: rowsOf(conn, "SELECT owner, name, id_range, links FROM link_sets "+
			"ORDER BY id_range", func(row *sqlite.Stmt) derive.Set {
			s := derive.Set{Owner: row.ColumnText(0), Name: row.ColumnText(1)}
			word := linkset.Word{At: row.ColumnInt64(2), Bits: uint64(row.ColumnInt64(3))}
			if s.From = word.First(); word.Bits != 0 {
				s.Links = linkset.Set{word}
			}
			return s
		}),
		Ranges: rowsOf(conn, "SELECT created_by, id_range, links, first, last FROM link_ranges "+
			"ORDER BY id_range", func(row *sqlite.Stmt) derive.Range {
			return derive.Range{
				Owner: row.ColumnText(0), Number: row.ColumnInt64(1), Links: row.ColumnInt64(2),
				First: row.ColumnInt64(3), Last: row.ColumnInt64(4),
			}
		}),
		Aliases: rowsOf(conn, "SELECT address, folded, link_id FROM aliases ORDER BY link_id",
			func(row *sqlite.Stmt) derive.Alias {
				return derive.Alias{
					Address: row.ColumnText(0), Folded: row.ColumnText(1),
					Link: terse.LinkID(row.ColumnInt64(2)),
				}
			}),
		Owned: []iter.Seq2[derive.Owned, error]{
			ownedBy(conn, "a state", "SELECT link_id, owner FROM link_states ORDER BY link_id"),
			ownedBy(conn, "a former code", "SELECT link_id, '' FROM former_codes ORDER BY link_id"),
			ownedBy(conn, "a share", "SELECT link_id, owner FROM shares WHERE link_id <> 0 "+
				"ORDER BY link_id"),
			ownedBy(conn, "history", "SELECT DISTINCT link_id, '' FROM link_changes "+
				"ORDER BY link_id"),
			rowsOf(conn, "SELECT link_id FROM tombstones WHERE deleted ORDER BY link_id",
				func(row *sqlite.Stmt) derive.Owned {
					return derive.Owned{
						What: "a tombstone", Link: terse.LinkID(row.ColumnInt64(0)), Buries: true,
					}
				}),
		},
		Tags: rowsOf(conn, "SELECT owner, tag, name, links FROM tags",
			func(row *sqlite.Stmt) derive.Tag {
				return derive.Tag{
					Owner: row.ColumnText(0), Folded: row.ColumnText(1), Name: row.ColumnText(2),
					Links: row.ColumnInt64(3),
				}
			}),
	}
}

// rowsOf returns the rows that a query finds. Several queries may be read in turns.
func rowsOf[T any](conn *sqlite.Conn, sql string, read func(*sqlite.Stmt) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := query.Each(conn, sql, func(row *sqlite.Stmt) error {
			if !yield(read(row), nil) {
				return query.ErrStop
			}
			return nil
		})
		if err != nil {
			yield(*new(T), err)
		}
	}
}

// ownedBy returns rows that belong to links, by a query for links and owners.
func ownedBy(conn *sqlite.Conn, what, sql string) iter.Seq2[derive.Owned, error] {
	return rowsOf(conn, sql, func(row *sqlite.Stmt) derive.Owned {
		return derive.Owned{
			What: what, Link: terse.LinkID(row.ColumnInt64(0)), Owner: row.ColumnText(1),
		}
	})
}

func linkOf(row *sqlite.Stmt) derive.Link {
	l := derive.Link{
		ID: terse.LinkID(row.ColumnInt64(0)), Code: row.ColumnText(1), Owner: row.ColumnText(2),
		CreatedAt: row.ColumnInt64(3), Options: terse.EncodedOptions(row.ColumnText(4)),
		Since: math.MinInt64, Until: math.MaxInt64, Archived: row.ColumnBool(15),
	}
	ended := derive.Column{Name: derive.Ended, Value: row.ColumnInt64(5)}
	if row.ColumnInt64(6) == 0 { // no state
		l.Columns = []derive.Column{ended}
		return l
	}
	l.Status = terse.Status(row.ColumnText(7))
	l.Since, l.Until = row.ColumnInt64(8), row.ColumnInt64(9)
	l.Columns = []derive.Column{
		ended,
		{Name: derive.IsOff, Value: row.ColumnInt64(10)},
		{Name: derive.StartsAt, Value: row.ColumnInt64(11)},
		{Name: derive.ExpiresAt, Value: row.ColumnInt64(12)},
		{Name: derive.MaxClicks, Value: row.ColumnInt64(13)},
	}
	l.Used = row.ColumnInt64(14)
	return l
}
