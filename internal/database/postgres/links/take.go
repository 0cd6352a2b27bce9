package links

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Wish is the number of clicks wanted from a link's MaxClicks, and the number that Take grants.
type Wish struct {
	terse.LinkRef
	Wanted  int64
	Granted int64
	Refused error // why not all were granted
}

// Take grants clicks of links. Each link may have only one wish. It locks the links' rows before it
// reads how many clicks remain.
func (c *Changes) Take(ctx context.Context, wishes []Wish) error {
	wanted := make([]terse.LinkRef, len(wishes))
	for i, w := range wishes {
		wanted[i] = w.LinkRef
	}
	found, err := c.lock(ctx, wanted)
	if err != nil {
		return err
	}
	by := terse.Caller{Cause: terse.CauseVisit}
	batch := &pgx.Batch{}
	for i := range wishes {
		w := &wishes[i]
		before := found[w.ID]
		if before == nil {
			w.Granted, w.Refused = 0, terse.ErrNotFound
			continue
		}
		most := before.Set.MaxClicks
		if most == 0 {
			w.Granted = w.Wanted
			continue
		}
		w.Granted = max(0, min(w.Wanted, most-before.Used))
		if w.Refused = terse.ErrUsedUp; w.Granted == 0 {
			continue
		}
		after := before.Become(before.Link)
		if after.Used += w.Granted; after.Used < most { // nothing follows from it
			batch.Queue("UPDATE links SET used = $3 WHERE code = $1 AND id = $2",
				w.Code.String(), int64(w.ID), after.Used)
			continue
		}
		if err := c.write(batch, before, after, by); err != nil {
			return err
		}
	}
	return c.tx.SendBatch(ctx, batch).Close()
}
