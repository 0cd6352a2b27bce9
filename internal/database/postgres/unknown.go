package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
)

// KeepUnknown stores a node's unknown codes of a day, in place of those it stored before, and
// deletes those of days that are too old.
func (s *Store) KeepUnknown(
	ctx context.Context, node string, day terse.Day, codes terse.UnknownCodes,
) error {
	text, err := codes.AppendBinary(nil)
	if err != nil {
		return err
	}
	err = again(ctx, func() error {
		_, err := s.pool.Exec(ctx,
			`INSERT INTO unknown_codes (day, node, codes) VALUES ($1, $2, $3)
			ON CONFLICT (day, node) DO UPDATE SET codes = excluded.codes`, int32(day), node, text)
		if err != nil {
			return err
		}
		_, err = s.pool.Exec(ctx, "DELETE FROM unknown_codes WHERE day < $1",
			int32(day)-terse.UnknownDays)
		return err
	})
	return wrap(err, "keep unknown codes of %v", day)
}

// Unknown returns each node's unknown codes of a day.
func (s *Store) Unknown(ctx context.Context, day terse.Day) (
	nodes map[string]terse.UnknownCodes, err error,
) {
	err = again(ctx, func() error {
		nodes = map[string]terse.UnknownCodes{}
		rows, _ := s.pool.Query(ctx, "SELECT node, codes FROM unknown_codes WHERE day = $1",
			int32(day))
		var node string
		var text []byte
		_, err = pgx.ForEachRow(rows, []any{&node, &text}, func() error {
			var codes terse.UnknownCodes
			err := codes.UnmarshalBinary(text)
			nodes[node] = codes
			return err
		})
		return err
	})
	return nodes, wrap(err, "read unknown codes of %v", day)
}
