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
// become fewer, and as many as may take the room of a large one.
func maxForgotten(a terse.Answer) int { return 16 + len(a.Body)/terse.AnswerOverhead }

// KeepAnswer keeps an answer, and forgets some of those that are too old, or were kept up to the
// last one that is beyond what all may take.
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

// LastBeyond returns when the last answer was kept behind which those that came later take so many
// bytes, or 0 when all take less.
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
