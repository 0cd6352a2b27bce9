// Package dialect has what differs between PostgreSQL and Citus: the settings and conditions that
// statements are built from, and how rows are inserted.
//
// It knows that links and what belongs to them are keyed by code, and nothing else of what is
// stored. It opens no transaction and retries nothing.
//
// Two things must hold on either engine. All nodes lock the rows of links that they delete or take
// clicks of in one order, so that two never wait for each other: KeepOrder, SameCode and Shards
// together see to that. A statement goes to no more shards than it has to.
package dialect

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Dialect is an engine's own way of saying things.
type Dialect struct {
	settings string
	// SameCode joins the rows c of a table with the rows n that arrays describe. The codes of n are
	// the statement's first parameter.
	SameCode string
	// shardsOf is the query for the shards that codes are on, in their order. Empty where there are
	// no shards.
	shardsOf string
	values   bool // insert by VALUES
}

// PostgreSQL looks links up one by one, in the order in which they are given. So it locks them.
var PostgreSQL = &Dialect{
	settings: `SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
		SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
		SET LOCAL enable_material = off; SET LOCAL enable_sort = off; SET LOCAL jit = off;
		SET LOCAL plan_cache_mode = force_generic_plan`,
	SameCode: "c.code = n.code",
}

// Citus is for tables that the extension Citus distributes:
//
//   - It sends a statement only to the shards that an equation with the codes leaves. A shard looks
//     all codes up in its index, locks what it finds in the order of the index, and joins it with
//     what was given.
//   - It can't distribute a generic plan. It passes on SET LOCAL to the workers, and no set_config.
//   - It writes the rows of an INSERT … SELECT into each shard over a new connection, and those of
//     VALUES over the connections that it has.
//   - It sends an UPDATE or a DELETE of several shards to all workers at once. Where others lock
//     the same rows, each shard needs a statement of its own.
var Citus = &Dialect{
	settings: `SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
		SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off;
		SET LOCAL enable_material = off; SET LOCAL enable_sort = off; SET LOCAL jit = off`,
	SameCode: "c.code = n.code AND c.code = ANY($1)",
	shardsOf: `SELECT get_shard_id_for_distribution_column('links', code)
		FROM unnest($1::text[]) AS code`,
	values: true,
}

// KeepOrder has the planner look links up in one order for the rest of the transaction, whatever it
// knows of the tables.
func (d *Dialect) KeepOrder(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, d.settings, pgx.QueryExecModeSimpleProtocol)
	return err
}

// Sharded reports whether links are on several shards.
func (d *Dialect) Sharded() bool { return d.shardsOf != "" }

// Shards returns the shards that codes are on: 0 where there are none.
func (d *Dialect) Shards(ctx context.Context, tx pgx.Tx, codes []string) ([]int64, error) {
	if !d.Sharded() {
		return make([]int64, len(codes)), nil
	}
	return collect(tx.Query(ctx, d.shardsOf, codes))
}

// NextIDs takes n values of a sequence.
func NextIDs(ctx context.Context, tx pgx.Tx, sequence string, n int) ([]int64, error) {
	return collect(tx.Query(ctx,
		"SELECT nextval('"+sequence+"') FROM generate_series(1, $1)", n))
}

// maxRows bounds the rows of VALUES, of which a statement may have 65,535 parameters.
const maxRows = 1024

// Insert inserts columns into a table, and returns the number that the end of the statement returns
// for each row. A column is a slice of one of the types in describe; all have the same length.
func (d *Dialect) Insert(
	ctx context.Context, tx pgx.Tx, into, end string, columns ...any,
) (returned []int64, err error) {
	n, types, at := describe(columns)
	if !d.values {
		return collect(tx.Query(ctx,
			"INSERT INTO "+into+" SELECT * FROM unnest("+types+") "+end, columns...))
	}
	for from := 0; from < n; from += maxRows {
		args := []any{pgx.QueryExecModeExec} // the text depends on how many rows there are
		var tuples []string
		for row := from; row < min(from+maxRows, n); row++ {
			var tuple []string
			for _, value := range at {
				tuple = append(tuple, "$"+strconv.Itoa(len(args)))
				args = append(args, value(row))
			}
			tuples = append(tuples, "("+strings.Join(tuple, ",")+")")
		}
		some, err := collect(tx.Query(ctx,
			"INSERT INTO "+into+" VALUES "+strings.Join(tuples, ",")+" "+end, args...))
		if err != nil {
			return nil, err
		}
		returned = append(returned, some...)
	}
	return returned, nil
}

// collect returns the numbers of a query, whose error the rows have, too.
func collect(rows pgx.Rows, _ error) ([]int64, error) {
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// describe returns how many rows columns have, the parameters that they are as arrays, and how to
// get at their values.
func describe(columns []any) (n int, types string, at []func(row int) any) {
	var params []string
	for i, column := range columns {
		var sql string
		var value func(int) any
		switch c := column.(type) {
		case []string:
			n, sql, value = len(c), "text", func(i int) any { return c[i] }
		case []int64:
			n, sql, value = len(c), "bigint", func(i int) any { return c[i] }
		case []*int64:
			n, sql, value = len(c), "bigint", func(i int) any { return c[i] }
		case []*string:
			n, sql, value = len(c), "text", func(i int) any { return c[i] }
		default:
			panic(fmt.Sprintf("dialect: no column: %T", column))
		}
		params, at = append(params, fmt.Sprintf("$%d::%s[]", i+1, sql)), append(at, value)
	}
	return n, strings.Join(params, ", "), at
}
