package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	//nolint:depguard // seeds and counts what no interface of the server would in this time
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"terse/internal/pgtest"
)

// onPostgres has the same load on a server with PostgreSQL and on one with SQLite. PostgreSQL runs
// beside the load, not beside the server: at full load it takes the load's core, and the other
// server gets a PostgreSQL that is as busy with something else, too.
func (b *bench) onPostgres(ctx context.Context) (_ []row, err error) {
	database, err := pgtest.New()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, database.Remove()) }()
	url := database.URL("postgres")
	ours, err := b.startOnPostgres(ctx, url)
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
		server.owed = hotLinks
	}
	var rows []row
	for _, load := range []struct {
		name, mode string
		beside     func(context.Context) error
		rate, cpu  *bar
	}{
		{"full load, beside SQLite", known, nil, nil, nil},
		{
			"full load, beside SQLite and a PostgreSQL that is as busy", known,
			func(ctx context.Context) error { return keepBusy(ctx, url) }, atLeast(0.95),
			atMost(1.05, ""),
		},
		{"a quarter of it, beside SQLite", calm, nil, nil, atMost(1.05, "")},
	} {
		name := "on PostgreSQL, " + load.name
		loaded := other.under(load.mode, hotLinks)
		loaded.beside = load.beside
		of, beside, err := b.interleave(ctx, name, ours.under(load.mode, hotLinks), loaded)
		if err != nil {
			return nil, err
		}
		ours.owed, other.owed = ours.owed+of.requests, other.owed+beside.requests
		rows = append(rows,
			compared(name, "requests/s", whole, of.rate, beside.rate, load.rate),
			compared("", "CPU µs/request under load", ratio, of.cpu, beside.cpu, load.cpu),
			compared("", "CPU µs/request until all is counted", ratio, of.allCPU, beside.allCPU,
				nil),
			compared("", "latency p50, µs", whole, of.p50, beside.p50, nil),
			compared("", "latency p99, µs", whole, of.p99, beside.p99, nil),
		)
	}
	return rows, errors.Join(ours.prove(ctx), other.prove(ctx))
}

// busyWork is what a batch of clicks is for PostgreSQL: it changes most rows of a table that is
// like link_clicks, found by their index.
const busyWork = `UPDATE busy SET clicks = busy.clicks + 1,
	recent = busy.recent || '\x0102030405060708090a0b0c'
	FROM (SELECT code, link_id FROM link_clicks WHERE link_id % 8 < 7 ORDER BY code) AS n
	WHERE busy.code = n.code AND busy.link_id = n.link_id`

// keepBusy has PostgreSQL do that as often as a server has batches, until the context ends.
func keepBusy(ctx context.Context, url string) error {
	lasting := context.WithoutCancel(ctx) // what is begun is done
	return onDatabase(lasting, url, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(lasting,
			"SET enable_hashjoin = off; SET enable_mergejoin = off"); err != nil {
			return err
		}
		batch := time.NewTicker(1200 * time.Millisecond)
		defer batch.Stop()
		for {
			select {
			case <-batch.C:
				if _, err := conn.Exec(lasting, busyWork); err != nil {
					return err
				}
			case <-ctx.Done():
				return nil
			}
		}
	})
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
			return conn.QueryRow(ctx,
				"SELECT coalesce(sum(clicks), 0)::bigint FROM link_clicks WHERE link_id > 0").Scan(
				&clicks)
		})
		return clicks, err
	}
	none := func() (int64, error) { return 0, nil } // there are no tables yet
	s, err := b.startCounted(ctx, data, none, "DATABASE_URL="+url)
	if err != nil {
		return nil, err
	}
	s.count = count
	if err := onDatabase(ctx, url,
		func(conn *pgx.Conn) error { return seedPostgres(ctx, conn) }); err != nil {
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
		"INSERT INTO link_clicks (code, link_id) SELECT code, id FROM links",
		fmt.Sprintf("INSERT INTO owners (owner, slot, links) VALUES ('authenticated-user', 0, %d)",
			hotLinks),
		fmt.Sprintf("SELECT setval('link_ids', %d)", hotLinks),
		"CREATE TABLE busy (LIKE link_clicks INCLUDING ALL) WITH (fillfactor = 70)",
		"INSERT INTO busy (code, link_id) SELECT code, id FROM links",
		"ANALYZE",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}
