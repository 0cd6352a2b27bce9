package postgres

import (
	"cmp"
	"context"
	"math/bits"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/database/postgres/links"
	"terse/internal/link/follow"
)

// Domains returns all domains, with the numbers of their links.
func (s *Store) Domains(ctx context.Context) (all []terse.DomainRow, err error) {
	err = s.snapshot(ctx, func(tx pgx.Tx) error {
		all, err = domains(ctx, tx)
		return err
	})
	return all, wrap(err, "list domains")
}

func domains(ctx context.Context, tx pgx.Tx) ([]terse.DomainRow, error) {
	rows, _ := tx.Query(ctx, "SELECT number, host, 0::bigint, root_url, unknown_url, ended_url "+
		"FROM domains ORDER BY number")
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[terse.DomainRow])
	if err != nil {
		return nil, err
	}
	linked := map[string]int64{} // by the name of a set
	var name string
	var some pgtype.Bits
	rows, _ = tx.Query(ctx, "SELECT name, links FROM link_sets "+
		"WHERE owner = ANY($1) AND name >= '@' AND name < 'A'", follow.Owners(terse.AllOwners))
	_, err = pgx.ForEachRow(rows, []any{&name, &some}, func() error {
		for _, b := range some.Bytes {
			linked[name] += int64(bits.OnesCount8(b))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Links = linked[follow.DomainSet(all[i].Domain)]
	}
	var every int64
	err = tx.QueryRow(ctx, "SELECT coalesce(sum(links), 0)::bigint FROM link_ranges "+
		"WHERE owner = ANY($1)", follow.Owners(terse.AllOwners)).Scan(&every)
	all[0].Links = every - all[0].Links // the set of the default has those on all others
	return all, err
}

// AddDomains gives a number to each host that has none.
func (s *Store) AddDomains(ctx context.Context, hosts []string) error {
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		if _, err := tx.Exec(ctx, "LOCK TABLE domains IN SHARE ROW EXCLUSIVE MODE"); err != nil {
			return err
		}
		for _, host := range hosts {
			done, err := tx.Exec(ctx, "INSERT INTO domains (number, host) "+
				"SELECT max(number) + 1, $1 FROM domains "+
				"HAVING NOT EXISTS (SELECT FROM domains WHERE host = $1)", host)
			if err != nil {
				return err
			}
			if done.RowsAffected() > 0 {
				c.DomainsChanged()
			}
		}
		var last int
		err := tx.QueryRow(ctx, "SELECT max(number) FROM domains").Scan(&last)
		if err == nil && last > int(terse.MaxDomain) {
			err = terse.ErrNoDomainLeft
		}
		return err
	})
	return wrap(err, "add domains")
}

// UpdateDomain changes where a domain leads. If only the answer to a commit was lost, the next try
// changes nothing.
func (s *Store) UpdateDomain(
	ctx context.Context, by terse.Caller, d terse.Domain, change terse.DomainChange,
) (row terse.DomainRow, err error) {
	err = s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		_, err := tx.Exec(ctx, "SELECT FROM domains WHERE number = $1 FOR UPDATE", d)
		if err != nil {
			return err
		}
		all, err := domains(ctx, tx)
		if err != nil {
			return err
		}
		if int(d) >= len(all) {
			return terse.ErrDomainNotFound
		}
		row = all[d]
		before := row.DomainTargets
		row.DomainTargets = change.Apply(before)
		noted, changed := follow.DomainUpdated(
			cmp.Or(row.Host, change.Host), before, row.DomainTargets)
		if !changed {
			return nil
		}
		_, err = tx.Exec(ctx, "UPDATE domains SET root_url = $2, unknown_url = $3, ended_url = $4 "+
			"WHERE number = $1", d, row.Root, row.Unknown, row.Ended)
		if err != nil {
			return err
		}
		c.DomainsChanged()
		return c.Note(by, noted)
	})
	return row, wrap(err, "update domain %d", d)
}
