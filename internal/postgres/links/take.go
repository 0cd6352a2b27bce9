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
	batch := &pgx.Batch{}
	for i := range wishes {
		w := &wishes[i]
		link := found[w.ID]
		if link == nil {
			w.Granted, w.Refused = 0, terse.ErrNotFound
			continue
		}
		d := decode(&link.Link)
		if d.options.MaxClicks == 0 {
			w.Granted = w.Wanted
			continue
		}
		w.Granted = max(0, min(w.Wanted, d.options.MaxClicks-d.Used))
		if w.Refused = terse.ErrUsedUp; w.Granted > 0 {
			d.Used += w.Granted
			c.write(batch, d, link.sets)
		}
	}
	return c.tx.SendBatch(ctx, batch).Close()
}
