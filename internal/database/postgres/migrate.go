package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// migrations are the scripts that build the schema, in the order of their names, and those that
// distribute the tables of a step if the extension citus is installed.
//
//go:embed schema/*.sql
var migrations embed.FS

const distribute = "schema/citus_%04d.sql"

// migrationLock is the advisory lock that nodes take in turn when they start together: "terse" in
// ASCII.
const migrationLock int64 = 0x7465727365

// migrate brings the schema up to date, in one transaction, and finds out whether the tables are
// distributed.
func (s *Store) migrate(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock)
		if err != nil {
			return err
		}
		var citus bool
		const hasCitus = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"
		if err := tx.QueryRow(ctx, hasCitus).Scan(&citus); err != nil {
			return err
		}
		if err := s.takeSteps(ctx, tx, citus); err != nil {
			return err
		}
		if !citus {
			return nil
		}
		if s.citus, err = isDistributed(ctx, tx); err == nil && !s.citus {
			s.log.Warn("the database has the extension citus, which came after the tables: they " +
				"are not distributed; docs/scale-out.md says how to distribute them now")
		}
		return err
	})
}

func isDistributed(ctx context.Context, tx pgx.Tx) (distributed bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (
		SELECT FROM pg_dist_partition WHERE logicalrelid = 'links'::regclass AND partmethod = 'h')`,
	).Scan(&distributed)
	return distributed, err
}

// takeSteps runs the scripts that were not applied yet.
func (s *Store) takeSteps(ctx context.Context, tx pgx.Tx, citus bool) error {
	steps, err := fs.Glob(s.migrations, "schema/0*.sql")
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS terse_migrations (
		version integer PRIMARY KEY, at bigint NOT NULL)`); err != nil {
		return err
	}
	if version > len(steps) {
		return fmt.Errorf(
			"its schema has version %d, this program knows %d: it was written by a later version",
			version, len(steps))
	}
	for ; version < len(steps); version++ {
		if err := s.runScript(ctx, tx, steps[version]); err != nil {
			return err
		}
		if citus {
			if err := s.distributeStep(ctx, tx, version+1); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "INSERT INTO terse_migrations (version, at) VALUES ($1, $2)",
			version+1, time.Now().UnixMicro()); err != nil {
			return err
		}
	}
	return nil
}

// distributeStep distributes the tables of a step, if it has any that do not stay on the
// coordinator. If the tables of the first step were created before the extension, it distributes no
// others.
func (s *Store) distributeStep(ctx context.Context, tx pgx.Tx, step int) error {
	script := fmt.Sprintf(distribute, step)
	if _, err := fs.Stat(s.migrations, script); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if step > 1 {
		if distributed, err := isDistributed(ctx, tx); err != nil || !distributed {
			return err
		}
	}
	return s.runScript(ctx, tx, script)
}

// schemaVersion returns the number of steps that were applied, from the table terse_migrations,
// which also marks the database as terse's. Versions before the first release stored it elsewhere;
// only they have a sequence link_ids without this table.
func schemaVersion(ctx context.Context, tx pgx.Tx) (version int, err error) {
	var encoding string
	var fresh, earlier bool
	err = tx.QueryRow(ctx, `SELECT current_setting('server_encoding'),
		to_regclass('terse_migrations') IS NULL, to_regclass('link_ids') IS NOT NULL`).
		Scan(&encoding, &fresh, &earlier)
	switch {
	case err != nil:
		return 0, err
	case encoding != "UTF8":
		return 0, fmt.Errorf("its encoding is %s, it must be UTF8", encoding)
	case fresh && earlier:
		return 0, errors.New("it was made by a version before the first release, which this one " +
			"can't read: create another database to start with a new one")
	case fresh:
		return 0, nil
	}
	err = tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM terse_migrations").Scan(&version)
	return version, err
}

// Name tells the database from others. It stays the same when the database is dumped and restored,
// also under another name or on another server.
func (s *Store) Name(ctx context.Context) (name string, err error) {
	err = again(ctx, func() (err error) {
		name, err = databaseName(ctx, s.pool)
		return err
	})
	return name, wrap(err, "read when the database was made")
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// databaseName is Name: the microsecond of the first migration.
func databaseName(ctx context.Context, q querier) (string, error) {
	var at int64
	err := q.QueryRow(ctx, "SELECT at FROM terse_migrations WHERE version = 1").Scan(&at)
	return fmt.Sprintf("postgres %d", at), err
}

// runScript runs the statements of a script one by one: Citus passes the whole text of a query that
// creates an index to its workers.
func (s *Store) runScript(ctx context.Context, tx pgx.Tx, name string) error {
	script, err := fs.ReadFile(s.migrations, name)
	if err != nil {
		return err
	}
	for statement := range strings.SplitAfterSeq(string(script), ";\n") {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
