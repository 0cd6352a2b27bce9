package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
)

// KeepUnknown stores a node's unknown codes of a day, and deletes those of days that are too old.
func (s *Store) KeepUnknown(
	ctx context.Context, node string, day terse.Day, codes terse.UnknownCodes,
) error {
	text, err := codes.AppendBinary(nil)
	if err != nil {
		return err
	}
	err = s.writeAlone(ctx, func(w *writer) error {
		err := query.Run(w.conn, `INSERT INTO unknown_codes (day, node, codes) VALUES (?1, ?2, ?3)
			ON CONFLICT (day, node) DO UPDATE SET codes = ?3`, int64(day), node, text)
		if err != nil {
			return err
		}
		return query.Run(w.conn, "DELETE FROM unknown_codes WHERE day < ?",
			int64(day)-terse.UnknownDays)
	})
	return translate(ctx, err, "keep unknown codes of %v", day)
}

// Unknown returns each node's unknown codes of a day.
func (s *Store) Unknown(ctx context.Context, day terse.Day) (
	nodes map[string]terse.UnknownCodes, err error,
) {
	nodes = map[string]terse.UnknownCodes{}
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		return query.Each(conn, "SELECT node, codes FROM unknown_codes WHERE day = ?",
			func(row *sqlite.Stmt) error {
				var codes terse.UnknownCodes
				err := codes.UnmarshalBinary(query.Bytes(row, 1, nil))
				nodes[row.ColumnText(0)] = codes
				return err
			}, int64(day))
	})
	return nodes, translate(ctx, err, "read unknown codes of %v", day)
}
