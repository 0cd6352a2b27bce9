package record

import (
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
)

// Answer returns the stored answer for a key, or terse.ErrNotFound.
func Answer(conn *sqlite.Conn, key terse.AnswerKey, now time.Time) (
	answer terse.Answer, err error,
) {
	found := false
	err = query.Each(conn, "SELECT request, status, etag, body FROM answers "+
		"WHERE key = ? AND kept_at > ?",
		func(row *sqlite.Stmt) error {
			row.ColumnBytes(0, answer.Request[:])
			answer.Status, answer.ETag = row.ColumnInt(1), row.ColumnText(2)
			answer.Body, found = query.Bytes(row, 3, nil), true
			return nil
		}, key[:], now.Add(-terse.AnswerLifetime).UnixMicro())
	if err == nil && !found {
		err = terse.ErrNotFound
	}
	return answer, err
}

// maxForgotten bounds the old answers that are deleted with a new one. More are deleted than added,
// so that none stays for long; a large answer makes room for itself.
func maxForgotten(a terse.Answer) int { return 16 + len(a.Body)/terse.AnswerOverhead }

// KeepAnswer stores an answer. It also deletes some answers that are too old, or not newer than
// last.
func KeepAnswer(
	conn *sqlite.Conn, key terse.AnswerKey, a terse.Answer, now time.Time, last int64,
) error {
	err := query.Run(conn, `INSERT OR REPLACE INTO answers
		(key, kept_at, request, status, etag, body) VALUES (?, ?, ?, ?, ?, ?)`,
		key[:], now.UnixMicro(), a.Request[:], a.Status, a.ETag, append([]byte{}, a.Body...))
	if err != nil {
		return err
	}
	return query.Run(conn, "DELETE FROM answers WHERE rowid IN "+
		"(SELECT rowid FROM answers WHERE kept_at <= ? ORDER BY kept_at LIMIT ?)",
		max(last, now.Add(-terse.AnswerLifetime).UnixMicro()), maxForgotten(a))
}

// LastBeyond sums answers from the newest on, and returns the time of the first one that exceeds a
// bound in bytes, or 0 if all are within it.
func LastBeyond(conn *sqlite.Conn, most int64) (at int64, err error) {
	left := most
	err = query.Each(conn, "SELECT kept_at, length(body) FROM answers ORDER BY kept_at DESC",
		func(row *sqlite.Stmt) error {
			if left -= row.ColumnInt64(1) + terse.AnswerOverhead; left >= 0 {
				return nil
			}
			at = row.ColumnInt64(0)
			return query.ErrStop
		})
	return at, err
}
