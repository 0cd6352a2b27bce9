package record

import (
	"encoding/json"
	"math"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
)

// auditColumns are the columns that scanEntry reads.
const auditColumns = "id, at, actor, via, token, action, target, details, address, request_id, " +
	"domain"

func scanEntry(row *sqlite.Stmt) terse.AuditEntry {
	e := terse.AuditEntry{
		ID: row.ColumnInt64(0), Time: time.UnixMicro(row.ColumnInt64(1)).UTC(),
		By: row.ColumnText(2), Via: terse.Via(row.ColumnText(3)), Token: row.ColumnText(4),
		Action: terse.Action(row.ColumnText(5)), Target: row.ColumnText(6),
		Address: row.ColumnText(8), RequestID: row.ColumnText(9),
		Domain: terse.Domain(row.ColumnInt64(10)),
	}
	if details := row.ColumnText(7); details != "" {
		e.Details = json.RawMessage(details)
	}
	return e
}

// Audit returns a page of the audit. Where both filters are given, it looks for those of the
// target, of which there are usually fewer.
func Audit(conn *sqlite.Conn, q terse.AuditQuery) (entries []terse.AuditEntry, err error) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	filter, args := "", []any{before, q.Limit}
	switch {
	case q.Target != "" && q.By != "":
		filter, args = " AND target = ?3 AND +actor = ?4", append(args, q.Target, q.By)
	case q.Target != "":
		filter, args = " AND target = ?3", append(args, q.Target)
	case q.By != "":
		filter, args = " AND actor = ?3", append(args, q.By)
	}
	err = query.Each(conn, "SELECT "+auditColumns+" FROM audit WHERE id < ?1"+filter+
		" ORDER BY id DESC LIMIT ?2",
		func(row *sqlite.Stmt) error {
			entries = append(entries, scanEntry(row))
			return nil
		}, args...)
	return entries, err
}

// DropAudit deletes some of the entries from before a time, and returns how many.
func DropAudit(conn *sqlite.Conn, before time.Time) (int, error) {
	err := query.Run(conn, "DELETE FROM audit WHERE id IN "+
		"(SELECT id FROM audit WHERE at < ? ORDER BY at LIMIT ?)",
		before.UnixMicro(), terse.DroppedAtOnce)
	return conn.Changes(), err
}
