package rows

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// guards protect a transaction on Citus, where the lock is not enough. An acknowledged commit may
// still be unfinished on a worker that failed in the middle of it. For up to a minute, reads there
// return the old rows, and a transaction that read them would write them back. So the first
// statement in each part adds 1 to the part's row of click_guards, which waits until that commit
// has ended.
//
// The coordinator adds 1 to the part's row of click_parts. If the two differ, a server has lost
// transactions: it was restored, or a replica that lacked them was promoted.
type guards struct {
	taken [Parts]bool
	back  []error // a WentBackError for each part whose server went back
}

const (
	addToGuard = "INSERT INTO click_guards VALUES ($1, 1) ON CONFLICT (part) " +
		"DO UPDATE SET number = click_guards.number + 1 RETURNING number"
	addToParts = "INSERT INTO click_parts SELECT part, 1 FROM unnest($1::smallint[]) AS part " +
		"ON CONFLICT (part) DO UPDATE SET number = click_parts.number + 1 RETURNING part, number"
	// workerOf finds the server of a part.
	workerOf = "SELECT nodename || ':' || nodeport FROM pg_dist_shard_placement " +
		"WHERE shardid = get_shard_id_for_distribution_column('click_guards', $1::smallint)"
)

// WentBackError means that a server has lost transactions.
type WentBackError struct {
	Server string // host and port of a worker, or "the coordinator"
	Part   int    // where it was noticed
	Lost   int64  // number of transactions
}

func (e *WentBackError) Error() string {
	return fmt.Sprintf("%s has lost %d transactions that counted clicks (part %d): "+
		"it was restored, or is a replica that lacked them", e.Server, e.Lost, e.Part)
}

// take waits until earlier commits have ended in parts, and locks the parts.
func (g *guards) take(r *Reader, parts ...int16) error {
	if g == nil {
		return nil
	}
	batch := &pgx.Batch{}
	var fresh []int16
	var atWorker, here [Parts]int64
	for _, part := range parts {
		if g.taken[part] {
			continue
		}
		g.taken[part] = true
		fresh = append(fresh, part)
		batch.Queue(addToGuard, part).QueryRow(func(row pgx.Row) error {
			return row.Scan(&atWorker[part])
		})
	}
	if len(fresh) == 0 {
		return nil
	}
	batch.Queue(addToParts, fresh).Query(func(rows pgx.Rows) error {
		var part int16
		var number int64
		_, err := pgx.ForEachRow(rows, []any{&part, &number}, func() error {
			here[part] = number
			return nil
		})
		return err
	})
	if err := r.tx.SendBatch(r.ctx, batch).Close(); err != nil {
		return err
	}
	for _, part := range fresh {
		if lost := here[part] - atWorker[part]; lost != 0 {
			if err := g.wentBack(r, part, lost, max(here[part], atWorker[part])); err != nil {
				return err
			}
		}
	}
	return nil
}

// wentBack records that a server has lost transactions, and makes both numbers equal: counting goes
// on from the remaining rows.
func (g *guards) wentBack(r *Reader, part int16, lost, number int64) error {
	e := &WentBackError{Server: "the coordinator", Part: int(part), Lost: max(lost, -lost)}
	if lost > 0 {
		if err := r.tx.QueryRow(r.ctx, workerOf, part).Scan(&e.Server); err != nil {
			return err
		}
	}
	g.back = append(g.back, e)
	for _, sql := range []string{
		"UPDATE click_guards SET number = $2 WHERE part = $1",
		"UPDATE click_parts SET number = $2 WHERE part = $1",
	} {
		if _, err := r.tx.Exec(r.ctx, sql, part, number); err != nil {
			return err
		}
	}
	return nil
}

// wentBackError returns the recorded errors, or nil.
func (g *guards) wentBackError() error {
	if g == nil {
		return nil
	}
	return errors.Join(g.back...)
}
