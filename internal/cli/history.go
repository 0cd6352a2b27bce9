package cli

import (
	"context"
	"fmt"
	"time"

	"terse/api"
	"terse/internal/cli/console"
)

type historyCommand struct {
	linkFlags `embed:""`
}

// Run prints a link's history, newest change first.
func (c *historyCommand) Run(ctx context.Context, r *remote) error {
	var changes []api.Change
	err := r.onLink(ctx, &c.Code, func() (err error) {
		changes, err = r.History(ctx, c.Code)
		return err
	})
	return c.answer(r, err, c.Code, api.History{Changes: changes}, func() error {
		return r.printHistory(changes)
	})
}

func (r *remote) printHistory(changes []api.Change) (err error) {
	if len(changes) == 0 && r.Width() > 0 {
		_, err = fmt.Fprintln(r.Out, "Nothing was changed.")
	}
	for _, change := range changes {
		for _, said := range r.words().Changes(change.Fields) {
			err = r.PrintEntries(console.Entry{
				Name:  change.Time.UTC().Format(time.RFC3339Nano),
				Label: change.Time.In(r.Zone()).Format(time.DateTime),
				Text:  change.By + " " + said,
			})
			if err != nil {
				return err
			}
		}
	}
	return err
}
