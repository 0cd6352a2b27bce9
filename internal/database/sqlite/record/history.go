package record

import (
	"encoding/json"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// addHistory adds a change to a link's history, and deletes the oldest ones beyond the bound.
func addHistory(conn *sqlite.Conn, link terse.LinkID, entry *follow.History) error {
	if err := putHistory(conn, link, entry); err != nil {
		return err
	}
	return query.Run(conn, `DELETE FROM link_changes WHERE link_id = ?1 AND time <=
		(SELECT time FROM link_changes WHERE link_id = ?1 ORDER BY time DESC LIMIT 1 OFFSET ?2)`,
		link, terse.MaxHistory)
}

// putHistory writes a change.
func putHistory(conn *sqlite.Conn, link terse.LinkID, entry *follow.History) error {
	return query.Run(conn, `INSERT OR REPLACE INTO link_changes
		(link_id, time, by, request_id, fields) VALUES (?, ?, ?, ?, ?)`,
		link, entry.Time.UnixMicro(), entry.By, entry.RequestID, string(entry.Text))
}

// History returns the last changes of an existing link, the newest first.
func History(conn *sqlite.Conn, link terse.LinkID) (history []terse.HistoryEntry, err error) {
	// Without the plus, SQLite would prepare the statement again for each link.
	err = query.Each(conn, "SELECT time, by, request_id, fields FROM link_changes "+
		"WHERE link_id = +? ORDER BY time DESC",
		func(row *sqlite.Stmt) error {
			entry := terse.HistoryEntry{
				Time: time.UnixMicro(row.ColumnInt64(0)).UTC(), By: row.ColumnText(1),
				RequestID: row.ColumnText(2),
			}
			if err := json.Unmarshal([]byte(row.ColumnText(3)), &entry.Fields); err != nil {
				return fmt.Errorf("decode change: %w", err)
			}
			for name, change := range entry.Fields {
				change.Old, change.New = unset(change.Old), unset(change.New)
				entry.Fields[name] = change
			}
			history = append(history, entry)
			return nil
		}, link)
	return history, err
}

// unset turns null, which stands for no value, into nil.
func unset(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}
