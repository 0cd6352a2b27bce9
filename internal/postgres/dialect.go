package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// dialect is the statements that differ by engine. Rows and keys are sorted by code.
type dialect struct {
	// settings, for a transaction that counts clicks, have the planner look links up in the order
	// in which they are given, whatever it knows of the tables: that is the order in which they are
	// locked. Empty: the engine has none.
	settings string
	// shardsOf returns the shards of link_clicks that codes belong to. Empty: there are none.
	shardsOf string
	clickStatements

	// insertLinks inserts the links whose codes are free, adds them to their owners' totals, and
	// returns their IDs.
	insertLinks func(context.Context, *Store, *newRows) (made []int64, err error)
	// deleteLinks deletes links with all that belongs to them, takes them off their owners' totals,
	// tells the other nodes, and reports for each whether there was one.
	deleteLinks  func(context.Context, *Store, []key) (deleted []bool, err error)
	insertBlocks func(context.Context, pgx.Tx, *blockColumns) error
	storeDays    func(context.Context, pgx.Tx, *dayColumns) error
}

// postgresql looks links up one by one, as they come.
var postgresql = dialect{
	settings: `SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
		SET LOCAL enable_mergejoin = off; SET LOCAL enable_material = off;
		SET LOCAL enable_sort = off; SET LOCAL jit = off;
		SET LOCAL plan_cache_mode = force_generic_plan`,
	clickStatements: joinedOn("c.code = n.code AND c.link_id = n.link_id"),
	insertLinks:     insertLinksAtOnce,
	deleteLinks:     deleteLinksInOrder,
	insertBlocks:    insertBlocksAtOnce,
	storeDays:       storeDaysAtOnce,
}

// citus is for tables that the extension Citus distributes:
//
//   - It sends a statement to those shards only that an equation with the codes leaves. A shard
//     looks all codes up in its index, in order, and joins what it finds with what was given.
//   - It can't distribute a generic plan. It passes on SET LOCAL to the workers, and no set_config.
//   - It writes the rows of an INSERT … SELECT into each shard over a new connection, and those
//     of VALUES over the connections that it has.
var citus = dialect{
	settings: `SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
		SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off;
		SET LOCAL enable_material = off; SET LOCAL enable_sort = off; SET LOCAL jit = off`,
	shardsOf: `SELECT get_shard_id_for_distribution_column('link_clicks', code)
		FROM unnest($1::text[]) AS code`,
	clickStatements: joinedOn("c.code = n.code AND c.link_id = n.link_id AND c.code = ANY($1)"),
	insertLinks:     insertLinkRows,
	deleteLinks:     deleteLinkSets,
	insertBlocks:    insertBlockRows,
	storeDays:       storeDayRows,
}

// clickStatements join rows with those that arrays describe, of which the first two are codes and
// IDs.
type clickStatements struct {
	addToLinks, selectRecent, takeBlocks, selectDays, emptyRecent string
}

func joinedOn(same string) clickStatements {
	return clickStatements{
		addToLinks: fmt.Sprintf(`
			WITH counted AS (
				UPDATE link_clicks AS c
				SET clicks = c.clicks + n.clicks, loose = c.loose + n.loose, recent = c.recent || n.recent
				FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::bytea[])
					AS n(code, link_id, place, clicks, loose, recent)
				WHERE %[3]s
				RETURNING n.place, c.loose, octet_length(c.recent) AS bytes
			)
			SELECT count(*), array_agg(place) FILTER (WHERE loose <= %[1]d AND bytes > %[2]d),
				array_agg(place) FILTER (WHERE loose > %[1]d),
				CASE WHEN count(*) < cardinality($1::text[]) THEN array_agg(place) END
			FROM counted`, maxLoose, maxRecentBytes, same),
		selectRecent: `
			SELECT n.place, c.recent
			FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, place)
			JOIN link_clicks AS c ON ` + same,
		takeBlocks: `
			DELETE FROM click_blocks AS c
			USING unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, place)
			WHERE ` + same + ` AND c.day = $4 RETURNING n.place, c.clicks`,
		selectDays: `
			SELECT n.place, c.counts
			FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[])
				AS n(code, link_id, day, place)
			JOIN click_days AS c ON c.day = n.day AND ` + same,
		emptyRecent: `
			UPDATE link_clicks AS c
			SET recent = '', loose = CASE WHEN n.loose < 0 THEN c.loose ELSE n.loose END
			FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, loose)
			WHERE ` + same,
	}
}

