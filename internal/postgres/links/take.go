package links

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/dialect"
)

// Wish is how many clicks are wanted of a link's MaxClicks, and how many Take grants.
type Wish struct {
	terse.LinkRef
	Wanted  int64
	Granted int64
	Refused error // why not all were granted
}

// Take grants what there is. The links are sorted as all lock them, each once. The rows say how
// many clicks are left: nothing that was read before counts.
func Take(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, wishes []Wish) error {
	if err := d.KeepOrder(ctx, tx); err != nil {
		return err
	}
	var codes []string
	var ids, wanted []int64
	for _, w := range wishes {
		codes, ids = append(codes, w.Code.String()), append(ids, int64(w.ID))
		wanted = append(wanted, w.Wanted)
	}
	rows, _ := tx.Query(ctx, `UPDATE link_states AS c SET used = c.used + n.wanted,
			used_up = c.used + n.wanted >= c.max_clicks
		FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS n(code, link_id, wanted)
		WHERE `+d.SameCode+` AND c.link_id = n.link_id AND c.max_clicks > 0 AND NOT c.used_up
		RETURNING c.link_id, c.max_clicks - c.used`, codes, ids, wanted)
	remaining, err := ByID(rows)
	if err != nil {
		return err
	}
	if err := useUp(ctx, tx, d, wishes, remaining); err != nil {
		return err
	}
	return settle(ctx, tx, wishes, remaining)
}

// useUp corrects links of which more was taken than there was, and notes those with nothing left
// beside their tags.
func useUp(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, wishes []Wish,
	remaining map[terse.LinkID]int64,
) error {
	var codes []string
	var ids []int64
	for _, w := range wishes {
		if n, taken := remaining[w.ID]; taken && n <= 0 {
			codes, ids = append(codes, w.Code.String()), append(ids, int64(w.ID))
		}
	}
	if len(codes) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for _, set := range []string{
		"link_states AS c SET used = c.max_clicks", "link_tags AS c SET used_up = true",
	} {
		batch.Queue("UPDATE "+set+" FROM unnest($1::text[], $2::bigint[]) AS n(code, link_id) "+
			"WHERE "+d.SameCode+" AND c.link_id = n.link_id", codes, ids)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// settle tells what was granted. Links of which nothing could be taken are looked up.
func settle(
	ctx context.Context, tx pgx.Tx, wishes []Wish, remaining map[terse.LinkID]int64,
) error {
	var others []string
	for i := range wishes {
		w := &wishes[i]
		n, taken := remaining[w.ID]
		if !taken {
			others = append(others, w.Code.String())
			w.Granted, w.Refused = 0, terse.ErrNotFound
			continue
		}
		w.Granted, w.Refused = w.Wanted+min(n, 0), terse.ErrUsedUp
	}
	if len(others) == 0 {
		return nil
	}
	rows, _ := tx.Query(ctx, `SELECT l.id, coalesce(s.max_clicks, 0), coalesce(s.used_up, false)
		FROM links AS l LEFT JOIN link_states AS s ON s.code = l.code AND s.link_id = l.id
		WHERE l.code = ANY($1)`, others)
	var id, most int64
	var usedUp bool
	_, err := pgx.ForEachRow(rows, []any{&id, &most, &usedUp}, func() error {
		for i := range wishes {
			w := &wishes[i]
			switch _, taken := remaining[w.ID]; {
			case int64(w.ID) != id || taken:
			case usedUp:
				w.Refused = terse.ErrUsedUp
			case most > 0:
				return ErrConflict // it was changed between the two statements
			default:
				w.Granted = w.Wanted
			}
		}
		return nil
	})
	return err
}
