package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	//nolint:depguard // seeds and counts what no interface of the server would in this time
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex" //nolint:depguard // as above

	store "terse/internal/sqlite"
)

const (
	alphabet   = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	codeLength = 7
	codeValues = 62 * 62 * 62 * 62 * 62 * 62 * 62

	// multiplier spreads the codes over all values: it has no factor in common with their number,
	// so that no code comes twice. Its product with maxLinks is below 2^53, which a number in Lua
	// holds exactly.
	multiplier = 800_000_011
	maxLinks   = 10_000_000
)

// codeOf returns the code of the i-th link, from 1 to maxLinks: 7 characters that look random. That
// they follow from i lets the load generator ask for any of 10,000,000 without a table.
func codeOf(i int) string {
	var code [codeLength]byte
	v := int64(i) * multiplier % codeValues
	for at := codeLength - 1; at >= 0; at-- {
		code[at] = alphabet[v%62]
		v /= 62
	}
	return string(code[:])
}

// urlOf returns the URL of the i-th link, of about 60 bytes.
func urlOf(i int) string {
	return fmt.Sprintf("https://example.com/some/longer/path/of/a/page?article=%d", i)
}

const seedLinks = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
	INSERT INTO links (code, url, created_at, created_by)
	SELECT code_of(i), url_of(i), 1700000000000000 + i, 'authenticated-user' FROM n`

// dataFolder makes a data folder with a database of n links.
func (b *bench) dataFolder(ctx context.Context, n int) (string, error) {
	seeded := filepath.Join(b.dir, fmt.Sprintf("links-%d", n)) // made once a run
	if _, err := os.Stat(seeded); errors.Is(err, fs.ErrNotExist) {
		if err := seed(ctx, seeded, n); err != nil {
			return "", fmt.Errorf("seed %d links: %w", n, err)
		}
	}
	dir, err := b.workFolder()
	if err != nil {
		return "", err
	}
	return dir, copyFile(filepath.Join(dir, "terse.db"), filepath.Join(seeded, "terse.db"))
}

// seed lets the store make its schema, and adds the links.
func seed(ctx context.Context, dir string, n int) error {
	say("seeding %d links", n)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := withStore(ctx, dir, func(*store.Store) error { return nil }); err != nil {
		return err
	}
	return addLinks(ctx, dir, n)
}

func withStore(ctx context.Context, data string, do func(*store.Store) error) error {
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(data, "terse.db")})
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

func addLinks(ctx context.Context, dir string, n int) error {
	return withDatabase(dir, sqlite.OpenReadWrite, func(conn *sqlite.Conn) error {
		conn.SetInterrupt(ctx.Done())
		for name, of := range map[string]func(int) string{"code_of": codeOf, "url_of": urlOf} {
			if err := conn.CreateFunction(name, &sqlite.FunctionImpl{
				NArgs: 1, Deterministic: true,
				Scalar: func(_ sqlite.Context, args []sqlite.Value) (sqlite.Value, error) {
					return sqlite.TextValue(of(args[0].Int())), nil
				},
			}); err != nil {
				return err
			}
		}
		// 1 GiB of page cache: codes come in no order, so that all of their index is written to all
		// the time.
		for _, sql := range []string{"PRAGMA cache_size = -1048576", "PRAGMA synchronous = OFF"} {
			if err := sqlitex.ExecuteTransient(conn, sql, nil); err != nil {
				return err
			}
		}
		if err := sqlitex.ExecuteTransient(conn, seedLinks,
			&sqlitex.ExecOptions{Args: []any{n}}); err != nil {
			return err
		}
		return sqlitex.ExecuteTransient(conn, "PRAGMA wal_checkpoint(TRUNCATE)", nil)
	})
}

// withDatabase opens the database of a data folder whose server does not run.
func withDatabase(dir string, flags sqlite.OpenFlags, do func(*sqlite.Conn) error) error {
	conn, err := sqlite.OpenConn(filepath.Join(dir, "terse.db"), flags)
	if err != nil {
		return err
	}
	return errors.Join(do(conn), conn.Close())
}

// countAll adds up what the view link_clicks tells link by link, which takes minutes for 1,000,000
// of them.
const countAll = `SELECT (SELECT coalesce(sum(value), 0) 
	FROM click_totals, json_each(click_totals.clicks) WHERE click_totals.id >= 0),
	(SELECT coalesce(sum(links), 0) FROM owners)`

// counted returns how many clicks and links a data folder's database has, 0 when there is no
// database.
func counted(dir string) (clicks, links int64, err error) {
	if _, err := os.Stat(filepath.Join(dir, "terse.db")); errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	err = withDatabase(dir, sqlite.OpenReadWrite, func(conn *sqlite.Conn) error {
		return sqlitex.ExecuteTransient(conn, countAll,
			&sqlitex.ExecOptions{ResultFunc: func(row *sqlite.Stmt) error {
				clicks, links = row.ColumnInt64(0), row.ColumnInt64(1)
				return nil
			}})
	})
	return clicks, links, err
}

func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// mapFile returns the links as lines of nginx's map.
func mapFile(n int) []byte {
	var lines bytes.Buffer
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&lines, "/%s %s;\n", codeOf(i), urlOf(i))
	}
	return lines.Bytes()
}
