package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"terse/api"
	"terse/internal/cli/console"
)

type historyCommand struct {
	clientFlags `embed:""`

	Code string `arg:"" help:"The short code."`
}

// Run says who changed what of a link, newest first.
func (c *historyCommand) Run(ctx context.Context, r *remote) error {
	changes, err := r.History(ctx, c.Code)
	if err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return r.PrintJSON(api.History{Changes: changes})
	}
	if len(changes) == 0 && r.Width() > 0 {
		_, err = fmt.Fprintln(r.Out, "Nothing was changed.")
	}
	for _, change := range changes {
		for _, name := range slices.Sorted(maps.Keys(change.Fields)) {
			err = r.PrintEntries(console.Entry{
				Name:  change.Time.UTC().Format(time.RFC3339Nano),
				Label: change.Time.In(r.Zone()).Format(time.DateTime),
				Text:  change.By + " " + r.words().Change(name, change.Fields[name]),
			})
			if err != nil {
				return err
			}
		}
	}
	return err
}
