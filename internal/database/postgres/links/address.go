package links

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Naming is how addresses are compared.
type Naming struct{ terse.Naming }

// keys returns the expressions for the keys of a code and of an alias.
func (n Naming) keys() (code, alias string) {
	if n.IgnoreCase {
		return "lower(l.code)", "a.folded"
	}
	return "l.code", "a.address"
}

// Find returns the links at addresses, by the addresses as they are given. It is one statement, so
// that a link whose code becomes an alias, or the other way round, is always found.
func (n Naming) Find(ctx context.Context, q Querier, addresses []string) (
	found map[string]terse.Link, err error,
) {
	keys := make([]string, len(addresses))
	for i, address := range addresses {
		keys[i] = n.Key(address)
	}
	code, alias := n.keys()
	rows, _ := q.Query(ctx, "SELECT "+code+", "+Columns+" FROM links AS l WHERE "+code+
		" = ANY($1) UNION ALL SELECT "+alias+", "+Columns+
		" FROM aliases AS a JOIN links AS l ON l.id = a.link_id WHERE "+alias+" = ANY($1)", keys)
	byKey := make(map[string]terse.Link, len(addresses))
	var r row
	var key string
	_, err = pgx.ForEachRow(rows, append([]any{&key}, r.targets()...), func() error {
		link, err := r.link()
		byKey[key] = link
		return err
	})
	found = make(map[string]terse.Link, len(byKey))
	for i, address := range addresses {
		if link, ok := byKey[keys[i]]; ok {
			found[address] = link
		}
	}
	return found, err
}

// addressLock is an advisory lock. A transaction that gives a link an alias or a new code, or that
// creates a code that equals another one but for its case, holds it alone: it compares addresses in
// two tables, or with others than its own. Any other transaction that creates links shares it.
const addressLock int64 = 0x7465727365_02

// claimed is what is known about addresses that links want, while the lock is held.
type claimed struct {
	Naming
	owners map[string]terse.LinkID // by key
}

// claim locks the addresses that links want, and looks up who has them. It also returns an ID for
// each new link. All of this is one round trip.
func (c *Changes) claim(ctx context.Context, wanted [][]string, newIDs int) (
	of claimed, ids []terse.LinkID, err error,
) {
	lock := "pg_advisory_xact_lock_shared"
	var codes, all []string // keys
	for _, addresses := range wanted {
		for i, address := range addresses {
			key := c.naming.Key(address)
			if i > 0 || newIDs == 0 || key != address {
				lock = "pg_advisory_xact_lock"
			}
			if len(addresses) > 1 || newIDs == 0 || c.naming.IgnoreCase {
				codes = append(codes, key)
			}
			all = append(all, key)
		}
	}
	of = claimed{c.naming, map[string]terse.LinkID{}}
	code, alias := c.naming.keys()
	batch := &pgx.Batch{}
	batch.Queue("SELECT "+lock+"($1)", addressLock)
	if newIDs > 0 {
		batch.Queue("SELECT nextval('link_ids') FROM generate_series(1, $1)", newIDs).
			Query(func(rows pgx.Rows) (err error) {
				ids, err = pgx.CollectRows(rows, pgx.RowTo[terse.LinkID])
				return err
			})
	}
	note := func(rows pgx.Rows) error {
		var key string
		var id terse.LinkID
		_, err := pgx.ForEachRow(rows, []any{&key, &id}, func() error {
			of.owners[key] = id
			return nil
		})
		return err
	}
	batch.Queue("SELECT "+alias+", a.link_id FROM aliases AS a WHERE "+alias+" = ANY($1)", all).
		Query(note)
	// A new code without aliases, in its only spelling, is unique by itself.
	if len(codes) > 0 {
		batch.Queue("SELECT "+code+", l.id FROM links AS l WHERE "+code+" = ANY($1)", codes).
			Query(note)
	}
	return of, ids, c.tx.SendBatch(ctx, batch).Close()
}

// take gives addresses to a link, or returns an error if one belongs to another.
func (of claimed) take(id terse.LinkID, code terse.Code, aliases []string) error {
	err := terse.FindTaken(code, aliases, func(address string) bool {
		owner, taken := of.owners[of.Key(address)]
		return taken && owner != id
	})
	if err != nil {
		return err
	}
	for _, address := range append([]string{code.String()}, aliases...) {
		of.owners[of.Key(address)] = id
	}
	return nil
}

// putAliases replaces the aliases of a link.
func putAliases(batch *pgx.Batch, id terse.LinkID, before, after []string) {
	if slices.Equal(before, after) {
		return
	}
	if len(before) > 0 {
		batch.Queue("DELETE FROM aliases WHERE link_id = $1", id)
	}
	for _, alias := range after {
		batch.Queue("INSERT INTO aliases (address, folded, link_id) VALUES ($1, $2, $3)",
			alias, terse.FoldAddress(alias), id)
	}
}

// Clashes returns up to most pairs of addresses of different links that differ in case only.
func Clashes(ctx context.Context, q Querier, most int) (pairs [][2]string, err error) {
	for _, sql := range []string{
		"SELECT min(code), max(code) FROM links GROUP BY lower(code) HAVING count(*) > 1 LIMIT $1",
		"SELECT min(address), max(address) FROM aliases GROUP BY folded " +
			"HAVING min(link_id) < max(link_id) LIMIT $1",
		"SELECT l.code, a.address FROM aliases AS a JOIN links AS l ON lower(l.code) = a.folded " +
			"AND l.id <> a.link_id LIMIT $1",
	} {
		rows, _ := q.Query(ctx, sql, most-len(pairs))
		var pair [2]string
		_, err := pgx.ForEachRow(rows, []any{&pair[0], &pair[1]}, func() error {
			pairs = append(pairs, pair)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return pairs, nil
}
