package database

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// The time to connect to each server of an address that does not set it, and to close.
const (
	connectTimeout = 10 * time.Second
	closeTimeout   = time.Second
)

// settings are those of the transaction. A statement may take an hour, which is enough for a table
// of many million rows. Values come as texts, the same for every server. Rows that a policy hides
// are an error, and policies run nothing. Views and foreign tables are expanded by no server that
// can refuse it (since August 2024).
const settings = `SELECT set_config(name, value, true) FROM pg_settings JOIN (VALUES
	('statement_timeout', '3600000'), ('lock_timeout', '60000'),
	('timezone', 'UTC'), ('datestyle', 'ISO'), ('row_security', 'off'),
	('restrict_nonsystem_relation_kind', 'view, foreign-table')) wanted(parameter, value)
	ON parameter = lower(name)`

type postgresDatabase struct {
	conn *pgx.Conn
	tx   pgx.Tx
}

// errAddress does not quote the address. Its password may have characters that end it too early.
var errAddress = errors.New("SOURCE is no address of a PostgreSQL database, such as " +
	"postgres://user:password@host:5432/database, with other characters as %40 for @")

func openPostgres(ctx context.Context, address string) (_ engine, err error) {
	config, err := pgx.ParseConfig(address)
	_, name, _ := strings.Cut(address, "://")
	host, name, _ := strings.Cut(name, "/")
	if err != nil || strings.Count(host, "@") > 1 || strings.Contains(name, "@") {
		return nil, errAddress
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // all values as texts; fit for poolers
	config.MaxProtocolMessageBodyLen = maxValue
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	d := postgresDatabase{}
	if d.conn, err = pgx.ConnectConfig(ctx, config); err != nil {
		return nil, err
	}
	d.tx, err = d.conn.BeginTx(ctx, pgx.TxOptions{
		IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly,
	})
	if err == nil {
		_, err = d.tx.Exec(ctx, settings)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// columns implements engine. Views have none.
func (d postgresDatabase) columns(ctx context.Context, f func(table, column string)) error {
	return d.query(ctx, `SELECT relname, attname FROM pg_catalog.pg_class
		JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid
		WHERE relkind IN ('r', 'p') AND pg_catalog.pg_table_is_visible(pg_class.oid)
			AND attnum > 0 AND NOT attisdropped ORDER BY relname, attnum`, nil,
		func(r *Row) error {
			f(r.Text(0), r.Text(1))
			return nil
		})
}

// query implements engine.
func (d postgresDatabase) query(
	ctx context.Context, query string, args []any, f func(*Row) error,
) error {
	rows, err := d.tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		values := rows.RawValues()
		err := f(&Row{
			text: func(i int) string { return string(values[i]) },
			null: func(i int) bool { return values[i] == nil },
		})
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// close implements engine. It waits for no rows that are still to come.
func (d postgresDatabase) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return d.conn.Close(ctx)
}
