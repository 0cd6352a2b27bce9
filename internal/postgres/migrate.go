package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse/internal/postgres/dialect"
)

//go:embed schema/*.sql
var schema embed.FS

// distribute has the tables of a step distributed, where there is the extension citus.
const distribute = "schema/citus_%04d.sql"

// migrationLock is the advisory lock that nodes which start together take in turn: "terse" in
// ASCII.
const migrationLock int64 = 0x7465727365

// migrate brings the schema up to date, in one transaction, and finds the engine's dialect.
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
		if err := takeSteps(ctx, tx, citus); err != nil {
			return err
		}
		s.dialect = dialect.PostgreSQL
		if citus {
			return s.chooseDialect(ctx, tx)
		}
		return nil
	})
}

// chooseDialect looks at whether the tables are distributed.
func (s *Store) chooseDialect(ctx context.Context, tx pgx.Tx) error {
	distributed, err := isDistributed(ctx, tx)
	if err != nil {
		return err
	}
	if distributed {
		s.dialect = dialect.Citus
		return nil
	}
	s.log.Warn("the database has the extension citus, but its tables are not distributed: " +
		"the extension came after them; docs/scale-out.md says how to distribute them now")
	return nil
}

func isDistributed(ctx context.Context, tx pgx.Tx) (distributed bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (
		SELECT FROM pg_dist_partition WHERE logicalrelid = 'links'::regclass AND partmethod = 'h')`,
	).Scan(&distributed)
	return distributed, err
}

// takeSteps runs the scripts that a database has not seen yet.
func takeSteps(ctx context.Context, tx pgx.Tx, citus bool) error {
	steps, err := fs.Glob(schema, "schema/0*.sql")
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	if version > len(steps) {
		return fmt.Errorf(
			"its schema has version %d, this program knows %d: it was written by a later version",
			version, len(steps))
	}
	for ; version < len(steps); version++ {
		if err := runScript(ctx, tx, steps[version]); err != nil {
			return err
		}
		if citus {
			if err := distributeStep(ctx, tx, version+1); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "INSERT INTO schema_migrations (version, at) VALUES ($1, $2)",
			version+1, time.Now().UnixMicro()); err != nil {
			return err
		}
	}
	return nil
}

// distributeStep distributes the tables of a step. Those of the first may have come before the
// extension: then no others are distributed.
func distributeStep(ctx context.Context, tx pgx.Tx, step int) error {
	if step > 1 {
		if distributed, err := isDistributed(ctx, tx); err != nil || !distributed {
			return err
		}
	}
	return runScript(ctx, tx, fmt.Sprintf(distribute, step))
}

// schemaVersion returns how many steps the database has taken.
func schemaVersion(ctx context.Context, tx pgx.Tx) (version int, err error) {
	var encoding string
	err = tx.QueryRow(ctx, "SELECT current_setting('server_encoding')").Scan(&encoding)
	if err != nil {
		return 0, err
	}
	if encoding != "UTF8" {
		return 0, fmt.Errorf("its encoding is %s, it must be UTF8", encoding)
	}
	if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS schema_migrations (
		version integer PRIMARY KEY, at bigint NOT NULL)`); err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM schema_migrations").Scan(&version)
	return version, err
}

// runScript runs the statements of a script, each by itself: Citus hands its workers the whole text
// of a query in which an index is made.
func runScript(ctx context.Context, tx pgx.Tx, name string) error {
	script, err := schema.ReadFile(name)
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
