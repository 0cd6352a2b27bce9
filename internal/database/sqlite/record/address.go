package record

import (
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
)

// Naming is how addresses are compared.
type Naming struct{ terse.Naming }

// id returns the expression for the ID of the link at the address ?1, whose folded form is ?2.
func (n Naming) id() string {
	if n.IgnoreCase {
		return "coalesce((SELECT id FROM links WHERE code = ?2 COLLATE NOCASE), " +
			"(SELECT link_id FROM aliases WHERE folded = ?2))"
	}
	return "coalesce((SELECT id FROM links WHERE code = ?1), " +
		"(SELECT link_id FROM aliases WHERE folded = ?2 AND address = ?1))"
}

// SelectByAddress finds the link at the address ?1, whose folded form is ?2. It is one statement,
// so that a link whose code becomes an alias, or the other way round, is always found.
func (n Naming) SelectByAddress() string {
	return "SELECT " + Columns + " FROM links WHERE id = " + n.id()
}

// At returns the link at an address that stmt, a SelectByAddress, finds, or terse.ErrNotFound.
func At(stmt *sqlite.Stmt, address string) (terse.Link, error) {
	stmt.BindText(1, address)
	stmt.BindText(2, terse.FoldAddress(address))
	return Find(stmt)
}

// OfCode returns the link of a code, or terse.ErrNotFound.
func (n Naming) OfCode(conn *sqlite.Conn, code terse.Code) (terse.Link, error) {
	stmt, err := conn.Prepare(n.SelectByAddress())
	if err != nil {
		return terse.Link{}, err
	}
	link, err := At(stmt, code.String())
	if err == nil && !n.Same(link.Code.String(), code.String()) {
		err = terse.ErrNotFound // an alias
	}
	return link, err
}

// checkFree returns an error if an address of a link belongs to another link than id.
func (n Naming) checkFree(conn *sqlite.Conn, id terse.LinkID, code terse.Code, aliases []string,
) error {
	stmt, err := conn.Prepare("SELECT " + n.id())
	if err != nil {
		return err
	}
	taken := func(address string) bool {
		if err != nil {
			return false
		}
		stmt.BindText(1, address)
		stmt.BindText(2, terse.FoldAddress(address))
		if _, err = stmt.Step(); err != nil {
			return false
		}
		owner := terse.LinkID(stmt.ColumnInt64(0)) // 0 for NULL
		err = stmt.Reset()
		return owner != 0 && owner != id
	}
	found := terse.FindTaken(code, aliases, taken)
	if err != nil {
		return err
	}
	return found
}

// putAliases replaces the aliases of a link.
func putAliases(conn *sqlite.Conn, id terse.LinkID, before, after []string) error {
	if slices.Equal(before, after) {
		return nil
	}
	if len(before) > 0 {
		if err := query.Run(conn, "DELETE FROM aliases WHERE link_id = ?", id); err != nil {
			return err
		}
	}
	for _, alias := range after {
		err := query.Run(conn, "INSERT INTO aliases (folded, address, link_id) VALUES (?, ?, ?)",
			terse.FoldAddress(alias), alias, id)
		if err != nil {
			return err
		}
	}
	return nil
}

// Clashes returns up to most pairs of addresses of different links that differ in case only.
func Clashes(conn *sqlite.Conn, most int) (pairs [][2]string, err error) {
	for _, sql := range []string{
		"SELECT min(code), max(code) FROM links GROUP BY code COLLATE NOCASE " +
			"HAVING count(*) > 1 LIMIT ?",
		"SELECT min(address), max(address) FROM aliases GROUP BY folded " +
			"HAVING min(link_id) < max(link_id) LIMIT ?",
		"SELECT code, address FROM aliases JOIN links ON code = folded COLLATE NOCASE " +
			"AND id <> link_id LIMIT ?",
	} {
		err := query.Each(conn, sql, func(row *sqlite.Stmt) error {
			pairs = append(pairs, [2]string{row.ColumnText(0), row.ColumnText(1)})
			return nil
		}, most-len(pairs))
		if err != nil {
			return nil, err
		}
	}
	return pairs, nil
}
