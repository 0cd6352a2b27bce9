package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	//nolint:depguard // creates empty databases, and queries their size
	"github.com/jackc/pgx/v5"

	"terse/internal/tests/pgtest"
)

// store is a kind of database.
type store string

const (
	sqlite   store = "SQLite"
	postgres store = "PostgreSQL"
	citus    store = "Citus"
)

// notMeasuredError is the reason why there is no figure.
type notMeasuredError string

func (n notMeasuredError) Error() string { return "not measured: " + string(n) }

// newDatabase creates an empty database, for kinds that have an address. It is deleted at the end
// of the scenario. PostgreSQL runs on the load's core, not on the servers'.
func (b *bench) newDatabase(ctx context.Context, kind store) (address string, err error) {
	b.databases++
	name := fmt.Sprintf("bench_%d_%d", os.Getpid(), b.databases)
	if kind == citus {
		return b.newSchema(ctx, name)
	}
	if b.postgres == nil {
		if b.postgres, err = pgtest.New(); err != nil {
			return "", err
		}
	}
	return b.postgres.URL(name), onDatabase(ctx, b.postgres.URL("postgres"),
		func(conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "CREATE DATABASE "+name)
			return err
		})
}

// newSchema creates an empty schema with eight shards for each table, in a database with an
// existing cluster.
func (b *bench) newSchema(ctx context.Context, name string) (address string, err error) {
	address = os.Getenv(pgtest.CitusVariable)
	if address == "" {
		return "", notMeasuredError("no Citus")
	}
	do := func(sql string) error {
		return onDatabase(ctx, address, func(conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, sql)
			return err
		})
	}
	b.leftovers = append(b.leftovers, func() error {
		return do("DROP SCHEMA IF EXISTS " + name + " CASCADE")
	})
	sign := "?"
	if strings.Contains(address, "?") {
		sign = "&"
	}
	return address + sign + "citus.shard_count=8&search_path=" + name, do("CREATE SCHEMA " + name)
}

func onDatabase(ctx context.Context, address string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(do(conn), conn.Close(ctx))
}

// bytes returns the size of a database whose server has stopped.
func (d *data) bytes(ctx context.Context) (n int64, err error) {
	if d.url != "" {
		err = onDatabase(ctx, d.url, func(conn *pgx.Conn) error {
			return conn.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&n)
		})
		return n, err
	}
	files, err := filepath.Glob(filepath.Join(d.dir, "terse.db*"))
	for _, file := range files {
		info, statErr := os.Stat(file)
		if err = errors.Join(err, statErr); err == nil {
			n += info.Size()
		}
	}
	return n, err
}
