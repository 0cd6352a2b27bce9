package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// Domains returns all domains.
func (s *Store) Domains(ctx context.Context) (all []terse.DomainRow, err error) {
	err = s.snapshot(ctx, func(conn *sqlite.Conn) error {
		all, err = record.Domains(conn)
		return err
	})
	return all, translate(ctx, err, "list domains")
}

// AddDomains gives a number to each host that has none.
func (s *Store) AddDomains(ctx context.Context, hosts []string) error {
	err := s.writeAlone(ctx, func(w *writer) error {
		return w.change(func(c *record.Changes) error { return c.AddDomains(hosts) })
	})
	return translate(ctx, err, "add domains")
}

// UpdateDomain changes where a domain leads.
func (s *Store) UpdateDomain(
	ctx context.Context, by terse.Caller, d terse.Domain, asked terse.DomainChange,
) (terse.DomainRow, error) {
	row, err := change(ctx, s, func(c *record.Changes) (terse.DomainRow, error) {
		return c.UpdateDomain(by, d, asked)
	})
	return row, translate(ctx, err, "update domain %d", d)
}