// newRows are rows for links.
type newRows struct {
	codes, urls, owners, options []string
	ids, times                   []int64
}

// blockColumns are rows of click_blocks.
type blockColumns struct {
	codes            []string
	ids, first, last []int64
	days             []int32
	clicks           [][]byte
}

// dayColumns are rows of click_days.
type dayColumns struct {
	codes  []string
	ids    []int64
	days   []int32
	counts [][]byte
}

func insertLinksAtOnce(ctx context.Context, s *Store, c *newRows) ([]int64, error) {
	rows, err := s.pool.Query(ctx, `
		WITH made AS (
			INSERT INTO links (code, id, url, created_by, created_at, options)
			SELECT * FROM unnest(
				$1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $7::text[])
			ON CONFLICT DO NOTHING RETURNING code, id, created_by
		), countable AS (
			INSERT INTO link_clicks (code, link_id) SELECT code, id FROM made
		), owned AS (
			INSERT INTO owners (owner, slot, links)
			SELECT created_by, $6::integer, count(*) FROM made GROUP BY created_by ORDER BY created_by
			ON CONFLICT (owner, slot) DO UPDATE SET links = owners.links + excluded.links
		)
		SELECT id FROM made`, c.codes, c.ids, c.urls, c.owners, c.times, s.slot,
		c.options)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func insertLinkRows(ctx context.Context, s *Store, c *newRows) (made []int64, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		made, err = insertRows(ctx, tx, "links (code, id, url, created_by, created_at, options)",
			"ON CONFLICT DO NOTHING RETURNING id", len(c.ids), func(i int) []any {
				return []any{
					c.codes[i], c.ids[i], c.urls[i], c.owners[i], c.times[i], c.options[i],
				}
			})
		if err != nil || len(made) == 0 {
			return err
		}
		var places []int
		owned := make(map[string]int)
		for i, id := range c.ids {
			if slices.Contains(made, id) {
				places = append(places, i)
				owned[c.owners[i]]++
			}
		}
		if _, err := insertRows(ctx, tx, "link_clicks (code, link_id)", "", len(places),
			func(i int) []any { return []any{c.codes[places[i]], c.ids[places[i]]} }); err != nil {
			return err
		}
		return addToOwners(ctx, tx, s.slot, owned)
	})
	return made, err
}

// addToOwners adds to the totals of owners, in one order.
func addToOwners(ctx context.Context, tx pgx.Tx, slot int32, links map[string]int) error {
	for _, owner := range slices.Sorted(maps.Keys(links)) {
		if _, err := tx.Exec(ctx, `INSERT INTO owners (owner, slot, links) VALUES ($1, $2, $3)
			ON CONFLICT (owner, slot) DO UPDATE SET links = owners.links + excluded.links`,
			owner, slot, links[owner]); err != nil {
			return err
		}
	}
	return nil
}

// belongings are the tables with rows of a link, other than links. link_clicks is first: deleting
// its row waits for a batch that is adding clicks, and the next statements see what the batch
// wrote. A later batch finds no row to add to.
var belongings = []string{"link_clicks", "click_blocks", "click_days"}

// deleteLinksInOrder locks the owner's total last: creates need it.
func deleteLinksInOrder(ctx context.Context, s *Store, keys []key) ([]bool, error) {
	batch := &pgx.Batch{}
	codes := make([]string, len(keys))
	for i, k := range keys {
		codes[i] = k.code
		for _, table := range belongings {
			batch.Queue("DELETE FROM "+table+" WHERE code = $1 AND link_id = $2", k.code, k.id)
		}
	}
	deleted := make([]bool, len(keys))
	for i, k := range keys {
		batch.Queue(`
			WITH gone AS (DELETE FROM links WHERE code = $1 AND id = $2 RETURNING created_by)
			INSERT INTO owners (owner, slot, links) SELECT created_by, $3::integer, -1 FROM gone
			ON CONFLICT (owner, slot) DO UPDATE SET links = owners.links - 1`, k.code, k.id, s.slot,
		).Exec(func(done pgconn.CommandTag) error {
			deleted[i] = done.RowsAffected() > 0
			return nil
		})
	}
	batch.Queue("SELECT pg_notify($1, $2)", channel, strings.Join(codes, " "))
	return deleted, s.pool.SendBatch(ctx, batch).Close()
}

