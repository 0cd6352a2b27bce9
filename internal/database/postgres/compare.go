package postgres

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"math/bits"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse/internal/link/derive"
	"terse/internal/link/linkset"
)

// comparingTime bounds each statement of a comparison, of which some sort a table.
const comparingTime = 10 * time.Minute

// Compare connects to the database at an address, and compares the rows beside links with those
// that follow from the links. It changes nothing. The database must have the schema of this
// version.
func Compare(ctx context.Context, url string, o derive.Options) (*derive.Found, error) {
	s := &Store{log: slog.New(slog.DiscardHandler)}
	config, err := s.config(url)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.OnPgError = nil // it is for the pool
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // the server notices either way
	found, err := compareOn(ctx, conn, o)
	if err != nil {
		return nil, fmt.Errorf("compare rows: %w", err)
	}
	return found, nil
}

// compareOn compares in one snapshot. On Citus each server's is another one, so what seems to
// differ there is compared twice.
func compareOn(ctx context.Context, conn *pgx.Conn, o derive.Options) (*derive.Found, error) {
	found, err := compare(ctx, conn, o)
	if err != nil || len(found.Kinds) == 0 {
		return found, err
	}
	var citus bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')").
		Scan(&citus)
	if err != nil || !citus {
		return found, err
	}
	again, err := compare(ctx, conn, o)
	if err != nil {
		return nil, err
	}
	return found.Within(again), nil
}

func compare(ctx context.Context, conn *pgx.Conn, o derive.Options) (
	found *derive.Found, err error,
) {
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{
		IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly,
	}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT set_config('statement_timeout', $1, true)",
			millis(comparingTime))
		if err == nil {
			found, err = derive.Compare((&besides{ctx: ctx, tx: tx}).rows(), o)
		}
		return err
	})
	return found, err
}

// besides reads tables in turns.
type besides struct {
	ctx     context.Context
	tx      pgx.Tx
	cursors int
}

// rows returns the rows of links, and those that follow from them.
func (b *besides) rows() derive.Rows {
	return derive.Rows{
		Links: rowsOf(b, `SELECT id, code, created_by, created_at, options, used, open_until, tags,
			status, since, until, archived FROM links ORDER BY id`, linkOf),
		Sets: rowsOf(b, "SELECT owner, name, id_range, links FROM link_sets ORDER BY id_range",
			func(row pgx.CollectableRow) (s derive.Set, err error) {
				var number int64
				var links pgtype.Bits
				err = row.Scan(&s.Owner, &s.Name, &number, &links)
				s.From = number << linkset.RangeBits
				for at := s.From >> 6; len(links.Bytes) >= 8; at++ {
					// The first ID is the highest bit.
					word := bits.Reverse64(binary.BigEndian.Uint64(links.Bytes))
					if links.Bytes = links.Bytes[8:]; word != 0 {
						s.Links = append(s.Links, linkset.Word{At: at, Bits: word})
					}
				}
				return s, err
			}),
		Ranges: rowsOf(b, "SELECT owner, id_range, links, first, last FROM link_ranges "+
			"ORDER BY id_range", func(row pgx.CollectableRow) (r derive.Range, err error) {
			err = row.Scan(&r.Owner, &r.Number, &r.Links, &r.First, &r.Last)
			return r, err
		}),
		Aliases: rowsOf(b, "SELECT address, folded, link_id FROM aliases ORDER BY link_id",
			func(row pgx.CollectableRow) (a derive.Alias, err error) {
				err = row.Scan(&a.Address, &a.Folded, &a.Link)
				return a, err
			}),
		Owned: []iter.Seq2[derive.Owned, error]{
			b.ownedBy("a former code", false, "SELECT link_id, '', '' FROM former_codes "+
				"ORDER BY link_id"),
			b.ownedBy("a share", false, "SELECT link_id, code, owner FROM shares "+
				"WHERE link_id <> 0 ORDER BY link_id"),
			b.ownedBy("history", false, "SELECT DISTINCT link_id, code, '' FROM link_changes "+
				"ORDER BY link_id"),
			b.ownedBy("a tombstone", true, "SELECT link_id, '', '' FROM tombstones WHERE deleted "+
				"ORDER BY link_id"),
		},
		Tags: rowsOf(b, "SELECT owner, tag, name, links FROM tags",
			func(row pgx.CollectableRow) (t derive.Tag, err error) {
				err = row.Scan(&t.Owner, &t.Folded, &t.Name, &t.Links)
				return t, err
			}),
	}
}

// ownedBy returns rows that belong to links, by a query for links, codes and owners.
func (b *besides) ownedBy(what string, buries bool, sql string) iter.Seq2[derive.Owned, error] {
	return rowsOf(b, sql, func(row pgx.CollectableRow) (r derive.Owned, err error) {
		r.What, r.Buries = what, buries
		err = row.Scan(&r.Link, &r.Code, &r.Owner)
		return r, err
	})
}

// fetched is how many rows are in memory at a time. The options of a link take up to 200 KB.
const fetched = 200

// rowsOf returns the rows that a query finds, by a cursor: several are read in turns.
func rowsOf[T any](b *besides, sql string, read pgx.RowToFunc[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		b.cursors++
		name := fmt.Sprint("rows", b.cursors)
		_, err := b.tx.Exec(b.ctx, "DECLARE "+name+" NO SCROLL CURSOR FOR "+sql)
		for err == nil {
			rows, _ := b.tx.Query(b.ctx, fmt.Sprintf("FETCH %d FROM %s", fetched, name))
			var some []T
			some, err = pgx.CollectRows(rows, read)
			for _, row := range some {
				if err == nil && !yield(row, nil) {
					return
				}
			}
			if len(some) < fetched {
				break
			}
		}
		if err != nil {
			yield(*new(T), err)
		}
	}
}

func linkOf(row pgx.CollectableRow) (l derive.Link, err error) {
	var tags string
	var openUntil int64
	var since, until *int64
	err = row.Scan(&l.ID, &l.Code, &l.Owner, &l.CreatedAt, &l.Options, &l.Used, &openUntil, &tags,
		&l.Status, &since, &until, &l.Archived)
	if l.HasTags = true; tags != "" {
		l.Tags = strings.Split(tags, "\n")
	}
	if l.Since = math.MinInt64; since != nil {
		l.Since = *since
	}
	if l.Until = math.MaxInt64; until != nil {
		l.Until = *until
	}
	l.Columns = []derive.Column{{Name: derive.OpenUntil, Value: openUntil}}
	return l, err
}
