package record

import (
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

// Answer returns the answer that was kept for a key, or terse.ErrNotFound.
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

// maxForgotten bounds the old answers that go with a new one: some more than come, so that they
// become fewer.
const maxForgotten = 16

// KeepAnswer keeps an answer, and forgets some of those that are too old.
func KeepAnswer(conn *sqlite.Conn, key terse.AnswerKey, a terse.Answer, now time.Time) error {
	err := query.Run(conn, `INSERT OR REPLACE INTO answers
		(key, kept_at, request, status, etag, body) VALUES (?, ?, ?, ?, ?, ?)`,
		key[:], now.UnixMicro(), a.Request[:], a.Status, a.ETag, append([]byte{}, a.Body...))
	if err != nil {
		return err
	}
	return query.Run(conn, "DELETE FROM answers WHERE rowid IN "+
		"(SELECT rowid FROM answers WHERE kept_at <= ? ORDER BY kept_at LIMIT ?)",
		now.Add(-terse.AnswerLifetime).UnixMicro(), maxForgotten)
}
