package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5" //nolint:depguard // seeds and counts what no interface of the server would in this time
	"golang.org/x/sync/errgroup"

	"terse/internal/pgtest"
)

// onPostgres has the same load on a server with PostgreSQL and on one with SQLite. PostgreSQL runs beside the load, not beside the server.
func (b *bench) onPostgres(ctx context.Context) (_ []row, err error) {
	database, err := pgtest.New()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, database.Remove()) }()
	ours, err := b.startOnPostgres(ctx, database.URL("postgres"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ours.remove()) }()
	other, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, other.remove()) }()
	for _, server := range []*terseServer{ours, other} {
		if err := followAll(server.addr); err != nil {
			return nil, fmt.Errorf("fill the cache: %w", err)
		}
	}
	ours.owed, other.owed = hotLinks, hotLinks
	var rows []row
	for _, load := range []struct{ mode, name string }{{known, "full load"}, {calm, "a third of it"}} {
		name := "on PostgreSQL, beside terse on SQLite, " + load.name
		of, beside, err := b.interleave(ctx, name, ours.under(load.mode, hotLinks), other.under(load.mode, hotLinks))
		if err != nil {
			return nil, err
		}
		ours.owed, other.owed = ours.owed+of.requests, other.owed+beside.requests
		rows = append(rows,
			compared(name, "requests/s", whole, of.rate, beside.rate, nil),
			compared("", "CPU µs/request under load", ratio, of.cpu, beside.cpu, atMost(1.05, "")),
			compared("", "CPU µs/request until all is counted", ratio, of.allCPU, beside.allCPU, nil),
			compared("", "latency p50, µs", whole, of.p50, beside.p50, nil),
			compared("", "latency p99, µs", whole, of.p99, beside.p99, nil),
			compared("", "share of its core, %", percent, of.busy, beside.busy, nil),
		)
	}
	_, most, err := ours.memory()
	_, mostOther, otherErr := other.memory()
	rows = append(rows, row{"", "most RSS, MiB", whole(most), whole(mostOther), ratio(most / mostOther), "", ""})
	return rows, errors.Join(err, otherErr, ours.prove(ctx), other.prove(ctx))
}

// followAll follows each link once, so that all are in the cache.
func followAll(addr string) error {
	var all errgroup.Group
	for first := range connections {
		all.Go(func() error {
			c := newClient(addr, drainTimeout)
			defer c.close()
			for i := first; i < hotLinks; i += connections {
				if err := c.redirect(codeOf(i + 1)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all.Wait()
}

// startOnPostgres starts the server on a PostgreSQL database, and gives that hotLinks.
func (b *bench) startOnPostgres(ctx context.Context, url string) (*terseServer, error) {
	data, err := os.MkdirTemp(b.dir, "data-")
	if err != nil {
		return nil, err
	}
	count := func() (clicks int64, err error) {
		err = onDatabase(ctx, url, func(conn *pgx.Conn) error {
			return conn.QueryRow(ctx, "SELECT coalesce(sum(clicks), 0)::bigint FROM link_clicks WHERE link_id > 0").Scan(&clicks)
		})
		return clicks, err
	}
	none := func() (int64, error) { return 0, nil } // there are no tables yet
	s, err := b.startCounted(ctx, data, none, "DATABASE_URL="+url)
	if err != nil {
		return nil, err
	}
	s.count = count
	if err := onDatabase(ctx, url, func(conn *pgx.Conn) error { return seedPostgres(ctx, conn) }); err != nil {
		return nil, errors.Join(fmt.Errorf("seed: %w", err), s.remove())
	}
	return s, nil
}

func onDatabase(ctx context.Context, url string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(do(conn), conn.Close(ctx))
}

func seedPostgres(ctx context.Context, conn *pgx.Conn) error {
	links := pgx.CopyFromSlice(hotLinks, func(i int) ([]any, error) {
		return []any{codeOf(i + 1), int64(i + 1), urlOf(i + 1), "authenticated-user", int64(1700000000000000 + i)}, nil
	})
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"links"}, []string{"code", "id", "url", "created_by", "created_at"}, links); err != nil {
		return err
	}
	for _, sql := range []string{
		"INSERT INTO link_clicks (code, link_id) SELECT code, id FROM links",
		fmt.Sprintf("INSERT INTO owners (owner, slot, links) VALUES ('authenticated-user', 0, %d)", hotLinks),
		fmt.Sprintf("SELECT setval('link_ids', %d)", hotLinks),
		"ANALYZE",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}
