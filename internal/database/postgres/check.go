package postgres

import (
	"context"
	"errors"
	"fmt"

	"terse/internal/database/postgres/rows"
)

var errReadOnly = errors.New("the database is read-only")

// Check reports whether the store can read and write now.
func (s *Store) Check(ctx context.Context) error {
	return wrap(s.check(ctx), "check database")
}

func (s *Store) check(ctx context.Context) error {
	select {
	case <-s.closing:
		return errClosed
	default:
	}
	var readOnly string
	var links int
	err := s.pool.QueryRow(ctx,
		"SELECT current_setting('transaction_read_only'), (SELECT count(*) FROM (SELECT 1 FROM "+
			"links LIMIT 1) AS l)").
		Scan(&readOnly, &links)
	if err != nil {
		return rows.Ended(ctx, err)
	}
	if readOnly == "on" {
		s.pool.Reset() // the next connection may go to another server
		return errReadOnly
	}
	if refused := s.uncounted.Load(); refused != nil {
		return fmt.Errorf("clicks are not counted: %w", *refused)
	}
	return nil
}

// Warnings names the servers of Citus that have lost counted clicks, as far as this node has
// noticed since it started. Such a server was restored, or is a replica that lacked them.
func (s *Store) Warnings() []string {
	if err := s.writer.WentBack(); err != nil {
		return []string{err.Error()}
	}
	return nil
}
