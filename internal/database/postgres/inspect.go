package postgres

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// Inspection is what Inspect has found.
type Inspection struct {
	Version, Known int    // of the schema: 0 if that is still to be made; what this program knows
	Name           string // as Store.Name; "" if Version is 0
	ReadOnly       bool   // it takes no writes
	MayCreate      bool   // the user may create tables, which a start needs if Known is higher
	// Ahead is how far the database's clock is ahead of this one, give or take Took.
	Ahead, Took time.Duration
}

// Inspect connects to the database at an address, without waiting for one that does not answer, and
// changes nothing.
func Inspect(ctx context.Context, url string, timeout time.Duration) (found Inspection, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	s := &Store{timeout: timeout, log: slog.New(slog.DiscardHandler), migrations: migrations}
	config, err := s.config(url)
	if err != nil {
		return found, err
	}
	config.ConnConfig.OnPgError = nil // it is for the pool
	s.session.config = config.ConnConfig
	steps, err := fs.Glob(s.migrations, "schema/0*.sql")
	if err != nil {
		return found, err
	}
	found.Known = len(steps)
	if err := s.refusePooler(ctx); err != nil {
		return found, fmt.Errorf("open database: %w", err)
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return found, fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // the server notices either way
	reading := pgx.TxOptions{AccessMode: pgx.ReadOnly}
	if err := pgx.BeginTxFunc(ctx, conn, reading, func(tx pgx.Tx) error {
		return found.read(ctx, tx)
	}); err != nil {
		return found, fmt.Errorf("read database: %w", err)
	}
	return found, nil
}

func (found *Inspection) read(ctx context.Context, tx pgx.Tx) (err error) {
	if found.Version, err = schemaVersion(ctx, tx); err != nil {
		return err
	}
	if found.Version > 0 {
		if found.Name, err = databaseName(ctx, tx); err != nil {
			return err
		}
	}
	var theirs time.Time
	began := time.Now()
	err = tx.QueryRow(ctx, `SELECT clock_timestamp(),
		pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on',
		coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)`).
		Scan(&theirs, &found.ReadOnly, &found.MayCreate)
	found.Took = time.Since(began)
	found.Ahead = theirs.Sub(began.Add(found.Took / 2))
	return err
}
