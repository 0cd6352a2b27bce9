package links

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
)

// auditColumns are the columns that scanEntry reads.
const auditColumns = "id, at, actor, via, token, action, target, details, address, request_id, " +
	"domain"

func scanEntry(row pgx.CollectableRow) (e terse.AuditEntry, err error) {
	var at int64
	var details string
	err = row.Scan(&e.ID, &at, &e.By, &e.Via, &e.Token, &e.Action, &e.Target, &details, &e.Address,
		&e.RequestID, &e.Domain)
	e.Time = time.UnixMicro(at).UTC()
	if details != "" {
		e.Details = json.RawMessage(details)
	}
	return e, err
}

// Audit returns a page of the audit.
func Audit(ctx context.Context, q Querier, ask terse.AuditQuery) ([]terse.AuditEntry, error) {
	before := ask.Before
	if before == 0 {
		before = math.MaxInt64
	}
	filter, args := "", []any{before, ask.Limit}
	switch {
	case ask.Target != "" && ask.By != "":
		filter, args = " AND target = $3 AND actor = $4", append(args, ask.Target, ask.By)
	case ask.Target != "":
		filter, args = " AND target = $3", append(args, ask.Target)
	case ask.By != "":
		filter, args = " AND actor = $3", append(args, ask.By)
	}
	rows, _ := q.Query(ctx, "SELECT "+auditColumns+" FROM audit WHERE id < $1"+filter+
		" ORDER BY id DESC LIMIT $2", args...)
	return pgx.CollectRows(rows, scanEntry)
}

// Execer executes a statement: a pool, a connection or a transaction.
type Execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// DropAudit deletes some of the entries from before a time, and returns how many. It passes over
// those that another node deletes.
func DropAudit(ctx context.Context, q Execer, before time.Time) (int, error) {
	done, err := q.Exec(ctx, "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < $1 "+
		"ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)", before.UnixMicro(), terse.DroppedAtOnce)
	return int(done.RowsAffected()), err
}
