package record

import (
	"cmp"
	"math/bits"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// Domains returns all domains by number, with the numbers of their links.
func Domains(conn *sqlite.Conn) (all []terse.DomainRow, err error) {
	err = query.Each(conn, "SELECT number, host, root_url, unknown_url, ended_url FROM domains "+
		"ORDER BY number", func(row *sqlite.Stmt) error {
		all = append(all, terse.DomainRow{
			Domain: terse.Domain(row.ColumnInt64(0)), Host: row.ColumnText(1),
			DomainTargets: terse.DomainTargets{
				Root: terse.URL(row.ColumnText(2)), Unknown: terse.URL(row.ColumnText(3)),
				Ended: terse.URL(row.ColumnText(4)),
			},
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	links := map[string]int64{} // by the name of a set
	for _, owner := range follow.Owners(terse.AllOwners) {
		err := query.Each(conn, "SELECT name, links FROM link_sets "+
			"WHERE owner = ? AND name >= '@' AND name < 'A'", func(row *sqlite.Stmt) error {
			links[row.ColumnText(0)] += int64(bits.OnesCount64(uint64(row.ColumnInt64(1))))
			return nil
		}, owner)
		if err != nil {
			return nil, err
		}
	}
	for i := range all {
		all[i].Links = links[follow.DomainSet(all[i].Domain)]
	}
	every, err := query.Int(conn, "SELECT coalesce(sum(links), 0) FROM link_ranges "+
		"WHERE created_by IN ('authenticated-user', '*')")
	all[0].Links = every - all[0].Links // the set of the default has those on all others
	return all, err
}

// AddDomains gives a number to each host that has none.
func (c *Changes) AddDomains(hosts []string) error {
	for _, host := range hosts {
		err := query.Run(c.Conn, "INSERT INTO domains (number, host) "+
			"SELECT max(number) + 1, ?1 FROM domains "+
			"HAVING NOT EXISTS (SELECT 1 FROM domains WHERE host = ?1)", host)
		if err != nil {
			return err
		}
	}
	last, err := query.Int(c.Conn, "SELECT max(number) FROM domains")
	if err == nil && last > int64(terse.MaxDomain) {
		err = terse.ErrNoDomainLeft
	}
	return err
}

// UpdateDomain changes where a domain leads.
func (c *Changes) UpdateDomain(by terse.Caller, d terse.Domain, change terse.DomainChange) (
	row terse.DomainRow, err error,
) {
	all, err := Domains(c.Conn)
	if err != nil {
		return row, err
	}
	if int(d) >= len(all) {
		return row, terse.ErrDomainNotFound
	}
	row = all[d]
	before := row.DomainTargets
	row.DomainTargets = change.Apply(before)
	noted, changed := follow.DomainUpdated(cmp.Or(row.Host, change.Host), before, row.DomainTargets)
	if !changed {
		return row, nil
	}
	err = query.Run(c.Conn, "UPDATE domains SET root_url = ?, unknown_url = ?, ended_url = ? "+
		"WHERE number = ?", string(row.Root), string(row.Unknown), string(row.Ended), d)
	if err == nil {
		err = c.Note(by, noted)
	}
	return row, err
}
