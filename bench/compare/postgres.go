package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	//nolint:depguard // seeds and counts what no interface of the server would in this time
	"github.com/jackc/pgx/v5"

	"terse/internal/clickstore"
	"terse/internal/pgtest"
	"terse/internal/postgres/rows"
)

// onPostgres has the same load on a server with PostgreSQL and on one with SQLite. PostgreSQL runs
// beside the load, not beside the server. At full load it takes some of the load's core, so that
// only a quarter of it can be judged.
func (b *bench) onPostgres(ctx context.Context) (_ []row, err error) {
	database, err := pgtest.New()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.finish(ctx), database.Remove()) }()
	ours, err := b.startOnPostgres(ctx, database.URL("postgres"))
	if err != nil {
		return nil, err
	}
	other, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	const fill = 10 * time.Second // brings all links to the cache
	for _, server := range []*terseServer{ours, other} {
		r, err := b.wrk(ctx, server.process, each, hotLinks, fill)
		if err != nil || r.requests < hotLinks {
			return nil, fmt.Errorf("%d links asked for to fill the cache: %w", r.requests, err)
		}
	}
	var rows []row
	for _, load := range []struct {
		name, mode string
		to         bars
	}{{"full load", known, bars{}}, {"a quarter of it", calm, bars{cpu: atMost(1.05, "")}}} {
		of, beside, err := b.interleave(ctx, target{ours, load.mode, hotLinks},
			target{other, load.mode, hotLinks})
		if err != nil {
			return nil, err
		}
		name := "on PostgreSQL, " + load.name + ", beside SQLite"
		rows = append(rows, of.rows(name, beside, load.to)...)
	}
	return rows, nil
}

// startOnPostgres starts the server on a PostgreSQL database, and gives that hotLinks.
func (b *bench) startOnPostgres(ctx context.Context, url string) (*terseServer, error) {
	data, err := b.workFolder()
	if err != nil {
		return nil, err
	}
	s, err := b.startEmpty(ctx, data, "DATABASE_URL="+url)
	if err != nil {
		return nil, err
	}
	s.count = func() (clicks int64, err error) {
		err = onDatabase(ctx, url, func(conn *pgx.Conn) error {
			return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
				owner, err := rows.Owner(ctx, tx, "authenticated-user")
				if err != nil {
					return err
				}
				all, err := clickstore.NewTotalReader(rows.NewReader(ctx, tx)).Of(owner.Link())
				clicks = all.Clicks
				return err
			})
		})
		return clicks, err
	}
	return s, onDatabase(ctx, url,
		func(conn *pgx.Conn) error { return seedPostgres(ctx, conn) })
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
		return []any{
			codeOf(i + 1), int64(i + 1), urlOf(i + 1), "authenticated-user",
			int64(1700000000000000 + i),
		}, nil
	})
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"links"},
		[]string{"code", "id", "url", "created_by", "created_at"}, links); err != nil {
		return err
	}
	for _, sql := range []string{
		fmt.Sprintf("INSERT INTO owners (owner, slot, links) VALUES ('authenticated-user', 0, %d)",
			hotLinks),
		`INSERT INTO link_ranges
			SELECT created_by, id >> 10, 0, count(*), min(created_at), max(created_at)
			FROM links GROUP BY created_by, id >> 10`,
		fmt.Sprintf("SELECT setval('link_ids', %d)", hotLinks),
		"ANALYZE",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}