// deleteLinkSets deletes all with one statement for each table, which goes to the shards that have
// some of them. The codes say which.
func deleteLinkSets(ctx context.Context, s *Store, keys []key) ([]bool, error) {
	codes, pairs := make([]string, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		codes[i], pairs[i] = k.code, k.code+" "+strconv.FormatInt(k.id, 10)
	}
	deleted := make([]bool, len(keys))
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		for _, table := range belongings {
			batch.Queue("DELETE FROM "+table+
				" WHERE code = ANY($1) AND code || ' ' || link_id::text = ANY($2)", codes, pairs)
		}
		owned := make(map[string]int)
		batch.Queue(`DELETE FROM links WHERE code = ANY($1) AND code || ' ' || id::text = ANY($2)
			RETURNING code || ' ' || id::text, created_by`, codes, pairs,
		).Query(func(rows pgx.Rows) error {
			var pair, owner string
			_, err := pgx.ForEachRow(rows, []any{&pair, &owner}, func() error {
				deleted[slices.Index(pairs, pair)] = true
				owned[owner]--
				return nil
			})
			return err
		})
		batch.Queue("SELECT pg_notify($1, $2)", channel, strings.Join(codes, " "))
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return addToOwners(ctx, tx, s.slot, owned)
	})
	return deleted, err
}

func insertBlocksAtOnce(ctx context.Context, tx pgx.Tx, c *blockColumns) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO click_blocks (code, link_id, day, id, first, last, clicks)
		SELECT code, link_id, day, nextval('click_block_ids'), first, last, clicks
		FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::bigint[], $6::bytea[])
			AS n(code, link_id, day, first, last, clicks)`,
		c.codes, c.ids, c.days, c.first, c.last, c.clicks)
	return err
}

func insertBlockRows(ctx context.Context, tx pgx.Tx, c *blockColumns) error {
	ids, err := nextIDs(ctx, tx, "click_block_ids", len(c.codes))
	if err != nil {
		return err
	}
	_, err = insertRows(ctx, tx, "click_blocks (code, link_id, day, id, first, last, clicks)", "",
		len(c.codes), func(i int) []any {
			return []any{
				c.codes[i], c.ids[i], c.days[i], ids[i], c.first[i], c.last[i],
				c.clicks[i],
			}
		})
	return err
}

func storeDaysAtOnce(ctx context.Context, tx pgx.Tx, c *dayColumns) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO click_days (code, link_id, day, counts)
		SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::bytea[])
		ON CONFLICT (code, link_id, day) DO UPDATE SET counts = excluded.counts`,
		c.codes, c.ids, c.days, c.counts)
	return err
}

func storeDayRows(ctx context.Context, tx pgx.Tx, c *dayColumns) error {
	_, err := insertRows(ctx, tx, "click_days (code, link_id, day, counts)",
		"ON CONFLICT (code, link_id, day) DO UPDATE SET counts = excluded.counts",
		len(c.codes), func(i int) []any {
			return []any{
				c.codes[i], c.ids[i], c.days[i],
				c.counts[i],
			}
		})
	return err
}

// maxRows bounds the rows of an INSERT, which may have 65,535 parameters.
const maxRows = 1024

// insertRows inserts n rows by VALUES, and returns what the end of the statement returns. The text
// depends on how many there are, so it is not prepared.
func insertRows(
	ctx context.Context, tx pgx.Tx, into, end string, n int, row func(int) []any,
) (returned []int64, err error) {
	for from := 0; from < n; from += maxRows {
		args := []any{pgx.QueryExecModeExec}
		tuples := make([]string, 0, maxRows)
		for i := from; i < min(from+maxRows, n); i++ {
			values := row(i)
			tuple := make([]string, len(values))
			for k := range values {
				tuple[k] = "$" + strconv.Itoa(len(args)+k)
			}
			args = append(args, values...)
			tuples = append(tuples, "("+strings.Join(tuple, ",")+")")
		}
		sql := "INSERT INTO " + into + " VALUES " + strings.Join(tuples, ",") + " " + end
		rows, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return nil, err
		}
		some, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, err
		}
		returned = append(returned, some...)
	}
	return returned, nil
}
