package counter

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
)

// readOwners finds the owners of the batch's links, where there is more than one, and makes the
// rows in which their clicks are counted.
func (a *attempt) readOwners() error {
	var others bool
	err := a.tx.QueryRow(a.ctx, "SELECT EXISTS (SELECT FROM owners WHERE owner <> $1)",
		terse.Identity).Scan(&others)
	if err != nil || !others {
		return err
	}
	a.owners = map[terse.LinkRef]string{}
	for links := range slices.Chunk(a.links, rowsAtOnce) {
		a.turn.Yield()
		if err := a.readSome(links); err != nil {
			return err
		}
	}
	var codes []string
	for owner := range maps.Values(a.owners) {
		codes = append(codes, JournalCode(a.journal, owner))
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); len(codes) == 0 {
		return nil
	}
	_, err = a.dialect.Insert(a.ctx, a.tx, "link_clicks (code, link_id)", "ON CONFLICT DO NOTHING",
		codes, make([]int64, len(codes)))
	return err
}

func (a *attempt) readSome(links []clickedLink) error {
	var codes []string
	var ids []int64
	var indexes []int32
	for i := range links {
		codes, ids = append(codes, links[i].code), append(ids, links[i].id)
		indexes = append(indexes, int32(i))
	}
	rows, _ := a.tx.Query(a.ctx, `SELECT n.i, c.created_by
		FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, i)
		JOIN links AS c ON `+a.dialect.SameCode+` AND c.id = n.link_id
		WHERE c.created_by <> $4`, codes, ids, indexes, terse.Identity)
	var i int32
	var owner string
	_, err := pgx.ForEachRow(rows, []any{&i, &owner}, func() error {
		a.owners[links[i].clicks[0].link] = owner
		return nil
	})
	return err
}

// byOwner returns the clicks that were packed, in the order of the batch, which is nearly that of
// time.
func (a *attempt) byOwner(clicks []terse.NumberedClick) ([]part, error) {
	owned := map[string][]clickblock.Click{}
	if len(a.owners) == 0 {
		owned[terse.Identity] = slices.DeleteFunc(a.all,
			func(c clickblock.Click) bool { return c.Link == 0 })
	} else {
		for i, click := range a.all {
			if click.Link != 0 {
				link := terse.LinkRef{ID: clicks[i].Link, Code: clicks[i].Code}
				owner, other := a.owners[link]
				if !other {
					owner = terse.Identity
				}
				owned[owner] = append(owned[owner], click)
			}
		}
	}
	owners := slices.Sorted(maps.Keys(owned))
	codes := make([]string, len(owners))
	for i, owner := range owners {
		codes[i] = JournalCode(a.journal, owner)
	}
	shards, err := a.dialect.Shards(a.ctx, a.tx, codes)
	if err != nil {
		return nil, err
	}
	parts := make([]part, len(owners))
	for i, owner := range owners {
		parts[i] = part{key: key{code: codes[i]}, shard: shards[i], clicks: owned[owner]}
	}
	return parts, nil
}
