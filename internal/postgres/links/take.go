package links

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
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
func (c *Changes) Take(ctx context.Context, wishes []Wish) error {
	if err := c.keepOrder(ctx); err != nil {
		return err
	}
	left, usedUp, err := c.takeWanted(ctx, wishes)
	if err != nil {
		return err
	}
	if err := c.useUp(ctx, usedUp); err != nil {
		return err
	}
	return settle(ctx, c.tx, wishes, left)
}

// takeWanted takes all that is wanted, and returns how much is left of each link then, and those
// with nothing left.
func (c *Changes) takeWanted(ctx context.Context, wishes []Wish) (
	left map[terse.LinkID]int64, usedUp []terse.Link, err error,
) {
	all, wanted := make([]terse.Link, len(wishes)), map[terse.LinkID]int64{}
	for i, w := range wishes {
		all[i], wanted[w.ID] = terse.Link{ID: w.ID, Code: w.Code}, w.Wanted
	}
	left = map[terse.LinkID]int64{}
	batch := &pgx.Batch{}
	err = c.byShard(ctx, all, func(part []terse.Link) {
		var codes []string
		var ids, clicks []int64
		for _, link := range part {
			codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
			clicks = append(clicks, wanted[link.ID])
		}
		batch.Queue(`UPDATE links AS c SET used = c.used + n.wanted
			FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS n(code, link_id, wanted)
			WHERE `+c.dialect.SameCode+` AND c.id = n.link_id AND c.used < c.max_clicks
			RETURNING c.id, c.max_clicks - c.used`, codes, ids, clicks,
		).Query(func(rows pgx.Rows) error {
			some, err := ByID(rows)
			for _, link := range part {
				n, taken := some[link.ID]
				if taken {
					left[link.ID] = n
				}
				if taken && n <= 0 {
					usedUp = append(usedUp, link)
				}
			}
			return err
		})
	})
	if err == nil {
		err = c.tx.SendBatch(ctx, batch).Close()
	}
	return left, usedUp, err
}

// useUp corrects links of which more was taken than there was, and moves those with nothing left to
// the set of their status. Their rows are locked.
func (c *Changes) useUp(ctx context.Context, all []terse.Link) error {
	for _, link := range all {
		found, in, err := readWithSets(ctx, c.tx, "l.code = $1 AND l.id = $2", link.Code.String(),
			int64(link.ID))
		if err != nil || len(found) == 0 {
			return err
		}
		d := read(&found[0])
		d.Used = min(d.Used, d.options.MaxClicks)
		before, after := in[link.ID], d.facts(time.Now())
		c.move(d.CreatedBy, int64(d.ID), before, sets{before.tags, after.status})
		if _, err := c.tx.Exec(ctx, `UPDATE links SET used = max_clicks, status = $3, since = $4,
			until = $5 WHERE code = $1 AND id = $2`, link.Code.String(), int64(link.ID),
			after.status, after.since, after.until); err != nil {
			return err
		}
	}
	return nil
}

// settle tells what was granted. Links of which nothing could be taken are looked up.
func settle(
	ctx context.Context, tx pgx.Tx, wishes []Wish, left map[terse.LinkID]int64,
) error {
	var others []string
	for i := range wishes {
		w := &wishes[i]
		n, taken := left[w.ID]
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
	rows, _ := tx.Query(ctx, `SELECT l.id, coalesce(l.max_clicks, 0),
			coalesce(l.used >= l.max_clicks, false)
		FROM links AS l WHERE l.code = ANY($1)`, others)
	var id, most int64
	var usedUp bool
	_, err := pgx.ForEachRow(rows, []any{&id, &most, &usedUp}, func() error {
		for i := range wishes {
			w := &wishes[i]
			switch _, taken := left[w.ID]; {
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
